import json

import pytest

from mmrole.core.errors import InputError, LockedError, ModelError, QuotaError, UsageError
from mmrole.core.lock import RunLock
from mmrole.jobs.bench.rolecde import build, estimate_audit, run
from mmrole.llm import ScriptedModel


def audit_of(folder):
    lines = (folder / "audit.jsonl").read_text("utf-8").splitlines()
    return {(r["persona"], r["level"]): r for r in map(json.loads, lines)}


def test_without_any_source_everything_is_assumed(personas, tmp_path):
    result = build(tmp_path / "run", personas=personas)
    assert (result.items, result.personas) == (9, ["ann", "rev", "wang"])
    assert result.counts["sources"] == {"assumed": 9}
    assert result.counts["flagged"] == 0
    assert "assumed to be B" in (tmp_path / "run" / "audit.md").read_text("utf-8")


def test_a_file_finds_the_reversed_persona_at_every_level(built):
    found = audit_of(built())
    assert {key for key, each in found.items() if each["doubts"]} == {
        ("rev", level) for level in ("easy", "mid", "hard")
    }
    assert {each["role_option"] for (name, _), each in found.items() if name == "rev"} == {"A"}


def test_auditors_find_it_too_and_are_compared_with_the_file(built, script, personas, gold, tmp_path):
    auditor = script.auditor()
    result = build(tmp_path / "run", personas=personas, auditors=[auditor.model])
    assert auditor.answered.total() == 18  # nine dilemmas in both orders
    assert result.counts["role_option"] == {"A": 3, "B": 6}
    assert result.counts["sources"] == {"auditors": 9}
    result = build(tmp_path / "both", personas=personas, role_option_files=[gold], auditors=[script.auditor().model])
    (score,) = result.agreement
    assert (score.part, score.value, score.n) == ("gold+auditor", 1.0, 9)


def test_auditors_that_disagree_or_follow_the_letter(script, personas, tmp_path):
    letter = script.auditor("letter", says=lambda *_: '{"option": "A"}')
    unsure = script.auditor("unsure", says=lambda *_: '{"option": "both"}')
    mute = script.auditor("mute", says=lambda *_: "hm")
    models = [each.model for each in (script.auditor(), letter, unsure, mute)]
    result = build(tmp_path / "run", personas=personas, auditors=models)
    assert result.audits["mute"].statuses == {"unparsed": 18}
    assert mute.answered.total() == 18 * 4  # three regenerations
    found = audit_of(tmp_path / "run")["ann", "easy"]
    assert found["role_option"] == "B"  # by the one that has settled it
    assert found["doubts"] == ["unsettled", "unread"]
    assert [each["reason"] for each in found["verdicts"]] == [None, "unsettled", "unsettled", "unread"]


def test_interrupted_at_any_call_no_finished_call_is_asked_again(script, personas, tmp_path):
    whole = script.auditor()
    build(tmp_path / "whole", personas=personas, auditors=[whole.model])
    for end in range(18):
        auditor = script.auditor(end=end)
        with pytest.raises(KeyboardInterrupt):
            build(tmp_path / f"cut{end}", personas=personas, auditors=[auditor.model])
        assert not (tmp_path / f"cut{end}" / "audit.jsonl").exists()
        build(tmp_path / f"cut{end}", personas=personas, auditors=[auditor.model])
        assert auditor.answered == whole.answered
        for name in ("audit.jsonl", "audit.md", "items.jsonl", "plan.json", "personas.jsonl"):
            assert (tmp_path / f"cut{end}" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_an_auditor_that_cannot_answer_leaves_an_earlier_audit(built, script):
    folder = built()
    before = (folder / "audit.jsonl").read_bytes()
    broken = ScriptedModel(lambda _: QuotaError("nothing left"), name="broken")
    with pytest.raises(ModelError, match="nothing left"):
        built(auditors=[broken])
    assert (folder / "audit.jsonl").read_bytes() == before


def test_another_audit_of_a_folder_with_answers_but_no_other_questions(built, script):
    folder, agent = built(), script.agent()
    run(folder, agent.model)
    built(role_option_files=[])  # the questions stay the same
    assert {each["source"] for each in audit_of(folder).values()} == {"assumed"}
    assert run(folder, agent.model).reused == 18
    with pytest.raises(UsageError, match="holds answers to another plan"):
        built(style="cot")


def test_an_estimate_writes_nothing(personas, script, tmp_path):
    found = estimate_audit(tmp_path / "run", personas=personas, auditors=[script.auditor().model])
    assert {name: each.calls for name, each in found.items()} == {"auditor": 18}
    assert not (tmp_path / "run").exists()


def test_some_personas_and_levels(built):
    folder = built(only=["rev"], levels=("hard",), orders=("BA",))
    items = (folder / "items.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(item)["item_id"] for item in items] == ["rev/hard/BA"]


def test_bad_personas_are_listed_on_request(built, personas):
    (personas / "persona_bad.json").write_text('{"id": "bad"}')
    with pytest.raises(InputError, match=r"persona_bad\.json: field expanded_role"):
        built()
    folder = built(skip_invalid=True)
    manifest = json.loads((folder / "audit" / "manifest.json").read_text("utf-8"))
    assert manifest["counts"] == {"inputs": 4, "done": 3, "failed": 0, "skipped": 1}
    assert "field expanded_role" in manifest["skipped"][0]["reason"]


def test_a_table_of_other_personas(built, tmp_path):
    (tmp_path / "other.csv").write_text("id,level,role_option\nnobody,easy,A\n")
    with pytest.raises(
        InputError, match="none of its dilemmas is one of these personas; the first is persona nobody, easy"
    ):
        built(role_option_files=[tmp_path / "other.csv"])


def test_one_run_at_a_time(built, tmp_path):
    folder = built()
    with RunLock(folder), pytest.raises(LockedError):
        built()


def test_the_packaged_example(tmp_path):
    result = build(tmp_path / "run", role_option_files=["example"])
    assert result.counts["sources"] == {"file": 12}
    flagged = {(each.persona, each.level) for each in result.options if each.flagged}
    assert {level for name, level in flagged if name == "goalkeeper"} == {
        "easy",
        "mid",
        "hard",
    }  # reversed at every level


def test_only_the_levels_that_are_asked_are_audited(personas, script, tmp_path):
    record = json.loads((personas / "persona_ann.json").read_text("utf-8"))
    del record["dilemmas"]["hard"]
    (personas / "persona_ann.json").write_text(json.dumps(record))
    auditor = script.auditor()
    result = build(tmp_path / "run", personas=personas, levels=("hard",), auditors=[auditor.model])
    assert (auditor.answered.total(), result.counts["dilemmas"], result.personas) == (4, 2, ["rev", "wang"])
    assert result.skipped == [{"path": "persona ann", "reason": "it has no dilemma of the levels hard"}]
    with pytest.raises(InputError, match="persona ann: it has no dilemma of the levels hard; nor has any other"):
        build(tmp_path / "none", personas=personas, only=["ann"], levels=("hard",))


def test_an_audit_of_other_personas_does_not_stay(built, script):
    folder = built()
    with pytest.raises(KeyboardInterrupt):
        built(only=["ann"], auditors=[script.auditor(end=3).model])
    assert not (folder / "audit.jsonl").exists()
    built(only=["ann"])
    assert len(audit_of(folder)) == 3
