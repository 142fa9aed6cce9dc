import json

import pytest

from textbench.rolecde.deciding import decide_items, decisions_of, read_decision


def items(plan, *personas):
    return {item["item_id"]: item for item in decide_items(plan, personas)}


def text_of(item):
    return "\n".join(message["text"] for message in item["messages"])


def test_one_item_for_each_level_and_order(make):
    found = items(make.plan(orders=("AB", "BA"), levels=("easy", "hard")), make.persona())
    assert list(found) == ["ann/easy/AB", "ann/easy/BA", "ann/hard/AB", "ann/hard/BA"]
    assert [m["role"] for m in found["ann/easy/AB"]["messages"]] == ["system", "user"]
    assert "A: share the map, easy\nB: keep the map, easy" in text_of(found["ann/easy/AB"])
    assert "A: keep the map, easy\nB: share the map, easy" in text_of(found["ann/easy/BA"])
    assert found["ann/easy/BA"]["fields"]["order"] == "BA"
    assert set(found["ann/easy/AB"]["fields"]["prompts"]) == {"rolecde/decide-system.en", "rolecde/decide.en"}


def test_a_level_that_a_persona_lacks_is_not_asked(make):
    record = make.record()
    del record["dilemmas"]["mid"]
    assert list(items(make.plan(), make.persona(dilemmas=record["dilemmas"]))) == ["ann/easy/AB", "ann/hard/AB"]


@pytest.mark.parametrize("style", ["neutral", "cot"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("with_values", [True, False])
def test_the_prompt_never_says_which_option_serves_which_value(make, style, language, with_values):
    """Swapping the two options changes the prompt in the options alone, so that nothing else in it can depend on them."""
    plan = make.plan(style=style, orders=("AB", "BA"), levels=("easy",), with_values=with_values)
    found = items(plan, make.persona(language=language))
    one, two = text_of(found["ann/easy/AB"]), text_of(found["ann/easy/BA"])
    options = (
        ("share the map, easy", "keep the map, easy") if language == "en" else ("交出地图, easy", "留下地图, easy")
    )
    assert one != two
    assert one.replace(options[0], "\0").replace(options[1], options[0]).replace("\0", options[1]) == two
    assert ("Keep what is yours." in one) == with_values
    for said in ("align", "traditional", "personal value", "对齐", "传统", "个人价值"):
        assert said not in one.lower()


def test_cot_wants_the_reasons_first(make):
    text = text_of(items(make.plan(style="cot", levels=("easy",)), make.persona())["ann/easy/AB"])
    assert text.index('"reasoning"') < text.index('"chosen_option"')
    text = text_of(items(make.plan(levels=("easy",)), make.persona())["ann/easy/AB"])
    assert text.index('"reasoning"') > text.index('"chosen_option"')


def test_the_upstream_prompt_says_it(make):
    text = text_of(items(make.plan(style="upstream", levels=("easy",)), make.persona())["ann/easy/AB"])
    assert "Option B, which agrees with the personal value" in text
    for part in ("Ann is a sailor", "Help others.; Be fair.; Be honest.", "Keep what is yours.", "difficulty: easy"):
        assert part in text


def read(make, text, order="AB", **more):
    return read_decision(make.persona(), "easy", order, 0, make.answer(text, order=order, **more))


def test_the_option_is_put_back_into_the_order_of_the_data(make):
    reply = json.dumps({"chosen_option": "A", "reasoning": "It is mine."})
    found = read(make, reply)
    assert (found.status, found.option, found.first, found.reasoning) == ("ok", "A", True, "It is mine.")
    found = read(make, reply, order="BA")
    assert (found.option, found.first, found.key) == ("B", True, "ann/easy/BA/0")
    assert read(make, reply.replace('"A"', '"B"'), order="BA").first is False


@pytest.mark.parametrize(
    ("text", "option", "reasoning"),
    [
        ('```json\n{"chosen_option": "B", "reasoning": "mine"}\n```', "B", "mine"),
        ("{“chosen_option”：“Ｂ”，“reasoning”：“我的”}", "B", "我的"),
        ('{"chosen_option": "B", "理由": "我的"}', "B", "我的"),
        ('{"Chosen Option": "option B", "Reason": "mine"}', "B", "mine"),
        ('{"chosen_option": "keep the map, easy", "reasoning": "mine"}', "B", "mine"),
        ('{"chosen_option": "B", "reasoning": ["mine", "all mine"]}', "B", "mine\nall mine"),
        ('{"chosen_option": "B", "reasoning": null}', "B", ""),
        ('{"chosen_option": "B"}', "B", ""),
        ('I think of the crew first.\n{"chosen_option": "B"}', "B", "I think of the crew first."),
        ("<think>share? A?</think>" + '{"chosen_option": "B", "reasoning": "mine"}', "B", "mine"),
        ("B) because it is mine", "B", "B) because it is mine"),
        ("B", "B", ""),
        ("我选B。因为地图是我的。", "B", "我选B。因为地图是我的。"),
    ],
)
def test_replies_that_can_be_read(make, text, option, reasoning):
    found = read(make, text)
    assert (found.status, found.option, found.reasoning) == ("ok", option, reasoning)


@pytest.mark.parametrize(
    ("text", "more", "status"),
    [
        ('{"chosen_option": "A or B", "reasoning": "x"}', {}, "ambiguous"),
        ('{"chosen_option": "C", "reasoning": "x"}', {}, "unparsed"),
        ("A good sailor would share.", {}, "unparsed"),
        ("I cannot help with that.", {}, "refusal"),
        ('{"chosen_option": "A", "reasoning": "x', {"finish_reason": "length"}, "truncated"),
        ("<think>A or B", {}, "truncated"),
        ("", {}, "unparsed"),
        (None, {}, "unparsed"),
        ("B", {"refusal": "no"}, "refusal"),
        (None, {"status": "error"}, "error"),
    ],
)
def test_replies_that_cannot_are_no_choice(make, text, more, status):
    found = read(make, text, **more)
    assert (found.status, found.option, found.first) == (status, None, None)
    assert found.reason or status == "error"


def test_every_decision_of_the_plan_asked_or_not(make):
    plan = make.plan(levels=("easy", "mid"), orders=("AB", "BA"), runs=2)
    answers = [make.answer("B", order="BA", run=1)]
    found = list(decisions_of(plan, [make.persona()], answers))
    assert len(found) == 8
    assert [each.key for each in found if each.status == "ok"] == ["ann/easy/BA/1"]
    assert {each.status for each in found} == {"ok", "missing"}
