"""Label sets: the closed list of emotions of a data set, its spellings and its map to sentiments.

A set is a small TOML file; `cped-13`, `meld-7`, `emorynlp-7`, `iemocap-6` and `iemocap-4` come with the package, any other
is read with `read_label_set`. The order of the labels is fixed and is the order of every matrix and figure.

A spelling outside the set is *invalid* and counted; it is never mapped to the nearest label. ``None``, an empty
string and NaN are *missing*.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from mmrole.core.counting import counted
from mmrole.core.errors import InputError, UsageError

Level = Literal["lower", "upper"]

MISSING: Final = -1
"""Code of an absent label: ``None``, NaN, an empty string."""

INVALID: Final = -2
"""Code of a spelling that is not in the set."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelSet:
    """A closed, ordered list of labels.

    Attributes:
        name: what options and scores call it, such as ``cped-13``
        labels: the labels, in the order of every matrix
        title: one line for people
        source: where the list is from
        spellings: label -> other spellings that mean it
        names: language -> label -> name for people; these count as spellings too
        sentiments: sentiment -> its labels, in order; None when sentiment is no function of the label
        sentiment_names: language -> sentiment -> name for people
    """

    name: str
    labels: tuple[str, ...]
    title: str = ""
    source: str = ""
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sentiments: Mapping[str, tuple[str, ...]] | None = None
    sentiment_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"LabelSet({self.name}, {counted(len(self.labels), 'label')})"

    def __post_init__(self) -> None:
        if not self.labels:
            raise InputError(f"label set {self.name}: no labels")
        for what, values in (("label", self.labels), ("sentiment", tuple(self.sentiments or ()))):
            if len(set(values)) != len(values):
                raise InputError(f"label set {self.name}: a {what} is listed twice in {list(values)}")
        for where, keys in (("aliases", self.spellings), *((f"names.{k}", v) for k, v in self.names.items())):
            if strange := [key for key in keys if key not in self.labels]:
                raise InputError(f"label set {self.name}: {where} names {strange[0]!r}, which is no label of the set")
        if self.sentiments is not None:
            mapped = [label for labels in self.sentiments.values() for label in labels]
            if sorted(mapped) != sorted(self.labels):
                raise InputError(
                    f"label set {self.name}: sentiments have to name each label once, and nothing else: "
                    f"{sorted(set(mapped) ^ set(self.labels)) or 'a label stands twice'}"
                )
        for language, names in self.sentiment_names.items():
            if strange := [key for key in names if key not in (self.sentiments or ())]:
                raise InputError(f"label set {self.name}: sentiment_names.{language} names {strange[0]!r}")
        self._codes  # noqa: B018  an ambiguous spelling has to show when the set is made, not when it is used

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[Any, ...]:
        # the mapping views and caches need not travel to a worker
        return LabelSet.from_record, (self.to_record(),)

    def to_record(self) -> dict[str, Any]:
        """The set as one JSON record."""
        groups = self.sentiments
        return {
            "name": self.name,
            "labels": list(self.labels),
            "title": self.title,
            "source": self.source,
            "spellings": {k: list(v) for k, v in self.spellings.items()},
            "names": {k: dict(v) for k, v in self.names.items()},
            # a list: the order of the sentiments has to survive keys that are sorted
            "sentiments": None if groups is None else [[name, list(labels)] for name, labels in groups.items()],
            "sentiment_names": {k: dict(v) for k, v in self.sentiment_names.items()},
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> LabelSet:
        """A set from what `to_record` gave."""
        groups = record["sentiments"]
        return cls(
            **{
                **record,
                "labels": tuple(record["labels"]),
                "spellings": {k: tuple(v) for k, v in record["spellings"].items()},
                "sentiments": None if groups is None else {name: tuple(labels) for name, labels in groups},
            }
        )

    @cached_property
    def _codes(self) -> dict[str, int]:
        """Folded spelling -> position."""
        codes: dict[str, int] = {}
        for position, label in enumerate(self.labels):
            others = [
                *self.spellings.get(label, ()),
                *(names[label] for names in self.names.values() if label in names),
            ]
            for spelling in (label, *others):
                key = _folded(spelling)
                if not key:
                    raise InputError(f"label set {self.name}: an empty spelling of {label!r}")
                if codes.setdefault(key, position) != position:
                    other = self.labels[codes[key]]
                    raise InputError(
                        f"label set {self.name}: {spelling!r} is a spelling of both {other!r} and {label!r}"
                    )
        return codes

    @cached_property
    def _seen(self) -> dict[str, int]:
        """Spelling as it was written -> code: labels come in millions and in few spellings."""
        return {label: position for position, label in enumerate(self.labels)}

    def code(self, label: object) -> int:
        """Position of a label in the set.

        Args:
            label: a spelling; case, width (NFKC), outer white space and ``_`` or space for ``-`` do not matter

        Returns:
            0 to K - 1, `MISSING` for None, NaN and an empty string, `INVALID` for everything else
        """
        if isinstance(label, str):
            code = self._seen.get(label)
            if code is None:
                key = _folded(label)
                code = self._codes.get(key, INVALID) if key else MISSING
                if len(self._seen) < 10_000:  # replies of a model may be of any number
                    self._seen[label] = code
            return code
        return MISSING if label is None or label != label else INVALID

    def codes(self, labels: Iterable[object]) -> list[int]:
        """`code` of each label."""
        return [self.code(label) for label in labels]

    def resolve(self, spelling: object) -> str | None:
        """The label that a spelling means, or None when it means none.

        >>> label_set("cped-13").resolve("Surprised")
        'astonished'
        """
        code = self.code(spelling)
        return self.labels[code] if code >= 0 else None

    @cached_property
    def sentiment_codes(self) -> tuple[int, ...] | None:
        """Position of each label's sentiment in `upper`, shape (K,); None without a map."""
        if self.sentiments is None:
            return None
        of = {label: position for position, labels in enumerate(self.sentiments.values()) for label in labels}
        return tuple(of[label] for label in self.labels)

    @cached_property
    def upper(self) -> LabelSet | None:
        """The sentiments as a label set, or None without a map."""
        if self.sentiments is None:
            return None
        return LabelSet(
            name=f"{self.name}/sentiment",
            labels=tuple(self.sentiments),
            title=f"sentiments of {self.name}",
            source=self.source,
            names=self.sentiment_names,
        )

    def at(self, level: Level) -> LabelSet | None:
        """The set of a level: itself for ``lower``, its sentiments (or None) for ``upper``."""
        if level not in ("lower", "upper"):
            raise UsageError(f"level has to be 'lower' or 'upper', not {level!r}")
        return self if level == "lower" else self.upper

    def lines(self) -> list[str]:
        """The set for people: title and source, then a line per label with its sentiment, names and other spellings."""
        out = [f"{self.name}: {self.title}", f"  source: {self.source}"]
        of = {label: sentiment for sentiment, labels in (self.sentiments or {}).items() for label in labels}
        for position, label in enumerate(self.labels):
            names = [names[label] for names in self.names.values() if label in names]
            others = ", ".join([*names, *self.spellings.get(label, ())])
            sentiment = f" [{of[label]}]" if label in of else ""
            out.append(f"  {position} {label}{sentiment}{': ' if others else ''}{others}")
        return out

    def display_names(self, language: str) -> tuple[str, ...]:
        """Names of the labels for people, the label itself where the language has none."""
        names = self.names.get(language, {})
        return tuple(names.get(label, label) for label in self.labels)


def _folded(spelling: str) -> str:
    """What two spellings have in common when they mean the same."""
    text = unicodedata.normalize("NFKC", spelling).casefold().replace("_", " ").replace("-", " ")
    return " ".join(text.split())


def label_sets() -> tuple[str, ...]:
    """Names of the label sets in the package."""
    names = (entry.name for entry in files("mmrole.core").joinpath("label_sets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def label_set(labels: LabelSet | str) -> LabelSet:
    """A label set by its name in the package, or the set itself.

    Raises:
        UsageError: no set of that name
    """
    return labels if isinstance(labels, LabelSet) else _packaged(labels)


@lru_cache
def _packaged(name: str) -> LabelSet:
    if name not in label_sets():
        raise UsageError(f"no label set {name!r}; there are {', '.join(label_sets())}, or give a TOML file")
    text = files("mmrole.core").joinpath("label_sets", f"{name}.toml").read_text(encoding="utf-8")
    return _parsed(text, f"label set {name}")


def read_label_set(path: str | Path) -> LabelSet:
    """Reads a label set from a TOML file (see `mmrole/core/label_sets/cped-13.toml` for the form).

    Raises:
        InputError: the file cannot be read or is not of that form
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a label set ({error})") from None
    return _parsed(text, str(path))


def _parsed(text: str, place: str) -> LabelSet:
    # pydantic is slow to import and only this needs it
    from mmrole.core.label_files import LabelSetFile
    from mmrole.core.records import validated

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{place}: not TOML ({error})") from None
    given = validated(LabelSetFile, content, place)
    return LabelSet(
        name=given.name,
        labels=tuple(given.labels),
        title=given.title,
        source=given.source,
        spellings={label: tuple(others) for label, others in given.aliases.items()},
        names=given.names,
        sentiments=None if given.sentiments is None else {key: tuple(part) for key, part in given.sentiments.items()},
        sentiment_names=given.sentiment_names,
    )
