"""How many syllables a transcript has: the numerator of the speaking rate.

One syllable per Han character; in Latin words the groups of vowel letters, less the silent endings of English; numbers as
they are read aloud, in Mandarin or in English. Nothing is guessed for other scripts: their transcripts count as absent.
"""

from __future__ import annotations

import re
import unicodedata

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "A-Za-z"
# notes of the transcriber, such as [laughs]: not spoken
_NOTE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】")
_NUMBER = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(rf"[{_HAN}]|[{_LATIN}]+(?:['’][{_LATIN}]+)*|{_NUMBER}|[%$€£¥:+=&@]")

_ZH_SYMBOLS = {"%": 3, "$": 2, "€": 2, "£": 2, "¥": 1, ":": 1, "+": 1, "=": 2, "&": 1, "@": 2}
_EN_SYMBOLS = {"%": 2, "$": 2, "€": 2, "£": 1, "¥": 1, ":": 0, "+": 1, "=": 2, "&": 1, "@": 1}

_VOWELS = re.compile(r"[aeiouy]+")
_SILENT_ENDINGS = (
    re.compile(r"[^aeiouy](?<![td])ed$"),  # looked, but not wanted
    re.compile(r"[^aeiouy](?<![sxzgc])(?<!ch|sh)es$"),  # likes, but not boxes
    re.compile(r"[^aeiouy](?<![^aeiouyr]l)e(?:'\w+)?$"),  # time, there's; but not table
)
# endings with a syllable that has no vowel group of its own: going, trying; didn't
_MORE = re.compile(r"(?<=[aeouy])ing$|(?<=[dst])n't$")
# abbreviations, and words that the rules get wrong and that dialogues are full of
_WORDS = {
    "ok": 2,
    "mr": 2,
    "mrs": 2,
    "dr": 2,
    "maybe": 2,
    "idea": 3,
    "every": 2,
    "everything": 3,
    "something": 2,
    "sometimes": 2,
}
# accents that make a letter a syllable of its own: café, naïve, Zoë
_SPOKEN_ACCENTS = str.maketrans(dict(zip("éèëïÉÈËÏ", ("ey", "ey", "hey", "hi") * 2, strict=True)))
# letters that have no accent to take off
_PLAIN = str.maketrans(dict(zip("æœøłđÆŒØŁĐßı", ("ae", "oe", "o", "l", "d") * 2 + ("ss", "i"), strict=True)))

# syllables of the English names of 0 to 19 and of the tens
_EN_UNITS = (2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 2, 2, 2, 2, 3, 2, 2)
_EN_TENS = (0, 1, 2, 2, 2, 2, 2, 3, 2, 2)
_NUMBER_ENDINGS = {"st", "nd", "rd", "th", "s"}


def count_syllables(text: str) -> int | None:
    """Counts the syllables of a transcript.

    Numbers are read in Mandarin when the text has Han characters or no letters at all (a whole utterance "2000" occurs in
    Chinese data), else in English. What stands in round or square brackets is the transcriber's note and is not counted.

    Args:
        text: what is said, as the transcript spells it

    Returns:
        the number of syllables, at least 1; None when there is nothing that can be counted, or when letters of another
        script than Han and Latin occur

    >>> count_syllables("你好吗"), count_syllables("2000"), count_syllables("What time is it?"), count_syllables("...")
    (3, 2, 4, None)
    """
    # NFKC undoes full-width forms, NFKD takes off the accents of pinyin and French
    composed = unicodedata.normalize("NFKC", text).translate(_SPOKEN_ACCENTS)
    folded = unicodedata.normalize("NFKD", composed)
    spoken = _NOTE.sub(" ", "".join(c for c in folded if not unicodedata.combining(c))).translate(_PLAIN)
    parts = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(spoken)]
    counted = {i for _, start, end in parts for i in range(start, end)}
    if any(c.isalpha() and i not in counted for i, c in enumerate(spoken)):
        return None
    mandarin = bool(re.search(f"[{_HAN}]", spoken)) or not re.search(f"[{_LATIN}]", spoken)
    shouted = not mandarin and spoken.upper() == spoken
    total = 0
    for i, (part, _, end) in enumerate(parts):
        previous = parts[i - 1][0] if i else ""
        if part[0].isdigit():
            total += _mandarin_number(part, spoken[end : end + 1]) if mandarin else _english_number(part)
        elif part in _ZH_SYMBOLS:
            # a colon is spoken in the time of day only
            between = previous[:1].isdigit() and spoken[end : end + 1].isdigit()
            total += (_ZH_SYMBOLS if mandarin else _EN_SYMBOLS)[part] if part != ":" or between else 0
        elif part[0].isascii():
            after_number = previous[:1].isdigit() and spoken[end - len(part) - 1].isdigit()
            total += 0 if after_number and part.lower() in _NUMBER_ENDINGS else _latin_word(part, mandarin, shouted)
        else:
            total += 1
    return total or None


