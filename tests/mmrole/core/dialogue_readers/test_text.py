import pytest

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError


def read(tmp_path, data):
    path = tmp_path / "f.csv"
    path.write_bytes(data)
    report = DefectReport(source=str(path))
    return read_clean(path, report).decode("utf-8"), report


FIXED = "text\nDon’t … “well” – café\n"


def test_plain_utf8_is_clean(tmp_path):
    text, report = read(tmp_path, FIXED.encode())
    assert text == FIXED
    assert not report


def test_byte_order_mark(tmp_path):
    text, report = read(tmp_path, FIXED.encode("utf-8-sig"))
    assert text == FIXED
    assert report.counts == {DefectKind.BOM: 1}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf16(tmp_path, encoding):
    data = FIXED.encode(encoding) if encoding == "utf-16" else b"\xfe\xff" + FIXED.encode(encoding)
    text, report = read(tmp_path, data)
    assert text == FIXED
    assert report.counts == {DefectKind.UTF16: 1}


def test_windows_1252_bytes_are_read_as_what_they_mean(tmp_path):
    text, report = read(tmp_path, FIXED.encode("cp1252"))
    assert text == FIXED
    # ’ … “ ” – é: six characters that are no UTF-8
    assert report.counts == {DefectKind.CP1252_BYTE: 6}
    assert report.first[DefectKind.CP1252_BYTE][0].place == "line 2"
    assert report.first[DefectKind.CP1252_BYTE][0].value == r"\x92"


def test_mixed_encodings_keep_what_is_utf8(tmp_path):
    text, report = read(tmp_path, "a’b — ".encode() + b"c\x92d\n")
    assert text == "a’b — c’d\n"
    assert report.counts == {DefectKind.CP1252_BYTE: 1}


def test_c1_characters_of_a_table_that_was_read_as_latin1(tmp_path):
    text, report = read(tmp_path, b"text\n" + FIXED.encode("cp1252").decode("latin-1").encode())
    assert text == "text\n" + FIXED
    # é is no C1 character and is right already; … is \x85, a line end to str.splitlines
    assert report.counts == {DefectKind.CP1252_CONTROL: 5}
    assert report.first[DefectKind.CP1252_CONTROL][0].place == "line 3"


def test_a_byte_without_meaning_is_marked_and_counted(tmp_path):
    text, report = read(tmp_path, b"a\x81b\n")
    assert text == "a\ufffdb\n"
    assert report.counts == {DefectKind.CP1252_BYTE: 1, DefectKind.REPLACEMENT_CHARACTER: 1}


def test_chinese_in_gb18030(tmp_path):
    written = "Speaker,Utterance\n小林,你好，今天天气很好\n老王,是啊\n"
    text, report = read(tmp_path, written.encode("gb18030"))
    assert text == written
    assert report.counts == {DefectKind.GB18030: 1}


def test_chinese_in_utf8_with_one_bad_byte_is_not_taken_for_gb18030(tmp_path):
    written = "Utterance\n你好，今天天气很好\n是啊，我们走吧\n"
    text, report = read(tmp_path, written.encode() + b"caf\xe9\n")
    assert text == written + "café\n"
    assert report.counts == {DefectKind.CP1252_BYTE: 1}


def test_line_ends(tmp_path):
    assert read(tmp_path, b"a\r\nb\r\n")[1].counts == {DefectKind.CRLF: 1}
    report = read(tmp_path, b"a\nb\r\nc\r\n")[1]
    assert report.counts == {DefectKind.MIXED_LINE_ENDINGS: 1}
    assert report.first[DefectKind.MIXED_LINE_ENDINGS][0].place == "line 2"


@pytest.mark.parametrize("text", ["Don’t", "café"])
def test_text_that_was_once_read_as_windows_1252_is_reported(tmp_path, text):
    broken = text.encode().decode("cp1252")
    kept, report = read(tmp_path, f"a\n{broken}\n".encode())
    assert kept == f"a\n{broken}\n"
    assert report.counts == {DefectKind.MOJIBAKE: 1}
    assert report.first[DefectKind.MOJIBAKE][0].place == "line 2"


def test_control_characters_are_reported(tmp_path):
    text, report = read(tmp_path, b"a\nb\x07c\n")
    assert text == "a\nb\x07c\n"
    assert report.first[DefectKind.CONTROL_CHARACTER][0].place == "line 2"


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "the file is empty"), (b" \n\n", "the file is empty"), (b"\x89PNG\r\n\x1a\n\0\0", "byte 8 is 0"),
     (b"\xff\xfea", "starts like UTF-16 but is not")],
)  # fmt: skip
def test_what_is_no_text(tmp_path, data, message):
    with pytest.raises(InputError, match=message) as error:
        read(tmp_path, data)
    assert "f.csv" in str(error.value)


def test_no_such_file(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv: cannot be read \(No such file"):
        read_clean(tmp_path / "none.csv", DefectReport(source="x"))
