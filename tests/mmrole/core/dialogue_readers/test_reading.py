import gc

import pytest

from mmrole.core.dialogue_readers import NOTES, DefectKind, read_data_set, read_dialogues
from mmrole.core.dialogue_readers.defects import MEANING, DefectReport
from mmrole.core.errors import InputError, UsageError


def test_formats_are_told_from_the_file(write, cped, meld, meld_header):
    assert read_data_set(write([cped()])).format == "cped"
    assert read_data_set(write([meld()], header=meld_header)).format == "meld"


def test_a_format_that_was_asked_for(write, cped):
    path = write([cped()])
    assert len(read_dialogues(path, format="cped")) == 1
    with pytest.raises(InputError, match=r"other\.csv: no column Utterance, Speaker, .*; there are a"):
        read_dialogues(write(["1"], name="other.csv", header="a"), format="meld")
    with pytest.raises(UsageError, match="format has to be one of auto, cped, meld, jsonl, not 'csv'"):
        read_dialogues(path, format="csv")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"just a line\n", "neither a CPED nor a MELD table nor JSONL"),
        (b'{"utterance_id": "x", "label": "happy"}\n', "line 1: field dialogue_id: field required"),
        (b"Dialogue_ID,Utterance_ID,Speaker,Utterance\n", "there is no utterance in it"),
    ],
)
def test_other_files(tmp_path, data, message):
    path = tmp_path / "other.csv"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as error:
        read_dialogues(path)
    assert "other.csv" in str(error.value)
    assert "\n" not in str(error.value)


def test_reading_leaves_the_garbage_collector_as_it_was(write, cped):
    assert gc.isenabled()
    read_dialogues(write([cped()]))
    assert gc.isenabled()
    gc.disable()
    try:
        read_dialogues(write([cped()]))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_report():
    report = DefectReport(source="f")
    assert not report
    report.add(DefectKind.BOM, "line 1")
    for number in range(25):
        report.add(DefectKind.UNKNOWN_LABEL, f"u{number}", "'x'")
    assert report.faults == {DefectKind.UNKNOWN_LABEL: 25}
    bom, unknown = report.lines()
    assert bom == f"bom: 1: {MEANING[DefectKind.BOM]}: line 1"
    assert unknown.startswith("unknown_label: 25: ")
    assert unknown.endswith("u19: 'x', ...")
    record = report.to_records()[1]
    assert (record["count"], record["note"], len(record["first"])) == (25, False, 20)


def test_every_kind_has_a_meaning():
    assert set(MEANING) == set(DefectKind)
    assert set(DefectKind) > NOTES
