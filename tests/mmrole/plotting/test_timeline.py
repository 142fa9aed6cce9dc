import pytest
from matplotlib.figure import Figure

from emotion.score_folder import read_score_folder
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set
from mmrole.plotting import TimelineDisplay
from mmrole.plotting.timeline_turns import TimelineTurn

CPED = label_set("cped-13")


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def test_from_report_and_from_folder(world):
    report, folder = world.reports["attentive"], read_score_folder(world.folder / "attentive")
    for dialogue in world.dialogues:
        one = TimelineDisplay.from_report(report, dialogue.dialogue_id)
        assert not hasattr(one, "ax_")
        other = TimelineDisplay.from_folder(folder, dialogue, name="attentive")
        assert one.turns == other.turns
        assert words(one.plot())[0] == f"dialogue {dialogue.dialogue_id}"
        assert words(other.plot())[0] == f"attentive   ·   dialogue {dialogue.dialogue_id}"
    assert one.rows_ == (*CPED.labels, "ambiguous", "no response")


def line_of(number, speaker):
    return Utterance(utterance_id=f"x_{number}", index=number, speaker=speaker, text="", emotion="happy")


@pytest.mark.parametrize(
    ("speakers", "said"),
    [
        ("ABC", "no predictions: in a dialogue of one speaker or of more than two: not scored"),
        ("AB", "no predictions: responses that nobody voted on"),
        ("A其", "no predictions: of a speaker who is no role"),
    ],
)
def test_a_dialogue_without_predictions_says_why(world, speakers, said):
    names = {"A": "Ann", "B": "Bo", "C": "Cy", "其": "其他"}
    dialogue = Dialogue(dialogue_id="x", utterances=tuple(line_of(n, names[each]) for n, each in enumerate(speakers)))
    display = TimelineDisplay.from_folder(read_score_folder(world.folder / "attentive"), dialogue).plot()
    assert said in words(display)
    assert TimelineDisplay(display.turns).plot().ax_.texts  # of turns alone nobody knows why


def test_a_dialogue_with_predictions_says_nothing_of_the_kind(world):
    for dialogue in world.dialogues:
        display = TimelineDisplay.from_report(world.reports["attentive"], dialogue.dialogue_id).plot()
        assert not any(text.startswith("no predictions") for text in words(display))


def test_from_predictions_of_another_label_set(world):
    display = TimelineDisplay.from_predictions(world.dialogues[0], {"d1_0": "joy"}, labels="meld-7").plot()
    assert display.rows_[:7] == label_set("meld-7").labels
    assert display.turns[0].prediction == (label_set("meld-7").code("joy"),)


def test_in_chinese(world, with_chinese_font):
    display = TimelineDisplay.from_report(world.reports["attentive"], "d2", lang="zh").plot()
    assert display.rows_ == (*CPED.display_names("zh"), "不明确", "无回应")
    assert {"对话 d2", "真值", "预测", "缺少话语", "Bo", "正面", "话语"} <= set(words(display))


def test_it_is_drawn_on_axes_of_others_with_smaller_letters():
    figure = Figure(figsize=(6, 3))
    first, second = figure.subplots(1, 2)
    display = TimelineDisplay([TimelineTurn(role="Ann", truth=(0,))]).plot(second)
    assert display.ax_ is second
    assert not first.texts
    label = next(text for text in second.texts if text.get_text() == "happy")
    assert label.get_fontsize() < 9


def test_no_turns_are_refused():
    with pytest.raises(UsageError, match="at least one turn"):
        TimelineDisplay([])
