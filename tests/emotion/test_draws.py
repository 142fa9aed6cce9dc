import numpy as np
import pytest

from emotion.corpus import corpus_of
from emotion.draws import Draws, TransitionCounts
from emotion.metrics import edd, rcd
from emotion.responses import responses_of
from emotion.transitions import TransitionMatrix
from emotion.votes import count_votes
from mmrole.core.bootstrap import Estimate, draw_weights, mean_of_sums
from mmrole.core.labels import label_set

CPED = label_set("cped-13")


@pytest.fixture
def responses(large):
    dialogues, votes = large
    return responses_of(corpus_of(dialogues, CPED), count_votes(votes))


def test_draws_of_transitions_are_the_metrics_of_resampled_dialogues(responses):
    # each draw once more: the transitions of every drawn dialogue, as often as it was drawn, given to the metrics
    counts = TransitionCounts.of(responses, "inter")
    draws = Draws(responses)
    kept = [number for number, role in enumerate(counts.roles) if role != "Dan"]
    draws.add_transitions(counts, kept)
    ((edds, pairwise, margins),) = draws.run(draws=20, rcd_draws=5, seed=2).dynamics
    assert (len(edds), len(pairwise), len(margins)) == (20, 5, 5)
    weights = np.concatenate(list(draw_weights(draws.clusters, 20, 2))).astype(int)
    for number, row in enumerate(weights):
        sides = []
        for role, cell, cluster in counts.sides:
            times = row[cluster]
            matrices = {}
            for k in kept:
                flat = np.bincount(np.repeat(cell[role == k], times[role == k]), minlength=169)
                matrices[counts.roles[k]] = TransitionMatrix(counts=flat.reshape(13, 13), labels=CPED)
            sides.append(matrices)
        truth, prediction = sides
        assert edds[number] == pytest.approx(edd(prediction, truth, 1).value, abs=1e-12)
        if number < 5:
            assert pairwise[number] == pytest.approx(rcd(prediction, truth, "pairwise", 1).value, abs=1e-9)
            assert margins[number] == pytest.approx(rcd(prediction, truth, "margin", 1).value, abs=1e-9)


def test_a_role_without_a_transition_leaves_the_draw(responses):
    counts = TransitionCounts.of(responses, "intra")
    draws = Draws(responses)
    draws.add_transitions(counts, range(len(counts.roles)), drop_self_loops=True)
    draws.add_transitions(counts, [])
    (edds, pairwise, _), nobody = draws.run(draws=10, rcd_draws=10, seed=0).dynamics
    assert np.isfinite(edds).all()
    assert np.isfinite(pairwise).all()
    assert all(np.isnan(values).all() for values in nobody)


def test_estimates_share_the_draws(responses):
    draws = Draws(responses)
    values = np.arange(len(responses.turn), dtype=np.float64)
    for factor in (1.0, 2.0):
        rows = np.column_stack([factor * values, np.ones(len(values))])
        draws.add(Estimate(rows=rows, statistic=mean_of_sums), responses.dialogue)
    drawn = draws.run(draws=30, rcd_draws=0, seed=1)
    assert drawn.estimates[1] == pytest.approx(2 * drawn.estimates[0])
    assert len(drawn.flat()) == 2


def test_no_draws(responses):
    draws = Draws(responses)
    draws.add_transitions(TransitionCounts.of(responses, "intra"), [0])
    assert [len(values) for values in draws.run(draws=0, rcd_draws=0, seed=0).flat()] == [0, 0, 0]


def test_matrices_by_role(responses):
    counts = TransitionCounts.of(responses, "intra")
    sides = counts.by_role()
    assert sum(sides.truth.values()).total == len(counts.sides[0][0])
    table = counts.by_cluster(1, [1], Draws(responses).clusters, drop_self_loops=False)
    assert table.sum() == sides.prediction[counts.roles[1]].total
    assert table.sum(axis=1).astype(int).tolist() == sides.prediction[counts.roles[1]].counts.ravel().tolist()
