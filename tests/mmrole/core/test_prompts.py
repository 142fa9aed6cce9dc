import hashlib
from importlib.resources import files

import pytest

from mmrole.core.prompts import Prompt, load_prompt


def prompt(text):
    return Prompt(name="p", text=text, sha256="")


def test_every_variable_is_demanded_and_nothing_else():
    greeting = prompt("$name说：$question")
    assert greeting.variables == {"name", "question"}
    assert greeting.fill(name="王 $who", question="${x}?") == "王 $who说：${x}?"
    with pytest.raises(ValueError, match="prompt p: variables missing: question; not in the prompt: querstion"):
        greeting.fill(name="A", querstion="B")


def test_a_dollar_sign_that_begins_no_variable_is_refused():
    with pytest.raises(ValueError, match=r"prompt p: a \$ begins no variable"):
        prompt("costs $5")
    assert prompt("costs $$5").fill() == "costs $5"


def test_the_hash_is_that_of_the_file():
    found = load_prompt("textbench", "incharacter/interview.en")
    data = files("textbench").joinpath("prompts", "incharacter", "interview.en.md").read_bytes()
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert not found.text.endswith("\n")


def test_a_prompt_that_is_not_there():
    with pytest.raises(FileNotFoundError, match=r"the package textbench has no prompt 'incharacter/nothing.en'"):
        load_prompt("textbench", "incharacter/nothing.en")


def test_every_packaged_prompt_is_there_in_both_languages_with_the_same_variables():
    folder = files("textbench").joinpath("prompts", "incharacter")
    names = sorted(path.name.removesuffix(".md") for path in folder.iterdir() if path.name.endswith(".md"))
    english = [name.removesuffix(".en") for name in names if name.endswith(".en")]
    assert [f"{name}.{language}" for name in english for language in ("en", "zh")] == names
    for name in english:
        variables = [load_prompt("textbench", f"incharacter/{name}.{language}").variables for language in ("en", "zh")]
        assert variables[0] == variables[1], name
