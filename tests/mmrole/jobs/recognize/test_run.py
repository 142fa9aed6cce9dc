import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mmrole
from emotion.experts.expert import BASELINE_NOTE
from emotion.votes import count_votes
from mmrole.core.errors import InputError, LockedError, ModelError, QuotaError, UsageError
from mmrole.core.lock import RunLock
from mmrole.jobs.recognize import estimate_recognize, recognize
from mmrole.llm import ChatReply, ErrorKind, Prices, ReplyCache, ScriptedModel, Usage

WORDS = {"name": "words", "kind": "lexicon"}


def run(files, panel, model, out="out", **more):
    more = {"descriptions": files / "descriptions.jsonl", "cache": False, **more}
    models = model if isinstance(model, dict) else {"q": model}
    return recognize(files / "dialogues.jsonl", panel=panel, out=files / out, models=models, **more)


def test_every_vote_has_its_record(files, panel, voter, votes_of):
    who = voter(unread=["body 2"])
    result = run(files, panel(WORDS), who.model)
    votes = votes_of(files / "out")
    # 8 utterances; q: 4 streams x 2 rounds, of which no description: face 0 and all three of dialogue e; words: text once
    assert result.counts == {"inputs": 72, "done": 46, "failed": 0, "skipped": 26, "pending": 0, "reused": 0}
    assert len(votes) == 72
    assert list(result.skipped) == [{"reason": "no_description", "votes": 26}]
    assert set(who.answered.values()) == {1}
    assert who.answered.total() == 38 + 4  # a repair request of the streams all and body in each round
    by = {(v["utterance_id"], v["stream"], v["expert"], v["round"]): v for v in votes}
    assert by["d_0", "all", "q", 1]["label"] == "happy"
    assert by["d_2", "body", "q", 0] == {
        "utterance_id": "d_2", "stream": "body", "expert": "q", "round": 0, "label": "relaxed", "status": "ok", "reason": None,
    }  # fmt: skip
    absent = by["d_0", "face", "q", 0]
    assert (absent["label"], absent["status"], absent["reason"]) == (None, "absent", "no_description")
    assert absent["detail"] == {"undescribed": {"face": "no_face"}}
    assert by["d_2", "text", "words", 0]["note"] == BASELINE_NOTE
    assert "note" not in absent
    assert [v["utterance_id"] for v in votes] == sorted(v["utterance_id"] for v in votes)
    assert count_votes(votes).cast.sum() == 72  # what mmrole score reads
    assert any("4 of 8 utterances have no record" in note for note in result.notes)


def test_the_manifest_says_who_voted(files, panel, voter):
    run(files, panel(WORDS, temperature=0.0), voter().model)
    manifest = json.loads((files / "out" / "manifest.json").read_text("utf-8"))
    first, second = manifest["settings"]["experts"]
    assert (first["model"], first["identity"]["language"]) == ({"kind": "scripted", "model": "voter"}, "en")
    assert set(first["identity"]["prompts"]) == {"experts/vote.en", "experts/repair.en"}
    assert second["identity"]["rule"].startswith("lexicon/")
    assert [each["name"] for each in manifest["experts"]] == ["q", "words"]
    assert manifest["experts"][0]["asked"] == 38
    assert set(manifest["inputs"]) == {"dialogues", "descriptions"}
    assert manifest["files"].keys() == {"votes.jsonl"}
    assert any("hardly independent" in note for note in manifest["notes"])


def test_a_second_run_asks_nothing_and_writes_the_same(files, panel, voter):
    run(files, panel(WORDS), voter().model)
    before = (files / "out" / "votes.jsonl").read_bytes()
    again = voter()
    result = run(files, panel(WORDS), again.model)
    assert (result.counts["reused"], again.answered.total()) == (46, 0)
    assert (files / "out" / "votes.jsonl").read_bytes() == before


