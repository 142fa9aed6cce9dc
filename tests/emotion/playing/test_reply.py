import json

import pytest

from emotion.playing.reply import read_answer

ONE = {"text": "好。", "face": "微笑", "body": "点头", "speech": "轻快"}


def texts(reply):
    return None if reply.value is None else [each.text for each in reply.value.utterances]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (json.dumps({"utterances": [ONE]}), ["好。"]),
        (json.dumps({"utterances": [ONE, {"text": "走吧"}]}), ["好。", "走吧"]),
        (f"```json\n{json.dumps({'utterances': [ONE, ONE]})}\n```", ["好。", "好。"]),
        (json.dumps({"role": "Ann", "utterances": [{**ONE, "mood": "good"}]}), ["好。"]),
        (json.dumps({"answer": {"utterances": [ONE]}}), ["好。"]),
        (f"<think>[{{}}]</think>Here it is: {json.dumps({'utterances': [ONE]})}", ["好。"]),
        ("{“utterances”：[{“text”：“好。”}]}", ["好。"]),
    ],
)
def test_answers_are_read(said, found):
    reply = read_answer(said)
    assert (reply.status.value, texts(reply)) == ("ok", found)


def test_parts_that_are_left_out_or_blank_are_none():
    said = read_answer('{"utterances": [{"text": "Hi.", "face": null, "body": "  "}]}').value.utterances[0]
    assert (said.face, said.body, said.speech) == (None, None, None)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('{"utterances": []}', "unparsed"),
        ("[]", "unparsed"),
        ('[{"text": "Hi."}]', "unparsed"),
        ('{"text": "Hi.", "alternatives": [{"text": "Go."}]}', "unparsed"),
        ("Ann smiles and says hello.", "unparsed"),
        ('{"utterances": [{"face": "smiles"}]}', "unparsed"),
        ('{"utterances": [{"text": ""}]}', "unparsed"),
        # one of two cannot be read: the other one is not the answer
        ('{"utterances": [{"text": "Hi."}, {"text": null}]}', "unparsed"),
        # one object per line: the last one is not the answer
        ('{"text": "Hi."}\n{"text": "Sit down."}', "unparsed"),
        ('{"utterances": [{"text": "Hi."}], "utterances": [{"text": "Go."}]}', "ambiguous"),
        ('{"utterances": [{"text": "Hi."', "truncated"),
        ("<think>What would Ann say", "truncated"),
        ("I'm sorry, but I can't play this role.", "refusal"),
        ("抱歉，我无法扮演这个角色。", "refusal"),
        (None, "unparsed"),
    ],
)
def test_what_is_no_answer_has_no_utterances(said, status):
    reply = read_answer(said)
    assert (reply.status.value, reply.value) == (status, None)


def test_a_reply_that_was_cut_is_no_answer_even_when_it_could_be_read():
    assert read_answer('{"utterances": [{"text": "Hi."}]}', "length").status.value == "truncated"
