import json
import signal
import subprocess
import sys

import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.rolecde import build, grade, run, score


@pytest.mark.parametrize(
    ("kind", "expected"), [("first", (0.5, 0.5, 1.0)), ("role", (1.0, 0.0, 0.0)), ("alignment", (0.0, 0.0, 0.0))]
)
def test_three_agents_whose_scores_are_known(graded, kind, expected):
    """Also on the persona whose options are reversed at every level."""
    (result,) = score(graded(kind), bootstrap=50)
    for items, n in (("all", 9), ("without_flagged", 6)):
        found = [result.score(metric, items=items) for metric in ("debiased_dbr", "position_bias", "flip_rate")]
        assert tuple(each.value for each in found) == expected
        assert found[0].n == n
    assert result.score("debiased_dbr", "C8").value == expected[0]  # the reversed one alone
    assert result.score("coverage").value == 1.0


def test_assumed_role_options_turn_the_reversed_persona_round(graded):
    """Without an audit an agent that follows its role is said to leave it there: 6 of 9, and 0 in its category."""
    (result,) = score(graded(role_option_files=[]), bootstrap=0)
    assert result.score("dbr").value == pytest.approx(6 / 9)
    assert result.score("dbr", "C8").value == 0.0


def test_the_files(graded):
    folder = graded()
    (result,) = score(folder, bootstrap=20)
    home = folder / "grades" / "judge"
    assert result.folder == home
    counts = result.score("dbr").details["counts"]
    assert counts == {"RF": 12, "RC": 6, "AC": 0, "AF": 0}  # easy ones grant the other side something
    records = [json.loads(line) for line in (home / "scores.jsonl").read_text("utf-8").splitlines()]
    assert {record["items"] for record in records} == {"all", "without_flagged"}
    outcomes = [json.loads(line) for line in (home / "outcomes.jsonl").read_text("utf-8").splitlines()]
    assert (len(outcomes), outcomes[0]["cluster"], outcomes[0]["value"]) == (18, "ann", 1.0)
    page = (home / "scores.md").read_text("utf-8")
    assert "## Without flagged dilemmas" in page
    assert "C8 Family & Relationship" in page
    # all 3 personas x 3 levels are decided in both orders; flip_rate and the rest are of these pairs
    assert "| all | 18 | 18 | 18 | 12 | 6 | 0 | 0 | 9 |" in page
    assert "position_bias, the share of decisions for the option shown first" in page
    manifest = json.loads((home / "scored.json").read_text("utf-8"))
    assert manifest["counts"] == {"inputs": 18, "done": 18, "failed": 0, "skipped": 0}
    before = (home / "scores.jsonl").read_bytes()
    score(folder, bootstrap=20)
    assert (home / "scores.jsonl").read_bytes() == before


def test_parse_and_judge_failures_stay_out_of_the_denominator_visibly(built, script):
    folder = built(orders=("AB",))

    def says(text, _):
        if "of ann" in text:
            return "Both have their merits."
        return json.dumps({"chosen_option": script.role_letter(text), "reasoning": "Long " * ("hard" in text)})

    run(folder, script.agent(says=says).model)
    grade(folder, script.judge(says=lambda text, _: "hm" if "Long" in text else '{"verdict": "following"}').model)
    (result,) = score(folder, bootstrap=0)
    # ann: three unparsed; easy and mid of rev and wang: no reasons; their hard ones: the judge could not be read
    assert result.score("coverage").details["missing"] == {"choice_unparsed": 3, "no_reasoning": 4, "judge_unparsed": 2}
    assert (result.score("dbr").value, result.score("dbr").reason, result.undecided) == (None, "no_decisions", 9)
    assert (result.score("role_share").value, result.score("role_share").n) == (1.0, 6)
    page = (folder / "grades" / "judge" / "scores.md").read_text("utf-8")
    assert "0 of 9 have a decision, 6 an option." in page
    assert "| all | 9 | 6 | 0 |" in page
    assert "differ by these 6 alone: they have an option, but judge_unparsed 2, no_reasoning 4." in page


