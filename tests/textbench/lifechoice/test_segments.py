import pytest

from mmrole.llm import ChatReply
from textbench.lifechoice.rounds import Answer
from textbench.lifechoice.segments import MOST_SEGMENTS, read_segments, segments_call, segments_of

DESCRIPTION = "Ann fears the sea, since her brother drowned. She loves maps. 她从不说谎，也不肯认输。"


def of(*segments):
    return segments_of(Answer(status="ok", value=list(segments)), DESCRIPTION)


def test_what_is_asked():
    call = segments_call(
        name="Ann", language="en", description=DESCRIPTION, scenario="A boat waits.", question="Does she board?"
    )
    text = call.request.messages[-1].text
    assert all(part in text for part in (DESCRIPTION, "A boat waits.", "Does she board?", "Ann has to make a decision"))
    again = segments_call(
        name="Ann", language="en", description=DESCRIPTION, scenario="A boat waits.", question="Does she board?"
    )
    assert call.item_id == again.item_id  # the same question is the same call, whoever asks it
    assert list(call.fields["prompts"]) == ["lifechoice/segments.en"]


@pytest.mark.parametrize(
    ("reply", "status", "value"),
    [
        ('{"segments": ["Ann fears the sea", " "]}', "ok", ["Ann fears the sea"]),
        ('```json\n{"segments": []}\n```', "ok", []),
        ("{“segments”：[“她从不说谎”]}", "ok", ["她从不说谎"]),
        ('{"parts": ["Ann"]}', "unparsed", None),
        ('{"segments": "Ann"}', "unparsed", None),
        ("I cannot help with that.", "refusal", None),
    ],
)
def test_replies(reply, status, value):
    found = read_segments(None, ChatReply(text=reply, finish_reason="stop"))
    assert (found.status.value, found.value) == (status, value)


def test_segments_are_of_the_description():
    assert of("she  LOVES maps", "Ann loves dogs and horses").texts == ("she  LOVES maps",)
    assert of("she  LOVES maps", "Ann loves dogs and horses").dropped == 1
    # a word put differently: 5 of 6 words are the description's
    assert of("Ann dreads the sea since drowned").reason is None
    assert of("她从不说谎").texts == ("她从不说谎",)


def test_what_makes_the_question_the_query():
    assert (of().texts, of().reason) == ((), "none_given")
    assert (of("A dragon").texts, of("A dragon").reason, of("A dragon").dropped) == ((), "not_in_description", 1)
    unread = segments_of(Answer(status="unparsed", reason="no json"), DESCRIPTION)
    assert (unread.texts, unread.reason, unread.again) == ((), "unparsed", False)
    failed = segments_of(Answer(status="error", reason="down"), DESCRIPTION)
    assert failed.again


def test_none_twice_and_not_too_many():
    found = of(*["She loves maps."] * 3, *(f"Ann fears the sea{'!' * n}" for n in range(20)))
    assert found.texts[:2] == ("She loves maps.", "Ann fears the sea")
    assert len(found.texts) <= MOST_SEGMENTS
