import json

import pytest

from mmrole.llm import ScriptedModel
from mmrole.llm.stage import Asking
from textbench.rolecde.construction import STEPS, Seed, construct


def test_every_seed_becomes_a_persona_in_five_calls(tmp_path, seeds, asking_of):
    asking = asking_of()
    made = construct(seeds, asking, tmp_path)
    assert asking.model.calls == len(seeds) * len(STEPS)
    assert made.counts == {"seeds": 4, "personas": 4, "rejected": 0, "failed": 0, "pending": 0}
    persona = made.personas[0]
    assert (persona.persona_id, persona.category, persona.personal_value) == ("0", "C3", "Honour contracts.")
    assert persona.profile.startswith("1. Role name:\nFerry Captain\n\n2. Brief description:")
    assert "3. Abilities and skills:\n- steers\n- swims" in persona.profile
    for dilemma in persona.dilemmas.values():
        assert dilemma.options[dilemma.role_option] == "Those who paid."


def test_the_letter_of_the_role_is_by_chance_and_kept(tmp_path, asking_of):
    seeds = [Seed(seed_id=str(number), text="x", language="en") for number in range(60)]
    made = construct(seeds, asking_of(), tmp_path)
    letters = [dilemma.role_option for persona in made.personas for dilemma in persona.dilemmas.values()]
    # a fair coin of 180 throws: 90 +- 4 standard deviations of 6.7
    assert 63 < letters.count("A") < 117
    assert construct(seeds, asking_of(), tmp_path).personas == made.personas
    assert construct(seeds, asking_of(), tmp_path, seed=1).personas != made.personas


ONE = {"description": "d", "alignment_option": "a", "role_option": "r"}


@pytest.mark.parametrize(
    ("step", "reply"),
    [
        ("profile", {"role_name": "x", "description": "x", "abilities": ""}),
        ("scenario", "I would rather not say."),
        ("scenario", {"scenario": "  "}),
        ("values", {"alignment_values": ["one", "two"], "personal_value": "three"}),
        ("values", {"alignment_values": ["one", "two", "Two "], "personal_value": "three"}),
        ("dilemmas", {"easy": ONE, "mid": ONE}),
        ("dilemmas", {"easy": ONE, "mid": ONE, "hard": ONE}),
        ("dilemmas", {level: {**ONE, "description": level, "role_option": "A"} for level in ("easy", "mid", "hard")}),
        ("category", {"category": "C9"}),
    ],
)
def test_a_reply_that_does_not_fit_is_repaired_once_and_then_rejected_with_its_step(
    tmp_path, seeds, author, step_of, step, reply
):
    reply = reply if isinstance(reply, str) else json.dumps(reply)
    model = author({step: reply}.items())
    made = construct(seeds, Asking(model=model), tmp_path)
    assert made.personas == ()
    assert made.counts["rejected"] == 4
    assert {(one["draft"], one["step"]) for one in made.rejected} == {(str(n), step) for n in range(4)}
    assert all(one["status"] in ("unparsed", "refusal") and one["reason"] for one in made.rejected)
    before = STEPS.index(step)
    asked = [step_of(request) for request in model.requests]
    assert asked.count(step) in (4, 8)  # a refusal is not repaired
    assert len(asked) == 4 * before + asked.count(step)
    again = author({step: reply}.items())
    construct(seeds, Asking(model=again), tmp_path)
    assert again.calls == 0


def test_interrupted_at_any_call_it_goes_on_without_repeating_one(tmp_path, seeds, author, given, step_of):
    whole = construct(seeds, Asking(model=author()), tmp_path / "whole")
    # one at a time, so that the number of calls before the interruption is known
    for stop_at in range(1, len(seeds) * len(STEPS) + 1):
        folder = tmp_path / str(stop_at)
        calls = 0

        def until(request, stop_at=stop_at):
            nonlocal calls
            calls += 1
            if calls == stop_at:
                raise KeyboardInterrupt
            return json.dumps(given[step_of(request)])

        with pytest.raises(KeyboardInterrupt):
            construct(seeds, Asking(model=ScriptedModel(until)), folder)
        stored = sum(len(path.read_text().splitlines()) for path in folder.glob("*.jsonl"))
        rest = author()
        made = construct(seeds, Asking(model=rest), folder)
        assert (made.personas, made.rejected, made.counts) == (whole.personas, whole.rejected, whole.counts)
        assert rest.calls == len(seeds) * len(STEPS) - stored


def test_a_call_that_failed_is_asked_again_and_costs_its_seed_only(tmp_path, seeds, given, step_of):
    failing = {"1"}

    def answer(request):
        step = step_of(request)
        if step == "profile" and any(f"Captain number {name}" in request.messages[0].text for name in failing):
            return TimeoutError("no reply")
        return json.dumps(given[step])

    made = construct(seeds, Asking(model=ScriptedModel(answer)), tmp_path)
    assert made.counts == {"seeds": 4, "personas": 3, "rejected": 0, "failed": 1, "pending": 0}
    assert made.steps.failed[0]["draft"] == "1"
    failing.clear()
    assert construct(seeds, Asking(model=ScriptedModel(answer)), tmp_path).counts["personas"] == 4


def test_chinese_seeds_are_asked_in_chinese(tmp_path):
    model = ScriptedModel(lambda request: "不知道")
    construct([Seed(seed_id="甲", text="渡船船长", language="zh")], Asking(model=model), tmp_path)
    assert "请在七个标题下" in model.requests[0].messages[0].text
