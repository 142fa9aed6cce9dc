import json

import pytest

from emotion.experts.expert import BASELINE_NOTE
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import label_set
from mmrole.jobs.erc import erc_files
from mmrole.jobs.fused_votes import FusedVotes, are_votes
from mmrole.jobs.voters import Electors

LABELS = label_set("cped-13")


def vote(utterance_id, stream, expert, label, number=0, **more):
    return {"utterance_id": utterance_id, "stream": stream, "expert": expert, "round": number, "label": label, **more}


@pytest.fixture
def votes(tmp_path):
    def write(*records):
        path = tmp_path / "votes.jsonl"
        path.write_text("\n" + "".join(json.dumps(record) + "\n" for record in records), "utf-8")
        return path

    return write


def fused(*args, **more):
    return {record["utterance_id"]: record["label"] for record in FusedVotes(*args, **more)}


def test_the_stream_all_decides_where_there_is_one(votes):
    path = votes(
        vote("a", "all", "x", "happy"), vote("a", "all", "y", "happy"), vote("a", "face", "x", "anger"),
        vote("b", "all", "x", "happy"), vote("b", "all", "y", "anger"), vote("c", "face", "x", "fear"),
    )  # fmt: skip
    assert FusedVotes(path, LABELS).fused_from == "all"
    # by hand: 2 of 2; 1 of 2 is less than 7/10; no vote of the stream all
    assert fused(path, LABELS) == {"a": "happy", "b": None}
    assert fused(path, LABELS, stream="face") == {"a": "anger", "c": "fear"}
    assert fused(path, LABELS, electors=Electors(experts=("y",))) == {"a": "happy", "b": "anger"}


def test_otherwise_the_votes_of_all_streams_are_put_together(votes):
    path = votes(
        vote("a", "face", "x", "happy"), vote("a", "text", "y", "happy", note=BASELINE_NOTE), vote("a", "body", "z", None),
        vote("b", "face", "x", "happy"), vote("b", "text", "y", None), vote("b", "body", "z", "banana"),
    )  # fmt: skip
    found = FusedVotes(path, LABELS)
    # by hand: 2 of 2 valid of 3; 1 valid of 3 is fewer than half
    assert fused(path, LABELS) == {"a": "happy", "b": None}
    assert (found.fused_from, found.cast, found.invalid) == ("pooled", 6, 1)
    assert any("1 of the votes are of baselines" in note for note in found.notes)
    assert found.place(1) == f"{path}, line 5"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            {"electors": Electors(experts=("nobody",))},
            InputError,
            "no vote of the expert 'nobody'; there are experts x",
        ),
        ({"stream": "face"}, InputError, "no vote of the stream 'face'"),
        ({"stream": "smell"}, UsageError, "not 'smell'"),
    ],
)
def test_votes_that_are_not_there(votes, given, error, message):
    path = votes(vote("a", "all", "x", "happy"))
    with pytest.raises(error, match=message):
        FusedVotes(path, LABELS, **given)


def test_what_votes_are(votes, tmp_path):
    assert are_votes(votes(vote("a", "all", "x", "happy")))
    assert not are_votes(votes({"utterance_id": "a", "label": "happy"}))
    (tmp_path / "p.csv").write_text("utterance_id,label,expert,round\n")
    assert not are_votes(tmp_path / "p.csv")
    assert not are_votes(tmp_path / "nowhere")


def test_votes_on_clips_are_scored(world, votes, tmp_path):
    said = {name: label for name, label in world.predictions.items() if label != "bewildered"}
    path = votes(*(vote(name, "all", "x", label, note=BASELINE_NOTE) for name, label in said.items()))
    run = erc_files(world.path, path, out=tmp_path / "out", bootstrap=0)
    # by hand: d1_0, d1_2, d1_5, d2_0, d2_1 are right, of ten utterances
    assert run.result["accuracy"].value == 0.5
    assert run.counts["inputs"] == 8
    assert any("of baselines, not for reporting" in note for note in run.notes)
    settings = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["settings"]
    assert (settings["fused_from"], settings["votes_of"]) == ("all", {"experts": None, "baselines": True})


def test_an_expert_of_what_holds_no_votes(world, tmp_path):
    (tmp_path / "p.csv").write_text("utterance_id,label\nd1_0,happy\n")
    with pytest.raises(UsageError, match="holds no votes"):
        erc_files(world.path, tmp_path / "p.csv", out=tmp_path / "out", experts=["x"])


def test_votes_on_responses_are_no_predictions_of_clips(world, votes, tmp_path):
    with pytest.raises(InputError, match="line 2: utterance id 'd1_1/0' is in no dialogue"):
        erc_files(world.path, votes(vote("d1_1/0", "all", "x", "happy")), out=tmp_path / "out")


def test_recognition_without_baselines(world, votes, tmp_path):
    path = votes(vote("d1_0", "all", "x", "happy"), vote("d1_0", "all", "y", "anger", note=BASELINE_NOTE))
    run = erc_files(world.path, path, out=tmp_path / "out", baselines=False, bootstrap=0)
    assert not any("baselines" in note for note in run.notes)
    assert json.loads((tmp_path / "out" / "labels.jsonl").read_text("utf-8").splitlines()[0])["label"] == "happy"
