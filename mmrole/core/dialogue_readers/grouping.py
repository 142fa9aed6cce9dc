"""From utterances in file order to dialogues."""

from __future__ import annotations

from operator import itemgetter
from sys import intern
from typing import NamedTuple

from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.errors import InputError


class Facts(NamedTuple):
    """What a row tells of its dialogue."""

    show: str | None = None
    season: str | None = None
    episode: str | None = None
    split: str | None = None

    def unlike(self, other: Facts) -> str:
        """What differs, for people."""
        pairs = zip(self._fields, self, other, strict=True)
        return ", ".join(f"{name} {mine} after {theirs}" for name, mine, theirs in pairs if mine != theirs)


class DialogueBuilder:
    """Collects the utterances of a file into dialogues, in the order in which both first appear.

    Args:
        report: gets what is wrong with the order
        source: the file, for messages
        strict: a second utterance of one id is an error; else it is counted and left out
    """

    def __init__(self, report: DefectReport, source: str, *, strict: bool) -> None:
        self._report = report
        self._source = source
        self._strict = strict
        self._ids: set[str] = set()
        self._groups: dict[str, list[Utterance]] = {}
        self._facts: dict[str, Facts] = {}
        self._told = Facts()
        self._current: str | None = None
        self._group: list[Utterance] = []

    def add(self, dialogue_id: str, utterance: Utterance, facts: Facts, line: int) -> None:
        """Adds the next utterance of the file.

        Args:
            dialogue_id: its dialogue
            utterance: the utterance
            facts: what its row tells of the dialogue; a row that tells something else than the first is counted
            line: line of the row

        Raises:
            InputError: its id was there before (strict)
        """
        utterance_id = utterance.utterance_id
        if utterance_id in self._ids:
            if self._strict:
                raise InputError(f"{self._source}, line {line}: utterance id {utterance_id!r} is there a second time")
            self._report.add(DefectKind.DUPLICATE_UTTERANCE, f"line {line}", utterance_id)
            return
        self._ids.add(utterance_id)
        if dialogue_id != self._current:
            self._current = dialogue_id
            known = self._groups.get(dialogue_id)
            if known is None:
                self._group = self._groups[dialogue_id] = [utterance]
                self._told = self._facts[dialogue_id] = facts
                return
            self._group, self._told = known, self._facts[dialogue_id]
            self._report.add(DefectKind.SCATTERED_DIALOGUE, f"line {line}", dialogue_id)
        if facts is not self._told and facts != self._told:
            self._report.add(
                DefectKind.CONFLICTING_EPISODE, f"line {line}", f"{dialogue_id}: {facts.unlike(self._told)}"
            )
        last = self._group[-1].index
        if last is not None and utterance.index is not None and utterance.index <= last:
            self._report.add(DefectKind.OUT_OF_ORDER, f"line {line}", utterance_id)
        self._group.append(utterance)

    def dialogues(self) -> list[Dialogue]:
        """The dialogues.

        Raises:
            InputError: there is none
        """
        if not self._groups:
            raise InputError(f"{self._source}: there is no utterance in it")
        return [
            Dialogue(dialogue_id=dialogue_id, utterances=tuple(group), **self._facts[dialogue_id]._asdict())
            for dialogue_id, group in self._groups.items()
        ]


class CellGroup:
    """Cells of a row that come together in few combinations: each combination is cleaned once.

    Args:
        table: the table
        columns: names of its columns; one that it does not have gives None
        report: gets the cells with white space around them
        missing: cells that say that nothing is known, in lower case
    """

    def __init__(
        self, table: Table, columns: tuple[str, ...], report: DefectReport, missing: frozenset[str] = frozenset({""})
    ) -> None:
        self._columns = columns
        self._report = report
        self._missing = missing
        self._there = tuple(name in table.header for name in columns)
        # any column stands in for one that is not there; its cell is not used. Two at least make itemgetter give a tuple
        positions = [table.header.index(name) if name in table.header else 0 for name in columns]
        self._cells = itemgetter(*positions, 0) if len(positions) == 1 else itemgetter(*positions)
        self._clean: dict[tuple[str, ...], tuple[str | None, ...]] = {}
        self._spaced: dict[tuple[str, ...], str] = {}

    def __call__(self, row: list[str], place: str) -> tuple[str | None, ...]:
        """The cells without outer white space, None where a cell says that nothing is known."""
        cells = self._cells(row)
        clean = self._clean.get(cells)
        if clean is None:
            clean = self._cleaned(cells)
        if self._spaced and cells in self._spaced:
            self._report.add(DefectKind.SPACES_IN_FIELD, place, self._spaced[cells])
        return clean

    def _cleaned(self, cells: tuple[str, ...]) -> tuple[str | None, ...]:
        out: list[str | None] = []
        for name, there, cell in zip(self._columns, self._there, cells, strict=False):
            stripped = cell.strip()
            out.append(intern(stripped) if there and stripped.lower() not in self._missing else None)
            if there and stripped != cell:
                self._spaced[cells] = f"{name} {cell!r}"
        clean = self._clean[cells] = tuple(out)
        return clean
