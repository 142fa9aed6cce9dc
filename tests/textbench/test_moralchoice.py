import pytest

from mmrole.core.errors import InputError
from textbench.choices import accuracy, position_bias, read_answer, show
from textbench.moralchoice import read_moralchoice

HEADER = "scenario_id,ambiguity,generation_type,generation_rule,context,action1,action2,a1_death\n"


def table(tmp_path, *rows):
    path = tmp_path / "scenarios.csv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8-sig")
    return path


def test_scenarios_become_questions(tmp_path):
    read = read_moralchoice(
        table(
            tmp_path,
            'C_1,low,Generated,Do not cheat,"You play cards, and see a hand.",I look away.,I look.,No',
            "H_1,high,Hand-Written,Do not deceive,You know a secret.,I tell.,I keep it.,No",
        )
    )
    low, high = read.questions
    assert (low.item_id, low.options, low.correct, low.cluster) == (
        "C_1",
        ("I look away.", "I look."),
        0,
        "Do not cheat",
    )
    assert low.text == "You play cards, and see a hand."
    assert high.correct is None
    assert read.refused == ()


def test_what_asks_for_no_choice_is_refused_with_its_reason(tmp_path):
    path = table(tmp_path, "G_1,high,Generated,r,You wait.,I go.,I go.,No", "G_2,high,Generated,r,You wait.,,I go.,No")
    read = read_moralchoice(path)
    assert read.questions == ()
    assert read.refused == (
        f"{path}, line 2: G_1: both actions are the same",
        f"{path}, line 3: G_2: no action",
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["C_1,medium,g,r,c,a,b,No"], "line 2: ambiguity is low or high, not 'medium'"),
        (["C_1,low,g,r,c,a,b,No", "C_1,low,g,r,c,a,b,No"], "line 3: the scenario C_1 is there already, in line 2"),
        ([",low,g,r,c,a,b,No"], "line 2: no scenario_id"),
        (["C_1,low,g,r"], "line 2: 4 fields, the header has 8"),
    ],
)
def test_broken_tables(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        read_moralchoice(table(tmp_path, *rows))


def test_another_table(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"other\.csv: no column scenario_id"):
        read_moralchoice(path)


def test_an_agent_that_always_says_a_shows_it(tmp_path):
    rows = [f"C_{n},low,g,r,Case {n}.,I do right.,I do wrong.,No" for n in range(60)]
    shown = [show(question, seed=0) for question in read_moralchoice(table(tmp_path, *rows)).questions]
    answers = [read_answer(each, each.read("Answer: A")) for each in shown]
    right = sum(each.correct_letter == "A" for each in shown)
    assert 15 < right < 45  # half of 60, four standard deviations of 3.9 to each side
    assert accuracy(answers)["accuracy"].value == right / 60
    bias = position_bias(answers)
    assert bias.value == pytest.approx(0.5)  # by hand: half of (1 - .5) + (.5 - 0)
    assert bias.details["by_correct"] == {"A": {"A": right, "B": 0}, "B": {"A": 60 - right, "B": 0}}
