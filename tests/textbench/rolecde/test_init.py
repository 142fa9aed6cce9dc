import subprocess
import sys

import pytest

import textbench.rolecde as rolecde


def test_every_name_is_there():
    for name in rolecde.__all__:
        assert callable(getattr(rolecde, name))  # and no module of that name has taken its place
    assert set(rolecde.__all__) <= set(dir(rolecde))
    with pytest.raises(AttributeError, match="it has audit_agreement"):
        rolecde.dbrr  # noqa: B018


def test_importing_it_brings_nothing_with_it():
    code = "import sys, textbench.rolecde; assert not {'numpy', 'pydantic', 'mmrole.llm'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
