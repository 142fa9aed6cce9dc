import pytest

from mmrole.core.dialogue_readers import DefectKind, read_data_set, read_dialogues
from mmrole.core.errors import InputError

K = DefectKind


def one(write, row, **options):
    data = read_data_set(write([row], **options))
    return data.dialogues[0].utterances[0], data.report


def test_all_fields_of_a_row(write, cped):
    dialogue = read_dialogues(write([cped(3)], encoding="utf-8-sig"))[0]
    (utterance,) = dialogue.utterances
    assert (dialogue.dialogue_id, dialogue.show) == ("7_000", "7")
    assert utterance.utterance_id == "7_000_003"
    assert utterance.index == 3
    assert (utterance.speaker, utterance.text, utterance.gender, utterance.age) == ("小林", "你好", "female", "young")
    assert (utterance.emotion, utterance.sentiment, utterance.dialogue_act) == ("neutral", "neutral", "greeting")
    assert utterance.scene == "home"
    assert utterance.face_box_px == (10, 20, 30, 60)
    assert utterance.traits["Neuroticism"] == "low"
    assert utterance.start_s is None


@pytest.mark.parametrize(
    ("corner", "opposite", "box", "kind"),
    [
        ("0_0", "0_0", None, K.NO_FACE),
        (" 0_0", "0_0", None, K.NO_FACE),
        ("", "", None, K.EMPTY_FACE_FIELD),
        ("5_5", "", None, K.EMPTY_FACE_FIELD),
        ("5", "7_7", None, K.BAD_FACE_FIELD),
        ("a_b", "7_7", None, K.BAD_FACE_FIELD),
        ("1_2_3", "7_7", None, K.BAD_FACE_FIELD),
        ("9_5", "7_7", None, K.INVERTED_FACE_BOX),
        ("5_9", "7_7", None, K.INVERTED_FACE_BOX),
        ("5_5", "5_5", None, K.EMPTY_FACE_BOX),
        ("5_5", "9_5", None, K.EMPTY_FACE_BOX),
        (" 5_6", "7_8", (5, 6, 7, 8), K.SPACES_IN_FIELD),
        ("0_0", "7_8", (0, 0, 7, 8), None),
    ],
)
def test_face_boxes(write, cped, corner, opposite, box, kind):
    utterance, report = one(write, cped(FacePosition_LU=corner, FacePosition_RD=opposite))
    assert utterance.face_box_px == box
    assert set(report.counts) >= ({kind} if kind else set())
    if kind is None:
        assert not report


def test_unknown_attributes_are_none(write, cped):
    utterance, _ = one(write, cped(Gender="unknown", Age="unknown", Neuroticism="unknown", Openness="unknown"))
    assert (utterance.gender, utterance.age) == (None, None)
    assert set(utterance.traits) == {"Extraversion", "Agreeableness", "Conscientiousness"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("None", K.MISSING_WORD_AS_TEXT),
        ("NA", K.MISSING_WORD_AS_TEXT),
        ("null", K.MISSING_WORD_AS_TEXT),
        ("2000", K.NUMBER_ONLY_TEXT),
        ("２０００", K.NUMBER_ONLY_TEXT),
        ("你好 ", K.SPACES_IN_TEXT),
        ("你\u3000好", K.WIDE_SPACE_IN_TEXT),
        ('"你\n好"', K.LINE_BREAK_IN_FIELD),
        ("", K.EMPTY_TEXT),
    ],
)
def test_odd_texts_are_kept_and_counted(write, cped, text, kind):
    utterance, report = one(write, cped(Utterance=text))
    assert utterance.text == text.strip('"')
    assert report.counts == {kind: 1}
    assert report.first[kind][0].place == "7_000_000"


def test_spaces_around_fields_are_removed_with_a_note(write, cped):
    utterance, report = one(write, cped(Speaker=" 小林", Emotion="happy ", Utterance_ID="7_000_004 "))
    assert (utterance.speaker, utterance.emotion, utterance.utterance_id) == ("小林", "happy", "7_000_004")
    assert report.counts == {K.SPACES_IN_FIELD: 3}


def test_every_row_with_spaces_is_counted(write, cped):
    report = read_data_set(write([cped(i, Speaker="小林 ") for i in range(30)])).report
    assert report.counts == {K.SPACES_IN_FIELD: 30}
    assert len(report.first[K.SPACES_IN_FIELD]) == 20


def test_rows_are_counted_by_the_parser_not_by_lines(write, cped):
    rows = [cped(0, Utterance='"一\n二"'), cped(1)]
    for end in ("\n", "\r\n"):
        dialogues = read_dialogues(write(rows, end=end))
        assert [u.utterance_id for u in dialogues[0].utterances] == ["7_000_000", "7_000_001"]


def test_empty_speaker_emotion_and_sentiment(write, cped):
    utterance, report = one(write, cped(Speaker="", Emotion="", Sentiment=""))
    assert (utterance.speaker, utterance.emotion, utterance.sentiment) == ("", None, None)
    assert report.counts == {K.EMPTY_FIELD: 1, K.NO_EMOTION: 1}


def test_ids_of_another_form(write, cped):
    rows = [cped(Utterance_ID="7_001_000"), cped(Utterance_ID="7_000_x")]
    data = read_data_set(write(rows))
    assert data.report.counts[K.ID_MISMATCH] == 2
    assert [u.index for u in data.dialogues[0].utterances] == [0, None]


def test_a_second_utterance_of_one_id(write, cped):
    path = write([cped(0), cped(1), cped(0, Utterance="又")])
    with pytest.raises(InputError, match=r"table\.csv, line 4: utterance id '7_000_000' is there a second time"):
        read_dialogues(path)
    data = read_data_set(path)
    assert data.report.counts == {K.DUPLICATE_UTTERANCE: 1}
    assert [u.text for u in data.dialogues[0].utterances] == ["你好", "你好"]


@pytest.mark.parametrize("cells", [{"Utterance_ID": " "}, {"Dialogue_ID": ""}])
def test_a_row_without_an_id(write, cped, cells):
    path = write([cped(0), cped(1, **cells)])
    with pytest.raises(InputError, match=r"table\.csv, line 3: no (utterance|dialogue) id"):
        read_dialogues(path)
    assert read_data_set(path).report.counts == {K.BAD_RECORD: 1}


def test_order_of_rows(write, cped):
    rows = [cped(0), cped(0, "7_001"), cped(2), cped(1)]
    data = read_data_set(write(rows))
    assert [d.dialogue_id for d in data.dialogues] == ["7_000", "7_001"]
    assert data.report.counts == {K.SCATTERED_DIALOGUE: 1, K.OUT_OF_ORDER: 1}


def test_a_dialogue_of_two_shows(write, cped):
    report = read_data_set(write([cped(0), cped(1, TV_ID="8")])).report
    assert report.counts == {K.CONFLICTING_EPISODE: 1}
    assert "show 8 after 7" in report.lines()[0]


def test_only_the_needed_columns(write):
    path = write(["d,d_0,A,hi"], header="Dialogue_ID,Utterance_ID,Speaker,Utterance")
    data = read_data_set(path)
    (utterance,) = data.dialogues[0].utterances
    assert (utterance.emotion, utterance.gender, utterance.face_box_px, utterance.traits) == (None, None, None, {})
    assert not data.report
