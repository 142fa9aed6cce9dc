import json
from collections import Counter
from pathlib import Path

import pytest

from mmrole.core.errors import InputError, ModelError, StoreError, UsageError
from mmrole.jobs.bench.lifechoice import build, estimate_leak, leak
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel

FILES = ("leaks.jsonl", "scores.jsonl", "scores.md")
DAYS = [f"On day {number} Ann walked to the mill and came home by lantern {number * 7}. " for number in range(80)]
BOOK = "".join(DAYS)


def story(days):
    return "".join(DAYS[:days])


def item(number, **more):
    record = {
        "item_id": f"ann-{number}", "book": "The Mill", "character": "Ann", "text": story(20 * number), "scenario": "s",
        "question": "q", "options": {"A": "a", "B": "b"}, "answer": "B",
    }  # fmt: skip
    return record | more


class Models:
    """An agent that goes on by heart when it is told of Ann, and a judge who looks for the book's next words."""

    def __init__(self, end=None):
        self.asked = Counter()
        self.end = end
        self.agent = ScriptedModel(self._agent, name="agent")
        self.judge = ScriptedModel(self._judge, name="judge")

    def _count(self, request):
        if self.end is not None and self.asked.total() == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[0].text
        self.asked[text] += 1
        return text

    def _agent(self, request):
        text = self._count(request)
        if '"characters"' in text:
            return '{"characters": [["Ann"]], "places": [], "phrases": ["the mill"]}'
        place = BOOK.find(text.strip()[-60:])
        return BOOK[place + 60 :][:600] if place >= 0 else "Somebody slept."

    def _judge(self, request):
        text = self._count(request)
        _, book, written = (part.split("</")[0] for part in text.split(">\n")[1::2])
        return json.dumps({"reason": "r", "level": 2 if book.strip()[:50] in written else 0})


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "items.json"
    path.write_text(json.dumps([item(1), item(2), item(3, book="Unknown")]), "utf-8")
    return path


@pytest.fixture
def novels(tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "the_mill.txt").write_text(BOOK, "utf-8")
    return folder


@pytest.fixture
def tested(data, novels, tmp_path):
    def test(name="leak", models=None, **more):
        who = models or Models()
        given = {"novels": novels, "tokens": 60} | more
        if "folder" not in given:
            given["data"] = data
        return leak(tmp_path / name, who.agent, who.judge, **given)

    return test


@pytest.fixture
def entities(tmp_path):
    path = tmp_path / "names.json"
    path.write_text('{"characters": [["Ann"]]}', "utf-8")
    return path


def scores(result):
    return {score.part: score for score in result.scores}


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_agent_that_knows_the_book_by_its_names_leaks_until_they_are_masked(tested, entities):
    result = tested(masking="given", entities=entities)
    found = scores(result)
    assert (found["plain"].value, found["masked"].value, found["masked - plain"].value) == (1.0, 0.0, -1.0)
    assert (found["plain The Mill"].n, found["masked The Mill"].n) == (2, 2)
    assert result.excluded == {"no_novel": 1}
    records = lines(result.out / "leaks.jsonl")
    assert [(each["item_id"], each["condition"], each["agent"], each["level"], each["leak"]) for each in records] == [
        ("ann-1", "plain", "agent", 2, True),
        ("ann-1", "masked", "agent", 0, False),
        ("ann-2", "plain", "agent", 2, True),
        ("ann-2", "masked", "agent", 0, False),
    ]
    stored = lines(result.out / "scores.jsonl")
    assert {each["agent"] for each in stored} == {"agent"}
    assert {each["part"]: each["value"] for each in stored}["plain"] == 1.0
    assert "| plain The Mill | 1.000 |" in (result.out / "scores.md").read_text("utf-8")
    manifest = json.loads((result.out / "manifest.json").read_text("utf-8"))
    assert manifest["counts"] == {"inputs": 4, "done": 4, "failed": 0, "skipped": 0}
    assert (manifest["excluded"], set(manifest["steps"])) == ({"no_novel": 1}, {"continue", "judge"})


def test_no_masking_asks_for_the_plain_text_only(tested):
    who = Models()
    assert set(scores(tested(models=who))) == {"plain", "plain The Mill"}
    assert who.asked.total() == 4


def test_names_that_a_model_finds(tested):
    who = Models()
    result = tested(models=who, masking="model")
    assert scores(result)["masked"].value == 0.0
    assert set(result.steps) == {"names", "continue", "judge"}
    maps = json.loads((result.out / "entities.json").read_text("utf-8"))
    assert {name for each in maps["The Mill"]["entities"] for name in each["names"]} == {"Ann", "the mill"}


def test_the_names_of_a_run_are_used(tested, data, tmp_path, entities):
    build(tmp_path / "run", data=data, methods=["roleless"], masking="given", entities=entities)
    result = tested(folder=tmp_path / "run")
    assert scores(result)["masked"].value == 0.0
    assert set(scores(tested("plain", folder=tmp_path / "run", masking="none"))) == {"plain", "plain The Mill"}
    build(tmp_path / "open", data=data, methods=["roleless"])
    assert "masked" not in scores(tested("open-leak", folder=tmp_path / "open"))
    build(tmp_path / "found", data=data, methods=["roleless"], masking="model")
    with pytest.raises(StoreError, match=r"entities\.json is missing"):
        tested("found-leak", folder=tmp_path / "found")


