import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.incharacter import grade, run, score
from mmrole.jobs.bench.incharacter.plot import plot
from mmrole.llm import ScriptedModel
from textbench.incharacter.evaluation import Choosing


@pytest.fixture
def scored(built, agent, judge):
    folder = built(with_roleless=True)
    run(folder, agent().model)
    grade(folder, judge().model)
    score(folder, choosing=Choosing(bootstrap=0))
    return folder


def test_radar_charts_of_the_characters(scored, tmp_path):
    drawn = plot("radar", scored, out=tmp_path / "radar.svg")
    assert (drawn.method, drawn.scales) == ("OC", ("Tiny",))  # the first of the plan
    assert "OC, Tiny" in drawn.out.read_text("utf-8")
    one = plot("radar", scored, out=tmp_path / "one.png", only=["wang"], method="ER_batch", lang="zh")
    assert one.out.read_bytes()[:4] == b"\x89PNG"
    assert one.method == "ER_batch"


def test_the_map_shows_everybody_and_says_by_which_method(scored, tmp_path):
    assert plot("map", scored, out=tmp_path / "map.pdf").out.read_bytes()[:4] == b"%PDF"
    drawn = plot("map", scored, out=tmp_path / "map.svg", method="ER_batch").out.read_text("utf-8")
    assert "map of measured personalities, ER_batch" in drawn


@pytest.fixture
def graded(built, agent):
    def made(reply):
        folder = built()
        run(folder, agent().model)
        grade(folder, ScriptedModel(lambda _: reply, name="judge"), most_regenerations=0)
        score(folder, choosing=Choosing(bootstrap=0))
        return folder

    return made


def test_a_method_without_scores_is_not_drawn(graded, tmp_path):
    """A score is no choice: nothing of OC, which comes first, could be read."""
    folder, out = graded('{"score": 4}'), tmp_path / "a.svg"
    assert plot("radar", folder, out=out).method == "ER_batch"
    with pytest.raises(UsageError, match=r"OC has no scores on Tiny: nothing could be read; ER_batch has$"):
        plot("radar", folder, out=out, method="OC", scale="Tiny")
    with pytest.raises(UsageError, match=r"OC has no scores: nothing could be read; ER_batch has$"):
        plot("map", folder, out=out, method="OC")


def test_nothing_that_could_be_drawn(graded, tmp_path):
    with pytest.raises(UsageError, match="holds no scores: of no method could anything be read"):
        plot("map", graded("hm"), out=tmp_path / "a.svg")


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
