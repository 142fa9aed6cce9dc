import ast
import inspect
import re

import numpy as np
import pytest

from emotion.describers import body, face, words_en, words_zh
from emotion.describers.body import summarise_body
from emotion.describers.embedded import Words, describe_body, describe_face, describe_speech, speech_curves
from emotion.describers.face import summarise_face
from emotion.describers.findings import WHENS
from emotion.describers.measures import SpeechMeasures
from mmrole.core.languages import LANGUAGES

FLAT = tuple([0.0] * 20)


def speech(**changes):
    levels = {"speed_level": "normal", "pitch_level": "high", "volume_level": "very low"}
    curves = {"speed": FLAT, "pitch": tuple(np.linspace(-1, 1, 20)), "volume": FLAT, "reference": "speaker"}
    return SpeechMeasures(**{**levels, **curves, **changes})


def test_both_languages_have_a_word_for_everything():
    for name in ("FINDINGS", "PHRASES", "LEVELS", "UNMEASURED", "SHAPES"):
        english, chinese = getattr(words_en, name), getattr(words_zh, name)
        assert english.keys() == chinese.keys()
        for key, value in english.items():
            if isinstance(value, dict):
                assert value.keys() == chinese[key].keys()
            elif isinstance(value, tuple):
                assert [bool(word) for word in value] == [bool(word) for word in chinese[key]]
    assert set(WHENS) <= words_en.PHRASES.keys()
    # every text in the source of the rules that looks like a code of a finding is in the tables
    texts = {
        node.value
        for module in (face, body)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z]+(_[a-z]+)+", node.value)
    }
    landmarks = {
        f"{side}_{joint}" for side in ("left", "right") for joint in ("shoulder", "elbow", "wrist", "hip", "ear")
    }
    hands = {"hand_face", "hand_raised", "hand_out", "hand_front"}  # with _left, _right or _both behind them
    assert {f"{hand}_{side}" for hand in hands for side in ("left", "right", "both")} <= words_en.FINDINGS.keys()
    assert texts - landmarks - hands - {"at_times", "head_picture"} <= words_en.FINDINGS.keys()
    assert not re.search("[a-zA-Z]", "".join("".join(pair) for pair in words_zh.FINDINGS.values()))


def test_a_face_in_words(make_face):
    smile = [0] * 3 + [0.9] * 7
    summary = summarise_face(make_face(mouthSmile=smile, browInnerUp=0.5))
    assert describe_face(summary, "en") == (
        "Throughout, the inner brows are raised. From 0.6 s on, the mouth smiles broadly. The head faces the camera and keeps still."
    )
    assert describe_face(summary, "zh") == "始终眉头内侧上扬；从0.6秒起笑容明显；头部正对镜头、基本不动。"


def test_a_face_without_expression(make_face):
    summary = summarise_face(make_face(frames=40, pose=(0, [0] * 7 + [20] * 3, 0)))
    assert describe_face(summary, "en") == (
        "Brows, eyes and mouth show no clear expression. The head moves a little. "
        "In the last part, the head is turned to the picture's right. The face is seen in 25 % of the frames."
    )
    speaking = summarise_face(make_face(jawOpen=[0, 0.3] * 5))
    assert describe_face(speaking, "zh") == "始终嘴巴反复开合；眉、眼、嘴没有明显的表情；头部正对镜头、基本不动。"


def test_a_body_in_words(make_body):
    summary = summarise_body(make_body(left_wrist=(320, [300] * 5 + [120] * 5), left_shoulder=(250, 216)))
    assert describe_body(summary, "en") == (
        "Only the upper body is seen. The shoulder on the picture's left is higher and the body keeps almost still. "
        "In the last part, the left hand is raised above the shoulder."
    )
    assert describe_body(summary, "zh") == "画面中只见上半身；画面左侧的肩膀较高、身体几乎不动；后段左手举过肩膀。"


def test_speech_in_words():
    assert describe_speech(speech(), "en") == (
        "Compared with the speaker's other utterances, the speech is of medium speed and steady, the pitch is rather high and rises, "
        "the voice is very soft and steady."
    )
    assert (
        describe_speech(speech(), "zh")
        == "与该说话人的其他话语相比，语速适中且平稳，音调偏高且逐渐升高，音量很小且平稳。"
    )


def test_what_was_not_measured_is_said():
    unvoiced = speech(pitch_level=None, pitch=None, reference="corpus")
    assert "the pitch could not be measured" in describe_speech(unvoiced, "en")
    assert "音调无法测得" in describe_speech(unvoiced, "zh")
    short = speech(speed=(None,) * 16 + (0.1,) * 4)
    assert describe_speech(short, "zh").startswith("与该说话人的其他话语相比，语速适中，")
    assert not speech(speed_level=None, pitch_level=None, volume_level=None).measured


def test_a_pitch_outside_of_speech_is_no_pitch():
    volume = (*FLAT[:12], *[None] * 8)
    noisy = speech(pitch=(*FLAT[:12], *[None] * 4, 3.0, 3.0, 3.0, 3.0), volume=volume)
    assert speech_curves(noisy)["pitch"].shape == "steady"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_shape_and_pause_makes_a_sentence(language):
    words = Words(language)
    said = set()
    for level in words.levels["pitch"]:
        for gap in (0, 1, 2):
            volume = [0.0] * 20
            volume[5 : 5 + gap] = [None] * gap
            if gap == 2:
                volume[12] = None
            said.add(describe_speech(speech(pitch_level=level, volume=tuple(volume)), language))
    assert len(said) == 15
    assert all(each.endswith(words.phrases["end_mark"]) and "{" not in each for each in said)
