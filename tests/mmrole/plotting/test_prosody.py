import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import mmrole
from extractors.audio.normalize import LEVEL_CUTS
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.plotting.prosody import ProsodyDisplay

NAN = float("nan")


def prosody(frames=100):
    """One second: the first fifth is silent, the last tenth was not measured; every other voiced frame is alone."""
    index = np.arange(frames)
    speech = np.where(index >= 90, None, index >= 20)
    spoken = (index >= 20) & (index < 90)
    return pd.DataFrame(
        {
            "time_s": index * 0.01,
            "f0_hz": np.where(spoken & (index % 2 == 0), 200.0, NAN).astype(np.float32),
            "volume_db": np.where(index < 90, -30.0, NAN).astype(np.float32),
            "speech": speech,
            "rate_syll_s": np.where(spoken, 4.0, NAN).astype(np.float32),
        }
    )


def utterance(**changes):
    return {
        "clip_id": "a/b", "speaker": "Ann", "gender": "female", "duration_s": 1.0, "audio_status": "ok", "audio_reason": None,
        "f0_median_hz": 200.0, "volume_mean_db": -30.0, "rate_syll_s": 4.0, "syllables": 3, "syllables_from": "transcript",
        "pitch_level": "very high", "volume_level": "normal", "rate_level": None, "reference": "gender",
        "pitch_seq": [None] * 4 + [0.25 * k for k in range(14)] + [None] * 2, "volume_seq": [0.1] * 20, "speed_seq": None,
        **changes,
    }  # fmt: skip


def words(display):
    return [text.get_text() for ax in display.axes_ for text in ax.texts]


def test_the_constructor_draws_nothing():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody())
    assert not hasattr(display, "axes_")


def test_what_is_missing_is_a_gap():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody()).plot()
    table = prosody()
    for ax, column in zip(display.axes_, ("f0_hz", "volume_db", "rate_syll_s"), strict=False):
        curve = ax.lines[0]
        assert np.array_equal(curve.get_ydata(), table[column].to_numpy(), equal_nan=True)
        # a single voiced frame between two gaps has no line: its dot shows it
        assert curve.get_marker() == "."
    assert display.axes_[0].get_yscale() == "log"
    low, high = display.axes_[0].get_ylim()
    assert low < 200 < high
    assert high / low == pytest.approx(2.0)


def test_speech_is_shaded_and_what_was_not_measured_is_hatched():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody()).plot()
    for ax in display.axes_[:3]:
        speech, unmeasured = ax.collections
        assert (speech.get_label(), unmeasured.get_label()) == ("speech", "not measured")
        # frames 20 to 89 and 90 to 99, each half a step to both sides
        for spans, expected in ((speech, (0.195, 0.895)), (unmeasured, (0.895, 0.995))):
            (path,) = spans.get_paths()
            assert (path.vertices[:, 0].min(), path.vertices[:, 0].max()) == pytest.approx(expected)
        assert unmeasured.get_hatch()


def test_sequences_stand_at_the_middle_of_their_part_and_keep_their_gaps():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody()).plot()
    pitch, volume, rate = display.axes_[3].lines
    # 20 parts of the second that begins half a step before the first frame
    assert pitch.get_xdata() == pytest.approx(-0.005 + 0.05 * (np.arange(20) + 0.5))
    assert np.isnan(pitch.get_ydata()).tolist() == [True] * 4 + [False] * 14 + [True] * 2
    assert pitch.get_ydata()[4:18].tolist() == [0.25 * k for k in range(14)]
    assert volume.get_ydata().tolist() == [0.1] * 20
    assert np.isnan(rate.get_ydata()).all()
    assert rate.get_label() == "speaking rate (none)"


def test_the_five_levels_are_marked_at_their_cuts():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody()).plot()
    ax = display.axes_[3]
    edges = sorted(
        {
            round(float(y), 6)
            for patch in ax.patches
            for y in patch.get_extents().transformed(ax.transData.inverted()).get_points()[:, 1]
        }
    )
    # 13 quarters are the highest value of the sequences
    assert edges == pytest.approx([-1.1 * 3.25, *LEVEL_CUTS, 1.1 * 3.25])
    assert words(display)[-5:] == ["very low", "low", "normal", "high", "very high"]


