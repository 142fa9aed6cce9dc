from collections import Counter

from mmrole.cli.bench_outcome import estimate_record, exit_code, print_stage
from mmrole.llm import Estimate, Price, Spent, Stop
from mmrole.llm.stage import StageResult
from textbench.regeneration import RepeatedEstimate


def test_an_early_end_says_what_is_stored(capsys):
    result = StageResult(
        total=153, done=0, failed=0, pending=153, reused=0, unread=61, replies=61, statuses=Counter(unparsed=61),
        spent=Spent(calls=61, cost=0.0301), currency="USD", stopped=Stop(kind="max_cost", message="the limit is reached"),
    )  # fmt: skip
    print_stage(result, "calls")
    assert capsys.readouterr().out.splitlines() == [
        "153 calls = 0 done + 0 failed + 153 pending; 0 of them reused",
        "  unparsed 61",
        "  61 of those pending have replies that are stored but cannot be read: they are asked again",
        "  spent: 0.0301 USD for 61 new replies",
        "  ended early: the limit is reached",
    ]
    assert exit_code(result) == 3


def test_a_failure_names_its_run_once(capsys):
    failures = [
        {"item": "lamp-2/hierarchical/run1", "round": 0, "reason": "no_description"},
        {"item": "ann/IPIP-50/interview/1", "round": 2, "reason": "bad_request"},
    ]
    result = StageResult(
        total=2, done=0, failed=2, pending=0, reused=0, statuses=Counter(), spent=Spent(), currency="USD", failures=failures
    )  # fmt: skip
    print_stage(result, "questions")
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  failed: lamp-2/hierarchical/run1: no_description",
        "  failed: ann/IPIP-50/interview/1 in run 2: bad_request",
    ]


def estimate(calls, tokens, **more):
    return {
        "total": 2,
        "stored": 0,
        "cached": 0,
        "calls": calls,
        "prompt_tokens": tokens,
        "completion_tokens": None,
        **more,
    }


def test_an_estimate_holds_the_most_that_it_can_take():
    price = Price(input_per_million=1e6, output_per_million=0.0)
    found = RepeatedEstimate(
        **estimate(2, 20, price=price), regenerations=12, at_most=Estimate(**estimate(26, 260, price=price))
    )
    assert estimate_record(found)["at_most"]["calls"] == 26
    assert str(found).splitlines()[-1] == (
        "what cannot be read is asked for again, 12 times at most: in all at most 26 calls, about 260 prompt tokens, "
        "260.0000 USD for the prompts alone"
    )
    assert "at_most" not in estimate_record(Estimate(**estimate(2, 20)))
