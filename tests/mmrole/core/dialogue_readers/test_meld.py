import pytest

from mmrole.core.dialogue_readers import DefectKind, read_data_set, read_dialogues
from mmrole.core.dialogue_readers.meld import split_of
from mmrole.core.errors import InputError

K = DefectKind


def test_all_fields_of_a_row(write, meld, meld_header):
    path = write([meld(3, 7, text="Well, no.")], name="dev_sent_emo.csv", header=meld_header)
    data = read_data_set(path)
    (dialogue,) = data.dialogues
    (utterance,) = dialogue.utterances
    assert (data.format, data.labels) == ("meld", "meld-7")
    assert (dialogue.dialogue_id, dialogue.season, dialogue.episode, dialogue.split) == ("dia3", "2", "5", "dev")
    assert (utterance.utterance_id, utterance.index) == ("dia3_utt7", 7)  # clips are dia3_utt7.mp4
    assert (utterance.speaker, utterance.emotion, utterance.sentiment) == ("Ann", "joy", "positive")
    assert (utterance.start_s, utterance.end_s) == (60.0, 62.5)


@pytest.mark.parametrize(
    ("name", "split"),
    [("train_sent_emo.csv", "train"), ("MELD.test.csv", "test"), ("val.csv", "dev"), ("latest.csv", None)],
)
def test_split_of(name, split):
    assert split_of(name) == split


@pytest.mark.parametrize(
    ("time", "seconds", "kind"),
    [("0:12:32,632", 752.632, None), ("00:06:47,28", 407.28, K.ODD_TIME), ("01:00:00,000", 3600.0, None)],
)
def test_times(write, meld, meld_header, time, seconds, kind):
    data = read_data_set(write([meld(end=time)], header=meld_header))
    assert data.dialogues[0].utterances[0].end_s == seconds
    assert set(data.report.counts) == ({kind} if kind else set())


@pytest.mark.parametrize("time", ["00:12:32.632", "00:12:32:14", "12:32,632", "00:72:32,632", "nan", ""])
def test_times_of_another_form_are_an_error_not_nan(write, meld, meld_header, time):
    path = write([meld(start=time)], header=meld_header)
    with pytest.raises(InputError, match=r"table\.csv, line 2: time .* is not HH:MM:SS,mmm"):
        read_dialogues(path)
    data = read_data_set(path)
    assert data.dialogues[0].utterances[0].start_s is None
    assert data.report.counts == {K.BAD_TIME: 1}


def test_a_row_without_numbers(write, meld, meld_header):
    path = write([meld(0, 0), meld("x", 1)], header=meld_header)
    with pytest.raises(InputError, match="line 3: Dialogue_ID 'x', Utterance_ID '1': no numbers"):
        read_dialogues(path)
    assert read_data_set(path).report.counts == {K.BAD_RECORD: 1}


def test_windows_1252_text_equals_the_repaired_one(write, meld, meld_header):
    right = read_dialogues(write([meld(text="Don’t…")], header=meld_header))
    old = write([meld(text="Don’t…")], name="old.csv", header=meld_header, encoding="cp1252")
    assert read_dialogues(old)[0].utterances == right[0].utterances
    assert read_data_set(old).report.counts == {K.CP1252_BYTE: 2}


def test_empty_cells(write, meld, meld_header):
    data = read_data_set(write([meld(speaker="", emotion="")], header=meld_header))
    assert data.report.counts == {K.EMPTY_FIELD: 1, K.NO_EMOTION: 1}


def test_without_times(write):
    header = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID"
    data = read_data_set(write(["1,Hi,Ann,joy,positive,0,0"], header=header))
    assert data.dialogues[0].utterances[0].start_s is None
    assert not data.report
