import pytest

from emotion.judgements import Judgement, is_quoted_from, judgement_of
from mmrole.core.errors import InputError


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("she baked bread", True),
        ("She  baked\n bread", True),
        ("ｂａｋｅｄ", True),  # full-width letters
        ("baked cake", False),
        ("", False),
        ("  ", False),
    ],
)
def test_quotes(quote, found):
    assert is_quoted_from(quote, ["Then she\u3000baked bread. She baked bread", "other"]) == found


def test_records():
    record = {
        "utterance_id": "u", "aspect": "exp", "judge": "j",
        "supporting": [{"quote": "x", "strength": 2}], "contradicting": [{"quote": "y", "verified": False}],
    }  # fmt: skip
    judgement = judgement_of(record, 0)
    assert judgement.supporting[0].strength == 2
    assert not judgement.contradicting[0].verified
    assert judgement_of(judgement, 0) is judgement


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"utterance_id": "u", "aspect": "exp"}, "judgement 4: field judge: field required"),
        ({"utterance_id": "u", "aspect": "xx", "judge": "j"}, "field aspect"),
        (
            {"utterance_id": "u", "aspect": "rel", "judge": "j", "supporting": [{"quote": "a", "strength": 3}]},
            "strength",
        ),
    ],
)
def test_broken_records(record, message):
    with pytest.raises(InputError, match=message):
        judgement_of(record, 3)
    assert Judgement(utterance_id="u", aspect="exp", judge="j").supporting == ()


def test_a_quote_without_a_letter_quotes_nothing():
    assert not is_quoted_from("...", ["and then..."])
    assert is_quoted_from("3", ["chapter 3"])


def test_method_and_episode_are_read():
    record = {"utterance_id": "u", "aspect": "exp", "judge": "j", "method": "subjective", "show": "S", "episode": "3"}
    judgement = judgement_of(record, 0)
    assert (judgement.method, judgement.show, judgement.episode) == ("subjective", "S", "3")
    with pytest.raises(InputError, match=r"field episode: input should be a valid string, got 3"):
        judgement_of(record | {"episode": 3}, 0)
    with pytest.raises(InputError, match=r"field method"):
        judgement_of(record | {"method": "guess"}, 0)
