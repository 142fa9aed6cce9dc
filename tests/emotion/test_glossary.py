from emotion.compare import paired_differences
from emotion.evaluate import score
from emotion.glossary import DIRECTIONS, METRICS, REASONS, meaning_of, short_name, unit_of
from emotion.recognition import join_predictions
from mmrole.core.dialogue import played_turns


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
