"""What is wrong with a data set as a whole: gaps, labels, attributes, durations, clips.

`read_data_set` counts what is wrong with single rows; `audit` adds what only shows when all rows are there, and
`audit_clips` what shows when there are clips to go with them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from mmrole.core.dialogue import NOBODY, Dialogue, Utterance
from mmrole.core.dialogue_readers import DataSet, DefectKind, DefectReport
from mmrole.core.dialogue_readers.meld import KNOWN_DEFECTS
from mmrole.core.labels import INVALID, LabelSet, label_set

SHORTEST_S: Final = 0.05
"""A clip below this cannot be measured."""

_TAIL: Final = re.compile(r"^(.*?)(\d+)$", re.DOTALL)
_WORD: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


def audit(data_set: DataSet, *, labels: LabelSet | str | None = None, nobody: Iterable[str] = NOBODY) -> DefectReport:
    """Adds the defects that the rows have together to the report of a data set.

    Args:
        data_set: what `read_data_set` gave; its report is extended and returned
        labels: the label set or its name; the format's own when None (JSONL has none: labels are not checked)
        nobody: speakers that are no role

    Returns:
        the report
    """
    report = data_set.report
    _check_numbering(data_set.dialogues, report)
    chosen = labels if labels is not None else data_set.labels
    if chosen is not None:
        _check_labels(data_set.dialogues, label_set(chosen), report)
    _check_speakers(data_set.dialogues, frozenset(nobody), report)
    _check_durations(data_set.dialogues, report)
    if data_set.format == "meld":
        there = {u.utterance_id for dialogue in data_set.dialogues for u in dialogue.utterances}
        split = data_set.dialogues[0].split
        for (of_split, clip), what in KNOWN_DEFECTS.items():
            if of_split == split and clip in there:
                report.add(DefectKind.KNOWN_DEFECT, clip, what)
    return report


def _check_numbering(dialogues: list[Dialogue], report: DefectReport) -> None:
    starts = [d.utterances[0].index for d in dialogues if d.utterances[0].index is not None]
    origin = min(starts, default=0)
    for dialogue in dialogues:
        there = sorted({u.index for u in dialogue.utterances if u.index is not None})
        if not there:
            continue
        if there[0] > origin:
            report.add(DefectKind.FIRST_UTTERANCE_MISSING, dialogue.dialogue_id, f"starts at {there[0]}")
        missing = _missing(there)
        if missing:
            report.add(DefectKind.UTTERANCE_GAP, dialogue.dialogue_id, f"{_ranges(missing)} missing")
    series: dict[str, list[str]] = {}
    for dialogue in dialogues:
        if match := _TAIL.match(dialogue.dialogue_id):
            series.setdefault(match[1], []).append(match[2])
    for prefix, written in series.items():
        missing = _missing(sorted({int(digits) for digits in written}))
        width = min(map(len, written))  # of ids such as 27_007; those without leading zeros have a short one among them
        # ids that are no numbering (hashes, dates) leave more holes than they have members
        for number in missing if len(missing) < len(written) else ():
            report.add(DefectKind.DIALOGUE_ABSENT, f"{prefix}{number:0{width}d}")


def _missing(there: list[int]) -> list[int]:
    if there[-1] - there[0] + 1 > 10 * len(there) + 1000:  # no numbering, and too many to list
        return []
    return sorted(set(range(there[0], there[-1] + 1)) - set(there))


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 7 -> ``1-3, 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _check_labels(dialogues: list[Dialogue], labels: LabelSet, report: DefectReport) -> None:
    upper = labels.upper
    for dialogue in dialogues:
        for utterance in dialogue.utterances:
            emotion = utterance.emotion
            if emotion is None:
                continue
            code = labels.code(emotion)
            if code == INVALID:
                report.add(DefectKind.UNKNOWN_LABEL, utterance.utterance_id, repr(emotion))
                continue
            if emotion not in labels.labels:
                report.add(DefectKind.OTHER_SPELLING, utterance.utterance_id, f"{emotion} for {labels.labels[code]}")
            if upper is None or labels.sentiment_codes is None or utterance.sentiment is None:
                continue
            if upper.code(utterance.sentiment) != labels.sentiment_codes[code]:
                seen = f"{emotion} with {utterance.sentiment}"
                report.add(DefectKind.SENTIMENT_MISMATCH, utterance.utterance_id, seen)


def _check_speakers(dialogues: list[Dialogue], nobody: frozenset[str], report: DefectReport) -> None:
    known: dict[str, dict[str, Counter[tuple[str, str]]]] = {}
    has_attributes = any(u.gender or u.age for d in dialogues for u in d.utterances)
    for dialogue in dialogues:
        count = len(dialogue.speakers)
        if count > 2:
            report.add(DefectKind.MANY_SPEAKERS, dialogue.dialogue_id, f"{count} speakers")
        elif count == 1:
            report.add(DefectKind.ONE_SPEAKER, dialogue.dialogue_id)
        if any(speaker in nobody for speaker in dialogue.speakers):
            report.add(DefectKind.OTHER_SPEAKER, dialogue.dialogue_id)
        for utterance in dialogue.utterances:
            if utterance.speaker in nobody or not has_attributes:
                continue
            missing = [name for name in ("gender", "age") if getattr(utterance, name) is None]
            if missing:
                seen = f"{utterance.speaker}: {' and '.join(missing)} unknown"
                report.add(DefectKind.UNKNOWN_ATTRIBUTE, utterance.utterance_id, seen)
            for name, value in _attributes(utterance):
                seen_in = known.setdefault(utterance.speaker, {}).setdefault(name, Counter())
                seen_in[value, dialogue.show or ""] += 1
    for speaker, attributes in known.items():
        for name, seen_in in attributes.items():
            values = dict.fromkeys(value for value, _ in seen_in)
            if len(values) > 1:
                parts = [f"{value} in {_shows(value, seen_in)}" for value in values]
                report.add(DefectKind.CONFLICTING_ATTRIBUTE, speaker, f"{name} {', '.join(parts)}")


def _attributes(utterance: Utterance) -> Iterable[tuple[str, str]]:
    if utterance.gender is not None:
        yield "gender", utterance.gender
    if utterance.age is not None:
        yield "age", utterance.age
    yield from (utterance.traits or {}).items()


def _shows(value: str, seen_in: Counter[tuple[str, str]]) -> str:
    return " and ".join(f"show {show} ({count})" for (of, show), count in seen_in.items() if of == value)


def _check_durations(dialogues: list[Dialogue], report: DefectReport) -> None:
    for dialogue in dialogues:
        for utterance in dialogue.utterances:
            if utterance.start_s is None or utterance.end_s is None:
                continue
            duration_s = utterance.end_s - utterance.start_s
            if duration_s == 0:
                report.add(DefectKind.ZERO_DURATION, utterance.utterance_id, "0 s")
            elif duration_s < 0:
                report.add(DefectKind.NEGATIVE_DURATION, utterance.utterance_id, f"{duration_s:.3f} s")
            elif duration_s > longest_s(utterance.text):
                words = len(_WORD.findall(utterance.text))
                report.add(DefectKind.LONG_DURATION, utterance.utterance_id, f"{duration_s:.1f} s for {words} words")


def longest_s(text: str) -> float:
    """How long an utterance may plausibly last: 15 s for pauses and laughter, and 1 s for each word or Han character."""
    return 15.0 + len(_WORD.findall(text))


@dataclass(frozen=True, kw_only=True, slots=True)
class ClipFact:
    """What is known of a clip.

    Attributes:
        duration_s: its length; None where it cannot be told
        reason: why it cannot be read; None when it can
    """

    duration_s: float | None = None
    reason: str | None = None


def clips_by_utterance(paths: Iterable[str], utterance_ids: Iterable[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Joins clips with utterances by name: a clip is named by its utterance id, in any folder, with any extension.

    Args:
        paths: the clips
        utterance_ids: the utterances

    Returns:
        utterance id -> its clips (one, if all is well), and the clips of no utterance
    """
    found: dict[str, list[str]] = {utterance_id: [] for utterance_id in utterance_ids}
    extra: list[str] = []
    for path in sorted(paths):
        pure = PurePath(path)
        # an id may hold dots, so that a whole name is looked for before its stem
        name = pure.name if pure.name in found else pure.stem
        found.get(name, extra).append(path)
    return found, extra


