from mmrole.core.dialogue import Dialogue, Utterance, by_utterance_id, follows, played_turns


def utterances(*pairs):
    return tuple(
        Utterance(utterance_id=f"d_{index}", speaker=speaker, text="x", index=index) for index, speaker in pairs
    )


DIALOGUE = Dialogue(
    dialogue_id="d", utterances=utterances((0, "A"), (1, "A"), (3, "A"), (4, "B"), (5, "其他"), (6, "A"))
)


def test_a_turn_is_a_run_of_one_speaker_and_a_gap_does_not_split_it():
    assert [(turn.role, turn.turn_id, len(turn.utterances)) for turn in DIALOGUE.turns] == [
        ("A", "d_0", 3),
        ("B", "d_4", 1),
        ("其他", "d_5", 1),
        ("A", "d_6", 1),
    ]
    assert DIALOGUE.speakers == ("A", "B", "其他")


def test_follows():
    a, b, c = DIALOGUE.utterances[:3]
    unnumbered = Utterance(utterance_id="u", speaker="A", text="x")
    assert follows(a, b)
    assert not follows(b, c)
    assert not follows(b, a)
    assert follows(a, unnumbered)
    assert follows(unnumbered, a)


def test_every_turn_with_a_predecessor_is_played_but_not_that_of_nobody():
    assert [(a.turn_id, b.turn_id) for a, b in played_turns(DIALOGUE)] == [("d_0", "d_4"), ("d_5", "d_6")]
    assert len(played_turns(DIALOGUE, nobody=())) == 3


def test_by_utterance_id():
    assert by_utterance_id([DIALOGUE])["d_4"].speaker == "B"