@pytest.mark.parametrize("masking", ["given", "model"])
def test_interrupted_at_every_call_it_ends_like_an_uninterrupted_one(tested, entities, tmp_path, masking):
    more = {"masking": masking, "entities": entities if masking == "given" else None}
    whole = Models()
    expected = tested("whole", whole, **more).out
    for end in range(whole.asked.total()):
        who = Models(end=end)
        with pytest.raises(KeyboardInterrupt):
            tested(f"cut{end}", who, **more)
        folder = tested(f"cut{end}", who, **more).out
        assert who.asked == whole.asked  # every call once
        for name in FILES:
            assert (folder / name).read_bytes() == (expected / name).read_bytes()
    tested("whole", whole, **more)
    assert max(whole.asked.values()) == 1


def test_other_lengths_are_asked_anew_and_judged_anew(tested):
    who = Models()
    tested(models=who)
    tested(models=who, tokens=80)
    assert who.asked.total() == 8


def test_a_verdict_that_cannot_be_read_is_asked_for_again_and_then_left_out(tested):
    who = Models()
    said = iter(["hm", '{"level": 2}', "hm", "hm", "hm"])
    who.judge = ScriptedModel(lambda _: next(said), name="judge")
    found = scores(tested(models=who))["plain"]
    assert (found.value, found.n, found.excluded) == (1.0, 1, {"judge_unparsed": 1})


def test_a_verdict_on_what_was_judged_before_is_not_taken(tested):
    who = Models()
    said = ["hm", "hm", '{"level": 2}', '{"level": 2}', "hm", "hm"]
    who.judge = ScriptedModel(lambda _: said.pop(0), name="judge")
    assert scores(tested(models=who, most_regenerations=1))["plain"].n == 2
    # other texts, one attempt each: the second attempts of before are still there
    found = scores(tested(models=who, tokens=80, most_regenerations=0))["plain"]
    assert (found.n, found.excluded) == (0, {"judge_unparsed": 2})


def test_an_answer_that_fails_is_counted_and_tried_again(tested):
    who = Models()
    down = ScriptedModel(lambda _: ChatReply(error=ErrorKind.SERVER_ERROR, detail="down"), name="agent")
    good, who.agent = who.agent, down
    result = tested(models=who)
    assert scores(result)["plain"].excluded == {"answer_error": 2}
    assert (scores(result)["plain"].value, scores(result)["plain"].reason) == (None, "no_items")
    assert result.steps["continue"].failed == 2
    who.agent = good
    assert scores(tested(models=who))["plain"].n == 2


def test_a_dead_agent_ends_it_and_nothing_is_written_over(tested):
    result = tested()
    before = (result.out / "scores.jsonl").read_bytes()
    who = Models()
    who.agent = ScriptedModel(lambda _: ChatReply(error=ErrorKind.UNREACHABLE, detail="no host"), name="agent")
    with pytest.raises(ModelError, match="no host"):
        tested(models=who, tokens=90)
    assert (result.out / "scores.jsonl").read_bytes() == before


def test_what_it_would_take_is_told_without_asking(data, novels, tmp_path, tested):
    who = Models()
    given = {"novels": novels, "data": data, "masking": "model", "tokens": 60}
    found = estimate_leak(tmp_path / "leak", who.agent, who.judge, **given)
    calls = {name: each.calls for name, each in found.items()}
    assert (calls["continue"], calls["judge"], who.asked.total()) == (4, 4, 0)
    assert not (tmp_path / "leak").exists()
    tested(models=who, masking="model")
    assert sum(calls.values()) == who.asked.total()
    assert {each.calls for each in estimate_leak(tmp_path / "leak", who.agent, who.judge, **given).values()} == {0}


def test_items_that_are_malformed_are_counted(tested, data):
    data.write_text(json.dumps([item(1), {**item(2), "options": ["a"]}]), "utf-8")
    assert tested().excluded == {"malformed": 1}


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"tokens": 5}, UsageError, "5 tokens"),
        ({"masking": "given"}, UsageError, "needs the names"),
        ({"entities": "x.json"}, UsageError, "for --masking given"),
        ({"folder": "run", "data": "x.json"}, UsageError, "one of the two"),
        ({"bootstrap": -1}, UsageError, "--bootstrap"),
        ({"most_regenerations": 13}, UsageError, "13 regenerations"),
        ({"novels": "nowhere"}, InputError, "no such file"),
        ({"finder": ScriptedModel(lambda _: "")}, UsageError, "nothing to do"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anybody_is_asked(tested, given, error, said):
    who = Models()
    with pytest.raises(error, match=said):
        tested(models=who, **given)
    assert who.asked.total() == 0


def test_nothing_to_test_is_an_error(tested, data):
    data.write_text(json.dumps([item(1, book="Unknown"), item(2, text="Another text.")]), "utf-8")
    with pytest.raises(InputError, match="nothing can be tested: no_novel 1, story_not_in_novel 1"):
        tested()


def test_another_agent_is_refused(tested):
    tested()
    who = Models()
    who.agent = ScriptedModel(lambda _: "", name="other")
    with pytest.raises(UsageError, match="replies of the agent agent, not other"):
        tested(models=who)


def test_the_novel_may_be_one_file(tested, novels):
    assert scores(tested(novels=Path(novels) / "the_mill.txt"))["plain"].n == 2


def test_the_folder_of_a_run_is_kept(tested, data, tmp_path):
    build(tmp_path / "run", data=data, methods=["roleless"])
    who = Models()
    with pytest.raises(UsageError, match="is the folder of a run"):
        tested("run", who, folder=tmp_path / "run")
    assert who.asked.total() == 0
