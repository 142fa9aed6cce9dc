import copy

import pytest

from mmrole.core.errors import InputError
from textbench.incharacter.questionnaire import questionnaire_of


def test_a_scale_of_ones_own_is_keyed_by_its_file(tiny):
    assert tiny.scale.keys == {
        "Warmth": {"1": False, "2": True, "3": False},
        "Order": {"4": True, "5": False, "6": False},
    }
    assert tiny.scale.fillers == ("7",)
    assert (tiny.scale.low, tiny.scale.high, tiny.scale.score_low, tiny.scale.score_high) == (1, 5, 1, 5)
    assert (tiny.question("2", "zh"), tiny.statement("2", "en")) == ("问题2？", "Statement 2.")
    assert not tiny.percent


def test_two_poles_are_scored_in_per_cent_of_the_first(make):
    record = make.record()
    for item, question in record["questions"].items():
        question["dimension"], question["category"] = "E/I", "EI"[int(item) % 2]
    found = questionnaire_of(record, "f.json")
    assert found.percent
    assert found.scale.keys == {"E/I": {str(n): n % 2 == 1 for n in range(1, 8)}}
    assert (found.scale.score_low, found.scale.score_high) == (0, 100)
    assert found.poles("E/I", "en") == ("I", "E")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r.pop("range"), "f.json: field range: field required"),
        (lambda r: r.update(range=[5, 1]), r"f.json: range: goes from small to large, not \[5, 1\]"),
        (lambda r: r.update(range=[1, "five"]), "f.json: field range.1: .*got 'five'"),
        (lambda r: r.update(scale=7), r"f.json: scale: is 7, but min \+ max of range is 6"),
        (lambda r: r.update(reverse=[99]), "f.json: reverse: there is no question 99"),
        (lambda r: r.update(questions={}), "f.json: field questions: "),
        (lambda r: r["questions"].update(a=r["questions"]["1"]), "f.json: questions.a: an id is a number"),
        (lambda r: r["questions"]["3"].pop("dimension"), "f.json: field questions.3.dimension: field required"),
        (
            lambda r: r["questions"]["3"].update(category="up"),
            "f.json: questions.3.category: has to be positive or negative, not 'up'",
        ),
        (
            lambda r: r["questions"]["3"].update(dimension="E/I", category="positive"),
            "f.json: questions.3.category: has to be E or I, not 'positive'",
        ),
        (
            lambda r: [q.update(dimension=None) for q in r["questions"].values()],
            "f.json: questions: every dimension is null",
        ),
    ],
)
def test_a_malformed_file_is_told_with_its_key(make, change, said):
    record = copy.deepcopy(make.record())
    change(record)
    with pytest.raises(InputError, match=said) as caught:
        questionnaire_of(record, "f.json")
    assert "\n" not in str(caught.value)


def test_a_packaged_key_wins_and_its_items_have_to_be_there(make):
    record = make.record() | {"name": "GSE", "range": [1, 4], "scale": 5, "reverse": []}
    record["questions"] = {
        str(n): {"origin_en": "S", "dimension": "Overall", "category": "positive"} for n in range(1, 11)
    }
    record["prompts"] = {"dim_desc": {"Overall": "Trust in oneself."}}
    found = questionnaire_of(record, "GSE.json")
    assert found.scale.dimensions == ("Self-efficacy",)
    assert found.description("Self-efficacy", "zh") == "Trust in oneself."  # there is no other
    del record["questions"]["9"]
    with pytest.raises(InputError, match=r"GSE.json: questions: item 9 of GSE is missing"):
        questionnaire_of(record, "GSE.json")
    with pytest.raises(InputError, match=r"GSE.json: range: is \[1, 5\], but GSE goes from 1 to 4"):
        questionnaire_of(record | {"range": [1, 5], "scale": 6}, "GSE.json")


def test_what_the_numbers_mean(make, tiny):
    assert tiny.options("en") == {1: "strongly disagree", 2: "", 3: "", 4: "", 5: "strongly agree"}
    said = "Use the scale: 1 denotes 'no', 2 denotes \"hardly\", 3 denotes 'so-so', 4 denotes 'rather', and 5 denotes 'it's so'."
    record = make.record() | {"prompts": {"rpa_choice_instruction": {"en": said, "zh": "1代表“否”，5代表“是”。"}}}
    found = questionnaire_of(record, "f.json")
    assert found.options("en") == {1: "no", 2: "hardly", 3: "so-so", 4: "rather", 5: "it's so"}
    assert found.options("zh") == {1: "否", 2: "", 3: "", 4: "", 5: "是"}


def test_a_text_that_is_to_be_asked_and_is_not_there(make):
    record = make.record()
    record["questions"]["2"]["rewritten_zh"] = " "
    with pytest.raises(InputError, match=r"f.json: questions.2.rewritten_zh: is missing or empty"):
        questionnaire_of(record, "f.json").question("2", "zh")


def test_poles(make, tiny):
    assert tiny.poles("Warmth", "en") == ("low in Warmth", "high in Warmth")
    assert tiny.poles("Warmth", "zh") == ("Warmth低", "Warmth高")
    given = {"poles": {"Warmth": {"en": {"high": "warm", "low": "cold"}}}}
    assert questionnaire_of(make.record() | {"prompts": given}, "f.json").poles("Warmth", "en") == ("cold", "warm")
