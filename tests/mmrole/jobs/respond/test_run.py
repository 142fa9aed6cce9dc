import json
import signal
import subprocess
import sys

import pytest

import mmrole
from emotion.response_records import read_responses
from mmrole.core.errors import InputError, LockedError, ModelError, QuotaError, UsageError
from mmrole.core.lock import RunLock
from mmrole.jobs.respond import Setup, estimate_with, respond_with
from mmrole.llm import ChatReply, ErrorKind, Price, Prices, ScriptedModel, Usage
from mmrole.llm.estimate import estimate_tokens


def manifest(out):
    return json.loads((out / "manifest.json").read_text("utf-8"))


def test_every_turn_is_played_once(world, agent):
    who = agent()
    result = mmrole.respond(world.dialogues, who.model, out=world.out, condition="none")
    assert result.counts == {"inputs": 7, "done": 7, "failed": 0, "skipped": 0, "pending": 0, "reused": 0}
    assert result.left_out == {"no_predecessor": 2}
    found = read_responses(world.out / "responses.jsonl")
    assert [(r.utterance_id, r.condition, r.agent, r.status) for r in found] == [
        (name, "none", "agent", "ok") for name in world.targets
    ]
    assert set(who.asked.values()) == {1}
    again = agent()
    assert mmrole.respond(world.dialogues, again.model, out=world.out, condition="none").counts["reused"] == 7
    assert not again.asked
    told = manifest(world.out)
    assert told["command"] == "respond"
    # MERRY: temperature 0.7, top-p 0.95
    assert told["settings"]["parameters"] == {"temperature": 0.7, "top_p": 0.95}
    assert told["agent"] == {"name": "agent", "kind": "scripted", "model": "agent"}
    assert told["settings"]["language"] == "en"
    assert set(told["files"]) == {"replies.jsonl", "responses.jsonl"}


@pytest.mark.parametrize("rollout", [False, True])
def test_interrupted_at_any_call_nothing_is_asked_again_and_the_files_are_equal(world, agent, rollout):
    setup = Setup(dialogues=world.dialogues, condition="none", rollout=rollout)
    odd = {"Ten.": "no", "Nine.": lambda messages: "no" if messages == 2 else '{"utterances": [{"text": "Repaired."}]}'}
    respond_with(setup, agent(odd=odd).model, out=world.out)
    whole = (world.out / "responses.jsonl").read_bytes()
    assert b"Repaired." in whole
    for end in range(8):  # 7 turns, one of them asked twice
        out, who = world.folder / f"out {end}", agent(end=end, odd=odd)
        with pytest.raises(KeyboardInterrupt):
            respond_with(setup, who.model, out=out)
        assert not (out / "responses.jsonl").exists()
        assert not (out / "manifest.json").exists()
        result = respond_with(setup, who.model, out=out)
        assert (result.counts["done"], set(who.asked.values())) == (7, {1})
        assert (out / "responses.jsonl").read_bytes() == whole


KILLED = """
import asyncio, json, os, signal, sys
import mmrole
from mmrole.llm import ScriptedModel
dialogues, out, log, end = sys.argv[1:]
async def answer(request):
    if len(open(log).readlines()) == int(end):
        os.kill(os.getpid(), signal.SIGKILL)
    with open(log, "a") as file:
        file.write(json.dumps(request.messages[1].text) + "\\n")
    await asyncio.sleep(0.02)
    return json.dumps({"utterances": [{"text": request.messages[1].text[-70:-50]}]})
model = ScriptedModel(answer, name="agent")
model.concurrency = 1
mmrole.respond(dialogues, model, out=out, condition="none", rollout=True)
"""


