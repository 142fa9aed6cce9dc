import pytest

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score
from textbench.incharacter.tables import dimensions_table, percent, results_table


def score(metric, value, n=157):
    return Score(
        metric=metric, part="BFI", value=value, n=n, definition="d", bounds=(0.0, 1.0),
        direction="up" if metric.startswith("acc") else "down", reason=None if value is not None else "no_pairs",
    )  # fmt: skip


RESULTS = {
    "SR_1": {
        "BFI": {"acc_dim": score("acc_dim", 0.6327), "mae": score("mae", 0.2359)},
        "16P": {"acc_dim": score("acc_dim", 0.5)},
    },
    "ER|b": {
        "BFI": {"acc_dim": score("acc_dim", 0.7389), "mae": score("mae", 0.1924)},
        "16P": {"acc_dim": score("acc_dim", None)},
    },
}


def test_percent_with_one_digit():
    assert [percent(score("mae", value)) for value in (0.23594, 1.0, 0.0)] == ["23.6", "100.0", "0.0"]
    assert percent(score("mae", None)) == percent(None) == "–"


def test_markdown():
    table = results_table(RESULTS, ["acc_dim", "mae"], corner="method", caption="Table 2", best=True)
    assert table.to_markdown() == (
        "Table 2\n\n"
        "| method | BFI Acc_Dim ↑ | BFI MAE ↓ | 16P Acc_Dim ↑ | 16P MAE |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| SR_1 | 63.3 | 23.6 | 50.0 | – |\n"
        "| ER\\|b | **73.9** | **19.2** | – | – |\n"
    )


def test_latex():
    assert results_table(RESULTS, ["acc_dim", "mae"], corner="method", best=True, caption="A & B").to_latex() == "\n".join(
        [
            r"\begin{table}", r"\centering", r"\begin{tabular}{lrrrr}", r"\toprule",
            r" & \multicolumn{2}{c}{BFI} & \multicolumn{2}{c}{16P} \\", r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}",
            r"method & Acc\_Dim $\uparrow$ & MAE $\downarrow$ & Acc\_Dim $\uparrow$ & MAE \\", r"\midrule",
            r"SR\_1 & 63.3 & 23.6 & 50.0 & -- \\", r"ER|b & \textbf{73.9} & \textbf{19.2} & -- & -- \\",
            r"\bottomrule", r"\end{tabular}", r"\caption{A \& B}", r"\end{table}", "",
        ]
    )  # fmt: skip


def test_ties_as_printed_are_all_best():
    rows = {name: {"BFI": {"mae": score("mae", value)}} for name, value in (("a", 0.2001), ("b", 0.2002), ("c", 0.3))}
    assert results_table(rows, ["mae"], best=True).bold == ((True,), (True,), (False,))


def test_dimensions_with_counts_and_without_groups():
    table = dimensions_table({"Openness": {"acc_dim": score("acc_dim", 0.75, 32), "mse": score("mse", 0.1267, 32)}})
    assert (table.columns, table.rows) == (("Acc_Dim ↑", "MSE ↓", "n"), (("Openness", ("75.0", "12.7", "32")),))
    assert "multicolumn" not in table.to_latex()
    assert table.to_markdown().startswith("|  | Acc_Dim ↑ | MSE ↓ | n |\n")


def test_nothing_is_no_table():
    with pytest.raises(UsageError, match="a table needs results"):
        results_table({}, ["mae"])
