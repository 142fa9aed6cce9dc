import pytest

from emotion.playing.targets import targets_of
from mmrole.core.errors import UsageError


def test_every_turn_with_a_predecessor_is_a_target(dialogues):
    found = targets_of(dialogues)
    assert [(t.utterance_id, t.role, t.start, t.own_before) for t in found.targets] == [
        ("d1_1", "Bo", 1, ()),
        ("d1_3", "Ann", 3, ()),
        ("d1_4", "Bo", 4, ("d1_1",)),
        ("d1_5", "Ann", 5, ("d1_3",)),
        ("d2_1", "Ann", 1, ()),
    ]
    # by hand: 5 + 3 + 3 turns; the first of d1 and d2; the last of d2 is of nobody; all of d3
    assert found.turns == 11
    assert found.left_out == {"not_two_speakers": 3, "no_predecessor": 2, "no_role": 1}
    assert len(found.targets) + sum(found.left_out.values()) == found.turns
    assert found.roles == {("Bo", "S"): 2, ("Ann", "S"): 3}


def test_what_is_played_can_be_chosen(dialogues):
    found = targets_of(dialogues, roles=["Ann"])
    assert [t.utterance_id for t in found.targets] == ["d1_3", "d1_5", "d2_1"]
    assert found.left_out["role_not_chosen"] == 2
    everybody = targets_of(dialogues, nobody=(), two_speakers_only=False)
    assert [t.utterance_id for t in everybody.targets[-4:]] == ["d2_1", "d2_2", "d3_1", "d3_2"]
    assert everybody.left_out == {"no_predecessor": 3}


def test_a_wave_needs_only_the_waves_before_it(dialogues):
    waves = targets_of(dialogues).waves()
    assert [[t.utterance_id for t in wave] for wave in waves] == [["d1_1", "d1_3", "d2_1"], ["d1_4", "d1_5"]]


def test_a_role_that_never_speaks_and_nothing_to_play_are_told(dialogues):
    with pytest.raises(UsageError, match="role 'Anne' never speaks in the dialogues; there are Ann, "):
        targets_of(dialogues, roles=["Anne"])
    with pytest.raises(UsageError, match="no turn to play: 3 turns, left out: not_two_speakers 3"):
        targets_of(dialogues[2:])
    with pytest.raises(UsageError, match="no turn to play: 0 turns, left out: there is no turn"):
        targets_of([])
