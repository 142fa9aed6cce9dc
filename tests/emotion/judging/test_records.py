import pytest

from emotion.judgements import judgement_of
from emotion.judging import judgement_record, samples_of
from emotion.metrics.rc import judgement_score


def sample(scene, **fields):
    (found,) = samples_of([scene.response(**fields)], [scene.dialogue], scene.roles, scene.previous)
    return found


def stored(supporting=(), contradicting=(), status="ok", reason=None, **value):
    pieces = [
        [{"quote": quote, "strength": s, "reason": "r"} for quote, s in side] for side in (supporting, contradicting)
    ]
    value = {"supporting": pieces[0], "contradicting": pieces[1], **value} if status == "ok" else None
    return {"status": status, "reason": reason, "value": value, "prompts": {"p": "sha"}, "request": "hash"}


@pytest.mark.parametrize(
    ("quote", "aspect", "source", "verified"),
    [
        ("I sailed", "exp", "response", True),
        ("frowns", "exp", "response", True),
        ("Bo sailed north", "exp", "previous", True),
        ("Bo sailed north", "cha", None, False),  # cha is judged against the profile only
        ("Went to sea as a boy.", "rel", "profile", True),  # white space is folded
        ("ＷＥＮＴ ＴＯ ＳＥＡ", "exp", None, False),  # letters are not
        ("Ｗent to sea", "exp", "profile", True),  # NFKC
        ("Where were you?", "exp", "dialogue", False),  # not evidence of the response, nor of the role
        ("He was in prison", "exp", None, False),
        ("north. frowns", "exp", None, False),  # a quote does not reach from one text into the next
        (".", "exp", None, False),
        ("", "exp", None, False),
    ],
)
def test_quotes_are_looked_for(scene, quote, aspect, source, verified):
    record = judgement_record(sample(scene), aspect, "j", "evidence", stored([(quote, 2)]))
    (piece,) = record["supporting"]
    assert (piece["source"], piece["verified"]) == (source, verified)
    assert judgement_score(judgement_of(record, 0)) == ((5, None) if verified else (None, "no_evidence"))


def test_a_judge_that_invents_quotes(scene):
    record = judgement_record(
        sample(scene), "exp", "j", "evidence", stored([("He was king.", 2)], [("I sailed north", 1)])
    )
    judgement = judgement_of(record, 0)
    # the invented quote does not count, and is recorded: what is left contradicts
    assert judgement_score(judgement) == (1, None)
    assert judgement_score(judgement, "graded") == (2, None)
    assert [piece["verified"] for piece in record["supporting"]] == [False]


def test_what_a_judge_gives_no_weight_is_on_no_side(scene):
    record = judgement_record(sample(scene), "exp", "j", "evidence", stored([("I sailed", 0)], [("frowns", 1)]))
    assert (record["supporting"], [piece["quote"] for piece in record["contradicting"]]) == ([], ["frowns"])
    assert [(piece["quote"], piece["side"]) for piece in record["weightless"]] == [("I sailed", "supporting")]


def test_replies_that_could_not_be_read(scene):
    record = judgement_record(sample(scene), "rel", "j", "evidence", stored(status="unparsed", reason="no JSON"))
    assert (record["reason"], record["detail"], record["supporting"]) == ("unparsed", "no JSON", [])
    assert judgement_score(judgement_of(record, 0)) == (None, "unparsed")


def test_samples_that_were_not_judged(scene):
    silent = judgement_record(sample(scene, said=(), reason="the model declined"), "exp", "j", "evidence", None)
    assert (silent["reason"], silent["detail"]) == ("no_response", "refusal: the model declined")
    (nobody,) = samples_of([scene.response()], [scene.dialogue], {}, scene.previous)
    record = judgement_record(nobody, "exp", "j", "evidence", None)
    assert (record["reason"], record["material"], record["prompts"], record["request"]) == (
        "no_profile",
        [],
        None,
        None,
    )


def test_ratings(scene):
    value = {"explanation": "e", "rating": 4, "code": "c"}
    record = judgement_record(sample(scene), "exp", "j", "subjective", {**stored(), "value": value})
    assert (record["rating"], record["explanation"], record["method"]) == (4, "e", "subjective")
    assert judgement_score(judgement_of(record, 0), "subjective") == (4, None)
    assert judgement_score(judgement_of(record, 0), "evidence") == (None, "other_method")


def test_what_a_record_says_beside(scene):
    record = judgement_record(sample(scene), "exp", "j", "evidence", stored())
    assert record | {
        "utterance_id": "d_1", "dialogue_id": "d", "role": "Bo", "condition": "all", "agent": "a", "show": "Harbour", "episode": "3",
        "aspect": "exp", "judge": "j", "material": ["previous", "profile"], "prompts": {"p": "sha"}, "request": "hash",
    } == record  # fmt: skip
