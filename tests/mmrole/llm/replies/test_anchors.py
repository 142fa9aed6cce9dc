import re

import pytest

from mmrole.llm.replies import anchors as module
from mmrole.llm.replies.anchors import MOST, find_anchors
from mmrole.llm.replies.kinds import CHOICE_ANCHORS, LABEL_ANCHORS, NUMBER_ANCHORS, with_names


@pytest.mark.parametrize(
    ("expression", "initials"),
    [
        ("ab|c", "ACac"),
        ("(?:ab|c(?:d|e)?)f|g", "ACGacg"),
        ("(?:(?:a|b)c|d)", "ABDabd"),
        ("a(?:b|c)|d(?! e| f)", "ADad"),
        ("情(?:绪|感)|答", "情答"),
    ],
)
def test_initials(expression, initials):
    # by hand
    assert module._initials(expression) == initials


@pytest.mark.parametrize(
    ("anchors", "text"),
    [
        (LABEL_ANCHORS, "label answer category prediction verdict decision judgment result output annotation feeling"),
        (
            CHOICE_ANCHORS,
            "answer choice option selection verdict pick letter solution judgement preference winner response",
        ),
        (NUMBER_ANCHORS, "score rating grade marks points verdict evaluation value estimate output"),
    ],
)
def test_every_noun_announces(anchors, text):
    for noun in text.split():
        assert any(anchor.start == 0 and anchor.explicit for anchor in find_anchors(f"{noun}: x", anchors)), noun
        assert any(anchor.start == 0 and anchor.explicit for anchor in find_anchors(f"{noun.upper()}: x", anchors)), (
            noun
        )


def test_only_the_last_announcements_are_looked_at():
    anchors = find_anchors("Answer: A\n" * (MOST + 500), CHOICE_ANCHORS)
    assert len({anchor.start for anchor in anchors}) == MOST
    assert anchors[-1].start == 10 * (MOST + 499)


def test_names_of_ones_own_are_taken_literally():
    names = with_names(CHOICE_ANCHORS, ("my.field", "_x_", "", "角色", "a+b"))
    assert re.match(names.nouns, "my_field")
    assert not re.match(rf"(?:{names.nouns})\\Z", "myyfield")
    assert "角色" in names.nouns_zh
    assert any(anchor.explicit for anchor in find_anchors("A b: x", names))
