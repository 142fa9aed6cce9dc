import pytest

from emotion.evaluate import score
from emotion.score_folder import read_score_folder
from mmrole.core.errors import InputError
from mmrole.core.label_maps import label_map
from mmrole.core.labels import INVALID, MISSING, label_set
from mmrole.jobs.score import score_files
from mmrole.plotting.timeline_turns import turns_of_folder, turns_of_predictions, turns_of_responses

CPED = label_set("cped-13")


def named(turns):
    """Role, truth, prediction and breaks of turns, with the labels' names."""

    def name(code):
        return CPED.labels[code] if code >= 0 else {MISSING: None, INVALID: "invalid"}[code]

    return [(t.role, [*map(name, t.truth)], [*map(name, t.prediction)], t.breaks, t.prediction_breaks) for t in turns]


# by hand from the world
FIRST = [
    ("Ann", ["happy"], [], (), ()),
    ("Bo", ["anger", "sadness"], ["anger", "anger"], (), (0,)),
    ("Ann", ["happy", "happy"], ["happy", "happy", "relaxed"], (), (0,)),
    ("Bo", ["neutral"], ["neutral"], (), (0,)),
]
SECOND = [
    ("Bo", ["anger"], [], (), ()),
    ("Ann", ["happy", "relaxed"], ["happy", None], (1,), (0, 1)),  # the gap of the turn breaks the response, too
    ("Bo", ["anger"], [], (), ()),
]


def test_a_report(world):
    responses = world.reports["attentive"].responses
    assert named(turns_of_responses(responses, "d1")) == FIRST
    assert named(turns_of_responses(responses, "d2")) == SECOND
    assert [turn.width for turn in turns_of_responses(responses, "d1")] == [1, 2, 3, 1]
    # the first turn is given, it is no response that is missing as that to d2's last turn is
    assert [turn.asked for turn in turns_of_responses(responses, "d2")] == [False, True, True]
    with pytest.raises(InputError, match="there is no dialogue 'd3'; there are 2: d1, d2"):
        turns_of_responses(responses, "d3")


def test_a_folder_is_as_its_report(world):
    folder = read_score_folder(world.folder / "attentive")
    for dialogue, expected in zip(world.dialogues, (FIRST, SECOND), strict=True):
        assert named(turns_of_folder(folder, dialogue)) == expected


def test_votes_of_several_streams_are_put_together_as_in_the_scores(world, tmp_path):
    # without a stream `all` seven of ten votes have to agree over the streams
    (tmp_path / "v.jsonl").write_text(
        "".join(
            f'{{"utterance_id": "d1_1/0", "stream": "{stream}", "expert": "e", "round": {k}, "label": "{label}"}}\n'
            for stream, labels in (("face", ["anger"] * 5), ("body", ["anger", "anger", "fear", "fear", "fear"]))
            for k, label in enumerate(labels)
        )
    )
    score_files(world.path, tmp_path / "v.jsonl", out=tmp_path / "out", bootstrap=0)
    turns = turns_of_folder(read_score_folder(tmp_path / "out"), world.dialogues[0])
    assert named(turns)[1][2] == ["anger"]
    # a dialogue without any label
    assert [turn.prediction for turn in turns_of_folder(read_score_folder(tmp_path / "out"), world.dialogues[1])] == [
        ()
    ] * 3


def test_a_folder_of_recognition(world):
    first, second = (named(turns_of_folder(read_score_folder(world.folder / "recognised"), d)) for d in world.dialogues)
    assert first == [
        ("Ann", ["happy"], ["happy"], (), ()),
        ("Bo", ["anger", "sadness"], ["sadness", "sadness"], (), ()),
        ("Ann", ["happy", "happy"], [None, "invalid"], (), ()),
        ("Bo", ["neutral"], ["neutral"], (), ()),
    ]
    # d2_4 was not predicted; the response is cut where an utterance is missing
    assert second[1:] == [("Ann", ["happy", "relaxed"], ["happy", "happy"], (1,), (1,)), ("Bo", ["anger"], [], (), ())]


def test_plain_predictions(world):
    said = {"d1_1/0": "fear", "d1_1/1": None, "d1_3": "surprised", "d2_0": "huh"}
    turns = named(turns_of_predictions(world.dialogues[0], said, CPED))
    assert [turn[2] for turn in turns] == [[], ["fear", None], ["astonished", None], []]
    assert named(turns_of_predictions(world.dialogues[1], said, CPED))[0][2] == ["invalid"]


def test_the_truth_goes_through_a_map(world):
    mapping = label_map("iemocap-6-to-4")
    turns = turns_of_predictions(world.dialogues[0], {}, mapping.target, truth_map=mapping)
    # happiness is happy there; there is no anger in `cped` spelling that the map does not know
    names = [[mapping.target.labels[c] if c >= 0 else c for c in turn.truth] for turn in turns]
    assert names == [
        [
            mapping.resolve(u.emotion) if mapping.code(u.emotion) >= 0 else mapping.code(u.emotion)
            for u in turn.utterances
        ]
        for turn in world.dialogues[0].turns
    ]


def test_votes_on_the_clips_themselves(world):
    votes = [
        {"utterance_id": name, "stream": "all", "expert": "e", "round": k, "label": "happy"}
        for name in ("d2_1", "d2_3")
        for k in range(2)
    ]
    report = score(world.dialogues, votes, bootstrap=0)
    # an utterance is missing between the two
    assert named(turns_of_responses(report.responses, "d2"))[1] == (
        "Ann", ["happy", "relaxed"], ["happy", "happy"], (1,), (0, 1),
    )  # fmt: skip
