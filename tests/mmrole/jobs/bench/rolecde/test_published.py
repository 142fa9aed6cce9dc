import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde import grade, score, take_judgements, take_outputs


def outputs(personas, folder, **of):
    """Outputs of some personas: id -> fields."""
    folder.mkdir()
    for name, fields in of.items():
        record = json.loads((personas / f"persona_{name}.json").read_text("utf-8"))
        (folder / f"persona_{name}.json").write_text(json.dumps(record | fields), "utf-8")
    return folder


@pytest.fixture
def upstream(built):
    def made(**more):
        return built(orders=("AB",), style="upstream", levels=("hard",), **more)

    return made


def test_decisions_and_the_judge_of_a_published_run(upstream, personas, tmp_path):
    """The judge takes B for the role's option: on the reversed persona its direction is wrong, and the option decides."""
    folder = upstream()
    path = outputs(
        personas,
        tmp_path / "S5_evaluation_hard_m",
        ann={"chosen_option": "B", "reasoning": "mine", "RF": 1, "RC": 0, "AC": 0, "AF": 0, "judge_reason": "x"},
        rev={"chosen_option": "A", "reasoning": "mine, but", "scaffold_RF": 0, "scaffold_AC": 1},
        wang={"chosen_option": "A", "reasoning": "给", "AF": 1},
    )
    result = take_outputs(folder, path)
    assert (result.total, result.done) == (3, 3)
    taken = take_judgements(folder, path)
    assert (taken.name, taken.counts) == (
        "published",
        {"decisions": 3, "judged": 3, "not_judged": 0, "other_direction": 0},
    )
    (found,) = score(folder, bootstrap=0)
    decisions = {each["persona"]: each["decision"] for each in found.decisions}
    assert decisions == {"ann": "RF", "rev": "RC", "wang": "AF"}  # AC in the output, where A was taken for alignment


def test_a_judge_of_ones_own_on_published_decisions(upstream, personas, script, tmp_path):
    folder = upstream()
    path = outputs(personas, tmp_path / "hard", ann={"chosen_option": "B", "reasoning": "Although so, mine"})
    result = take_outputs(folder, path)
    assert (result.done, result.failed) == (1, 2)  # two personas have no output
    grade(folder, script.judge().model)
    (found,) = score(folder, bootstrap=0)
    assert found.score("dbr").details["counts"]["RC"] == 1
    assert found.score("coverage").details["missing"] == {"choice_error": 2}
    with pytest.raises(InputError, match="no output holds what a judge said"):
        take_judgements(folder, path)


def test_what_does_not_fit(upstream, built, personas, tmp_path):
    path = outputs(personas, tmp_path / "hard", ann={"chosen_option": "B", "reasoning": "mine"})
    with pytest.raises(UsageError, match="build the folder with --prompt upstream --runs 1"):
        take_outputs(built("neutral"), path)
    folder = upstream()
    with pytest.raises(InputError, match="no output is of a persona and level"):
        take_outputs(folder, path, level="easy")
    record = json.loads((path / "persona_ann.json").read_text("utf-8"))
    record["dilemmas"]["hard"]["option_A"] = "another option"
    (path / "persona_ann.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match="the options of persona ann, hard, are not those"):
        take_outputs(folder, path)
