import dataclasses

from emotion.compare import paired_differences
from emotion.evaluate import score
from emotion.glossary import DIRECTIONS, METRICS, REASONS, counted_n, left_out_of, meaning_of, short_name, unit_of
from emotion.recognition import join_predictions
from mmrole.core.dialogue import played_turns
from mmrole.core.scores import Score


def all_scores(dialogues, votes):
    turns = [t.turn_id for d in dialogues if len(d.speakers) == 2 for _, t in played_turns(d)]
    judgements = [
        {"utterance_id": turn, "aspect": "exp", "judge": "j", "supporting": [{"quote": "q", "verified": n % 2 == 0}]}
        for n, turn in enumerate(turns)
    ] + [{"utterance_id": turn, "aspect": "rel", "judge": "j", "reason": "refusal"} for turn in turns[:1]]
    responses = [{"utterance_id": turn, "utterances": [] if n % 2 else [{}]} for n, turn in enumerate(turns)]
    report = score(dialogues, votes, responses, judgements, bootstrap=0)
    sets = score(dialogues, votes, labels="meld-7", bootstrap=0)
    predictions = [{"utterance_id": u.utterance_id, "label": u.emotion} for u in dialogues[0].utterances]
    joined = join_predictions(dialogues, predictions).score(bootstrap=0)
    return [*report.scores, *sets.scores, *joined.values(), *paired_differences(report, report, bootstrap=0)]


def test_every_name_in_scores_has_a_meaning(small):
    for row in all_scores(*small):
        assert row.metric in METRICS
        assert unit_of(row) != "items"
        assert DIRECTIONS[row.direction]
        for reason in (*row.excluded, *([row.reason] if row.reason else [])):
            assert reason in REASONS or reason.startswith("judgement_"), reason


def test_the_reasons_of_judges_are_their_own():
    assert meaning_of("judgement_truncated") == "judgements that gave no score: truncated"
    assert meaning_of("something_new") == "something new"


def test_short_names_tell_all_scores_of_a_run_apart(small):
    names = [short_name(row) for row in score(*small, bootstrap=0).scores]
    assert len(set(names)) == len(names)
    assert {"MEC lower", "ED face", "RCD inter", "RCD margin inter"} <= set(names)


def test_what_n_counts(small):
    report = score(*small, bootstrap=0)
    assert [unit_of(row) for row in report.scores if row.metric == "rcd"] == ["pairs of roles", "roles"] * 2


def test_what_is_left_out_has_its_own_unit(small):
    # by hand: votes are no utterances, turns without an answer are no responses
    row = score(*small, bootstrap=0)["ed", "all"]
    few = dataclasses.replace(row, excluded={"votes_without_label": 3, "fewer_than_two_votes": 1, "no_role": 0})
    assert left_out_of(few) == "votes_without_label 3 votes, fewer_than_two_votes 1 utterance"
    mec = score(*small, bootstrap=0)["mec", "lower"]
    out = dataclasses.replace(
        mec, excluded={"all_ambiguous": 1200, "no_votes": 1, "no_response": 2, "invalid_truth": 1}
    )
    assert (
        left_out_of(out)
        == "all_ambiguous 1,200 responses, no_votes 1 response, no_response 2 turns, invalid_truth 1 label"
    )
    samples = dataclasses.replace(mec, metric="exp", excluded={"no_response": 1, "judgement_refusal": 2})
    assert left_out_of(samples) == "no_response 1 sample, judgement_refusal 2 judgements"


def test_the_share_that_a_score_is_of_stands_beside_its_n(small):
    mec = score(*small, bootstrap=0)["mec", "lower"]
    assert counted_n(dataclasses.replace(mec, n=1, details={"coverage": 0.25})) == "1 response (coverage 25.0%)"
    assert counted_n(dataclasses.replace(mec, n=4, details={"coverage": 1.0})) == "4 responses"
    rcd = score(*small, bootstrap=0)["rcd", "inter"]
    assert counted_n(dataclasses.replace(rcd, n=1)) == "1 pair of roles"


def test_scores_of_benchmarks_count_decisions_dilemmas_and_answers():
    def counted(metric, definition):
        return unit_of(
            Score(metric=metric, part="all", value=0.5, n=2, definition=definition, bounds=(0, 1), direction="up")
        )

    assert counted("dbr", "rolecde/dbr/v1 metric=dbr") == "decisions"
    assert counted("去偏 DBR", "rolecde/dbr/v1 metric=debiased_dbr") == "dilemmas"  # as a picture names it
    assert counted("accuracy", "choices/accuracy/v1 over=all") == "answers"
    assert counted("profile_score", "lifechoice/profile-score/v1") == "items"
