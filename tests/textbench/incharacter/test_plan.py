import json

import pytest

from mmrole.core.errors import StoreError, UsageError
from textbench.incharacter.plan import chosen_characters, plan_from


def test_a_plan_comes_back_from_its_record(make):
    plan = make.plan(methods=("SR", "ER_batch"), runs=2, setting="D+M")
    assert plan_from(json.loads(json.dumps(plan.to_record()))) == plan
    assert plan.styles == ("SR", "interview")
    assert plan.labels()["wang"]["Tiny"]["Order"] == {"score": "X", "type": "X"}


def test_methods_of_the_interview_share_it(make):
    assert make.plan(methods=("OC", "ER_batch", "d-OC", "ER_all")).styles == ("interview",)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"methods": ()}, "nothing to ask"),
        ({"methods": ("XY",)}, "there is no method 'XY'"),
        ({"methods": ("OC", "OC")}, "a method is named twice"),
        ({"runs": 0}, "0 runs make no sense"),
        ({"passages": 0}, "0 passages make no sense"),
        ({"temperature": 3.0}, "a temperature of 3.0 makes no sense"),
        ({"setting": "X"}, "there is no setting 'X'"),
    ],
)
def test_a_plan_that_makes_no_sense(make, given, said):
    with pytest.raises(UsageError, match=said):
        make.plan(**given)


def test_a_setting_needs_what_it_tells(make):
    with pytest.raises(UsageError, match=r"ann has no memory, which setting D.M needs"):
        make.plan(characters=[make.ann(memory=())], setting="D+M")
    with pytest.raises(UsageError, match="ann has no description, which setting D needs"):
        make.plan(characters=[make.ann(description="")])
    assert make.plan(characters=[make.ann(), make.roleless("en")], setting="D+M")


def test_labels_of_a_dimension_that_is_not_there(make):
    wrong = make.ann(labels={"Tiny": {"Colour": {"score": 3.0, "type": "X"}}})
    with pytest.raises(UsageError, match="Tiny has no dimension 'Colour'"):
        make.plan(characters=[wrong])


def test_characters_are_chosen_by_id(make):
    both = [make.ann(), make.wang()]
    assert [each.character_id for each in chosen_characters(both, ["wang"])] == ["wang"]
    assert len(chosen_characters(both, [])) == 2
    with pytest.raises(UsageError, match="there is no character 'eve'; there are ann, wang"):
        chosen_characters(both, ["eve"])


def test_a_damaged_plan(make):
    record = make.plan().to_record()
    del record["runs"]
    with pytest.raises(StoreError, match="the plan is damaged"):
        plan_from(record)
