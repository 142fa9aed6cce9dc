"""`mmrole respond`: an agent plays roles under one condition; one folder is one agent under one condition.

::

    replies.jsonl      the journal: every reply as the agent wrote it, with what it took
    responses.jsonl    one record per turn, in the order of the dialogues (see `emotion.response_records`); written when all was asked
    agent.json         who the agent is
    played.json        under what the folder's responses were given
    manifest.json      settings, inputs with their SHA-256, counts, versions
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emotion.playing import Lack, response_of, unplayed
from emotion.response_records import PARTS, ResponseRecord
from emotion.score_folder import write_lines
from mmrole.core.canonical import Record, to_json
from mmrole.core.files import explained
from mmrole.core.journal import Journal
from mmrole.core.manifest import Manifest, library_versions
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.kept import keep_to_settings, keep_to_utterances
from mmrole.jobs.respond.asking import ask, estimate, reply_record
from mmrole.jobs.respond.preparation import File, Play, Setup, prepare
from mmrole.jobs.result_folder import result_folder, seal, unseal
from mmrole.llm import BatchProgress, ChatModel, Estimate, Parameters, Prices, ReplyCache, batch_journal
from mmrole.llm.cost import Budget
from mmrole.llm.result import raise_if_model_ended
from mmrole.llm.stage import Asking, StageResult

RESPONSES: Final = "responses.jsonl"
REPLIES: Final = "replies.jsonl"
AGENT: Final = "agent.json"
PLAYED: Final = "played.json"
_LIBRARIES: Final = ("openai", "pydantic")

Cache = ReplyCache | str | Path | bool | None


@dataclass(frozen=True, kw_only=True)
class RespondResult:
    """What `respond` did.

    Attributes:
        out: the folder
        responses: responses.jsonl; None when the run ended early, so that it was not written
        stage: what was asked
        not_played: status -> number of turns that the agent was not asked to play
        left_out: reason -> number of turns that are no targets
        utterances: utterances in the responses, and how many of them are without face, body and speech
        notes: what has to be said beside the counts
    """

    out: Path
    responses: Path | None
    stage: StageResult
    not_played: Mapping[str, int]
    left_out: Mapping[str, int]
    utterances: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Inputs = done + failed + skipped, of the turns that are targets; what is pending counts as failed."""
        counts = self.stage.counts
        skipped = sum(self.not_played.values())
        return {**counts, "inputs": counts["inputs"] + skipped, "skipped": skipped}


