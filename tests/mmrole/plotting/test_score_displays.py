"""What the Displays of scores have in common."""

import os
import subprocess
import sys

import pytest

import mmrole.plotting
from mmrole.plotting import wording as module
from mmrole.plotting.pages import pdf_bytes, picture_bytes, tall_figure


def displays(world, lang="en"):
    """Every kind of picture of scores."""
    report = world.reports["attentive"]
    from emotion.score_folder import read_score_folder
    from mmrole.plotting import (
        ClassesDisplay,
        ConfusionMatrixDisplay,
        ScoresDisplay,
        TimelineDisplay,
        TransitionMatrixDisplay,
    )

    recognised = read_score_folder(world.folder / "recognised")
    return [
        ConfusionMatrixDisplay.from_report(report, lang=lang),
        ConfusionMatrixDisplay.from_folder(recognised, lang=lang),
        ClassesDisplay.from_report(world.reports["happy"], lang=lang),
        ClassesDisplay.from_folder(recognised, lang=lang),
        TransitionMatrixDisplay.from_report(report, "same_speaker", "Ann", lang=lang),
        ScoresDisplay.from_reports(world.reports, lang=lang),
        TimelineDisplay.from_report(report, "d2", lang=lang),
        TimelineDisplay.from_folder(recognised, world.dialogues[0], lang=lang),
    ]


def test_all_go_into_one_picture(world):
    pages = displays(world)
    figure = tall_figure(pages)
    assert figure.get_size_inches()[1] == pytest.approx(sum(page.size_in[1] for page in pages))
    assert len(figure.subfigs) == len(pages)


@pytest.mark.parametrize("make", [lambda pages: picture_bytes(pages, "png"), pdf_bytes], ids=["png", "pdf"])
def test_the_same_pictures_are_the_same_bytes(world, make):
    assert make(displays(world)[2:4]) == make(displays(world)[2:4])


def test_all_that_is_written_is_there_in_chinese(world, with_chinese_font, monkeypatch):
    written = []
    call = module.Wording.__call__

    def remember(self, phrase, **values):
        written.append(phrase)
        return call(self, phrase, **values)

    monkeypatch.setattr(module.Wording, "__call__", remember)
    tall_figure(displays(world, "zh")).draw_without_rendering()
    # parts of scores are names of the data: streams, formulas
    names = {"accuracy", "all", "RCD, hellinger-pairwise", "RCD, hellinger-margin"}
    metrics = {"ERC", "MEC", "CEC", "ED", "EDD"}
    assert set(written) - module._CHINESE.keys() - names - metrics == set()


def test_the_names_are_looked_up_when_they_are_used():
    assert set(mmrole.plotting.__all__) == set(mmrole.plotting._PLACES)
    for name in mmrole.plotting.__all__:
        assert getattr(mmrole.plotting, name).__name__ == name


def test_neither_pyplot_nor_the_settings_are_touched(world):
    code = """
import sys, warnings
warnings.simplefilter("error")
import matplotlib
def settings():
    # to look up the backend would choose one
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}
before = settings()
from emotion.score_folder import read_score_folder
from mmrole import read_dialogues
from mmrole.plotting import *
from mmrole.plotting.pages import pdf_bytes, picture_bytes
folder = read_score_folder(sys.argv[1])
pages = [
    ConfusionMatrixDisplay.from_folder(folder), ClassesDisplay.from_folder(folder), TransitionMatrixDisplay.from_folder(folder),
    ScoresDisplay.from_folders([folder]), TimelineDisplay.from_folder(folder, read_dialogues(sys.argv[2])[0]),
]
for data in (picture_bytes(pages, "png"), picture_bytes(pages[:1], "svg"), pdf_bytes(pages[:1])):
    assert len(data) > 10_000
assert settings() == before
assert "matplotlib.pyplot" not in sys.modules
"""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "MPLBACKEND")}
    arguments = [str(world.folder / "happy"), str(world.path)]
    run = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
