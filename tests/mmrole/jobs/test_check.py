import json
import shutil

import pytest

from mmrole.core.dialogue_readers import DefectKind
from mmrole.core.errors import UsageError
from mmrole.jobs.check import check, clip_fact

K = DefectKind


def test_the_fixtures_are_without_fault(root):
    found = check(root / "fixtures" / "dialogues.csv", clips=root / "fixtures" / "clips")
    assert found.report.faults == {}
    assert (found.clips, len(found.utterances), found.skipped) == (6, 6, [])


def test_clips_that_are_missing_extra_unreadable_and_twice_there(root, tmp_path):
    clips = tmp_path / "clips" / "deep"
    shutil.copytree(root / "fixtures" / "clips", clips)
    (clips / "01_000_000.mp4").rename(clips / "final_01_000_000.mp4")
    shutil.copy(clips / "01_000_002.mp4", clips / "01_000_002.mkv")
    (clips / "01_000_003.mp4").write_bytes(b"")
    (clips / "notes.txt").write_text("x")
    seen = []
    found = check(
        root / "fixtures" / "dialogues.csv", clips=tmp_path / "clips", on_progress=lambda p: seen.append((p.finished, p.failed, p.total))
    )  # fmt: skip
    first = found.report.first
    assert [defect.place for defect in first[K.CLIP_MISSING]] == ["01_000_000"]
    assert [defect.place for defect in first[K.CLIP_EXTRA]] == [str(clips / "final_01_000_000.mp4")]
    assert [defect.place for defect in first[K.CLIP_AMBIGUOUS]] == ["01_000_002"]
    [unreadable] = first[K.CLIP_UNREADABLE]
    assert (unreadable.place, unreadable.value) == (str(clips / "01_000_003.mp4"), "empty_file")
    assert [entry["path"] for entry in found.skipped] == [str(clips / "notes.txt")]
    assert seen[-1] == (6, 1, 7)  # the extra clip is not opened


def test_labels_of_a_set_of_ones_own(tmp_path):
    utterances = [{"utterance_id": f"u{n}", "speaker": "AB"[n % 2], "text": "words", "emotion": "好"} for n in range(2)]
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d", "utterances": utterances}), "utf-8")
    (tmp_path / "s.toml").write_text('name = "s"\nlabels = ["坏"]\n', "utf-8")
    assert check(path).report.faults == {}
    assert check(path, labels=str(tmp_path / "s.toml")).report.faults == {K.UNKNOWN_LABEL: 2}
    with pytest.raises(UsageError, match="no label set 'nothing'"):
        check(path, labels="nothing")


def test_what_opening_a_clip_tells(root, tmp_path):
    fact = clip_fact(str(root / "fixtures" / "clips" / "01_000_000.mp4"))
    assert fact.reason is None
    assert fact.duration_s > 1
    (tmp_path / "x.mp4").write_text("no clip")
    assert clip_fact(str(tmp_path / "x.mp4")).reason == "not_media"
