from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from emotion.experts.classifiers import SpeechClassifierExpert, TextClassifierExpert, total_map
from emotion.experts.expert import Case
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set
from mmrole.llm.local import Classification

CPED = label_set("cped-13")
OWN = ("joy", "anger", "love", "other")
MAP = {"joy": "happy", "anger": "anger", "love": "positive-other"}


@dataclass
class Said:
    """A classifier that says what it is told, and keeps what it was asked."""

    answers: list
    labels: tuple = OWN
    asked: list = field(default_factory=list)
    identity: dict = field(default_factory=lambda: {"model": "said"})
    sample_rate_hz: int = 8000

    def classify(self, inputs, **more):
        self.asked += [(each, more) for each in inputs]
        return self.answers[: len(inputs)]


def scores(*values, **more):
    return Classification(scores=dict(zip(OWN, values, strict=True)), **more)


def case(text="words", **more):
    return Case(utterance_id="u", speaker="Ann", text=text, **more)


def expert(*answers, **options):
    return TextClassifierExpert(Said(list(answers)), **{"label_map": MAP, "drop": ["other"], **options})


def test_the_likeliest_label_decides_and_all_scores_are_kept():
    found = expert(scores(0.1, 0.2, 0.65432, 0.04568)).vote(case(), "text", 0)
    assert (found.label, found.status) == ("positive-other", "ok")
    assert found.detail == {
        "scores": {"joy": 0.1, "anger": 0.2, "love": 0.6543, "other": 0.0457},
        "own_label": "love",
    }


def test_a_dropped_label_gives_no_vote_and_not_the_second_likeliest():
    found = expert(scores(0.1, 0.2, 0.3, 0.4)).vote(case(), "text", 0)
    assert (found.label, found.status, found.reason) == (None, "abstained", "label_without_counterpart")
    assert found.detail["own_label"] == "other"


def test_ties_and_cuts_and_nothing():
    both, same, cut, empty = expert(
        scores(0.4, 0.4, 0.1, 0.1),
        scores(0.4, 0.1, 0.4, 0.1),
        scores(0.7, 0.1, 0.1, 0.1, truncated=True),
        Classification(reason="empty"),
        label_map={**MAP, "love": "happy"},
    ).votes([case()] * 4, "text", 0)
    assert (both.label, both.status, both.reason) == (None, "ambiguous", "tie")
    assert same.label == "happy"  # both of the likeliest mean the same
    assert cut.detail["truncated"] is True
    assert (empty.label, empty.status, empty.reason) == (None, "absent", "empty")


def test_streams_are_read_as_text():
    one = expert(*[scores(1.0, 0.0, 0.0, 0.0)] * 3, streams=("all", "text", "face"))
    shown = case("said", descriptions={"face": "smiles"})
    for stream in ("all", "text", "face"):
        one.vote(shown, stream, 0)
    assert [text for text, _ in one._classifier.asked] == ["said\nsmiles", "said", "smiles"]


def test_can_give_and_identity():
    one = expert()
    assert one.can_give == ("happy", "positive-other", "anger")
    assert not one.baseline
    assert one.identity["map"] == {"joy": "happy", "anger": "anger", "love": "positive-other", "other": None}
    other = expert(label_map={**MAP, "love": "happy"})
    assert one.identity != other.identity


def test_the_map_has_to_be_total():
    def refused(label_map, drop, labels=CPED, own=OWN):
        with pytest.raises(UsageError) as caught:
            total_map(own, labels, label_map, drop, "the expert x")
        return str(caught.value)

    assert "'other' of its classifier is mapped nowhere" in refused(MAP, [])
    assert "'love' of its classifier is mapped to 'lovely', which is no label of cped-13" in refused(
        {**MAP, "love": "lovely"}, ["other"]
    )
    assert "has no label 'hate'; it has joy, anger, love, other" in refused({**MAP, "hate": "anger"}, ["other"])
    assert "'joy' is both mapped and dropped" in refused(MAP, ["joy", "other"])
    assert "every label of its classifier is dropped" in refused({}, list(OWN))
    # without a map by spelling: joy is a label of meld-7, and none of cped-13
    assert total_map(("Joy", "ANGRY"), label_set("meld-7"), None, [], "x") == {"Joy": "joy", "ANGRY": "anger"}
    assert "'joy' of its classifier is mapped nowhere" in refused(None, [])
    assert "'LABEL_0'" in refused(None, [], own=("LABEL_0", "LABEL_1"))


def test_sound():
    heard = []

    def hear(path, rate_hz):
        heard.append((path, rate_hz))
        return np.zeros(4, dtype=np.float32)

    said = Said([scores(0.0, 1.0, 0.0, 0.0)])
    one = SpeechClassifierExpert(said, hear, label_map=MAP, drop=["other"])
    assert one.vote(case(audio=Path("a.mp4")), "speech", 0).label == "anger"
    assert heard == [(Path("a.mp4"), 8000)]
    assert said.asked[0][1] == {"sample_rate_hz": 8000}
    nothing = one.vote(case(), "speech", 0)
    assert (nothing.label, nothing.status, nothing.reason) == (None, "absent", "no_audio")
    said.answers = [Classification(reason="silent")]
    assert one.vote(case(audio=Path("a.mp4")), "speech", 0).reason == "silent"
    with pytest.raises(UsageError, match="reads speech, not text"):
        SpeechClassifierExpert(said, hear, label_map=MAP, drop=["other"], streams=("text",))


@pytest.mark.local
def test_a_real_network_votes_as_it_classifies(tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra `local`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `local`")
    from mmrole.llm import TextClassifier

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "go", "away", "nice", "day"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizer(str(tmp_path / "vocab.txt"), model_max_length=16).save_pretrained(tmp_path)
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=16, num_labels=4, id2label=dict(enumerate(OWN)), initializer_range=1.0,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    model = TextClassifier(tmp_path, batch_size=1)
    one = TextClassifierExpert(model, label_map={**MAP, "other": "neutral"})
    texts = ["go away", "nice day", "", "day"]
    together = one.votes([case(text) for text in texts], "text", 0)
    assert together == [one.vote(case(text), "text", 0) for text in texts]
    for text, vote in zip(texts, together, strict=True):
        [direct] = model.classify([text])
        assert vote.label == ({**MAP, "other": "neutral"}[direct.label] if text else None)
        assert dict(vote.detail.get("scores", {})) == {k: round(v, 4) for k, v in direct.scores.items()}
    assert one.identity["model"]["weights"]["sha256"]
