import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

import mmrole
from mmrole.core.errors import InputError, LockedError, ModelFileError, StoreError, UsageError
from mmrole.core.extraction import ExtractSettings
from mmrole.core.journal import read_records
from mmrole.core.media import Clip
from mmrole.jobs.verify import verify


def records(out):
    return {record["clip_id"]: record for record in read_records(out / "clips.jsonl")}


def contents(out):
    """Bytes of all files but the manifest, which holds clock times, and the journal, whose order is that of finishing."""
    left_out = {"manifest.json", "clips.jsonl", ".lock"}
    return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file() and p.name not in left_out}


def test_the_fixture_clips_are_measured_as_their_readme_says(fixture_features):
    """Expected values: fixtures/README.md, measured with stock MediaPipe and Praat."""
    found = records(fixture_features)
    assert {clip_id: record["status"] for clip_id, record in found.items()} == {
        "01_000_000": "ok", "01_000_001": "ok", "01_000_002": "ok", "01_000_003": "ok", "01_001_000": "partial", "01_001_001": "partial",
    }  # fmt: skip
    assert found["01_001_001"]["audio"]["reason"] == "no_audio_stream"
    assert found["01_001_000"]["video"]["reason"] == "no_face"
    f0 = {"01_000_000": 204, "01_000_001": 131, "01_000_002": 193, "01_000_003": 109, "01_001_000": 194}
    for clip_id, hz in f0.items():
        assert found[clip_id]["audio"]["f0_median_hz"] == pytest.approx(hz, rel=0.02)
    for clip_id in ("01_000_000", "01_000_001", "01_000_002", "01_000_003", "01_001_001"):
        assert found[clip_id]["video"]["face_rate"] == 1.0
    assert found["01_001_000"]["video"]["face_rate"] == 0.0


def test_the_speaker_of_two_faces_is_the_one_whose_mouth_moves_with_the_voice(fixture_clips, model_files, tmp_path):
    out = tmp_path / "out"
    mmrole.extract([fixture_clips / "01_000_002.mp4", fixture_clips / "01_000_003.mp4"], out=out, jobs=2)
    middle = 320
    for clip_id, left in (("01_000_002", True), ("01_000_003", False)):
        record = records(out)[clip_id]
        assert record["video"]["speaker"]["rule"] == "mouth_motion"
        assert "several_faces" in record["warnings"]
        boxes = mmrole.read_features(out).track(clip_id).face_box_px
        assert all((box[2] < middle) == left for box in boxes)


def test_results_do_not_depend_on_the_number_of_workers(fixture_features, fixture_clips, root, tmp_path):
    mmrole.extract(fixture_clips, out=tmp_path / "one", jobs=1, dialogues=root / "fixtures" / "dialogues.csv")
    assert contents(tmp_path / "one") == contents(fixture_features)
    assert records(tmp_path / "one") == records(fixture_features)


