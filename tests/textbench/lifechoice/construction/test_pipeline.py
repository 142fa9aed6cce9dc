import json
import re
from dataclasses import replace

import pytest

from mmrole.core.errors import UsageError
from mmrole.llm import ScriptedModel
from mmrole.llm.stage import Asking
from textbench.lifechoice.construction import Where, build_items
from textbench.lifechoice.items import read_items

WHERE = Where(passages=5, passage_tokens=200, min_story=100)


def built(novel, model, folder, **options):
    return build_items([novel], Asking(model=model), folder, where=WHERE, **options)


def test_the_story_is_a_verbatim_beginning_that_stops_before_the_decision(tmp_path, novel, author):
    made = built(novel, author(), tmp_path)
    assert made.counts == {"passages": 5, "items": 5, "rejected": 0, "failed": 0, "pending": 0}
    for item in made.items:
        assert novel.text.startswith(item.text)
        # what comes next in the novel is the decision itself
        assert re.match(r"“On day \d+ I shall stay", novel.text[len(item.text) :])
        assert item.options[item.correct] == "She stays."
        assert item.motivation.full == "[Values and Beliefs] The light is her duty."


def test_nothing_after_the_decision_is_in_any_prompt_but_the_one_that_looks_for_it(tmp_path, novel, author):
    model = author()
    made = built(novel, model, tmp_path)
    seen = set()
    for request in model.requests:
        text = request.messages[0].text
        if "Is there a decision" in text:
            continue
        days = re.findall(r"Day (\d+) began", text)
        seen.add(len(days) > 0)
        for day in days[-1:]:  # the day of the decision; what was decided on earlier days is told
            assert f"AFTER {day}" not in text
            # the other options are written without the decision itself before the eyes
            assert (f"On day {day} I shall stay" in text) == ("Write three other options" not in text)
    assert seen == {True, False}
    days = {item.item_id: re.match(r"“On day (\d+)", novel.text[len(item.text) :]).group(1) for item in made.items}
    for item in made.items:
        for text in (item.text, item.scenario, item.question, *item.options):
            assert f"AFTER {days[item.item_id]}" not in text
            assert f"On day {days[item.item_id]} I" not in text


def test_items_can_be_read_again(tmp_path, novel, author):
    made = built(novel, author(), tmp_path / "steps")
    (tmp_path / "items.jsonl").write_text("".join(f"{json.dumps(item.to_record())}\n" for item in made.items))
    assert read_items(tmp_path / "items.jsonl").items == made.items


def test_the_right_letter_is_by_chance_and_kept(tmp_path, novel, author):
    places = [
        item.correct for seed in range(12) for item in built(novel, author(), tmp_path, seed=seed).items
    ]  # 60 draws of four: each is missing with a chance of .75 ** 60 = 3e-8
    assert set(places) == {0, 1, 2, 3}
    assert built(novel, author(), tmp_path).items == built(novel, author(), tmp_path).items


@pytest.mark.parametrize(
    ("step", "reply", "reason"),
    [
        ("find", {"found": False}, "no_decision"),
        ("find", {"found": True, "character": "Mara", "decision": "x", "quote": "She said no such thing at all, ever."},
         "quote_not_found"),
        ("find", {"found": True, "character": "Mara", "decision": "x", "quote": "Mara heard"}, "quote_too_short"),
        ("find", {"found": True, "character": "Mara", "decision": "x", "quote": "and the tide would not wait."},
         "quote_ambiguous"),
        ("question", {"scenario": "She stays, that is clear.", "question": "Why?", "answer": "She stays."}, "scenario_tells"),
        ("distractors", {"distractors": ["She leaves.", "She stays", "x"]}, "options_alike"),
        ("classify", {"type": "Weather"}, "unknown_type"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_logged_and_not_kept(tmp_path, novel, author, step, reply, reason):
    made = built(novel, author({step: json.dumps(reply)}.items()), tmp_path)
    assert made.items == ()
    assert {(one["step"], one["status"]) for one in made.rejected} == {(step, "rejected")}
    assert all(one["reason"].startswith(reason) for one in made.rejected)


@pytest.mark.parametrize("reply", ["no", '{"found": true}', '{"found": "perhaps"}', '{"scenario": "x"}', ""])
def test_a_reply_of_another_form_is_logged_and_not_kept(tmp_path, novel, author, reply):
    made = built(novel, author({"find": reply or " "}.items()), tmp_path)
    assert made.items == ()
    assert made.counts["rejected"] + made.counts["failed"] == 5


def test_a_story_that_is_too_short_or_does_not_know_the_character_is_rejected(tmp_path, novel, author, good):
    never = Where(passages=5, passage_tokens=200, min_story=10**6, max_story=10**6)
    model = author()
    assert (
        build_items([novel], Asking(model=model), tmp_path / "never", where=never).counts["passages"]
        == model.calls
        == 0
    )
    first = Where(passages=1, passage_tokens=200, first=0.0, min_story=165)
    early = build_items([novel], Asking(model=author()), tmp_path / "early", where=first)
    assert {one["reason"].split(":")[0] for one in early.rejected} == {"too_early"}
    late = Where(passages=1, passage_tokens=200, first=0.0, min_story=0, max_story=10)
    made = build_items([novel], Asking(model=author()), tmp_path / "late", where=late)
    assert {one["reason"].split(":")[0] for one in made.rejected} == {"too_late"}

    def stranger(request):
        given = good(request)
        return json.dumps({**given, "character": "Ishmael"} if "quote" in given else given)

    made = built(novel, ScriptedModel(stranger), tmp_path / "stranger")
    assert {one["reason"].split(":")[0] for one in made.rejected} == {"character_unknown"}


@pytest.mark.parametrize(
    ("character", "known"),
    [("Mr. Hale", False), ("Mara Hale", True), ("Miss Mara", True), ("The Brother", False), ("Mar", False)],
)
def test_a_title_makes_nobody_known(tmp_path, novel, good, character, known):
    text = novel.text.replace("Day ", "Mr. Finch said The word. Day ")

    def named(request):
        given = good(request)
        return json.dumps({**given, "character": character} if "quote" in given else given)

    made = built(replace(novel, text=text), ScriptedModel(named), tmp_path)
    assert bool(made.items) == known


def test_interrupted_at_any_call_it_goes_on_without_repeating_one(tmp_path, novel, author, good):
    whole = built(novel, author(), tmp_path / "whole")
    for stop_at in range(1, 26):
        folder = tmp_path / str(stop_at)
        calls = 0

        def until(request, stop_at=stop_at):
            nonlocal calls
            calls += 1
            if calls == stop_at:
                raise KeyboardInterrupt
            return json.dumps(good(request))

        with pytest.raises(KeyboardInterrupt):
            built(novel, ScriptedModel(until), folder)
        stored = sum(len(path.read_text().splitlines()) for path in folder.glob("*.jsonl"))
        rest = author()
        made = built(novel, rest, folder)
        assert (made.items, made.rejected, made.counts) == (whole.items, whole.rejected, whole.counts)
        assert rest.calls == 25 - stored


@pytest.mark.parametrize(
    "given", [{"passages": 0}, {"first": 0.9, "last": 0.1}, {"min_story": 5, "max_story": 4}, {"passage_tokens": 1}]
)
def test_places_that_make_no_sense_are_refused(given):
    with pytest.raises(UsageError):
        Where(**given)
