from mmrole.core.scores import Score
from mmrole.jobs.interval_notes import interval_notes


def score(ci, part="lower"):
    return Score(
        metric="mec", part=part, value=0.0, n=15, direction="up", definition="mec/v1", bounds=(0.0, 1.0), ci=ci
    )


def test_few_dialogues_and_intervals_without_width_are_told():
    notes = list(interval_notes([score((0.0, 0.0)), score((0.1, 0.4), "upper")], 7))
    assert len(notes) == 2
    assert "come from 7 dialogues" in notes[0]
    assert notes[1].endswith(": MEC lower")


def test_nothing_is_told_of_many_dialogues_or_without_intervals():
    assert list(interval_notes([score((0.1, 0.4))], 30)) == []
    assert list(interval_notes([score(None)], 2)) == []