def test_the_title_says_who_and_how():
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody()).plot()
    said = words(display)
    assert "a/b" in said
    assert "speaker: Ann, female   ·   normalised by all clips of the gender" in said
    assert "pitch: very high   ·   volume: normal   ·   speaking rate: not normalised" in said
    assert "median\n200 Hz" in said
    assert "mean 4.0 syll/s\n3 syllables\nfrom the transcript" in said


def test_a_clip_without_sound_says_why():
    row = dict.fromkeys(utterance()) | {
        "clip_id": "c",
        "audio_status": "missing",
        "audio_reason": "no_audio_stream",
        "duration_s": 2.0,
    }
    display = ProsodyDisplay(utterance=row, prosody=None).plot()
    assert "no sound was measured: the file has no sound (no_audio_stream)" in words(display)
    assert "pitch: not measured   ·   volume: not measured   ·   speaking rate: not measured" in words(display)
    assert [len(ax.lines) for ax in display.axes_] == [0, 0, 0, 0]
    assert display.axes_[0].get_xlim() == (0, 2)


def test_a_clip_of_unknown_length_has_no_times():
    row = dict.fromkeys(utterance()) | {
        "clip_id": "c",
        "audio_status": "failed",
        "audio_reason": "empty_file",
    }
    display = ProsodyDisplay(utterance=row, prosody=None).plot()
    assert all(len(ax.get_xticks()) == 0 for ax in display.axes_)


def test_silence_is_empty_and_not_zero():
    table = prosody()
    table[["f0_hz", "volume_db", "rate_syll_s"]] = NAN
    table["speech"] = False
    row = dict.fromkeys(utterance()) | {
        "clip_id": "c",
        "audio_status": "partial",
        "audio_reason": "silent",
        "duration_s": 1.0,
    }
    display = ProsodyDisplay(utterance=row, prosody=table).plot()
    said = words(display)
    for expected in ("no voiced sound, so no pitch", "digital silence", "no speech, so no rate", "nothing to normalise",
                     "not everything was measured: the sound is silent (silent)"):  # fmt: skip
        assert expected in said
    assert [len(ax.lines) for ax in display.axes_] == [0, 0, 0, 0]


def test_a_corpus_without_spread_is_told_of():
    row = utterance(pitch_seq=None, volume_seq=None, pitch_level=None, volume_level=None, reference=None)
    display = ProsodyDisplay(utterance=row, prosody=prosody()).plot()
    assert "no spread to compare with (no_reference)" in words(display)
    assert "speaker: Ann, female   ·   not normalised" in words(display)


def test_draws_on_the_axes_that_are_given():
    figure = Figure()
    axes = figure.subplots(4)
    display = ProsodyDisplay(utterance=utterance(), prosody=prosody())
    assert display.plot(axes) is display
    assert display.figure_ is figure
    assert display.axes_ == list(axes)
    with pytest.raises(UsageError, match=r"on 4 axes .* not 3"):
        display.plot(axes[:3])


def test_from_features(fixture_features):
    store = mmrole.read_features(fixture_features)
    display = ProsodyDisplay.from_features(store, "01_000_000")
    assert display.prosody.equals(store.prosody("01_000_000"))
    row = store.utterances.set_index("clip_id").loc["01_000_000"]
    assert display.utterance["f0_median_hz"] == row["f0_median_hz"]
    assert ProsodyDisplay.from_features(store, "01_001_001").prosody is None
    with pytest.raises(InputError, match="no clip 'x'"):
        ProsodyDisplay.from_features(store, "x")


def test_a_clip_that_the_table_lacks_is_an_error_of_one_line(fixture_features):
    store = mmrole.read_features(fixture_features)
    store.records["new"] = store.records["01_000_000"]  # as after a second run that was killed
    with pytest.raises(StoreError, match="has no row for 'new'; run mmrole extract again"):
        ProsodyDisplay.from_features(store, "new")
