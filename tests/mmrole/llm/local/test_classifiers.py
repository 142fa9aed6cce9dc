"""Real classifiers with random weights, compared with the networks asked directly."""

from __future__ import annotations

import numpy as np
import pytest

from mmrole.core.errors import ModelError, UsageError
from mmrole.llm import AudioClassifier, TextClassifier, ZeroShotClassifier

pytestmark = pytest.mark.local

TEXTS = ["I am so glad!", "no", "Leave me alone, all of you.", "好的"]


def direct(torch, folder, *texts):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    network = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.inference_mode():
        return network(**AutoTokenizer.from_pretrained(folder)(*texts, return_tensors="pt")).logits[0]


def test_text_scores_are_the_networks_softmax_whatever_the_batches(classifier_folder, torch):
    wanted = [direct(torch, classifier_folder, text).softmax(-1).tolist() for text in TEXTS]
    for size in (1, 3):
        found = TextClassifier(classifier_folder, batch_size=size).classify(TEXTS)
        for classification, row in zip(found, wanted, strict=True):
            assert list(classification.scores) == ["angry", "happy", "neutral", "sad"]
            assert list(classification.scores.values()) == pytest.approx(row, abs=1e-5)
            assert classification.label == ["angry", "happy", "neutral", "sad"][int(np.argmax(row))]


def test_labels_that_hold_together_are_judged_one_by_one(several_folder, torch):
    found = TextClassifier(several_folder).classify(TEXTS[:1])[0]
    assert list(found.scores.values()) == pytest.approx(
        direct(torch, several_folder, TEXTS[0]).sigmoid().tolist(), abs=1e-5
    )


def test_nothing_is_said_about_no_text_and_a_cut_is_told(classifier_folder):
    empty, long, short = TextClassifier(classifier_folder).classify([" \n", "x" * 100, "x"])
    assert (empty.label, dict(empty.scores), empty.reason) == (None, {}, "empty")
    assert (long.truncated, short.truncated) == (True, False)
    assert TextClassifier(classifier_folder).classify([]) == []


def test_zero_shot_compares_the_entailment_of_the_hypotheses(inference_folder, torch):
    labels = ["joy", "grief", "anger"]
    wanted = torch.stack([direct(torch, inference_folder, TEXTS[0], f"It is {label}.")[2] for label in labels]).softmax(
        -1
    )
    found = ZeroShotClassifier(inference_folder, batch_size=2).classify([TEXTS[0], ""], labels, template="It is {}.")
    assert list(found[0].scores) == labels
    assert list(found[0].scores.values()) == pytest.approx(wanted.tolist(), abs=1e-5)
    assert found[1].reason == "empty"


def test_zero_shot_refuses_what_makes_no_sense(inference_folder, classifier_folder):
    model = ZeroShotClassifier(inference_folder)
    with pytest.raises(UsageError, match="two labels"):
        model.classify(TEXTS, ["joy"])
    with pytest.raises(UsageError, match="each different"):
        model.classify(TEXTS, ["joy", "joy"])
    with pytest.raises(UsageError, match="template"):
        model.classify(TEXTS, ["joy", "grief"], template="It is joy.")
    with pytest.raises(ModelError, match="entailment"):
        ZeroShotClassifier(classifier_folder).classify(TEXTS, ["joy", "grief"])


def test_sound_is_classified_at_the_models_rate(audio_folder, torch):
    from transformers import AutoFeatureExtractor, AutoModelForAudioClassification

    sound = np.sin(np.arange(8000) / 10).astype(np.float32)
    inputs = AutoFeatureExtractor.from_pretrained(audio_folder)(sound, sampling_rate=16000, return_tensors="pt")
    with torch.inference_mode():
        wanted = AutoModelForAudioClassification.from_pretrained(audio_folder)(**inputs).logits[0].softmax(-1)
    model = AudioClassifier(audio_folder)
    assert model.sample_rate_hz == 16000
    alone = model.classify([sound], sample_rate_hz=16000)[0]
    among = model.classify([sound[:4000], sound], sample_rate_hz=16000)[1]
    assert list(alone.scores.values()) == pytest.approx(wanted.tolist(), abs=1e-5)
    assert among == alone
    with pytest.raises(UsageError, match="16000 Hz, not 44100 Hz"):
        model.classify([sound], sample_rate_hz=44100)
    with pytest.raises(UsageError, match="one channel"):
        model.classify([np.zeros((2, 8000), np.float32)], sample_rate_hz=16000)


@pytest.mark.parametrize(
    ("sound", "reason"),
    [
        (np.ones(399), "too_short"),
        (np.zeros(8000), "silent"),
        (np.full(8000, np.nan), "not_finite"),
        (np.zeros(0), "too_short"),
    ],
)
def test_nothing_is_said_about_sound_that_is_none(audio_folder, sound, reason):
    found = AudioClassifier(audio_folder).classify([sound.astype(np.float32)], sample_rate_hz=16000)[0]
    assert (found.label, dict(found.scores), found.reason) == (None, {}, reason)


def test_a_batch_of_nothing_is_refused(classifier_folder):
    with pytest.raises(UsageError, match="batch of 0"):
        TextClassifier(classifier_folder, batch_size=0)
