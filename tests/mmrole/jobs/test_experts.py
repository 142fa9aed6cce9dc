import json

import numpy as np
import pytest

from emotion.experts.trained_model import read_trained
from emotion.experts.trained_training import TrainingOptions
from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.experts import train_expert

pytest.importorskip("sklearn")

WORDS = {"happy": "好开心", "anger": "滚出去", "neutral": "星期三"}
OPTIONS = TrainingOptions(folds=2, fewest=1)


def write(path, count=6, show=None, start=0, **more):
    records = []
    for number in range(start, start + count):
        utterances = [
            {
                "utterance_id": f"{number}_{k}",
                "speaker": "AB"[k % 2],
                "text": f"{WORDS[label]}{chr(0x4E00 + number + k)}",
                "emotion": label,
                "sentiment": {"happy": "positive", "anger": "negative"}.get(label, label),
            }
            for k, label in enumerate(("happy", "anger", "neutral"))
        ]
        records.append({"dialogue_id": str(number), "utterances": utterances, **({"show": show} if show else {})})
    records[0]["utterances"][0] |= more
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_an_expert_is_trained_and_can_be_read(tmp_path):
    data = write(tmp_path / "d.jsonl")
    done = train_expert([data], out=tmp_path / "e.npz", options=OPTIONS)
    assert done.counts == {"inputs": 18, "done": 18, "failed": 0, "skipped": 0}
    model = read_trained(tmp_path / "e.npz")
    assert model.classes == ("happy", "anger", "neutral")
    assert model.header["data"][0]["name"] == "d.jsonl"
    assert model.header["counts"]["target"] == "emotion"
    assert model.sha256 == done.model.sha256
    # the context of the third utterance are the second and the first, the nearest first
    assert model.probabilities([("星期三", "滚出去", "好开心")]).argmax() == 2


def test_where_the_data_lie_does_not_matter(tmp_path):
    (tmp_path / "a").mkdir()
    first, second = write(tmp_path / "d.jsonl"), write(tmp_path / "a" / "d.jsonl")
    for data, out in ((first, "1.npz"), (second, "2.npz")):
        train_expert([data], out=tmp_path / out, options=OPTIONS)
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


def test_what_cannot_be_learned_from_is_counted(tmp_path):
    data = write(tmp_path / "d.jsonl", text="  ")
    done = train_expert([data], out=tmp_path / "e.npz", options=OPTIONS)
    assert (done.counts["skipped"], done.skipped) == (1, {"no_text": 1})
    for emotion, reason in ((None, "no_label"), ("bewildered", "invalid_label")):
        data = write(tmp_path / "d.jsonl", emotion=emotion)
        done = train_expert([data], out=tmp_path / "e.npz", options=OPTIONS)
        assert (done.counts["done"], done.skipped) == (17, {reason: 1})
        assert done.model.header["counts"]["left_out"] == {reason: 1}
    assert "1 of 18 true labels are not in cped-13" in done.notes[0]


def test_sentiments_and_other_label_sets(tmp_path):
    data = write(tmp_path / "d.jsonl")
    done = train_expert([data], out=tmp_path / "e.npz", target="sentiment", options=OPTIONS)
    assert done.model.labels.name == "sentiment-3"
    assert "upper" not in done.model.header["validation"]["scores"]  # sentiments have no sentiments
    done = train_expert([data], out=tmp_path / "e.npz", labels="meld-7", options=OPTIONS)
    assert done.model.classes == ("neutral", "joy", "anger")


def test_several_files_with_the_same_dialogue_ids(tmp_path):
    files = [write(tmp_path / "a.jsonl", show="A"), write(tmp_path / "b.jsonl", count=5, show="B")]
    done = train_expert(files, out=tmp_path / "e.npz", options=OPTIONS)
    assert done.model.header["validation"]["number_of_groups"] == 11
    done = train_expert(files, out=tmp_path / "e.npz", groups="show", options=OPTIONS)
    assert done.model.header["validation"]["number_of_groups"] == 2
    with pytest.raises(UsageError, match=r"b\.jsonl: holds the same as"):
        train_expert([files[1], files[1]], out=tmp_path / "e.npz", options=OPTIONS)


def test_an_interrupted_training_leaves_what_was_there(tmp_path):
    data, out = write(tmp_path / "d.jsonl"), tmp_path / "e.npz"
    train_expert([data], out=out, options=OPTIONS)
    before = out.read_bytes()
    steps = []
    train_expert([data], out=tmp_path / "count.npz", options=OPTIONS, tell=steps.append)
    assert len(steps) == 4  # reading, two folds, all
    for last in range(len(steps)):
        seen = []

        def tell(line, seen=seen, last=last):
            seen.append(line)
            if len(seen) > last:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train_expert([data], out=out, options=TrainingOptions(folds=2, fewest=1, seed=1), tell=tell)
        assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["count.npz", "d.jsonl", "e.npz"]


def test_nothing_else_is_written_over(tmp_path):
    data = write(tmp_path / "d.jsonl")
    (tmp_path / "notes.txt").write_text("mine")
    np.savez(tmp_path / "other.npz", x=np.zeros(1))
    for out, message in (
        (tmp_path, "is a folder: name the file to write, such as"),
        (data, "is the data to train on"),
        (tmp_path / "notes.txt", "is there already and is no trained expert"),
        (tmp_path / "other.npz", "is there already and is no trained expert"),
    ):
        with pytest.raises(UsageError, match=message):
            train_expert([data], out=out, options=OPTIONS)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_bad_input_is_told(tmp_path):
    data = write(tmp_path / "d.jsonl")
    with pytest.raises(UsageError, match="no label set 'cped'"):
        train_expert([data], out=tmp_path / "e.npz", labels="cped", options=OPTIONS)
    with pytest.raises(UsageError, match="--groups has to be one of dialogue, show, not 'speaker'"):
        train_expert([data], out=tmp_path / "e.npz", groups="speaker", options=OPTIONS)
    with pytest.raises(UsageError, match="dialogue '0' names no show: use --groups dialogue"):
        train_expert([data], out=tmp_path / "e.npz", groups="show", options=OPTIONS)
    with pytest.raises(UsageError, match="no data to train on"):
        train_expert([], out=tmp_path / "e.npz", options=OPTIONS)
    with pytest.raises(InputError, match=r"none\.csv"):
        train_expert([tmp_path / "none.csv"], out=tmp_path / "e.npz", options=OPTIONS)
    assert not (tmp_path / "e.npz").exists()


def test_a_device_is_no_place_for_an_expert(tmp_path):
    data = write(tmp_path / "d.jsonl")
    with pytest.raises(UsageError, match="/dev/zero is no file"):
        train_expert([data], out="/dev/zero", options=OPTIONS)


def test_what_is_endless_is_no_trained_expert():
    with pytest.raises(InputError, match="/dev/zero: no trained expert"):
        read_trained("/dev/zero")
