"""A story of more than 100,000 tokens whose decisive fact shares no word with the question: only a segment of the description finds it."""

import json
import random
import re

from mmrole.jobs.bench.lifechoice import build, run
from mmrole.llm import ScriptedModel
from textbench.lifechoice.summaries import Sizes
from textbench.retrieval import tokens
from textbench.tokens import approximate

FACT = (
    "At the tannery of Corvane a chained mastiff tore the hand of Ilse, who was nine, and ever since then she has gone cold at the "
    "sight of mastiffs."
)
SCENARIO = "The road forks by the old bridge, until evening in the rain. One way leads past the farm of Anders, where beasts run loose."
QUESTION = "Which way home does Ilse take from the bridge?"
MOST = 2 * 1000 + 100  # what the memory holds: two chunks


def story():
    """Days of walking the road over the bridge in the rain, which is what the question asks of; one sentence is the fact."""
    draw = random.Random(7)
    who, where = (
        ("Ilse", "Anders", "the miller", "a carter"),
        ("bridge", "road", "fork", "farm", "field", "ford", "gate"),
    )
    seen = (
        "rain",
        "evening",
        "way home",
        "old wall",
        "geese",
        "carts",
        "smoke",
        "letters",
        "market",
        "frost",
        "lanterns",
    )
    days = [
        f"{draw.choice(who)} took the {draw.choice(where)} past the {draw.choice(where)} and spoke of {draw.choice(seen)} and "
        f"{draw.choice(seen)} until the {draw.choice(('evening', 'morning'))}."
        for _ in range(5200)
    ]
    days.insert(1700, FACT)
    return " ".join(days)


def model(text):
    """Summaries keep what holds ever since; the segment is what the description says of a fear; the answer needs the fact itself."""

    def answer(request):
        asked = request.messages[-1].text
        if '"segments"' in asked:
            return json.dumps({"segments": re.findall(r"Ilse[^.]*mastiffs", asked)[:1]})
        if "<letter>" in asked:
            told = request.messages[0].text
            letters = dict(re.findall(r"^([A-D])\. (.*)$", asked, re.MULTILINE))
            wanted = "the long way round" if "At the tannery of Corvane" in told else "past the farm"
            return f"Answer: {next(letter for letter, option in letters.items() if option == wanted)}"
        return "Ilse fears mastiffs since Corvane." if "mastiff" in asked else "Ilse walks the road."

    return ScriptedModel(answer, name="planted")


def test_only_charmap_finds_the_decisive_fact(tmp_path):
    text = story()
    assert approximate(text) >= 100_000
    shared = set(tokens(FACT)) & set(tokens(f"{SCENARIO} {QUESTION}"))
    assert all(tokens(text).count(word) > 500 for word in shared)  # words that stand everywhere in the story
    item = {
        "item_id": "ilse", "book": "The Fork", "character": "Ilse", "text": text, "scenario": SCENARIO, "question": QUESTION,
        "options": ["past the farm", "the long way round", "she waits for morning", "she turns back"], "answer": "B",
    }  # fmt: skip
    (tmp_path / "items.json").write_text(json.dumps([item]), "utf-8")
    methods = ["hierarchical", "bm25", "hierarchical+bm25", "hierarchical+bm25+charmap"]
    folder = tmp_path / "run"
    build(folder, data=tmp_path / "items.json", methods=methods, budget=2 * MOST, sizes=Sizes(chunk=1000, group=1000))
    agent = model(text)
    run(folder, agent)
    found = {
        record["method"]: record
        for record in map(json.loads, (folder / "answers.jsonl").read_text("utf-8").splitlines())
    }
    told = {
        name: next(
            request.messages[0].text
            for request in agent.requests
            if "<letter>" in request.messages[-1].text and _is_of(request, record)
        )
        for name, record in found.items()
    }
    right = {name: record["options"][record["value"]] == "the long way round" for name, record in found.items()}
    assert right == {
        "hierarchical": False,
        "bm25": False,
        "hierarchical+bm25": False,
        "hierarchical+bm25+charmap": True,
    }
    assert {name: FACT in text for name, text in told.items()} == right
    charmap = found["hierarchical+bm25+charmap"]
    assert charmap["query"]["segments"] == ["Ilse fears mastiffs"]
    assert found["hierarchical+bm25"]["description"] == charmap["description"]  # one description for both
    assert charmap["profile"]["tokens"] <= 2 * MOST
    # one call more than the same without CharMap
    assert agent.calls == charmap["description"]["calls"] * 2 - _shared(folder) + 1 + 4


def _is_of(request, record):
    """Whether a request led to the record: their profiles have as many tokens."""
    profile = request.messages[0].text.split("elsewhere.\n\n", 1)[-1]
    return approximate(profile) == record["profile"]["tokens"]


def _shared(folder):
    """Calls that the descriptions of the two budgets share."""
    total = len((folder / "profiles" / "summaries.jsonl").read_text("utf-8").splitlines())
    first = json.loads((folder / "answers.jsonl").read_text("utf-8").splitlines()[0])
    return 2 * first["description"]["calls"] - total