def respond_with(
    setup: Setup,
    agent: ChatModel | str,
    *,
    out: File,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Callable[[BatchProgress], object] | None = None,
) -> RespondResult:
    """`mmrole.respond` with its files and options in one object; see there."""
    setup.check()
    asking = asking_of(agent, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    name = agent_name(agent, asking)
    _require_price(asking)
    play = prepare(setup, asking.model)
    with result_folder(out, "respond") as folder:
        keep_to(folder / AGENT, asking.model, "agent")
        _keep_to(folder, play)
        manifest = _manifest(play, asking, name)
        unseal(folder)
        with explained(folder / RESPONSES):  # of an earlier run; it comes back from the journal
            (folder / RESPONSES).unlink(missing_ok=True)
        with batch_journal(folder / REPLIES) as journal:
            stage, lacks = ask(play, asking, journal)
            names, given = [REPLIES], list[ResponseRecord]()
            if stage.stopped is None:
                given = list(_responses(play, journal, lacks, name))
                write_lines(folder / RESPONSES, (to_json(each.to_record()) for each in given))
                names.append(RESPONSES)
            shown = _shown(play, journal)
        result = RespondResult(
            out=folder,
            responses=folder / RESPONSES if stage.stopped is None else None,
            stage=stage,
            not_played=dict(Counter(lack.status for lack in lacks.values())),
            left_out=play.targets.left_out,
            utterances=_utterances(given),
            notes=tuple(_notes(play, shown)),
        )
        _finish(manifest, result, play, lacks, shown)
        seal(folder, manifest, names)
    raise_if_model_ended(stage.stopped)
    return result


def estimate_with(
    setup: Setup,
    agent: ChatModel | str,
    *,
    out: File,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
) -> Estimate:
    """What `respond_with` would take with the same arguments; asks nothing."""
    setup.check()
    asking = asking_of(agent, config=config, cache=cache, prices=prices, max_cost=max_cost)
    play = prepare(setup, asking.model)
    folder = Path(out)
    if not (folder / REPLIES).exists():
        return estimate(play, asking, None)
    with result_folder(folder, "respond"), batch_journal(folder / REPLIES) as journal:
        keep_to(folder / AGENT, asking.model, "agent", write=False)
        _keep_to(folder, play, write=False)
        return estimate(play, asking, journal)


def agent_name(agent: ChatModel | str, asking: Asking) -> str:
    """What the agent is called in the records: the name of its endpoint, else of the model."""
    return agent if isinstance(agent, str) else str(asking.model.identity.get("model", "agent"))


def _require_price(asking: Asking) -> None:
    """Refuses a limit on cost that cannot be held before a finished folder is touched."""
    model = str(asking.model.identity.get("model", "the model"))
    Budget(asking.max_cost, None if asking.prices is None else asking.prices.of(model), model=model)


def _keep_to(folder: Path, play: Play, *, write: bool = True) -> None:
    """Refuses to play under something else, or other dialogues, than a folder's responses were given under."""
    keep_to_settings(folder / PLAYED, play.kept(), "responses", write=write)
    ids = {utterance.utterance_id for dialogue in play.dialogues for utterance in dialogue.utterances}
    keep_to_utterances(
        folder, [folder / REPLIES], ids, lambda record: str(record["key"]).rpartition("#")[0], "responses"
    )


def _responses(play: Play, journal: Journal, lacks: Mapping[str, Lack], agent: str) -> Iterable[ResponseRecord]:
    condition = play.setup.condition
    for target in play.targets.targets:
        lack = lacks.get(target.utterance_id)
        if lack is not None:
            yield unplayed(target, lack, condition=condition, agent=agent)
            continue
        record = reply_record(journal, target)
        if record is None:
            raise AssertionError(f"turn {target.utterance_id} has neither a reply nor a reason for having none")
        yield response_of(target, record, condition=condition, agent=agent)


def _utterances(responses: Iterable[ResponseRecord]) -> dict[str, int]:
    """How many utterances the responses have, and how many of them are without a part."""
    said = [each for response in responses for each in response.utterances or ()]
    without = {f"without_{part}": sum(getattr(each, part) is None for each in said) for part in PARTS if part != "text"}
    return {"utterances": len(said), **without}


def _shown(play: Play, journal: Journal) -> dict[str, int]:
    """What the agent was shown of the history, all turns together."""
    total: Counter[str] = Counter()
    for target in play.targets.targets:
        record = reply_record(journal, target)
        total.update({} if record is None else record["history"])
    return {name: total[name] for name in ("utterances", "pictures", "sounds")}


def _manifest(play: Play, asking: Asking, name: str) -> Manifest:
    setup = play.setup
    identity = asking.model.identity
    own = identity.get("parameters") or {}
    parameters = {**own, **{k: v for k, v in play.stage.parameters.to_record().items() if v not in (None, [], {})}}
    manifest = Manifest(
        command="respond",
        settings={
            **play.kept(),
            "format": play.format,
            "only": list(setup.only),
            "nobody": sorted(setup.nobody),
            "two_speakers_only": setup.two_speakers_only,
            "parameters": parameters or Parameters().to_record(),
            "prompts": {prompt.name: prompt.sha256 for prompt in play.stage.prompts()},
        },
        counts={},
        extra={"inputs": play.inputs, "agent": {"name": name, **identity}},
    )
    manifest.libraries = library_versions(*_LIBRARIES)
    return manifest


def _finish(manifest: Manifest, result: RespondResult, play: Play, lacks: Mapping[str, Lack], shown: Record) -> None:
    stage = result.stage
    manifest.counts = result.counts
    by_role = Counter(
        (lacks[target.utterance_id].status, target.role, target.dialogue.show)
        for target in play.targets.targets
        if target.utterance_id in lacks
    )
    manifest.skipped = [
        {"reason": status, "role": role, "show": show, "turns": count}
        for (status, role, show), count in by_role.items()
    ]
    manifest.extra |= {
        "targets": {
            "turns": play.targets.turns,
            "targets": len(play.targets.targets),
            "left_out": dict(play.targets.left_out),
            "roles": len(play.targets.roles),
        },
        "statuses": dict(stage.statuses),
        "history_shown": shown,
        "utterances": dict(result.utterances),
        "spent": stage.spent.to_record(),
        "currency": stage.currency,
        "stopped": None if stage.stopped is None else stage.stopped.message,
        "notes": list(result.notes),
    }


def _notes(play: Play, shown: Mapping[str, int]) -> Iterable[str]:
    for name, kinds in (("pictures", ("images", "media")), ("sounds", ("audio", "media"))):
        if play.setup.context in kinds and shown["utterances"] and not shown[name]:
            yield f"{shown['utterances']:,} lines of history were shown without any {name}: the features folder has none of them"
