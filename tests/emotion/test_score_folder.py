import json

import numpy as np
import pytest

from emotion.evaluate import score
from emotion.score_folder import (
    BY_EPISODE,
    CONFUSION,
    JUDGED,
    LABELS,
    SCORES,
    TRANSITIONS,
    read_score_folder,
    write_lines,
    write_report,
)
from emotion.votes import counts_of_labels
from mmrole.core.canonical import file_sha256, to_json
from mmrole.core.dialogue import played_turns
from mmrole.core.errors import StoreError


def jsonl(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def judgements(dialogues):
    turns = [t.turn_id for d in dialogues if len(d.speakers) == 2 for _, t in played_turns(d)]
    quote = [{"quote": "q"}]
    return [
        {"utterance_id": turn, "aspect": "rel", "judge": judge, "supporting": quote * (n % 3 > 0), "contradicting": quote * (n % 2)}
        for n, turn in enumerate(turns)
        for judge in ("j1", "j2")
    ]  # fmt: skip


def test_files_hold_what_the_report_says(small, tmp_path):
    dialogues, votes = small
    report = score(dialogues, votes, judgements=judgements(dialogues), bootstrap=5)
    assert write_report(report, tmp_path) == [LABELS, TRANSITIONS, CONFUSION, SCORES, JUDGED]
    # lines are put together from parts: every byte has to be that of the plain record
    lines = (tmp_path / LABELS).read_text("utf-8").splitlines()
    assert lines == [to_json(record) for record in report.label_records()]
    assert json.loads((tmp_path / TRANSITIONS).read_text()) == report.transitions_record()
    assert jsonl(tmp_path / SCORES) == [row.to_record() for row in report.scores]
    confusion = json.loads((tmp_path / CONFUSION).read_text())
    assert confusion["labels"] == list(report.labels.labels)
    assert confusion["sentiments"] == ["positive", "neutral", "negative"]
    for level in ("lower", "upper"):
        assert np.array_equal(confusion["mec"][level], report.confusion(level))
    judged = {row["utterance_id"]: row for row in jsonl(tmp_path / JUDGED)}
    means = [row["score"] for row in judged.values() if row["score"] is not None]
    rel = report["rel", "evidence"]
    assert len(means) == rel.n < len(judged)
    assert np.mean(means) == pytest.approx(rel.value)


def test_without_judgements_and_sentiments(small, tmp_path):
    report = score(*small, labels="meld-7", bootstrap=0)
    assert JUDGED not in write_report(report, tmp_path)
    assert json.loads((tmp_path / CONFUSION).read_text())["mec"]["upper"] is None


def test_labels_are_enough_to_count_the_votes_again(small, tmp_path):
    dialogues, votes = small
    report = score(dialogues, votes, bootstrap=0)
    write_report(report, tmp_path)
    again = score(dialogues, counts_of_labels(jsonl(tmp_path / LABELS)), bootstrap=0)
    assert [row.value for row in again.scores] == [row.value for row in report.scores]


def test_many_lines_are_written_in_order(tmp_path):
    write_lines(tmp_path / "l", (str(number) for number in range(25_000)))
    assert (tmp_path / "l").read_text().splitlines() == [str(number) for number in range(25_000)]
    write_lines(tmp_path / "none", [])
    assert (tmp_path / "none").read_bytes() == b""


@pytest.fixture
def folder(small, tmp_path):
    """A folder of scores with its manifest."""
    report = score(*small, bootstrap=0)
    names = write_report(report, tmp_path)
    manifest = {
        "command": "score",
        "settings": {"labels": report.labels.to_record(), "options": report.options.to_record()},
        "files": {name: file_sha256(tmp_path / name) for name in names},
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest, sort_keys=True))
    return tmp_path, report


def test_a_folder_is_read_back(folder):
    path, report = folder
    found = read_score_folder(path)
    assert found.command == "score"
    assert [row.to_record() for row in found.scores] == [row.to_record() for row in report.scores]
    assert found.labels.labels == report.labels.labels
    assert found.options == report.options
    assert list(found.records(LABELS)) == list(report.label_records())


def test_a_file_with_other_bytes_is_refused(folder):
    path, _ = folder
    found = read_score_folder(path)
    with (path / LABELS).open("a") as file:
        file.write("{}\n")
    with pytest.raises(
        StoreError, match=r"labels\.jsonl: has other bytes than when it was made; run mmrole score again"
    ):
        found.records(LABELS)
    (path / LABELS).unlink()
    with pytest.raises(StoreError, match=r"labels\.jsonl: cannot be read"):
        found.records(LABELS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"command": "extract"}, "holds the results of mmrole extract, not of mmrole score or erc"),
        (
            {"command": "bench rolecde grade"},
            "not of mmrole score or erc; mmrole compare takes whole runs of bench lifechoice or rolecde",
        ),
        ({"files": {}}, "is damaged"),
        ({"settings": {}}, "is damaged"),
    ],
)
def test_what_is_no_folder_of_scores(folder, change, message):
    path, _ = folder
    manifest = json.loads((path / "manifest.json").read_text())
    (path / "manifest.json").write_text(json.dumps({**manifest, **change}))
    with pytest.raises(StoreError, match=message):
        read_score_folder(path)


def test_a_folder_that_is_not_there_or_not_ended(folder, tmp_path):
    path, _ = folder
    with pytest.raises(StoreError, match="is no folder of scores: run mmrole score"):
        read_score_folder(tmp_path / "nowhere")
    (path / "manifest.json").unlink()
    with pytest.raises(StoreError, match="has not ended"):
        read_score_folder(path)


def test_scores_by_episode_are_there_when_episodes_are_known(small, tmp_path):
    dialogues, votes = small
    plain = judgements(dialogues)
    episodes = [{**record, "episode": str(n % 3)} for n, record in enumerate(plain)]
    report = score(dialogues, votes, judgements=episodes, bootstrap=5)
    assert BY_EPISODE in write_report(report, tmp_path)
    rows = jsonl(tmp_path / BY_EPISODE)
    assert [row["episode"] for row in rows] == ["0", "1", "2"]
    assert rows == [json.loads(to_json(row.to_record())) for row in report.episodes]
    assert sum(row["n"] for row in rows) >= report["rel", "evidence"].n  # two judges may be in two episodes
    assert {row["metric"] for row in rows} == {"rel"}
    assert all(row["show"] is None for row in rows)
