"""What a folder of results keeps to: settings and utterances of another run are refused before anything is replaced.

The rule, the same for `describe`, `respond`, `recognize` and `judge`: what was asked under other settings, by another model or about
other utterances belongs into another folder. Inputs of the same kind may be corrected or grow: what they change is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import parse_line, read_records


def keep_to_settings(path: Path, settings: Record, what: str, *, write: bool = True) -> None:
    """Refuses other settings than those that a folder's results were made under.

    A setting that is not kept yet is added: an expert that joins a panel.

    Args:
        path: where they are kept
        settings: name for people -> value
        what: the results are, for the message
        write: keep them where there are none yet

    Raises:
        UsageError: one of them is another one
    """
    before: Record = parse_line(path.read_bytes(), path, 1) if path.exists() else {}
    for name, value in settings.items():
        if name in before and before[name] != value:
            raise UsageError(
                f"{path.parent} holds {what} with {_difference(name, before[name], value)}: choose another folder for --out"
            )
    now = {**before, **settings}
    if write and now != before:
        write_atomically(path, f"{to_json(now)}\n".encode())


def keep_to_utterances(
    folder: Path, journals: Iterable[Path], known: Container[str], name_of: Callable[[Record], str], what: str
) -> None:
    """Refuses to work on utterances of which a folder has not a single one.

    Args:
        folder: the folder
        journals: of what it holds
        known: ids of the utterances that are there now
        name_of: a record of a journal -> id of its utterance
        what: the results are, for the message

    Raises:
        UsageError: the folder holds results, and all of them are of other utterances
    """
    first: str | None = None
    for path in journals:
        if not path.exists():
            continue
        try:
            for record in read_records(path):
                name = name_of(record)
                if name in known:
                    return
                first = name if first is None else first
        except StoreError:  # a torn end, or damage that opening the journal tells of
            continue
    if first is not None:
        raise UsageError(
            f"{folder} holds {what} of other utterances, such as {first!r}, which these dialogues do not have: "
            "choose another folder for --out"
        )


def _difference(name: str, before: Any, now: Any) -> str:
    """What differs, as short as it can be said."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        inner = next(key for key in [*before, *now] if before.get(key) != now.get(key))
        return _difference(f"the {inner} of {name}", before.get(inner), now.get(inner))
    if _short(before) and _short(now):
        return f"{name} {_word(before)}, not {_word(now)}"
    return f"another {name}" if not name.startswith("the ") else f"another value of {name}"


def _short(value: Any) -> bool:
    return value is None or (isinstance(value, str | int | float) and len(str(value)) <= 60)


def _word(value: Any) -> str:
    return "off" if value is False else "on" if value is True else "all" if value is None else str(value)
