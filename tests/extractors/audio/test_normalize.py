import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.moments import FeatureSummary
from extractors.audio.normalize import LEVEL_WORDS, Utterance, level_word, normalize
from extractors.audio.prosody import ProsodyFeatures
from mmrole.core.media import Caution

NOTHING = np.full(40, np.nan)


def _utterance(pitch=NOTHING, volume=NOTHING, speed=NOTHING, **who):
    curves = {"pitch": pitch, "volume": volume, "speed": speed}
    features = ProsodyFeatures(**{name: FeatureSummary.of(np.asarray(curve, float)) for name, curve in curves.items()})
    return Utterance(features=features, **who)


def _spoken(seed, speaker=None, gender=None, shift=0.0, frames=60):
    rng = np.random.default_rng(seed)
    pitch, volume, speed = rng.normal(size=(3, frames)) * [[0.2], [6.0], [1.0]] + [[5.0 + shift], [-30.0], [4.0]]
    return _utterance(pitch, volume, speed, speaker=speaker, gender=gender)


def test_by_hand():
    # frames of the corpus 1, 1, 5, 5: mean 3, standard deviation 2
    low, high = normalize([_utterance(volume=np.full(20, 1.0)), _utterance(volume=np.full(20, 5.0))])
    assert (low.volume.z, high.volume.z) == (-1, 1)
    assert (low.volume.level, high.volume.level) == ("low", "high")
    assert low.volume.sequence == (-1.0,) * 20
    assert low.reference == high.reference == "corpus"
    assert low.pitch.z is low.pitch.level is low.pitch.sequence is None
    assert low.cautions == ()


def test_the_sequence_is_the_affine_image_of_the_stretches():
    curve = np.linspace(-40, -20, 200)
    (result,) = normalize([_utterance(volume=curve)])
    expected = (curve.reshape(20, 10).mean(axis=1) - curve.mean()) / curve.std()
    assert result.volume.sequence == pytest.approx(tuple(np.round(expected, 2)), abs=1e-9)
    assert result.volume.z == pytest.approx(0, abs=1e-9)


def test_stretches_without_a_frame_stay_missing():
    curve = np.r_[np.full(20, np.nan), np.linspace(4.0, 5.0, 20)]
    (result,) = normalize([_utterance(pitch=curve)])
    assert result.pitch.sequence[:10] == (None,) * 10
    assert None not in result.pitch.sequence[10:]


def test_the_speaker_is_the_reference_from_ten_utterances_on():
    ten = [_spoken(i, "A", "male") for i in range(10)]
    nine = [_spoken(100 + i, "B", "male", shift=0.5) for i in range(9)]
    results = normalize(ten + nine)
    assert [r.reference for r in results] == ["speaker"] * 10 + ["gender"] * 9
    # within one speaker, the mean z over frames is 0
    assert np.mean([r.pitch.z for r in results[:10]]) == pytest.approx(0, abs=1e-9)
    assert np.mean([r.pitch.z for r in results[10:]]) > 0.5


def test_the_gender_needs_ten_too_and_the_corpus_none():
    results = normalize([_spoken(i, "A", "male") for i in range(5)] + [_spoken(9 + i, "B", "female") for i in range(4)])
    assert {r.reference for r in results} == {"corpus"}
    assert {r.reference for r in normalize([_spoken(0)])} == {"corpus"}


@pytest.mark.parametrize("nobody", [None, "", "  ", "其他", "unknown", "未知", "Other"])
def test_nobody_is_no_speaker(nobody):
    results = normalize([_spoken(i, nobody, nobody) for i in range(12)])
    assert {r.reference for r in results} == {"corpus"}


def test_a_feature_with_too_few_utterances_moves_its_utterances_to_the_next_group():
    # A has 12 utterances, of which 9 have a pitch; the gender has 21 with one
    rng = np.random.default_rng(0)
    unvoiced = [_utterance(volume=rng.normal(-30, 5, 50), speaker="A", gender="male") for _ in range(3)]
    voiced = [_spoken(i, "A", "male") for i in range(9)]
    others = [_spoken(50 + i, "B", "male") for i in range(12)]
    results = normalize(unvoiced + voiced + others)
    assert [r.reference for r in results] == ["speaker"] * 3 + ["gender"] * 9 + ["speaker"] * 12
    assert all(r.pitch.z is None and r.volume.z is not None and r.cautions == () for r in results[:3])


