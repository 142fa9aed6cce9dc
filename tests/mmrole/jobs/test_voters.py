import json

from mmrole.jobs.voters import CountedVotes


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
