import pytest

from mmrole.core.errors import InputError, UsageError
from textbench.incharacter.label_building import (
    labels_from_shares,
    labels_from_sheets,
    read_pdb,
    read_sheets,
    shares_of_votes,
)


def test_shares_of_votes_by_hand():
    votes = {"ESTJ": 3, "infp": 1, "SCOAI": 2, "RLUEN": 2, "RCOEI": 4, "XXXX": 0}
    assert shares_of_votes(votes) == {
        "16Personalities": {"E/I": 0.75, "S/N": 0.75, "T/F": 0.75, "P/J": 0.25},
        # social 2 of 8, accommodating 2, organized 6, limbic 2, inquisitive 6
        "BFI": {
            "Extraversion": 0.25,
            "Agreeableness": 0.25,
            "Conscientiousness": 0.75,
            "Neuroticism": 0.25,
            "Openness": 0.75,
        },
    }


def test_no_votes_no_shares():
    assert shares_of_votes({"XXXX": 0, "SCOAI": 0}) == {}


@pytest.mark.parametrize(
    ("votes", "message"), [({"ESTX": 1}, "'ESTX' is no type"), ({"EST": 1}, "'EST'"), ({"ESTJ": -1}, "not -1")]
)
def test_votes_that_are_none(votes, message):
    with pytest.raises(UsageError, match=f"Ann: .*{message}"):
        shares_of_votes(votes, "Ann")


def test_labels_from_shares():
    shares = {
        "Ann": {"BFI": {"Openness": 0.75, "Neuroticism": 0.5}, "16Personalities": {"E/I": 0.4}, "EPQ-R": {"Lying": 0.9}}
    }
    assert labels_from_shares(shares, mirror={"EPQ-R": ["Lying"]}) == {
        "Ann": {
            "BFI": {
                "Openness": {"score": 4.0, "type": "H"},
                "Neuroticism": {"score": 3.0, "type": "X"},
            },  # 1 + 4 x share
            "16Personalities": {"E/I": {"score": 40.0, "type": "L"}},  # 100 x share
            "EPQ-R": {"Lying": {"score": pytest.approx(0.1), "type": "L"}},
        }
    }


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_outside_0_to_1(share):
    with pytest.raises(UsageError, match="Ann, BFI Openness: a share is from 0 to 1"):
        labels_from_shares({"Ann": {"BFI": {"Openness": share}}})


def test_labels_from_sheets():
    sheets = {
        "BFI": {
            ("Ann", "Openness"): {"p": 5, "q": 4, "r": None},  # one does not see it: the mean of the others
            ("Ann", "Neuroticism"): {"p": 1, "q": None, "r": None},  # two do not
            ("Bob", "Openness"): {"p": None},  # nobody rated
        },
        "16Personalities": {("Ann", "E/I"): {"p": 7, "q": 6, "r": 7}},  # mean 20/3 on 1-7: 94.4 of 100
    }
    assert labels_from_sheets(sheets) == {
        "Ann": {
            "BFI": {"Openness": {"score": 4.5, "type": "H"}, "Neuroticism": {"score": "X", "type": "X"}},
            "16Personalities": {"E/I": {"score": pytest.approx(94.4444, abs=1e-4), "type": "H"}},
        },
        "Bob": {"BFI": {"Openness": {"score": "X", "type": "X"}}},
    }


def written(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_read_pdb_votes(tmp_path):
    path = written(tmp_path, "Type,Character,Votes\nESTJ,胡桃,3\nINFP,胡桃,1\nXXXX,Bob,0\n")
    assert read_pdb(path) == {"胡桃": {"16Personalities": {"E/I": 0.75, "S/N": 0.75, "T/F": 0.75, "P/J": 0.25}}}


def test_read_pdb_shares(tmp_path):
    path = written(tmp_path, "character,scale,dimension,share,note\nAnn,BFI,Openness,0.25,a\n")
    assert read_pdb(path) == {"Ann": {"BFI": {"Openness": 0.25}}}


def test_read_sheets(tmp_path):
    path = written(
        tmp_path,
        "character,scale,dimension,annotator,score\nAnn,BFI,Openness,p,5\nAnn,BFI,Openness,q,x\nAnn,BFI,Openness,r,\n",
    )
    assert read_sheets(path) == {"BFI": {("Ann", "Openness"): {"p": 5, "q": None}}}


SHARES = "character,scale,dimension,share\n"
SHEETS = "character,scale,dimension,annotator,score\n"


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (
            read_pdb,
            "character,score\nAnn,1\n",
            "the columns have to be character, type, votes or character, scale, dimension, share",
        ),
        (read_pdb, SHARES, "nothing below the header"),
        (read_pdb, SHARES + ",BFI,Openness,1\n", "line 2: no character"),
        (read_pdb, SHARES + "Ann,Bfi,Openness,1\n", "line 2: there is no scale 'Bfi'"),
        (read_pdb, SHARES + "Ann,BFI,Warmth,1\n", "line 2: BFI has no dimension 'Warmth'"),
        (read_pdb, SHARES + "Ann,BFI,Openness,25%\n", "line 2: share has to be a number, not '25%'"),
        (read_pdb, SHARES + "Ann,BFI,Openness,25\n", "line 2: a share is from 0 to 1, not 25"),
        (read_pdb, SHARES + "Ann,BFI,Openness,1\nAnn,BFI,Openness,1\n", "line 3: BFI Openness of Ann is there twice"),
        (read_pdb, "character,type,votes\nAnn,ESTJ,1.5\n", "line 2: votes has to be a whole number from 0, not '1.5'"),
        (read_pdb, "character,type,votes\nAnn,ABCD,1\n", "line 2: 'ABCD' is no type such as ESTJ"),
        (read_pdb, "character,type,votes\nAnn,ESTJ,1\nAnn,estj,1\n", "line 3: votes of Ann for estj are there twice"),
        (
            read_sheets,
            SHEETS + "Ann,BFI,Openness,p,6\n",
            "line 2: a rating on BFI is from 1 to 5, or X when not shown, not 6",
        ),
        (read_sheets, SHEETS + "Ann,BFI,Openness,,4\n", "line 2: no annotator"),
        (
            read_sheets,
            SHEETS + "Ann,BFI,Openness,p,4\nAnn,BFI,Openness,p,4\n",
            "line 3: a second rating of Ann, BFI Openness by p",
        ),
    ],
)
def test_bad_files_name_file_line_and_reason(tmp_path, read, text, message):
    with pytest.raises(InputError, match=rf"a\.csv.*{message}") as caught:
        read(written(tmp_path, text))
    assert "\n" not in str(caught.value)