def audit_clips(
    data_set: DataSet, paths: Iterable[str], probe: Callable[[str], ClipFact] | None = None
) -> DefectReport:
    """Adds what is wrong with the clips of a data set to its report.

    Args:
        data_set: what `read_data_set` gave; its report is extended and returned
        paths: the clips that are there
        probe: tells what is known of a clip; clips are only joined by name when None

    Returns:
        the report
    """
    report = data_set.report
    utterances = {u.utterance_id: u for dialogue in data_set.dialogues for u in dialogue.utterances}
    found, extra = clips_by_utterance(paths, utterances)
    for path in extra:
        report.add(DefectKind.CLIP_EXTRA, path)
    for utterance_id, clips in found.items():
        if not clips:
            report.add(DefectKind.CLIP_MISSING, utterance_id)
        elif len(clips) > 1:
            report.add(DefectKind.CLIP_AMBIGUOUS, utterance_id, ", ".join(clips))
        if probe is not None:
            for path in clips:
                _check_clip(utterances[utterance_id], path, probe(path), report)
    return report


def _check_clip(utterance: Utterance, path: str, fact: ClipFact, report: DefectReport) -> None:
    if fact.reason is not None:
        report.add(DefectKind.CLIP_UNREADABLE, path, fact.reason)
        return
    duration_s = fact.duration_s
    if duration_s is None:
        return
    if duration_s < SHORTEST_S:
        report.add(DefectKind.CLIP_TOO_SHORT, path, f"{duration_s:.3f} s")
    elif utterance.start_s is not None and utterance.end_s is not None:
        wanted_s = utterance.end_s - utterance.start_s
        if abs(duration_s - wanted_s) > max(1.0, 0.5 * wanted_s):
            report.add(DefectKind.CLIP_LENGTH_DIFFERS, path, f"{duration_s:.1f} s, table {wanted_s:.1f} s")
    elif duration_s > longest_s(utterance.text):
        report.add(DefectKind.LONG_DURATION, path, f"{duration_s:.1f} s")
