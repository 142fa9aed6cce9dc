"""A small training set whose labels can be learned, and what was trained on it."""

import pytest

# three labels that words give away, in twelve dialogues of four utterances
_SAID = {
    "happy": ["哈哈真开心", "太好了真开心", "我好开心呀", "开心开心"],
    "anger": ["你给我滚出去", "滚！别烦我", "滚开，混蛋", "你这个混蛋滚"],
    "neutral": ["今天星期三", "明天星期四", "星期五开会", "开会在三楼"],
}


@pytest.fixture(scope="session")
def examples():
    from emotion.experts.trained_training import Example

    out = []
    for number in range(12):
        texts, labels = [], []
        for position, label in enumerate(("happy", "anger", "neutral", "happy")):
            labels.append(label)
            texts.append(_SAID[label][(number + position) % 4] + "啊" * (number % 3))
        for position, label in enumerate(labels):
            before = [texts[position - n] if position >= n else "" for n in (1, 2)]
            out.append(Example(texts=(texts[position], *before), label=label, group=f"d{number}"))
    return out


@pytest.fixture(scope="session")
def trained(examples):
    pytest.importorskip("sklearn")
    from emotion.experts.trained_training import TrainingOptions, train_text_expert
    from mmrole.core.labels import label_set

    return train_text_expert(
        examples,
        label_set("cped-13"),
        options=TrainingOptions(folds=3),
        data=[{"name": "x.csv", "sha256": "0" * 64, "bytes": 1, "format": "cped"}],
        counts={"inputs": 48, "done": 48, "failed": 0, "skipped": 0},
    )


@pytest.fixture(scope="session")
def trained_file(trained, tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "expert.npz"
    trained.write(path)
    return path
