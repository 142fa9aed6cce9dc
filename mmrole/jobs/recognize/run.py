"""`mmrole recognize`: from dialogues and a panel to a folder of votes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from emotion.experts.cases import DEFAULT_HISTORY
from emotion.experts.llm import LlmExpert
from emotion.experts.panel import Panel, read_panel
from emotion.experts.trained import TrainedExpert
from mmrole.core.canonical import Record
from mmrole.core.counting import counted, noun
from mmrole.core.errors import ModelError
from mmrole.core.languages import Language
from mmrole.core.manifest import Manifest, library_versions
from mmrole.jobs.kept import keep_to_settings, keep_to_utterances
from mmrole.jobs.recognize.asked import REPLIES, estimate, journal_path
from mmrole.jobs.recognize.computed import COMPUTED
from mmrole.jobs.recognize.electorate import Electorate, File, read_electorate
from mmrole.jobs.recognize.members import Member, check_what_they_read, open_members
from mmrole.jobs.recognize.outcome import RecognizeResult
from mmrole.jobs.recognize.votes_file import VOTES, outcome_of, write_votes
from mmrole.jobs.recognize.voting import Progress, vote
from mmrole.jobs.result_folder import result_folder, seal, unseal
from mmrole.llm import ChatModel, Estimate, Prices, ReplyCache
from textbench.benchmark import opened_journal

COMMAND: Final = "recognize"
SETTINGS: Final = "voted.json"
"""Under what the folder's votes were made, and by whom."""


