from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, Parameters, system, user
from mmrole.llm.outcome import Outcome, Usage
from mmrole.llm.wire import NoReplyError, StreamedReply, error_fields, read_reply, read_usage, request_body, whole_text


def body_of(*messages, **parameters):
    request = ChatRequest(messages=messages, parameters=Parameters(**parameters))
    return request_body(request, model="m", defaults=Parameters())


def answer(content="happy", finish="stop", **more):
    return {"choices": [{"message": {"content": content}, "finish_reason": finish}], **more}


def test_text_is_sent_as_plain_strings_and_nothing_unset_is_sent():
    assert body_of(system("Be brief."), user("Hello")) == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
    }


def test_pictures_and_sound_are_sent_in_the_form_of_the_api():
    content = body_of(user("What?", ImagePart(data=b"\xff\xd8"), AudioPart(data=b"RIFF")))["messages"][0]["content"]
    assert content == [
        {"type": "text", "text": "What?"},
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + base64.b64encode(b"\xff\xd8").decode()}},
        {"type": "input_audio", "input_audio": {"data": base64.b64encode(b"RIFF").decode(), "format": "wav"}},
    ]


def test_every_parameter_is_sent():
    body = body_of(
        user("x"),
        temperature=0.0,
        top_p=0.9,
        max_tokens=5,
        seed=0,
        stop=("a", "b"),
        response_format={"type": "json_object"},
        extra={"top_k": 3},
    )
    del body["model"], body["messages"]
    assert body == {
        "temperature": 0.0,
        "top_p": 0.9,
        "max_tokens": 5,
        "seed": 0,
        "stop": ["a", "b"],
        "response_format": {"type": "json_object"},
        "top_k": 3,
    }


def test_the_limit_can_have_its_newer_name():
    request = ChatRequest(messages=(user("x"),))
    body = request_body(request, model="m", defaults=Parameters(max_tokens=7), max_tokens_name="max_completion_tokens")
    assert (body["max_completion_tokens"], "max_tokens" in body) == (7, False)


def test_each_round_has_its_own_seed():
    request = ChatRequest(messages=(user("x"),), parameters=Parameters(seed=5))
    seeds = [request_body(request.in_round(n), model="m", defaults=Parameters())["seed"] for n in range(3)]
    assert seeds == [5, 6, 7]


def test_a_reply_is_read():
    reply = read_reply(answer(model="m-1", usage={"prompt_tokens": 3, "completion_tokens": 1}))
    assert (reply.text, reply.finish_reason, reply.model) == ("happy", "stop", "m-1")
    assert reply.usage == Usage(prompt_tokens=3, completion_tokens=1)


def test_content_may_be_a_list_of_parts():
    assert read_reply(answer([{"type": "text", "text": "ha"}, {"type": "x"}, {"text": "ppy"}])).text == "happy"


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("stop", Outcome.STOP),
        ("STOP", Outcome.STOP),
        ("eos", Outcome.STOP),
        ("end_turn", Outcome.STOP),
        (None, Outcome.STOP),
        ("", Outcome.STOP),
        ("length", Outcome.LENGTH),
        ("MAX_TOKENS", Outcome.LENGTH),
        ("content_filter", Outcome.CONTENT_FILTER),
        ("sensitive", Outcome.CONTENT_FILTER),
        ("SAFETY", Outcome.CONTENT_FILTER),
        ("tool_calls", Outcome.TOOL_CALLS),
        ("function_call", Outcome.TOOL_CALLS),
    ],
)
def test_finish_reasons_of_many_servers_are_known(reason, outcome):
    assert read_reply(answer(finish=reason)).outcome is outcome


@pytest.mark.parametrize("reason", ["abort", "error", "network_error", "insufficient_system_resource", 3])
def test_a_reply_that_did_not_end_is_none(reason):
    with pytest.raises(NoReplyError) as caught:
        read_reply(answer(finish=reason))
    assert caught.value.broken_off


@pytest.mark.parametrize(
    "body",
    [
        None, [], "text", 3, {}, {"choices": None}, {"choices": []}, {"choices": [None]}, {"choices": "abc"},
        {"choices": [{"finish_reason": "stop"}]}, {"choices": [{"message": None}]}, {"error": {"message": "x"}}, {"error": "x"},
        {"choices": [{"error": {"code": 502}, "message": {"content": "sad"}}]},
    ],
)  # fmt: skip
def test_a_body_without_a_reply_is_none(body):
    with pytest.raises(NoReplyError):
        read_reply(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "usage", "finish_reason", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_body_breaks_the_reader(body):
    try:
        reply = read_reply(body)
    except NoReplyError:
        return
    assert reply.text is None or isinstance(reply.text, str)


@given(JSON)
def test_no_error_body_breaks_the_reader(body):
    code, kind, message, status = error_fields(body)
    assert all(isinstance(value, str) for value in (code, kind, message))
    assert status is None or 400 <= status < 600


@pytest.mark.parametrize(
    "usage",
    [None, {}, "x", {"prompt_tokens": 1}, {"prompt_tokens": None, "completion_tokens": 1},
     {"prompt_tokens": -1, "completion_tokens": 1}, {"prompt_tokens": True, "completion_tokens": 1},
     {"prompt_tokens": 1.5, "completion_tokens": 1}],
)  # fmt: skip
def test_missing_or_senseless_usage_is_none(usage):
    assert read_usage(usage) is None
    assert read_reply(answer(usage=usage)).usage is None


def chunk(text, finish=None):
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}]}


def test_a_stream_is_put_together():
    reply = StreamedReply()
    for piece in (
        chunk("ha"),
        chunk("ppy"),
        chunk(None, "stop"),
        {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}},
    ):
        reply.add(piece)
    whole = reply.end()
    assert (whole.text, whole.finish_reason, whole.usage.completion_tokens) == ("happy", "stop", 2)


def test_an_emoji_split_between_two_pieces_is_whole_again():
    reply = StreamedReply()
    for piece in (chunk("\ud83d"), chunk("\ude00", "stop")):
        reply.add(piece)
    assert reply.end().text == "\U0001f600"


def test_a_stream_without_an_end_is_no_reply():
    reply = StreamedReply()
    reply.add(chunk("hap"))
    with pytest.raises(NoReplyError, match="after 3 characters"):
        reply.end()


@pytest.mark.parametrize("piece", [{"error": {"message": "died"}}, [1], "x"])
def test_an_error_in_a_stream_is_no_reply(piece):
    with pytest.raises(NoReplyError):
        StreamedReply().add(piece)


def test_half_a_surrogate_pair_becomes_a_character_that_files_can_hold():
    assert read_reply(answer("ok \ud83d")).text == "ok \ufffd"
    assert whole_text("高兴 \U0001f600") == "高兴 \U0001f600"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"error": {"code": 429, "message": "slow"}}, ("429", "", "slow", 429)),
        ({"error": {"code": "503", "type": "t"}}, ("503", "t", "", 503)),
        ({"error": "text"}, ("", "", "text", None)),
        ({"message": "m", "code": "c"}, ("c", "", "m", None)),
        ({"detail": "Not Found"}, ("", "", "Not Found", None)),
        ({"error": {"code": "x", "innererror": {"code": "Policy"}}}, ("x Policy", "", "", None)),
        ("page", ("", "", "page", None)),
        (None, ("", "", "", None)),
    ],
)
def test_errors_are_read_in_all_their_forms(body, fields):
    assert error_fields(body) == fields
