import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.incharacter.alignment_metrics import alignment, mean_over_runs
from textbench.incharacter.labels import mirrored


def label(score, kind):
    return {"score": score, "type": kind}


SCORES = {
    "Ann": {"Extraversion": [4.0, 3.0], "Openness": [2.0, 5.0]},
    "Bob": {"Extraversion": [1.0, 1.0], "Openness": [5.0, 5.0]},
    "Cid": {"Extraversion": [5.0, 5.0], "Openness": [5.0, 5.0]},
}
PDB = {
    "Ann": {"BFI": {"Extraversion": label(4.6, "H"), "Openness": label(1.0, "L")}},
    "Bob": {"BFI": {"Extraversion": label(1.0, "L"), "Openness": label("X", "X")}},
    "Cid": {"BFI": {"Extraversion": label(3.0, "X"), "Openness": label("X", "X")}},
}
LABELS = {"pdb": PDB}
SAME = {"types": "pdb", "values": "pdb", "mask": "pdb"}


def of_pdb(scores=SCORES, labels=LABELS, **options):
    return alignment(scores, labels, "BFI", **{**SAME, **options})


def test_two_runs_by_hand():
    got = of_pdb()
    # run 0: Ann right right, Bob right; run 1: Ann wrong (a tie is low) and wrong, Bob right
    assert got["acc_dim"].value == pytest.approx((3 / 3 + 1 / 3) / 2)
    assert got["acc_full"].value == pytest.approx((2 / 2 + 1 / 2) / 2)
    assert got["mae"].value == pytest.approx(
        ((0.15 + 0.25 + 0) / 3 + (0.4 + 1 + 0) / 3) / 2
    )  # errors over the range of 4
    assert got["mse"].value == pytest.approx(((0.15**2 + 0.25**2) / 3 + (0.4**2 + 1) / 3) / 2)


def test_what_is_left_out_is_counted():
    got = of_pdb()
    assert (got["acc_dim"].n, got["acc_dim"].excluded) == (
        3,
        {"masked": 3, "no_label": 0, "not_measured": 0, "no_label_type": 0, "label_x": 0},
    )
    assert (got["acc_full"].n, got["acc_full"].excluded) == (2, {"all_masked": 1, "incomplete": 0})
    assert got["acc_dim"].details["runs"] == [1.0, pytest.approx(1 / 3)]
    assert got["acc_dim"].details["pairs"] == [3, 3]


def test_wholly_masked_characters_are_undefined():
    got = of_pdb({"Cid": SCORES["Cid"]})
    assert {name: (score.value, score.reason) for name, score in got.items()} == {
        "acc_dim": (None, "no_pairs"), "acc_full": (None, "all_masked"), "mae": (None, "no_pairs"), "mse": (None, "no_pairs"),
    }  # fmt: skip


def test_values_of_one_source_under_the_mask_of_another():
    labels = {
        "pdb": PDB,
        "annotation": {"Ann": {"BFI": {"Extraversion": label(2.0, "L"), "Openness": label("X", "X")}}},
    }
    got = alignment({"Ann": {"Extraversion": [4.0], "Openness": [2.0]}}, labels)
    assert got["acc_dim"].value == 1.0  # PDb types
    assert got["mae"].value == pytest.approx(0.5)  # |4 - 2| / 4 with the annotators' score
    assert (got["mae"].n, got["mae"].excluded["no_label_score"]) == (1, 1)


def test_an_unmasked_x_is_wrong_as_published_or_excluded():
    labels = {
        "pdb": PDB,
        "annotation": {"Ann": {"BFI": {"Extraversion": label(4.5, "H"), "Openness": label(3.0, "X")}}},
    }
    options = {"types": "annotation", "values": "annotation", "mask": "pdb"}
    scores = {"Ann": {"Extraversion": [4.0], "Openness": [1.0]}}
    assert alignment(scores, labels, **options)["acc_dim"].value == 0.5
    left_out = alignment(scores, labels, **options, unmasked_x="excluded")
    assert (left_out["acc_dim"].value, left_out["acc_dim"].excluded["label_x"]) == (1.0, 1)
    assert left_out["acc_full"].value == 1.0


def test_a_tie_is_low_and_a_hair_above_is_high():
    labels = {"pdb": {"Ann": {"EPQ-R": {"Lying": label(0.9, "H")}}}}
    above = alignment({"Ann": {"Lying": [0.5000000000000001]}}, labels, "EPQ-R", **SAME)
    at = alignment({"Ann": {"Lying": [0.5]}}, labels, "EPQ-R", **SAME)
    assert (above["acc_dim"].value, at["acc_dim"].value) == (1.0, 0.0)


def test_mirror_is_the_same_as_mirrored_labels():
    labels = {"annotation": {"Ann": {"EPQ-R": {"Lying": label(0.9, "H"), "Neuroticism": label(0.8, "H")}}}}
    scores = {"Ann": {"Lying": [0.2], "Neuroticism": [0.7]}}
    options = {"types": "annotation", "values": "annotation", "mask": "annotation"}
    turned = alignment(scores, labels, "EPQ-R", **options, mirror=["Lying"])
    by_hand = alignment(scores, mirrored(labels, "EPQ-R", ["Lying"]), "EPQ-R", **options)
    assert turned["acc_dim"].value == by_hand["acc_dim"].value == 1.0
    assert turned["mae"].value == pytest.approx(by_hand["mae"].value) == pytest.approx((0.1 + 0.1) / 2)
    assert "mirror=Lying" in turned["mae"].definition


