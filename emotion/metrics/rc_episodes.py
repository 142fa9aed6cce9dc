"""Role consistency by episode: `emotion.metrics.rc.rc` over the samples of each episode.

Source: MERRY (arXiv 2602.21941), role consistency by episode under the conditions None, Prev, Prof, All.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from emotion.judgements import Judgement
from emotion.metrics.rc import ASPECTS, Method, rc
from mmrole.core.errors import InputError
from mmrole.core.scores import Score, score_of_record

_NUMBER: Final = re.compile(r"(\d+)")


@dataclass(frozen=True, kw_only=True)
class EpisodeScore:
    """Role consistency of one aspect in one episode.

    Attributes:
        show: the series; None for all of them together
        episode: the episode; None for the samples that know none
        score: of the samples of that episode
    """

    show: str | None
    episode: str | None
    score: Score

    def to_record(self) -> dict[str, Any]:
        """As JSON values: those of the score, with show and episode."""
        return {**self.score.to_record(), "show": self.show, "episode": self.episode}


def episode_score_of(record: Mapping[str, Any], place: str) -> EpisodeScore:
    """What `EpisodeScore.to_record` gave.

    Raises:
        InputError: it is no such record
    """
    names = record.get("show"), record.get("episode")
    if not {"show", "episode"} <= record.keys() or not all(name is None or isinstance(name, str) for name in names):
        raise InputError(f"{place}: no score of an episode")
    return EpisodeScore(show=names[0], episode=names[1], score=score_of_record(record, place))


def rc_by_episode(
    judgements: Sequence[Judgement],
    *,
    method: Method = "evidence",
    clusters: Mapping[str, str] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> list[EpisodeScore]:
    """Role consistency of every aspect that was judged, episode by episode.

    Args:
        judgements: of any samples, aspects and judges
        method: see `emotion.metrics.rc.rc`, as are the following
        clusters: see there
        bootstrap: see there
        seed: see there

    Returns:
        in the order of aspects and of episodes by their numbers, those without an episode last: over all shows together (``show``
        None), then, where there are several shows, for each of them. Nothing when no judgement knows its episode
    """
    if all(judgement.episode is None for judgement in judgements):
        return []
    shows = sorted({judgement.show for judgement in judgements if judgement.show is not None})
    known = {judgement.show for judgement in judgements}
    out = []
    for show in (None, *(shows if len(known) > 1 else ())):
        of_show = [judgement for judgement in judgements if show is None or judgement.show == show]
        for aspect in (aspect for aspect in ASPECTS if any(judgement.aspect == aspect for judgement in of_show)):
            episodes: dict[str | None, list[Judgement]] = {}
            for judgement in of_show:
                if judgement.aspect == aspect:
                    episodes.setdefault(judgement.episode, []).append(judgement)
            for episode in sorted(episodes, key=episode_order):
                score = rc(episodes[episode], aspect, method=method, clusters=clusters, bootstrap=bootstrap, seed=seed)
                out.append(EpisodeScore(show=show, episode=episode, score=score))
    return out


def episode_order(episode: str | None) -> tuple[bool, list[tuple[bool, int, str]]]:
    """A key that sorts episodes by the numbers in their names, without a name last.

    >>> sorted(["S1E10", None, "S1E9", "finale"], key=episode_order)
    ['S1E9', 'S1E10', 'finale', None]
    """
    parts = _NUMBER.split(episode or "")
    return episode is None, [
        (not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts if part
    ]