def test_interrupted_at_any_call_no_finished_call_is_asked_again(files, panel, voter):
    run(files, panel(WORDS), voter(unread=["body 2"]).model, "whole")
    whole = (files / "whole" / "votes.jsonl").read_bytes()
    for end in range(42):
        who = voter(end=end, unread=["body 2"])
        with pytest.raises(KeyboardInterrupt):
            run(files, panel(WORDS), who.model, f"out{end}")
        assert not (files / f"out{end}" / "votes.jsonl").exists()
        run(files, panel(WORDS), who.model, f"out{end}")
        assert set(who.answered.values()) == {1}
        assert (files / f"out{end}" / "votes.jsonl").read_bytes() == whole


_KILLED = """
import asyncio, sys
import mmrole
from emotion.experts.panel import panel_of
from mmrole.llm import ScriptedModel

async def slow(request):
    with open("asked", "a") as file:
        file.write("x")
    await asyncio.sleep(0.1)
    return '{"label": "happy"}'

class Two(ScriptedModel):
    concurrency = 2

mmrole.recognize("dialogues.jsonl", panel=panel_of([dict(name="q", kind="llm", endpoint="q", streams=["all", "text"])]), out="out",
    models={"q": Two(slow)}, cache=False)
"""


def test_a_killed_run_goes_on_where_it_was(files, panel):
    panel = panel(rounds=1, streams=["all", "text"])
    model = ScriptedModel(lambda _: '{"label": "happy"}')
    recognize(files / "dialogues.jsonl", panel=panel, out=files / "whole", models={"q": model}, cache=False)
    root = Path(mmrole.__file__).parents[1]
    killed = subprocess.Popen([sys.executable, "-c", _KILLED], cwd=files, env={**os.environ, "PYTHONPATH": str(root)})
    journal = files / "out" / "replies" / "q.jsonl"
    until = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
        assert time.monotonic() < until
        assert killed.poll() is None
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    stored = journal.read_bytes().count(b"\n")
    asked = model.calls
    recognize(files / "dialogues.jsonl", panel=panel, out=files / "out", models={"q": model}, cache=False)
    assert model.calls - asked == 16 - stored
    assert (files / "out" / "votes.jsonl").read_bytes() == (files / "whole" / "votes.jsonl").read_bytes()


def test_the_order_in_which_replies_come_does_not_matter(files, panel, voter):
    who = voter()

    async def late(request):
        await asyncio.sleep(0.002 * (hash(request.messages[0].text) % 7))
        return who.answer(request)

    run(files, panel(WORDS), ScriptedModel(late, name="voter"), "late")
    one = voter()
    one.model.concurrency = 1
    run(files, panel(WORDS), one.model, "single")
    assert (files / "late" / "votes.jsonl").read_bytes() == (files / "single" / "votes.jsonl").read_bytes()


def test_responses_are_voted_on_in_place_of_the_clips(files, panel, voter, votes_of):
    who = voter()
    result = run(files, panel(WORDS, rounds=1), who.model, descriptions=None, responses=files / "responses.jsonl")
    votes = votes_of(files / "out")
    assert {vote["utterance_id"] for vote in votes} == {"d_1/0", "d_1/1"}
    # d_1/0: all, face, speech; d_1/1: all; and two texts for the lexicon
    assert (result.counts["done"], result.counts["skipped"]) == (6, 4)
    assert {"reason": "response_refusal", "responses": 1} in list(result.skipped)
    assert any("1 response has no utterance to vote on (1 refusal)" in note for note in result.notes)
    prompt = next(text[0] for text, _ in who.answered if "Words: more" in text[0])
    assert "Ann: good morning\nBo: hello\n" in prompt
    assert "I am angry" not in prompt


def test_only_refused_responses_leave_nothing_to_vote_on(files, panel, voter):
    lines = (files / "responses.jsonl").read_text("utf-8").splitlines()
    (files / "none.jsonl").write_text(lines[1] + "\n")
    result = run(files, panel(), voter().model, descriptions=None, responses=files / "none.jsonl")
    assert (result.counts["inputs"], result.votes.read_bytes()) == (0, b"")
    assert "there is nothing to vote on" in result.notes


