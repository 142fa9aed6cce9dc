import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest

import mmrole
from mmrole.core.errors import InputError, LockedError, ModelError, QuotaError, UsageError
from mmrole.core.lock import RunLock
from mmrole.core.manifest import read_manifest
from mmrole.jobs.judge import estimate_judge, judge
from mmrole.llm import ChatReply, ErrorKind, Price, Prices, ScriptedModel, Usage

FIT, LIE = ("supporting", "At the harbour", 2), ("contradicting", "He was king", 2)
SAYS = {
    ("exp", "harbour"): [FIT, ("supporting", "mended nets", 1)],  # 5, graded 5
    ("rel", "harbour"): [("contradicting", "frowns", 1)],  # 1, graded 2
    ("exp", "brother"): [LIE],  # an invented quote: nothing is left
    ("rel", "brother"): [("supporting", "brother", 2), LIE],  # 5: the invented quote does not count
    ("cha", "brother"): [("supporting", "said so", 1), ("contradicting", "grew up by the sea", 2)],  # 3, graded 2
    ("exp", "mountains"): [("contradicting", "I never liked snow.", 2)],  # 1
    ("rel", "mountains"): "I cannot help with that.",
}


def run(judged, *judges, out="out", **options):
    files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
    judges = judges or (judged.judge("a", SAYS), judged.judge("b", SAYS))
    return judge(judged.responses, **{**files, **options}, judges=judges, out=judged.folder / out)


def records(judged, out="out"):
    return [json.loads(line) for line in (judged.folder / out / "judgements.jsonl").read_text("utf-8").splitlines()]


def by_key(found):
    return {(r["utterance_id"], r["aspect"], r["judge"]): r for r in found}


def test_scores_are_what_the_scripted_judges_say(judged):
    done = run(judged)
    found = by_key(records(judged))
    assert len(found) == 5 * 3 * 2
    assert done.counts == {"inputs": 30, "done": 18, "failed": 0, "skipped": 12, "pending": 0, "reused": 0}
    # by hand from SAYS, both judges alike: exp (5 + 1) / 2, rel (1 + 5) / 2, cha 3
    assert {score.metric: (score.value, score.n) for score in done.scores} == {
        "exp": (3.0, 2), "rel": (3.0, 2), "cha": (3.0, 1),
    }  # fmt: skip
    exp, rel, cha = done.scores
    assert exp.excluded | {"no_profile": 1, "no_response": 1, "no_valid_judgement": 1} == exp.excluded
    assert (exp.excluded["unverified_evidence"], exp.excluded["judgement_no_evidence"]) == (2, 2)
    assert rel.excluded["judgement_refusal"] == 2
    assert cha.details["alpha_reason"] == "no_variation"
    assert exp.details["alpha"] == 1.0
    assert (
        found["d1_2", "rel", "b"]["contradicting"][0] | {"verified": False, "source": None}
        == (found["d1_2", "rel", "b"]["contradicting"][0])
    )
    assert done.skipped == {"no_profile": 1, "no_response": 1}


def test_no_call_is_made_for_what_cannot_be_judged(judged):
    model = judged.judge("a", SAYS)
    done = run(judged, model)
    assert model.calls == 3 * 3  # three responses with a profile and utterances
    found = by_key(records(judged))
    assert {found["d3_1", aspect, "a"]["reason"] for aspect in ("exp", "rel", "cha")} == {"no_profile"}
    silent = found["d1_3", "exp", "a"]
    assert (silent["reason"], silent["detail"]) == ("no_response", "refusal: the model declined")
    manifest = read_manifest(judged.folder / "out" / "manifest.json")
    assert manifest["skipped"] == [
        {"reason": "no_response", "role": "Bo", "show": "Harbour", "responses": 1},
        {"reason": "no_profile", "role": "Cy", "show": "Harbour", "responses": 1},
    ]
    assert "one judge only, a: there is no agreement between judges; MERRY has two or more" in done.notes


