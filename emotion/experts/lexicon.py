"""The lexicon expert: counts emotion words. A baseline that needs no model, not for reporting.

The label with the most words wins; equally many words for two labels are *ambiguous*, not a guess. A text without any word of the
lexicon gives **no label** (``no_emotion_word``): a few hundred words know too little for their silence to mean anything, and calling
every such text neutral would turn what is not known into the most frequent class. Whoever wants that baseline says so:
``without_word="neutral"``; it is then part of the expert's identity and each such vote says ``assumed``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Literal

from emotion.experts.expert import ABSENT, ABSTAINED, Case, ExpertVote
from emotion.experts.given_labels import NOT_IN_SET, given_labels, in_order
from emotion.experts.lexicon_files import SEED, Hit, Lexicon, folded, seed_lexicon
from emotion.experts.reading import texts_of_stream
from emotion.votes import STREAMS
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

RULE: Final = "lexicon/leftmost-longest/v1"
NO_WORD: Final = "no_emotion_word"
ONLY_DENIED: Final = "only_denied_words"
TIE: Final = "tie"
WithoutWord = Literal["abstain", "neutral"]


class LexiconExpert:
    """Counts the words of lexicons in what a stream holds: the text, a description, or (``all``) both.

    Args:
        name: of the expert in its panel
        labels: label set of the run, or its name; lexicon labels that it does not have are not given
        streams: the streams to read
        lexicons: the lexicons; our seed lexicons of Chinese and English when None
        without_word: what a text without any emotion word gives: no label, or the assumption that it is neutral

    Raises:
        UsageError: an unknown stream, no label in common with the run, or a set without neutral where neutral is assumed
    """

    kind = "lexicon"
    baseline = True

    def __init__(
        self,
        *,
        name: str = "lexicon",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("all", "text"),
        lexicons: Sequence[Lexicon] | None = None,
        without_word: WithoutWord = "abstain",
    ) -> None:
        if strange := [stream for stream in streams if stream not in STREAMS]:
            raise UsageError(f"the expert {name} reads {', '.join(STREAMS)}, not {strange[0]!r}")
        if without_word not in ("abstain", "neutral"):
            raise UsageError(f"without_word has to be 'abstain' or 'neutral', not {without_word!r}")
        self.name = name
        self.labels = label_set(labels)
        self.streams = tuple(stream for stream in STREAMS if stream in streams)
        self.without_word = without_word
        self._lexicons = tuple(map(seed_lexicon, SEED)) if lexicons is None else tuple(lexicons)
        own = dict.fromkeys(label for lexicon in self._lexicons for label in lexicon.own_labels)
        self._given = given_labels(own, self.labels, self.kind)
        self._neutral = self.labels.resolve("neutral")
        if without_word == "neutral" and self._neutral is None:
            raise UsageError(f"the label set {self.labels.name} has no neutral to assume: use without_word = 'abstain'")

    @cached_property
    def can_give(self) -> tuple[str, ...]:
        """The labels that it is able to give, in the order of the set."""
        assumed = [self._neutral] if self.without_word == "neutral" and self._neutral else []
        return in_order([*self._given.values(), *assumed], self.labels)

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The rule, the lexicons and the settings."""
        return MappingProxyType(
            {
                "kind": self.kind,
                "rule": RULE,
                "lexicons": {lexicon.name: lexicon.sha256 for lexicon in self._lexicons},
                "without_word": self.without_word,
                "labels": list(self.labels.labels),
            }
        )

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002, ARG002  equal in every round
        """The vote on one case; equal in every round.

        Args:
            case: its text and descriptions are read
            stream: one of `streams`
            round: pass, from 0
        """
        parts = texts_of_stream(case, stream)
        if not parts:
            return ExpertVote(label=None, status=ABSENT, reason="no_text" if stream == "text" else "nothing_to_read")
        hits = [hit for part in parts for hit in self.hits(part)]
        counts = _counts(hits)
        detail: dict[str, Any] = {}
        if words := [hit.entry for hit in hits if not hit.denied and not hit.mark]:
            detail["words"] = words
        if marks := [hit.entry for hit in hits if hit.mark]:
            detail["marks"] = list(dict.fromkeys(marks))
        if denied := [hit.entry for hit in hits if hit.denied]:
            detail["denied"] = denied
        if not counts:
            if self.without_word == "neutral":
                return ExpertVote(label=self._neutral, detail={**detail, "assumed": True})
            return ExpertVote(label=None, status=ABSTAINED, reason=ONLY_DENIED if denied else NO_WORD, detail=detail)
        detail["counts"] = counts
        most = max(counts.values())
        leaders = [label for label, count in counts.items() if count == most]
        if len(leaders) > 1:
            return ExpertVote(label=None, status="ambiguous", reason=TIE, detail=detail)
        label = self._given.get(leaders[0])
        if label is None:
            return ExpertVote(label=None, status=ABSTAINED, reason=NOT_IN_SET, detail=detail)
        return ExpertVote(label=label, detail=detail)

    def hits(self, text: str) -> list[Hit]:
        """The words and marks of all its lexicons in a text."""
        plain = folded(text)
        return [hit for lexicon in self._lexicons for hit in lexicon.hits(plain)]


def _counts(hits: Sequence[Hit]) -> dict[str, float]:
    """Label -> weight of its words; marks that mean nothing alone add to labels that a word has named."""
    counts: dict[str, float] = {}
    for hit in hits:
        if hit.alone and not hit.denied:
            counts[hit.label] = counts.get(hit.label, 0.0) + hit.weight
    for hit in hits:
        if not hit.alone and hit.label in counts:
            counts[hit.label] += hit.weight
    return counts
