from __future__ import annotations

import subprocess
import sys

import pytest

import mmrole.llm as llm


def test_every_public_name_is_there():
    assert llm.__all__ == sorted(llm.__all__)
    assert sorted(llm._HOME_OF) == sorted(llm.__all__)
    for name in llm.__all__:
        assert getattr(llm, name).__name__ == name
    assert set(llm.__all__) <= set(dir(llm))


def test_an_unknown_name_is_no_attribute():
    with pytest.raises(AttributeError, match="'ScriptModel'"):
        llm.ScriptModel  # noqa: B018


def test_importing_it_is_light():
    heavy = "{'openai', 'httpx', 'httpx2', 'torch', 'transformers', 'asyncio', 'pydantic'} & set(sys.modules)"
    code = f"import sys, mmrole.llm; sys.exit(str({heavy} or '') or None)"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_what_needs_no_network_brings_no_http_library():
    code = (
        "import sys; from mmrole.llm import run_batch, ScriptedModel, ReplyCache, read_config, Endpoint, LocalChatModel; "
        "sys.exit(', '.join({'openai', 'httpx', 'httpx2', 'torch', 'transformers'} & set(sys.modules)) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