@pytest.mark.parametrize("end", [1, 3, 5])
def test_killed_it_goes_on(world, end):
    log = world.folder / "log"
    log.touch()

    def run(out, end):
        before = len(log.read_text().splitlines())
        done = subprocess.run(
            [sys.executable, "-c", KILLED, world.dialogues, world.folder / out, log, str(end)], check=False
        )
        return done.returncode, log.read_text().splitlines()[before:]

    code, killed = run("killed", end)
    assert (code, len(killed)) == (-signal.SIGKILL, end)
    assert not (world.folder / "killed/responses.jsonl").exists()
    stored = len((world.folder / "killed/replies.jsonl").read_text("utf-8").splitlines())
    assert stored >= end - 1
    code, asked = run("killed", -1)
    assert (code, len(asked)) == (0, 7 - stored)
    assert run("whole", -1)[0] == 0
    whole, again = (world.folder / name / "responses.jsonl" for name in ("whole", "killed"))
    assert again.read_bytes() == whole.read_bytes()


def test_what_is_missing_is_not_played_and_told(world, agent):
    who = agent()
    result = mmrole.respond(
        world.dialogues, who.model, out=world.out, condition="all", roles=world.roles, previous=world.previous
    )
    assert result.counts == {"inputs": 7, "done": 6, "failed": 0, "skipped": 1, "pending": 0, "reused": 0}
    assert result.not_played == {"no_profile": 1}
    found = {r.utterance_id: r for r in read_responses(world.out / "responses.jsonl")}
    assert (found["d2_1"].status, found["d2_1"].reason) == ("no_profile", "the profile of 'Cleo' is empty")
    assert manifest(world.out)["skipped"] == [{"reason": "no_profile", "role": "Cleo", "show": None, "turns": 1}]
    assert len(who.asked) == 6
    said = {text for text, _ in who.asked}
    assert sum("This is Ann" in text for text in said) == 0  # pictures are for a history with pictures


def test_all_that_comes_of_replies_is_seen(world, agent):
    odd = {
        "Ten.": '{"utterances": []}',
        "Nine.": "I'm sorry, but I can't play this role.",
        "Six.": ChatReply(text='{"utterances": [', finish_reason="length"),
        "Five.": lambda messages: "smiles" if messages == 2 else '{"utterances": [{"text": "Repaired."}]}',
        "Four.": ChatReply(error=ErrorKind.SERVER_ERROR, detail="down"),
    }
    result = mmrole.respond(world.dialogues, agent(odd=odd).model, out=world.out, condition="none")
    found = {r.utterance_id: r for r in read_responses(world.out / "responses.jsonl")}
    # the history grows: the first odd word that is in it decides
    assert {name: r.status for name, r in found.items()} == {
        "d1_1": "ok", "d1_3": "ok", "d1_4": "error", "d1_5": "ok", "d1_6": "truncated", "d2_1": "ok", "d2_2": "refusal",
    }  # fmt: skip
    assert found["d1_5"].utterances[0].text == "Repaired."
    assert (found["d1_4"].utterances, found["d1_4"].reason) == (None, "server_error: down")
    assert (result.counts["done"], result.counts["failed"]) == (6, 1)
    assert [failure["item"] for failure in result.stage.failures] == ["d1_4"]
    better = agent()
    assert mmrole.respond(world.dialogues, better.model, out=world.out, condition="none").counts["failed"] == 0
    assert len(better.asked) == 1


def test_an_answer_without_utterance_is_asked_for_once_more_and_then_none(world, agent):
    who = agent(odd={"Eight.": '{"utterances": []}'})
    mmrole.respond(world.dialogues, who.model, out=world.out, condition="none", role="Cleo")
    [found] = read_responses(world.out / "responses.jsonl")
    assert (found.utterances, found.status) == (None, "unparsed")
    assert found.reason == "utterances: List should have at least 1 item after validation, not 0"
    assert who.asked.total() == 2


