"""Tiny models with random weights, made when they are needed: real files, real loading code, no download."""

from __future__ import annotations

import pytest

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
LABELS = ["angry", "happy", "neutral", "sad"]


def tokenizer(**more):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "</s>", "<unk>"]
    letters = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    whole = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=whole, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", **more
    )


@pytest.fixture(scope="session")
def torch():
    module = pytest.importorskip("torch", reason="needs the extra `local`")
    pytest.importorskip("transformers", reason="needs the extra `local`")
    return module


@pytest.fixture(scope="session")
def chat_folder(torch, tmp_path_factory):
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("chat")
    spoken = tokenizer()
    spoken.chat_template = TEMPLATE
    spoken.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(spoken),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=256,
        pad_token_id=spoken.pad_token_id,
        eos_token_id=spoken.eos_token_id,
        bos_token_id=spoken.eos_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def text_folder(torch, folder, labels, **more):
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer(model_max_length=64).save_pretrained(folder)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=259,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=64,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        **more,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def classifier_folder(torch, tmp_path_factory):
    return text_folder(torch, tmp_path_factory.mktemp("text"), LABELS)


@pytest.fixture(scope="session")
def several_folder(torch, tmp_path_factory):
    return text_folder(torch, tmp_path_factory.mktemp("several"), LABELS, problem_type="multi_label_classification")


@pytest.fixture(scope="session")
def inference_folder(torch, tmp_path_factory):
    return text_folder(torch, tmp_path_factory.mktemp("nli"), ["contradiction", "neutral", "entailment"])


@pytest.fixture(scope="session")
def audio_folder(torch, tmp_path_factory):
    from transformers import Wav2Vec2Config, Wav2Vec2FeatureExtractor, Wav2Vec2ForSequenceClassification

    folder = tmp_path_factory.mktemp("audio")
    Wav2Vec2FeatureExtractor(sampling_rate=16000, do_normalize=True).save_pretrained(folder)
    torch.manual_seed(2)
    config = Wav2Vec2Config(
        vocab_size=32,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        conv_dim=(16, 16),
        conv_stride=(5, 4),
        conv_kernel=(10, 8),
        num_feat_extract_layers=2,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
        classifier_proj_size=16,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    Wav2Vec2ForSequenceClassification(config).save_pretrained(folder)
    return folder
