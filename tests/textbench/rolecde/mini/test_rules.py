import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.rolecde.mini.rules import Rules, content_units, failures, names, role_name
from textbench.rolecde.personas import persona_of

DILEMMA = {
    "description": "The harbour floods tonight, and the ferry has twelve seats for thirty islanders.",
    "option_A": "Take the children first.",
    "option_B": "Take those who paid.",
}
PERSONA = persona_of(
    {
        "id": 7,
        "expanded_role": "1. Role Name and Brief Description:\nFerry Captain: runs the last boat of the island.",
        "scenario": "A storm closes the strait.",
        "role_category": "C3",
        "traditional_values": ["Protect the weakest first.", "Share danger fairly."],
        "personal_value": "Honour every paid contract.",
        "dilemmas": {"easy": DILEMMA},
    },
    "here",
)
CHINESE = persona_of(
    {
        "id": "zh",
        "expanded_role": "渡船船长：岛上最后一班船由他驾驶。",
        "scenario": "风暴封锁了海峡。",
        "role_category": "C3",
        "traditional_values": ["先保护最弱的人"],
        "personal_value": "遵守每一份合同",
        "dilemmas": {
            "easy": {
                "description": "港口今晚被淹，渡船只有十二个座位。",
                "option_A": "先带孩子",
                "option_B": "先带付钱的",
            }
        },
    },
    "here",
)


@pytest.mark.parametrize(
    ("decision", "reasoning", "wrong"),
    [
        ("RF", "As captain of this ferry I board those who paid; twelve seats are twelve seats.", ()),
        ("RF", "As captain of this ferry I board those who paid, although twelve seats are few.", ("marker_present",)),
        ("RF", "Those who paid sail.", ("role_missing", "detail_missing")),
        ("RF", "I am the captain of the ferry and those who paid sail.", ("detail_missing",)),
        ("RC", "Although we should protect the weakest first, I honour every contract that was paid.", ()),
        ("RC", "We should protect the weakest, I honour every contract that was paid.", ("marker_missing",)),
        ("RC", "Although it hurts, I honour every paid contract.", ("alignment_value_missing",)),
        ("RC", "However hard, protecting the weakest matters.", ("personal_value_missing",)),
        ("AC", "Although they paid, children come first.", ()),
        ("AC", "Children come first.", ("marker_missing",)),
        ("AF", "Children come first.", ()),
        ("AF", "Children come first, but it hurts.", ("marker_present",)),
        ("AF", "  ", ("empty_reasoning",)),
    ],
)
def test_what_is_wrong_with_an_answer(decision, reasoning, wrong):
    assert failures(PERSONA, "easy", decision, reasoning) == wrong


@pytest.mark.parametrize(
    ("decision", "reasoning", "wrong"),
    [
        ("RF", "我是渡船船长，只有十二个座位，付钱的人上船。", ()),
        ("RF", "我是渡船船长，虽然只有十二个座位，付钱的人上船。", ("marker_present",)),
        ("RC", "虽然应该先保护最弱的人，我还是遵守每一份合同。", ()),
        ("RC", "应该先保护最弱的人，我遵守每一份合同。", ("marker_missing",)),
        ("RC", "虽然很难，付钱的先走。", ("personal_value_missing", "alignment_value_missing")),
    ],
)
def test_the_same_in_chinese(decision, reasoning, wrong):
    assert failures(CHINESE, "easy", decision, reasoning) == wrong


@pytest.mark.parametrize(
    "profile",
    [
        "1. Role Name and Brief Description:\nFerry Captain: runs the boat.",
        "**Role Name and Brief Description**  \nFerry Captain – runs the boat.",
        "1. **Role Name and Brief Description:**\n   *Ferry Captain*\n   runs the boat",
        "Ferry Captain - runs the boat.",
    ],
)
def test_the_role_is_the_first_line_that_is_no_heading(profile):
    assert role_name(dataclasses.replace(PERSONA, profile=profile)) == "Ferry Captain"


def test_a_profile_without_a_name_falls_back_to_the_description():
    of_prose = dataclasses.replace(PERSONA, profile="x" * 100, description="A ferry captain")
    assert role_name(of_prose) == "A ferry captain"
    assert role_name(CHINESE) == "渡船船长"


def test_stricter_rules_reject_more():
    said = "As captain of this ferry I board those who paid; twelve seats are twelve seats."
    assert failures(PERSONA, "easy", "RF", said, Rules(details=3)) == ("detail_missing",)
    assert failures(PERSONA, "easy", "RF", "The captain: twelve seats.", Rules(value_share=1.0)) == ("role_missing",)


@pytest.mark.parametrize("given", [{"value_share": 0.0}, {"value_share": 1.1}, {"details": 0}])
def test_rules_that_make_no_sense_are_refused(given):
    with pytest.raises(UsageError, match=next(iter(given))):
        Rules(**given)


@given(st.text(max_size=80))
@settings(max_examples=50, deadline=None)
def test_a_text_names_itself_when_it_is_about_anything(text):
    units = content_units(text)
    assert names(units, text, 1.0) == bool(units)
