import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mmrole.core.errors import InputError, LockedError, ModelError, UsageError
from mmrole.core.lock import RunLock
from mmrole.core.review import read_sheet
from mmrole.jobs.bench.lifechoice import build, construct, estimate_construct, run
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel
from textbench.lifechoice.construction import Where
from textbench.lifechoice.construction.filtering import COLUMNS, ReviewRow
from textbench.lifechoice.items import read_items

FILES = ("items.jsonl", "novels.jsonl", "refused.jsonl", "rejected.jsonl", "report.json", "sheets/reviewer-1.csv")
WHERE = Where(passages=4, passage_tokens=200, min_story=100)
ASKED = {
    "Is there a decision": "find",
    "Write a multiple-choice question": "question",
    "Write three other options": "distractors",
    "Why does": "motivation",
    "Which of these types": "classify",
}


def step_of(text):
    return next(step for piece, step in ASKED.items() if piece in text)


def write(text):
    """What a good author gives."""
    day = (re.findall(r"On day (\d+) I shall stay", text) or ["0"])[-1]
    return {
        "find": {
            "found": True,
            "character": "Mara",
            "decision": f"She stays on day {day}.",
            "quote": f'"On day {day} I shall stay and mend the light", said Mara, and let the boat go.',
        },
        "question": {"scenario": "The boat waits.", "question": "What will Mara do?", "answer": "She stays."},
        "distractors": {"distractors": ["She leaves.", "She sends her brother.", "She burns the lamp."]},
        "motivation": {"motivation": "The light is her duty."},
        "classify": {"type": "Values and Beliefs"},
    }[step_of(text)]


def author(end=None, broken=()):
    """Writes items; `end` is the call that is interrupted, `broken` step -> whole reply."""
    calls = 0

    def answer(request):
        nonlocal calls
        calls += 1
        if calls == end:
            raise KeyboardInterrupt
        text = request.messages[0].text
        return dict(broken).get(step_of(text)) or json.dumps(write(text))

    return ScriptedModel(answer, name="author")


@pytest.fixture
def novels(tmp_path):
    """Forty days, each with a decision; what follows it says AFTER and its day. Beside it a novel that is too short, and no text."""
    text = "".join(
        f"Day {day} began with wind. Mara climbed to the lamp and counted the ships. Her brother called from the quay, and she "
        "heard him twice. It was the hour to choose, and the tide would not wait. "
        f"“On day {day} I shall stay and mend the light,” said Mara, and let the boat go. "
        f"AFTER {day}: the boat came back at dusk, and nobody spoke of it at the table.\n\n"
        for day in range(40)
    )
    folder = tmp_path / "novels"
    folder.mkdir()
    (folder / "The Light.txt").write_text(text, "utf-8")
    (folder / "short.txt").write_text("It was the end of the day, and she and he had it.", "utf-8")
    (folder / "broken.txt").write_bytes(b"\xff\xfe\x00")
    return folder


@pytest.fixture
def made(novels, tmp_path):
    def make(name="set", model=None, **more):
        given = {"where": WHERE, "min_tokens": 1000, "sheets": 2} | more
        return construct(novels, model or author(), out=tmp_path / name, **given)

    return make


