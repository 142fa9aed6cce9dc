import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from emotion.experts import trained_model
from emotion.experts.trained_model import read_trained
from mmrole.core.canonical import file_sha256
from mmrole.core.errors import InputError


def changed(source, target, **arrays):
    """The file once more, with other arrays; None takes one out."""
    with np.load(source) as archive:
        content = {name: archive[name] for name in archive.files}
    for name, array in arrays.items():
        if array is None:
            del content[name]
        else:
            content[name] = array
    np.savez_compressed(target, **content)
    return target


def header_with(source, **fields):
    with np.load(source) as archive:
        header = json.loads(archive["header"].tobytes())
    return np.frombuffer(json.dumps({**header, **fields}).encode(), dtype=np.uint8)


def test_what_was_written_is_read_back(trained, trained_file, examples):
    again = read_trained(trained_file)
    texts = [example.texts for example in examples]
    assert (again.probabilities(texts) == trained.probabilities(texts)).all()
    assert again.header == trained.header
    assert (again.classes, again.labels.labels) == (trained.classes, trained.labels.labels)
    assert again.sha256 == file_sha256(trained_file)
    assert again.context == 2


def test_nothing_in_the_file_is_ever_run(trained_file, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    trap = np.array([Trap()], dtype=object)
    path = tmp_path / "trap.npz"
    for name in ("header", "weights", "ngrams_0"):
        with np.load(trained_file) as archive:
            content = {key: archive[key] for key in archive.files}
        np.savez(path, **{**content, name: trap})
        with pytest.raises(InputError, match=r"trap\.npz: damaged"):
            read_trained(path)
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InputError, match=r"trap\.npz: no trained expert; make one with mmrole experts train"):
        read_trained(path)
    assert not (tmp_path / "sprung").exists()


def test_what_is_no_expert_is_told_in_one_line(trained_file, tmp_path):
    data = trained_file.read_bytes()
    other = io.BytesIO()
    np.savez(other, x=np.zeros(3))
    for content, message in (
        (b"", "no trained expert"),
        (b"TV_ID,Dialogue_ID\n", "no trained expert"),
        (data[: len(data) // 2], "damaged"),
        (data[:100] + b"\x00" * 50 + data[150:], "damaged"),
        (other.getvalue(), "no trained expert"),
    ):
        path = tmp_path / "x.npz"
        path.write_bytes(content)
        with pytest.raises(InputError, match=message) as caught:
            read_trained(path)
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        read_trained(tmp_path)
    with pytest.raises(InputError, match=r"none\.npz: cannot be read"):
        read_trained(tmp_path / "none.npz")


def test_another_version_is_refused(trained_file, tmp_path):
    path = changed(trained_file, tmp_path / "v.npz", header=header_with(trained_file, version=2))
    with pytest.raises(InputError, match=r"version 2, this mmrole reads version 1: train it again"):
        read_trained(path)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"weights": None}, "its weights is missing"),
        ({"weights": np.zeros((3, 2), dtype=np.float32)}, "its weights is float32 of shape"),
        ({"bias": np.array([np.nan, 0, 0])}, "its bias is float64"),
        ({"idf_1": np.zeros(1, dtype=np.float32)}, "its idf_1 is"),
        ({"ngrams_0": np.frombuffer(b"[1]", dtype=np.uint8)}, "its list of n-grams 0 is none"),
        ({"ngrams_0": np.frombuffer(b'["a", "a"]', dtype=np.uint8)}, "its list of n-grams 0 is none"),
        ({"ngrams_0": np.frombuffer(b"[", dtype=np.uint8)}, "its list of n-grams 0 is no JSON"),
    ],
)
def test_damaged_arrays(trained_file, tmp_path, what, message):
    with pytest.raises(InputError, match=f"damaged, {message}"):
        read_trained(changed(trained_file, tmp_path / "d.npz", **what))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"classes": ["happy"]}, "field classes"),
        ({"classes": ["anger", "happy", "neutral"]}, "classes are not of its label set"),
        ({"label_set": {"name": "x"}}, "its label set is none"),
        ({"settings": {"ngrams": 2, "context": 2, "weights": [1.0]}}, "one weight above 0"),
        ({"settings": {"ngrams": 99, "context": 2, "weights": [1, 1, 1]}}, "settings.ngrams"),
        ({"format": "other"}, "no trained expert"),
    ],
)
def test_damaged_headers(trained_file, tmp_path, fields, message):
    with pytest.raises(InputError, match=message):
        read_trained(changed(trained_file, tmp_path / "h.npz", header=header_with(trained_file, **fields)))


def test_a_file_that_would_fill_the_memory_is_not_unpacked(trained_file, tmp_path, monkeypatch):
    with zipfile.ZipFile(trained_file) as archive:
        size = sum(part.file_size for part in archive.infolist())
    monkeypatch.setattr(trained_model, "LARGEST_BYTES", size - 1)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_trained(trained_file)