def test_judges_side_by_side(graded, script):
    folder = graded()
    grade(folder, script.judge("other", says=lambda *_: '{"verdict": "following"}').model)
    results = score(folder, bootstrap=0)
    assert [each.folder.name for each in results] == ["judge", "other"]
    found = {(of, each.metric, each.part): each for of, each in results[0].agreement}
    kappa = found["form", "kappa_cohen", "judge+other"]
    # 6 of 18 differ; the second judge is constant: observed = expected = 2/3, kappa 0
    assert kappa.details["observed_agreement"] == pytest.approx(2 / 3)
    assert kappa.value == 0.0
    shares = found["form", "alpha", "nominal"].details["distributions"]["judge"]
    assert shares == {"compromise": pytest.approx(1 / 3), "following": pytest.approx(2 / 3)}
    assert (folder / "agreement.jsonl").is_file()
    assert [each.folder.name for each in score(folder, grades="other", bootstrap=0)] == ["other"]
    with pytest.raises(UsageError, match="holds no grades of nobody: it holds grades of judge, other"):
        score(folder, grades="nobody")


def test_nothing_to_score(built, graded):
    with pytest.raises(UsageError, match="holds no grades: make them with mmrole bench rolecde grade"):
        score(built("other"))
    folder = graded()
    (folder / "audit.jsonl").unlink()
    with pytest.raises(StoreError, match="the audit has not come to its end"):
        score(folder)


KILLED = """
import json, os, signal, sys
from mmrole.jobs.bench.rolecde import grade, run
from mmrole.llm import ScriptedModel
folder, stage, end = sys.argv[1], sys.argv[2], int(sys.argv[3])
calls = 0
def says(request):
    global calls
    if calls == end:
        os.kill(os.getpid(), signal.SIGKILL)
    calls += 1
    print(calls, flush=True)
    return '{"chosen_option": "A", "reasoning": "mine"}' if stage == "run" else '{"verdict": "following"}'
model = ScriptedModel(says, name=stage)
run(folder, model) if stage == "run" else grade(folder, model)
"""


def test_killed_between_two_calls_and_resumed(built, tmp_path):
    """A real SIGKILL in each stage: nothing that was stored is asked again, and the files are those of a whole run."""

    def stage(folder, name, end):
        done = subprocess.run([sys.executable, "-c", KILLED, folder, name, str(end)], capture_output=True, text=True)
        return done.returncode, len(done.stdout.split())

    files = {}
    for name, kills in (("whole", (99,)), ("killed", (5, 99))):
        folder = built(name)
        for which in ("run", "grade"):
            codes = [stage(folder, which, end) for end in kills]
            assert codes[-1][0] == 0
            if name == "killed":
                assert codes[0] == (-signal.SIGKILL, 5)
                assert codes[1][1] <= 18  # what had been stored was not asked again
        score(folder, bootstrap=10)
        home = folder / "grades" / "grade"
        files[name] = [
            (home / each).read_bytes() for each in ("ratings.jsonl", "scores.jsonl", "scores.md", "outcomes.jsonl")
        ]
    assert files["whole"] == files["killed"]


def test_the_packaged_example_end_to_end(tmp_path, script):
    build(tmp_path / "run", role_option_files=["example"], orders=("AB", "BA"), style="cot", with_values=True)
    run(tmp_path / "run", script.agent(says=lambda *_: '{"reasoning": "因为", "chosen_option": "A"}').model)
    grade(tmp_path / "run", script.judge().model)
    (result,) = score(tmp_path / "run", bootstrap=20)
    assert (result.score("debiased_dbr").value, result.score("position_bias").value) == (0.5, 0.5)


def test_an_audit_of_other_dilemmas(graded):
    folder = graded()
    path = folder / "audit.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]))
    with pytest.raises(StoreError, match="is the audit of other dilemmas: run mmrole bench rolecde build again"):
        score(folder)


def test_grades_of_answers_that_changed_since_are_refused_until_they_are_graded_again(built, script):
    folder = built(orders=("AB",))
    failing = {"ann"}

    def says(text, _):
        if any(f"of {name}" in text for name in failing):
            return TimeoutError("no reply")
        return json.dumps({"chosen_option": script.role_letter(text), "reasoning": "It is mine."})

    run(folder, script.agent(says=says).model)
    grade(folder, script.judge().model)
    (before,) = score(folder, bootstrap=0)
    assert before.score("coverage").details["missing"]["choice_error"] == 3
    failing.clear()
    run(folder, script.agent(says=says).model)
    with pytest.raises(
        StoreError, match=r"3 of 9 decisions that judge graded were answered anew since: run mmrole bench rolecde grade"
    ):
        score(folder, bootstrap=0)
    grade(folder, script.judge().model)
    assert score(folder, bootstrap=0)[0].score("coverage").value == 1.0
