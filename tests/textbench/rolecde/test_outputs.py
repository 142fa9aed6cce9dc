import json

import pytest

from mmrole.core.errors import InputError
from textbench.rolecde import read_outputs


def test_decisions_with_and_without_a_judge(make, tmp_path):
    """Both spellings of the judge's fields: of the script for APIs and of that for local models."""
    folder = make.folder(
        tmp_path / "S4_results_hard_m_8000_with_categories",
        make.record(1, chosen_option="A", reasoning=" share "),
        make.record(2, chosen_option="b", reasoning="keep", RF=1, RC=0, AC=0, AF=0, judge_reason="one-sided"),
        make.record(3, chosen_option="B", reasoning="keep", scaffold_RC=1, scaffold_RF=0, scaffold_judge_reason="both"),
    )
    found = read_outputs(folder)
    assert [(each.persona.persona_id, each.level, each.option, each.decision) for each in found] == [
        ("1", "hard", "A", None), ("2", "hard", "B", "RF"), ("3", "hard", "B", "RC")
    ]  # fmt: skip
    assert [each.judge_reason for each in found] == ["", "one-sided", "both"]
    assert found[0].reasoning == "share"
    assert [each.problem for each in found] == [None, None, None]


def test_what_cannot_be_used_is_said(make, tmp_path):
    folder = make.folder(
        tmp_path / "out",
        make.record(1, chosen_option="", reasoning="", scaffold_RF=0, scaffold_RC=0, scaffold_AC=0, scaffold_AF=0),
        make.record(2, chosen_option="A or B", reasoning=None),
        make.record(3, chosen_option="A", reasoning="x", RF=1, AF=1),
        make.record(4, chosen_option="A", reasoning="x", RF=0, RC=0, AC=0, AF=0),
    )
    found = read_outputs(folder, "mid")
    assert [each.option for each in found] == [None, None, "A", "A"]
    assert [each.decision for each in found] == [None] * 4
    assert found[1].problem == "chosen_option is 'A or B'"
    assert found[2].problem == "the judge marked RF, AF of RF, RC, AC, AF"
    assert found[3].problem == "the judge marked none of RF, RC, AC, AF"


def test_the_level_is_named_or_in_the_record(make, tmp_path):
    folder = make.folder(tmp_path / "easy_or_hard", make.record(1, chosen_option="A", reasoning="x"))
    with pytest.raises(InputError, match="nothing says which dilemma was decided"):
        read_outputs(folder)
    assert read_outputs(folder, "easy")[0].level == "easy"
    make.folder(folder, make.record(1, chosen_option="A", reasoning="x", difficulty="Mid"))
    assert read_outputs(folder)[0].level == "mid"
    with pytest.raises(InputError, match="the level 'medium' is none of easy, mid, hard"):
        read_outputs(folder, "medium")


def test_a_data_set_is_no_output(make, tmp_path):
    folder = make.folder(tmp_path / "hard", make.record(1))
    with pytest.raises(InputError, match=r"persona_1.json: field chosen_option: is missing"):
        read_outputs(folder)


def test_jsonl_and_two_of_one_persona(make, tmp_path):
    line = json.dumps(make.record(1, chosen_option="A", reasoning="x", level="hard"))
    (tmp_path / "o.jsonl").write_text(line + "\n" + line)
    with pytest.raises(InputError, match=r"line 2: a second output of persona 1, hard"):
        read_outputs(tmp_path / "o.jsonl")
    (tmp_path / "o.jsonl").write_text(line)
    assert read_outputs(tmp_path / "o.jsonl")[0].option == "A"
