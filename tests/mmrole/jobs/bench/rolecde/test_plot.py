import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.bench.rolecde import grade, score
from mmrole.jobs.bench.rolecde.plot import plot


@pytest.mark.parametrize("kind", ["decisions", "dbr"])
@pytest.mark.parametrize("by", ["category", "level"])
def test_pictures_are_written(graded, tmp_path, kind, by):
    folder = graded()
    score(folder, bootstrap=20)
    out = plot(kind, folder, out=tmp_path / "p.svg", by=by)
    text = out.read_text("utf-8")
    assert text.startswith("<?xml")
    plain = plot(kind, folder, out=tmp_path / "q.svg", by=by, items="without_flagged").read_text("utf-8")
    assert plain != text


def test_what_cannot_be_drawn(graded, script, tmp_path):
    folder = graded()
    with pytest.raises(UsageError, match="holds no scores: make them with mmrole bench rolecde score"):
        plot("decisions", folder, out=tmp_path / "p.png")
    with pytest.raises(UsageError, match="holds no scores"):
        plot("dbr", folder, out=tmp_path / "p.png")
    with pytest.raises(UsageError, match="'pie' is no kind of plot"):
        plot("pie", folder, out=tmp_path / "p.png")
    grade(folder, script.judge("other").model)
    score(folder, bootstrap=0)
    with pytest.raises(UsageError, match="there are grades of judge, other: say which with --grades"):
        plot("decisions", folder, out=tmp_path / "p.png")
    assert plot("dbr", folder, out=tmp_path / "p.png").is_file()
    with pytest.raises(UsageError, match=r"a picture ends in"):
        plot("dbr", folder, out=tmp_path / "p.gif")
