import json
from fractions import Fraction

import pytest

from emotion.options import ScoreOptions

CHANGED = ScoreOptions(
    threshold=Fraction(2, 3), min_valid=Fraction(1, 4), average="jaccard", empty="miss", min_transitions=3, kinds=("same_speaker",),
    drop_self_loops=True, equalise=True, two_speakers_only=False, nobody=frozenset({"路人", ""}), cec_measure="pairwise",
    ed_measure="alpha", rc_method="graded", truth_map="a-to-b",
)  # fmt: skip


@pytest.mark.parametrize("options", [ScoreOptions(), CHANGED])
def test_options_survive_their_record(options):
    record = json.loads(json.dumps(options.to_record(), sort_keys=True))
    assert ScoreOptions.from_record(record) == options


def test_fractions_are_exact():
    assert CHANGED.to_record()["threshold"] == "2/3"


def test_every_option_differs_in_the_example():
    plain = ScoreOptions().to_record()
    assert all(plain[name] != value for name, value in CHANGED.to_record().items())


def test_a_record_without_an_option_is_refused():
    record = ScoreOptions().to_record()
    del record["equalise"]
    with pytest.raises(KeyError, match="equalise"):
        ScoreOptions.from_record(record)
