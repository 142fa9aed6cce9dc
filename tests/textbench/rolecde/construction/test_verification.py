import random
from itertools import combinations

import numpy as np
import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.review import read_sheet, write_sheet
from textbench.rolecde.construction import construct, sheet_rows, verify
from textbench.rolecde.construction.verification import COLUMNS, FILL, SheetRow


@pytest.fixture
def personas(tmp_path, seeds, asking_of):
    return construct(seeds[:2], asking_of(), tmp_path / "made").personas


@pytest.fixture
def filled(tmp_path, personas):
    """Fills a sheet: `answers` is (persona, level) -> answers that differ from usable, A, salience 1."""

    def fill(name, answers=(), only=None):
        rows = []
        for row in sheet_rows(personas):
            unit = (row["persona"], row["level"])
            if only is None or unit in only:
                rows.append({**row, "valid": 1, "role_option": "A", "salience": 1, **dict(answers).get(unit, {})})
        write_sheet(tmp_path / name, COLUMNS, rows, fill=FILL)
        return read_sheet(tmp_path / name, SheetRow)

    return fill


def value(found, metric, part):
    return next(score for score in found.scores if (score.metric, score.part) == (metric, part))


def test_what_all_say_alike_stands(personas, filled):
    found = verify(personas, [filled(f"{n}.csv") for n in range(4)])
    assert [one["by"] for one in found.decisions] == ["all"] * 6
    assert {dilemma.role_option for persona in found.accepted for dilemma in persona.dilemmas.values()} == {"A"}
    assert value(found, "arbitration", "valid").value == 0.0
    # nobody differs from anybody: there is nothing that could go together
    assert value(found, "pairwise_pearson", "salience").reason == "no_variation"


def test_what_they_do_not_goes_to_the_leader(personas, filled):
    odd = {("0", "easy"): {"valid": 0, "role_option": None, "salience": None}, ("1", "mid"): {"salience": 2}}
    sheets = [filled("a.csv", odd.items()), *(filled(f"{n}.csv") for n in range(3))]
    found = verify(personas, sheets)
    assert [(one["persona"], one["level"]) for one in found.disputed] == [("0", "easy"), ("1", "mid")]
    assert "salience: 2, 1, 1, 1" in found.disputed[1]["remark"]
    assert {one["reason"] for one in found.rejected} == {"undecided"}
    # by hand: one of six units on validity; of the five that all four answered, one on salience
    assert value(found, "arbitration", "valid").value == pytest.approx(1 / 6)
    score = value(found, "arbitration", "salience")
    assert (score.value, score.n, score.excluded) == (pytest.approx(1 / 5), 5, {"not_answered_by_all": 1})
    leader = filled("leader.csv", {("0", "easy"): {"valid": "no"}}.items(), only={("0", "easy"), ("1", "mid")})
    settled = verify(personas, sheets, leader)
    assert settled.disputed == ()
    assert settled.rejected == ({"persona": "0", "level": "easy", "reason": "invalid"},)
    assert [sorted(persona.dilemmas) for persona in settled.accepted] == [["hard", "mid"], ["easy", "hard", "mid"]]


def test_pearson_is_over_pairs_of_annotators(personas, filled):
    units = [("0", "easy"), ("0", "mid"), ("0", "hard"), ("1", "easy"), ("1", "mid"), ("1", "hard")]
    scales = ([0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2], [2, 1, 0, 2, 1, 0])
    sheets = [
        filled(f"{n}.csv", {unit: {"salience": mark} for unit, mark in zip(units, scale, strict=True)}.items())
        for n, scale in enumerate(scales)
    ]
    score = value(verify(personas, sheets), "pairwise_pearson", "salience")
    # by hand: the first two are alike (r = 1), the third is the reverse of both (r = -1)
    assert score.value == pytest.approx(-1 / 3)
    assert (score.details["low"], score.details["high"]) == (pytest.approx(-1), pytest.approx(1))


