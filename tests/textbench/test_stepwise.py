import json
from dataclasses import dataclass, replace

import pytest
from pydantic import BaseModel

from mmrole.llm import BatchItem, ChatRequest, ScriptedModel, user
from mmrole.llm.cost import Price, Prices
from mmrole.llm.stage import Asking
from textbench.stepwise import RejectedError, Step, estimate_steps, run_steps


class Number(BaseModel):
    number: int


@dataclass(frozen=True, kw_only=True)
class Sum:
    draft_id: str
    total: int = 0


def ask(step):
    return lambda draft: BatchItem(
        item_id=draft.draft_id, request=ChatRequest(messages=(user(f"{step} {draft.draft_id} {draft.total}"),))
    )


def add(draft, value):
    if value["number"] < 0:
        raise RejectedError("negative", str(value["number"]))
    return replace(draft, total=draft.total + value["number"])


STEPS = [Step(name=name, schema=Number, ask=ask(name), take=add) for name in ("one", "two")]
DRAFTS = [Sum(draft_id=name) for name in "abcd"]


def replies(**broken):
    """Says 1 in each step; `broken` names step and draft, such as one_b."""

    def answer(request):
        step, draft, _ = request.messages[0].text.split()
        said = broken.get(f"{step}_{draft}", 1)
        return said if isinstance(said, str | Exception) else json.dumps({"number": said})

    return ScriptedModel(answer)


def test_drafts_grow_from_step_to_step(tmp_path):
    model = replies()
    made = run_steps(DRAFTS, STEPS, Asking(model=model), tmp_path)
    assert [draft.total for draft in made.finished] == [2, 2, 2, 2]
    assert "two a 1" in [request.messages[0].text for request in model.requests]
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == ["1-one.jsonl", "2-two.jsonl"]
    assert (made.stage.total, made.stage.done, made.stage.reused) == (8, 8, 0)


def test_every_draft_is_in_one_place(tmp_path):
    made = run_steps(DRAFTS, STEPS, Asking(model=replies(one_a="hm", one_b=-3, two_c=TimeoutError("gone"))), tmp_path)
    assert made.counts == {"drafts": 4, "finished": 1, "rejected": 2, "failed": 1, "pending": 0}
    assert [(one["draft"], one["step"], one["status"]) for one in made.rejected] == [
        ("a", "one", "unparsed"),
        ("b", "one", "rejected"),
    ]
    assert made.rejected[1]["reason"] == "negative: -3"
    assert made.report["steps"] == {
        "one": {"asked": 4, "ok": 2, "rejected": 1, "unparsed": 1},
        "two": {"asked": 2, "error": 1, "ok": 1},
    }


def test_what_ended_early_is_pending_and_the_next_run_goes_on(tmp_path):
    prices = Prices(currency="USD", models={"scripted": Price(input_per_million=1e6, output_per_million=1e6)})
    model = replies()
    first = run_steps(DRAFTS, STEPS, Asking(model=model, prices=prices, max_cost=0.0), tmp_path)
    assert first.counts["pending"] == 4
    assert model.calls == 0
    assert len(run_steps(DRAFTS, STEPS, Asking(model=replies()), tmp_path).finished) == 4


def test_what_is_left_of_each_step_can_be_estimated(tmp_path):
    model = replies()
    found = estimate_steps(DRAFTS, STEPS, Asking(model=model), tmp_path / "new")
    assert {name: each.calls for name, each in found.items()} == {"one": 4}
    assert model.calls == 0
    assert not list(tmp_path.iterdir())
    run_steps(DRAFTS, STEPS, Asking(model=replies(one_a="hm", two_c=TimeoutError("gone"))), tmp_path)
    found = estimate_steps(DRAFTS, STEPS, Asking(model=replies()), tmp_path)
    # a is rejected, b and d are finished, the second call of c has failed
    assert {name: (each.total, each.calls) for name, each in found.items()} == {"one": (4, 0), "two": (3, 1)}


def test_after_an_early_end_no_reply_to_an_earlier_draft_is_taken(tmp_path):
    run_steps(DRAFTS, STEPS, Asking(model=replies()), tmp_path)
    prices = Prices(currency="USD", models={"scripted": Price(input_per_million=1e6, output_per_million=1e6)})
    changed = [Sum(draft_id=name, total=5) for name in "abcd"]
    made = run_steps(changed, STEPS, Asking(model=replies(), prices=prices, max_cost=0.0), tmp_path)
    assert made.counts["pending"] == 4
    assert [draft.total for draft in run_steps(changed, STEPS, Asking(model=replies()), tmp_path).finished] == [7] * 4


def test_a_rejection_says_why():
    assert str(RejectedError("code")) == "code"
    with pytest.raises(RejectedError, match="code: detail"):
        raise RejectedError("code", "detail")
