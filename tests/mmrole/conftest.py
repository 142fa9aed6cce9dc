"""A small world with known answers, and the folders that the scoring commands make of it."""

import copy
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


JUDGED = {
    "d1": [("Ann", "Where were you?"), ("Bo", "At the harbour."), ("Ann", "You never told me."), ("Bo", "I know.")],
    "d2": [("Bo", "Cold today."), ("Ann", "I grew up in the mountains.")],
    "d3": [("Ann", "Who are you?"), ("Cy", "Nobody.")],
}
ANSWERS = {  # first utterance of a turn -> utterances of the response
    "d1_1": [{"text": "At the harbour, mending nets.", "face": "frowns", "body": None, "speech": "slow and low"}],
    "d1_2": [{"text": "You might have said so, brother.", "face": None, "body": None, "speech": None}],
    "d1_3": None,
    "d2_1": [{"text": "I know the mountains."}, {"text": "I never liked snow."}],
    "d3_1": [{"text": "Call me Cy."}],
}


def scripted_judge(name, says):
    """A judge that finds what `says` has: (aspect, a word of the response) -> (side, quote, strength), ...; and what it was asked."""
    import re

    from mmrole.llm import ScriptedModel

    asked = []

    def answer(request):
        text = request.messages[0].text  # a repair request comes after it
        code = re.search(r"<response-([0-9a-f]{8})>", text)[1]
        response = re.search(rf"<response-{code}>\n(.*)\n</response-{code}>", text, re.DOTALL)[1]
        aspect = next(
            a
            for a, word in (("exp", "experience:"), ("rel", "relationships:"), ("cha", "characteristics:"))
            if f"The aspect is {word}" in text
        )
        asked.append((aspect, response))
        found = next((value for (of, word), value in says.items() if of == aspect and word in response), ())
        if isinstance(found, str):
            return found
        if isinstance(found, int):
            return json.dumps({"code": code, "explanation": "so it seems", "rating": found})
        sides = {"supporting": [], "contradicting": []}
        for side, quote, strength in found:
            sides[side].append({"quote": quote, "reason": "it says so", "strength": strength})
        return json.dumps({"code": code, **sides})

    model = ScriptedModel(answer, name=name)
    model.asked = asked
    return model


@pytest.fixture
def judged(tmp_path):
    """Files of a small world to be judged, and a judge for it."""
    dialogues = [
        {
            "dialogue_id": name,
            "show": "Harbour",
            "utterances": [
                {"utterance_id": f"{name}_{n}", "speaker": who, "text": text, "index": n, "emotion": "neutral"}
                for n, (who, text) in enumerate(lines)
            ],
        }
        for name, lines in JUDGED.items()
    ]
    responses = [
        {
            "utterance_id": turn,
            "dialogue_id": turn.partition("_")[0],
            "role": JUDGED[turn.partition("_")[0]][int(turn[-1])][0],
            "condition": "all",
            "agent": "agent",
            "utterances": utterances,
            "status": "ok" if utterances else "refusal",
            "reason": None if utterances else "the model declined",
        }
        for turn, utterances in copy.deepcopy(ANSWERS).items()  # tests change them
    ]
    roles = [
        {"name": "Ann", "profile": {"experiences": "She grew up by the sea.", "relationships": "Bo is her brother."}},
        {"name": "Bo", "aliases": ["Bobby"], "profile": {"characteristics": "He speaks little and slowly."}},
    ]
    previous = [
        {"dialogue_id": "d1", "role": "Ann", "text": "Bo has been away.", "episode": "9"},
        {"dialogue_id": "d1", "role": "Bobby", "text": "Bo mended nets at the harbour.", "episode": "9"},
        {"dialogue_id": "d2", "role": "Ann", "text": "Ann came back from the sea.", "episode": "10"},
    ]
    files = {"dialogues": dialogues, "responses": responses, "roles": roles, "previous": previous}
    paths = {name: write_jsonl(tmp_path / f"{name}.jsonl", records) for name, records in files.items()}
    return SimpleNamespace(folder=tmp_path, judge=scripted_judge, **paths, records=files)