def test_against_a_plain_loop(personas, filled):
    """Arbitration and correlations on four annotators at random; what one of them finds unusable has no further answers."""
    rng = random.Random(0)
    units = [(each.persona_id, level) for each in personas for level in each.dilemmas]
    given = []
    for _ in range(4):
        usable = {unit: int(rng.random() < 0.8) for unit in units}
        more = {
            unit: {"role_option": rng.choice("AB"), "salience": rng.randrange(3)}
            if usable[unit]
            else {"role_option": "", "salience": ""}
            for unit in units
        }
        given.append({unit: {"valid": usable[unit], **more[unit]} for unit in units})
    found = verify(personas, [filled(f"{n}.csv", answers.items()) for n, answers in enumerate(given)])
    for question in ("valid", "role_option", "salience"):
        columns = [[answers[unit][question] for answers in given] for unit in units]
        whole = [column for column in columns if "" not in column]
        assert value(found, "arbitration", question).value == sum(len(set(column)) > 1 for column in whole) / len(whole)
        assert value(found, "arbitration", question).n == len(whole)
        numbers = [[{"A": 0, "B": 1}.get(column[n], column[n]) for column in columns] for n in range(4)]
        wanted = []
        for one, other in combinations(numbers, 2):
            x, y = zip(*((a, b) for a, b in zip(one, other, strict=True) if "" not in (a, b)), strict=True)
            if len(set(x)) > 1 < len(set(y)):
                wanted.append(np.corrcoef(x, y)[0, 1])
        score = value(found, "pairwise_pearson", question)
        assert (score.value, score.n) == (pytest.approx(np.mean(wanted)), len(wanted))
    assert len(found.rejected) + sum(len(each.dilemmas) for each in found.accepted) == len(units)


def test_one_annotator_is_too_few(personas, filled):
    with pytest.raises(UsageError, match="two or more"):
        verify(personas, [filled("a.csv")])


def test_a_row_that_is_missing_or_strange_is_named(personas, filled, tmp_path):
    with pytest.raises(InputError, match=r"part\.csv: 0 mid is missing"):
        verify(personas, [filled("a.csv"), filled("part.csv", only={("0", "easy")})])
    (tmp_path / "odd.csv").write_text("persona,level,valid\n9,easy,1\n")
    with pytest.raises(InputError, match=r"odd\.csv, row 2: there is no dilemma easy of persona '9'"):
        verify(personas, [filled("a.csv"), read_sheet(tmp_path / "odd.csv", SheetRow)])


@pytest.mark.parametrize(
    ("cells", "message"),
    [("0,easy,maybe,A,1", "column valid"), ("0,easy,1,C,1", "column role_option"), ("0,easy,1,A,3", "column salience")],
)
def test_a_cell_that_makes_no_sense_is_named(tmp_path, cells, message):
    (tmp_path / "s.csv").write_text(f"persona,level,valid,role_option,salience\n{cells}\n")
    with pytest.raises(InputError, match=message):
        read_sheet(tmp_path / "s.csv", SheetRow)


def test_a_sheet_that_is_half_filled_is_refused_with_its_cell(personas, filled):
    half = filled("half.csv", {("0", "mid"): {"salience": None}}.items())
    with pytest.raises(InputError, match=r"half\.csv, row 3, column salience: the cell is empty"):
        verify(personas, [filled("a.csv"), half])
    sheets = [filled("a.csv"), filled("b.csv", {("0", "mid"): {"role_option": "B"}}.items())]
    # the leader has to answer what the annotators differ on, and nothing else
    open_still = filled("leader.csv", {("0", "mid"): {"role_option": None}}.items(), only={("0", "mid")})
    with pytest.raises(InputError, match=r"leader\.csv, row 2, column role_option: the cell is empty"):
        verify(personas, sheets, open_still)
    answered = filled("leader.csv", {("0", "mid"): {"role_option": "B", "salience": None}}.items(), only={("0", "mid")})
    found = verify(personas, sheets, answered)
    assert (found.disputed, found.accepted[0].dilemmas["mid"].role_option) == ((), "B")
    assert next(one for one in found.decisions if one["by"] == "leader")["leader"]["role_option"] == "B"


def test_the_leader_may_say_in_any_dispute_that_a_dilemma_is_not_usable(personas, filled):
    # all find it usable and differ on its salience alone
    sheets = [filled("a.csv", {("0", "easy"): {"salience": 2}}.items()), filled("b.csv"), filled("c.csv")]
    leader = filled("leader.csv", {("0", "easy"): {"valid": 0, "salience": None}}.items(), only={("0", "easy")})
    found = verify(personas, sheets, leader)
    assert found.rejected == ({"persona": "0", "level": "easy", "reason": "invalid"},)
    assert next(one for one in found.decisions if one["persona"] == "0" and one["level"] == "easy")["by"] == "leader"
