import json

from mmrole.llm import ChatReply
from textbench.rolecde.auditing import audit_calls, auditor_verdicts, read_audit


def said(**values):
    return read_audit(None, ChatReply(text=json.dumps(values, ensure_ascii=False), finish_reason="stop"))


def test_every_dilemma_is_asked_in_both_orders(make):
    calls = {call.item_id: call for call in audit_calls([make.persona(), make.persona("王", language="zh")])}
    assert len(calls) == 12
    first = calls["ann/easy/AB"].request.messages[-1].text
    assert "Option A: share the map, easy\nOption B: keep the map, easy" in first
    assert "Keep what is yours." in first
    assert "Option A: keep the map, easy" in calls["ann/easy/BA"].request.messages[-1].text
    assert "选项A：留下地图, easy" in calls["王/easy/BA"].request.messages[-1].text
    assert list(calls["ann/mid/AB"].fields["prompts"]) == ["rolecde/audit.en"]


def test_what_an_auditor_may_say():
    assert said(analysis="x", option="A").value == "A"
    assert said(option="option b").value == "B"
    assert said(option="Ｂ。").value == "B"
    assert said(option="两者都").value == "both"
    assert said(option="neither").value == "neither"
    assert said(option="A or B").status == "unparsed"
    assert said(answer="A").status == "unparsed"
    assert said(option=None).status == "unparsed"
    assert read_audit(None, ChatReply(text="It is A.", finish_reason="stop")).status == "unparsed"
    assert read_audit(None, ChatReply(text='{"option": "A"', finish_reason="length")).status == "truncated"


def verdicts(make, **replies):
    def stored(call):
        value = replies.get(call.replace("/", "_"))
        return [] if value is None else [{"status": "unparsed" if value == "?" else "ok", "value": value}]

    return auditor_verdicts("m", [make.persona()], stored)


def test_the_same_option_in_both_orders_settles_it(make):
    found = verdicts(
        make,
        ann_easy_AB="B", ann_easy_BA="A",  # the data set's B, shown as A
        ann_mid_AB="A", ann_mid_BA="A",  # the first one, whatever it is
        ann_hard_AB="both", ann_hard_BA="both",
    )  # fmt: skip
    assert {key[1]: (each.option, each.reason) for key, each in found.items()} == {
        "easy": ("B", None), "mid": (None, "unsettled"), "hard": (None, "unsettled")
    }  # fmt: skip


def test_an_answer_that_is_missing_or_unread(make):
    found = verdicts(make, ann_easy_AB="B", ann_mid_AB="?", ann_mid_BA="A")
    assert {key[1]: (each.option, each.reason) for key, each in found.items()} == {
        "easy": (None, "unread"), "mid": (None, "unread"), "hard": (None, "unread")
    }  # fmt: skip
