import pytest

from emotion.judgements import Evidence, Judgement
from emotion.metrics.rc_episodes import EpisodeScore, episode_order, episode_score_of, rc_by_episode
from mmrole.core.errors import InputError

QUOTE = (Evidence(quote="q"),)


def judgement(sample, episode, support=True, show="A", aspect="exp", judge="j", **fields):
    sides = {"supporting": QUOTE} if support else {"contradicting": QUOTE}
    return Judgement(utterance_id=sample, aspect=aspect, judge=judge, episode=episode, show=show, **sides, **fields)


def table(rows):
    return {(row.show, row.score.metric, row.episode): (row.score.value, row.score.n) for row in rows}


def test_by_episode():
    found = [
        judgement("u1", "10"), judgement("u2", "9"), judgement("u3", "9", support=False),
        judgement("u3", "9", judge="k"), judgement("u4", None), judgement("u1", "10", support=False, aspect="cha"),
    ]  # fmt: skip
    rows = rc_by_episode(found)
    # by hand: u2 5, u3 the mean of 1 and 5
    assert table(rows) == {
        (None, "exp", "9"): (4.0, 2), (None, "exp", "10"): (5.0, 1), (None, "exp", None): (5.0, 1), (None, "cha", "10"): (1.0, 1),
    }  # fmt: skip
    assert [row.episode for row in rows] == ["9", "10", None, "10"]


def test_shows_apart_and_together():
    found = [judgement("u1", "1"), judgement("u2", "1", support=False, show="B"), judgement("u3", "1", show=None)]
    assert table(rc_by_episode(found)) == {
        (None, "exp", "1"): (pytest.approx(11 / 3), 3), ("A", "exp", "1"): (5.0, 1), ("B", "exp", "1"): (1.0, 1),
    }  # fmt: skip
    # one show only: its rows would be those of all
    assert {row.show for row in rc_by_episode(found[:1])} == {None}


def test_without_episodes_there_is_nothing():
    assert rc_by_episode([]) == []
    assert rc_by_episode([judgement("u", None)]) == []


def test_episodes_without_a_valid_judgement_stay_visible():
    (row,) = rc_by_episode([Judgement(utterance_id="u", aspect="rel", judge="j", episode="1", reason="no_profile")])
    assert (row.score.value, row.score.reason, row.score.excluded["no_profile"]) == (None, "no_valid_judgement", 1)


def test_intervals_are_over_the_dialogues_of_the_episode():
    found = [judgement(f"u{n}", "1" if n < 6 else "2", support=n % 2) for n in range(7)]
    one, two = rc_by_episode(found, clusters={f"u{n}": f"d{n}" for n in range(7)}, bootstrap=50)
    assert one.score.ci is not None
    assert two.score.ci is None  # one dialogue


def test_episodes_are_ordered_by_their_numbers():
    names = ["S1E10", None, "S2E1", "S1E9", "2", "10", "finale", "Ⅻ"]
    assert sorted(names, key=episode_order) == ["2", "10", "S1E9", "S1E10", "S2E1", "finale", "Ⅻ", None]


def test_records_come_back():
    (row,) = rc_by_episode([judgement("u", "1")])
    assert episode_score_of(row.to_record(), "x").to_record() == row.to_record()
    assert isinstance(row, EpisodeScore)
    for damaged in ({}, {**row.to_record(), "episode": 3}, {**row.to_record(), "value": None}):
        with pytest.raises(InputError, match="x, line 1: no score"):
            episode_score_of(damaged, "x, line 1")
