import json

import pytest

from emotion.experts.expert import BASELINE_NOTE
from mmrole.core.errors import InputError
from mmrole.jobs.voters import CountedVotes, Electors


def test_votes_are_counted_by_expert_each_time_they_are_read(tmp_path):
    path = tmp_path / "votes.jsonl"
    records = [
        {"expert": "a"},
        {"expert": "words", "note": "baseline, not for reporting"},
        {"expert": "a"},
        {"expert": 3},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    votes = CountedVotes(path)
    for _ in range(2):
        assert len(list(votes)) == 4  # what is no vote is refused by whoever counts them
    assert dict(votes.experts) == {"a": 2, "words": 1}
    assert votes.notes == ["1 of the 3 votes are of baselines, not for reporting: words"]
    assert votes.place(2).endswith("votes.jsonl, line 3")


def test_votes_of_a_run_that_ended_early_are_told(tmp_path):
    path = tmp_path / "votes.jsonl"
    path.write_text('{"expert": "a", "status": "error"}\n{"expert": "b", "status": "ok"}\n', "utf-8")
    votes = CountedVotes(path)
    assert len(list(votes)) == 2
    assert votes.notes == ["1 of the 2 votes failed or were not asked for: mmrole recognize is not through"]


def chosen(tmp_path, **electors):
    path = tmp_path / "votes.jsonl"
    records = [{"expert": "words", "note": BASELINE_NOTE}, {"expert": "a"}, {"expert": "b"}, {"expert": "a"}]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return CountedVotes(path, Electors(**electors))


def test_votes_may_be_of_some_experts_or_without_baselines(tmp_path):
    votes = chosen(tmp_path, baselines=False)
    assert [record["expert"] for record in votes] == ["a", "b", "a"]
    assert votes.place(0).endswith("line 2")  # the line in the file, not the number among what is left
    assert votes.notes == ["1 vote of other experts or of baselines was left out, as asked for"]
    votes = chosen(tmp_path, experts=("a",))
    assert (len(list(votes)), dict(votes.experts), votes.left_out) == (2, {"a": 2}, 2)
    assert votes.place(1).endswith("line 4")


def test_a_choice_that_leaves_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no vote of the expert 'c'; there are experts a, b, words"):
        list(chosen(tmp_path, experts=("a", "c")))
    with pytest.raises(InputError, match=r"all votes that were chosen are of baselines"):
        list(chosen(tmp_path, experts=("words",), baselines=False))
