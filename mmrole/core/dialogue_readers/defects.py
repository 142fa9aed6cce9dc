"""What is wrong with a data set: counted by kind, with the first places.

A reader survives defects; it never hides them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

SHOWN: Final = 20
"""Places that are kept for each kind; all are counted."""


class DefectKind(StrEnum):
    """Kinds of defects. `NOTES` are those that are a property of the file rather than a fault in it."""

    BOM = "bom"
    UTF16 = "utf16"
    GB18030 = "gb18030"
    CP1252_BYTE = "cp1252_byte"
    CP1252_CONTROL = "cp1252_control"
    MOJIBAKE = "mojibake"
    CONTROL_CHARACTER = "control_character"
    REPLACEMENT_CHARACTER = "replacement_character"
    CRLF = "crlf"
    MIXED_LINE_ENDINGS = "mixed_line_endings"
    LINE_BREAK_IN_FIELD = "line_break_in_field"
    BAD_RECORD = "bad_record"
    BLANK_ROW = "blank_row"
    UNKNOWN_COLUMN = "unknown_column"
    SPACES_IN_FIELD = "spaces_in_field"
    SPACES_IN_TEXT = "spaces_in_text"
    WIDE_SPACE_IN_TEXT = "wide_space_in_text"
    EMPTY_TEXT = "empty_text"
    NUMBER_ONLY_TEXT = "number_only_text"
    MISSING_WORD_AS_TEXT = "missing_word_as_text"
    EMPTY_FIELD = "empty_field"
    DUPLICATE_UTTERANCE = "duplicate_utterance"
    SCATTERED_DIALOGUE = "scattered_dialogue"
    OUT_OF_ORDER = "out_of_order"
    UTTERANCE_GAP = "utterance_gap"
    FIRST_UTTERANCE_MISSING = "first_utterance_missing"
    DIALOGUE_ABSENT = "dialogue_absent"
    ID_MISMATCH = "id_mismatch"
    NO_EMOTION = "no_emotion"
    UNKNOWN_LABEL = "unknown_label"
    OTHER_SPELLING = "other_spelling"
    SENTIMENT_MISMATCH = "sentiment_mismatch"
    NO_FACE = "no_face"
    EMPTY_FACE_FIELD = "empty_face_field"
    BAD_FACE_FIELD = "bad_face_field"
    INVERTED_FACE_BOX = "inverted_face_box"
    EMPTY_FACE_BOX = "empty_face_box"
    UNKNOWN_ATTRIBUTE = "unknown_attribute"
    CONFLICTING_ATTRIBUTE = "conflicting_attribute"
    CONFLICTING_EPISODE = "conflicting_episode"
    OTHER_SPEAKER = "other_speaker"
    ONE_SPEAKER = "one_speaker"
    MANY_SPEAKERS = "many_speakers"
    BAD_TIME = "bad_time"
    ODD_TIME = "odd_time"
    ZERO_DURATION = "zero_duration"
    NEGATIVE_DURATION = "negative_duration"
    LONG_DURATION = "long_duration"
    CLIP_MISSING = "clip_missing"
    CLIP_EXTRA = "clip_extra"
    CLIP_AMBIGUOUS = "clip_ambiguous"
    CLIP_UNREADABLE = "clip_unreadable"
    CLIP_TOO_SHORT = "clip_too_short"
    CLIP_LENGTH_DIFFERS = "clip_length_differs"
    KNOWN_DEFECT = "known_defect"


K = DefectKind

NOTES: Final = frozenset(
    {
        *(K.BOM, K.UTF16, K.GB18030, K.CRLF, K.UNKNOWN_COLUMN, K.NO_FACE),
        *(K.OTHER_SPEAKER, K.ONE_SPEAKER, K.MANY_SPEAKERS, K.KNOWN_DEFECT),
    }
)

MEANING: Final[dict[DefectKind, str]] = {
    K.BOM: "the file starts with a byte order mark (read all the same)",
    K.UTF16: "the file is UTF-16, not UTF-8 (read all the same)",
    K.GB18030: "the file is GB18030, not UTF-8 (read all the same)",
    K.CP1252_BYTE: "bytes of Windows-1252 in a UTF-8 file, read as what they mean there",
    K.CP1252_CONTROL: "C1 control characters left from Windows-1252, read as what they mean there",
    K.MOJIBAKE: "UTF-8 that was once read as Windows-1252, such as â€™ for ’ (kept: repair the file)",
    K.CONTROL_CHARACTER: "control characters in a field",
    K.REPLACEMENT_CHARACTER: "U+FFFD: characters that were lost before this file was written",
    K.CRLF: "lines end in CR LF (read all the same)",
    K.MIXED_LINE_ENDINGS: "lines end partly in LF and partly in CR LF",
    K.LINE_BREAK_IN_FIELD: "a quoted field with a line break (kept in the text)",
    K.BAD_RECORD: "a row or record that cannot be used (left out)",
    K.BLANK_ROW: "an empty line between rows",
    K.UNKNOWN_COLUMN: "a column that the format does not have (ignored)",
    K.SPACES_IN_FIELD: "white space around a field that is no text (removed)",
    K.SPACES_IN_TEXT: "white space around an utterance (kept)",
    K.WIDE_SPACE_IN_TEXT: "full-width or no-break spaces in an utterance (kept)",
    K.EMPTY_TEXT: "an utterance without text",
    K.NUMBER_ONLY_TEXT: "an utterance of digits only (kept as text)",
    K.MISSING_WORD_AS_TEXT: "an utterance such as None or NA, which table readers take for missing (kept as text)",
    K.EMPTY_FIELD: "an empty field that should say something",
    K.DUPLICATE_UTTERANCE: "the utterance id was there before (the later row is left out)",
    K.SCATTERED_DIALOGUE: "the rows of the dialogue do not stand together",
    K.OUT_OF_ORDER: "the utterance number is not larger than the one before",
    K.UTTERANCE_GAP: "dialogues in which utterance ids are missing: no transition is counted over the gap",
    K.FIRST_UTTERANCE_MISSING: "the dialogue does not start with the first number",
    K.DIALOGUE_ABSENT: "dialogue ids are absent from the numbering",
    K.ID_MISMATCH: "the utterance id does not start with its dialogue id, or has no number",
    K.NO_EMOTION: "no emotion label",
    K.UNKNOWN_LABEL: "a label that is not in the label set (invalid, counted, never mapped)",
    K.OTHER_SPELLING: "a label in another spelling than the set's own",
    K.SENTIMENT_MISMATCH: "the sentiment is not that of the emotion",
    K.NO_FACE: "face box 0_0 0_0: no face",
    K.EMPTY_FACE_FIELD: "an empty face field",
    K.BAD_FACE_FIELD: "a face field that is no x_y",
    K.INVERTED_FACE_BOX: "a face box whose right-down corner is left of or above its left-upper one (not used)",
    K.EMPTY_FACE_BOX: "a face box without area (not used)",
    K.UNKNOWN_ATTRIBUTE: "gender or age of a named role is unknown",
    K.CONFLICTING_ATTRIBUTE: "a role has several values of one attribute",
    K.CONFLICTING_EPISODE: "the rows of one dialogue name several shows, seasons or episodes",
    K.OTHER_SPEAKER: "dialogues in which 其他 (no main character) speaks",
    K.ONE_SPEAKER: "dialogues with one speaker: not scored",
    K.MANY_SPEAKERS: "dialogues with more than two speakers: not scored",
    K.BAD_TIME: "a time that cannot be read",
    K.ODD_TIME: "a time with fewer than three decimals (read as a decimal fraction)",
    K.ZERO_DURATION: "an utterance of zero length",
    K.NEGATIVE_DURATION: "an utterance that ends before it starts",
    K.LONG_DURATION: "an utterance far too long for its text",
    K.CLIP_MISSING: "there is no clip of this utterance",
    K.CLIP_EXTRA: "a clip of no utterance",
    K.CLIP_AMBIGUOUS: "several clips of one utterance",
    K.CLIP_UNREADABLE: "the clip cannot be read",
    K.CLIP_TOO_SHORT: "the clip is shorter than 50 ms",
    K.CLIP_LENGTH_DIFFERS: "the clip's length is far from that in the table",
    K.KNOWN_DEFECT: "users of the data set reported a fault of this clip that the table does not show",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Defect:
    """One place.

    Attributes:
        kind: what is wrong
        place: an id, or ``line N`` of the file
        value: what was seen there
    """

    kind: DefectKind
    place: str
    value: str = ""


@dataclass(kw_only=True)
class DefectReport:
    """The defects of one data set, in the order in which their kinds were first met.

    Attributes:
        source: the file
        counts: all that were met, by kind
        first: the first `SHOWN` places of each kind
    """

    source: str
    counts: dict[DefectKind, int] = field(default_factory=dict)
    first: dict[DefectKind, list[Defect]] = field(default_factory=dict)

    def add(self, kind: DefectKind, place: str, value: str = "", *, times: int = 1) -> None:
        """Counts a defect.

        Args:
            kind: what is wrong
            place: an id, or ``line N`` of the file
            value: what was seen there
            times: how often it is there
        """
        self.counts[kind] = self.counts.get(kind, 0) + times
        places = self.first.setdefault(kind, [])
        if len(places) < SHOWN:
            places.append(Defect(kind=kind, place=place, value=value))

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.counts)

    @property
    def faults(self) -> dict[DefectKind, int]:
        """Counts without the `NOTES`."""
        return {kind: count for kind, count in self.counts.items() if kind not in NOTES}

    def lines(self) -> list[str]:
        """One line per kind: count, meaning, first places and what was seen there."""
        out = []
        for kind, count in self.counts.items():
            shown = [f"{d.place}: {d.value}" if d.value else d.place for d in self.first[kind]]
            more = ", ..." if count > len(shown) else ""
            out.append(f"{kind}: {count:,}: {MEANING[kind]}: {', '.join(shown)}{more}")
        return out

    def to_records(self) -> list[dict[str, object]]:
        """One record per kind: kind, count, note, meaning, first [{place, value}]."""
        return [
            {
                "kind": str(kind),
                "count": count,
                "note": kind in NOTES,
                "meaning": MEANING[kind],
                "first": [{"place": d.place, "value": d.value} for d in self.first[kind]],
            }
            for kind, count in self.counts.items()
        ]
