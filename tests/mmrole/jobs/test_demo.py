import shutil

from mmrole.jobs.demo import demo


def test_the_lines_say_why_a_clip_is_partial_and_what_is_from_earlier_runs(fixture_clips, tmp_path):
    clips = tmp_path / "clips"
    clips.mkdir()
    shutil.copy(fixture_clips / "01_001_001.mp4", clips)  # it has no sound
    lines = demo(clips, out=tmp_path / "out")
    assert lines[0] == "1 inputs = 1 done + 0 failed + 0 skipped"
    assert [line.split()[-1] for line in lines if line.split()[:1] == ["01_001_001"]] == ["no_audio_stream"]
    assert not any("earlier runs" in line for line in lines)
    (clips / "01_001_001.mp4").rename(clips / "renamed.mp4")
    lines = demo(clips, out=tmp_path / "out")
    assert lines[1].startswith("1 clips of earlier runs are in ")
    assert {line.split()[0] for line in lines if line.endswith("no_audio_stream")} == {"01_001_001", "renamed"}