def test_rollout_has_own_answers_in_its_history(world, agent):
    who = agent()
    mmrole.respond(world.dialogues, who.model, out=world.out, condition="none", rollout=True)
    said = {text.split("\n\n")[1] for text, _ in who.asked}
    # by hand: header, blank, lines, blank, last line -> 4 breaks and one more per line
    assert (
        "Ann: One.\nBo: After 4 lines. [facial expression: smiles; body movement: nods; speech: slow]\nAnn: Four."
        in said
    )
    assert "Ann: One.\nBo: Two.\nBo: Three." in said
    # the last turn of d1: Ann's lines are the ground truth, all of Bo's are Bo's own
    [last] = [text for text in said if text.endswith("Ann: Six.")]
    assert [line.split(" [")[0] for line in last.splitlines()] == [
        "Ann: One.", "Bo: After 4 lines.", "Ann: Four.", "Bo: After 6 lines.", "Ann: Six.",
    ]  # fmt: skip


def test_without_an_own_answer_the_turns_after_it_are_not_played(world, agent):
    who = agent(odd={"One.\n\n": "no"})
    result = mmrole.respond(world.dialogues, who.model, out=world.out, condition="none", rollout=True)
    found = {r.utterance_id: r for r in read_responses(world.out / "responses.jsonl")}
    assert [name for name, r in found.items() if r.status == "no_own_answer"] == ["d1_4", "d1_6"]
    assert found["d1_4"].reason == "there is no answer to the same role's turn 'd1_1' before it (unparsed)"
    assert result.counts == {"inputs": 7, "done": 5, "failed": 0, "skipped": 2, "pending": 0, "reused": 0}


def test_another_agent_or_condition_is_refused(world, agent):
    mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none")
    before = (world.out / "responses.jsonl").read_bytes()
    with pytest.raises(UsageError, match="holds responses with condition none, not prev: choose another folder"):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="prev", previous=world.previous)
    with pytest.raises(UsageError, match="holds responses with history all, not 2"):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none", history=2)
    with pytest.raises(UsageError, match="holds the replies of the agent agent, not other"):
        mmrole.respond(world.dialogues, ScriptedModel([], name="other"), out=world.out, condition="none")
    other = world.out.parent / "other.jsonl"
    other.write_text(world.dialogues.read_text("utf-8").replace('"d1_', '"x1_').replace('"d2_', '"x2_'), "utf-8")
    with pytest.raises(UsageError, match="holds responses of other utterances, such as 'd1_1', which these dialogues"):
        mmrole.respond(other, agent().model, out=world.out, condition="none")
    assert (world.out / "responses.jsonl").read_bytes() == before


def test_only_what_is_asked_otherwise_is_asked_again(world, agent):
    told = {"condition": "prof", "roles": world.roles}
    mmrole.respond(world.dialogues, agent().model, out=world.out, **told)
    world.roles.write_text(world.roles.read_text("utf-8").replace("Brave.", "Brave and loud."), "utf-8")
    who = agent()
    assert mmrole.respond(world.dialogues, who.model, out=world.out, **told).counts["reused"] == 4  # Bo's
    assert len(who.asked) == 2  # Ann's


def test_an_agent_that_cannot_answer_ends_the_run(world, agent):
    who = agent()
    model = ScriptedModel(
        lambda r: QuotaError("nothing left") if who.asked.total() == 3 else who.answer(r), name="agent"
    )
    with pytest.raises(ModelError, match="nothing left"):
        mmrole.respond(world.dialogues, model, out=world.out, condition="none")
    assert not (world.out / "responses.jsonl").exists()
    assert "nothing left" in manifest(world.out)["stopped"]
    assert manifest(world.out)["counts"] == {
        "inputs": 7,
        "done": 3,
        "failed": 4,
        "skipped": 0,
        "pending": 4,
        "reused": 0,
    }
    assert mmrole.respond(world.dialogues, who.model, out=world.out, condition="none").counts["reused"] == 3
    assert set(who.asked.values()) == {1}


