import pytest

from mmrole.core.errors import InputError
from textbench.rolecde.personas import CATEGORIES, LEVELS, persona_of


def test_a_persona_and_back(make):
    ann = make.persona()
    assert (ann.persona_id, ann.category, ann.language, tuple(ann.dilemmas)) == ("ann", "C4", "en", LEVELS)
    assert ann.dilemmas["mid"].options == {"A": "share the map, mid", "B": "keep the map, mid"}
    assert ann.alignment_values == ("Help others.", "Be fair.", "Be honest.")
    assert persona_of(ann.to_record(), "again") == ann


def test_what_a_run_adds_is_left_alone(make):
    extra = make.record(chosen_option="A", reasoning="so", RF=1, scaffold_RF=0)
    assert persona_of(extra, "here") == make.persona()


def test_the_language_is_said_or_seen(make):
    assert make.persona(language="zh").language == "zh"  # the record does not say so: most letters are Chinese
    assert persona_of(make.record() | {"language": "zh"}, "here").language == "zh"


def test_numbers_are_ids_too(make):
    assert make.persona(150).persona_id == "150"


def test_the_eight_categories_have_the_names_of_the_data_set():
    # as role_category and role_category_name stand in the data set's files
    assert list(CATEGORIES) == [f"C{n}" for n in range(1, 9)]
    assert CATEGORIES["C6"]["en"] == "Sports"


def test_the_category_by_its_name_alone(make):
    assert make.persona(role_category=None, role_category_name="family & relationship").category == "C8"


def test_an_option_loses_its_own_letter_and_nothing_else(make):
    record = make.record()
    record["dilemmas"]["easy"] |= {"option_A": "Option A: share it", "option_B": "B) keep it"}
    record["dilemmas"]["mid"] |= {"option_A": "A sailor shares.", "option_B": "选项B：留下"}
    record["dilemmas"]["hard"] |= {"option_A": "B: a trap", "option_B": "B."}
    found = persona_of(record, "here").dilemmas
    assert found["easy"].options == {"A": "share it", "B": "keep it"}
    assert found["mid"].options == {"A": "A sailor shares.", "B": "留下"}
    assert found["hard"].options == {"A": "B: a trap", "B": "B."}


def changed(record, level, **fields):
    record["dilemmas"][level] |= fields
    return record


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r | {"id": "a/b"}, "field id"),
        (lambda r: r | {"expanded_role": " "}, "field expanded_role"),
        (lambda r: {k: v for k, v in r.items() if k != "scenario"}, "field scenario: field required"),
        (lambda r: r | {"traditional_values": []}, "field traditional_values"),
        (lambda r: r | {"traditional_values": "be fair"}, "field traditional_values"),
        (lambda r: r | {"personal_value": None}, "field personal_value"),
        (lambda r: r | {"dilemmas": {}}, "field dilemmas"),
        (lambda r: r | {"dilemmas": {"medium": r["dilemmas"]["mid"]}}, "field dilemmas.medium"),
        (lambda r: changed(r, "mid", option_B=r["dilemmas"]["mid"]["option_A"].upper()), "are the same text"),
        (lambda r: changed(r, "mid", option_B=""), "field dilemmas.mid.option_B"),
        (lambda r: changed(r, "mid", difficulty="hard"), "says that its difficulty is 'hard'"),
        (lambda r: changed(r, "mid", role_option="C"), "field dilemmas.mid.role_option"),
        (lambda r: r | {"role_category": "C9"}, "field role_category: 'C9' is none of C1, C2"),
        (lambda r: r | {"role_category": "C1"}, "role_category C1 is Care & Service, but role_category_name is 'Tech"),
        (lambda r: r | {"role_category": None, "role_category_name": "Unknown"}, "field role_category: is missing"),
        (lambda r: [r], "got"),
        (lambda r: None, "got None"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(make, change, message):
    with pytest.raises(InputError, match=r"^p\.json") as caught:
        persona_of(change(make.record()), "p.json")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
