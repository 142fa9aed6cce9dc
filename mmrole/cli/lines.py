"""Lines for people: names of files may hold anything, a line on the terminal may not."""

from __future__ import annotations

import re

# control characters, line and paragraph separators, marks that turn the direction of writing; half of a surrogate pair
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: object) -> str:
    """Text in which nothing can start a line, move the cursor or change colours: such characters become escapes."""
    return _UNSEEN.sub(lambda match: ascii(match[0])[1:-1], str(text))
