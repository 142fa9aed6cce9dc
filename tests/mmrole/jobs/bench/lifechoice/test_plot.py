import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.lifechoice import run, score
from mmrole.jobs.bench.lifechoice.plot import plot


def test_every_kind(built, agent, tmp_path):
    folder = built(methods=["roleless", "bm25"], prefixes=2)
    with pytest.raises(StoreError, match=r"scores\.jsonl is missing"):
        plot("accuracy", folder, out=tmp_path / "p.png")
    run(folder, agent().model)
    score(folder, bootstrap=20)
    for kind in ("accuracy", "motivation", "genre", "time"):
        assert plot(kind, folder, out=tmp_path / f"{kind}.svg").stat().st_size > 1000
    with pytest.raises(UsageError, match="has no method 'human'"):
        plot("accuracy", folder, out=tmp_path / "p.png", methods=["human"])
    with pytest.raises(UsageError, match="no kind of plot"):
        plot("pie", folder, out=tmp_path / "p.png")


def test_there_may_be_nothing_to_draw(built, agent, tmp_path):
    folder = built(methods=["roleless"])
    run(folder, agent().model)
    score(folder, bootstrap=0)
    with pytest.raises(UsageError, match="build with --prefixes"):
        plot("time", folder, out=tmp_path / "p.png")