def test_a_second_run_reuses_everything_and_changes_nothing(fixture_features, fixture_clips, root, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(fixture_features, out)
    journal = (out / "clips.jsonl").read_bytes()
    again = mmrole.extract(fixture_clips, out=out, dialogues=root / "fixtures" / "dialogues.csv")
    assert again.counts == {"inputs": 6, "done": 6, "failed": 0, "skipped": 0, "reused": 6}
    assert (out / "clips.jsonl").read_bytes() == journal
    assert contents(out) == contents(fixture_features)


def test_a_damaged_or_missing_file_is_made_anew(fixture_features, fixture_clips, root, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(fixture_features, out)
    (out / "tracks" / "01_000_000.parquet").write_bytes(b"PAR1")
    (out / "prosody" / "01_000_001.parquet").unlink()
    assert len(verify(out).problems) == 2
    again = mmrole.extract(fixture_clips, out=out, dialogues=root / "fixtures" / "dialogues.csv")
    assert again.counts["reused"] == 4
    assert contents(out) == contents(fixture_features)
    assert verify(out).problems == []


def test_another_speaker_needs_no_new_measurement_but_another_text_does(fixture_clips, root, tmp_path):
    table = tmp_path / "d.csv"
    text = (root / "fixtures" / "dialogues.csv").read_text("utf-8-sig")
    table.write_text(text, "utf-8")
    clips, out = [fixture_clips / "01_000_000.mp4"], tmp_path / "out"
    mmrole.extract(clips, out=out, video=False, dialogues=table)
    before = records(out)["01_000_000"]
    table.write_text(text.replace("小棠", "小明"), "utf-8")
    again = mmrole.extract(clips, out=out, video=False, dialogues=table)
    assert again.counts["reused"] == 1
    assert records(out)["01_000_000"] == {**before, "speaker": "小明"}
    spoken = next(line for line in text.splitlines() if "01_000_000" in line).rsplit(",", 1)[1]
    table.write_text(text.replace(spoken, "好"), "utf-8")
    again = mmrole.extract(clips, out=out, video=False, dialogues=table)
    assert again.counts["reused"] == 0
    assert records(out)["01_000_000"]["audio"]["syllables"] == 1


def test_added_clips_renormalise_the_others_without_measuring_them(fixture_clips, tmp_path):
    out = tmp_path / "out"
    mmrole.extract(fixture_clips / "01_000_000.mp4", out=out, video=False)
    alone = mmrole.read_features(out).utterances.set_index("clip_id")
    result = mmrole.extract(fixture_clips / "01_000_001.flv", out=out, video=False)
    assert any("1 clips of earlier runs stay" in note for note in result.notes)
    both = mmrole.read_features(out).utterances.set_index("clip_id")
    assert list(both.index) == ["01_000_000", "01_000_001"]
    assert both.f0_median_hz["01_000_000"] == alone.f0_median_hz["01_000_000"]
    # beside a voice an octave lower, a voice that was average alone is a high one
    assert alone.pitch_z["01_000_000"] == pytest.approx(0, abs=1e-9)
    assert both.pitch_z["01_000_000"] > 0.3


def test_hard_inputs_end_with_their_reason(fixture_clips, tmp_path):
    videos = tmp_path / "videos"
    videos.mkdir()
    whole = (fixture_clips / "01_000_000.mp4").read_bytes()
    (videos / "empty.mp4").write_bytes(b"")
    (videos / "page.mp4").write_text("<html>404</html>")
    (videos / "cut.mp4").write_bytes(whole[: len(whole) // 3])
    (videos / "broken.mp4").symlink_to(videos / "nowhere.mp4")
    (videos / "good.mp4").write_bytes(whole)
    result = mmrole.extract(videos, out=tmp_path / "out", video=False, jobs=2)
    assert result.counts == {"inputs": 5, "done": 1, "failed": 4, "skipped": 0, "reused": 0}
    found = {clip_id: record["reason"] for clip_id, record in records(tmp_path / "out").items()}
    assert found.pop("cut") in ("truncated", "corrupt")
    assert found == {"empty": "empty_file", "page": "not_media", "broken": "unreadable", "good": None}
    for record in result.failed:
        assert record["detail"]


def test_one_modality_can_be_left_out(fixture_clips, tmp_path):
    mmrole.extract(fixture_clips / "01_000_000.mp4", out=tmp_path / "out", video=False)
    record = records(tmp_path / "out")["01_000_000"]
    assert (record["status"], record["audio"]["status"], record["video"]) == (
        "ok",
        "ok",
        {"reason": None, "status": "off"},
    )
    with pytest.raises(InputError, match="no video features"):
        mmrole.read_features(tmp_path / "out").track("01_000_000")


def test_without_model_files_the_sound_is_measured_and_the_picture_later(
    fixture_clips, model_files, tmp_path, monkeypatch
):
    def offline(*_args, **_kwargs):
        raise ModelFileError("face_landmarker.task cannot be fetched (no network)")

    monkeypatch.setattr("mmrole.jobs.extract.model_paths.fetch_models", offline)
    out, clip = tmp_path / "out", fixture_clips / "01_000_000.mp4"
    told = []
    result = mmrole.extract(clip, out=out, models=tmp_path / "none", say=told.append)
    assert result.done[0]["status"] == "partial"
    assert result.done[0]["video"] == {"status": "failed", "reason": "models_missing"}
    assert told == ["only the sound is measured: face_landmarker.task cannot be fetched (no network)"]
    with pytest.raises(ModelFileError):
        mmrole.extract(clip, out=tmp_path / "other", audio=False, models=tmp_path / "none")
    monkeypatch.undo()
    later = mmrole.extract(clip, out=out)
    assert later.done[0]["status"] == "ok"
    assert later.reused == 0


def test_segments_are_measured_like_clips(root, model_files, tmp_path):
    out = tmp_path / "out"
    fixtures = root / "fixtures"
    result = mmrole.extract(fixtures / "episode.mp4", out=out, segments=fixtures / "segments.csv", jobs=1)
    assert result.counts["done"] == 5
    found = records(out)
    # expected values: fixtures/README.md
    f0 = {"02_000_000": 193, "02_000_001": 105, "02_000_002": 103, "02_000_003": 224, "02_000_004": 100}
    for clip_id, hz in f0.items():
        record = found[clip_id]
        assert record["audio"]["f0_median_hz"] == pytest.approx(hz, rel=0.03)
        length = record["segment"]["end_s"] - record["segment"]["start_s"]
        assert record["duration_s"] == pytest.approx(length, abs=1e-6)
        track = mmrole.read_features(out).track(clip_id)
        assert 0 <= track.time_s.iloc[0] < 0.05
        assert track.time_s.iloc[-1] <= length
        assert record["video"]["face_rate"] == 1.0
    assert "several_faces" in found["02_000_000"]["warnings"]
    assert "several_faces" not in found["02_000_001"]["warnings"]


def test_a_segment_gives_what_the_whole_file_has_at_its_place(root, tmp_path):
    """The same sound, cut by a segment or measured in the whole file: F0 agrees frame by frame."""
    fixtures = root / "fixtures"
    mmrole.extract(fixtures / "episode.mp4", out=tmp_path / "whole", video=False)
    mmrole.extract(fixtures / "episode.mp4", out=tmp_path / "cut", segments=fixtures / "segments.csv", video=False)
    whole = mmrole.read_features(tmp_path / "whole").prosody("episode").f0_hz
    store = mmrole.read_features(tmp_path / "cut")
    for clip_id, record in store.records.items():
        part = store.prosody(clip_id).f0_hz
        begin = round(record["segment"]["start_s"] * 100)
        there = whole.iloc[begin : begin + len(part)].reset_index(drop=True)
        both = part.notna() & there.notna()
        assert both.sum() > 50
        assert (part[both] / there[both] - 1).abs().median() < 0.01


def test_a_segment_after_the_end_of_its_file_is_truncated(fixture_clips, tmp_path):
    table = tmp_path / "s.csv"
    table.write_text(
        "path,start_s,end_s,utterance_id\n01_000_000.mp4,1,2,in\n01_000_000.mp4,3,9,half\n01_000_000.mp4,20,21,out\n"
    )
    mmrole.extract(fixture_clips / "01_000_000.mp4", out=tmp_path / "out", segments=table, video=False)
    found = records(tmp_path / "out")
    assert (found["in"]["status"], found["half"]["status"], found["out"]["status"]) == ("ok", "partial", "failed")
    assert found["half"]["audio"]["reason"] == found["out"]["audio"]["reason"] == "truncated"


def test_a_worker_that_is_killed_costs_its_clip_and_the_next_run_makes_up_for_it(fixture_clips, model_files, tmp_path):
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "mmrole",
        "extract",
        str(fixture_clips),
        "--out",
        str(out),
        "--jobs",
        "1",
        "--json",
    ]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    journal = out / "clips.jsonl"
    while run.poll() is None and not (journal.exists() and journal.read_bytes()):
        time.sleep(0.01)
    [worker] = [pid for pid in children_of(run.pid) if b"spawn_main" in command_of(pid)]
    os.kill(worker, signal.SIGKILL)
    printed, errors = run.communicate(timeout=120)
    outcome = json.loads(printed)
    assert b"Traceback" not in errors
    assert run.returncode == 3
    assert [failure["reason"] for failure in outcome["failed"]] == ["worker_crashed"]
    assert outcome["counts"]["done"] == 5
    again = mmrole.extract(fixture_clips, out=out)
    assert (again.counts["done"], again.counts["reused"]) == (6, 5)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def command_of(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()


def test_ctrl_c_is_one_line_and_the_run_goes_on_later(fixture_clips, model_files, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "mmrole", "extract", str(fixture_clips), "--out", str(out), "--jobs", "1"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    journal = out / "clips.jsonl"
    while run.poll() is None and not (journal.exists() and journal.read_bytes()):
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert (
        errors.splitlines()[-1]
        == "mmrole: interrupted; what was finished is stored, the same command goes on from there"
    )
    assert "Traceback" not in errors
    stored = len(records(out))
    assert 1 <= stored < 6
    assert mmrole.extract(fixture_clips, out=out).counts["reused"] == stored


def test_a_file_that_changes_while_it_is_read_is_not_measured(fixture_clips, tmp_path, monkeypatch):
    """A download that is not complete yet: what was hashed is not what was decoded."""
    from mmrole.jobs.extract import work

    clip = tmp_path / "clip.mp4"
    clip.write_bytes((fixture_clips / "01_000_000.mp4").read_bytes())
    settings = ExtractSettings(video=False)
    task = work.Task(
        path=str(clip), clips=(Clip(clip_id="clip", path=str(clip)),), settings=settings, model_paths={}, model_hashes={},
        folder=str(tmp_path),
    )  # fmt: skip
    hashed = work._hash

    def grow(path):
        sha256 = hashed(path)
        with clip.open("ab") as file:
            file.write(b"more")
        return sha256

    monkeypatch.setattr(work, "_hash", grow)
    [result] = work.work_on(task)
    assert (result.record["status"], result.record["reason"]) == ("failed", "unreadable")
    assert "changed while it was read" in result.record["detail"]
    assert result.prosody is None
    monkeypatch.undo()
    [again] = work.work_on(task)
    assert again.record["status"] == "ok"


def test_a_broken_installation_ends_the_run_and_blames_no_clip(fixture_clips, tmp_path, monkeypatch):
    from mmrole.core.errors import MissingExtraError
    from mmrole.jobs.extract import work

    def broken(*_args, **_kwargs):
        raise ImportError("pyarrow requires NumPy 2.0 or newer, found 1.26.4")

    monkeypatch.setattr("extractors.clip.measure_file", broken)
    path = str(fixture_clips / "01_000_000.mp4")
    task = work.Task(
        path=path, clips=(Clip(clip_id="clip", path=path),), settings=ExtractSettings(video=False), model_paths={},
        model_hashes={}, folder=str(tmp_path),
    )  # fmt: skip
    with pytest.raises(MissingExtraError, match=r"pyarrow requires NumPy.*mmrole doctor"):
        work.work_on(task)


def test_a_clip_of_which_nothing_was_measured_says_why(tmp_path):
    import wave

    with wave.open(str(tmp_path / "none.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
    result = mmrole.extract(tmp_path / "none.wav", out=tmp_path / "out")
    assert result.failed[0]["detail"] == "nothing could be measured (sound empty_audio, picture no_video_stream)"


def test_an_output_folder_without_a_name_is_refused(fixture_clips, tmp_path, monkeypatch):
    """An unset variable in a script must not fill the current folder."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="the name of the output folder is empty"):
        mmrole.extract(fixture_clips, out="")
    assert list(tmp_path.iterdir()) == []


def test_two_runs_on_one_folder_are_refused(fixture_clips, tmp_path):
    from mmrole.core.lock import RunLock

    with RunLock(tmp_path / "out"), pytest.raises(LockedError, match="in use by another run"):
        mmrole.extract(fixture_clips, out=tmp_path / "out", video=False)


def test_fresh_throws_away_what_extraction_made_and_nothing_else(fixture_clips, tmp_path):
    out = tmp_path / "out"
    mmrole.extract(fixture_clips / "01_000_000.mp4", out=out, video=False)
    mmrole.extract(fixture_clips / "01_000_001.flv", out=out, video=False, fresh=True)
    assert list(records(out)) == ["01_000_001"]
    assert [p.name for p in (out / "prosody").iterdir()] == ["01_000_001.parquet"]
    (out / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"thesis\.tex"):
        mmrole.extract(fixture_clips / "01_000_001.flv", out=out, video=False, fresh=True)
    assert list(records(out)) == ["01_000_001"]


def test_a_damaged_journal_is_one_line_and_nothing_is_lost(fixture_clips, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "clips.jsonl").write_text('{"clip_id": "a"\n{"clip_id": "b"}\n')
    with pytest.raises(StoreError, match=r"clips\.jsonl line 1 is damaged"):
        mmrole.extract(fixture_clips, out=out, video=False)
    assert (out / "clips.jsonl").read_text() == '{"clip_id": "a"\n{"clip_id": "b"}\n'


@pytest.mark.parametrize(
    "record", ['{"clip_id": "01_000_000"}', '{"clip_id": "other", "status": "ok", "warnings": []}']
)
def test_a_journal_of_something_else_is_one_line(fixture_clips, tmp_path, record):
    out = tmp_path / "out"
    out.mkdir()
    (out / "clips.jsonl").write_text(record + "\n")
    with pytest.raises(StoreError, match="has no audio, so extraction did not write it"):
        mmrole.extract(fixture_clips / "01_000_000.mp4", out=out, video=False)
    assert (out / "clips.jsonl").read_text() == record + "\n"
    assert mmrole.extract(fixture_clips / "01_000_000.mp4", out=out, video=False, fresh=True).counts["done"] == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fps": 0}, "fps must be above 0"), ({"fps": float("nan")}, "fps"), ({"fps": -1}, "fps"), ({"fps": 1000}, "fps"),
        ({"jobs": 0}, "jobs must be 1 or more"), ({"audio": False, "video": False}, "nothing is left"), ({"keyframes": -1}, "keyframes"),
        ({"pitch": "yin"}, "pitch must be one of"), ({"engine": "spark"}, "engine must be local or"),
        ({"face_backend": "x"}, "face_backend"),
    ],
)  # fmt: skip
def test_bad_settings_are_one_line(fixture_clips, tmp_path, settings, message):
    with pytest.raises(UsageError, match=message):
        mmrole.extract(fixture_clips, out=tmp_path / "out", **settings)
    assert not (tmp_path / "out").exists()
