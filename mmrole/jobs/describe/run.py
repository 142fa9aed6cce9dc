"""`mmrole describe`: from features to descriptions of face, body and speech in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from emotion.describers.embedded import DEFINITION
from emotion.descriptions import Description
from mmrole.core.canonical import to_json
from mmrole.core.errors import UsageError
from mmrole.core.files import open_atomically
from mmrole.core.manifest import Manifest
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.describe.asked import JOURNAL as REPLIES
from mmrole.jobs.describe.asked import Answers, Questions, ask_model, estimate_model
from mmrole.jobs.describe.embedded import JOURNAL as DESCRIBED_HERE
from mmrole.jobs.describe.embedded import describe_embedded
from mmrole.jobs.describe.outcome import DescribeProgress, Told
from mmrole.jobs.describe.preparation import DESCRIBED, EMBEDDED, File, Job, new_manifest, notes_on, prepare
from mmrole.jobs.kept import keep_to_settings, keep_to_utterances
from mmrole.jobs.result_folder import result_folder, seal, unseal
from mmrole.llm import ChatModel, Estimate, Prices, ReplyCache, Spent, Stop
from mmrole.llm.result import raise_if_model_ended

DESCRIPTIONS: Final = "descriptions.jsonl"
SETTINGS: Final = "described.json"
"""Under what the folder's descriptions were made."""
DESCRIBER: Final = "describer.json"
"""The model that they are from."""


@dataclass(frozen=True, kw_only=True)
class DescribeResult:
    """What a run did. ``total = done + failed + pending + skipped``, in descriptions: utterances times modalities.

    Attributes:
        out: the folder
        describer: its name in the descriptions
        total: descriptions wanted, and clips that belong to no utterance (times modalities)
        done: with a text
        failed: without one although there was something to describe: the model refused, its reply could not be read, ...
        pending: not asked, because the run ended early
        skipped: there was nothing to describe
        reused: part of `done`: made in an earlier run
        reasons: modality -> code of the reason -> how many have no text for it
        notes: what has to be said beside the counts
        spent: calls, tokens and money in this run
        currency: of the money
        stopped: why the run ended early
    """

    out: Path
    describer: str
    total: int
    done: int
    failed: int
    pending: int
    skipped: int
    reused: int
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    spent: Spent = field(default_factory=Spent)
    currency: str | None = None
    stopped: Stop | None = None

    @property
    def counts(self) -> dict[str, int]:
        """For the manifest: inputs = done + failed + skipped; what is pending counts as failed there."""
        return {
            "inputs": self.total,
            "done": self.done,
            "failed": self.failed + self.pending,
            "skipped": self.skipped,
            "pending": self.pending,
            "reused": self.reused,
        }


def describe(
    features: File,
    *,
    out: File,
    dialogues: File | None = None,
    roles: File | None = None,
    describer: ChatModel | str = EMBEDDED,
    modalities: Sequence[str] = DESCRIBED,
    vision: bool = True,
    lang: str | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    config: str | Path | None = None,
    cache: ReplyCache | str | Path | bool | None = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Callable[[DescribeProgress], object] | None = None,
) -> DescribeResult:
    """Describes the utterances of a features folder in words and fills a folder with ``descriptions.jsonl``.

    What is described and unchanged is not described again: neither its features, nor the prompt, the model or the role's picture
    have changed. Every utterance has one record for each modality; where there is no text, it says why.

    Args:
        features: the folder of `mmrole.extract`
        out: the folder to fill
        dialogues: the utterances to describe, with what is said; all clips of the features when None
        roles: roles.jsonl, whose pictures are shown to a vision model
        describer: ``embedded`` for rules without a model, a model, or the name of an endpoint
        modalities: of face, body, speech
        vision: the model is shown pictures of face and body; otherwise it is told what was measured. Means nothing for speech
        lang: of prompts and descriptions, zh or en; that of the dialogues when None, en without dialogues
        format: of the dialogues; ``auto`` tells it from the file
        config: see `mmrole.jobs.asking.asking_of`, as the three that follow
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: is told how far it is

    Raises:
        UsageError: an option that makes no sense, no such endpoint, or a folder with other results
        InputError: a file that cannot be understood
        StoreError: there are no features, or a folder is damaged or in use
        ModelError: the model cannot answer at all; what was answered is stored
    """
    job = prepare(features, dialogues, roles, describer, modalities, vision, lang, format)
    if isinstance(describer, str) and describer == EMBEDDED:
        if max_cost is not None:
            raise UsageError("--max-cost is for a model: the embedded describer costs nothing")
        with result_folder(out, "describe") as folder:
            _keep_to(folder, job, EMBEDDED)
            manifest = new_manifest(job, {"kind": EMBEDDED, "definition": DEFINITION})
            told = describe_embedded(
                job.units.units,
                job.measures,
                folder,
                modalities=job.modalities,
                language=job.language,
                progress=on_progress,
            )
            result = _result(job, folder, f"{EMBEDDED}.{job.language}", told)
            _write(job, result, told, manifest)
        return result
    asking = asking_of(describer, config=config, cache=cache, prices=prices, max_cost=max_cost)
    with result_folder(out, "describe") as folder:
        _keep_to(folder, job, _name_of(describer), asking.model)
        manifest = new_manifest(job, dict(asking.model.identity))
        answers = ask_model(_questions(job), asking, folder, progress=on_progress)
        result = _asked(job, folder, _name_of(describer), answers)
        if result.stopped is None:
            _write(job, result, answers.told, manifest)
    raise_if_model_ended(result.stopped)
    return result