def test_each_aspect_is_judged_against_its_own_material(judged):
    model = judged.judge("a", SAYS)
    run(judged, model)
    texts = [request.messages[0].text for request in model.requests]
    assert sum("Bo mended nets at the harbour." in text for text in texts) == 2  # exp and rel of d1_1, by an alias
    assert all("The aspect is characteristics" not in text for text in texts if "What happened before" in text)
    found = by_key(records(judged))
    assert found["d1_1", "cha", "a"]["material"] == ["profile"]
    assert found["d1_1", "rel", "a"]["material"] == ["previous", "profile"]
    assert [found[key, "exp", "a"]["episode"] for key in ("d1_1", "d2_1", "d3_1")] == ["9", "10", None]


def test_the_manifest_says_what_the_run_was(judged):
    run(judged)
    manifest = read_manifest(judged.folder / "out" / "manifest.json")
    assert manifest["command"] == "judge"
    assert set(manifest["inputs"]) == {"responses", "dialogues", "roles", "previous"}
    assert manifest["settings"]["judges"] == {name: {"kind": "scripted", "model": name} for name in "ab"}
    assert (manifest["settings"]["method"], manifest["settings"]["language"]) == ("evidence", "en")
    assert set(manifest["settings"]["prompts"]) == {f"judge/{name}.en" for name in ("evidence", "exp", "rel", "cha")}
    assert set(manifest["files"]) == {"judgements.jsonl"}


def test_the_subjective_method(judged):
    model = judged.judge("a", {("exp", "harbour"): 4, ("exp", "brother"): 2, ("exp", "mountains"): 9})
    done = run(judged, model, method="subjective", aspects=["exp"])
    # 9 is no rating: unparsed, never cut down to 5
    assert (done.scores[0].value, done.scores[0].n) == (3.0, 2)
    assert done.scores[0].excluded["judgement_unparsed"] == 1
    assert (
        by_key(records(judged))["d1_1", "exp", "a"] | {"rating": 4, "explanation": "so it seems"}
        == (by_key(records(judged))["d1_1", "exp", "a"])
    )


def test_one_repair_request(judged):
    replies = iter(["hm", '{"supporting": [], "contradicting": []}', "hm", "hm"])
    model = ScriptedModel(lambda _: next(replies), name="m")
    done = run(judged, model, aspects=["cha"], roles=write(judged, "one.jsonl", judged.records["roles"][:1]))
    assert model.calls == 4
    assert done.stages["m"].statuses == {"ok": 1, "unparsed": 1}
    assert [r["reason"] for r in records(judged) if r["role"] == "Ann"] == [None, "unparsed"]


def write(judged, name, lines):
    path = judged.folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_interrupted_at_any_call_no_finished_call_is_asked_again(judged):
    run(judged, out="whole")
    expected = (judged.folder / "whole" / "judgements.jsonl").read_bytes()
    for end in range(18):
        models = [judged.judge(name, SAYS) for name in "ab"]
        asked = []

        def cut(model, asked=asked, end=end):
            def answer(request):
                if len(asked) == end:
                    asked.append("cut")
                    raise KeyboardInterrupt
                asked.append(request)
                return model._next(request, 0)

            return ScriptedModel(answer, name=model.name)

        cut_models = [cut(model) for model in models]
        with pytest.raises(KeyboardInterrupt):
            run(judged, *cut_models, out=f"cut{end}")
        assert not (judged.folder / f"cut{end}" / "judgements.jsonl").exists()
        run(judged, *cut_models, out=f"cut{end}")
        assert len(asked) == 18 + 1
        assert (judged.folder / f"cut{end}" / "judgements.jsonl").read_bytes() == expected


KILLED = """
    import asyncio, os, sys
    from mmrole.jobs.judge import judge
    from mmrole.llm import ScriptedModel
    folder, end = sys.argv[1], int(sys.argv[2])
    count = 0
    async def answer(request):
        global count
        count += 1
        if count > end:
            os.kill(os.getpid(), 9)
        with open(f"{folder}/asked", "a") as file:
            file.write("x")
        await asyncio.sleep(0.03)
        return '{"supporting": [], "contradicting": []}'
    class Slow(ScriptedModel):
        concurrency = 1
    files = {name: f"{folder}/{name}.jsonl" for name in ("dialogues", "roles", "previous")}
    judge(f"{folder}/responses.jsonl", **files, judges=[Slow(answer, name=name) for name in "ab"], out=f"{folder}/out")
"""


