import hashlib

import pytest

from mmrole.core.canonical import bytes_sha256, content_key, file_sha256, printable_path, to_json

PARTS = {"sha256": "ab", "settings": {"fps": 5.0, "pitch": "parselmouth"}, "text": "你好", "segment": None}


@pytest.mark.parametrize("field", PARTS)
def test_every_part_changes_the_key(field):
    changed = dict(PARTS, **{field: {"other": 1}})
    without = {name: value for name, value in PARTS.items() if name != field}
    assert len({content_key(**PARTS), content_key(**changed), content_key(**without)}) == 3


def test_the_order_of_parts_does_not_matter():
    assert content_key(a=1, b={"x": 1, "y": 2}) == content_key(b={"y": 2, "x": 1}, a=1)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_does_not_have_are_refused(number):
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json({"x": number})


def test_hashes_are_sha256(tmp_path):
    (tmp_path / "f").write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert bytes_sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_sha256(tmp_path / "f") == hashlib.sha256(b"abc").hexdigest()


def test_names_that_are_not_utf8_can_be_printed():
    assert printable_path("bad\udcff.mp4") == "bad\\xff.mp4"
    assert printable_path("好.mp4") == "好.mp4"
