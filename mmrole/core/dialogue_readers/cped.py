"""CPED: one CSV row is one utterance and one clip (Chen et al. 2022, arXiv 2205.14727; spec of its columns: its README).

UTF-8 with a byte order mark, 18 columns. Ids are strings: show ``27``, dialogue ``27_000``, utterance ``27_000_000``; a
clip is named by its utterance id. There are no times. Face boxes are ``x_y`` corners in pixels, ``0_0`` means no face.
"""

from __future__ import annotations

from typing import Final

from mmrole.core.dialogue import Utterance
from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.grouping import CellGroup, DialogueBuilder, Facts
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.texts import note_text

TRAITS: Final = ("Neuroticism", "Extraversion", "Openness", "Agreeableness", "Conscientiousness")
REQUIRED: Final = ("Dialogue_ID", "Utterance_ID", "Speaker", "Utterance")
COLUMNS: Final = (
    *("TV_ID", "Dialogue_ID", "Utterance_ID", "Speaker", "Gender", "Age", *TRAITS, "Scene"),
    *("FacePosition_LU", "FacePosition_RD", "Sentiment", "Emotion", "DA", "Utterance"),
)

Box = tuple[float, float, float, float]


def read_cped(table: Table, report: DefectReport, builder: DialogueBuilder, *, strict: bool) -> None:
    """Reads the rows of a CPED file.

    Args:
        table: the file
        report: gets the defects
        builder: gets the utterances
        strict: a row without ids or with another number of fields is an error
    """
    table.require(REQUIRED, COLUMNS, report)
    header = table.header
    dialogue_at, id_at, text_at = (header.index(name) for name in ("Dialogue_ID", "Utterance_ID", "Utterance"))
    has_emotions = "Emotion" in header
    has_faces = "FacePosition_LU" in header and "FacePosition_RD" in header
    corner_at, opposite_at = (header.index(name) if has_faces else 0 for name in ("FacePosition_LU", "FacePosition_RD"))
    speaker_of = CellGroup(table, ("Speaker",), report)
    attributes_of = CellGroup(table, ("Gender", "Age", *TRAITS), report, frozenset({"", "unknown"}))
    labels_of = CellGroup(table, ("Emotion", "Sentiment", "DA", "Scene"), report)
    show_of = CellGroup(table, ("TV_ID",), report)
    personalities: dict[tuple[str | None, ...], dict[str, str]] = {}
    shows: dict[str | None, Facts] = {}

    for row in table.rows(report, strict=strict):
        utterance_id = row[id_at].strip()
        dialogue_id = row[dialogue_at].strip()
        if not utterance_id or not dialogue_id:
            table.bad_row("no utterance id" if not utterance_id else "no dialogue id", report, strict=strict)
            continue
        if utterance_id != row[id_at] or dialogue_id != row[dialogue_at]:
            report.add(DefectKind.SPACES_IN_FIELD, f"line {table.line}", f"{row[dialogue_at]!r} {row[id_at]!r}")
        text = row[text_at]
        note_text(text, utterance_id, report)
        speaker = speaker_of(row, utterance_id)[0]
        if speaker is None:
            report.add(DefectKind.EMPTY_FIELD, utterance_id, "Speaker")
        attributes = attributes_of(row, utterance_id)
        traits = personalities.get(attributes)
        if traits is None:
            pairs = zip(TRAITS, attributes[2:], strict=True)
            traits = personalities[attributes] = {name: level for name, level in pairs if level is not None}
        emotion, sentiment, act, scene = labels_of(row, utterance_id)
        if emotion is None and has_emotions:
            report.add(DefectKind.NO_EMOTION, utterance_id)
        utterance = Utterance(
            utterance_id=utterance_id,
            speaker=speaker or "",
            text=text,
            index=number_in(utterance_id, dialogue_id, report),
            emotion=emotion,
            sentiment=sentiment,
            gender=attributes[0],
            age=attributes[1],
            traits=traits,
            scene=scene,
            dialogue_act=act,
            face_box_px=face_box(row[corner_at], row[opposite_at], utterance_id, report) if has_faces else None,
        )
        show = show_of(row, utterance_id)[0]
        facts = shows.get(show)
        if facts is None:
            facts = shows[show] = Facts(show=show)
        builder.add(dialogue_id, utterance, facts, table.line)


def number_in(utterance_id: str, dialogue_id: str, report: DefectReport) -> int | None:
    """The utterance's number in its dialogue: 7 in ``40_000_007`` of dialogue ``40_000``."""
    head, _, tail = utterance_id.rpartition("_")
    numbered = tail.isascii() and tail.isdecimal()
    if head != dialogue_id or not numbered:
        report.add(DefectKind.ID_MISMATCH, utterance_id, f"in dialogue {dialogue_id}")
    return int(tail) if numbered else None


def face_box(corner: str, opposite: str, utterance_id: str, report: DefectReport) -> Box | None:
    """The box of the speaker's face.

    Args:
        corner: ``x_y`` of its left upper corner, in pixels
        opposite: ``x_y`` of its right lower corner, in pixels
        utterance_id: for the report
        report: gets what is wrong with it

    Returns:
        left, top, right, bottom in pixels; None for 0_0 (no face) and for a box that cannot be used
    """
    if corner == "0_0" == opposite:
        report.add(DefectKind.NO_FACE, utterance_id)
        return None
    try:
        x, y = corner.split("_")
        left, top = int(x), int(y)
        x, y = opposite.split("_")
        right, bottom = int(x), int(y)
    except ValueError:
        empty = not corner.strip() or not opposite.strip()
        kind = DefectKind.EMPTY_FACE_FIELD if empty else DefectKind.BAD_FACE_FIELD
        report.add(kind, utterance_id, f"{corner!r} {opposite!r}")
        return None
    if corner[:1].isspace() or opposite[:1].isspace() or corner[-1:].isspace() or opposite[-1:].isspace():
        report.add(DefectKind.SPACES_IN_FIELD, utterance_id, f"face box {corner!r} {opposite!r}")
    if left < right and top < bottom:
        return left, top, right, bottom
    if left == top == right == bottom == 0:
        report.add(DefectKind.NO_FACE, utterance_id)
    elif left > right or top > bottom:
        report.add(DefectKind.INVERTED_FACE_BOX, utterance_id, f"{corner} {opposite}")
    else:
        report.add(DefectKind.EMPTY_FACE_BOX, utterance_id, f"{corner} {opposite}")
    return None
