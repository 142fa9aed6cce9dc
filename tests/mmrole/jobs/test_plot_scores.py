import json
import shutil

import cv2
import pytest

from mmrole.cli.main import main
from mmrole.core.errors import DiskError, InputError, StoreError, UsageError
from mmrole.jobs import plot_scores as job
from mmrole.jobs.plot_scores import plot_scores

KINDS = ("confusion", "classes", "transitions", "scores", "timeline")


@pytest.fixture
def drawn(monkeypatch):
    """The pages that are drawn, instead of a picture; how they look is tested with the Displays."""
    pages = []

    def remember(out, given):
        pages.extend(given)
        return out

    monkeypatch.setattr(job, "write_picture", remember)
    return pages


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_each_kind(world, tmp_path, kind):
    out = tmp_path / "new" / "picture.png"
    assert plot_scores(kind, world.folder / "attentive", out=out) == out
    height, width, _ = cv2.imread(str(out)).shape
    assert width > 500
    assert height > 300
    assert [path.name for path in out.parent.iterdir()] == ["picture.png"]


@pytest.mark.parametrize("kind", ["confusion", "classes", "scores", "timeline"])
def test_recognition_is_drawn_too(world, tmp_path, kind):
    out = plot_scores(kind, world.folder / "recognised", out=tmp_path / "a.svg")
    assert b"<svg" in out.read_bytes()


def test_several_folders_are_pages_with_their_names(world, drawn):
    folders = [world.folder / "attentive", world.folder / "happy"]
    plot_scores("classes", folders, out="a.pdf")
    assert [page.name for page in drawn] == ["attentive", "happy"]
    drawn.clear()
    plot_scores("classes", folders[:1], out="a.pdf", lang="zh", level="upper")
    assert [(page.name, page.lang, len(page.classes)) for page in drawn] == [(None, "zh", 3)]


def test_scores_of_several_folders_are_one_page(world, drawn):
    plot_scores("scores", [world.folder / "attentive", world.folder / "happy"], out="a.png", metrics=["mec"])
    (page,) = drawn
    assert list(page.runs) == ["attentive", "happy"]
    assert [group.name for group in page.groups] == ["MEC"]


def test_a_page_for_each_role(world, drawn):
    given = {"transition_kind": "intra", "roles": ["Bo", "Ann", "Bo"], "normalise": "count"}
    plot_scores("transitions", world.folder / "attentive", out="a.pdf", **given)
    assert [page.display.role for page in drawn] == ["Bo", "Ann"]
    assert {page.display.kind for page in drawn} == {"intra"}
    figure = drawn[0].display.plot().figure_
    drawn[0].plot_on(figure)
    # by hand: the response has two utterances of anger
    assert drawn[0].display.text_["prediction"][4][4].get_text() == "1"
    assert drawn[0].size_in == drawn[0].display.size_in


def test_values_of_confusion(world, drawn):
    plot_scores("confusion", world.folder / "recognised", out="a.pdf", values="count")
    (page,) = drawn
    page.plot_on(page.display.plot().figure_)
    assert page.display.text_[0][0].get_text() == "2"  # by hand: happy as happy


def test_timelines(world, drawn):
    plot_scores("timeline", world.folder / "attentive", out="a.pdf")
    assert [page.dialogue_id for page in drawn] == ["d1"]  # the first vote is on it
    drawn.clear()
    plot_scores("timeline", world.folder / "recognised", out="a.pdf", dialogue_ids=["d2", "d1", "d2"])
    assert [page.dialogue_id for page in drawn] == ["d2", "d1"]