@pytest.mark.parametrize("rollout", [False, True])
def test_the_limit_on_cost_holds_over_all_waves(world, agent, rollout):
    prices = Prices(models={"agent": Price(input_per_million=1_000_000, output_per_million=0)})
    who = agent()

    def answer(request):
        tokens = Usage(prompt_tokens=estimate_tokens(request))
        return ChatReply(text=who.answer(request), finish_reason="stop", usage=tokens, spent=tokens)

    def play(out, limit):
        return mmrole.respond(
            world.dialogues, ScriptedModel(answer, name="agent"), out=world.folder / out, condition="none", rollout=rollout,
            prices=prices, max_cost=limit,
        )  # fmt: skip

    whole = play("rich", None).stage.spent.cost
    poor = play("poor", whole * 5.5 / 7)  # the first of three waves has four turns, the second one two
    assert poor.stage.stopped.kind == "max_cost"
    assert poor.counts["done"] in (4, 5)
    assert poor.stage.spent.cost <= whole * 5.5 / 7
    assert poor.counts["pending"] == 7 - poor.counts["done"]
    assert poor.responses is None
    rest = play("poor", whole)
    assert (rest.counts["done"], rest.counts["reused"]) == (7, poor.counts["done"])
    assert rest.responses.read_bytes() == (world.folder / "rich/responses.jsonl").read_bytes()


def test_estimate_asks_nothing_and_writes_nothing(world, agent):
    setup = Setup(dialogues=world.dialogues, condition="none")
    who = agent()
    assert estimate_with(setup, who.model, out=world.out).calls == 7
    assert not world.out.exists()
    respond_with(setup, who.model, out=world.out)
    after = estimate_with(setup, who.model, out=world.out)
    assert (after.total, after.stored, after.calls) == (7, 7, 0)
    with pytest.raises(UsageError, match="another folder"):
        estimate_with(Setup(dialogues=world.dialogues, condition="none", rollout=True), who.model, out=world.out)


def test_progress_counts_all_waves(world, agent):
    seen = []
    mmrole.respond(
        world.dialogues,
        agent().model,
        out=world.out,
        condition="none",
        rollout=True,
        on_progress=lambda p: seen.append(p),
    )
    assert {p.total for p in seen} == {7}
    assert seen[-1].finished == 7
    assert [p.finished for p in seen] == sorted(p.finished for p in seen)


def test_two_runs_on_one_folder_are_refused(world, agent):
    with RunLock(world.out), pytest.raises(LockedError, match="in use by another run"):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none")


def test_a_folder_with_other_results_is_refused(world, agent):
    world.out.mkdir()
    (world.out / "manifest.json").write_text('{"command": "score"}')
    with pytest.raises(UsageError, match="holds the results of mmrole score"):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none")


def test_nothing_to_play_is_an_error_before_any_folder_is_made(world, agent):
    roles = world.folder / "strangers.jsonl"
    roles.write_text('{"name": "Zoe", "profile": {"experiences": "None."}}\n')
    with pytest.raises(
        InputError, match=r"not one of 7 turns can be played: no_profile 7 \(.*strangers\.jsonl\); the first: the roles"
    ):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="prof", roles=roles)
    assert not world.out.exists()


def test_parts_that_are_left_out_are_counted(world, agent):
    odd = {"Eight.": '{"utterances": [{"text": "Yes.", "face": "smiles"}, {"text": "No.", "speech": ""}]}'}
    result = mmrole.respond(world.dialogues, agent(odd=odd).model, out=world.out, condition="none", role=["Cleo", "Bo"])
    # by hand: d1_1, d1_4, d1_6 with one whole utterance each; d2_1 and d2_2 with these two
    assert result.utterances == {"utterances": 7, "without_face": 2, "without_body": 4, "without_speech": 4}
    assert manifest(world.out)["utterances"] == result.utterances
    found = {r.utterance_id: r for r in read_responses(world.out / "responses.jsonl")}
    assert found["d2_1"].utterances[1].speech is None


def test_a_limit_that_cannot_be_held_touches_nothing(world, agent):
    mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none")
    with pytest.raises(UsageError, match="a cost limit needs the price of 'agent'"):
        mmrole.respond(world.dialogues, agent().model, out=world.out, condition="none", max_cost=1.0)
    assert (world.out / "responses.jsonl").exists()
    assert (world.out / "manifest.json").exists()
