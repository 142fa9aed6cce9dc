import csv
import re

import pytest

from mmrole.core.scores import Score
from mmrole.jobs.comparison_tables import (
    Comparison,
    Pair,
    Run,
    best_runs,
    csv_table,
    key_of,
    latex,
    latex_table,
    markdown_page,
    pair_numbers,
    signed,
)


def made(metric, part, value, direction="up", name="x/v1", **fields):
    return Score(
        metric=metric, part=part, value=value, n=4, definition=f"{name} o=1", bounds=(None, None), direction=direction,
        reason=None if value is not None else "no_roles", **fields,
    )  # fmt: skip


def pairwise(value):
    return made("rcd", "inter", value, "zero", "rcd/hellinger-pairwise/v1")


def margin(value):
    return made("rcd", "inter", value, "up", "rcd/hellinger-margin/v1")


RUNS = [
    Run(
        name="一号_&",
        scores=[made("mec", "lower", 0.5, ci=(0.4, 0.6)), made("ed", "all", 0.2, "down"), pairwise(-0.1), margin(0.3)],
        coverage={"answered": 1000, "played_turns": 2000},
    ),
    Run(
        name="B|C",
        scores=[
            made("mec", "lower", 0.5004),
            made("mec", "upper", 0.9),
            made("ed", "all", 0.1, "down"),
            pairwise(0.05),
        ],
        coverage={"answered": 3, "played_turns": 3},
    ),
    Run(name="D", scores=[made("mec", "lower", 0.2), made("ed", "all", None, "down"), pairwise(0.2)], coverage={}),
]
DIFFERENCES = [
    made("mec", "lower", -0.02, ci=(-0.1, 0.1), details={"first": 0.5, "second": 0.48}, excluded={"only_in_first": 7}),
    made(
        "edd", "inter", 0.1, ci=(0.0, 0.2), details={"first": 0.5, "second": 0.6, "ci_note": "may not hold the value"}
    ),
    made("ed", "all", None, "down", details={"first": 0.5, "second": None}),
]
COMPARISON = Comparison(
    runs=RUNS, pairs=[Pair(first="一号_&", second="B|C", scores=DIFFERENCES)], bootstrap=1000, seed=0
)  # fmt: skip


def keys():
    return {f"{key[0]} {key[1]} {key[2].split('/')[1]}": key for key in COMPARISON.columns()}


def test_columns_of_all_runs_by_metric():
    assert list(keys()) == [
        "mec lower v1", "mec upper v1", "ed all v1", "rcd inter hellinger-pairwise", "rcd inter hellinger-margin",
    ]  # fmt: skip
    assert [key for key in COMPARISON.columns() if key not in COMPARISON.main_columns()] == [key_of(margin(0.0))]


@pytest.mark.parametrize(
    ("column", "best"),
    [
        ("mec lower v1", {0, 1}),  # equal as they are printed
        ("ed all v1", {1}),  # lower is better, an undefined value is not the best
        ("rcd inter hellinger-pairwise", {1}),  # nearest to 0
        ("mec upper v1", set()),  # nothing to compare it with
    ],
)
def test_the_best_of_a_column(column, best):
    assert best_runs(COMPARISON, keys()[column]) == best


def test_nothing_is_best_when_all_are_equal():
    runs = [Run(name=str(n), scores=[made("mec", "lower", 0.5)], coverage={}) for n in range(2)]
    comparison = Comparison(runs=runs, pairs=[], bootstrap=0, seed=0)
    assert best_runs(comparison, key_of(runs[0].scores[0])) == set()


def test_markdown():
    page = markdown_page(COMPARISON, ["look | here"])
    assert r"**note**: look \| here" in page
    assert r"| 一号\_& | 1,000 of 2,000 | **0.500** [0.400, 0.600] |  | 0.200 | -0.100 |" in page
    assert r"| B\|C | 3 of 3 | **0.500** | 0.900 | **0.100** | **0.050** |" in page
    assert "| D | 0 of 0 | 0.200 |  | – (no_roles) | 0.200 |" in page
    assert "MEC lower ↑" in page
    assert "RCD inter →0" in page
    assert "only: RCD margin inter" in page
    assert r"### B\|C minus 一号\_&" in page
    assert (
        "| MEC lower ↑ | 0.500 | 0.480 | -0.020 | [-0.100, 0.100] | 4 responses | only_in_first 7 responses |" in page
    )
    assert "| EDD inter ↑ | 0.500 | 0.600 | +0.100 | [0.000, 0.200] † | 4 roles | – |" in page
    assert "| ED all ↓ | 0.500 | – | – (no_roles) |" in page
    assert "† may not hold the value." in page
    assert "- no_roles: no role has enough transitions" in page


def test_latex():
    text = latex_table(COMPARISON)
    lines = text.splitlines()
    assert r"\begin{tabular}{lrrrr}" in lines
    assert (
        r" & \multicolumn{2}{c}{MEC $\uparrow$} & \multicolumn{1}{c}{ED $\downarrow$} & \multicolumn{1}{c}{RCD $\to 0$} \\"
        in lines
    )
    assert r" & lower & upper & all & inter \\" in lines
    assert r"一号\_\& & \textbf{0.500} &  & 0.200 & $-0.100$ \\" in lines
    assert r" & {\scriptsize [0.400, 0.600]} &  &  &  \\" in lines
    assert r"D & 0.200 &  & -- & 0.200 \\" in lines
    # every row has the columns that the head announces
    body = [line for line in lines if line.endswith(r"\\") and "multicolumn" not in line]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in body} == {4}
    assert "\\cmidrule(lr){2-3} \\cmidrule(lr){4-4} \\cmidrule(lr){5-5}" in lines


def test_text_in_latex():
    assert latex("a_b & 50% #1 {x} ~ ^ \\ $") == (
        r"a\_b \& 50\% \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{} \$"
    )


def test_csv():
    rows = list(csv.DictReader(csv_table(COMPARISON).splitlines()))
    assert [row["run"] for row in rows] == ["一号_&", "B|C", "D"]
    first = rows[0]
    assert (first["MEC lower"], first["MEC lower low"], first["MEC lower high"], first["MEC lower n"]) == (
        "0.5",
        "0.4",
        "0.6",
        "4",
    )
    assert first["RCD margin inter"] == "0.3"
    assert first["MEC upper"] == rows[2]["ED all"] == ""
    assert rows[2]["ED all reason"] == "no_roles"


@pytest.mark.parametrize(("value", "text"), [(0.1, "+0.100"), (-0.1, "-0.100"), (0.0, "0.000"), (-0.0001, "0.000")])
def test_signs(value, text):
    assert signed(value) == text


def test_each_run_is_compared_with_the_first_or_every_two():
    assert pair_numbers(3, all_pairs=False) == [(0, 1), (0, 2)]
    assert pair_numbers(3, all_pairs=True) == [(0, 1), (0, 2), (1, 2)]