def recognize(
    dialogues: File,
    *,
    panel: File | Panel,
    out: File,
    descriptions: File | None = None,
    responses: File | None = None,
    features: File | None = None,
    history: int = DEFAULT_HISTORY,
    lang: Language | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    config: File | None = None,
    models: Mapping[str, ChatModel] | None = None,
    cache: ReplyCache | str | Path | bool | None = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> RecognizeResult:
    """Has a panel of experts vote on the emotions of clips, or of an agent's responses.

    Files in the folder: votes.jsonl (a record per utterance, stream, expert and round, in that order), manifest.json, and the
    journals: ``replies/EXPERT.jsonl`` of experts that ask a model, ``computed/EXPERT.jsonl`` of the others. What is in a journal is
    never asked or computed again; errors are tried again.

    Args:
        dialogues: CPED, MELD or the project's JSONL
        panel: a panel, or its TOML file
        out: the folder
        descriptions: descriptions.jsonl of the dialogues' own clips
        responses: responses.jsonl of an agent: the votes are on its utterances ``ID/k`` instead of on the clips
        features: what `mmrole extract` measured of the clips, for experts that read it
        history: lines before an utterance that are shown
        lang: of the prompts, zh or en; that of the dialogues when None
        format: of the dialogues; ``auto`` tells it from the file
        labels: name or TOML file of the label set; that of the format, else cped-13, when None
        config: mmrole.toml; the panel's own file when it defines endpoints, else the one in the working folder when None
        models: endpoint -> model, instead of those of mmrole.toml
        cache: a reply cache or its folder; None for the user's own when the model is an endpoint, False for none
        prices: price list; that of the configuration when None
        max_cost: the run ends before all experts together cost more
        on_progress: is told how far each expert is

    Raises:
        InputError: a file that cannot be used; names file, line and value
        UsageError: options or a panel that make no sense, or a folder with other results
        ModelError: no expert could be asked anything
        LockedError: another run is working on the folder
        DiskError: the folder cannot be written
    """
    given, members = _opened(
        dialogues, panel=panel, descriptions=descriptions, responses=responses, features=features, history=history,
        lang=lang, format=format, labels=labels, config=config, models=models, cache=cache, prices=prices,
        max_cost=max_cost,
    )  # fmt: skip
    with result_folder(out, COMMAND) as folder:
        _keep_to(folder, given, members, history)
        manifest = Manifest(
            command=COMMAND,
            settings={
                "format": given.format,
                "labels": given.labels.to_record(),
                "language": given.language,
                "history": history,
                "of": "clips" if responses is None else "responses",
                "experts": [member.to_record() for member in members],
            },
            counts={},
        )
        stages = vote(members, given.cases, folder, max_cost, on_progress)
        unseal(folder)
        tallies = write_votes(folder / VOTES, given.cases, members, stages)
        result = RecognizeResult(
            out=folder,
            utterances=len(given.cases),
            experts=[outcome_of(*parts, len(given.cases)) for parts in zip(members, stages, tallies, strict=True)],
            responses_without=given.without,
            notes=[*given.notes, *_notes(members, given)],
            currency=next((m.asking.prices.currency for m in members if m.asking and m.asking.prices), None),
        )
        _seal(manifest, result, given, folder)
    _raise_if_nobody_answered(result)
    return result


def estimate_recognize(dialogues: File, *, panel: File | Panel, out: File, **asked: Any) -> dict[str, Estimate]:
    """What `recognize` would take with the same arguments; asks nothing and writes nothing.

    Returns:
        expert -> estimate, for the experts that ask a language model
    """
    given, members = _opened(dialogues, panel=panel, **asked)
    _keep_to(Path(out), given, members, asked.get("history", DEFAULT_HISTORY), write=False)
    estimates = {}
    for member in members:
        if isinstance(member.expert, LlmExpert) and member.asking is not None:
            path = journal_path(Path(out), member)
            with opened_journal(path) as journal:
                estimates[member.name] = estimate(member, member.expert, member.asking, given.cases, journal)
    return estimates


def _keep_to(folder: Path, given: Electorate, members: list[Member], history: int, *, write: bool = True) -> None:
    """Refuses votes on other utterances, under other settings, or by another expert of a name that has voted."""
    settings = {
        "language": given.language, "history": history, "labels": given.labels.name, "votes on": given.of,
        **{f"expert {member.name}": member.kept() for member in members},
    }  # fmt: skip
    keep_to_settings(folder / SETTINGS, settings, "votes", write=write)
    journals = [path for name in (REPLIES, COMPUTED) for path in sorted((folder / name).glob("*.jsonl"))]
    parts = 1 if given.of == "clips" else 2  # the keys are ID/STREAM#ROUND, and ID/POSITION/STREAM#ROUND of responses
    keep_to_utterances(folder, journals, given.ids, lambda record: str(record["key"]).rsplit("/", parts)[0], "votes")


def _opened(
    dialogues: File,
    *,
    panel: File | Panel,
    descriptions: File | None = None,
    responses: File | None = None,
    features: File | None = None,
    history: int = DEFAULT_HISTORY,
    lang: Language | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    **asked: Any,
) -> tuple[Electorate, list[Member]]:
    """Everything that is read before anyone is asked."""
    chosen = panel if isinstance(panel, Panel) else read_panel(panel)
    given = read_electorate(
        dialogues, chosen, descriptions=descriptions, responses=responses, features=features, format=format, labels=labels,
        language=lang, history=history,
    )  # fmt: skip
    members = open_members(chosen, given.labels, given.language, **asked)
    check_what_they_read(
        members,
        responses=responses is not None,
        descriptions=descriptions is not None,
        features=features is not None,
        history=history,
    )
    return given, members


def _notes(members: list[Member], given: Electorate) -> Iterator[str]:
    for member in members:
        if member.asking is None or member.rounds < 2 or not isinstance(member.expert, LlmExpert):
            continue
        defaults = member.asking.model.identity.get("parameters") or {}
        own = member.expert.parameters.temperature
        if (own if own is not None else defaults.get("temperature")) == 0:
            yield f"the {member.rounds} rounds of {member.name} at temperature 0 are hardly independent votes"
    if "responses" not in given.inputs:
        yield from _trained_on_the_same(members, given.inputs["dialogues"])
    if not len(given.cases):
        yield "there is nothing to vote on"
    if given.without:
        many = ", ".join(f"{count:,} {status}" for status, count in sorted(given.without.items()))
        total = given.without.total()
        yield f"{counted(total, 'response')} {noun(total, 'has', 'have')} no utterance to vote on ({many})"


def _trained_on_the_same(members: list[Member], dialogues: Record) -> Iterator[str]:
    """A classifier knows its own training data by heart: votes on them say nothing of how well it recognises."""
    for member in members:
        trained = isinstance(member.expert, TrainedExpert) and member.expert.model.header["data"]
        if trained and any(each.get("sha256") == dialogues["sha256"] for each in trained):
            yield f"{member.name} was trained on this very file, {dialogues['name']}: its votes here are no recognition, leave them out"


def _seal(manifest: Manifest, result: RecognizeResult, given: Electorate, folder: Path) -> None:
    manifest.counts = result.counts
    manifest.skipped = list(result.skipped)
    manifest.libraries = library_versions("openai", "pydantic")
    manifest.extra = {
        "inputs": given.inputs,
        "notes": list(result.notes),
        "utterances": result.utterances,
        "experts": [{**each.to_record(), "spent": each.spent.to_record()} for each in result.experts],
        "spent": result.spent.to_record(),
        "currency": result.currency,
    }
    seal(folder, manifest, [VOTES])


def _raise_if_nobody_answered(result: RecognizeResult) -> None:
    stopped = [each.stopped for each in result.experts if each.stopped is not None and not each.money]
    if stopped and len(stopped) == len(result.experts) and not any(each.done for each in result.experts):
        raise ModelError(stopped[0])
