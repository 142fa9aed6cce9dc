"""`mmrole judge`: judges look for evidence for and against the role consistency of an agent's responses.

::

    judges/NAME/replies.jsonl   the journal of a judge's replies; judges/NAME/judge.json says which model that is
    judgements.jsonl            one record per response, aspect and judge (see `emotion.judging.records`); made when every judge is through
    manifest.json               settings, inputs with their SHA-256, what was not judged, counts; written last
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from emotion.judgements import judgements_of
from emotion.judging import JUDGE_METHODS, JudgeMethod, Sample, item_id, judge_item, judgement_record, read_reply
from emotion.metrics.rc import ASPECTS, Aspect, rc
from emotion.score_folder import write_lines
from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.manifest import Manifest
from mmrole.core.scores import Score
from mmrole.jobs.asking import keep_to
from mmrole.jobs.judge_asking import Judges, askings_of, home_of
from mmrole.jobs.judge_folder import JUDGEMENTS, keep_to_judged
from mmrole.jobs.judge_inputs import JudgeInputs, read_judge_inputs
from mmrole.jobs.result_folder import result_folder, seal, unseal
from mmrole.llm import (
    BatchItem,
    BatchProgress,
    Estimate,
    Prices,
    Repair,
    ReplyCache,
    batch_journal,
    estimate_batch,
    run_batch,
)
from mmrole.llm.cost import Spent
from mmrole.llm.items import record_key
from mmrole.llm.result import raise_if_model_ended
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal

File = str | os.PathLike[str]
Cache = ReplyCache | str | Path | bool | None
Progress = Callable[[BatchProgress], object]

REPLIES: Final = "replies.jsonl"
IDENTITY: Final = "judge.json"
_REPAIR: Final = Repair()


@dataclass(frozen=True, kw_only=True)
class JudgeRun:
    """What `judge` did.

    Attributes:
        out: the folder
        stages: name of a judge -> what came of its requests
        counts: inputs = done + failed + skipped, of judgements (responses x aspects x judges)
        skipped: reason -> number of responses that no judge was asked about
        scores: role consistency of each aspect, without intervals; nothing when a judge is not through
        notes: what has to be said beside them
        judgements: the file; None when a judge is not through
    """

    out: Path
    stages: dict[str, StageResult]
    counts: dict[str, int]
    skipped: dict[str, int]
    scores: list[Score]
    notes: list[str]
    judgements: Path | None


def judge(
    responses: File,
    *,
    dialogues: File,
    roles: File,
    judges: Judges,
    out: File,
    previous: File | None = None,
    method: JudgeMethod = "evidence",
    aspects: Sequence[Aspect] = ASPECTS,
    lang: Language | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    config: File | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> JudgeRun:
    """Has judges judge the role consistency of responses; a reply that is stored is never asked for again.

    Args:
        responses: response records, JSONL, or the folder of `mmrole respond` that holds them
        dialogues: the ground truth that was played in
        roles: role records, JSONL
        judges: names of endpoints or models, each with its own name; or name -> endpoint or model. MERRY has two or more
        out: the folder
        previous: records of previous information, JSONL; without it exp and rel are judged against the profile alone
        method: ``evidence`` for quoted evidence of both sides, ``subjective`` for a rating from 1 to 5
        aspects: of exp, rel, cha
        lang: language of the prompts, ``zh`` or ``en``; that of the dialogues when None
        format: of the dialogues; ``auto`` tells it from the file
        config: see `mmrole.jobs.asking.asking_of`, as are the following
        cache: see there
        prices: see there
        max_cost: the run ends before all judges together cost more
        on_progress: is told how far the present judge is

    Raises:
        InputError: a file that cannot be used; names file, line and value
        UsageError: no such endpoint, two judges of one name, a folder with other results or with replies of another model
        ModelError: a judge cannot answer at all; the others were asked, and what was answered is stored
        LockedError: another run is working on the folder
    """
    chosen = _chosen(method, aspects)
    asked = askings_of(judges, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    with result_folder(out, "judge") as folder:
        found = read_judge_inputs(responses, dialogues, roles, previous, aspects=chosen, lang=lang, format=format)
        items = _items(found, chosen, method)
        for name, asking in asked.items():
            keep_to(home_of(folder, name) / IDENTITY, asking.model, f"judge {name},", write=False)
        keep_to_judged(folder, found, [home_of(folder, name) / REPLIES for name in asked])
        stages: dict[str, StageResult] = {}
        spent = Spent()
        for name, asking in asked.items():
            keep_to(home_of(folder, name) / IDENTITY, asking.model, f"judge {name},")
            stages[name] = _ask(items, asking.after(spent), home_of(folder, name) / REPLIES)
            spent += stages[name].spent
        run = _finish(folder, found, asked, stages, chosen, method, spent)
    for name, stage in stages.items():
        raise_if_model_ended(stage.stopped, f"judge {name}")
    return run


def estimate_judge(
    responses: File,
    *,
    dialogues: File,
    roles: File,
    judges: Judges,
    out: File,
    previous: File | None = None,
    method: JudgeMethod = "evidence",
    aspects: Sequence[Aspect] = ASPECTS,
    lang: Language | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    **asked: Any,
) -> dict[str, Estimate]:
    """What `judge` would take with the same arguments, by judge; asks nothing and makes no file."""
    chosen = _chosen(method, aspects)
    found = read_judge_inputs(responses, dialogues, roles, previous, aspects=chosen, lang=lang, format=format)
    items = _items(found, chosen, method)
    estimates = {}
    opened = askings_of(judges, **asked)
    keep_to_judged(Path(out), found, [home_of(Path(out), name) / REPLIES for name in opened], write=False)
    for name, asking in opened.items():
        home = home_of(Path(out), name)
        keep_to(home / IDENTITY, asking.model, f"judge {name},", write=False)
        with opened_journal(home / REPLIES) as journal:
            estimates[name] = estimate_batch(
                items, asking.model, journal, parse=read_reply, repair=_REPAIR, cache=asking.cache, prices=asking.prices
            )
    return estimates


def _chosen(method: str, aspects: Sequence[str]) -> list[Aspect]:
    if method not in JUDGE_METHODS:
        raise UsageError(f"method has to be one of {', '.join(JUDGE_METHODS)}, not {method!r}")
    unknown = [aspect for aspect in aspects if aspect not in ASPECTS]
    if unknown or not aspects:
        raise UsageError(f"aspects are {', '.join(ASPECTS)}, not {unknown[0]!r}" if unknown else "no aspect was named")
    return [aspect for aspect in ASPECTS if aspect in aspects]


def _items(found: JudgeInputs, aspects: Sequence[Aspect], method: JudgeMethod) -> list[BatchItem]:
    return [
        judge_item(sample, aspect, method, found.language)
        for sample in found.samples
        for aspect in aspects
        if sample.reason is None
    ]


def _ask(items: Sequence[BatchItem], asking: Asking, path: Path) -> StageResult:
    with batch_journal(path) as journal:
        batch = run_batch(
            items,
            asking.model,
            journal,
            parse=read_reply,
            repair=_REPAIR,
            cache=asking.cache,
            prices=asking.prices,
            max_cost=asking.max_cost,
            progress=asking.progress,
        )
    return StageResult.of(batch)


def _finish(
    folder: Path,
    found: JudgeInputs,
    asked: Mapping[str, Asking],
    stages: Mapping[str, StageResult],
    aspects: Sequence[Aspect],
    method: JudgeMethod,
    spent: Spent,
) -> JudgeRun:
    """Writes the judgements, when every judge is through, and the manifest."""
    through = all(stage.stopped is None for stage in stages.values())
    skipped = Counter(sample.reason for sample in found.samples if sample.reason is not None)
    sums = {
        name: sum(stage.counts[name] for stage in stages.values()) for name in ("done", "failed", "pending", "reused")
    }
    not_asked = skipped.total() * len(aspects) * len(stages)
    counts = {"inputs": len(found.samples) * len(aspects) * len(stages), "skipped": not_asked, **sums}
    notes = [*found.notes, *_notes(list(stages))]
    scores: list[Score] = []
    unseal(folder)
    if through:
        records = list(_records(folder, found.samples, list(stages), aspects, method))
        write_lines(folder / JUDGEMENTS, map(to_json, records))
        judgements = judgements_of(records)
        clusters = {sample.response.utterance_id: sample.response.dialogue_id for sample in found.samples}
        scores = [rc(judgements, aspect, method=method, clusters=clusters) for aspect in aspects]
    else:  # what an earlier run made is of other judges or texts; from the journals it is made again for nothing
        (folder / JUDGEMENTS).unlink(missing_ok=True)
        notes.append(f"{JUDGEMENTS} was not written: a judge is not through; run again to go on")
    manifest = Manifest(
        command="judge",
        settings={
            "method": method, "aspects": list(aspects), "language": found.language, "format": found.format,
            "judges": {name: dict(asking.model.identity) for name, asking in asked.items()}, "prompts": found.prompts(aspects, method),
        },
        counts=counts,
        skipped=found.skipped(),
        libraries={},
        extra={
            "inputs": found.inputs,
            "notes": notes,
            "spent": spent.to_record(),
            "judges": {name: _told(stage) for name, stage in stages.items()},
            "scores": [score.to_record() for score in scores],
        },
    )  # fmt: skip
    seal(folder, manifest, [JUDGEMENTS] if through else [])
    return JudgeRun(
        out=folder,
        stages=dict(stages),
        counts=counts,
        skipped={str(reason): count for reason, count in skipped.items()},
        scores=scores,
        notes=notes,
        judgements=folder / JUDGEMENTS if through else None,
    )


def _records(
    folder: Path, samples: Sequence[Sample], judges: Sequence[str], aspects: Sequence[Aspect], method: JudgeMethod
) -> Iterator[Record]:
    for name in judges:
        with batch_journal(home_of(folder, name) / REPLIES) as journal:
            for sample in samples:
                for aspect in aspects:
                    stored = None
                    if sample.reason is None:
                        stored = journal.get(record_key(item_id(sample, aspect, method), 0))
                    yield judgement_record(sample, aspect, name, method, stored)


def _notes(judges: Sequence[str]) -> list[str]:
    if len(judges) > 1:
        return []
    return [f"one judge only, {judges[0]}: there is no agreement between judges; MERRY has two or more"]


def _told(stage: StageResult) -> Record:
    return {
        "counts": stage.counts,
        "statuses": dict(stage.statuses),
        "spent": stage.spent.to_record(),
        "currency": stage.currency,
        "stopped": None if stage.stopped is None else stage.stopped.message,
    }
