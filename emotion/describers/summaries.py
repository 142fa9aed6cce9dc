"""Measured features in words and figures, for language models that see no pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from emotion.describers.body import BodySummary
from emotion.describers.embedded import FEATURES, Words
from emotion.describers.face import FaceSummary
from emotion.describers.findings import Finding
from emotion.describers.measures import Sequence20, SpeechMeasures
from mmrole.core.languages import Language

_NOTES = {
    "en": {
        "none": "- brows, eyes and mouth show no clear expression",
        "range": "- {text}: {when}; strongest {peak:.2f} at {peak_s:.1f} s",
        "share": "in {share} % of the frames, from {onset:.1f} to {end:.1f} s",
        "plain": "- {text}: {when}",
        "throughout": "throughout",
        "seen": "- seen in {share} % of the frames",
        "energy": "- speed of the joints: {energy:.2f} shoulder widths a second (below 0.15 still, from 1 vigorous)",
        "missing": "not measured",
    },
    "zh": {
        "none": "- 眉、眼、嘴没有明显的表情",
        "range": "- {text}：{when}；最强{peak:.2f}，在{peak_s:.1f}秒",
        "share": "占{share}%的画面，从{onset:.1f}秒到{end:.1f}秒",
        "plain": "- {text}：{when}",
        "throughout": "始终",
        "seen": "- 在{share}%的画面中可见",
        "energy": "- 关节移动速度：每秒{energy:.2f}个肩宽（低于0.15为静止，1以上为剧烈）",
        "missing": "未测得",
    },
}


def face_lines(summary: FaceSummary, language: Language) -> str:
    """What a face does, one finding a line, with strengths from 0 to 1 and times."""
    notes = _NOTES[language]
    lines = [*_lines(summary.movements, language)] or [notes["none"]]
    lines += _lines(summary.head, language, figures=False)
    return "\n".join([*lines, notes["seen"].format(share=round(100 * summary.seen))])


def body_lines(summary: BodySummary, language: Language) -> str:
    """What a body does, one finding a line."""
    notes, words = _NOTES[language], Words(language)
    lines = [f"- {words.findings[summary.extent][0]}", *_lines(summary.findings, language, figures=False)]
    if summary.energy is not None:
        lines.append(notes["energy"].format(energy=summary.energy))
    return "\n".join([*lines, notes["seen"].format(share=round(100 * summary.seen))])


def _lines(findings: Iterable[Finding], language: Language, *, figures: bool = True) -> Iterator[str]:
    notes, words = _NOTES[language], Words(language)
    for each in findings:
        when = notes["throughout"]
        if each.when != "throughout":
            when = notes["share"].format(share=max(round(100 * each.share), 1), onset=each.onset_s, end=each.end_s)
        with_peak = figures and each.peak is not None and each.peak_s is not None
        text = words.clause(each)
        yield (
            notes["range"].format(text=text, when=when, peak=each.peak, peak_s=each.peak_s)
            if with_peak
            else notes["plain"].format(text=text, when=when)
        )


def speech_values(speech: SpeechMeasures, language: Language) -> dict[str, str]:
    """Levels, sequences and reference in words and figures, by the names of the variables of the prompt."""
    words, missing = Words(language), _NOTES[language]["missing"]
    levels = {"speed": speech.speed_level, "pitch": speech.pitch_level, "volume": speech.volume_level}
    curves = {"speed": speech.speed, "pitch": speech.pitch, "volume": speech.volume}
    values = {}
    for name in FEATURES:
        level = levels[name]
        values[f"{name}_level"] = missing if level is None else words.levels[name][level]
        values[f"{name}_curve"] = _sequence(curves[name], missing)
    return {**values, "reference": words.phrases.get(speech.reference or "", missing)}


def _sequence(points: Sequence20 | None, missing: str) -> str:
    if points is None:
        return missing
    return "[" + ", ".join("-" if point is None else f"{point:.2f}" for point in points) + "]"
