import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.incharacter import grade, run, score
from mmrole.jobs.bench.incharacter.plot import plot
from textbench.incharacter.evaluation import Choosing


@pytest.fixture
def scored(built, agent, judge):
    folder = built(with_roleless=True)
    run(folder, agent().model)
    grade(folder, judge().model)
    score(folder, choosing=Choosing(bootstrap=0))
    return folder


def test_radar_charts_of_the_characters(scored, tmp_path):
    path = plot("radar", scored, out=tmp_path / "radar.svg")
    assert path.stat().st_size > 10_000
    assert (
        plot("radar", scored, out=tmp_path / "one.png", only=["wang"], method="OC", lang="zh").read_bytes()[:4]
        == b"\x89PNG"
    )


def test_the_map_shows_everybody(scored, tmp_path):
    assert plot("map", scored, out=tmp_path / "map.pdf").read_bytes()[:4] == b"%PDF"


def test_what_cannot_be_drawn(scored, built, tmp_path):
    out = tmp_path / "a.png"
    with pytest.raises(UsageError, match="'pie' is no kind of plot"):
        plot("pie", scored, out=out)
    with pytest.raises(UsageError, match="holds no scores of SR; it holds"):
        plot("radar", scored, out=out, method="SR")
    with pytest.raises(UsageError, match="there are no scores of OC on BFI; scales are Tiny"):
        plot("radar", scored, out=out, method="OC", scale="BFI")
    with pytest.raises(UsageError, match="there is no character 'eve'"):
        plot("radar", scored, out=out, only=["eve"])
    (scored / "grades" / "judge" / "measured.json").unlink()
    with pytest.raises(StoreError, match=r"measured.json is missing: make it with mmrole bench incharacter score"):
        plot("radar", scored, out=out)
