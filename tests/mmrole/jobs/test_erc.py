import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.manifest import read_manifest
from mmrole.jobs.erc import erc_files


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_scores_by_hand(world):
    run = erc_files(world.path, world.folder / "p.jsonl", out=world.folder / "erc", bootstrap=0, without=["neutral"])
    # ten utterances; right: d1_0, d1_2, d1_5, d2_0, d2_1; wrong: d1_1, d2_3; ambiguous d1_3, invalid d1_4, none d2_4
    assert run.result["accuracy"].value == 0.5
    assert run.result["accuracy_answered"].value == pytest.approx(5 / 7)
    assert run.result["coverage"].value == 0.7
    assert run.counts == {"inputs": 9, "done": 9, "failed": 0, "skipped": 0}
    assert run.notes == ["1 of 10 utterances have no prediction; they count as ambiguous ones do"]
    assert run.result["weighted_f1_without"].definition.endswith("without=neutral")
    records = [json.loads(line) for line in (world.folder / "erc" / "labels.jsonl").read_text().splitlines()]
    reasons = {record["utterance_id"]: record["reason"] for record in records if record["reason"]}
    assert reasons == {"d1_3": "ambiguous", "d1_4": "invalid", "d2_4": "no_prediction"}
    confusion = json.loads((world.folder / "erc" / "confusion.json").read_text())
    assert confusion["erc"]["counts"] == run.result.confusion.tolist()
    assert confusion["erc"]["columns"] == [*confusion["erc"]["rows"], "ambiguous", "invalid"]
    rows = [json.loads(line) for line in (world.folder / "erc" / "scores.jsonl").read_text().splitlines()]
    assert rows == [score.to_record() for score in run.result.values()]


def test_a_table_gives_what_the_records_give(world, tmp_path):
    lines = ["utterance_id,label", *(f"{name},{label or ''}" for name, label in world.predictions.items())]
    (tmp_path / "p.csv").write_text("\n".join(lines), "utf-8-sig")
    run = erc_files(world.path, tmp_path / "p.csv", out=tmp_path / "o", bootstrap=20)
    wanted = erc_files(world.path, world.folder / "p.jsonl", out=tmp_path / "w", bootstrap=20)
    assert dict(run.result) == dict(wanted.result)


def test_sentiments_and_levels(world, tmp_path):
    upper = erc_files(world.path, world.folder / "p.jsonl", out=tmp_path / "u", bootstrap=0, level="upper")
    # d1_1 (anger, said sadness) and d2_3 (relaxed, said happy) are right now
    assert upper.result["accuracy"].value == 0.7
    assert json.loads((tmp_path / "u" / "confusion.json").read_text())["labels"] == ["positive", "neutral", "negative"]
    none = erc_files(
        world.path, world.folder / "p.jsonl", out=tmp_path / "n", labels="meld-7", level="upper", bootstrap=0
    )
    assert {score.reason for score in none.result.values()} == {"no_sentiment_map"}
    assert json.loads((tmp_path / "n" / "confusion.json").read_text())["erc"] is None
    assert "no_sentiment_map" in (tmp_path / "n" / "scores.md").read_text("utf-8")


def test_one_stream_of_a_file(world, tmp_path):
    rows = [{"utterance_id": "d1_0", "stream": stream, "label": "happy"} for stream in ("all", "face")]
    path = write(tmp_path / "p.jsonl", rows)
    run = erc_files(world.path, path, out=tmp_path / "o", stream="face", bootstrap=0)
    assert run.counts["inputs"] == 1
    assert read_manifest(tmp_path / "o" / "manifest.json")["settings"]["stream"] == "face"
    with pytest.raises(InputError, match=r"p\.jsonl, line 2: a second prediction of 'd1_0'"):
        erc_files(world.path, path, out=tmp_path / "o")


def test_bad_input_names_file_and_line(world, tmp_path):
    path = write(
        tmp_path / "p.jsonl", [{"utterance_id": "d1_0", "label": "happy"}, {"utterance_id": "d7", "label": "happy"}]
    )
    with pytest.raises(InputError, match=r"p\.jsonl, line 2: utterance id 'd7' is in no dialogue"):
        erc_files(world.path, path, out=tmp_path / "o")
    with pytest.raises(UsageError, match="'joy' is no label of cped-13"):
        erc_files(world.path, world.folder / "p.jsonl", out=tmp_path / "o", without=["joy"])
    with pytest.raises(UsageError, match="from 0, not -2"):
        erc_files(world.path, world.folder / "p.jsonl", out=tmp_path / "o", bootstrap=-2)
