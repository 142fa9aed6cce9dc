import re

import pytest

from mmrole.llm import batch_journal, run_batch
from textbench.rolecde.mini import read_answers, teacher_items, verification_calls
from textbench.rolecde.mini.answers import DECISIONS, doubt, order_of
from textbench.rolecde.role_options import RoleOption


def asked(path, personas, role_options, model, rounds=1):
    with batch_journal(path) as journal:
        run_batch(teacher_items(personas.values(), role_options), model, journal, rounds=rounds)
        return read_answers(personas, journal.records())


def test_the_teacher_is_asked_for_the_option_that_the_type_demands(personas, role_options, teacher):
    for item in teacher_items(personas.values(), role_options):
        text = item.request.messages[-1].text
        letter = re.search(r"when it chooses ([AB])", text).group(1)
        chosen = re.search(rf"^{letter}: (.*)$", text, re.MULTILINE).group(1)
        # whatever the order and the data set's letters, the role takes those who paid
        assert (chosen == "Take those who paid.") == item.fields["decision"].startswith("R")


def test_both_orders_are_there_and_do_not_follow_the_role(personas):
    orders = [order_of(str(number), "easy", 0) for number in range(400)]
    # a fair coin: 200 +- 4 standard deviations of 10
    assert 160 < orders.count("AB") < 240
    assert [order_of(str(number), "easy", 1) for number in range(400)] != orders


def test_answers_are_read_in_the_order_of_the_personas(tmp_path, personas, role_options, teacher):
    answers = asked(tmp_path / "teacher.jsonl", personas, role_options, teacher(), rounds=2)
    assert [(a.persona, a.decision, a.sample) for a in answers] == [
        (persona, decision, sample) for persona in personas for decision in DECISIONS for sample in (0, 1)
    ]
    assert all(answer.status == "ok" and answer.option == answer.wanted for answer in answers)
    assert len({call.item_id for call in verification_calls(personas, answers)}) == len(answers)


def test_a_dilemma_in_doubt_is_not_asked_about_unless_wanted(personas, role_options):
    doubtful = RoleOption(persona="0", level="easy", option="B", source="assumed", doubts=("unsettled",))
    options = role_options | {("0", "easy"): doubtful}
    assert len(list(teacher_items(personas.values(), options))) == 5 * 4
    assert len(list(teacher_items(personas.values(), options, include_doubtful=True))) == 6 * 4


@pytest.mark.parametrize(
    ("source", "doubts", "why"),
    [
        ("file", (), None),
        # the option is A, and that is certain: a corpus without it would teach that B is the role's
        ("file", ("differs_from_default",), None),
        ("file", ("differs_from_default", "sources_disagree"), "sources_disagree"),
        ("auditors", ("unread",), "unread"),
        ("assumed", (), "assumed"),
    ],
)
def test_what_is_fit_to_teach(source, doubts, why):
    assert doubt(RoleOption(persona="0", level="easy", option="A", source=source, doubts=doubts)) == why


def test_an_answer_that_cannot_be_read_is_there_with_its_status(tmp_path, personas, role_options, teacher):
    broken = {"RF": "I cannot help with that.", "AF": "", "AC": '{"chosen_option": "C", "reasoning": "x"}'}
    answers = asked(tmp_path / "teacher.jsonl", personas, role_options, teacher(broken.items()))
    found = {answer.decision: answer for answer in answers if answer.persona == "0"}
    assert found["RC"].status == "ok"
    assert {found[decision].status == "ok" for decision in broken} == {False}
    calls = list(verification_calls(personas, answers))
    assert {call.fields["decision"] for call in calls} == {"RC"}
