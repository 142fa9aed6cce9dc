import json

import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.describe.portraits import Portraits
from mmrole.jobs.describe.units import Unit

PICTURES = {
    "a.jpg": (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
    "a.png": (b"\x89PNG\r\n\x1a\nrest", "image/png"),
    "a.gif": (b"GIF89arest", "image/gif"),
    "a.webp": (b"RIFF1234WEBPrest", "image/webp"),
}


def write(folder, *records):
    path = folder / "roles.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def unit(speaker, show=None):
    return Unit(utterance_id="u", clip_id="c", speaker=speaker, show=show)


@pytest.mark.parametrize("name", PICTURES)
def test_kinds_of_pictures(tmp_path, name):
    data, kind = PICTURES[name]
    (tmp_path / name).write_bytes(data)
    found = Portraits(write(tmp_path, {"name": "Ann", "image": name})).of(unit("Ann"))
    assert (found.name, found.image.data, found.image.media_type) == ("Ann", data, kind)


def test_whose_picture(tmp_path):
    for number in (1, 2):
        (tmp_path / f"{number}.gif").write_bytes(b"GIF8" + bytes([number]))
    path = write(
        tmp_path,
        {"name": "Ann", "show": "S1", "image": "1.gif", "aliases": ["Annie"]},
        {"name": "Ann", "show": "S2", "image": str(tmp_path / "2.gif")},
        {"name": "Bo"},
    )
    found = Portraits(path)
    assert len(found) == 2
    assert found.of(unit("Ann", "S1")).image.data[-1] == 1
    assert found.of(unit("Ann", "S2")).image.data[-1] == 2
    assert found.of(unit("Annie", "S1")).image.data[-1] == 1
    assert [found.of(unit(*who)) for who in (("Ann", "S3"), ("Bo", "S1"), ("Cy", None), (None, "S1"))] == [None] * 4


@pytest.mark.parametrize(
    ("image", "said"), [("none.jpg", "cannot be read"), (".", "cannot be read"), ("text.jpg", "no picture that models take")]
)  # fmt: skip
def test_a_bad_picture_is_named_at_once(tmp_path, image, said):
    (tmp_path / "text.jpg").write_bytes(b"<html>not found</html>")
    with pytest.raises(InputError, match=rf"roles\.jsonl: role 'Ann': image: .*{said}"):
        Portraits(write(tmp_path, {"name": "Ann", "image": image}))
