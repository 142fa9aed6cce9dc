import pytest

pytest.importorskip("sklearn")

from emotion.experts.trained_training import Example, TrainingOptions, train_text_expert
from mmrole.core.labels import label_set
from mmrole.jobs.experts_page import trained_lines


def test_a_trained_expert_for_people():
    rows = ["neutral"] * 4 + ["anger"] * 3 + ["fear"] * 3
    examples = [Example(texts=(f"{label} word",), label=label, group=str(n % 5)) for n, label in enumerate(rows)]
    model = train_text_expert(
        examples,
        label_set("cped-13"),
        options=TrainingOptions(folds=2, context=0),
        data=[{"name": "d.csv", "format": "cped", "sha256": "ab"}],
        counts={},
    )
    lines = trained_lines(model)
    assert "  data: d.csv (cped), sha256 ab" in lines
    assert "  labels: cped-13; can give anger (3), fear (3), neutral (4)" in lines
    assert any(line.startswith("  never gives happy, grateful") for line in lines)
    # neutral is 4 of 10, negative 6 of 10
    [accuracy] = [line for line in lines if "accuracy of labels" in line]
    assert accuracy.endswith("always the most frequent: 0.400")
    [accuracy] = [line for line in lines if "accuracy of sentiments" in line]
    assert accuracy.endswith("always the most frequent: 0.600")
