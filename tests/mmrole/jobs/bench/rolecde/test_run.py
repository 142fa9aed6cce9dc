import json

import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.rolecde import estimate_run, run
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel


def answers(folder):
    lines = (folder / "answers.jsonl").read_text("utf-8").splitlines()
    return sorted(lines, key=lambda line: json.loads(line)["key"])


def test_every_dilemma_in_both_orders_and_runs(built, script):
    folder, agent = built(runs=2), script.agent()
    assert estimate_run(folder, agent.model).calls == 36
    result = run(folder, agent.model)
    assert (result.total, result.done, agent.answered.total()) == (36, 36, 36)
    assert run(folder, agent.model).reused == 36
    record = json.loads(answers(folder)[0])
    assert (record["persona"], record["level"], record["order"]) == ("ann", "easy", "AB")
    assert set(record["prompts"]) == {"rolecde/decide-system.en", "rolecde/decide.en"}


def test_interrupted_at_any_call_no_finished_call_is_asked_again(built, script):
    folder, whole = built("whole"), script.agent()
    run(folder, whole.model)
    for end in range(18):
        agent, cut = script.agent(end=end), built(f"cut{end}")
        with pytest.raises(KeyboardInterrupt):
            run(cut, agent.model)
        run(cut, agent.model)
        assert agent.answered == whole.answered
        assert answers(cut) == answers(folder)


def test_a_failed_call_is_asked_again(built, script):
    folder, agent = built(), script.agent()

    def shaky(request):
        if "Decision mid of rev" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return agent.answer(request)

    assert run(folder, ScriptedModel(shaky, name="agent")).failed == 2
    assert run(folder, agent.model).failed == 0
    assert set(agent.answered.values()) == {1}


def test_another_agent_or_no_folder(built, script, tmp_path):
    folder = built()
    run(folder, script.agent().model)
    with pytest.raises(UsageError, match="holds the replies of the agent agent, not other"):
        run(folder, ScriptedModel(["A"], name="other"))
    with pytest.raises(StoreError, match=r"plan\.json is missing: make it with mmrole bench rolecde build"):
        run(tmp_path / "nothing", script.agent().model)


def test_personas_that_were_changed_after_the_build(built, script):
    folder = built()
    path = folder / "personas.jsonl"
    path.write_bytes(path.read_bytes().replace(b"sailor", b"tailor"))
    with pytest.raises(StoreError, match="is not the file that the plan was made with"):
        run(folder, script.agent().model)
    path.unlink()
    with pytest.raises(StoreError, match=r"personas\.jsonl is missing"):
        run(folder, script.agent().model)
