"""Three dialogues: two with two speakers, one of whom says two utterances in a row, and one with three."""

import pytest

from mmrole.core.dialogue import Dialogue, Utterance

SAID = {
    "d1": [("Ann", "One."), ("Bo", "Two."), ("Bo", "Three."), ("Ann", "Four."), ("Bo", "Five."), ("Ann", "Six.")],
    "d2": [("其他", "Seven."), ("Ann", "Eight."), ("其他", "Nine.")],
    "d3": [("Ann", "Ten."), ("Bo", "Eleven."), ("Cleo", "Twelve.")],
}


@pytest.fixture
def dialogues():
    return [
        Dialogue(
            dialogue_id=name,
            show="S",
            utterances=tuple(
                Utterance(utterance_id=f"{name}_{k}", speaker=who, text=text) for k, (who, text) in enumerate(lines)
            ),
        )
        for name, lines in SAID.items()
    ]
