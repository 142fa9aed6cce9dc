import json

import pytest

from mmrole.core.errors import ModelError, QuotaError, StoreError, UsageError
from mmrole.jobs.bench.incharacter import estimate_run, run
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel, batch_journal


def test_every_question_is_asked_once_in_each_run(built, agent):
    folder, who = built(methods=("SR", "OC")), agent()
    assert estimate_run(folder, who.model).calls == 48
    seen = []
    result = run(folder, who.model, on_progress=lambda p: seen.append(p.finished))
    assert result.counts == {"inputs": 48, "done": 48, "failed": 0, "skipped": 0, "pending": 0, "reused": 0}
    assert set(who.answered.values()) == {1}
    assert seen[-1] == 48
    again = agent()
    assert run(folder, again.model).reused == 48
    assert not again.answered
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (manifest["command"], manifest["agent"]["model"]) == ("bench incharacter run", "agent")
    assert manifest["settings"]["characters"] == ["ann", "wang"]


def test_interrupted_at_any_call_no_finished_call_is_asked_again(built, agent):
    for end in range(24):
        folder, who = built(f"run {end}"), agent(end=end)
        with pytest.raises(KeyboardInterrupt):
            run(folder, who.model)
        result = run(folder, who.model)
        assert (result.done, result.reused, len(who.answered)) == (24, end, 24)
        assert set(who.answered.values()) == {1}


def test_what_failed_is_asked_again(built, agent):
    folder, who = built(), agent()

    def shaky(request):
        if "Question 2" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return who.answer(request)

    result = run(folder, ScriptedModel(shaky, name="agent"))
    assert (result.done, result.failed) == (22, 2)
    assert {failure["item"] for failure in result.failures} == {"ann/Tiny/interview/2"}
    assert run(folder, who.model).counts["reused"] == 22
    assert set(who.answered.values()) == {1}


def test_an_agent_that_cannot_answer_ends_the_run_and_leaves_what_is_done(built, agent):
    folder, who = built(), agent()
    model = ScriptedModel(
        lambda r: QuotaError("nothing left") if who.answered.total() == 5 else who.answer(r), name="agent"
    )
    with pytest.raises(ModelError, match="nothing left"):
        run(folder, model)
    with batch_journal(folder / "answers.jsonl") as journal:
        assert len(journal) == 5
    assert "nothing left" in json.loads((folder / "manifest.json").read_text("utf-8"))["stopped"]


def test_one_folder_is_one_agent(built, agent):
    folder = built()
    run(folder, agent().model)
    for job in (run, estimate_run):
        with pytest.raises(UsageError, match="holds the replies of the agent agent, not other: choose another folder"):
            job(folder, ScriptedModel(lambda _: "a", name="other"))


def test_a_folder_that_was_not_built(tmp_path, agent):
    with pytest.raises(StoreError, match=r"plan.json is missing: make it with mmrole bench incharacter build"):
        run(tmp_path / "nothing", agent().model)
    assert not (tmp_path / "nothing").exists()
