import pytest

from mmrole.core.errors import InputError, StoreError
from textbench.rolecde.role_options import (
    Verdict,
    audit_agreement,
    audit_counts,
    file_verdicts,
    read_role_options,
    role_option_from,
    settle_role_options,
)


def verdict(option, kind="auditors", source="m", reason=None):
    return Verdict(source=source, kind=kind, option=option, reason=reason or (None if option else "unsettled"))


def of(make, *verdicts, **changed):
    return settle_role_options([make.persona(**changed)], {("ann", "easy"): verdicts})[0]


def test_nobody_says_so_it_is_assumed(make):
    found = settle_role_options([make.persona()])
    assert [(each.level, each.option, each.source, each.flagged) for each in found] == [
        ("easy", "B", "assumed", False), ("mid", "B", "assumed", False), ("hard", "B", "assumed", False)
    ]  # fmt: skip


def test_a_file_comes_before_the_data_and_the_data_before_auditors(make):
    record = make.record()
    record["dilemmas"]["easy"]["role_option"] = "A"
    dilemmas = record["dilemmas"]
    found = of(make, verdict("B", "file", "gold"), verdict("A"), dilemmas=dilemmas)
    assert (found.option, found.source, found.doubts) == ("B", "file", ("sources_disagree",))
    found = of(make, verdict("B"), dilemmas=dilemmas)
    assert (found.option, found.source, found.doubts) == ("A", "data", ("sources_disagree",))


def test_data_that_name_the_roles_option_have_no_default_to_differ_from(make):
    dilemmas = make.record()["dilemmas"]
    dilemmas["easy"]["role_option"] = "A"
    found = of(make, dilemmas=dilemmas)
    assert (found.option, found.source, found.flagged) == ("A", "data", False)
    assert of(make, verdict("A", "file", "gold")).doubts == ("differs_from_default",)


def test_the_majority_of_auditors_and_none_of_a_tie(make):
    found = of(make, verdict("A", source="x"), verdict("A", source="y"), verdict("B", source="z"))
    assert (found.option, found.source, found.doubts) == ("A", "auditors", ("differs_from_default", "sources_disagree"))
    found = of(make, verdict("A", source="x"), verdict("B", source="y"))
    assert (found.option, found.source, found.doubts) == ("B", "assumed", ("sources_disagree",))


def test_what_is_not_settled_or_not_read_is_flagged_and_assumed(make):
    found = of(make, verdict(None))
    assert (found.option, found.source, found.doubts) == ("B", "assumed", ("unsettled",))
    assert of(make, verdict(None, reason="unread")).doubts == ("unread",)


def test_stored_and_read_again(make):
    found = of(make, verdict("A"), verdict(None, source="k"))
    assert role_option_from(found.to_record()) == found
    with pytest.raises(StoreError, match="the audit is damaged"):
        role_option_from({"persona": "ann"})


def test_counts_and_agreement_of_sources(make):
    given = {
        ("ann", "easy"): [verdict("A", "file", "gold"), verdict("A")],
        ("ann", "mid"): [verdict("B", "file", "gold"), verdict("B")],
        ("ann", "hard"): [verdict("B", "file", "gold"), verdict(None)],
    }
    found = settle_role_options([make.persona()], given)
    assert audit_counts(found) == {
        "dilemmas": 3, "flagged": 2, "sources": {"file": 3}, "doubts": {"differs_from_default": 1, "unsettled": 1},
        "role_option": {"A": 1, "B": 2},
    }  # fmt: skip
    (score,) = audit_agreement(found)
    # the two that both have settled agree, one A and one B: kappa 1 by hand
    assert (score.part, score.value, score.n) == ("gold+m", 1.0, 2)


def test_a_table_with_a_byte_order_mark_another_order_and_semicolons(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffrole_option;ID;level;id\r\nb;x;Easy;1\r\n?;x;mid;1\r\nneither;x;hard;1\r\n".encode())
    assert read_role_options(path) == {("1", "easy"): "B", ("1", "mid"): None, ("1", "hard"): None}
    assert file_verdicts([("t", read_role_options(path))])["1", "mid"][0].reason == "unsettled"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,level\n1,easy\n", r"row 1: no column 'role_option'"),
        ("id,level,role_option\n1,easy,C\n", r"row 2, column role_option: .* got 'C'"),
        ("id,level,role_option\n1,easy,\n", r"row 2, column role_option: the cell is empty"),
        ("id,level,role_option\n1,medium,A\n", r"row 2, column level: .* got 'medium'"),
        ("id,level,role_option\n,easy,A\n", r"row 2, column id: the cell is empty"),
        ("id,level,role_option\n1,easy,A\n1,EASY,B\n", r"row 3: a second row for persona 1, easy"),
        ("id,level,role_option\n", r"there are no rows below the header"),
        ("id,level,role_option\n1,easy\n", r"line 2: 2 fields"),
    ],
)
def test_bad_tables(tmp_path, text, message):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_role_options(tmp_path / "t.csv")
