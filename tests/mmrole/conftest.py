"""A small world with known answers, and the folders that the scoring commands make of it."""

import json
from types import SimpleNamespace

import pytest

# speaker, emotion and number of each utterance; a number is missing in the second dialogue
WORLD = {
    "d1": [
        ("Ann", "happy", 0),
        ("Bo", "anger", 1),
        ("Bo", "sadness", 2),
        ("Ann", "happy", 3),
        ("Ann", "happy", 4),
        ("Bo", "neutral", 5),
    ],
    "d2": [("Bo", "anger", 0), ("Ann", "happy", 1), ("Ann", "relaxed", 3), ("Bo", "anger", 4)],
}
# first utterance of a turn -> labels of the response; None is ambiguous
RESPONSES = {
    "attentive": {
        "d1_1": ["anger", "anger"],
        "d1_3": ["happy", "happy", "relaxed"],
        "d1_5": ["neutral"],
        "d2_1": ["happy", None],
    },
    "happy": {name: ["happy"] for name in ("d1_1", "d1_3", "d1_5", "d2_1", "d2_3")},
}
RESPONSES["happy"]["d2_4"] = RESPONSES["happy"].pop("d2_3")
PREDICTIONS = {
    "d1_0": "happy", "d1_1": "sadness", "d1_2": "sadness", "d1_3": None, "d1_4": "bewildered", "d1_5": "neutral",
    "d2_0": "anger", "d2_1": "happy", "d2_3": "happy",
}  # fmt: skip


def world_votes(agent):
    """Ten votes on each utterance of the responses: all for the label, or five each for two."""
    votes = []
    for turn, labels in RESPONSES[agent].items():
        for k, label in enumerate(labels):
            for number in range(10):
                said = label if label is not None else ("happy", "anger")[number % 2]
                votes.append(
                    {"utterance_id": f"{turn}/{k}", "stream": "all", "expert": f"e{number // 2}", "round": number % 2, "label": said}
                )  # fmt: skip
    return votes


def write_jsonl(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """Dialogues, reports by agent, and paths: file of dialogues, folders of `attentive`, `happy` and `recognised`."""
    from emotion.evaluate import score
    from mmrole import read_dialogues
    from mmrole.jobs.erc import erc_files
    from mmrole.jobs.score import score_files

    folder = tmp_path_factory.mktemp("world")
    records = [
        {
            "dialogue_id": name,
            "utterances": [
                {"utterance_id": f"{name}_{k}", "speaker": who, "emotion": emotion, "index": k, "text": "..."}
                for who, emotion, k in utterances
            ],
        }
        for name, utterances in WORLD.items()
    ]
    path = write_jsonl(folder / "dialogues.jsonl", records)
    dialogues = read_dialogues(path)
    for agent in RESPONSES:
        votes = write_jsonl(folder / f"{agent}.jsonl", world_votes(agent))
        score_files(path, votes, out=folder / agent, bootstrap=20)
    predictions = [{"utterance_id": name, "label": label} for name, label in PREDICTIONS.items()]
    erc_files(path, write_jsonl(folder / "p.jsonl", predictions), out=folder / "recognised", bootstrap=20)
    return SimpleNamespace(
        path=path,
        folder=folder,
        dialogues=dialogues,
        predictions=PREDICTIONS,
        reports={agent: score(dialogues, world_votes(agent), bootstrap=20) for agent in RESPONSES},
    )
