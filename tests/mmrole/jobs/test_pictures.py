import os

import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.pictures import picture

# how files of these kinds begin, by their specifications
KINDS = {
    "a.jpg": (b"\xff\xd8\xff\xdb", "image/jpeg"),
    "b.jpg": (b"\x89PNG\r\n\x1a\n", "image/png"),
    "c.webp": (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
    "d.gif": (b"GIF89a", "image/gif"),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_is_told_from_the_bytes(tmp_path, name):
    data, kind = KINDS[name]
    (tmp_path / name).write_bytes(data)
    assert (picture(tmp_path / name).data, picture(tmp_path / name).media_type) == (data, kind)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lfs.jpg", "no picture that models take; give JPEG, PNG, WebP or GIF"),
        ("empty.jpg", "no picture that models take"),
        ("gone.jpg", "cannot be read .No such file or directory.: correct the path, or give null"),
        ("", "cannot be read .Is a directory."),
        ("a\0b.jpg", "cannot be read .embedded null byte."),
    ],
)
def test_what_is_no_picture_is_one_line_that_names_it(tmp_path, name, said):
    (tmp_path / "lfs.jpg").write_bytes(b"version https://git-lfs")
    (tmp_path / "empty.jpg").touch()
    with pytest.raises(InputError, match=rf"^roles\.jsonl: role 'Ann': image: .*: {said}") as error:
        picture(tmp_path / name, "roles.jsonl: role 'Ann': image")
    assert str(tmp_path) in str(error.value)


def test_pictures_that_are_too_large_for_models(tmp_path):
    path = tmp_path / "a.gif"
    path.write_bytes(b"GIF89a")
    os.truncate(path, (20 << 20) + 1)  # without writing them
    with pytest.raises(InputError, match=r"a\.gif: has 20 MB; make it smaller than 20 MB"):
        picture(path)
