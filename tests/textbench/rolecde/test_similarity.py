import json
import math

import pytest

from mmrole.core.errors import UsageError
from textbench.rolecde.similarity import Pair, pair_similarities, similarity

pytest.importorskip("rouge_score", reason="needs the extra similarity")
pytest.importorskip("sacrebleu", reason="needs the extra similarity")

VALUE = "I protect the people who trust me before I protect the rules of the house"
FILLER = (
    "Thinking about this for a while , looking at it from here and from there , and taking a good deal of time over it as one "
    "should do , here is what then comes out : "
)  # 33 words


def pair(candidate, reference=VALUE, cluster="p1", item="p1/easy"):
    return Pair(item_id=item, cluster=cluster, candidate=candidate, reference=reference)


def values(candidate, reference=VALUE):
    return pair_similarities([pair(candidate, reference)])[0].values


@pytest.mark.parametrize("text", [VALUE, "我先保护信任我的人，再保护规矩", "好的", "道", "Two words"])
def test_a_text_is_at_the_maximum_of_everything_against_itself(text):
    found = values(text, text)
    assert found["bleu"] == 100.0
    assert {v for name, v in found.items() if name.endswith(("_f", "_recall"))} == {1.0}
    # one word or character has no pair for ROUGE-2: it is left out, not 0
    assert ("rouge2_f" in found) == (len(text) > 1)


def test_more_words_take_the_f_measures_down_and_leave_the_recall():
    alone, padded = values(VALUE), values(FILLER + VALUE)
    assert padded["rougeL_recall"] == alone["rougeL_recall"] == 1.0  # by hand: nothing of the reference is missing
    # by hand: the same 15 words among 15 + 33, so F = 2 * 15 / (15 + 48)
    assert padded["candidate_words"] - alone["candidate_words"] == 33
    assert padded["rouge1_f"] == pytest.approx(30 / 63, abs=1e-12)
    assert padded["bleu"] < 0.5 * alone["bleu"]
    scores = similarity([pair(FILLER + VALUE)])
    assert scores["bleu"].details["mean_candidate_words"] == 48
    assert scores["bleu"].details["mean_reference_words"] == 15


@pytest.mark.parametrize(
    ("candidate", "reference", "reason"),
    [
        (None, VALUE, "empty_reasoning"),
        ("", VALUE, "empty_reasoning"),
        (" \n\u3000", VALUE, "empty_reasoning"),
        ("text", "  ", "empty_reference"),
        ("?!。", VALUE, "no_words"),
    ],
)
def test_nothing_to_compare_is_null_with_a_reason_and_counted(candidate, reference, reason):
    scores = similarity([pair(candidate, reference)], bootstrap=10)
    assert {score.value for score in scores.values()} == {None}
    assert {score.reason for score in scores.values()} == {"no_pairs"}
    assert scores["bleu"].excluded == {reason: 1}
    both = similarity([pair(candidate, reference), pair(VALUE, cluster="p2", item="p2/easy")])
    assert (both["rougeL_f"].value, both["rougeL_f"].n, both["rougeL_f"].excluded) == (1.0, 1, {reason: 1})


def test_no_pairs_at_all_is_null():
    assert similarity([])["bleu"].reason == "no_pairs"


def test_the_mean_is_over_pairs_and_whole_personas_are_drawn():
    pairs = [pair(VALUE, item="a"), pair("nothing alike", item="b"), pair("nothing alike", cluster="p2", item="c")]
    score = similarity(pairs, bootstrap=2000)["rouge1_f"]
    assert score.value == pytest.approx(1 / 3)
    assert score.ci is not None
    # by hand: of the draws of two personas, p1 twice gives 1/2, p2 twice gives 0, each in a quarter of the draws
    assert score.ci == pytest.approx((0.0, 0.5))


def test_an_interval_needs_two_personas_that_differ():
    """One persona with a value among others without any, or personas that are all alike, would look certain."""
    others = [pair("", cluster=f"p{n}", item=f"p{n}") for n in range(2, 6)]
    alike = [pair(VALUE, cluster=f"p{n}", item=f"p{n}") for n in range(3)]
    for pairs, n in (([pair(VALUE), pair("nothing alike"), *others], 2), (alike, 3)):
        score = similarity(pairs, bootstrap=100)["rouge1_f"]
        assert (score.n, score.ci) == (n, None)


def test_chinese_and_english_have_their_own_tokenizer_and_the_definition_says_so():
    scores = similarity([pair(VALUE), pair("我先保护信任我的人", "我先保护信任我的人", item="z")])
    assert "tok:13a" in scores["bleu"].definition
    assert "tok:zh" in scores["bleu"].definition
    assert scores["bleu"].details["languages"] == {"en": 1, "zh": 1}


@pytest.mark.parametrize("candidate", [["a", "list"], 3, {"text": "x"}])
def test_something_else_than_a_text_is_refused(candidate):
    with pytest.raises(UsageError, match="two texts"):
        similarity([Pair(item_id="x", cluster="p", candidate=candidate, reference=VALUE)])


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="language 'fr'"):
        pair_similarities([Pair(item_id="x", cluster="p", candidate="x", reference="y", language="fr")])


def test_records_are_json_without_nan():
    for one in pair_similarities([pair(VALUE), pair(None)]):
        assert json.loads(json.dumps(one.to_record(), allow_nan=False))["persona"] == "p1"
        assert all(math.isfinite(value) for value in one.values.values())
