"""Fonts for texts that come from data: clip ids, speakers and labels may be Chinese.

matplotlib's own font has no Chinese characters. The fonts are chosen for each text object, so that the settings of the
session (``rcParams``) stay what they are.
"""

from __future__ import annotations

import functools
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

CHINESE_FAMILIES: Final = (
    "Noto Sans CJK SC", "Noto Sans CJK", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans", "PingFang", "Microsoft YaHei",
    "WenQuanYi", "SimHei", "Heiti", "Hiragino Sans GB", "Noto Serif CJK SC", "Noto Serif CJK", "Source Han Serif", "SimSun",
    "AR PL", "Arial Unicode MS", "Droid Sans Fallback",
)  # fmt: skip
"""Beginnings of the names of font families with simplified Chinese, the first are preferred."""

_FILES: Final = (
    "notosanscjk", "notoserifcjk", "notosanssc", "sourcehan", "pingfang", "msyh", "wqy", "wenquanyi", "simhei", "simsun", "stheiti",
    "hiragino", "uming", "ukai", "droidsansfallback",
)  # fmt: skip
"""How the files of such families are called."""

_SAMPLE: Final = "情绪说话人"
_BOX: Final = "□"
_ADVICE: Final = "they are drawn as boxes; install a font that has them, such as the package fonts-noto-cjk for Chinese"


@dataclass(frozen=True, kw_only=True)
class Lettering:
    """How to draw some texts; made by `lettering`.

    Attributes:
        families: font families; each character is drawn in the first that has it
        absent: characters that none of them has
    """

    families: tuple[str, ...]
    absent: frozenset[str] = frozenset()

    @property
    def style(self) -> dict[str, Any]:
        """Keyword arguments for a text object; a dollar sign is a dollar sign."""
        return {"family": list(self.families), "parse_math": False}

    def shown(self, text: str) -> str:
        """The text with a box in the place of each character that no font has."""
        return "".join(_BOX if character in self.absent else character for character in text)


def lettering(*texts: str) -> Lettering:
    """Chooses fonts that have all characters of some texts.

    The fonts of the session come first; one with Chinese is added where a text needs it. Characters that no font has
    are told of in one warning.

    Args:
        *texts: all texts that will be drawn with it
    """
    families = [str(family) for family in mpl.rcParams["font.family"]]
    absent = _absent(texts, families)
    if absent:
        chinese = chinese_family()
        if chinese is not None:
            families.append(chinese)
            absent = _absent(absent, [chinese])
    if absent:
        some = " ".join(f"{character} (U+{ord(character):04X})" for character in sorted(absent)[:3])
        more = f" and {len(absent) - 3} more" if len(absent) > 3 else ""
        warnings.warn(f"no installed font has the characters {some}{more}: {_ADVICE}", UserWarning, stacklevel=3)
    return Lettering(families=tuple(families), absent=frozenset(absent))


@functools.cache
def chinese_family() -> str | None:
    """Name of an installed font family with simplified Chinese, the best of `CHINESE_FAMILIES`; None when there is none."""
    found = _preferred()
    if found is None:
        # matplotlib remembers which fonts there were when it was first used: one that came later is not in its list
        for path in font_manager.findSystemFonts():
            if Path(path).name.lower().replace("-", "").startswith(_FILES):
                try:
                    font_manager.fontManager.addfont(path)
                except (OSError, RuntimeError):  # no font that FreeType can read
                    continue
        found = _preferred()
    return found


def one_line(text: str, columns: int) -> str:
    """A text from data made fit for a picture: one line, its middle left out where it is too long.

    Args:
        text: any text
        columns: how much fits, in Latin letters; a Chinese character counts twice
    """
    flat = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text)
    flat = "".join(_BOX if unicodedata.category(c) in ("Cs", "Cn", "Co") else c for c in flat)
    if _columns(flat) <= columns:
        return flat
    head, tail = _fitting(flat, (columns - 1) * 2 // 3), _fitting(flat[::-1], (columns - 1) // 3)[::-1]
    return f"{head}…{tail}"


def _fitting(text: str, columns: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:index]
    return text


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _preferred() -> str | None:
    names = sorted({font.name for font in font_manager.fontManager.ttflist})
    for beginning in CHINESE_FAMILIES:
        for name in names:
            if name.startswith(beginning) and not _absent([_SAMPLE], [name]):
                return name
    return None


def _absent(texts: Iterable[str], families: Sequence[str]) -> set[str]:
    """Characters of the texts that none of the families has."""
    fonts = [_font(family) for family in families]
    wanted = {character for text in texts for character in text if not character.isspace()}
    return {character for character in wanted if not any(font.get_char_index(ord(character)) for font in fonts)}


def _font(family: str) -> FT2Font:
    return font_manager.get_font(font_manager.findfont(font_manager.FontProperties(family=[family])))