def test_a_broken_endpoint_costs_its_own_votes_only(files, panel, voter, votes_of):
    other = {"name": "other", "kind": "llm", "endpoint": "o", "streams": ["all"]}
    broken = ScriptedModel(lambda _: QuotaError("nothing left"), name="voter")
    result = run(files, panel(other, WORDS), {"q": broken, "o": voter(name="other").model})
    first, second, third = result.experts
    assert (first.done, first.pending, first.stopped) == (0, 38, "nothing left")
    assert (second.done, third.done) == (8, 8)
    votes = votes_of(files / "out")
    assert {v["reason"] for v in votes if v["expert"] == "q" and v["status"] == "error"} == {"not asked: nothing left"}
    mended = run(files, panel(other, WORDS), {"q": voter().model, "o": voter(name="other").model})
    assert (mended.counts["failed"], mended.counts["reused"]) == (0, 16)


def test_when_nobody_can_be_asked_that_is_an_error(files, panel):
    with pytest.raises(ModelError, match="nothing left"):
        run(files, panel(), ScriptedModel(lambda _: QuotaError("nothing left")))
    assert (files / "out" / "manifest.json").exists()


def test_single_errors_are_tried_again(files, panel, voter, votes_of):
    who = voter()

    def shaky(request):
        if "body 1" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return who.answer(request)

    result = run(files, panel(), ScriptedModel(shaky, name="voter"))
    assert result.counts["failed"] == 4  # the streams all and body, two rounds each
    [vote] = [
        v for v in votes_of(files / "out") if v["status"] == "error" and v["round"] == 0 and v["stream"] == "body"
    ]
    assert (vote["utterance_id"], vote["stream"], vote["reason"]) == ("d_1", "body", "server_error: down")
    assert run(files, panel(), who.model).counts["failed"] == 0
    assert set(who.answered.values()) == {1}


def test_other_descriptions_are_asked_anew_and_old_replies_never_stand_for_them(files, panel, voter, votes_of):
    run(files, panel(), voter().model)
    path = files / "descriptions.jsonl"
    path.write_text(path.read_text("utf-8").replace("body 1", "body angry"))
    broken = ScriptedModel(lambda _: QuotaError("nothing left"), name="voter")
    result = run(files, panel(), broken)
    assert (result.counts["reused"], result.counts["pending"]) == (34, 4)  # all and body of one utterance, twice
    by = {(v["utterance_id"], v["stream"], v["round"]): v for v in votes_of(files / "out")}
    assert by["d_1", "body", 0]["status"] == "error"
    assert by["d_1", "speech", 0]["label"] == "relaxed"
    run(files, panel(), voter().model)
    by = {(v["utterance_id"], v["stream"], v["round"]): v for v in votes_of(files / "out")}
    assert by["d_1", "body", 0]["label"] == "anger"


def test_the_limit_on_cost_holds_for_all_experts_together(files, panel):
    prices = Prices(models={"m": {"input_per_million": 1e6, "output_per_million": 0.0}})

    def paid(_):
        usage = Usage(prompt_tokens=1, completion_tokens=1)
        return ChatReply(text='{"label": "happy"}', finish_reason="stop", usage=usage, spent=usage)

    other = {"name": "other", "kind": "llm", "endpoint": "q", "streams": ["all"], "rounds": 2, "seed": 1}
    model = ScriptedModel(paid, name="m")
    asked = panel(other, streams=["all"])
    estimate = estimate_recognize(
        files / "dialogues.jsonl", panel=asked, out=files / "out", models={"q": model}, prices=prices, cache=False
    )
    assert {name: each.calls for name, each in estimate.items()} == {"q": 16, "other": 16}
    assert model.calls == 0
    result = run(files, asked, model, descriptions=None, prices=prices, max_cost=1000.0)
    whole = result.spent.cost
    result = run(files, asked, model, "limited", descriptions=None, prices=prices, max_cost=0.0)
    assert (result.counts["done"], result.counts["pending"]) == (0, 32)
    assert all(each.money for each in result.experts)
    assert whole == 32


def test_a_limit_without_a_price_is_refused_before_anyone_is_asked(files, panel, voter):
    who = voter()
    with pytest.raises(UsageError, match="a cost limit needs the price of 'voter'"):
        run(files, panel(), who.model, max_cost=1.0)
    assert not who.answered


