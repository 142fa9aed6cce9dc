from dataclasses import replace

import pytest

from emotion.descriptions import Description
from emotion.playing.history import History
from emotion.playing.targets import targets_of
from emotion.response_records import AgentUtterance
from mmrole.llm import AudioPart, ImagePart


def described(name, **texts):
    return {
        name: {
            m: Description(utterance_id=name, modality=m, text=t, describer="x", reason=None if t else "no_face")
            for m, t in texts.items()
        }
    }


DESCRIPTIONS = described("d1_1", face="smiles", body="nods", speech="fast\nand loud", text="joy") | described(
    "d1_2", face=None, speech="slow"
)


class Clips:
    """A picture of d1_1 and d1_2, sound of d1_2 and d1_3."""

    def pictures(self, utterance_id):
        return [ImagePart(data=utterance_id.encode())] if utterance_id in ("d1_1", "d1_2") else []

    def sound(self, utterance_id):
        return AudioPart(data=utterance_id.encode()) if utterance_id in ("d1_2", "d1_3") else None


@pytest.fixture
def last(dialogues):
    return next(t for t in targets_of(dialogues).targets if t.utterance_id == "d1_4")


def test_history_is_all_that_was_said_before_and_nothing_after(last):
    shown = History(language="en").shown(last)
    assert shown.parts == ("Ann: One.\nBo: Two.\nBo: Three.\nAnn: Four.",)
    assert (shown.lines, shown.pictures, shown.sounds) == (4, 0, 0)


def test_descriptions_stand_beside_their_lines(last):
    shown = History(language="en", descriptions=DESCRIPTIONS, most=3).shown(last)
    assert shown.parts == (
        "Bo: Two. [facial expression: smiles; body movement: nods; speech: fast and loud]\nBo: Three. [speech: slow]\nAnn: Four.",
    )
    chinese = History(language="zh", descriptions=DESCRIPTIONS, most=2).shown(last)
    assert chinese.parts == ("Bo：Three. ［语音：slow］\nAnn：Four.",)


def test_pictures_and_sound_take_the_place_of_the_words_for_them_and_of_no_others(last):
    history = History(language="en", source="media", descriptions=DESCRIPTIONS, clips=Clips())
    shown = history.shown(last)
    assert shown.parts == (
        "Ann: One.\nBo: Two. [speech: fast and loud]",
        ImagePart(data=b"d1_1"),
        "Bo: Three.",
        ImagePart(data=b"d1_2"),
        AudioPart(data=b"d1_2"),
        "Ann: Four.",
        AudioPart(data=b"d1_3"),
    )
    assert (shown.lines, shown.pictures, shown.sounds) == (4, 2, 2)
    images = replace(history, source="images").shown(last)
    assert images.parts[1:4] == (ImagePart(data=b"d1_1"), "Bo: Three. [speech: slow]", ImagePart(data=b"d1_2"))
    audio = replace(history, source="audio").shown(last)
    assert audio.parts[0] == (
        "Ann: One.\nBo: Two. [facial expression: smiles; body movement: nods; speech: fast and loud]\nBo: Three."
    )
    assert replace(history, source="text").shown(last).pictures == 0


def test_own_answers_take_the_place_of_the_whole_turn_they_stand_for(last):
    own = {"d1_1": (AgentUtterance(text="Mine.", face="frowns"), AgentUtterance(text="And\nmine."))}
    history = History(language="en", source="media", descriptions=DESCRIPTIONS, clips=Clips())
    shown = history.shown(last, own)
    assert shown.parts == (
        "Ann: One.\nBo: Mine. [facial expression: frowns]\nBo: And mine.\nAnn: Four.",
        AudioPart(data=b"d1_3"),
    )
    longer = History(language="en").shown(last, {"d1_1": (AgentUtterance(text="Only one."),)})
    assert longer.parts == ("Ann: One.\nBo: Only one.\nAnn: Four.",)


def test_history_reaches_as_far_back_as_it_is_let(last):
    assert [History(language="en", most=n).shown(last).lines for n in (1, 2, 4, 99)] == [1, 2, 4, 4]
