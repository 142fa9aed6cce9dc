"""`mmrole plot`: pictures of what was extracted, to see with one's own eyes whether it worked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from mmrole.core.errors import InputError, UsageError
from mmrole.core.features import FeatureStore, prosody_file, read_features, track_file
from mmrole.core.files import write_atomically
from mmrole.plotting.keyframes import KeyframesDisplay
from mmrole.plotting.pages import Page, pdf_bytes, picture_bytes
from mmrole.plotting.prosody import ProsodyDisplay

PlotKind = Literal["prosody", "keyframes"]
DEFAULT_CLIPS: Final = 4
ENDINGS: Final = ("png", "svg", "pdf")
MOST_IN_A_PICTURE: Final = 20
"""So many clips one below the other are about as tall as programs can open a picture."""

_DISPLAYS: Final[dict[str, Callable[[FeatureStore, str], Page]]] = {
    "prosody": ProsodyDisplay.from_features,
    "keyframes": KeyframesDisplay.from_features,
}
_FILES: Final[dict[str, Callable[[str], str]]] = {"prosody": prosody_file, "keyframes": track_file}


def plot(
    kind: PlotKind,
    features: str | os.PathLike[str],
    *,
    clips: Sequence[str] | str | None = None,
    out: str | os.PathLike[str],
) -> Path:
    """Draws clips of a features folder into one file.

    Args:
        kind: ``prosody`` (curves and normalised sequences) or ``keyframes`` (contact sheet)
        features: the folder that was the ``--out`` of `mmrole extract`
        clips: clip ids, in the order in which they are drawn; the first four that were measured when None
        out: the picture: ``.png`` or ``.svg`` (one clip below the other), or ``.pdf`` (a page for each)

    Returns:
        the path of the picture

    Raises:
        UsageError: no such kind of plot or of picture, or too many clips for one picture
        StoreError: there is no finished run in the folder, or a file of it is damaged
        InputError: no such clip
        DiskError: the picture cannot be written
    """
    if kind not in get_args(PlotKind):
        raise UsageError(f"{kind!r} is no kind of plot: choose one of {', '.join(get_args(PlotKind))}")
    ending = ending_of(out)
    store = read_features(Path(features))
    chosen = _chosen(store, kind, clips)
    if ending != "pdf" and len(chosen) > MOST_IN_A_PICTURE:
        raise UsageError(
            f"{len(chosen)} clips do not fit into one picture: write a .pdf, or at most {MOST_IN_A_PICTURE}"
        )
    return write_picture(out, _pages(store, kind, chosen))


def ending_of(out: str | os.PathLike[str]) -> str:
    """Which kind of file a picture is to be: ``png``, ``svg`` or ``pdf``.

    Raises:
        UsageError: another one
    """
    ending = Path(out).suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        raise UsageError(f"{out}: a picture ends in .png, .svg or .pdf: give --out another ending")
    return ending


def write_picture(out: str | os.PathLike[str], pages: Iterable[Page]) -> Path:
    """Draws pages into one file: one below the other, or in a PDF one after the other.

    Args:
        out: the picture
        pages: at least one

    Returns:
        the path of the picture

    Raises:
        UsageError: no such kind of picture
        DiskError: it cannot be written
    """
    ending = ending_of(out)
    write_atomically(Path(out), pdf_bytes(pages) if ending == "pdf" else picture_bytes(list(pages), ending))
    return Path(out)


def _chosen(store: FeatureStore, kind: PlotKind, clips: Sequence[str] | str | None) -> list[str]:
    if clips is not None:
        named = [clips] if isinstance(clips, str) else list(clips)
        if not named:
            raise UsageError("no clip was named: leave `clips` out to draw the first ones")
        for clip_id in named:
            store.record(clip_id)
        return list(dict.fromkeys(named))
    # where nothing was measured the pictures say why
    known = sorted(store.records)
    measured = [clip_id for clip_id in known if _FILES[kind](clip_id) in store.records[clip_id]["files"]]
    if not known:
        raise InputError(f"{store.folder} holds no clip: run mmrole extract with some")
    return (measured or known)[:DEFAULT_CLIPS]


def _pages(store: FeatureStore, kind: PlotKind, clips: Sequence[str]) -> Iterator[Page]:
    for clip_id in clips:
        yield _DISPLAYS[kind](store, clip_id)