def test_killed_and_resumed(judged):
    script = judged.folder / "killed.py"
    script.write_text(textwrap.dedent(KILLED))

    def start(end):
        return subprocess.run(
            [sys.executable, script, judged.folder, str(end)], check=False, cwd=judged.folder
        ).returncode

    assert start(4) == -signal.SIGKILL
    assert start(9) == -signal.SIGKILL
    assert start(99) == 0
    # at most the reply in flight at each kill was lost
    assert 18 <= os.path.getsize(judged.folder / "asked") <= 20
    nothing = [ScriptedModel(lambda _: '{"supporting": [], "contradicting": []}', name=name) for name in "ab"]
    run(judged, *nothing, out="whole")
    assert (judged.folder / "out" / "judgements.jsonl").read_bytes() == (
        judged.folder / "whole" / "judgements.jsonl"
    ).read_bytes()


def test_a_second_run_asks_nothing_and_another_text_is_asked_anew(judged):
    models = [judged.judge(name, SAYS) for name in "ab"]
    run(judged, *models)
    before = (judged.folder / "out" / "judgements.jsonl").read_bytes()
    again = run(judged, *models)
    assert ([model.calls for model in models], again.counts["reused"]) == ([9, 9], 18)
    assert (judged.folder / "out" / "judgements.jsonl").read_bytes() == before
    judged.records["responses"][0]["utterances"][0]["text"] = "At the harbour, drinking."
    write(judged, "responses.jsonl", judged.records["responses"])
    run(judged, *models)
    assert [model.calls for model in models] == [12, 12]  # its three aspects


def test_a_third_judge_and_the_other_method_leave_what_is_stored(judged):
    models = [judged.judge(name, SAYS) for name in "abc"]
    run(judged, *models[:2])
    run(judged, *models, method="subjective")
    run(judged, *models)
    assert [model.calls for model in models] == [
        9 + 17
    ] * 3  # a refusal, and 8 replies without a rating, each with a repair request
    assert len(records(judged)) == 45


def test_errors_are_tried_again(judged):
    down = True

    def shaky(request):
        if down and "mountains." in request.messages[0].text and "experience:" in request.messages[0].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return '{"supporting": [], "contradicting": []}'

    model = ScriptedModel(shaky, name="m")
    done = run(judged, model)
    assert (done.counts["failed"], done.counts["done"]) == (1, 8)
    assert [r["reason"] for r in records(judged) if r["reason"] == "error"] == ["error"]
    down = False
    done = run(judged, model)
    assert (done.counts["failed"], model.calls) == (0, 10)
    assert "error" not in {r["reason"] for r in records(judged)}


def test_a_judge_that_cannot_answer_does_not_stop_the_others(judged):
    dead = ScriptedModel(lambda _: QuotaError("nothing left"), name="dead")
    other = judged.judge("a", SAYS)
    with pytest.raises(ModelError, match="judge dead: nothing left"):
        run(judged, dead, other)
    assert other.calls == 9
    assert not (judged.folder / "out" / "judgements.jsonl").exists()
    assert read_manifest(judged.folder / "out" / "manifest.json")["counts"]["failed"] == 9
    # what an earlier run made of other judges does not stay beside a manifest that does not know it
    run(judged, other)
    with pytest.raises(ModelError):
        run(judged, dead, other)
    assert not (judged.folder / "out" / "judgements.jsonl").exists()


