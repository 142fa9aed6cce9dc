import pytest

from emotion.metrics import erc
from emotion.recognition import join_predictions, predictions_of_records, score_recognition
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import label_set

ROWS = [
    ("d0", "u0", "joy", "positive"),
    ("d0", "u1", "surprise", "negative"),
    ("d1", "u2", "joy", "positive"),
    ("d1", "u3", None, None),
]
DIALOGUES = [
    Dialogue(
        dialogue_id=name,
        utterances=tuple(
            Utterance(utterance_id=u, speaker="A", text="", emotion=e, sentiment=s) for d, u, e, s in ROWS if d == name
        ),
    )
    for name in ("d0", "d1")
]


def predictions(**labels):
    return [{"utterance_id": u, "label": x} for u, x in labels.items()]


def test_joined_by_id_not_by_order():
    result = score_recognition(DIALOGUES, predictions(u2="joy", u0="anger"), "meld-7")
    wanted = erc(["joy", "surprise", "joy", None], ["anger", None, "joy", None], "meld-7")
    assert result.confusion.tolist() == wanted.confusion.tolist()
    assert result["accuracy"].value == pytest.approx(1 / 3)
    assert result["accuracy"].ci is not None
    assert result["coverage"].value == pytest.approx(2 / 3)
    assert result["accuracy"].excluded["no_truth"] == 1


def test_the_word_ambiguous_is_no_invalid_label():
    result = score_recognition(DIALOGUES, predictions(u0="ambiguous", u1="banana", u2=None), "meld-7", bootstrap=0)
    answered = result["accuracy_answered"]
    assert (answered.excluded["ambiguous"], answered.excluded["invalid"]) == (2, 1)


def test_sentiments_of_the_table():
    result = score_recognition(
        DIALOGUES, predictions(u0="positive", u1="negative", u2="neutral"), "sentiment-3", target="sentiment"
    )
    assert result["accuracy"].value == pytest.approx(2 / 3)


def test_maps_stand_in_the_definition():
    talk = Dialogue(dialogue_id="d", utterances=(Utterance(utterance_id="u", speaker="A", text="", emotion="exc"),))
    result = score_recognition(
        [talk], predictions(u="hap"), "iemocap-4", truth_map="iemocap-6-to-4", prediction_map="iemocap-6-to-4"
    )
    assert result["accuracy"].value == 1.0
    assert "maps=iemocap-6-to-4+iemocap-6-to-4" in result["accuracy"].definition
    with pytest.raises(UsageError, match="iemocap-6-to-4 maps to iemocap-4, the scores are of cped-13"):
        score_recognition([talk], predictions(u="hap"), truth_map="iemocap-6-to-4")


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (predictions(u0="joy", u9="joy"), "prediction 2: utterance id 'u9' is in no dialogue"),
        ([*predictions(u0="joy"), *predictions(u0="joy")], "prediction 2: a second prediction of 'u0'"),
        ([{"utterance_id": "u0"}], "prediction 1: a prediction is an object with utterance_id and label"),
        ([["u0", "joy"]], "prediction 1: a prediction is an object"),
        ([], "there are no predictions"),
    ],
)
def test_broken_predictions(records, message):
    with pytest.raises(InputError, match=message):
        score_recognition(DIALOGUES, records, "meld-7")


def test_broken_dialogues_and_usage():
    with pytest.raises(InputError, match="no dialogues"):
        score_recognition([], predictions(u0="joy"))
    with pytest.raises(InputError, match="'u0' is there in two dialogues"):
        score_recognition([*DIALOGUES, *DIALOGUES], predictions(u0="joy"))
    with pytest.raises(UsageError, match="target has to be"):
        score_recognition(DIALOGUES, predictions(u0="joy"), target="mood")


def test_records_say_why_there_is_no_label_and_are_read_back():
    joined = join_predictions(DIALOGUES, predictions(u0="surprised", u1="banana", u2=None), "meld-7")
    assert list(joined.records()) == [
        {"dialogue_id": "d0", "label": "surprise", "reason": None, "truth": "joy", "utterance_id": "u0"},
        {"dialogue_id": "d0", "label": None, "reason": "invalid", "truth": "surprise", "utterance_id": "u1"},
        {"dialogue_id": "d1", "label": None, "reason": "ambiguous", "truth": "joy", "utterance_id": "u2"},
        {"dialogue_id": "d1", "label": None, "reason": "no_prediction", "truth": None, "utterance_id": "u3"},
    ]
    again = predictions_of_records(joined.records(), label_set("meld-7"))
    assert list(again.records()) == list(joined.records())
    assert again.given.tolist() == [True, True, True, False]
    one, two = joined.score(bootstrap=20), again.score(bootstrap=20)
    assert dict(one) == dict(two)
    assert one.confusion.tolist() == two.confusion.tolist()


@pytest.mark.parametrize("record", [{"dialogue_id": "d"}, {"dialogue_id": "d", "label": "joy", "truth": "joy"}, 7])
def test_records_of_another_form(record):
    with pytest.raises(InputError, match="prediction 1: no prediction beside a true label"):
        predictions_of_records([record], label_set("meld-7"))