def estimate_describe(
    features: File,
    *,
    out: File,
    describer: ChatModel | str,
    dialogues: File | None = None,
    roles: File | None = None,
    modalities: Sequence[str] = DESCRIBED,
    vision: bool = True,
    lang: str | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    **asked: Any,
) -> Estimate:
    """What `describe` would take with the same arguments; asks nothing. Repair requests come on top."""
    job = prepare(features, dialogues, roles, describer, modalities, vision, lang, format)
    if isinstance(describer, str) and describer == EMBEDDED:
        raise UsageError("the embedded describer asks no model: there is nothing to estimate")
    asking = asking_of(describer, **asked)
    _keep_to(Path(out), job, _name_of(describer), asking.model, write=False)
    return estimate_model(_questions(job), asking, Path(out))


def _keep_to(folder: Path, job: Job, describer: str, model: ChatModel | None = None, *, write: bool = True) -> None:
    """Refuses to describe other utterances, or otherwise, than a folder's descriptions were made."""
    keep_to_settings(
        folder / SETTINGS, {"describer": describer, **job.kept(asks=model is not None)}, "descriptions", write=write
    )
    if model is not None:
        keep_to(folder / DESCRIBER, model, "describer", write=write)
    ids = {unit.utterance_id for unit in job.units.units}
    journals = [folder / REPLIES, folder / DESCRIBED_HERE]
    keep_to_utterances(folder, journals, ids, lambda record: str(record["utterance_id"]), "descriptions")


def _questions(job: Job) -> Questions:
    return Questions(
        units=job.units.units,
        measures=job.measures,
        modalities=job.modalities,
        language=job.language,
        vision=job.vision,
        portraits=job.portraits,
    )


def _name_of(describer: ChatModel | str) -> str:
    return describer if isinstance(describer, str) else str(describer.identity.get("model", "model"))


def _result(job: Job, folder: Path, describer: str, told: dict[tuple[str, str], Told]) -> DescribeResult:
    reasons: dict[str, Counter[str]] = {modality: Counter() for modality in job.modalities}
    for (_, modality), each in told.items():
        if each.reason is not None:
            reasons[modality][each.reason.partition(":")[0] if not each.failed else _kind(each.reason)] += 1
    done = sum(each.text is not None for each in told.values())
    failed = sum(each.failed for each in told.values())
    orphans = len(job.units.skipped) * len(job.modalities)
    total = len(job.units.units) * len(job.modalities) + orphans
    skipped = len(told) - done - failed + orphans
    return DescribeResult(
        out=folder,
        describer=describer,
        total=total,
        done=done,
        failed=failed,
        pending=total - done - failed - skipped,
        skipped=skipped,
        reused=sum(each.reused and each.text is not None for each in told.values()),
        reasons=reasons,
        notes=notes_on(job),
    )


def _kind(reason: str) -> str:
    """The first two parts of a failure's reason: its status and the rule or kind of error."""
    return (
        ": ".join(part.strip() for part in reason.split(":")[:2])
        if not reason.startswith("features")
        else "features_damaged"
    )


def _asked(job: Job, folder: Path, describer: str, answers: Answers) -> DescribeResult:
    batch = answers.batch
    result = _result(job, folder, describer, answers.told)
    if batch.stopped is not None:  # what came back before the end is stored, but was not gathered
        done = batch.statuses["ok"]
        failed = batch.done + batch.failed - done
        pending = result.total - done - failed - result.skipped
        result = replace(result, done=done, failed=failed, pending=pending, reused=min(batch.reused, done))
    return replace(result, spent=batch.spent, currency=batch.currency, stopped=batch.stopped)


def _write(job: Job, result: DescribeResult, told: dict[tuple[str, str], Told], manifest: Manifest) -> None:
    unseal(result.out)
    with open_atomically(result.out / DESCRIPTIONS) as file:
        for unit in job.units.units:
            for modality in job.modalities:
                each = told[unit.utterance_id, modality]
                description = Description(
                    utterance_id=unit.utterance_id,
                    modality=modality,
                    text=each.text,
                    describer=result.describer,
                    reason=each.reason,
                )
                file.write(f"{to_json(description.to_record())}\n".encode())
    manifest.counts = result.counts
    manifest.extra |= {
        "reasons": {modality: dict(counts) for modality, counts in result.reasons.items()},
        "notes": list(result.notes),
        "spent": result.spent.to_record(),
        "currency": result.currency,
    }
    seal(result.out, manifest, [DESCRIPTIONS])