def test_the_limit_on_cost_is_for_all_judges_together(judged):
    tokens = Usage(prompt_tokens=1_000_000, completion_tokens=0)

    def paid(name):
        answer = ChatReply(
            text='{"supporting": [], "contradicting": []}', finish_reason="stop",
            usage=tokens, spent=tokens,
        )  # fmt: skip
        return ScriptedModel(lambda _: answer, name=name)

    prices = Prices(models={name: Price(input_per_million=1, output_per_million=0) for name in "ab"})
    done = run(judged, paid("a"), paid("b"), prices=prices, max_cost=12.0)
    spent = sum(stage.spent.cost for stage in done.stages.values())
    assert 9 <= spent <= 12
    assert done.stages["a"].done == 9
    assert done.stages["b"].stopped.kind == "max_cost"
    assert (done.judgements, done.scores) == (None, [])
    with pytest.raises(UsageError, match="a cost limit needs the price of 'c'"):
        run(judged, paid("a"), paid("c"), prices=prices, max_cost=1.0, out="none")
    assert not (judged.folder / "none").exists()


def test_an_estimate_asks_nothing_and_makes_nothing(judged):
    model = judged.judge("a", SAYS)
    files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
    found = estimate_judge(judged.responses, **files, judges=[model], out=judged.folder / "out")
    assert (found["a"].total, found["a"].calls, model.calls) == (9, 9, 0)
    assert not (judged.folder / "out").exists()
    run(judged, model)
    found = estimate_judge(judged.responses, **files, judges=[model], out=judged.folder / "out")
    assert (found["a"].stored, found["a"].calls) == (9, 0)


def test_the_replies_of_a_judge_are_of_one_model(judged):
    run(judged, judged.judge("a", SAYS))
    with pytest.raises(UsageError, match="holds the replies of the judge a, a, not other: choose another folder"):
        judge(
            judged.responses, dialogues=judged.dialogues, roles=judged.roles, judges={"a": judged.judge("other", SAYS)},
            out=judged.folder / "out",
        )  # fmt: skip


def test_other_responses_or_another_language_are_refused(judged):
    run(judged, judged.judge("a", SAYS))
    before = (judged.folder / "out" / "judgements.jsonl").read_bytes()
    with pytest.raises(UsageError, match="out holds judgements with language en, not zh: choose another folder"):
        run(judged, judged.judge("a", SAYS), lang="zh")
    write(judged, "responses.jsonl", [{**each, "condition": "none"} for each in judged.records["responses"]])
    with pytest.raises(UsageError, match=r"with judgements of responses of \w+ \(\w+\), not responses of \w+ \(none\)"):
        run(judged, judged.judge("a", SAYS))
    assert (judged.folder / "out" / "judgements.jsonl").read_bytes() == before


def test_usage(judged):
    model = judged.judge("a", SAYS)
    for options, message in (
        ({"method": "guess"}, "method has to be one of evidence, subjective, not 'guess'"),
        ({"aspects": ["exp", "looks"]}, "aspects are exp, rel, cha, not 'looks'"),
        ({"aspects": []}, "no aspect was named"),
        ({"lang": "fr"}, "the language of the prompts is one of en, zh, not 'fr'"),
    ):
        with pytest.raises(UsageError, match=message):
            run(judged, model, **options)
    with pytest.raises(UsageError, match="two judges are called 'a'"):
        run(judged, model, model)
    with RunLock(judged.folder / "out"), pytest.raises(LockedError):
        run(judged, model)
    with pytest.raises(InputError, match=r"nothing\.jsonl: cannot be read"):
        run(judged, model, roles=judged.folder / "nothing.jsonl")
    assert model.calls == 0


def test_the_name_in_the_package(judged):
    assert mmrole.judge is judge


def test_without_any_response_to_judge(judged):
    for response in judged.records["responses"]:
        response |= {"utterances": None, "status": "refusal", "reason": "no"}
    write(judged, "responses.jsonl", judged.records["responses"])
    done = run(judged, judged.judge("a", SAYS))
    assert "no response can be judged" in done.notes
    assert {score.reason for score in done.scores} == {"no_valid_judgement"}
    assert done.counts | {"inputs": 15, "done": 0, "skipped": 15} == done.counts
