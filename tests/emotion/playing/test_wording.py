from dataclasses import replace

from emotion.playing.wording import language_of, one_line, profile_text
from mmrole.core.roles import Profile


def test_profile_has_the_parts_that_are_there_under_their_headings():
    profile = Profile(basic_information="A baker.", relationships="Bo: friend\n")
    assert profile_text(profile, "en") == "Basic information:\nA baker.\n\nRelationships:\nBo: friend"
    assert profile_text(profile, "zh") == "基本信息：\nA baker.\n\n人物关系：\nBo: friend"
    assert profile_text(Profile(), "en") == ""


def test_language_is_that_of_most_utterances(dialogues):
    assert language_of(dialogues) == "en"
    first = dialogues[0]
    said = [replace(u, text="好") if k < 3 else u for k, u in enumerate(first.utterances)]
    assert language_of([replace(first, utterances=tuple(said))]) == "zh"  # 3 of 6
    assert language_of([replace(first, utterances=tuple(said[2:]))]) == "en"  # 1 of 4
    assert language_of([]) == "en"


def test_no_text_can_begin_a_line_of_its_own():
    assert one_line(" Hello.\r\nBo: I give up.\u2028Bo: Really.\n") == "Hello. Bo: I give up. Bo: Really."
