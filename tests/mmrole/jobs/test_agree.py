import pytest

from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.agree import agree_file

WIDE = "unit,甲,B\nu1,1,1\nu2,2,3\nu3,3,3\nu4,,1\n"
LONG = "unit,rater,rating\na,x,low\na,y,high\nb,x,high\nb,y,high\nc,x,low\nc,y,low\n"


def write(tmp_path, text):
    path = tmp_path / "r.csv"
    path.write_text(text, "utf-8")
    return path


def test_wide(tmp_path):
    found = agree_file(write(tmp_path, WIDE), level="ordinal", bootstrap=50)
    alpha = krippendorff_alpha([[1, 2, 3, None], [1, 3, 3, 1]], level="ordinal", bootstrap=50)
    assert found.scores[0] == alpha
    assert alpha.ci is not None
    assert found.table.raters == ("甲", "B")
    assert found.level == "ordinal"


def test_long_with_an_order(tmp_path):
    path = write(tmp_path, LONG)
    found = agree_file(path, level="ordinal", order=["low", "high"], bootstrap=0)
    wanted = krippendorff_alpha([[1, 2, 1], [2, 2, 1]], level="ordinal")
    assert found.scores[0].value == pytest.approx(wanted.value)
    with pytest.raises(UsageError, match=r"r\.csv: ordinal ratings have to be .* got 'low'"):
        agree_file(path, level="ordinal")
    with pytest.raises(UsageError, match=r"r\.csv: rating 'high' is not in the order"):
        agree_file(path, level="ordinal", order=["low"])


def test_an_order_of_numbers_may_be_given(tmp_path):
    path = write(tmp_path, WIDE)
    turned = agree_file(path, level="ordinal", order=["3", "1", "2"], bootstrap=0)
    wanted = krippendorff_alpha([[2, 3, 1, None], [2, 1, 1, 2]], level="ordinal")
    assert turned.scores[0].value == pytest.approx(wanted.value)
    with pytest.raises(UsageError, match=r"--order a,b: the ratings of .*r\.csv are numbers"):
        agree_file(path, level="ordinal", order=["a", "b"])


def test_bad_tables(tmp_path):
    with pytest.raises(InputError, match=r"r\.csv, line 3: a second rating of 'a' by 'x'"):
        agree_file(write(tmp_path, "unit,rater,rating\na,x,1\na,x,2\n"))
    with pytest.raises(InputError, match=r"r\.csv: there are no ratings"):
        agree_file(write(tmp_path, "unit,rater,rating\n"))
    with pytest.raises(UsageError, match="from 0, not -1"):
        agree_file(write(tmp_path, WIDE), bootstrap=-1)
