import pytest

from mmrole.core.errors import UsageError
from textbench.incharacter.breakdowns import alignment_by, mean_over_scales

SCORES = {
    "Ann": {"Extraversion": [5.0], "Openness": [5.0]},
    "胡桃": {"Extraversion": [5.0], "Openness": [1.0]},
    "Cid": {"Extraversion": [1.0], "Openness": [2.0]},
}
GOLD = {
    name: {"BFI": {"Extraversion": {"score": 5.0, "type": "H"}, "Openness": {"score": 1.0, "type": "L"}}}
    for name in SCORES
}
PDB = {"types": "pdb", "values": "pdb", "mask": "pdb"}


def test_by_dimension():
    got = alignment_by(SCORES, {"pdb": GOLD}, "BFI", by="dimension", **PDB)
    assert list(got) == ["Extraversion", "Agreeableness", "Conscientiousness", "Neuroticism", "Openness"]
    assert {name: part["acc_dim"].value for name, part in got.items()} == {
        "Extraversion": pytest.approx(2 / 3), "Openness": pytest.approx(2 / 3), "Agreeableness": None, "Conscientiousness": None,
        "Neuroticism": None,
    }  # fmt: skip
    assert got["Openness"]["mae"].value == pytest.approx((1 + 0 + 0.25) / 3)
    assert got["Openness"]["mae"].part == "BFI/Openness"
    assert "acc_full" not in got["Openness"]


def test_by_group_of_characters():
    got = alignment_by(SCORES, {"pdb": GOLD}, "BFI", by={"Ann": "en", "胡桃": "zh", "Cid": "en"}, **PDB)
    assert {
        group: (part["acc_dim"].value, part["acc_full"].value, part["acc_dim"].n) for group, part in got.items()
    } == {
        "en": (0.5, 0.0, 4),
        "zh": (1.0, 1.0, 2),
    }


def test_errors():
    with pytest.raises(UsageError, match="胡桃 has no group"):
        alignment_by(SCORES, {"pdb": GOLD}, "BFI", by={"Ann": "en"}, **PDB)
    with pytest.raises(UsageError, match="by is 'dimension' or character -> group, not 'language'"):
        alignment_by(SCORES, {"pdb": GOLD}, "BFI", by="language", **PDB)


def test_mean_over_scales():
    parts = alignment_by(SCORES, {"pdb": GOLD}, "BFI", by="dimension", **PDB)
    got = mean_over_scales({name: parts[name] for name in ("Extraversion", "Openness", "Neuroticism")})
    assert got["mae"].value == pytest.approx((1 / 3 + 1.25 / 3) / 2)
    assert (got["mae"].n, got["mae"].excluded) == (2, {"undefined": 1})
    assert mean_over_scales({"Neuroticism": parts["Neuroticism"]})["mae"].reason == "no_scales"
