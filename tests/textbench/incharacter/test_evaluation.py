import pytest

from mmrole.core.errors import UsageError
from textbench.incharacter.evaluation import Choosing, answer_problems, evaluate

QUICK = Choosing(bootstrap=0)


def rating(character, run, choices, method="OC"):
    sources = {"parsed": 0, "converted": 6, "refused": 0, "missing": 0, "unread": 0}
    return {"character": character, "scale": "Tiny", "method": method, "run": run, "regenerations": 1, "sources": sources,
            "choices": dict(zip("123456", choices, strict=True))}  # fmt: skip


@pytest.fixture
def plan(make):
    return make.plan(runs=2, characters=[make.ann(), make.wang(), make.roleless("en")])


RATINGS = [
    rating("ann", 0, [5, 1, 4, 5, 1, 2]),  # Warmth (5 + 5 + 4) / 3 = 14/3, Order (1 + 1 + 2) / 3 = 4/3
    rating("ann", 1, [5, 1, 4, 1, 5, 5]),  # the same, Order (5 + 5 + 5) / 3 = 5
    rating("wang", 0, [1, 5, 1, 3, 3, 3]),  # Warmth 1, Order 3
    rating("wang", 1, [1, 5, 1, "x", 666, 3]),
    rating("roleless-en", 0, [3, 3, 3, 3, 3, 3]),
]


def test_alignment_by_hand(plan):
    found = evaluate(plan, RATINGS, {"annotation": plan.labels()}, choosing=QUICK)
    scores = found.results["OC"]["Tiny"]
    # ann Warmth H and H; Order L: right in run 0 only; wang Warmth L; Order masked: (3/3 + 2/3) / 2
    assert scores["acc_dim"].value == pytest.approx(5 / 6)
    # errors: 2/3, 2/3, 1 of range 4 in run 0; 2/3, 3, 1 in run 1
    assert scores["mae"].value == pytest.approx(((2 / 3 + 2 / 3 + 1) / 12 + (2 / 3 + 3 + 1) / 12) / 2)
    assert scores["acc_full"].value == pytest.approx((2 / 2 + 1 / 2) / 2)
    assert {"std_item", "std_dim", "std_score", "distinctiveness"} <= set(scores)


def test_the_bare_model_is_measured_and_kept_out_of_the_scores(plan):
    found = evaluate(plan, RATINGS, {"annotation": plan.labels()}, choosing=QUICK)
    assert found.measured["Tiny"]["OC"]["roleless-en"] == {"Warmth": [3, None], "Order": [3, None]}
    # std over ann and wang alone: Warmth |14/3 - 1| / 2 in both runs; Order |4/3 - 3| / 2, |5 - 3| / 2
    assert found.results["OC"]["Tiny"]["distinctiveness"].value == pytest.approx(
        ((11 / 6 + 5 / 6) / 2 + (11 / 6 + 1) / 2) / 2
    )


def test_counts(plan):
    counts = {each["character"]: each for each in evaluate(plan, RATINGS, {}, choosing=QUICK).counts}
    wang = counts["wang"]
    assert (wang["answered"], wang["refused"], wang["invalid"], wang["missing"], wang["unread"]) == (10, 1, 1, 0, 0)
    assert wang["options"] == {"1": 4, "2": 0, "3": 4, "4": 0, "5": 2}
    assert (wang["regenerations"], wang["runs"], wang["runs_missing"], wang["sources"]["converted"]) == (2, 2, 0, 12)
    assert counts["roleless-en"]["runs_missing"] == 1


def test_breakdowns(plan):
    parts = evaluate(plan, RATINGS, {"annotation": plan.labels()}, choosing=QUICK).parts
    assert parts["OC", "Tiny", "language"]["zh"]["acc_dim"].value == 1.0
    assert parts["OC", "Tiny", "dimension"]["Order"]["acc_dim"].value == 0.5
    assert set(parts["OC", "Tiny", "source"]) == {"A", "B"}


def test_without_labels_there_is_no_alignment(plan):
    found = evaluate(plan, RATINGS, {}, choosing=QUICK)
    assert "acc_dim" not in found.results["OC"]["Tiny"]
    assert found.parts == {}
    assert "Std_Item" in found.table().to_markdown()


def test_every_score_is_a_record(plan):
    records = evaluate(plan, RATINGS, {"annotation": plan.labels()}, choosing=QUICK).score_records()
    assert {(r["metric"], r["method"], r["scale"]) for r in records if "by" not in r} >= {("acc_dim", "OC", "Tiny")}
    assert {r["by"] for r in records if "by" in r} == {"dimension", "language", "source"}


def test_labels_that_do_not_fit(plan):
    with pytest.raises(UsageError, match="the labels hold nothing for Tiny"):
        evaluate(plan, RATINGS, {"pdb": {"ann": {"BFI": {}}}}, choosing=QUICK)
    with pytest.raises(UsageError, match="there is no dimension 'Lying' to turn round"):
        evaluate(plan, RATINGS, {}, choosing=Choosing(mirror=("Lying",)))
    with pytest.raises(UsageError, match="there are no labels from 'pdb'"):
        evaluate(plan, RATINGS, {"annotation": plan.labels()}, choosing=Choosing(types="pdb", bootstrap=0))


def test_expert_ratings_are_counted(make):
    plan = make.plan(methods=("ER_batch",), characters=[make.ann()])
    record = {"character": "ann", "scale": "Tiny", "method": "ER_batch", "run": 0, "regenerations": 3,
              "batches": {"Warmth": [[["1", "2", "3"], 4]], "Order": [[["4"], None], [["5"], "x"], [["6"], 9]]}}  # fmt: skip
    found = evaluate(plan, [record], {}, choosing=QUICK)
    assert found.counts == [
        {"character": "ann", "scale": "Tiny", "method": "ER_batch", "answered": 1, "refused": 1, "unread": 1, "invalid": 1, "runs": 1,
         "runs_missing": 0, "regenerations": 3}
    ]  # fmt: skip
    assert found.measured["Tiny"]["ER_batch"] == {"ann": {"Warmth": [4], "Order": [None]}}


def test_problems_are_counted_per_character(make):
    plan = make.plan(characters=[make.ann()])
    says = {"1": "As an AI I cannot say.", "2": "I sail out again. " * 4, "3": "我喜欢大海和风浪。"}
    records = make.answers(plan, lambda c, s, item, r: says.get(item, "I am Ann."))
    records[3]["status"] = "truncated"
    records[4] |= {"status": "refusal", "replies": [{"text": None}]}
    records[5] |= {"status": "error", "replies": []}
    assert answer_problems(plan, records) == [
        {"character": "ann", "answers": 5, "several_languages": 0, "other_language": 1, "no_immersion": 1, "repetition": 1,
         "truncated": 1, "refusal": 1}
    ]  # fmt: skip


def test_ids_that_a_reply_lacked_and_items_that_were_not_read_are_counted_apart(make):
    plan = make.plan(characters=[make.ann()])
    record = rating("ann", 0, [5, 1, "x", 5, 1, 2])
    del record["choices"]["6"]
    record |= {"unread": ["6"], "sources": {"parsed": 0, "converted": 4, "refused": 0, "missing": 1, "unread": 1}}
    [counts] = evaluate(plan, [record], {}, choosing=QUICK).counts
    assert [counts[kind] for kind in ("answered", "refused", "missing", "unread", "invalid")] == [4, 0, 1, 1, 0]
