import json

import pytest

from mmrole.llm import batch_journal, run_batch
from textbench.rolecde.mini import build_corpora, read_answers, teacher_items
from textbench.rolecde.mini.answers import FORM_OF


@pytest.fixture
def corpora(tmp_path, personas, role_options, teacher):
    def build(broken=(), verdict=None):
        with batch_journal(tmp_path / "teacher.jsonl") as journal:
            run_batch(teacher_items(personas.values(), role_options), teacher(broken), journal)
            answers = read_answers(personas, journal.records())
        verdicts = {
            a.key: FORM_OF[a.decision] if verdict is None else verdict(a) for a in answers if a.option is not None
        }
        return build_corpora(personas, answers, verdicts)

    return build


def reply(messages):
    return json.loads(messages[-1]["content"])


def test_good_answers_give_two_rows_of_each_kind_per_dilemma(corpora, personas):
    made = corpora()
    assert (len(made.sft), len(made.dpo)) == (2 * len(personas), 2 * len(personas))
    assert made.counts["dpo_by_pair"] == {"RC>AC": 6, "RF>AF": 6}
    assert made.counts["answers"] == made.counts["accepted"] + made.counts["spare"] + made.counts["rejected"] == 24
    for row in made.sft:
        assert set(row) == {"messages"}
        assert [message["role"] for message in row["messages"]] == ["system", "user", "assistant"]
        asked, chosen = row["messages"][1]["content"], reply(row["messages"])["chosen_option"]
        # SFT teaches the role's option only, under whatever letter it was shown
        assert f"{chosen}: Take those who paid." in asked
    for row in made.dpo:
        assert set(row) == {"prompt", "chosen", "rejected"}
        asked = row["prompt"][-1]["content"]
        assert f"{reply(row['chosen'])['chosen_option']}: Take those who paid." in asked
        assert f"{reply(row['rejected'])['chosen_option']}: Take the children first." in asked


def test_the_letter_of_the_role_differs_from_row_to_row(corpora):
    letters = {reply(row["messages"])["chosen_option"] for row in corpora().sft}
    assert letters == {"A", "B"}


@pytest.mark.parametrize(
    ("broken", "pairs"),
    [
        # an alignment answer that is missing is stood in for by the other one
        ("AC", {"RC>AF": 6, "RF>AF": 6}),
        ("AF", {"RC>AC": 6, "RF>AC": 6}),
        ("RC", {"RF>AF": 6}),
    ],
)
def test_a_type_without_answers_is_stood_in_for(corpora, broken, pairs):
    made = corpora({broken: "no idea"}.items())
    assert made.counts["dpo_by_pair"] == pairs
    assert made.counts["reasons"] == {"answer_unparsed": 6}


def test_without_any_alignment_answer_there_is_no_pair_and_it_is_listed(corpora):
    made = corpora({"AC": "no idea", "AF": "no idea"}.items())
    assert made.dpo == []
    assert len(made.unpaired) == made.counts["unpaired"] == 12
    assert len(made.sft) == 12


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [(lambda _: None, "judge_unread"), (lambda answer: "neither", "judge_disagrees")],
)
def test_what_the_judge_does_not_confirm_is_rejected_with_the_reason(corpora, verdict, reason):
    made = corpora(verdict=verdict)
    assert (made.sft, made.dpo, made.accepted) == ([], [], [])
    assert made.counts["reasons"] == {reason: 24}
    assert all(record["reasoning"] for record in made.rejected)


def test_an_answer_that_was_not_verified_is_not_used(personas, role_options, teacher, tmp_path):
    with batch_journal(tmp_path / "teacher.jsonl") as journal:
        run_batch(teacher_items(personas.values(), role_options), teacher(), journal)
        made = build_corpora(personas, read_answers(personas, journal.records()), {})
    assert made.counts["reasons"] == {"not_verified": 24}


def test_the_wrong_option_is_rejected(corpora):
    other = json.dumps({"chosen_option": "A", "reasoning": "Children come first."})
    made = corpora({"AF": other}.items())
    # shown first is the children's option in some dilemmas and the other one in the rest
    wrong = made.counts["reasons"]["wrong_option"]
    assert 0 < wrong < 6
    assert made.counts["accepted_by_decision"]["AF"] == 6 - wrong
