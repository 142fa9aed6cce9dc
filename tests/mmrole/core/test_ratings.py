import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.ratings import RatingTable, agree, read_ratings

WIDE = "item,Ann,Bo\nu1,1,2\nu2,3,3\nu3,,2\n"
LONG = "rater,unit,rating,note\nAnn,u1,1,\nBo,u1,2,\nAnn,u2,3,\nBo,u2,3,\nBo,u3,2,\n"


@pytest.mark.parametrize("text", [WIDE, LONG])
def test_wide_and_long_are_the_same(tmp_path, text):
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8-sig")
    table = read_ratings(path)
    assert table == RatingTable(raters=("Ann", "Bo"), units=("u1", "u2", "u3"), ratings=[[1, 3, None], [2, 3, 2]])
    assert table.values() == [1, 2, 3]


def test_texts_stay_texts(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("u,a,b\n1,None,x\n2,7,x\n", encoding="utf-8")
    assert read_ratings(path).ratings == [["None", "7"], ["x", "x"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unit,rater,rating\nu,a,1\nu,a,2\n", r"line 3: a second rating of 'u' by 'a'"),
        ("u,a,b\nx,1,1\nx,2,2\n", r"line 3: a second rating of 'x' by 'a'"),
        ("u,a\nx,1\n", "a table of ratings has"),
        ("u,a,b\n", "no ratings below the header"),
        ("u,a,b\nx,1\n", "line 2: 2 fields, the header has 3"),
        ("u,a,b\n,1,2\n", "line 2: no unit"),
        ("unit,rater,rating\nu,,2\n", "line 2: no rater"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_ratings(path)
    assert "r.csv" in str(error.value)


TABLE = RatingTable(
    raters=("A", "B", "C"),
    units=tuple("abcdef"),
    ratings=[[1, 2, 3, 4, 5, 1], [1, 2, 3, 4, 4, 1], [2, 2, 3, 5, 5, None]],
)


def test_figures_of_each_level():
    names = {level: [(s.metric, s.part) for s in agree(TABLE, level=level, bootstrap=0)] for level in
             ("nominal", "ordinal", "interval")}  # fmt: skip
    assert names["nominal"] == [
        *(("alpha", "nominal"), ("kappa_fleiss", "nominal"), ("ac1", "nominal")),
        *(("kappa_cohen", "A+B"), ("kappa_cohen", "A+C"), ("kappa_cohen", "B+C")),
    ]
    assert names["ordinal"][:6] == [
        ("alpha", "ordinal"), ("kappa_cohen", "A+B/linear"), ("kappa_cohen", "A+B/quadratic"), ("pearson", "A+B"),
        ("spearman", "A+B"), ("kendall", "A+B"),
    ]  # fmt: skip
    assert names["interval"][:4] == [("alpha", "interval"), ("pearson", "A+B"), ("spearman", "A+B"), ("kendall", "A+B")]


def test_ordered_texts_have_ranks_but_no_pearson():
    words = {1: "low", 2: "mid", 3: "high", 4: "top", 5: "max"}
    worded = RatingTable(
        raters=TABLE.raters, units=TABLE.units, ratings=[[v and words[v] for v in row] for row in TABLE.ratings]
    )
    numbers = {(s.metric, s.part): s.value for s in agree(TABLE, level="ordinal", bootstrap=0)}
    texts = {
        (s.metric, s.part): s.value for s in agree(worded, level="ordinal", order=list(words.values()), bootstrap=0)
    }
    assert texts == {key: value for key, value in numbers.items() if key[0] != "pearson"}


def test_intervals_and_usage():
    assert agree(TABLE, level="interval", bootstrap=50)[0].ci is not None
    with pytest.raises(UsageError, match="level has to be"):
        agree(TABLE, level="x")
