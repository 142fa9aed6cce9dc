from mmrole.core.prompts import Prompt
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel, batch_journal
from mmrole.llm.stage import Asking
from textbench.lifechoice.rounds import (
    PENDING,
    EstimatingCaller,
    JournalCaller,
    StoredCaller,
    call_of,
    in_rounds,
    total_of,
)

PROMPT = Prompt(name="p", text="$x", sha256="0")


def call(text):
    return call_of("kind", text, PROMPT)


def counting(first, steps):
    """Asks about a number, then about what came back, and so on."""
    said = first
    for _ in range(steps):
        [asked] = [call(said)]
        said = (yield [asked])[asked.item_id].value
        if said is None:
            return "nothing"
    return said


def add(request):
    return f"{request.messages[-1].text}+"


def test_jobs_go_side_by_side_and_ask_the_same_once(tmp_path):
    model = ScriptedModel(add)
    with batch_journal(tmp_path / "j") as journal:
        caller = JournalCaller(Asking(model=model), journal)
        found = in_rounds({"a": counting("1", 2), "b": counting("1", 3), "c": counting("2", 0)}, caller)
        result = caller.result()
    assert found == {"a": "1++", "b": "1+++", "c": "2"}
    assert (model.calls, result.total, result.done) == (3, 3, 3)


def test_what_is_stored_is_not_asked(tmp_path):
    for calls in (2, 0):
        model = ScriptedModel(add)
        with batch_journal(tmp_path / "j") as journal:
            caller = JournalCaller(Asking(model=model), journal)
            assert in_rounds({"a": counting("1", 2)}, caller) == {"a": "1++"}
            assert caller.result().reused == 2 - calls
        assert model.calls == calls
    stored = StoredCaller(tmp_path / "j")
    assert stored.answers([call("1")])[call("1").item_id].value == "1+"
    assert stored.answers([call("9")])[call("9").item_id].status == PENDING
    assert StoredCaller(tmp_path / "none").answers([call("1")])[call("1").item_id].again
    assert not (tmp_path / "none").exists()


def test_errors_are_for_the_next_run(tmp_path):
    model = ScriptedModel(lambda _: ChatReply(error=ErrorKind.SERVER_ERROR, detail="down"))
    with batch_journal(tmp_path / "j") as journal:
        caller = JournalCaller(Asking(model=model), journal)
        [answer] = caller.answers([call("1")]).values()
        assert (answer.again, answer.value) == (True, None)
        assert caller.result().failures == [{"item": call("1").item_id, "round": 0, "reason": "server_error: down"}]
    with batch_journal(tmp_path / "j") as journal:
        [answer] = JournalCaller(Asking(model=ScriptedModel(add)), journal).answers([call("1")]).values()
    assert answer.value == "1+"


def test_an_estimate_asks_nothing_and_knows_what_is_stored(tmp_path):
    model = ScriptedModel(add)
    with batch_journal(tmp_path / "j") as journal:
        in_rounds({"a": counting("1", 1)}, JournalCaller(Asking(model=model), journal))
    caller = EstimatingCaller(Asking(model=model), tmp_path / "j", lambda asked: "stand-in")
    assert in_rounds({"a": counting("1", 3)}, caller) == {"a": "stand-in"}
    found = total_of(caller.estimates)
    assert (found.total, found.stored, found.calls, model.calls) == (3, 1, 2, 1)
    assert total_of([]).calls == 0
