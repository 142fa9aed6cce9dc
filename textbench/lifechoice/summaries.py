"""A description of a character, written by a model from the text before the decision: hierarchically or incrementally.

Hierarchical: each chunk is summed up; then neighbouring summaries are grouped and merged until one text is left that fits.
Incremental: one description is brought up to date chunk by chunk. LIFECHOICE (arXiv 2404.12138).

A summary counts when it is shorter than what it sums up, or no longer than it was asked to be. One that is neither is asked for
once more; when that fails as well the description has failed, is recorded so, and is not asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mmrole.core.canonical import content_key
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm import BatchItem, ChatReply, Repair
from mmrole.llm.items import OK, UNPARSED
from mmrole.llm.replies import Reply
from mmrole.llm.replies.folding import plain
from mmrole.llm.replies.gate import opened
from mmrole.llm.replies.refusals import declined
from textbench.chunks import chunks
from textbench.lifechoice.rounds import Answer, Job, call_of
from textbench.tokens import TokenCounter

NOT_SHORTER: Final = "not_shorter"
"""Rule of a summary that is no shorter than its input, and longer than it was asked to be."""
SUMMARY: Final = "summary"
TOO_DEEP: Final = "too_deep"
SHORTER: Final = Repair(
    english="That is too long: it has to be shorter than the text it sums up. Write it again, much shorter, and nothing else.",
    chinese="太长了：必须比所概括的文字更短。请大幅缩短后重写，不要输出其他内容。",
)
"""What is said, once, after a summary that is too long."""
_WORDS_PER_TOKEN: Final = {"en": 0.75, "zh": 1 / 1.3}
_REFUSAL_WITHIN: Final = 300  # characters: a refusal stands at the beginning


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How long things are, in tokens of the counter.

    Attributes:
        chunk: most in a chunk
        leaf: what the summary of a chunk is asked to have at most
        group: most in a group of summaries that are merged; two are merged at least
        node: what a merged summary is asked to have at most, as long as it is not the last
        most_levels: levels of merging; where more would be needed the description has failed
    """

    chunk: int = 1000
    leaf: int = 250
    group: int = 5000
    node: int = 1000
    most_levels: int = 12

    def __post_init__(self) -> None:
        for name in ("chunk", "leaf", "group", "node", "most_levels"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} has to be 1 or more, not {getattr(self, name)}")
        if self.leaf > self.chunk:
            raise UsageError(
                f"the summary of a chunk ({self.leaf} tokens) has to be shorter than the chunk ({self.chunk})"
            )


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a description is written from.

    Attributes:
        name: whom it describes, as the text calls them
        language: of the text
        text: the text before the decision
    """

    name: str
    language: Language
    text: str


@dataclass(frozen=True, kw_only=True)
class Described:
    """A description, or why there is none.

    Attributes:
        text: the description; None where there is none
        reason: why there is none: ``not_shorter``, ``too_deep``, ``empty_text``, or the status of the call that failed
        again: whether the next run tries again
        calls: ids of the calls it took: the nodes of the tree
        levels: of merging, 0 where one chunk was all
        cut: a supplied description was cut to its share of the budget, or to the text's share
    """

    text: str | None
    reason: str | None = None
    again: bool = False
    calls: tuple[str, ...] = ()
    levels: int = 0
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Read:
    """A summary that was read; see `mmrole.llm.Parsed`."""

    status: str
    value: str | None
    rule: str | None
    detail: str = ""


def prompt(name: str, language: Language) -> Prompt:
    """A packaged prompt of this benchmark."""
    return load_prompt("textbench", f"lifechoice/{name}.{language}")


class SummaryReader:
    """Reads the reply to a summary call.

    Args:
        counter: of tokens
    """

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    def __call__(self, call: BatchItem, reply: ChatReply) -> Read:
        """See `mmrole.llm.items.Parse`."""
        gate = opened(reply.text, reply.finish_reason)
        if isinstance(gate, Reply):
            return Read(status=gate.status.value, value=None, rule=str(gate.rule), detail=gate.detail)
        text = gate.text.strip()
        if refusal := declined(plain(text[:_REFUSAL_WITHIN])):
            return Read(status="refusal", value=None, rule=str(refusal), detail="the model declined")
        tokens, given, wanted = self._counter(text), call.fields["input_tokens"], call.fields["wanted_tokens"]
        if tokens >= given and tokens > wanted:
            detail = f"{NOT_SHORTER}: the summary has {tokens} tokens, its input {given}, and {wanted} were asked for"
            return Read(status=UNPARSED, value=None, rule=NOT_SHORTER, detail=detail)
        return Read(status=OK, value=text, rule=SUMMARY)


def hierarchical(source: Source, target: int, sizes: Sizes, counter: TokenCounter) -> Job[Described]:
    """Sums up chunks, and merges summaries until one is left that fits.

    Args:
        source: the text
        target: most tokens of the description
        sizes: of chunks and summaries
        counter: of tokens
    """
    parts = [chunk.text for chunk in chunks(source.text, sizes.chunk, counter)]
    if not any(part.strip() for part in parts):
        return Described(text=None, reason="empty_text")
    asked: list[str] = []
    calls = [_chunk_call(source, part, sizes.leaf, counter) for part in parts]
    if len(calls) == 1:
        calls = [_chunk_call(source, parts[0], min(sizes.leaf, target), counter)]
    answers = yield calls
    asked += [call.item_id for call in calls]
    level = 0
    while True:
        failed = _failure(calls, answers)
        if failed is not None:
            return Described(
                text=None, reason=failed.reason, again=failed.again, calls=tuple(dict.fromkeys(asked)), levels=level
            )
        if level == 0:
            pieces = [str(answers[call.item_id].value) for call in calls]
        if len(pieces) == 1 and counter(pieces[0]) <= target:
            return Described(text=pieces[0], calls=tuple(dict.fromkeys(asked)), levels=level)
        if level == sizes.most_levels:
            return Described(text=None, reason=TOO_DEEP, calls=tuple(dict.fromkeys(asked)), levels=level)
        level += 1
        groups = _groups(pieces, sizes.group, counter)
        wanted = target if len(groups) == 1 else min(sizes.node, target)
        merging = [
            _merge_call(source, group, wanted, counter) if len(group) > 1 or len(groups) == 1 else None
            for group in groups
        ]
        calls = [call for call in merging if call is not None]
        answers = yield calls
        asked += [call.item_id for call in calls]
        if _failure(calls, answers) is None:  # a group of one goes up as it is
            pieces = [
                group[0] if call is None else str(answers[call.item_id].value)
                for group, call in zip(groups, merging, strict=True)
            ]


def incremental(source: Source, target: int, sizes: Sizes, counter: TokenCounter) -> Job[Described]:
    """Brings one description up to date chunk by chunk, and shortens it whenever it is over the budget.

    Args:
        source: the text
        target: most tokens of the description
        sizes: of chunks
        counter: of tokens
    """
    parts = [chunk.text for chunk in chunks(source.text, sizes.chunk, counter)]
    if not any(part.strip() for part in parts):
        return Described(text=None, reason="empty_text")
    asked: list[str] = []
    description = ""
    for part in parts:
        if not description:
            call = _chunk_call(source, part, min(sizes.leaf, target), counter)
        else:
            call = _update_call(source, description, part, target, counter)
        shortened = 0
        while True:
            answers = yield [call]
            asked.append(call.item_id)
            failed = _failure([call], answers)
            if failed is not None:
                return Described(text=None, reason=failed.reason, again=failed.again, calls=tuple(dict.fromkeys(asked)))
            description = str(answers[call.item_id].value)
            if counter(description) <= target:
                break
            if shortened == sizes.most_levels:
                return Described(text=None, reason=TOO_DEEP, calls=tuple(dict.fromkeys(asked)))
            shortened += 1
            call = _shorten_call(source, description, target, counter)
    return Described(text=description, calls=tuple(dict.fromkeys(asked)))


def stand_in(call: BatchItem) -> str:
    """A text as long as the summary that a call asks for, to estimate what follows it."""
    share = {"en": 4.0, "zh": 1 / 1.3}[call.fields["language"]]
    letter = {"en": "a", "zh": "文"}[call.fields["language"]]
    return letter * max(1, int(min(call.fields["wanted_tokens"], call.fields["input_tokens"]) * share))


def _groups(pieces: Sequence[str], most: int, counter: TokenCounter) -> list[list[str]]:
    """Neighbours together, as many as fit, two at least: so each level has fewer texts than the one below."""
    groups: list[list[str]] = []
    tokens = 0
    for piece in pieces:
        size = counter(piece)
        if groups and (len(groups[-1]) < 2 or tokens + size <= most):
            groups[-1].append(piece)
            tokens += size
        else:
            groups.append([piece])
            tokens = size
    return groups


def _failure(calls: Sequence[BatchItem], answers: Mapping[str, Answer]) -> Answer | None:
    """The first answer that gave no text; one that is asked for again comes first."""
    missing = [answers[call.item_id] for call in calls if answers[call.item_id].value is None]
    missing.sort(key=lambda answer: not answer.again)
    if not missing:
        return None
    first = missing[0]
    too_long = (first.reason or "").startswith(NOT_SHORTER)
    return replace(first, reason=NOT_SHORTER if too_long else first.status)


def _chunk_call(source: Source, text: str, wanted: int, counter: TokenCounter) -> BatchItem:
    # the number of the part is not told: a chunk then is the same call in every text that begins alike
    return _call("chunk", source, "summarise-chunk", text, wanted, counter, {})


def _merge_call(source: Source, group: Sequence[str], wanted: int, counter: TokenCounter) -> BatchItem:
    if len(group) == 1:
        return _shorten_call(source, group[0], wanted, counter)
    return _call("merge", source, "merge-summaries", "\n\n".join(group), wanted, counter, {})


def _shorten_call(source: Source, text: str, wanted: int, counter: TokenCounter) -> BatchItem:
    return _call("shorten", source, "shorten-description", text, wanted, counter, {})


def _update_call(source: Source, description: str, text: str, wanted: int, counter: TokenCounter) -> BatchItem:
    more = {"description": description}
    return _call("update", source, "update-description", text, wanted, counter, more)


def _call(
    kind: str, source: Source, name: str, text: str, wanted: int, counter: TokenCounter, more: Mapping[str, str]
) -> BatchItem:
    template = prompt(name, source.language)
    values: dict[str, Any] = {
        "name": source.name,
        "text": text.strip(),
        "words": str(max(1, int(wanted * _WORDS_PER_TOKEN[source.language]))),
        "mark": f"text-{content_key(text=text, **more)[:8]}",
        **more,
    }
    given = sum(counter(each) for each in (text, *more.values()))
    return call_of(
        kind, template.fill(**values), template, language=source.language, input_tokens=given, wanted_tokens=wanted
    )