def test_scores_outside_the_range_are_counted_and_kept_or_excluded():
    labels = {"pdb": {"Ann": {"BFI": {"Openness": label(5.0, "H"), "Neuroticism": label(1.0, "L")}}}}
    scores = {"Ann": {"Openness": [6.0], "Neuroticism": [1.0]}}
    kept, left_out = of_pdb(scores, labels), of_pdb(scores, labels, out_of_range="excluded")
    assert (kept["mae"].value, kept["mae"].n, kept["mae"].details["out_of_range"]) == (pytest.approx(0.125), 2, 1)
    assert (left_out["mae"].value, left_out["mae"].n, left_out["mae"].details["out_of_range"]) == (0.0, 1, 1)
    assert left_out["acc_full"].reason == "incomplete"


def test_unmeasured_dimensions_are_counted_and_leave_acc_full():
    scores = {"Ann": {"Extraversion": [4.0, None]}, "Bob": {"Extraversion": [1.0, 1.0]}}
    got = of_pdb(scores)
    assert got["acc_dim"].excluded["not_measured"] == 1  # Ann's Openness
    assert got["acc_dim"].details["pairs"] == [2, 1]
    assert (got["acc_full"].value, got["acc_full"].n, got["acc_full"].excluded["incomplete"]) == (1.0, 1, 1)


def test_a_character_without_labels_is_counted():
    got = of_pdb({**SCORES, "Dan": {"Openness": [3.0]}})
    assert (got["acc_dim"].n, got["acc_dim"].excluded["no_label"]) == (3, 1)
    assert got["acc_full"].n == 2


def test_runs_of_different_number_are_averaged_where_they_are():
    got = of_pdb({"Ann": {"Extraversion": [4.0], "Openness": [5.0]}, "Bob": {"Extraversion": [1.0, 5.0]}})
    # run 0: Ann right and wrong, Bob right; run 1: Bob wrong
    assert got["acc_dim"].value == pytest.approx((2 / 3 + 0) / 2)


@given(shape=st.tuples(st.integers(1, 6), st.integers(1, 4)), data=st.data())
def test_against_a_plain_loop(shape, data):
    characters, runs = shape
    names = ["Extraversion", "Openness", "Neuroticism"]
    number, kind = st.integers(1, 5).map(float), st.sampled_from("HLX")
    scores = {str(c): {d: [data.draw(number) for _ in range(runs)] for d in names} for c in range(characters)}
    gold = {str(c): {"BFI": {d: label(data.draw(number), data.draw(kind)) for d in names}} for c in range(characters)}
    got = of_pdb(scores, {"pdb": gold})
    values = {"acc_dim": [], "acc_full": [], "mae": [], "mse": []}
    for run in range(runs):
        hits, full, errors = [], [], []
        for c, dimensions in scores.items():
            own = []
            for d, of_runs in dimensions.items():
                if gold[c]["BFI"][d]["type"] != "X":
                    own.append(("H" if of_runs[run] > 3 else "L") == gold[c]["BFI"][d]["type"])
                    errors.append((of_runs[run] - gold[c]["BFI"][d]["score"]) / 4)
            hits += own
            full += [all(own)] if own else []
        if hits:
            values["acc_dim"].append(np.mean(hits))
            values["acc_full"].append(np.mean(full))
            values["mae"].append(np.mean(np.abs(errors)))
            values["mse"].append(np.mean(np.square(errors)))
    for name, of_runs in values.items():
        assert got[name].value == (pytest.approx(np.mean(of_runs), abs=1e-12) if of_runs else None)


def test_the_interval_is_of_characters():
    gold = {str(c): {"BFI": {"Openness": label(5.0, "H")}} for c in range(20)}
    scores = {str(c): {"Openness": [5.0 if c % 2 else 1.0]} for c in range(20)}
    got = of_pdb(scores, {"pdb": gold}, bootstrap=500, seed=3)["acc_dim"]
    # standard error of a share of 0.5 over 20 characters: 0.112; the interval is about four of them wide
    assert got.ci[1] - got.ci[0] == pytest.approx(3.92 * 0.112, abs=0.1)


def test_a_run_without_anything_is_left_out_of_the_mean():
    np.testing.assert_allclose(mean_over_runs(np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0]])), [0.5, np.nan])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"types": "annotation"}, "there are no labels from 'annotation'; there are pdb"),
        ({"unmasked_x": "right"}, "unmasked_x is one of wrong, excluded, not 'right'"),
        ({"out_of_range": "clipped"}, "out_of_range is one of kept, excluded, not 'clipped'"),
        ({"mirror": ["Lying"]}, "BFI has no dimension 'Lying'"),
    ],
)
def test_errors(options, message):
    with pytest.raises(UsageError, match=message):
        of_pdb(**options)


def test_labels_of_another_scale_only():
    with pytest.raises(UsageError, match="labels from 'pdb' hold nothing for GSE; there is something in no other"):
        alignment({"Ann": {"Self-efficacy": [3.0]}}, LABELS, "GSE", **SAME)
