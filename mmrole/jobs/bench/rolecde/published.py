"""Takes over what the published scripts of RoleCDE have stored: decisions of an agent, verdicts of their judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, file_sha256, to_json
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.jobs.asking import keep_to
from mmrole.jobs.bench.rolecde.run import AGENT
from mmrole.jobs.bench.rolecde.stages import Place, new_manifest, place_of
from mmrole.jobs.bench.stages import MANIFEST, checked_name, lines, write_manifest
from mmrole.llm import ChatReply, ChatRequest, ErrorKind
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import RATINGS
from textbench.rolecde.deciding import CHOICE_FIELD, decision_id, decisions_of
from textbench.rolecde.judging import rating_record
from textbench.rolecde.outputs import Output, read_outputs

PUBLISHED: Final = "published"


@dataclass(frozen=True, kw_only=True)
class TakenJudgements:
    """What was taken over from the published judge.

    Attributes:
        name: of the grades
        counts: decisions, judged, not_judged, other_direction: the judge's direction is not that of the option, B being the role's
        ratings: the file
    """

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    ratings: Path

    @property
    def complete(self) -> bool:
        """Whether every decision of the plan was judged."""
        return not self.counts["not_judged"]


class _OutputsModel:
    """Answers with what the outputs hold; asks nobody."""

    def __init__(self, outputs: list[Output], place: Place, path: Path) -> None:
        self._sources = [path] if path.is_file() else sorted(path.glob("persona_*.json"))
        self._reply: dict[str, ChatReply] = {}
        by_key = {decision_id(each.persona.persona_id, each.level, "AB"): each for each in outputs}
        for item in place.folder.items():
            output = by_key.get(item.item_id)
            self._reply[_request_key(item.request)] = (
                ChatReply(error=ErrorKind.PROVIDER_ERROR, detail="there is no output for it")
                if output is None
                else ChatReply(text=_reply_text(output), finish_reason="stop", model=PUBLISHED)
            )

    @property
    def identity(self) -> Record:
        """The files."""
        return {
            "kind": "outputs",
            "model": PUBLISHED,
            "files": {each.name: file_sha256(each) for each in self._sources},
        }

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The output that stands for the request."""
        return self._reply[_request_key(request)]

    async def close(self) -> None:
        """Does nothing."""


def _request_key(request: ChatRequest) -> str:
    return to_json(request.in_round(0).to_record())


def _reply_text(output: Output) -> str:
    return to_json({CHOICE_FIELD: output.option or "", "reasoning": output.reasoning})


def take_outputs(folder: str | Path, outputs: str | Path, *, level: str | None = None) -> StageResult:
    """Stores the decisions of a published run as answers.

    Args:
        folder: from `build`, with the same personas, the prompt ``upstream`` and one run
        outputs: folder of ``persona_<id>.json`` with ``chosen_option`` and ``reasoning``, such a file, or a JSONL file
        level: of the outputs; the one that the folder's name holds when None

    Raises:
        UsageError: the plan is not that of a published run, or the folder holds the answers of another one
        InputError: an output cannot be understood, or is of another dilemma than the plan's
    """
    place = place_of(folder)
    read = _matching(place, outputs, level)
    if place.plan.style != "upstream" or place.plan.runs != 1:
        raise UsageError(
            "published outputs were made with the upstream prompt in one run: build the folder with --prompt upstream --runs 1"
        )
    model = _OutputsModel(read, place, Path(outputs))
    with place.folder.locked():
        keep_to(place.folder.path / AGENT, model, "agent")
        manifest = new_manifest("run", place.plan, {"agent": model.identity})
        result = place.folder.run(Asking(model=model), runs=1)
        write_manifest(manifest, place.folder.path / MANIFEST, result)
    return result


def take_judgements(
    folder: str | Path, outputs: str | Path, *, level: str | None = None, name: str = PUBLISHED
) -> TakenJudgements:
    """Stores what the published judge said as grades. Only whether it saw a compromise counts.

    Args:
        folder: with the answers of these outputs
        outputs: with RF, RC, AC, AF
        level: see `take_outputs`
        name: of the grades

    Raises:
        UsageError: a name that is none
        InputError: no output was judged, or one is of another dilemma than the plan's
    """
    place = place_of(folder)
    read = _matching(place, outputs, level)
    if not any(each.decision for each in read):
        raise InputError(f"{outputs}: no output holds what a judge said: fields RF, RC, AC, AF")
    by_key = {(each.persona.persona_id, each.level): each for each in read}
    home = place.folder.grades(checked_name(name))
    records: list[Record] = []
    other = 0
    with place.folder.locked():
        for decision in decisions_of(place.plan, place.personas.values(), place.folder.answers()):
            output = by_key.get((decision.persona, decision.level))
            replies: list[dict[str, Any]] = []
            if output is not None and output.option == decision.option and decision.option is not None:
                form = None if output.decision is None else "compromise" if output.decision[1] == "C" else "following"
                replies = [{"status": "unparsed" if form is None else "ok", "value": form}]
                other += output.decision is not None and (output.decision[0] == "R") != (output.option == "B")
            records.append(rating_record(place.personas[decision.persona], decision, replies))
        if (home / "judge.json").exists():
            raise UsageError(f"{home} holds the grades of a judge that was asked: choose another name")
        write_atomically(home / RATINGS, lines(records))
    judged = sum(record["form"] is not None for record in records)
    counts = Counter(decisions=len(records), judged=judged, not_judged=len(records) - judged, other_direction=other)
    return TakenJudgements(name=home.name, counts=dict(counts), ratings=home / RATINGS)


def _matching(place: Place, outputs: str | Path, level: str | None) -> list[Output]:
    """The outputs of the plan's dilemmas, which have to be the very same."""
    read = read_outputs(outputs, level)
    there = [each for each in read if each.persona.persona_id in place.personas and each.level in place.plan.levels]
    if not there:
        raise InputError(f"{outputs}: no output is of a persona and level of {place.folder.path}")
    for each in there:
        known = place.personas[each.persona.persona_id].dilemmas.get(each.level)
        if known is None or known.options != each.persona.dilemmas[each.level].options:
            raise InputError(
                f"{outputs}: the options of persona {each.persona.persona_id}, {each.level}, are not those that the folder was built with"
            )
    return there
