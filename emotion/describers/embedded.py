"""Descriptions without a model: measured features turned into sentences by rules, in Chinese and English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from emotion.describers import words_en, words_zh
from emotion.describers.body import BODY_SEEN, BodySummary
from emotion.describers.curves import Curve, curve_of
from emotion.describers.face import FACE_SEEN, SPEAKING, FaceSummary
from emotion.describers.findings import WHENS, Finding
from emotion.describers.measures import SpeechMeasures
from mmrole.core.languages import Language

DEFINITION: Final = "describe/embedded/v1"
"""Changes whenever the same findings are put into other words."""

FEATURES: Final = ("speed", "pitch", "volume")


class Words:
    """The words of one language.

    Args:
        language: zh or en
    """

    def __init__(self, language: Language) -> None:
        words: Any = {"zh": words_zh, "en": words_en}[language]
        self.language = language
        self.findings: Mapping[str, tuple[str, str]] = words.FINDINGS
        self.phrases: Mapping[str, str] = words.PHRASES
        self.levels: Mapping[str, Mapping[str, str]] = words.LEVELS
        self.unmeasured: Mapping[str, str] = words.UNMEASURED
        self.shapes: Mapping[str, Mapping[str, str]] = words.SHAPES
        self._subjects: Sequence[str] = words.SUBJECTS

    def clause(self, finding: Finding) -> str:
        """A finding in words, without its time."""
        plain, strong = self.findings[finding.code]
        return strong if finding.strong and strong else plain

    def listed(self, clauses: Sequence[str]) -> str:
        """Clauses side by side."""
        spoken = [clauses[0], *map(self._without_subject, clauses[1:], clauses)]
        head, last = spoken[:-1], spoken[-1]
        return f"{self.phrases['comma'].join(head)}{self.phrases['and']}{last}" if head else last

    def _without_subject(self, clause: str, before: str) -> str:
        same = next((each for each in self._subjects if clause.startswith(each)), None)
        return clause[len(same) :] if same is not None and before.startswith(same) else clause

    def sentences(self, parts: Iterable[str]) -> str:
        """Parts as sentences."""
        parts = [part for part in parts if part]
        if self.language == "en":
            parts = [part[:1].upper() + part[1:] for part in parts]
        return self.phrases["stop"].join(parts) + self.phrases["end_mark"]

    def timed(self, findings: Iterable[Finding]) -> list[str]:
        """One part for each stretch of the clip, in the order of `WHENS`."""
        groups: dict[str, list[str]] = {}
        for each in sorted(findings, key=lambda finding: (WHENS.index(finding.when), finding.onset_s)):
            when = self.phrases[each.when].format("{}", onset=f"{each.onset_s:.1f}", end=f"{each.end_s:.1f}")
            groups.setdefault(when, []).append(self.clause(each))
        return [when.format(self.listed(clauses)) for when, clauses in groups.items()]


def describe_face(summary: FaceSummary, language: Language) -> str:
    """A sentence or two on a face."""
    words = Words(language)
    parts = words.timed(summary.movements)
    if all(each.code in SPEAKING for each in summary.movements):
        parts.append(words.phrases["no_expression"])
    lasting = [each for each in summary.head if each.when == "throughout"]
    if lasting:
        parts.append(words.listed([words.clause(each) for each in lasting]))
    parts += words.timed(each for each in summary.head if each.when != "throughout")
    if summary.seen < FACE_SEEN:
        parts.append(words.phrases["face_seen"].format(_percent(summary.seen)))
    return words.sentences(parts)


def describe_body(summary: BodySummary, language: Language) -> str:
    """A sentence or two on a body."""
    words = Words(language)
    parts = [words.findings[summary.extent][0]]
    lasting = [each for each in summary.findings if each.when == "throughout"]
    if lasting:
        parts.append(words.listed([words.clause(each) for each in lasting]))
    parts += words.timed(each for each in summary.findings if each.when != "throughout")
    if summary.seen < BODY_SEEN:
        parts.append(words.phrases["body_seen"].format(_percent(summary.seen)))
    return words.sentences(parts)


def describe_speech(speech: SpeechMeasures, language: Language) -> str:
    """A sentence on speech, from its levels and the shapes of its curves.

    Args:
        speech: with at least one level
        language: zh or en
    """
    words = Words(language)
    levels = {"speed": speech.speed_level, "pitch": speech.pitch_level, "volume": speech.volume_level}
    curves = speech_curves(speech)
    clauses = [_speech_clause(words, name, level, curves[name]) for name, level in levels.items()]
    pauses = curves["volume"].pauses
    if pauses:
        clauses.append(words.phrases["pause" if pauses == 1 else "pauses"])
    begin = [words.phrases[speech.reference]] if speech.reference in ("speaker", "gender", "corpus") else []
    return words.sentences([words.phrases["also"].join([*begin, *clauses])])


def speech_curves(speech: SpeechMeasures) -> dict[str, Curve]:
    """The shapes of speed, pitch and volume."""
    pitch = speech.pitch
    if pitch is not None and speech.volume is not None:
        # a pitch where nobody speaks is noise, or another voice; the volume is measured wherever there is speech
        pitch = [value if level is not None else None for value, level in zip(pitch, speech.volume, strict=True)]
    return {"speed": curve_of(speech.speed), "pitch": curve_of(pitch), "volume": curve_of(speech.volume)}


def _speech_clause(words: Words, name: str, level: str | None, curve: Curve) -> str:
    if level is None:
        return words.unmeasured[name]
    said = words.levels[name][level]
    if curve.shape == "unknown":
        return said
    return said + ("" if words.language == "zh" else " ") + words.shapes[name][curve.shape]


def _percent(share: float) -> int:
    """Whole per cent, and at least 1: a face that is seen at all is not seen in 0 %."""
    return max(round(100 * share), 1)
