import json
import tomllib

import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.bench.rolecde import MiniPlan, estimate_mini, mini
from mmrole.llm.cost import Price, Prices

RESULTS = ("sft.jsonl", "dpo.jsonl", "accepted.jsonl", "rejected.jsonl", "unpaired.jsonl", "training.toml")


@pytest.fixture
def plan(personas, gold):
    def make(**more):
        return MiniPlan(**{"personas": personas, "role_option_files": [gold]} | more)

    return make


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_answers_become_corpora_and_a_log_of_rejects(plan, script, tmp_path):
    teacher, judge, out = script.teacher(), script.judge(), tmp_path / "mini"
    result = mini(plan(samples=2), teacher.model, judge.model, out=out)
    # three personas, three levels, four decision types, two samples; the Chinese third is declined and not judged
    assert (teacher.answered.total(), result.judge.total) == (72, 48)
    counts = result.corpora.counts
    assert counts["answers"] == counts["accepted"] + counts["spare"] + counts["rejected"] == 72
    assert counts["accepted"] == counts["spare"] == 24
    assert counts["reasons"] == {"answer_refusal": 24}
    assert counts["dpo_by_pair"] == {"RC>AC": 6, "RF>AF": 6}
    assert (len(rows(out / "sft.jsonl")), len(rows(out / "dpo.jsonl"))) == (12, 12)
    for row in rows(out / "sft.jsonl"):  # also of the persona whose options are reversed
        said = json.loads(row["messages"][-1]["content"])
        assert f"{said['chosen_option']}: keep the map" in row["messages"][1]["content"]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["counts"] == {"inputs": 72, "done": 72, "failed": 0, "skipped": 0}
    assert manifest["corpora"] == counts
    assert set(manifest["files"]) == {name for name in RESULTS if name.endswith(".jsonl")}


def test_the_documented_settings_lie_beside_the_corpora(plan, script, tmp_path):
    mini(plan(), script.teacher().model, script.judge().model, out=tmp_path / "mini")
    text = (tmp_path / "mini" / "training.toml").read_text()
    found = tomllib.loads(text)
    # RoleCDE: LoRA r 16, alpha 32, dropout .05 on seven projections; SFT 5e-5, DPO 1e-5 with beta .1
    assert (found["lora"]["r"], found["lora"]["alpha"], found["lora"]["dropout"]) == (16, 32, 0.05)
    assert len(found["lora"]["target_modules"]) == 7
    assert (found["sft"]["learning_rate"], found["dpo"]["learning_rate"], found["dpo"]["beta"]) == (5e-5, 1e-5, 0.1)
    assert "partly circular" in text


def test_what_nobody_is_sure_of_is_left_out_and_counted(plan, script, tmp_path, gold):
    gold.write_text("id,level,role_option\nann,easy,B\nrev,hard,A\nrev,mid,?\n")
    result = mini(plan(), script.teacher().model, script.judge().model, out=tmp_path / "mini")
    assert result.teacher.total == 2 * 4
    assert {each["reason"] for each in result.left_out} == {"role option: assumed"}
    manifest = json.loads((tmp_path / "mini" / "manifest.json").read_text())
    assert manifest["counts"] == {"inputs": 15, "done": 8, "failed": 0, "skipped": 7}
    assert mini(
        plan(include_doubtful=True), script.teacher().model, script.judge().model, out=tmp_path / "all"
    ).teacher.total == 9 * 4  # fmt: skip


def test_interrupted_at_any_call_it_ends_with_the_same_bytes(plan, script, tmp_path):
    short = plan(only=("rev",), levels=("easy",))
    whole = tmp_path / "whole"
    mini(short, script.teacher().model, script.judge().model, out=whole)
    for asked, end in [("teacher", n) for n in range(4)] + [("judge", n) for n in range(4)]:
        out = tmp_path / f"{asked}{end}"
        teacher = script.teacher(end=end if asked == "teacher" else None)
        judge = script.judge(end=end if asked == "judge" else None)
        with pytest.raises(KeyboardInterrupt):
            mini(short, teacher.model, judge.model, out=out)
        assert not (out / "sft.jsonl").exists()
        stored = sum(len(rows(out / name)) for name in ("teacher.jsonl", "verdicts.jsonl") if (out / name).exists())
        before = teacher.answered.total() + judge.answered.total()
        mini(short, teacher.model, judge.model, out=out)
        assert teacher.answered.total() + judge.answered.total() - before == 8 - stored
        for name in RESULTS:
            assert (out / name).read_bytes() == (whole / name).read_bytes()


