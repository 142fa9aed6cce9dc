from collections import Counter

import pytest

from mmrole.core.errors import ModelError, UsageError
from mmrole.jobs.bench.stages import checked_name, judge_name, lines, manifest_of, write_manifest
from mmrole.llm import ScriptedModel, Spent, Stop
from mmrole.llm.stage import StageResult


def result(**more):
    return StageResult(total=3, done=1, failed=0, pending=2, reused=0, statuses=Counter(ok=1), spent=Spent(), **more)


def test_a_manifest_says_what_a_stage_did_and_why_it_ended(tmp_path):
    manifest = manifest_of("incharacter", "grade", {"runs": 2}, {"judge": "j"}, libraries=("mmrole",))
    assert (manifest.command, list(manifest.libraries)) == ("bench incharacter grade", ["mmrole"])
    write_manifest(manifest, tmp_path / "m.json", result(stopped=Stop(kind="max_cost", message="no money")))
    assert manifest.counts["pending"] == 2
    assert (manifest.extra["judge"], manifest.extra["stopped"], manifest.extra["statuses"]) == (
        "j",
        "no money",
        {"ok": 1},
    )
    assert (tmp_path / "m.json").is_file()


def test_only_a_model_that_cannot_answer_is_an_error():
    result().raise_if_stopped()
    result(stopped=Stop(kind="max_cost", message="no money")).raise_if_stopped()
    with pytest.raises(ModelError, match="no quota"):
        result(stopped=Stop(kind="model", message="no quota")).raise_if_stopped()


def test_the_name_of_a_judge():
    model = ScriptedModel([], name="org/judge 7B")
    assert judge_name("here", model) == "here"
    assert judge_name(model, model) == "org-judge-7B"
    assert judge_name(model, model, "mine") == "mine"
    assert judge_name("法官", model) == "model"
    for name in ("../x", "", "a" * 101, ".hidden"):
        with pytest.raises(UsageError, match="is no name for the grades of a judge"):
            checked_name(name)


def test_lines():
    assert lines([{"b": 1, "a": "中"}, {}]).decode().splitlines()[1] == "{}"
    assert "中" in lines([{"a": "中"}]).decode()
