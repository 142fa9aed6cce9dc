import pytest

from mmrole.core.errors import StoreError, UsageError
from textbench.rolecde.plan import chosen_personas, plan_from, shown_letters


def test_stored_and_read_again(make):
    plan = make.plan(levels=("mid",), style="cot", orders=("AB", "BA"), with_values=True, runs=2, temperature=0.5)
    assert plan_from(plan.to_record()) == plan
    with pytest.raises(StoreError, match="the plan is damaged"):
        plan_from({"personas": ["ann"]})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"personas": ()}, "nothing to ask"),
        ({"levels": ("easy", "medium")}, "there is no level 'medium'"),
        ({"levels": ("easy", "easy")}, "a level is named twice"),
        ({"orders": ("AB", "AB")}, "an order is named twice"),
        ({"orders": ("BB",)}, "there is no order 'BB'"),
        ({"style": "nice"}, "there is no prompt 'nice'"),
        ({"style": "upstream", "orders": ("AB", "BA")}, "give it no other order"),
        ({"style": "upstream", "with_values": True}, "names the values"),
        ({"runs": 0}, "0 runs make no sense"),
        ({"temperature": 3.0}, "a temperature of 3.0 makes no sense"),
    ],
)
def test_plans_that_make_no_sense(make, changed, message):
    with pytest.raises(UsageError, match=message):
        make.plan(**changed)


def test_some_personas_by_id(make):
    both = [make.persona("ann"), make.persona("bob")]
    assert [each.persona_id for each in chosen_personas(both, ["bob", "bob"])] == ["bob"]
    assert len(chosen_personas(both, [])) == 2
    with pytest.raises(UsageError, match="there is no persona 'eve'; there are ann, bob"):
        chosen_personas(both, ["eve"])


def test_letters_of_the_other_order():
    assert shown_letters("AB") == {"A": "A", "B": "B"}
    assert shown_letters("BA") == {"A": "B", "B": "A"}
