"""BERTScore with a tiny encoder made here; weights by chance, so only relations are checked."""

import pytest

from mmrole.core.errors import InputError, UsageError
from textbench.rolecde.similarity import Pair, similarity

pytestmark = pytest.mark.bertscore
pytest.importorskip("bert_score", reason="needs the extra bertscore")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("encoder")
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *["the", "a", "dog", "cat", "sat", "ran", "home", "我", "爱", "你", "家"],
    ]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt"), model_max_length=12).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=12,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def test_a_text_against_itself_is_one_and_a_longer_one_than_it_reads_is_left_out(model):
    from textbench.rolecde.bert_score import BertScorer

    scorer = BertScorer(model)
    assert scorer.layer == 2
    pairs = [
        Pair(item_id="same", cluster="p", candidate="the dog ran home", reference="the dog ran home"),
        Pair(item_id="long", cluster="p", candidate="the dog ran home " * 4, reference="the dog ran home"),
        Pair(item_id="none", cluster="p", candidate="", reference="the dog"),
    ]
    found = similarity(pairs, bert=scorer)["bertscore_f"]
    assert found.value == pytest.approx(1.0, abs=1e-5)
    assert (found.n, found.excluded) == (1, {"longer_than_the_model_reads": 1, "empty_reasoning": 1})
    assert "_L2_no-idf" in found.definition


def test_what_is_no_model_or_layer_is_one_line(model, tmp_path):
    from textbench.rolecde.bert_score import BertScorer

    with pytest.raises(InputError, match="no transformers model here"):
        BertScorer(tmp_path)
    with pytest.raises(UsageError, match="layers 1 to 2"):
        BertScorer(model, layer=3)