def test_a_speaker_without_a_spread_is_no_reference():
    flat = [_utterance(pitch=np.full(20, 5.0), speaker="A") for _ in range(10)]
    others = [_utterance(pitch=np.linspace(4, 6, 20), speaker="B") for _ in range(10)]
    results = normalize(flat + others)
    assert {r.reference for r in results[:10]} == {"corpus"}
    assert {r.reference for r in results[10:]} == {"speaker"}


def test_a_corpus_without_a_spread_gives_null_and_says_so():
    # one feature has a spread, the other has only that of rounding
    pitch = np.full(40, 5.0) + np.random.default_rng(0).normal(size=40) * 1e-6
    (result,) = normalize([_utterance(pitch=pitch, volume=np.linspace(-40, -20, 40))])
    assert result.pitch.z is None
    assert result.volume.z is not None
    assert result.reference == "corpus"
    assert result.cautions == (Caution.NO_REFERENCE,)
    (result,) = normalize([_utterance(pitch=pitch)])
    assert (result.reference, result.cautions) == (None, (Caution.NO_REFERENCE,))


def test_an_utterance_without_a_measure_has_nothing_and_changes_nothing():
    spoken = [_spoken(i, "A") for i in range(11)]
    empty = _utterance(speaker="A")
    results = normalize([*spoken, empty])
    assert results[:-1] == normalize(spoken)
    assert results[-1].pitch.z is results[-1].volume.z is results[-1].speed.z is results[-1].reference is None
    assert results[-1].cautions == ()


def test_nobody_spoke():
    assert normalize([]) == []


@given(
    gain_db=st.floats(-30, 30),
    factor=st.floats(0.5, 2),
    sizes=st.lists(st.integers(1, 80), min_size=2, max_size=12),
)
@settings(max_examples=30, deadline=None)
def test_gain_and_register_do_not_matter(gain_db, factor, sizes):
    # louder by a gain: levels shift; F0 by a factor: ln F0 shifts
    rng = np.random.default_rng(len(sizes))
    curves = [rng.normal(size=(2, n)) for n in sizes]
    plain = normalize([_utterance(p * 0.2 + 5, v * 6 - 30) for p, v in curves])
    moved = normalize([_utterance(p * 0.2 + 5 + np.log(factor), v * 6 - 30 + gain_db) for p, v in curves])
    for a, b in zip(plain, moved, strict=True):
        assert a.pitch.z == pytest.approx(b.pitch.z, abs=1e-6)
        assert a.volume.z == pytest.approx(b.volume.z, abs=1e-6)
        assert a.volume.sequence == pytest.approx(b.volume.sequence, abs=0.0101)


@given(st.permutations(range(14)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_corpus_does_not_matter(order):
    corpus = [_spoken(i, "AB"[i % 2], "male" if i % 3 else None) for i in range(14)]
    plain = normalize(corpus)
    for i, result in zip(order, normalize([corpus[i] for i in order]), strict=True):
        assert result.reference == plain[i].reference
        assert result.pitch.z == pytest.approx(plain[i].pitch.z, abs=1e-9)


@pytest.mark.parametrize(
    ("z", "word"),
    [
        (-9, "very low"),
        (-1.31, "very low"),
        (-1.3, "low"),
        (-0.51, "low"),
        (-0.5, "normal"),
        (0.0, "normal"),
        (0.5, "normal"),
        (0.51, "high"),
        (1.3, "high"),
        (1.31, "very high"),
    ],
)
def test_levels(z, word):
    assert level_word(z) == word


@given(st.floats(-5, 5))
def test_levels_are_symmetric(z):
    assert LEVEL_WORDS.index(level_word(z)) == 4 - LEVEL_WORDS.index(level_word(-z))


@given(st.floats(-1e-3, 1e-3))
def test_no_negative_zero(value):
    (result,) = normalize([_utterance(volume=np.r_[np.full(20, value), -10.0, 10.0, np.full(18, np.nan)])])
    assert all(v is None or str(v) != "-0.0" for v in result.volume.sequence)
