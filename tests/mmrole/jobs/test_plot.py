import json
import shutil

import cv2
import pytest

from mmrole.cli.main import main
from mmrole.core.errors import DiskError, InputError, StoreError, UsageError
from mmrole.jobs import plot as plot_job
from mmrole.jobs.plot import plot
from mmrole.plotting import fonts


class Blank:
    """A page that knows its clip."""

    size_in = (1.0, 1.0)
    drawn: list[str]

    def __init__(self, clip_id):
        self.clip_id = clip_id

    def plot_on(self, figure):
        Blank.drawn.append(self.clip_id)


@pytest.fixture
def blank_pages(monkeypatch):
    """The clips that are drawn, in their order; drawing itself is tested with the Displays."""
    Blank.drawn = []
    displays = dict.fromkeys(("prosody", "keyframes"), lambda store, clip_id: Blank(clip_id))
    monkeypatch.setattr(plot_job, "_DISPLAYS", displays)
    return Blank.drawn


@pytest.mark.parametrize("kind", ["prosody", "keyframes"])
def test_a_picture_of_one_clip(fixture_features, tmp_path, kind):
    out = tmp_path / "new" / "picture.png"
    assert plot(kind, fixture_features, clips="01_000_001", out=out) == out
    assert cv2.imread(str(out)).shape[1] in (1200, 1800)  # 10 and 15 inches at 120 dots an inch
    assert [path.name for path in out.parent.iterdir()] == ["picture.png"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # of the six clips the fifth has no face but a picture, the last no sound
        ("prosody", ["01_000_000", "01_000_001", "01_000_002", "01_000_003"]),
        ("keyframes", ["01_000_000", "01_000_001", "01_000_002", "01_000_003"]),
    ],
)
def test_the_first_four_that_were_measured_are_the_default(fixture_features, tmp_path, blank_pages, kind, expected):
    plot(kind, fixture_features, out=tmp_path / "a.pdf")
    assert blank_pages == expected


def _without(folder, tmp_path, prefix, clip_ids):
    """A copy of a features folder in which some clips have no table of a kind."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    records = [json.loads(line) for line in (copy / "clips.jsonl").read_text("utf-8").splitlines()]
    for record in records:
        if record["clip_id"] in clip_ids:
            record["files"] = {name: digest for name, digest in record["files"].items() if not name.startswith(prefix)}
    (copy / "clips.jsonl").write_text("".join(json.dumps(record) + "\n" for record in reversed(records)), "utf-8")
    return copy


def test_clips_that_were_not_measured_are_passed_over(fixture_features, tmp_path, blank_pages):
    folder = _without(fixture_features, tmp_path, "prosody/", ["01_000_000", "01_000_002"])
    plot("prosody", folder, out=tmp_path / "a.png")
    # 01_001_001 has no sound; the order in the journal does not matter
    assert blank_pages == ["01_000_001", "01_000_003", "01_001_000"]


def test_where_nothing_was_measured_the_pictures_say_why(fixture_features, tmp_path, blank_pages):
    every = [f"01_000_00{k}" for k in range(4)] + ["01_001_000", "01_001_001"]
    plot("keyframes", _without(fixture_features, tmp_path, "tracks/", every), out=tmp_path / "a.png")
    assert blank_pages == every[:4]


def test_named_clips_are_drawn_once_in_their_order(fixture_features, tmp_path, blank_pages):
    plot("prosody", fixture_features, clips=["01_001_001", "01_000_000", "01_001_001"], out=tmp_path / "A.SVG")
    assert blank_pages == ["01_001_001", "01_000_000"]


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"kind": "pitch"}, UsageError, "'pitch' is no kind of plot: choose one of prosody, keyframes"),
        ({"out": "picture.jpg"}, UsageError, r"picture.jpg: a picture ends in .png, .svg or .pdf"),
        ({"out": "picture"}, UsageError, r"picture: a picture ends in .png, .svg or .pdf"),
        ({"clips": ["01_000_000", "nobody"]}, InputError, "holds no clip 'nobody'; it holds 6: 01_00"),
        ({"clips": []}, UsageError, "no clip was named"),
        (
            {"features": "nowhere"},
            StoreError,
            "nowhere is no folder of features: run `mmrole extract VIDEOS --out nowhere`",
        ),
    ],
)
def test_what_makes_no_sense_is_an_error_of_one_line(fixture_features, tmp_path, monkeypatch, arguments, error, said):
    monkeypatch.chdir(tmp_path)
    given = {"kind": "prosody", "features": fixture_features, "clips": None, "out": "a.png", **arguments}
    with pytest.raises(error, match=said) as caught:
        plot(given["kind"], given["features"], clips=given["clips"], out=given["out"])
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_too_many_clips_for_one_picture_fit_into_a_pdf(fixture_features, tmp_path, blank_pages, monkeypatch):
    monkeypatch.setattr(plot_job, "MOST_IN_A_PICTURE", 2)
    three = ["01_000_000", "01_000_001", "01_000_002"]
    with pytest.raises(UsageError, match=r"3 clips do not fit into one picture: write a \.pdf, or at most 2"):
        plot("prosody", fixture_features, clips=three, out=tmp_path / "a.png")
    plot("prosody", fixture_features, clips=three, out=tmp_path / "a.pdf")
    assert blank_pages == three


def test_a_folder_without_clips(fixture_features, tmp_path):
    shutil.copy(fixture_features / "manifest.json", tmp_path)
    (tmp_path / "clips.jsonl").touch()
    with pytest.raises(InputError, match="holds no clip: run mmrole extract"):
        plot("prosody", tmp_path, out=tmp_path / "a.png")


def test_a_picture_that_cannot_be_written(fixture_features, tmp_path, blank_pages):
    (tmp_path / "a.png").mkdir()
    with pytest.raises(DiskError, match=r"a\.png: cannot be written"):
        plot("prosody", fixture_features, clips="01_000_000", out=tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_an_error_leaves_the_old_picture(fixture_features, tmp_path):
    old = tmp_path / "a.png"
    old.write_bytes(b"old")
    folder = _without(fixture_features, tmp_path, "nothing", [])
    (folder / "utterances.parquet").write_bytes(b"damaged")
    with pytest.raises(StoreError, match=r"utterances\.parquet is damaged"):
        plot("prosody", folder, out=old)
    assert old.read_bytes() == b"old"


def test_the_command(fixture_features, tmp_path, capsys, blank_pages):
    out = tmp_path / "a.pdf"
    assert main(["plot", "prosody", str(fixture_features), "--clip", "01_000_003", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (f"{out}\n", "")
    assert blank_pages == ["01_000_003"]
    assert main(["plot", "prosody", str(fixture_features), "--out", str(tmp_path / "a.gif")]) == 2
    assert main(["plot", "prosody", str(tmp_path / "nix"), "--out", str(out)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_the_command_tells_once_of_characters_without_a_font(fixture_features, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fonts, "chinese_family", lambda: None)
    clips = ["--clip", "01_000_000", "--clip", "01_000_002"]  # the same speaker, whose name is Chinese
    assert main(["plot", "prosody", str(fixture_features), *clips, "--out", str(tmp_path / "a.png")]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("mmrole: no installed font has the characters 小")
