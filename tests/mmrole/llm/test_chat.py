from __future__ import annotations

import hashlib

import pytest

from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, Parameters, TextPart, assistant, system, user


def test_messages_are_made_of_texts_and_parts():
    image = ImagePart(data=b"jpeg", media_type="image/png")
    message = user("What is in it?", image, "Say one word.")
    assert message.parts == (TextPart(text="What is in it?"), image, TextPart(text="Say one word."))
    assert message.text == "What is in it?\nSay one word."
    assert [system("a").role, user("a").role, assistant("a").role] == ["system", "user", "assistant"]


def test_the_record_holds_hashes_in_place_of_bytes():
    parts = user(ImagePart(data=b"picture"), AudioPart(data=b"sound", format="mp3")).to_record()["parts"]
    assert parts == [
        {"type": "image", "media_type": "image/jpeg", "sha256": hashlib.sha256(b"picture").hexdigest()},
        {"type": "audio", "format": "mp3", "sha256": hashlib.sha256(b"sound").hexdigest()},
    ]


def test_bytes_are_not_in_the_repr():
    assert "secret" not in repr(user(ImagePart(data=b"secret"), AudioPart(data=b"secret")))


def test_parameters_of_a_request_go_before_the_defaults():
    defaults = Parameters(temperature=0.7, max_tokens=10, stop=("END",), extra={"a": 1, "b": 1})
    chosen = Parameters(temperature=0.0, seed=3, extra={"b": 2}).over(defaults)
    assert chosen == Parameters(temperature=0.0, max_tokens=10, seed=3, stop=("END",), extra={"a": 1, "b": 2})


@pytest.mark.parametrize("field", ["temperature", "top_p", "max_tokens", "seed"])
def test_zero_is_a_value_not_a_missing_one(field):
    chosen = Parameters(**{field: 0}).over(Parameters(**{field: 5}))
    assert getattr(chosen, field) == 0


def test_rounds_differ_in_nothing_but_their_number():
    first = ChatRequest(messages=(user("a"),))
    second = first.in_round(1)
    assert second.to_record() == {**first.to_record(), "round": 1}
    assert first.in_round(0) is first
