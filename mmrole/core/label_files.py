"""The form of label set and label map files (TOML)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class LabelSetFile(BaseModel):
    """A label set as it stands in its file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    labels: list[str]
    title: str = ""
    source: str = ""
    aliases: dict[str, list[str]] = {}
    names: dict[str, dict[str, str]] = {}
    sentiments: dict[str, list[str]] | None = None
    sentiment_names: dict[str, dict[str, str]] = {}


class LabelMapFile(BaseModel):
    """A map between two label sets as it stands in its file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    source: str
    target: str
    map: dict[str, str]
    drop: list[str] = []
    merges: bool = False
    reference: str = ""
