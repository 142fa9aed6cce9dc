"""Width, quotes, emphasis: what of a reply's typography means nothing.

`fold` keeps every position, so that structure can be looked for in the folded text and content taken from the original
one: text inside JSON strings is never changed.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_QUOTES: Final = {
    **dict.fromkeys("“”„‟«»「」『』《》〝〞", '"'),
    **dict.fromkeys("‘’‚‛‹›´", "'"),
    **dict.fromkeys("【〔〖", "["),
    **dict.fromkeys("】〕〗", "]"),
    **dict.fromkeys("−﹣‐‑", "-"),
    **dict.fromkeys("〜∼", "~"),
    "∕": "/",
    "⁄": "/",
    "\u2028": "\n",
    "\u2029": "\n",
}
_KEPT_FORMS: Final = ("<super>", "<sub>", "<circle>", "<fraction>", "<square>")


class _Fold(dict[int, str]):
    """Character -> the one character that it stands for; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = self._folded(chr(code))
        return folded

    def _folded(self, character: str) -> str:
        if character.isascii():
            return character
        if character in _QUOTES:
            return _QUOTES[character]
        category = unicodedata.category(character)
        if category == "Nd":
            return str(unicodedata.decimal(character))
        if category == "Zs":
            return " "
        # an exponent or a footnote mark must not become a digit of the number before it
        if unicodedata.decomposition(character).startswith(_KEPT_FORMS):
            return character
        plain = unicodedata.normalize("NFKC", character)
        return plain if len(plain) == 1 else character


_FOLD: Final = _Fold()
_ODD: Final = re.compile(r"[^\x00-\x7f\u4e00-\u9fff、。]")
_UNSEEN: Final = re.compile(r"[*`$\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\ufffc]+")


def fold(text: str) -> str:
    """The text with one plain character for each character: position by position the same."""
    return text if text.isascii() else _ODD.sub(_folded_match, text)


def _folded_match(match: re.Match[str]) -> str:
    return _FOLD[ord(match[0])]


PLACE: Final = "\ufffc"
"""Stands in a text for a JSON object that was taken out."""

_FENCE_LINE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+.-]*[ \t]*$", re.MULTILINE)
_FORMATTING: Final = re.compile(
    r"</?(?:em|strong|mark|span|code|pre|div|br|h[1-6]|li|ul|ol)(?:\s[^<>\n]{0,100})?/?>|<([biup])>([^<>\n]{0,200})</\1>",
    re.IGNORECASE,
)
_LATEX: Final = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|mbox)\s?\{([^{}\n]{0,200})\}|\\[()\[\]]|__+")
_STRUCK: Final = re.compile(r"~~[^~\n]{1,200}~~")
_HEADING: Final = re.compile(r"^#{1,6} ")


def plain(text: str) -> str:
    """A text without its typography: full width, curly quotes, emphasis, fences, empty lines, runs of spaces.

    `PLACE` is kept where the caller put it (and only there: see `mask`).
    """
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "```" in text or "~~~" in text:
        text = _FENCE_LINE.sub("", text)
    text = PLACE.join(_UNSEEN.sub("", fold(part)) for part in text.split(PLACE))
    if "<" in text:
        text = _FORMATTING.sub(r"\2", text)
    if "\\" in text or "__" in text:
        text = _LATEX.sub(r"\1", text)
    lines = (_HEADING.sub("", " ".join(line.split())) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def mask(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with one `PLACE` on a line of its own for each span; a `PLACE` that the text brought is dropped."""
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start].replace(PLACE, " "), f"\n{PLACE}\n"]
        position = end
    parts.append(text[position:].replace(PLACE, " "))
    return "".join(parts)


_END_MARK: Final = re.compile(
    r"(?:\s|<\|(?:end|return|im_end|eot_id|endoftext|end_of_text)\|>|</s>|<end_of_turn>)\Z", re.IGNORECASE
)


def without_end_marks(text: str) -> str:
    """The text without the end marks that some local servers leave at its end."""
    end = len(text)
    while match := _END_MARK.search(text[max(0, end - 20) : end]):
        end -= len(match[0])
    return text[:end]


_QUOTED: Final = re.compile(
    r"(?=[\"'>])(?:\"[^\"\n]{1,600}\"|(?<![A-Za-z0-9])'[^'\n]{1,600}'(?![A-Za-z0-9])|^>[^\n]*$)", re.MULTILINE
)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of what a plain text quotes: between quotation marks on one line, and lines that begin with ``>``."""
    return [match.span() for match in _QUOTED.finditer(text)]


def unquoted(text: str) -> str:
    """The plain text, without the quotation marks around it when it is quoted as a whole."""
    lines = text.split("\n")
    if len(lines) == 1 and text[:1] in ("'", '"') and _QUOTED.fullmatch(text):
        return text[1:-1].strip()
    if all(line.startswith(">") for line in lines):
        return "\n".join(line.lstrip("> ") for line in lines)
    return text


def folded(text: str) -> str:
    """What two texts have in common when they say the same: `plain`, on one line, without case."""
    return plain(text).replace("\n", " ").casefold()