def _latin_word(word: str, mandarin: bool, shouted: bool) -> int:
    """Syllables of one word; capitals are letters where that is how they are read (KTV; in Chinese also VIP and ID)."""
    lower = word.lower().replace("’", "'")
    if lower in _WORDS:
        return _WORDS[lower]
    letters = len(word) == 1 or not _VOWELS.search(lower) or (mandarin and len(word) <= 3)
    if letters and word.isupper() and not (shouted and _VOWELS.search(lower)):
        return sum(3 if c == "w" else 1 for c in lower if c.isalpha())
    groups = len(_VOWELS.findall(lower))
    silent = any(ending.search(lower) for ending in _SILENT_ENDINGS)
    return max(groups - silent + bool(_MORE.search(lower)), 1)


def _mandarin_number(number: str, following: str) -> int:
    """Syllables of a number in Mandarin: digit by digit in years and codes, else as a quantity."""
    whole, _, decimals = number.replace(",", "").partition(".")
    fraction = 1 + len(decimals) if decimals else 0
    code = len(whole) > 1 and whole.startswith("0")
    if code or len(whole) > 8 or (following == "年" and len(whole) == 4):
        return len(whole) + fraction
    value = int(whole)
    if value == 0:
        return 1 + fraction
    syllables, zero_due = 0, False
    high, low = divmod(value, 10_000)
    for section, name in ((high, 1), (low, 0)):
        if section == 0:
            continue
        digits = f"{section:04d}"
        # 10 to 19 are spoken without the leading one
        short = 1 if 10 <= section <= 19 and not syllables else 0
        started = syllables > 0
        zero_due = started and digits[0] == "0"
        for place, digit in enumerate(digits):
            if digit == "0":
                zero_due = zero_due or started
                continue
            syllables += 1 + (place < 3) + zero_due
            started, zero_due = True, False
        syllables += name - short
    return syllables + fraction


def _english_number(number: str) -> int:
    """Syllables of a number in English: 1100 to 1999 in pairs like years, long or zero-led ones digit by digit."""
    whole, _, decimals = number.replace(",", "").partition(".")
    fraction = 1 + sum(_EN_UNITS[int(d)] for d in decimals) if decimals else 0
    value = int(whole)
    if len(whole) > 9 or (len(whole) > 1 and whole.startswith("0")):
        return sum(_EN_UNITS[int(d)] for d in whole) + fraction
    if 1100 <= value <= 1999 and "," not in number:
        century, year = divmod(value, 100)
        # nineteen hundred, nineteen oh five, nineteen ninety
        return _below_hundred(century) + (_below_hundred(year) + (year < 10) if year else 2) + fraction
    if value == 0:
        return _EN_UNITS[0] + fraction
    total = 0
    for size, name in ((10**6, 2), (1000, 2), (1, 0)):
        part, value = divmod(value, size)
        if part:
            hundreds, rest = divmod(part, 100)
            total += (_EN_UNITS[hundreds] + 2 if hundreds else 0) + (_below_hundred(rest) if rest else 0) + name
    return total + fraction


def _below_hundred(value: int) -> int:
    """Syllables of the English name of 0 to 99."""
    if value < 20:
        return _EN_UNITS[value]
    return _EN_TENS[value // 10] + (_EN_UNITS[value % 10] if value % 10 else 0)
