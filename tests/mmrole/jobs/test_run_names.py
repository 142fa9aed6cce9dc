import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.run_names import run_names


def test_folders_of_one_name_are_told_apart_by_those_above_them(tmp_path):
    assert run_names([tmp_path / "a", tmp_path / "b"]) == ["a", "b"]
    assert run_names([tmp_path / "a" / "scores", tmp_path / "b" / "scores"]) == ["a/scores", "b/scores"]
    assert run_names([tmp_path / "x" / "a" / "s", tmp_path / "y" / "a" / "s"]) == ["x/a/s", "y/a/s"]


def test_names_of_the_caller_come_first(tmp_path):
    assert run_names([tmp_path / "a", tmp_path / "b"], ["one", "two"]) == ["one", "two"]


@pytest.mark.parametrize(
    ("folders", "names", "message"),
    [
        (["a", "a"], None, "is named twice"),
        (["a", "./a"], ["one", "two"], "is named twice"),
        (["a", "b"], ["one"], "1 names were given for 2 folders"),
        (["a", "b"], ["one", "one"], "two runs are called 'one'"),
    ],
)
def test_what_does_not_fit_is_refused(folders, names, message):
    with pytest.raises(UsageError, match=message):
        run_names(folders, names)