def test_dialogues_that_have_moved(world, tmp_path, drawn):
    folder = tmp_path / "out"
    shutil.copytree(world.folder / "happy", folder)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["inputs"]["dialogues"]["path"] = str(tmp_path / "gone.jsonl")
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(InputError, match=r"gone\.jsonl: the dialogues of .* cannot be read .*--dialogues"):
        plot_scores("timeline", folder, out="a.pdf")
    moved = tmp_path / "moved.jsonl"
    shutil.copy(world.path, moved)
    plot_scores("timeline", folder, out="a.pdf", dialogues=moved)
    assert len(drawn) == 1
    moved.write_text(world.path.read_text("utf-8").replace("happy", "anger"), "utf-8")
    with pytest.raises(InputError, match=r"moved\.jsonl: not the dialogues that .* is of"):
        plot_scores("timeline", folder, out="a.pdf", dialogues=moved)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (
            {"kind": "pie"},
            UsageError,
            "'pie' is no kind of plot: choose one of confusion, classes, transitions, scores, time",
        ),
        ({"out": "a.jpg"}, UsageError, r"a\.jpg: a picture ends in .png, .svg or .pdf"),
        ({"folders": []}, UsageError, "no folder was named"),
        ({"folders": ["nowhere"]}, StoreError, "nowhere is no folder of scores: run mmrole score or mmrole erc"),
        ({"folders": ["happy", "happy"]}, UsageError, "a folder is there twice"),
        ({"kind": "transitions", "roles": []}, UsageError, "no role was named"),
        ({"kind": "transitions", "roles": "Cleo"}, UsageError, "role 'Cleo' has no response; there are 2: Ann, Bo"),
        ({"kind": "timeline", "dialogue_ids": "d9"}, InputError, "there is no dialogue 'd9'; there are 2: d1, d2"),
        ({"kind": "scores", "metrics": ["exp"]}, UsageError, "there are no scores to draw"),
        ({"lang": "de"}, UsageError, "one of en, zh, not 'de'"),
    ],
)
def test_what_makes_no_sense_is_an_error_of_one_line(world, tmp_path, monkeypatch, arguments, error, said):
    monkeypatch.chdir(world.folder)
    out = tmp_path / "a.png"
    given = {"kind": "confusion", "folders": "happy", "out": out, **arguments}
    with pytest.raises(error, match=said) as caught:
        plot_scores(given.pop("kind"), given.pop("folders"), **given)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_too_many_pages_for_one_picture_fit_into_a_pdf(world, monkeypatch, drawn):
    monkeypatch.setattr(job, "MOST_IN_A_PICTURE", 1)
    given = {"roles": ["Ann", "Bo"]}
    with pytest.raises(UsageError, match=r"2 pages do not fit into one picture: write a \.pdf, or at most 1"):
        plot_scores("transitions", world.folder / "happy", out="a.png", **given)
    plot_scores("transitions", world.folder / "happy", out="a.pdf", **given)
    assert len(drawn) == 2


def test_a_picture_that_cannot_be_written(world, tmp_path):
    (tmp_path / "a.png").mkdir()
    with pytest.raises(DiskError, match=r"a\.png: cannot be written"):
        plot_scores("scores", world.folder / "happy", out=tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_the_command(world, tmp_path, capsys, monkeypatch, drawn):
    monkeypatch.chdir(world.folder)
    assert main(["plot", "confusion", "happy", "--level", "upper", "--out", "a.pdf"]) == 0
    assert capsys.readouterr() == ("a.pdf\n", "")
    assert len(drawn.pop().display.labels) == 3
    assert main(["plot", "transitions", "happy", "--kind", "same_speaker", "--role", "Bo", "--out", "a.pdf"]) == 0
    page = drawn.pop()
    assert (page.display.kind, page.display.role, page.options) == ("same_speaker", "Bo", {"normalise": "row"})
    assert (
        main(["plot", "scores", "happy", "attentive", "--metrics", "mec", "ed", "--lang", "zh", "--out", "a.pdf"]) == 0
    )
    page = drawn.pop()
    assert (list(page.runs), page.lang, len(page.groups)) == (["happy", "attentive"], "zh", 2)
    assert (
        main(["plot", "timeline", "happy", "--dialogue", "d2", "--dialogues", str(world.path), "--out", "a.pdf"]) == 0
    )
    assert drawn.pop().dialogue_id == "d2"
    assert main(["plot", "classes", "recognised", "--out", "a.pdf"]) == 0
    assert len(drawn.pop().classes) == 13
    capsys.readouterr()
    assert main(["plot", "classes", "nowhere", "--out", "a.pdf"]) == 1
    assert main(["plot", "transitions", "recognised", "--out", "a.pdf"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_the_command_tells_once_that_the_picture_is_in_english(world, tmp_path, capsys, monkeypatch):
    from mmrole.plotting import wording

    monkeypatch.setattr(wording, "chinese_family", lambda: None)
    folders = [str(world.folder / name) for name in ("attentive", "happy")]
    assert main(["plot", "classes", *folders, "--lang", "zh", "--out", str(tmp_path / "a.png")]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("mmrole: no installed font has Chinese, so the picture is in English")
