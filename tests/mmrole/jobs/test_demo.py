import shutil

from mmrole.cli.main import main
from mmrole.jobs.demo import demo


def test_the_lines_say_why_a_clip_is_partial_and_what_is_from_earlier_runs(fixture_clips, tmp_path):
    clips = tmp_path / "clips"
    clips.mkdir()
    shutil.copy(fixture_clips / "01_001_001.mp4", clips)  # it has no sound
    lines = demo(clips, out=tmp_path / "out").lines
    assert lines[0] == "1 input = 1 done + 0 failed + 0 skipped"
    assert [line.split()[-1] for line in lines if line.split()[:1] == ["01_001_001"]] == ["no_audio_stream"]
    assert not any("<NA>" in line or "nan" in line for line in lines)  # what was not measured is a dash
    assert not any("earlier runs" in line for line in lines)
    (clips / "01_001_001.mp4").rename(clips / "renamed.mp4")
    lines = demo(clips, out=tmp_path / "out").lines
    assert lines[1].startswith("clips of earlier runs in ")
    assert lines[1].endswith(": 1")
    assert {line.split()[0] for line in lines if line.endswith("no_audio_stream")} == {"01_001_001", "renamed"}


def test_a_clip_that_failed_is_told_by_the_exit_code(tmp_path, capsys):
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "a.mp4").write_bytes(b"no clip")
    assert main(["demo", "--clips", str(tmp_path / "clips"), "--out", str(tmp_path / "out"), "--quiet"]) == 3
    assert "1 input = 0 done + 1 failed + 0 skipped" in capsys.readouterr().out
