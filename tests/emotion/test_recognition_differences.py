import random

import pytest

from emotion.metrics import erc
from emotion.recognition import join_predictions
from emotion.recognition_differences import recognition_differences
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

EMOTIONS = label_set("cped-13").labels


def predicted(dialogues, seed, share):
    """Predictions of most utterances: the truth, another label, none, or a stranger."""
    rng = random.Random(seed)
    return {
        u.utterance_id: u.emotion if rng.random() < share else rng.choice((*EMOTIONS, None, "banana"))
        for dialogue in dialogues
        for u in dialogue.utterances
        if rng.random() < 0.9
    }


def joined(dialogues, said, **options):
    records = [{"utterance_id": name, "label": label} for name, label in said.items()]
    return join_predictions(dialogues, records, **options)


def test_differences_are_of_the_common_utterances(large):
    dialogues, _ = large
    one, two = predicted(dialogues, 1, 0.5), predicted(dialogues, 2, 0.7)
    rows = {
        row.part: row
        for row in recognition_differences(
            joined(dialogues, one), joined(dialogues, two), bootstrap=200, without=["neutral"]
        )
    }
    # once more by hand: both scored on what both have
    truth = {u.utterance_id: u.emotion for d in dialogues for u in d.utterances}
    common = [name for name in one if name in two]
    answered = [name for name in common if one[name] in EMOTIONS and two[name] in EMOTIONS]
    for chosen, parts in ((common, ("accuracy", "weighted_f1", "macro_f1", "coverage", "micro_f1_without")),
                          (answered, ("accuracy_answered", "macro_f1_answered"))):  # fmt: skip
        sides = [erc([truth[n] for n in chosen], [side[n] for n in chosen], without=["neutral"]) for side in (one, two)]
        for part in parts:
            row = rows[part]
            assert row.details == {"first": sides[0][part].value, "second": sides[1][part].value}
            assert row.value == pytest.approx(sides[1][part].value - sides[0][part].value)
            assert row.n == sides[0][part].n
    row = rows["accuracy_answered"]
    assert row.excluded == {
        "only_in_first": len(one) - len(common),
        "only_in_second": len(two) - len(common),
        "not_answered_in_both": len(common) - len(answered),
    }
    accuracy = rows["accuracy"]
    assert accuracy.ci[0] < accuracy.value < accuracy.ci[1]
    assert accuracy.bounds == (-1.0, 1.0)
    assert accuracy.definition.startswith("difference of erc/accuracy/v1")


def test_a_run_does_not_differ_from_itself(large):
    dialogues, _ = large
    side = joined(dialogues, predicted(dialogues, 1, 0.5))
    for level in ("lower", "upper"):
        for row in recognition_differences(side, side, level=level, bootstrap=20):
            assert (row.value, row.ci) == (0.0, (0.0, 0.0))


def test_nothing_in_common_is_undefined(large):
    dialogues, _ = large
    names = [u.utterance_id for d in dialogues for u in d.utterances]
    one, two = joined(dialogues, {names[0]: "happy"}), joined(dialogues, {names[1]: "happy"})
    rows = recognition_differences(one, two, bootstrap=5)
    assert {(row.value, row.ci, row.reason, row.n) for row in rows} == {(None, None, "no_utterances", 0)}


def test_runs_that_cannot_be_compared(large):
    dialogues, _ = large
    labels = predicted(dialogues, 1, 0.5)
    side = joined(dialogues, labels)
    with pytest.raises(UsageError, match="same label set"):
        recognition_differences(side, joined(dialogues, labels, labels="meld-7"))
    with pytest.raises(UsageError, match="same dialogues"):
        recognition_differences(side, joined(dialogues[1:], {n: labels[n] for n in labels if not n.startswith("d0_")}))
    meld = joined(dialogues, labels, labels="meld-7")
    with pytest.raises(UsageError, match="no map"):
        recognition_differences(meld, meld, level="upper")
