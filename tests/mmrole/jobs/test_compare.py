import csv
import json
import shutil

import pytest

from emotion.compare import paired_differences
from emotion.options import ScoreOptions
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.core.manifest import read_manifest
from mmrole.jobs.compare import compare
from mmrole.jobs.erc import erc_files
from mmrole.jobs.score import score_files


def jsonl(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_differences_are_those_of_the_library(world, tmp_path):
    run = compare([world.folder / "attentive", world.folder / "happy"], out=tmp_path / "o", bootstrap=30, seed=4)
    wanted = paired_differences(world.reports["attentive"], world.reports["happy"], bootstrap=30, seed=4)
    [pair] = run.comparison.pairs
    assert (pair.first, pair.second) == ("attentive", "happy")
    # invalid votes are not kept in labels.jsonl; there are none here
    assert [row.to_record() for row in pair.scores] == [row.to_record() for row in wanted]
    records = jsonl(tmp_path / "o" / "differences.jsonl")
    assert records[0] == {"first_run": "attentive", "second_run": "happy", **wanted[0].to_record()}
    # by hand, on the four turns that both answered: happy is right in d1_3 and d2_1: TP 2, FP 2, FN 4 -> 4 / 10
    mec = wanted[0]
    assert (mec.metric, mec.part, mec.n) == ("mec", "lower", 4)
    assert mec.details == {"first": pytest.approx(8 / 11), "second": pytest.approx(0.4)}
    assert mec.excluded["only_in_second"] == 1


def test_what_is_written(world, tmp_path):
    run = compare([world.folder / "attentive", world.folder / "happy"], out=tmp_path / "o", bootstrap=0)
    names = {path.name for path in (tmp_path / "o").iterdir()} - {".lock"}
    assert names == {"table.md", "table.tex", "table.csv", "differences.jsonl", "manifest.json"}
    rows = list(csv.DictReader((tmp_path / "o" / "table.csv").read_text("utf-8-sig").splitlines()))
    assert [row["run"] for row in rows] == ["attentive", "happy"]
    assert float(rows[0]["MEC lower"]) == run.comparison.runs[0].scores[0].value
    manifest = read_manifest(tmp_path / "o" / "manifest.json")
    assert [entry["name"] for entry in manifest["settings"]["runs"]] == ["attentive", "happy"]
    assert "| attentive | 4 of 5 | **0.727**" in (tmp_path / "o" / "table.md").read_text("utf-8")


def test_the_same_again_byte_by_byte(world, tmp_path):
    for name in ("a", "b"):
        compare([world.folder / "happy", world.folder / "attentive"], out=tmp_path / name, bootstrap=20)
    for name in ("table.md", "table.tex", "table.csv", "differences.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_three_runs(world, tmp_path):
    folders = [world.folder / "attentive", world.folder / "happy", tmp_path / "x" / "happy"]
    shutil.copytree(world.folder / "happy", folders[2])
    run = compare(folders, out=tmp_path / "o", bootstrap=0)
    names = [entry.name for entry in run.comparison.runs]
    assert [name.split("/")[-1] for name in names] == ["attentive", "happy", "happy"]
    assert len(set(names)) == 3
    assert [(p.first, p.second) for p in run.comparison.pairs] == [(names[0], names[1]), (names[0], names[2])]
    every = compare(folders, out=tmp_path / "o", bootstrap=0, all_pairs=True, names=["A", "B", "C"])
    assert [(p.first, p.second) for p in every.comparison.pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert {row.value for row in every.comparison.pairs[2].scores} <= {0.0, None}


def test_recognisers(world, tmp_path):
    better = {**world.predictions, "d1_3": "happy", "d1_4": "happy"}
    path = write(tmp_path / "p.jsonl", [{"utterance_id": name, "label": label} for name, label in better.items()])
    erc_files(world.path, path, out=tmp_path / "better", bootstrap=0)
    run = compare([world.folder / "recognised", tmp_path / "better"], out=tmp_path / "o", bootstrap=50)
    rows = {row.part: row for row in run.comparison.pairs[0].scores}
    assert rows["accuracy"].value == pytest.approx(2 / 9)  # two more of the nine that both have
    assert rows["accuracy_answered"].value == 0.0  # on the seven that both answered nothing changed
    assert rows["accuracy_answered"].excluded["not_answered_in_both"] == 2


def test_recognisers_without_a_map_to_sentiments(world, tmp_path):
    for name in ("a", "b"):
        erc_files(
            world.path, world.folder / "p.jsonl", out=tmp_path / name, labels="meld-7", level="upper", bootstrap=0
        )
    run = compare([tmp_path / "a", tmp_path / "b"], out=tmp_path / "o")
    assert run.comparison.pairs[0].scores == []
    assert "The two runs have no score in common." in (tmp_path / "o" / "table.md").read_text("utf-8")


def test_judgements_are_compared_too(world, tmp_path):
    for name, sides in (("a", ("supporting", "contradicting")), ("b", ("supporting", "supporting"))):
        records = [
            {"utterance_id": turn, "aspect": "exp", "judge": "j", side: [{"quote": "q"}]}
            for turn, side in zip(("d1_1", "d2_1"), sides, strict=True)
        ]
        votes = world.folder / "attentive.jsonl"
        score_files(world.path, votes, out=tmp_path / name, judgements=write(tmp_path / "j", records), bootstrap=0)
    run = compare([tmp_path / "a", tmp_path / "b"], out=tmp_path / "o", bootstrap=100)
    row = run.comparison.pairs[0].scores[-1]
    assert (row.metric, row.value, row.n) == ("exp", 2.0, 2)  # (5 + 1) / 2 and (5 + 5) / 2
    assert row.ci == (0.0, 4.0)  # the dialogues differ by 0 and by 4


def test_dialogues_that_were_moved(world, tmp_path):
    path = tmp_path / "dialogues.jsonl"
    shutil.copy(world.path, path)
    for name in ("attentive", "happy"):
        score_files(path, world.folder / f"{name}.jsonl", out=tmp_path / name, bootstrap=0)
    folders = [tmp_path / "attentive", tmp_path / "happy"]
    path.rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"dialogues\.jsonl, the dialogues .* say with --dialogues where the file is"):
        compare(folders, out=tmp_path / "o")
    run = compare(folders, out=tmp_path / "o", dialogues=tmp_path / "elsewhere", bootstrap=0)
    assert run.comparison.pairs[0].scores[0].n == 4
    (tmp_path / "other").write_bytes(world.path.read_bytes() + b"\n")
    with pytest.raises(
        InputError, match=r"other is another file than the dialogues\.jsonl that the runs were scored on"
    ):
        compare(folders, out=tmp_path / "o", dialogues=tmp_path / "other")
    with pytest.raises(InputError, match="nowhere: there is no such file"):
        compare(folders, out=tmp_path / "o", dialogues=tmp_path / "nowhere")


def test_runs_that_cannot_be_compared(world, tmp_path):
    first, votes = world.folder / "attentive", world.folder / "happy.jsonl"
    score_files(world.path, votes, out=tmp_path / "loose", options=ScoreOptions(min_transitions=3), bootstrap=0)
    with pytest.raises(InputError, match="scored with different options: min_transitions 10 and 3; score them alike"):
        compare([first, tmp_path / "loose"], out=tmp_path / "o")
    score_files(world.path, votes, out=tmp_path / "meld", labels="meld-7", bootstrap=0)
    with pytest.raises(InputError, match="with the label sets cped-13 and meld-7"):
        compare([first, tmp_path / "meld"], out=tmp_path / "o")
    longer = tmp_path / "longer.jsonl"
    longer.write_bytes(world.path.read_bytes() + b"\n")
    score_files(longer, votes, out=tmp_path / "longer", bootstrap=0)
    with pytest.raises(InputError, match="on different dialogues"):
        compare([first, tmp_path / "longer"], out=tmp_path / "o")
    with pytest.raises(InputError, match="results of mmrole score and mmrole erc"):
        compare([first, world.folder / "recognised"], out=tmp_path / "o")


def test_usage(world, tmp_path):
    first, second = world.folder / "attentive", world.folder / "happy"
    for folders, options, message in (
        ([first], {}, "two folders or more"),
        ([first, first], {}, "attentive is named twice"),
        ([first, second], {"names": ["x"]}, "1 names were given for 2 folders"),
        ([first, second], {"names": ["x", "x"]}, "two runs are called 'x'"),
        ([first, second], {"bootstrap": -1}, "from 0, not -1"),
    ):
        with pytest.raises(UsageError, match=message):
            compare(folders, out=tmp_path / "o", **options)
    with pytest.raises(UsageError, match="is one of the folders that are compared"):
        compare([first, second], out=second)
    with pytest.raises(StoreError, match="no folder of scores"):
        compare([first, tmp_path], out=tmp_path / "o")


def test_definitions_that_differ_are_said(world, tmp_path):
    votes = [json.loads(line) for line in (world.folder / "happy.jsonl").read_text().splitlines()]
    face = write(tmp_path / "face.jsonl", [{**vote, "stream": "face"} for vote in votes])
    score_files(world.path, face, out=tmp_path / "face", bootstrap=0)
    run = compare([world.folder / "happy", tmp_path / "face"], out=tmp_path / "o", bootstrap=0)
    assert any(note.startswith("face: there are no votes of the stream all") for note in run.notes)
    assert any(
        note.startswith("mec lower is not the same in all runs: ") and "fused=pooled" in note for note in run.notes
    )
    assert "not the same in all runs" in (tmp_path / "o" / "table.md").read_text("utf-8")


def test_different_experts_are_told(world, tmp_path):
    """A difference may be that of the panels alone."""
    votes = jsonl(world.folder / "happy.jsonl")
    others = write(tmp_path / "v.jsonl", [{**vote, "expert": f"other-{vote['expert']}"} for vote in votes])
    score_files(world.path, others, out=tmp_path / "others", bootstrap=0)
    run = compare([world.folder / "attentive", tmp_path / "others"], out=tmp_path / "o", bootstrap=0)
    [told] = [note for note in run.notes if "not voted on by the same experts" in note]
    assert "attentive by e0, " in told
    assert "others by other-e0, " in told
    same = compare([world.folder / "attentive", world.folder / "happy"], out=tmp_path / "p", bootstrap=0)
    assert not any("same experts" in note for note in same.notes)
