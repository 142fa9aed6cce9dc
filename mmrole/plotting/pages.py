"""From Displays to the bytes of a picture file: one below the other, or one on each page."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure, FigureBase

DPI: Final = 120
"""Resolution of a picture of pixels, and of photographs within a drawing."""


class Page(Protocol):
    """What a Display offers to be put on a page."""

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height in inches."""

    def plot_on(self, figure: FigureBase) -> object:
        """Draws on new axes that fill the figure."""


def tall_figure(pages: Sequence[Page]) -> Figure:
    """One figure with the pages one below the other.

    Args:
        pages: at least one
    """
    widths, heights = zip(*(page.size_in for page in pages), strict=True)
    figure = Figure(figsize=(max(widths), sum(heights)))
    parts = figure.subfigures(len(pages), 1, squeeze=False, height_ratios=heights, hspace=0, wspace=0)
    for page, part in zip(pages, parts[:, 0], strict=True):
        page.plot_on(part)
    return figure


def picture_bytes(pages: Sequence[Page], kind: str) -> bytes:
    """The pages one below the other.

    Args:
        pages: at least one
        kind: ``png`` or ``svg``
    """
    buffer = io.BytesIO()
    # no date in the file; and photographs hardly shrink further at the higher levels, which take twice as long
    options: dict[str, Any] = {"metadata": {"Date": None}} if kind == "svg" else {"pil_kwargs": {"compress_level": 1}}
    tall_figure(pages).savefig(buffer, format=kind, dpi=DPI, **options)
    return buffer.getvalue()


def pdf_bytes(pages: Iterable[Page]) -> bytes:
    """A PDF with the pages one after the other; they are drawn as they come, so that a generator needs little memory."""
    buffer = io.BytesIO()
    with PdfPages(buffer, metadata={"CreationDate": None}) as pdf:
        for page in pages:
            figure = Figure(figsize=page.size_in)
            page.plot_on(figure)
            pdf.savefig(figure, dpi=DPI)
    return buffer.getvalue()