def files(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


def test_a_novel_becomes_a_data_set_that_build_reads(made, novels, tmp_path):
    result = made(genres=None)
    assert result.built.counts == {"passages": 4, "items": 4, "rejected": 0, "failed": 0, "pending": 0}
    read = read_items(result.items)
    assert read.items == result.built.items
    text = (novels / "The Light.txt").read_text("utf-8")
    assert all(text.startswith(item.text) for item in read.items)
    built = build(tmp_path / "run", data=result.items, methods=["bm25"], budget=2000)
    assert (built.items, built.books, built.refused) == (4, 1, [])
    refused = [json.loads(line) for line in (result.out / "refused.jsonl").read_text("utf-8").splitlines()]
    assert {Path(each["path"]).name: each["reason"] for each in refused} == {
        "short.txt": "too_short",
        "broken.txt": "not_utf8",
    }
    assert result.unread == 1
    (novel,) = [json.loads(line) for line in (result.out / "novels.jsonl").read_text("utf-8").splitlines()]
    assert (novel["book"], novel["items"]) == ("The Light", 4)
    manifest = json.loads((result.out / "manifest.json").read_text("utf-8"))
    assert manifest["counts"] == {"inputs": 4, "done": 4, "failed": 0, "skipped": 0, "pending": 0}
    assert manifest["inputs"]["novels"][0]["sha256"] == novel["sha256"]


def test_nothing_after_a_decision_is_in_a_later_prompt_nor_in_what_the_agent_is_asked(made, tmp_path):
    model = author()
    result = made(model=model)
    days = {}
    for item in result.built.items:
        days[item.item_id] = int(re.match(r"“On day (\d+)", novel_after(result, item)).group(1))

    def ahead(text, day):
        """Days after `day` of which a text tells, and the outcome of `day`."""
        told = [int(number) for number in re.findall(r"Day (\d+) began", text)]
        after = [int(number) for number in re.findall(r"AFTER (\d+)", text)]
        return [number for number in told if number > day] + [number for number in after if number >= day]

    later = [
        request.messages[0].text for request in model.requests if "Is there a decision" not in request.messages[0].text
    ]
    assert len(later) == 16
    for text in later:
        told = [int(number) for number in re.findall(r"Day (\d+) began", text)]
        if told:  # the passage ends on the day of the decision
            assert max(told) in days.values()
            assert not ahead(text, max(told))
    for name, day in days.items():
        seen = []

        def agent(request, seen=seen):
            seen.append("\n".join(message.text for message in request.messages))
            text = request.messages[-1].text
            if '"segments"' in text:
                return '{"segments": ["Mara"]}'
            return "Answer: A" if "<letter>" in text else "Mara stays."

        folder = tmp_path / name.replace("/", "-")
        build(folder, data=result.items, only=[name], methods=["hierarchical", "bm25", "incremental+bm25+charmap"])
        run(folder, ScriptedModel(agent, name="agent"))
        assert any("Day 1 began" in text for text in seen)
        assert not any(ahead(text, day) for text in seen)
        assert not any(f"On day {day} I shall" in text for text in seen)


def novel_after(result, item):
    return (Path(result.novels.chosen[0].path).read_text("utf-8"))[len(item.text) :]


def test_interrupted_at_every_call_it_ends_like_an_uninterrupted_one(made, tmp_path):
    whole = author()
    expected = files(made("whole", whole).out)
    assert whole.calls == 20
    for end in range(1, 21):
        with pytest.raises(KeyboardInterrupt):
            made(f"cut{end}", author(end=end))
        journals = (tmp_path / f"cut{end}" / "steps").glob("*.jsonl")
        stored = sum(len(path.read_text("utf-8").splitlines()) for path in journals)
        rest = author()
        assert files(made(f"cut{end}", rest).out) == expected
        assert rest.calls == 20 - stored
    nobody = author(end=1)
    assert files(made("whole", nobody).out) == expected
    assert nobody.calls == 0


def test_killed_it_goes_on(made, novels, tmp_path):
    log = tmp_path / "log"
    program = f"""
import asyncio, json, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_construct import WHERE, write
from mmrole.jobs.bench.lifechoice import construct
from mmrole.llm import ScriptedModel
async def answer(request):
    await asyncio.sleep(0.02)
    with open({str(log)!r}, "a") as file:
        file.write("call\\n")
    return json.dumps(write(request.messages[0].text))
model = ScriptedModel(answer, name="author")
model.concurrency = 1
construct({str(novels)!r}, model, out={str(tmp_path / "killed")!r}, where=WHERE, min_tokens=1000)
"""
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        while process.poll() is None and (not log.exists() or log.read_text("utf-8").count("\n") < 7):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    journals = (tmp_path / "killed" / "steps").glob("*.jsonl")
    stored = sum(path.read_bytes().count(b"\n") for path in journals)
    rest = author()
    assert files(made("killed", rest).out) == files(made("whole").out)
    assert 6 <= stored < 20
    assert rest.calls == 20 - stored


@pytest.mark.parametrize(
    ("step", "reply", "code"),
    [
        ("find", '{"found": false}', "rejected no_decision"),
        ("find", "I see none", "unparsed"),
        ("find", '{"found": true, "character": "Mara", "decision": "x", "quote": "She sang all the way home."}', "rejected quote_not"),
        ("question", '{"scenario": "She stays.", "question": "q?", "answer": "She stays."}', "rejected scenario_tells"),
        ("question", '{"scenario": "s"}', "unparsed"),
        ("distractors", '{"distractors": ["a", "b"]}', "unparsed"),
        ("distractors", '{"distractors": ["She stays!", "b", "c"]}', "rejected options_alike"),
        ("classify", '{"type": "Hunger"}', "rejected unknown_type"),
    ],
)  # fmt: skip
def test_a_broken_reply_is_logged_and_not_kept(made, step, reply, code):
    result = made(model=author(broken={step: reply}.items()))
    assert (result.out / "items.jsonl").read_bytes() == b""
    rejected = [json.loads(line) for line in (result.out / "rejected.jsonl").read_text("utf-8").splitlines()]
    assert len(rejected) == 4
    assert all(f"{each['status']} {each['reason'] or ''}".startswith(code) for each in rejected)
    assert {each["step"] for each in rejected} == {step}
    assert result.sheets == []
    assert "no item was finished" in result.notes[0]


def test_a_call_that_fails_is_tried_again(made):
    def shaky(request):
        text = request.messages[0].text
        if step_of(text) == "motivation":
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return json.dumps(write(text))

    result = made(model=ScriptedModel(shaky, name="author"))
    assert result.built.counts["failed"] == 4
    assert (result.out / "rejected.jsonl").read_text("utf-8").count('"status": "error"') == 4
    again = author()
    assert made(model=again).built.counts["items"] == 4
    assert again.calls == 8  # motivation and what comes after it


def test_a_dead_model_ends_it_and_nothing_is_written_over(made):
    result = made()
    before = files(result.out)
    with pytest.raises(ModelError, match="no host"):
        made(
            model=ScriptedModel(lambda _: ChatReply(error=ErrorKind.UNREACHABLE, detail="no host"), name="author"),
            where=Where(passages=3, passage_tokens=150, min_story=100),
        )
    assert files(result.out) == before


def test_sheets_are_blank_and_one_that_is_being_filled_in_is_left(made):
    result = made()
    first, second = result.sheets
    assert first.read_bytes() == second.read_bytes()
    assert first.read_text("utf-8-sig").startswith(
        ",".join(COLUMNS) + ",significance,evidence,alternatives,reason,remark"
    )
    with pytest.raises(InputError, match="significance: the cell is empty: fill it in"):
        read_sheet(first, ReviewRow)
    first.write_text("mine", "utf-8")
    again = made(seed=1)
    assert again.sheets == [second]
    assert first.read_text("utf-8") == "mine"
    assert "left as it is" in again.notes[0]


def test_another_author_and_a_second_run_are_refused(made, tmp_path):
    made()
    with pytest.raises(UsageError, match="holds the replies of the author author, not other"):
        made(model=ScriptedModel(lambda _: "", name="other"))
    with RunLock(tmp_path / "set"), pytest.raises(LockedError):
        made()


def test_what_it_would_take_is_told_without_asking(novels, tmp_path, made):
    given = {"out": tmp_path / "set", "where": WHERE, "min_tokens": 1000}
    model = author()
    found = estimate_construct(novels, model, **given)
    assert ({name: each.calls for name, each in found.items()}, model.calls) == ({"find": 4}, 0)
    assert not (tmp_path / "set").exists()
    made()
    found = estimate_construct(novels, model, **given)
    assert {name: (each.stored, each.calls) for name, each in found.items()} == dict.fromkeys(ASKED.values(), (4, 0))


def test_genres_are_those_of_the_title(made, tmp_path):
    path = tmp_path / "genres.json"
    path.write_text(json.dumps({"the light": ["romance", "Sea"], "Other": "Fantasy"}), "utf-8")
    assert {item.genres for item in made(genres=path).built.items} == {("Romance", "Sea")}
    path.write_text('{"The Light": 3}', "utf-8")
    with pytest.raises(InputError, match="The Light: give a genre"):
        made(genres=path)
    path.write_text('{"Emma": "Romance"}', "utf-8")
    with pytest.raises(InputError, match="none of its titles"):
        made(genres=path)
    path.write_text("[", "utf-8")
    with pytest.raises(InputError, match="cannot be read as JSON"):
        made(genres=path)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"min_tokens": 10**6, "max_tokens": 10**7}, InputError, "no novel is left"),
        ({"min_tokens": 9, "max_tokens": 1}, UsageError, "smaller"),
        ({"sheets": -1}, UsageError, "-1 sheets"),
        ({"temperature": 3.0}, UsageError, "temperature of 3.0"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anybody_is_asked(made, given, error, said):
    model = author()
    with pytest.raises(error, match=said):
        made(model=model, **given)
    assert model.calls == 0


def test_a_novel_without_a_passage_is_told(made):
    result = made(where=Where(passages=4, passage_tokens=200, min_story=10**6, max_story=10**7))
    assert result.built.counts["passages"] == 0
    assert any("The Light: no passage of it has" in note for note in result.notes)


def test_folders_of_other_work_are_kept(made, tmp_path):
    result = made()
    before = files(result.out)
    with pytest.raises(UsageError, match="is the folder of a construction"):
        build(result.out, data=result.items, methods=["roleless"])
    build(tmp_path / "run", data=result.items, methods=["roleless"])
    with pytest.raises(UsageError, match=r"is the folder of a run \(plan\.json is in it\)"):
        made("run")
    assert files(result.out) == before
