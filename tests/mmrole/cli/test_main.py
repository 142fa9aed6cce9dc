import json
import os
import re
import signal
import subprocess
import sys

import pytest

from mmrole.cli.main import build_parser, main


def run(*arguments, **options):
    command = [sys.executable, "-m", "mmrole", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def error_lines(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if line]


def test_every_command_has_help(capsys):
    for words in (
        [],
        ["extract"],
        ["verify"],
        ["plot"],
        ["plot", "prosody"],
        ["models"],
        ["models", "fetch"],
        ["check"],
        ["labels"],
        ["score"],
        ["erc"],
        ["compare"],
        ["agree"],
        ["doctor"],
        ["demo"],
    ):
        with pytest.raises(SystemExit) as exit_:
            main([*words, "--help"])
        assert exit_.value.code == 0
        assert "usage: mmrole" in capsys.readouterr().out


def test_help_and_import_load_nothing_heavy():
    heavy = "{'numpy', 'pandas', 'pyarrow', 'cv2', 'av', 'matplotlib', 'torch', 'rich', 'pydantic'}"
    code = (
        f"import sys, mmrole; assert not {heavy} & set(sys.modules); from mmrole.cli.main import build_parser; "
        f"build_parser().format_help(); print(sorted({heavy} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_version_and_no_command(capsys):
    assert main(["--version"]) == 0
    assert re.fullmatch(r"mmrole \d+\.\d+\.\d+\n", capsys.readouterr().out)
    assert main([]) == 2
    assert "extract" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["extract", "{tmp}/nowhere.mp4", "--out", "{tmp}/o"], "nowhere.mp4"),
        (["extract", "{clip}", "--out", "{tmp}/o", "--fps", "0"], "fps"),
        (["extract", "{clip}", "--out", ""], "output folder"),
        (["extract", "", "--out", "{tmp}/o"], "input"),
        (["extract", "{tmp}", "--out", "{tmp}"], "is an input too"),
        (["extract", "{clip}", "--out", "{tmp}/o", "--jobs", "0"], "jobs"),
        (["extract", "{clip}", "--out", "{tmp}/o", "--engine", "spark"], "engine"),
        (["extract", "{clip}", "--out", "{tmp}/o", "--no-audio", "--no-video"], "nothing is left"),
        (["demo", "--clips", "{tmp}/nowhere"], "nowhere"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(tmp_path, fixture_clips, capsys, arguments, named):
    clip = fixture_clips / "01_000_000.mp4"
    assert main([a.format(tmp=tmp_path, clip=clip) for a in arguments]) == 2
    [line] = error_lines(capsys)
    assert line.startswith("mmrole: ")
    assert named in line


@pytest.mark.parametrize(
    "arguments", [["extract", "x", "--out", "o", "--fps", "abc"], ["extract", "x"], ["extrakt"], ["plot"]]
)
def test_a_mistyped_command_line_is_one_line_and_exits_2(capsys, arguments):
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
    [line] = error_lines(capsys)
    assert "--help" in line


def test_an_unknown_option_points_to_the_help_of_its_command(capsys):
    with pytest.raises(SystemExit):
        main(["plot", "scores", "somewhere", "--out", "a.png", "--colour", "red"])
    assert (
        "mmrole plot scores: unrecognized arguments: --colour red (see mmrole plot scores --help)"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "arguments", [["verify", "{tmp}"], ["extract", "{clip}", "--out", "{tmp}/file/out", "--no-video"]]
)
def test_expected_errors_are_one_line_and_exit_1(tmp_path, fixture_clips, capsys, arguments):
    (tmp_path / "file").write_text("x")
    clip = fixture_clips / "01_000_000.mp4"
    assert main([a.format(tmp=tmp_path, clip=clip) for a in arguments]) == 1
    assert len(error_lines(capsys)) == 1


def test_exit_codes_of_extract(tmp_path, fixture_clips):
    ok, partial = fixture_clips / "01_000_000.mp4", fixture_clips / "01_001_001.mp4"
    (tmp_path / "empty.mp4").write_bytes(b"")
    assert run("extract", ok, "--out", tmp_path / "1", "--no-video").returncode == 0
    assert run("extract", partial, "--out", tmp_path / "2").returncode == 0
    assert run("extract", partial, "--out", tmp_path / "2", "--strict").returncode == 3
    failed = run("extract", ok, tmp_path / "empty.mp4", "--out", tmp_path / "3", "--no-video")
    assert failed.returncode == 3
    assert re.search(r"2 inputs = 1 done \+ 1 failed \+ 0 skipped", failed.stdout)
    assert re.search(r"failed: .*empty\.mp4: empty_file: ", failed.stdout)


def test_a_failure_is_one_line_whatever_the_file_is_called(tmp_path, fixture_clips):
    name = tmp_path / "two\nlines \x1b[31m.mp4"
    name.write_bytes(b"")
    failed = run("extract", name, "--out", tmp_path / "o", "--quiet", "--no-video")
    assert failed.returncode == 3
    assert [line for line in failed.stdout.splitlines() if "failed: " in line and "\\n" in line and "\\x1b[31m" in line]
    assert "\x1b" not in failed.stdout
    missing = run("extract", tmp_path / "no\nwhere.mp4", "--out", tmp_path / "o")
    assert missing.returncode == 2
    assert len(missing.stderr.splitlines()) == 1


def test_a_segment_that_failed_is_told_by_its_id(tmp_path, fixture_clips):
    (tmp_path / "s.csv").write_text("path,start_s,end_s,utterance_id\n01_000_000.mp4,0,1,u1\n01_000_000.mp4,90,91,u2\n")
    clip = fixture_clips / "01_000_000.mp4"
    ended = run("extract", clip, "--out", tmp_path / "o", "--quiet", "--no-video", "--segments", tmp_path / "s.csv")
    assert ended.returncode == 3
    [line] = [line for line in ended.stdout.splitlines() if line.startswith("  failed: ")]
    assert re.search(r"01_000_000\.mp4 \(u2\): truncated: 90 to 91 s: .*the file ends at 3\.6", line)


INTERRUPTED = "mmrole: interrupted; what was finished is stored, the same command goes on from there\n"


def test_what_stores_nothing_on_its_way_says_so_when_interrupted(capsys, monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("mmrole.jobs.experts.train_expert", interrupted)
    assert main(["experts", "train", "--data", "x", "--out", "y"]) == 130
    assert capsys.readouterr().err == "mmrole: interrupted before it was through; the same command begins anew\n"


def test_an_interrupted_import_is_no_traceback(capsys, monkeypatch):
    """A library whose import is interrupted may raise ImportError."""

    def imports(_args):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise ImportError("KeyboardInterrupt: ")

    monkeypatch.setattr("mmrole.cli.doctor.run", imports)
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err == INTERRUPTED


def test_an_import_that_fails_by_itself_is_not_hidden(monkeypatch):
    def imports(_args):
        raise ImportError("no such library")

    monkeypatch.setattr("mmrole.cli.doctor.run", imports)
    with pytest.raises(ImportError, match="no such library"):
        main(["doctor"])


def test_a_second_signal_ends_at_once():
    code = (
        "import signal, sys, mmrole.cli.doctor as doctor\n"
        "def run(args):\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "    finally:\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "doctor.run = run\n"
        "from mmrole.cli.main import main\n"
        "main(['doctor'])\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, INTERRUPTED)


def test_json_is_for_machines(tmp_path, fixture_clips):
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "a.mp4").write_bytes((fixture_clips / "01_000_000.mp4").read_bytes())
    (tmp_path / "v" / "x.jpg").write_bytes(b"x")
    outcome = run("extract", tmp_path / "v", "--out", tmp_path / "o", "--no-video", "--json")
    assert outcome.stderr == ""
    assert json.loads(outcome.stdout)["counts"] == {"inputs": 2, "done": 1, "failed": 0, "skipped": 1, "reused": 0}


def test_a_reader_that_goes_away_is_no_traceback(fixture_features):
    command = f"{sys.executable} -m mmrole models list | true"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in ended.stderr


def test_a_terminal_that_is_not_utf8_prints_all_the_same(tmp_path, fixture_clips):
    name = tmp_path / "空格 'q'.mp4"
    name.write_bytes(b"")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ended = run("extract", name, "--out", tmp_path / "o", env=environment)
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr
    assert "empty_file" in ended.stdout


def test_the_parser_is_built_from_all_commands():
    text = build_parser().format_help()
    for command in ("extract", "verify", "plot", "models", "doctor", "demo"):
        assert command in text