def test_other_settings_take_no_answer_from_before(plan, script, tmp_path):
    out = tmp_path / "mini"
    mini(plan(samples=2), script.teacher().model, script.judge().model, out=out)
    fewer = mini(plan(only=("ann",)), script.teacher().model, script.judge().model, out=out)
    assert (fewer.corpora.counts["answers"], fewer.teacher.reused) == (12, 12)
    mini(plan(only=("ann",)), script.teacher().model, script.judge().model, out=tmp_path / "alone")
    for name in RESULTS:
        assert (out / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


@pytest.mark.parametrize(("who", "asked"), [("teacher", 0), ("judge", 36)])
def test_a_cost_limit_of_both_writes_no_corpora(plan, script, tmp_path, who, asked):
    teacher, judge, out = script.teacher(), script.judge(), tmp_path / "mini"
    prices = Prices(currency="EUR", models={who: Price(input_per_million=1e6, output_per_million=1e6)})
    prices = Prices(
        currency="EUR", models={"teacher": Price(input_per_million=0, output_per_million=0)} | dict(prices.models)
    )
    prices = Prices(
        currency="EUR", models={"judge": Price(input_per_million=0, output_per_million=0)} | dict(prices.models)
    )
    result = mini(plan(), teacher.model, judge.model, out=out, prices=prices, max_cost=0.0)
    assert result.corpora is None
    assert (teacher.answered.total(), judge.answered.total()) == (asked, 0)
    assert not (out / "sft.jsonl").exists()
    assert json.loads((out / "manifest.json").read_text())["counts"]["failed"] == 36 - (12 if who == "judge" else 0)
    assert mini(plan(), teacher.model, judge.model, out=out).corpora.counts["accepted"] == 24
    assert teacher.answered.total() == 36


def test_a_call_that_failed_is_asked_again_and_rejected_until_then(plan, script, tmp_path):
    def fails(text, number):
        return TimeoutError("gone") if "in their own words" in text else script.teacher().says(text, number)

    out = tmp_path / "mini"
    result = mini(plan(), script.teacher(says=fails).model, script.judge().model, out=out)
    assert (result.teacher.failed, result.corpora.counts["reasons"]["answer_error"]) == (6, 6)
    assert mini(plan(), script.teacher().model, script.judge().model, out=out).corpora.counts["accepted"] == 24


@pytest.mark.parametrize(
    "reply", ["", "null", "[" * 2000, '{"chosen_option": "A"}', '{"chosen_option": ["A"], "reasoning": {}}', "\x00"]
)
def test_broken_replies_are_rejects(plan, script, tmp_path, reply):
    result = mini(plan(), script.teacher(says=lambda *_: reply).model, script.judge().model, out=tmp_path / "mini")
    assert (result.corpora.counts["rejected"], result.corpora.sft, result.corpora.dpo) == (36, [], [])


def test_half_a_character_in_the_reasons_is_replaced(plan, script, tmp_path):
    reply = '{"chosen_option": "A", "reasoning": "half \\ud83d of it"}'
    mini(plan(), script.teacher(says=lambda *_: reply).model, script.judge().model, out=tmp_path / "mini")
    assert rows(tmp_path / "mini" / "rejected.jsonl")[0]["reasoning"] == "half � of it"


def test_an_estimate_asks_nobody_and_writes_nothing(plan, script, tmp_path):
    teacher, judge, out = script.teacher(), script.judge(), tmp_path / "mini"
    found = estimate_mini(plan(), teacher.model, judge.model, out=out)
    assert {name: each.calls for name, each in found.items()} == {"teacher": 36, "judge": 0}
    assert not out.exists()
    mini(plan(), teacher.model, judge.model, out=out)
    found = estimate_mini(plan(), teacher.model, judge.model, out=out)
    assert {name: (each.total, each.calls) for name, each in found.items()} == {"teacher": (36, 0), "judge": (24, 0)}


def test_another_teacher_or_judge_is_refused(plan, script, tmp_path):
    mini(plan(), script.teacher().model, script.judge().model, out=tmp_path / "mini")
    with pytest.raises(UsageError, match="holds the replies of the judge judge, not teacher"):
        mini(plan(), script.teacher().model, script.teacher().model, out=tmp_path / "mini")
