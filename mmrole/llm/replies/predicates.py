"""Sentences that call one option the right one: "option B fits best", ``B更合适``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mmrole.llm.replies.letters import Letters


@lru_cache(maxsize=256)
def _expression(letters: Letters) -> re.Pattern[str]:
    key = rf"(?<![A-Za-z0-9À-ɏ_'])(?P<key>{letters.pattern})(?![A-Za-z0-9À-ɏ_]|-[A-Za-z0-9])[\"')\]]{{0,2}}"
    praise = (
        r"(?:correct|right|best|better|ideal|preferable|appropriate|the (?:one|answer|most|more|better|correct|right|only)|more|most"
        r"|my (?:choice|answer|pick)|what (?:he|she|they|i) would|closest|truest|accurate)(?![A-Za-z])"
    )
    praise_zh = r"(?:正确|正確|对的|最佳|最好|好|合适|合適|恰当|符合|贴切|合理|我的(?:选择|答案))"
    return re.compile(
        rf"{key} (?:is|was|would be|seems|appears|looks|feels|fits|suits|matches|makes|aligns|reflects)(?! not|n't)"
        rf"(?: [a-z]+){{0,3}}? {praise}"
        rf"|{key.replace('?P<key>', '?P<key_zh>')}(?:项|項|选项)?(?:是|更|最|才是|为|似乎|显然|比较){{0,3}}{praise_zh}"
    )


_NOT: Final = frozenset({"not", "less", "never", "no"})
_BEFORE: Final = re.compile(r"(?:not|n't|if|whether|否|不|如果) ?(?:[a-z]+ ){0,3}\Z")


def predicated(text: str, letters: Letters) -> str | None:
    """The key that a text praises, when it praises only one and denies none of its praise."""
    praised: set[str] = set()
    for match in _expression(letters).finditer(text):
        key = letters.key(match["key"] or match["key_zh"])
        before = text[max(0, match.start() - 24) : match.start()].casefold()
        asked = text.startswith(("?", "吗"), match.end())
        if key is None or asked or _NOT & set(match[0].casefold().split()) or _BEFORE.search(before):
            continue
        praised.add(key)
    return praised.pop() if len(praised) == 1 else None