def test_two_experts_that_are_one_are_refused(files, panel, voter):
    twin = {"name": "twin", "kind": "llm", "endpoint": "q", "streams": ["face"]}
    with pytest.raises(UsageError, match="'q' and 'twin' do the same with the stream 'face'"):
        run(files, panel(twin), voter().model)
    assert (
        run(files, panel({**twin, "seed": 4}), voter().model, cache=ReplyCache(files / "cache")).counts["failed"] == 0
    )


@pytest.mark.parametrize(
    ("experts", "given", "message"),
    [
        ([{"name": "f", "kind": "facial-action"}], {}, "reads what was measured of clips: give the folder"),
        ([{"name": "f", "kind": "prosody"}], {"descriptions": None, "responses": "responses.jsonl"}, "it cannot vote on responses"),
        ([], {"descriptions": None}, "votes on face, body, speech, which it reads in words: give descriptions"),
        ([], {"responses": "responses.jsonl"}, "--descriptions is about the clips"),
        ([], {"history": -1}, "-1 lines"),
        ([{"name": "o", "kind": "llm", "endpoint": "nowhere"}], {"config": "none.toml"}, "none.toml is missing"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_together(files, panel, voter, experts, given, message):
    who = voter()
    given = {name: files / value if isinstance(value, str) else value for name, value in given.items()}
    with pytest.raises(UsageError, match=message):
        run(files, panel(*experts), who.model, **given)
    assert not who.answered
    assert not (files / "out").exists()


_FACE = {"utterance_id": "d_0", "modality": "face", "text": "x", "describer": "x"}
_RESPONSE = {
    "utterance_id": "d_2", "dialogue_id": "d", "role": "Bo", "condition": "none", "agent": "a", "status": "ok", "reason": None,
    "utterances": [{"text": "x"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("descriptions", "", "descriptions.jsonl: the file is empty"),
        ("descriptions", json.dumps(_FACE | {"text": " "}), "line 1: field text: .*blank"),
        ("descriptions", json.dumps(_FACE | {"text": 3}), "line 1: field text"),
        ("descriptions", json.dumps(_FACE | {"utterance_id": "zz"}), "no description is of an utterance"),
        ("descriptions", "not json", "line 1: no JSON object"),
        ("responses", '{"utterance_id": "d_1"}', "line 1: field"),
        ("responses", json.dumps(_RESPONSE), "no turn of the dialogues starts with that id"),
    ],
)
def test_broken_files_are_told_in_one_line(files, panel, voter, name, content, message):
    (files / f"{name}.jsonl").write_text(content)
    given = {"descriptions": None, name: files / f"{name}.jsonl"}
    with pytest.raises(InputError, match=message) as caught:
        run(files, panel(), voter().model, **given)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_is_for_one_run_and_for_one_kind_of_results(files, panel, voter):
    with RunLock(files / "out"), pytest.raises(LockedError):
        run(files, panel(), voter().model)
    (files / "out" / "manifest.json").write_text('{"command": "score"}')
    with pytest.raises(UsageError, match="holds the results of mmrole score"):
        run(files, panel(), voter().model)


def test_progress_covers_all_experts(files, panel, voter):
    seen = []
    run(files, panel(WORDS), voter().model, on_progress=seen.append)
    assert (seen[-1].finished, seen[-1].total) == (46, 46)
    assert [each.finished for each in seen] == sorted(each.finished for each in seen)


def test_the_language_is_that_of_the_dialogues(files, panel, voter):
    path = files / "dialogues.jsonl"
    path.write_text(
        path.read_text("utf-8").replace("good morning", "早上好").replace("hello", "你好").replace("bye", "再见")
    )
    who = voter()
    run(files, panel(), who.model)
    assert all(text[0].startswith("你是") for text, _ in who.answered)
    english = voter()
    run(files, panel(), english.model, "en", lang="en")
    assert all(text[0].startswith("You are") for text, _ in english.answered)


def test_mmrole_offers_it():
    assert mmrole.recognize is recognize


def test_an_agent_that_copies_the_truth_scores_one(world, panel, tmp_path, votes_of):
    truth = {u.utterance_id: u.emotion for d in world.dialogues for u in d.utterances}
    records = [
        {
            "utterance_id": turn.turn_id, "dialogue_id": d.dialogue_id, "role": turn.role, "condition": "none", "agent": "copy",
            "status": "ok", "reason": None, "utterances": [{"text": f"#{u.utterance_id}#"} for u in turn.utterances],
        }
        for d in world.dialogues
        for turn in d.turns[1:]
    ]  # fmt: skip
    (tmp_path / "responses.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))

    def knows(request):
        shown = request.messages[0].text.split("<utterance-")[1].split("</utterance-")[0]
        return json.dumps({"label": truth[shown.split("#")[1]]})

    recognize(
        world.path, panel=panel(streams=["all"]), out=tmp_path / "out", responses=tmp_path / "responses.jsonl",
        models={"q": ScriptedModel(knows)}, cache=False,
    )  # fmt: skip
    report = mmrole.score(world.dialogues, votes_of(tmp_path / "out"), bootstrap=0)
    scores = {(score.metric, score.part): score.value for score in report.scores}
    # by definition: what is predicted is what is true, and all votes agree
    assert (scores["mec", "lower"], scores["mec", "upper"], scores["ed", "all"]) == (1.0, 1.0, 0.0)


def test_a_folder_keeps_to_its_settings_experts_and_utterances(files, panel, voter):
    run(files, panel(WORDS), voter().model)
    before = (files / "out" / "votes.jsonl").read_bytes()
    refused = [
        ({"lang": "zh"}, "out holds votes with language en, not zh: choose another folder for --out"),
        ({"history": 2}, "with history 20, not 2"),
        ({"labels": "meld-7"}, "with labels cped-13, not meld-7"),
        (
            {"descriptions": None, "responses": files / "responses.jsonl"},
            r"with votes on clips, not responses of a \(none\)",
        ),
    ]
    for more, match in refused:
        with pytest.raises(UsageError, match=match):
            run(files, panel(WORDS), voter().model, **more)
        given = {"descriptions": files / "descriptions.jsonl", "cache": False, "models": {"q": voter().model}, **more}
        with pytest.raises(UsageError, match=match):
            estimate_recognize(files / "dialogues.jsonl", panel=panel(WORDS), out=files / "out", **given)
    with pytest.raises(UsageError, match="with the model of the endpoint of expert q voter, not other"):
        run(files, panel(WORDS), voter(name="other").model)
    with pytest.raises(UsageError, match="with the without_word of expert words abstain, not neutral"):
        run(files, panel({**WORDS, "without_word": "neutral"}), voter().model)
    other = files / "other.jsonl"
    other.write_text(
        (files / "dialogues.jsonl").read_text("utf-8").replace('"d_', '"x_').replace('"e_', '"y_'), "utf-8"
    )
    with pytest.raises(
        UsageError, match="holds votes of other utterances, such as 'd_0', which these dialogues do not"
    ):
        recognize(
            other, panel=panel(WORDS, streams=["all"]), out=files / "out", models={"q": voter().model}, cache=False
        )
    assert (files / "out" / "votes.jsonl").read_bytes() == before


def test_a_corrected_file_and_a_further_expert_go_on(files, panel, voter):
    run(files, panel(), voter().model)
    path = files / "dialogues.jsonl"
    path.write_text(path.read_text("utf-8").replace("bye", "good bye"), "utf-8")
    who = voter()
    result = run(files, panel(WORDS), who.model)
    # the last line of each of two dialogues, in the stream all, in two rounds; descriptions do not change
    assert who.answered.total() == 2 * 2
    assert [each.reused for each in result.experts] == [38 - 4, 0]


def test_responses_of_another_agent_or_condition_are_refused(files, panel, voter):
    path = files / "responses.jsonl"
    run(files, panel(), voter().model, descriptions=None, responses=path)
    again = voter()
    path.write_text(path.read_text("utf-8").replace("more", "more of it"), "utf-8")
    run(files, panel(), again.model, descriptions=None, responses=path)
    assert again.answered.total() == 2  # two rounds of the stream all of the second utterance, which has nothing else
    path.write_text(path.read_text("utf-8").replace('"none"', '"prof"'), "utf-8")
    with pytest.raises(UsageError, match=r"votes on responses of a \(none\), not responses of a \(prof\)"):
        run(files, panel(), voter().model, descriptions=None, responses=path)
