"""The whole way of an agent, from playing to scores: respond, recognize, judge, score, with scripted models of known behaviour."""

import json
import random
import re
import statistics

import pytest

import mmrole
from emotion.experts.panel import panel_of
from emotion.response_records import AgentUtterance
from mmrole.core.dialogue import played_turns
from mmrole.core.labels import label_set
from mmrole.jobs.respond import Setup, respond_with, scripted_agent
from mmrole.jobs.score import score_files
from mmrole.llm import ScriptedModel

LABELS = label_set("cped-13").labels
TASTE = {
    "Ann": ("happy", "relaxed", "grateful", "neutral", "astonished"),
    "Bo": ("anger", "depress", "worried", "neutral", "disgust"),
}
DRAWS = 300


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Forty dialogues of Ann and Bo, eight turns each, with their profiles and what happened before."""
    folder, rng = tmp_path_factory.mktemp("world"), random.Random(5)
    dialogues, previous = [], []
    for number in range(40):
        name, utterances = f"d{number:02}", []
        for turn in range(8):
            speaker = ("Ann", "Bo")[(turn + number) % 2]
            for _ in range(rng.randint(1, 3)):
                place = len(utterances)
                emotion = rng.choice(TASTE[speaker])
                utterances.append(
                    {"utterance_id": f"{name}_{place}", "index": place, "speaker": speaker, "text": f"Line {place} of {name}.",
                     "emotion": emotion}
                )  # fmt: skip
        dialogues.append({"dialogue_id": name, "utterances": utterances})
        previous += [
            {"dialogue_id": name, "role": role, "text": f"{role} has come home.", "episode": f"{number // 10}"}
            for role in TASTE
        ]
    roles = [
        {
            "name": role,
            "profile": {"characteristics": f"{role} feels {taste[0]} most of the time.", "experiences": "Went to sea."},
        }
        for role, taste in TASTE.items()
    ]
    for file, records in (("dialogues", dialogues), ("roles", roles), ("previous", previous)):
        (folder / f"{file}.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return folder


def reader(request):
    """An expert that believes what it reads."""
    return json.dumps({"label": re.search(r"The face shows ([a-z-]+)\.", request.messages[-1].text).group(1)})


def run_agent(world, out, feel, judge=None):
    """Scores of an agent that feels what `feel` says at each utterance."""
    setup = Setup(
        dialogues=world / "dialogues.jsonl",
        roles=world / "roles.jsonl",
        previous=world / "previous.jsonl",
        condition="all",
    )

    def answer(target):
        return tuple(
            AgentUtterance(text=u.text, face=f"The face shows {feel(u)}.", body=None, speech=None)
            for u in target.turn.utterances
        )

    played = respond_with(setup, scripted_agent(setup, answer), out=out / "played")
    panel = panel_of([{"name": "reader", "kind": "llm", "endpoint": "reader", "streams": ["all"], "rounds": 2}])
    voted = mmrole.recognize(
        world / "dialogues.jsonl",
        panel=panel,
        responses=played.out / "responses.jsonl",
        models={"reader": ScriptedModel(reader)},
        out=out / "votes",
        cache=False,
    )
    judgements = None
    if judge is not None:
        judged = mmrole.judge(
            played.out,
            dialogues=world / "dialogues.jsonl",
            roles=world / "roles.jsonl",
            previous=world / "previous.jsonl",
            judges={"one": ScriptedModel(judge, name="one"), "two": ScriptedModel(judge, name="two")},
            out=out / "judged",
            cache=False,
        )
        judgements = judged.judgements
    return score_files(
        world / "dialogues.jsonl",
        voted.votes,
        judgements=judgements,
        labels="cped-13",
        out=out / "scores",
        bootstrap=50,
    ).report


def in_favour(request):
    """A judge that finds the response itself to be evidence for the role, and nothing against it."""
    text = request.messages[-1].text
    code = re.search(r'"code": "([^"]+)"', text).group(1)
    quote = re.findall(r"Line \d+ of d\d+\.", text)[-1]
    return json.dumps(
        {"code": code, "supporting": [{"quote": quote, "reason": "it is so", "strength": 2}], "contradicting": []}
    )


def test_a_copy_of_the_truth_is_perfect_and_the_judges_have_their_say(world, tmp_path):
    report = run_agent(world, tmp_path, lambda u: u.emotion, in_favour)
    for metric, part, best in (("mec", "lower", 1), ("mec", "upper", 1), ("ed", "all", 0), ("edd", "intra", 1), ("edd", "inter", 1),
                               ("rcd", "intra", 0), ("rcd", "inter", 0)):  # fmt: skip
        assert report[metric, part].value == best, (metric, part)
    for aspect in ("exp", "rel", "cha"):
        score = next(score for score in report.scores if score.metric == aspect)
        # supporting evidence alone is 5 by the mapping table; 40 dialogues of 7 responses each
        assert (score.value, score.n) == (5.0, 280)


def test_always_happy_is_seen_as_a_bias_towards_happy(world, tmp_path):
    report = run_agent(world, tmp_path, lambda _: "happy")
    tables = dict(zip(LABELS, report.confusion("lower"), strict=True))
    for label, table in tables.items():
        (_, false_positive), (false_negative, true_positive) = table
        if label == "happy":
            assert (false_negative, false_positive > true_positive) == (0, True)
        else:
            assert (true_positive, false_positive) == (0, 0)
    assert report["mec", "lower"].value < 0.3
    # every label is positive: no negative emotion of Bo's is ever found
    negatives = dict(zip(("positive", "neutral", "negative"), report.confusion("upper"), strict=True))["negative"]
    assert negatives[1][1] == 0


def simulated_mec(dialogues, rng):
    """Micro-F1 of the sets of labels when every utterance gets any of the thirteen by chance, in plain loops."""
    hits = sizes = 0
    for dialogue in dialogues:
        for _, turn in played_turns(dialogue):
            truth = {u.emotion for u in turn.utterances}
            said = {rng.choice(LABELS) for _ in turn.utterances}
            hits += len(truth & said)
            sizes += len(truth) + len(said)
    return 2 * hits / sizes


def test_chance_scores_what_chance_gives(world, tmp_path):
    dialogues = mmrole.read_dialogues(world / "dialogues.jsonl")
    rng = random.Random(11)
    by_chance = [simulated_mec(dialogues, rng) for _ in range(DRAWS)]
    report = run_agent(world, tmp_path, lambda u: random.Random(f"chance {u.utterance_id}").choice(LABELS))
    found = report["mec", "lower"].value
    assert found == pytest.approx(statistics.mean(by_chance), abs=4 * statistics.stdev(by_chance))
    assert 0.5 * statistics.mean(by_chance) < found  # and 4 deviations are no wide gate
