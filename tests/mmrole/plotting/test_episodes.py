import json
from itertools import pairwise

import numpy as np
import pytest

from emotion.judgements import Evidence, Judgement
from emotion.metrics.rc_episodes import rc_by_episode
from emotion.score_folder import read_score_folder
from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.score import score_files
from mmrole.plotting import EpisodesDisplay

QUOTE = (Evidence(quote="q"),)


def judged(*samples, aspect="exp", show="S"):
    """Scores by episode of samples (episode, score 5, 3 or 1)."""
    sides = {5: {"supporting": QUOTE}, 1: {"contradicting": QUOTE}, 3: {"supporting": QUOTE, "contradicting": QUOTE}}
    return [
        Judgement(utterance_id=f"{show}{n}", aspect=aspect, judge="j", show=show, episode=episode, **sides[score])
        for n, (episode, score) in enumerate(samples)
    ]


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def points(ax):
    """What is drawn with markers: (x, y) of each run."""
    return [
        list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        for line in ax.lines
        if line.get_linestyle() == "None"
    ]


def test_points_are_where_the_scores_are():
    runs = {
        "none": rc_by_episode(judged(("1", 5), ("1", 1), ("10", 5), ("2", 3))),
        "all": rc_by_episode(judged(("1", 5), ("10", 1), (None, 5))),
    }
    display = EpisodesDisplay(runs)
    assert not hasattr(display, "ax_")
    (ax,) = display.plot().axes_
    assert display.episodes == ["1", "2", "10", None]
    first, second = points(ax)
    # by hand: the mean of 5 and 1; side by side, half an episode apart
    assert first[:3] == [(-0.25, 3.0), (0.75, 3.0), (1.75, 5.0)]
    assert [y for _, y in second] == pytest.approx([5.0, np.nan, 1.0, 5.0], nan_ok=True)
    assert second[0][0] == 0.25
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "10", "none"]
    assert ax.get_ylim()[0] < 1 < 5 < ax.get_ylim()[1]
    said = words(display)
    assert said[:3] == ["none", "all", "Exp · experience"]
    assert "1–2 samples in a point" in said
    # the lines join what has an episode, and nothing else
    assert [
        len(line.get_xdata()) for line in ax.lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 2
    ] == [3, 3]


def test_a_panel_for_each_aspect_that_was_judged():
    rows = rc_by_episode(judged(("1", 5), aspect="cha") + judged(("1", 1)))
    display = EpisodesDisplay({"a": rows}).plot()
    assert len(display.axes_) == 2
    assert [text for text in words(display) if "·" in text] == ["Exp · experience", "Cha · characteristics"]
    assert words(display)[0] == "Exp · experience"  # a single run has no legend


def test_intervals_are_bars():
    samples = judged(*[("1", score) for score in (5, 1, 3, 5, 5, 1)])
    rows = rc_by_episode(samples, bootstrap=50)
    (ax,) = EpisodesDisplay({"a": rows}).plot().axes_
    bars = [list(line.get_ydata()) for line in ax.lines if len(line.get_xdata()) == 2]
    assert bars == [pytest.approx(list(rows[0].score.ci))]


def test_shows():
    rows = rc_by_episode(judged(("1", 5), show="A") + judged(("1", 1), ("2", 1), show="B"))
    assert EpisodesDisplay({"a": rows}).episodes == ["1", "2"]
    assert points(EpisodesDisplay({"a": rows}).plot().axes_[0]) == [[(0.0, 3.0), (1.0, 1.0)]]
    assert points(EpisodesDisplay({"a": rows}, show="A").plot().axes_[0]) == [[(0.0, 5.0)]]
    with pytest.raises(UsageError, match="there is no show 'C' in the scores by episode; there are A, B"):
        EpisodesDisplay({"a": rows}, show="C")


def test_an_episode_without_a_score_is_a_gap():
    nothing = Judgement(utterance_id="u", aspect="exp", judge="j", show="S", episode="2", reason="unparsed")
    rows = rc_by_episode([*judged(("1", 5), ("3", 5)), nothing])
    (ax,) = EpisodesDisplay({"a": rows}).plot().axes_
    assert [y for _, y in points(ax)[0]] == pytest.approx([5.0, np.nan, 5.0], nan_ok=True)


@pytest.mark.parametrize("count", [1, 7, 60, 200])
def test_names_of_episodes_do_not_touch(count):
    rows = rc_by_episode(judged(*[(f"S1E{n}", 5) for n in range(count)]))
    display = EpisodesDisplay({"a": rows}, title="$x$ 剧集").plot()
    display.figure_.draw_without_rendering()
    boxes = [label.get_window_extent() for label in display.axes_[-1].get_xticklabels()]
    assert all(left.x1 <= right.x0 for left, right in pairwise(boxes))
    assert display.size_in[0] <= 15


def test_nothing_to_draw():
    with pytest.raises(UsageError, match="there is no score by episode to draw"):
        EpisodesDisplay({"a": []})


@pytest.fixture
def folders(world, tmp_path):
    """Scores of the small world with judgements that know their episodes, under two conditions."""
    made = []
    for name, scores in (("none", (5, 1, 3)), ("all", (5, 5, 3))):
        path = tmp_path / f"{name}.jsonl"
        lines = [
            {"utterance_id": turn, "aspect": "exp", "judge": "j", "show": "S", "episode": episode, "method": "evidence",
             "supporting": [{"quote": "q"}] * (score > 1), "contradicting": [{"quote": "q"}] * (score < 5)}
            for (turn, episode), score in zip((("d1_1", "1"), ("d1_3", "1"), ("d2_1", "2")), scores, strict=True)
        ]  # fmt: skip
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        score_files(world.path, world.folder / "happy.jsonl", out=tmp_path / name, judgements=path, bootstrap=0)
        made.append(tmp_path / name)
    return made


def test_from_folders(folders, world):
    found = [read_score_folder(folder) for folder in folders]
    display = EpisodesDisplay.from_folders(found).plot()
    # by hand: 5 and 1, then 3; 5 and 5, then 3
    assert [[y for _, y in run] for run in points(display.axes_[0])] == [[3.0, 3.0], [5.0, 3.0]]
    assert words(display)[:2] == ["none", "all"]
    with pytest.raises(UsageError, match="has no role consistency by episode: score it with judgements whose episodes"):
        EpisodesDisplay.from_folders([read_score_folder(world.folder / "happy")])
    path = folders[0] / "by_episode.jsonl"
    path.write_text(path.read_text().replace("exp", "cha"))
    with pytest.raises(StoreError, match=r"by_episode\.jsonl: has other bytes than when it was made"):
        EpisodesDisplay.from_folders([read_score_folder(folders[0])])


def test_words_in_chinese(with_chinese_font):
    said = words(EpisodesDisplay({"a": rc_by_episode(judged(("1", 5), (None, 5)))}, lang="zh").plot())
    assert said == ["Exp · 经历", "每点 1 个样本", "剧集", "竖线：95 % 区间"]
