import os
import re
import subprocess
import sys

import cv2
import numpy as np
import pytest

from mmrole.plotting.pages import DPI, pdf_bytes, picture_bytes, tall_figure


class Stripe:
    """A page of one colour."""

    def __init__(self, colour, width, height):
        self.colour, self.size_in = colour, (width, height)

    def plot_on(self, figure):
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        ax.axhspan(0, 1, color=self.colour)
        ax.set_ylim(0, 1)


PAGES = [Stripe("red", 2.0, 1.0), Stripe("lime", 2.0, 0.5), Stripe("blue", 2.0, 2.0)]


def test_pages_lie_one_below_the_other_each_as_tall_as_it_wants():
    bgr = cv2.imdecode(np.frombuffer(picture_bytes(PAGES, "png"), np.uint8), cv2.IMREAD_COLOR)
    assert bgr.shape == (3.5 * DPI, 2 * DPI, 3)
    middle = bgr[:, DPI]
    # by hand: the pages meet 1 and 1.5 inches from the top
    red, lime, blue = [0, 0, 255], [0, 255, 0], [255, 0, 0]
    beside = [middle[int(inches * DPI)].tolist() for inches in (0.05, 0.95, 1.05, 1.45, 1.55, 3.45)]
    assert beside == [red, red, lime, lime, blue, blue]


def test_the_figure_is_as_wide_as_the_widest():
    assert tall_figure([*PAGES, Stripe("red", 3.0, 1.0)]).get_size_inches().tolist() == [3.0, 4.5]


def test_a_pdf_has_a_page_for_each():
    data = pdf_bytes(iter(PAGES))
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", data)) == 3
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    # 72 points an inch
    assert [(float(width), float(height)) for width, height in boxes] == [(144, 72), (144, 36), (144, 144)]


def test_svg():
    assert b"<svg" in picture_bytes(PAGES[:1], "svg")


@pytest.mark.parametrize("make", [lambda: picture_bytes(PAGES, "png"), lambda: pdf_bytes(PAGES)], ids=["png", "pdf"])
def test_the_same_pages_are_the_same_bytes(make):
    assert make() == make()


def test_neither_pyplot_nor_the_settings_are_touched(fixture_features):
    code = """
import sys, warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "no installed font has the characters")
import matplotlib
def settings():
    # to look up the backend would choose one
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}
before = settings()
import mmrole
from mmrole.plotting import KeyframesDisplay, ProsodyDisplay
from mmrole.plotting.pages import pdf_bytes, picture_bytes
store = mmrole.read_features(sys.argv[1])
pages = [ProsodyDisplay.from_features(store, "01_000_001"), KeyframesDisplay.from_features(store, "01_001_001", frames=2)]
for data in (picture_bytes(pages, "png"), picture_bytes(pages[:1], "svg"), pdf_bytes(pages[:1])):
    assert len(data) > 10_000
assert settings() == before
assert "matplotlib.pyplot" not in sys.modules
"""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "MPLBACKEND")}
    run = subprocess.run(
        [sys.executable, "-c", code, str(fixture_features)], env=environment, capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
