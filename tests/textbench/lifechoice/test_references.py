import pytest

from mmrole.core.errors import UsageError
from textbench.lifechoice.references import reference_for, references


def test_every_figure_has_its_version():
    found = references()
    # arXiv 2404.12138 v1 and v2, EMNLP 2025 Findings
    assert {name: each.decisions for name, each in found.items()} == {"v1": 1401, "v2": 1462, "emnlp": 2512}
    assert found["v1"].accuracies["CharMap"] == 0.7695
    assert found["v2"].accuracies["CharMap"] == 0.6795


@pytest.mark.parametrize(
    ("version", "data", "said"),
    [
        ("v1", "v2", "cannot stand beside"),
        ("v1", "own", "build with --data-version v1"),
        ("v3", "v3", "versions are v1, v2, emnlp"),
        ("emnlp", "emnlp", "no accuracies of version emnlp"),
    ],
)
def test_versions_are_never_mixed(version, data, said):
    with pytest.raises(UsageError, match=said):
        reference_for(version, data)
