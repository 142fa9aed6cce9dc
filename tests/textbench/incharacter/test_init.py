import subprocess
import sys

import pytest

import textbench.incharacter as incharacter


def test_every_name_is_there_and_listed():
    for name in incharacter.__all__:
        assert getattr(incharacter, name).__name__ == name
    assert sorted(incharacter.__all__) == sorted(incharacter._PLACES)
    assert set(incharacter.__all__) <= set(dir(incharacter))


def test_no_name_is_hidden_by_a_module():
    # a module of the same name would take the function's place once it is imported
    for name, place in incharacter._PLACES.items():
        assert place.rsplit(".", 1)[1] != name


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="has no attribute 'align'; it has Scale, alignment"):
        incharacter.align  # noqa: B018


def test_the_package_imports_nothing_heavy():
    code = (
        "import sys, textbench.incharacter; print([m for m in ('numpy', 'pydantic', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
