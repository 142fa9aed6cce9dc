"""Normalisation: speed, pitch and volume of an utterance against those of its speaker, gender or corpus.

    z = (x - mean) / std

with the mean and the standard deviation of the frames, pooled over the utterances of a reference group. As z is affine, an
utterance's summaries are enough: clips can be added and all normalised anew without measuring any again.

**Which group.** The first of speaker, gender, corpus that has, for every feature that the utterance itself has, at least 10
utterances with that feature and a spread; the corpus is taken whatever its size. One group serves all three features of an
utterance, so that they compare: a speaker with enough utterances but too few voiced ones is compared with the gender in
those utterances that have a pitch. In the corpus, a feature without a spread gives None, and the utterance `no_reference`.

PromptTTS++ (Shimizu et al. 2024) normalises within the gender for the same reason: what counts as low differs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from extractors.audio.moments import FeatureSummary, Moments, pooled
from extractors.audio.prosody import ProsodyFeatures
from mmrole.core.media import Caution

FEWEST_UTTERANCES = 10

# A standard deviation below what the measures resolve is no spread: a corpus of one sine would be normalised by rounding.
SMALLEST_SPREAD: Mapping[str, float] = {"speed": 0.01, "pitch": 0.001, "volume": 0.01}

# A z on a cut belongs to the level nearer to normal: levels are symmetric about zero.
LEVEL_CUTS = (-1.3, -0.5, 0.5, 1.3)
LEVEL_WORDS = ("very low", "low", "normal", "high", "very high")

FEATURES = tuple(field.name for field in fields(ProsodyFeatures))

# How tables write that they do not know a gender or a speaker; "other" speakers of CPED are many people under one name.
_NOBODY = {"", "unknown", "none", "nan", "null", "na", "n/a", "other", "others", "未知", "其他", "其它"}


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What the second pass knows of one clip.

    Attributes:
        features: its summaries
        speaker: name of the speaking role; None, empty, unknown and other (其他) are nobody
        gender: of the speaking role, in any one spelling per corpus
    """

    features: ProsodyFeatures
    speaker: str | None = None
    gender: str | None = None


@dataclass(frozen=True, kw_only=True)
class NormalizedFeature:
    """One feature of one utterance, relative to the reference group.

    Attributes:
        z: of the utterance's mean; None without a measured frame or without a reference
        level: one of `LEVEL_WORDS`; None with z
        sequence: z of the means of 20 equal stretches of the utterance, two decimals, None where a stretch has no frame of
            the feature; None as a whole with z
    """

    z: float | None
    level: str | None
    sequence: tuple[float | None, ...] | None


@dataclass(frozen=True, kw_only=True)
class Normalized:
    """One utterance, normalised.

    Attributes:
        speed: relative speaking rate
        pitch: relative ln F0
        volume: relative level
        reference: `speaker`, `gender` or `corpus`; None when no feature could be normalised
        cautions: `no_reference` when a feature was measured and could not be normalised
    """

    speed: NormalizedFeature
    pitch: NormalizedFeature
    volume: NormalizedFeature
    reference: str | None
    cautions: tuple[Caution, ...]


def normalize(utterances: Sequence[Utterance]) -> list[Normalized]:
    """Normalises all utterances of a corpus.

    Args:
        utterances: all there are, in any order; utterances without a measured frame change nothing

    Returns:
        one result for each, in the same order
    """
    groups = _pool(utterances)
    return [_normalize_one(utterance, groups) for utterance in utterances]


def level_word(z: float) -> str:
    """The level of a z-score: cut at -1.3, -0.5, 0.5 and 1.3, a cut itself belonging to the level nearer to normal.

    >>> level_word(0.5), level_word(0.51), level_word(-1.3), level_word(-1.31)
    ('normal', 'high', 'low', 'very low')
    """
    return LEVEL_WORDS[sum(z >= cut if cut < 0 else z > cut for cut in LEVEL_CUTS)]


_Key = tuple[str, str]
_Groups = dict[_Key, dict[str, Moments]]


def _keys(utterance: Utterance) -> list[_Key]:
    """The groups an utterance belongs to, the most specific one first."""
    named = [("speaker", utterance.speaker), ("gender", utterance.gender)]
    known = [(kind, name.strip()) for kind, name in named if name and name.strip().casefold() not in _NOBODY]
    return [*known, ("corpus", "")]


def _pool(utterances: Iterable[Utterance]) -> _Groups:
    parts: dict[_Key, dict[str, list[Moments]]] = defaultdict(lambda: {name: [] for name in FEATURES})
    for utterance in utterances:
        for key in _keys(utterance):
            for name in FEATURES:
                parts[key][name].append(_summary(utterance, name).moments)
    return {key: {name: pooled(moments) for name, moments in group.items()} for key, group in parts.items()}


def _summary(utterance: Utterance, name: str) -> FeatureSummary:
    summary: FeatureSummary = getattr(utterance.features, name)
    return summary


def _normalize_one(utterance: Utterance, groups: _Groups) -> Normalized:
    present = [name for name in FEATURES if _summary(utterance, name).moments.count]
    key = next(
        key
        for key in _keys(utterance)
        if key[0] == "corpus" or all(_serves(groups[key][name], name) for name in present)
    )
    done = {name: _normalize_feature(_summary(utterance, name), groups[key][name], name) for name in FEATURES}
    missed = [name for name in present if done[name].z is None]
    return Normalized(
        **done,
        reference=key[0] if len(missed) < len(present) else None,
        cautions=(Caution.NO_REFERENCE,) if missed else (),
    )


def _serves(group: Moments, name: str) -> bool:
    return group.utterances >= FEWEST_UTTERANCES and _spread(group, name) is not None


def _spread(group: Moments, name: str) -> float | None:
    """Standard deviation of a group's frames; None when it is too small to divide by."""
    std = group.std
    return std if std is not None and std >= SMALLEST_SPREAD[name] else None


def _normalize_feature(summary: FeatureSummary, group: Moments, name: str) -> NormalizedFeature:
    spread = _spread(group, name)
    if not summary.moments.count or spread is None:
        return NormalizedFeature(z=None, level=None, sequence=None)
    z = (summary.moments.mean - group.mean) / spread
    # adding zero turns -0.0 into 0.0
    sequence = tuple(
        None if mean is None else round((mean - group.mean) / spread, 2) + 0.0 for mean in summary.stretches
    )
    return NormalizedFeature(z=z, level=level_word(z), sequence=sequence)
