import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.incharacter import build


def test_what_is_prepared(files, tmp_path):
    result = build(tmp_path / "run", **files, methods=("SR", "OC", "ER_batch"), runs=2, with_roleless=True)
    assert result.characters == ["ann", "wang", "roleless-en", "roleless-zh"]
    assert (result.scales, result.styles, result.items, result.runs) == ({"Tiny": 6}, ["SR", "interview"], 4 * 2 * 6, 2)
    lines = (tmp_path / "run" / "items.jsonl").read_text("utf-8").splitlines()
    assert len({json.loads(line)["item_id"] for line in lines}) == 48


def test_the_packaged_example_needs_no_file(tmp_path):
    result = build(tmp_path / "run", only=["sun-wukong"], setting="D+M")
    assert (result.characters, result.items) == (["sun-wukong"], 50)
    assert "齐天大圣" in (tmp_path / "run" / "items.jsonl").read_text("utf-8")


def test_nothing_is_written_when_a_text_is_missing(files, tmp_path):
    path = tmp_path / "scales" / "Tiny.json"
    record = json.loads(path.read_text())
    record["questions"]["3"]["rewritten_zh"] = ""
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"Tiny.json: questions.3.rewritten_zh: is missing or empty"):
        build(tmp_path / "run", **files)
    assert not (tmp_path / "run").exists()


def test_a_folder_with_answers_keeps_its_plan(files, built, agent, tmp_path):
    from mmrole.jobs.bench.incharacter import run

    folder = built()
    run(folder, agent().model)
    built()  # the same again
    with pytest.raises(UsageError, match="holds answers to another plan"):
        built(runs=3)
