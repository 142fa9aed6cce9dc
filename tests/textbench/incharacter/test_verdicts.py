import pytest

from textbench.incharacter.verdicts import number_in, read_choices, read_rating, self_reported


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("4", 4),
        ("Ann: 4.", 4),
        ("“５”。", 5),
        ("我：「2」", 2),
        ("666", 666),  # kept as it is: invalid, and counted
        ("0", 0),
        ("3.5", 3.5),
        ("-1", -1),
        ("I'd say 4", None),
        ("4 or 5", None),
        ("", None),
        ("Ann, Ann: because: 4", None),  # what follows the first colon is "because: 4"
    ],
)
def test_a_self_report_is_a_number_and_nothing_else(text, choice):
    assert self_reported(text, ["Ann"], low=1, high=5) == choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("I love 3 people.\nAnswer: 4", 4),
        ("因为我喜欢。\n答案：2", 2),
        ("Answer: 9", None),  # the interviewer model reads it
        ("I love people.", None),
    ],
)
def test_a_reasoned_report_announces_its_number(text, choice):
    assert self_reported(text, [], low=1, high=5, reasoned=True) == choice


def test_choices_are_whole_or_asked_for_again():
    whole = read_choices('{"1": 4, "2": "x", "3": "５"}', ["1", "2", "3"])
    assert (whole.status, whole.value) == ("ok", {"1": 4, "2": "x", "3": 5})
    part = read_choices('{"1": 4, "2": "perhaps", "3": null, "9": 1}', ["1", "2", "3"])
    assert (part.status, part.value, part.detail) == ("unparsed", {"1": 4}, "no choice for 2, 3")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('```json\n{"1": 3}\n```', 3),
        ('{"1.": 3}', 3),
        ('{"item 1": "3"}', 3),
        ('{"1": 3.0}', 3),
        ('{"1": 666}', 666),
        ('{"1": "X"}', "x"),
    ],
)
def test_forms_of_a_choice(reply, value):
    assert read_choices(reply, ["1"]).value == {"1": value}


@pytest.mark.parametrize(
    ("reply", "finish", "status"),
    [
        ("I cannot help with that.", "stop", "refusal"),
        ('{"1": 3', "length", "truncated"),
        ("It is hard to say.", "stop", "unparsed"),
        (None, "stop", "unparsed"),
        ('{"1": true}', "stop", "unparsed"),
    ],
)
def test_no_choice(reply, finish, status):
    found = read_choices(reply, ["1"], finish)
    assert (found.status, found.value) == (status, None)


@pytest.mark.parametrize(
    ("reply", "key", "value"),
    [
        ('{"analysis": "Warm.", "score": 4.5}', "score", 4.5),
        ('{"analysis": "?", "score": "x"}', "score", "x"),
        ('{"analysis": "?", "score": 0}', "score", 0),
        ('{"analysis": "?", "result": {"E": "70%", "I": "30%"}}', ("E", "I"), 70),
        ('{"E": 70, "I": 30}', ("E", "I"), 70),
    ],
)
def test_ratings(reply, key, value):
    found = read_rating(reply, key)
    assert (found.status, found.value) == ("ok", value)


@pytest.mark.parametrize("reply", ['{"analysis": "Warm."}', '{"score": "high"}', "4", '{"score": true}'])
def test_no_rating(reply):
    assert read_rating(reply, "score").status == "unparsed"


def test_numbers():
    assert [number_in(text) for text in ("4", "-3", "2.50", "4e3", "1_0", "", "9" * 20)] == [
        4,
        -3,
        2.5,
        None,
        None,
        None,
        None,
    ]
