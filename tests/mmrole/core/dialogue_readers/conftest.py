"""Small tables with the same kinds of defects as the published ones, made here."""

import pytest

CPED_HEADER = (
    "TV_ID,Dialogue_ID,Utterance_ID,Speaker,Gender,Age,Neuroticism,Extraversion,Openness,Agreeableness,"
    "Conscientiousness,Scene,FacePosition_LU,FacePosition_RD,Sentiment,Emotion,DA,Utterance"
)
MELD_HEADER = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime"


def cped_row(number=0, dialogue="7_000", **cells):
    """A row without defects, except for what the cells say."""
    row = {
        "TV_ID": "7", "Dialogue_ID": dialogue, "Utterance_ID": f"{dialogue}_{number:03d}", "Speaker": "小林",
        "Gender": "female", "Age": "young", "Neuroticism": "low", "Extraversion": "high", "Openness": "high",
        "Agreeableness": "high", "Conscientiousness": "high", "Scene": "home", "FacePosition_LU": "10_20",
        "FacePosition_RD": "30_60", "Sentiment": "neutral", "Emotion": "neutral", "DA": "greeting", "Utterance": "你好",
    }  # fmt: skip
    assert cells.keys() <= row.keys()
    row.update(cells)
    return ",".join(row.values())


def meld_row(dialogue=0, number=0, text="Hello there.", speaker="Ann", start="00:01:00,000", end="00:01:02,500",
             emotion="joy", sentiment="positive"):  # fmt: skip
    return f'1,"{text}",{speaker},{emotion},{sentiment},{dialogue},{number},2,5,"{start}","{end}"'


@pytest.fixture
def write(tmp_path):
    def write(rows, name="table.csv", header=CPED_HEADER, end="\n", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes((end.join([header, *rows]) + end).encode(encoding))
        return path

    return write


@pytest.fixture
def cped():
    return cped_row


@pytest.fixture
def meld():
    return meld_row


@pytest.fixture
def meld_header():
    return MELD_HEADER
