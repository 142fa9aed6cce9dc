from pathlib import Path

import pytest

from emotion.experts.entries import KINDS
from emotion.experts.expert import Case
from emotion.experts.panel import panel_of
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import label_set


@pytest.mark.parametrize(("kind", "stream"), [("lexicon", "text"), ("facial-action", "face"), ("prosody", "speech")])
def test_experts_without_a_file_are_made_from_their_table(kind, stream):
    [entry] = panel_of([{"name": "mine", "kind": kind}]).entries
    expert = entry.build(label_set("cped-13"), Path())
    assert (expert.name, expert.kind, expert.streams, expert.baseline) == ("mine", kind, (stream,), True)
    assert set(expert.can_give) <= set(label_set("cped-13").labels)


def test_the_lexicon_takes_its_setting():
    [entry] = panel_of([{"name": "w", "kind": "lexicon", "without_word": "neutral"}]).entries
    assert "neutral" in entry.build(label_set("cped-13"), Path()).can_give


def test_the_file_of_a_trained_expert_is_sought_beside_the_panel(tmp_path):
    [entry] = panel_of([{"name": "t", "kind": "trained", "model": "text.model"}]).entries
    with pytest.raises(InputError, match=str(tmp_path / "text.model")):
        entry.build(label_set("cped-13"), tmp_path)


def test_one_that_listens_needs_the_sound():
    [entry] = panel_of([{"name": "s", "kind": "speech-classifier", "model": "m"}]).entries
    with pytest.raises(UsageError, match="nothing gives it the sound"):
        entry.build(label_set("cped-13"), Path())


def test_parameters_of_a_language_model():
    [entry] = panel_of([{"name": "q", "kind": "llm", "endpoint": "e", "temperature": 0.5, "seed": 3}]).entries
    assert (entry.parameters.temperature, entry.parameters.seed, entry.parameters.top_p) == (0.5, 3, None)
    assert entry.to_record()["streams"] == ["all", "face", "body", "speech"]


def test_what_measures_are_needed_for():
    assert {kind for kind, form in KINDS.items() if form.needs_features} == {
        "facial-action", "prosody", "speech-classifier",
    }  # fmt: skip


LEXICON = 'name = "mine"\nlanguage = "any"\nversion = 1\n[words]\n'


def test_a_lexicon_of_ones_own_takes_the_place_of_ours(tmp_path):
    (tmp_path / "a.toml").write_text(f'{LEXICON}fear = ["xyzzy"]\n')
    (tmp_path / "b.toml").write_text(f'{LEXICON}anger = ["plugh"]\n')
    labels = label_set("cped-13")
    for given, can_give in (("a.toml", ("fear",)), (["a.toml", "b.toml"], ("anger", "fear"))):
        [entry] = panel_of([{"name": "w", "kind": "lexicon", "lexicon": given}]).entries
        expert = entry.build(labels, tmp_path)
        assert expert.can_give == can_give
        assert expert.vote(Case(utterance_id="u", speaker="A", text="xyzzy, happy"), "text", 0).label == "fear"
    [entry] = panel_of([{"name": "w", "kind": "lexicon", "lexicon": "gone.toml"}]).entries
    with pytest.raises(InputError, match=rf"{tmp_path}/gone\.toml: cannot be read as a lexicon"):
        entry.build(labels, tmp_path)


@pytest.mark.parametrize("given", ["", [], [""], ["a.toml", "a.toml"], 5])
def test_what_is_no_lexicon_file(given):
    with pytest.raises(InputError, match=r"expert 1 \('w'\): field lexicon: "):
        panel_of([{"name": "w", "kind": "lexicon", "lexicon": given}])


@pytest.mark.parametrize("rounds", [True, 1.0, "1"])
def test_rounds_are_a_whole_number(rounds):
    with pytest.raises(InputError, match="field rounds: input should be a valid integer"):
        panel_of([{"name": "w", "kind": "lexicon", "rounds": rounds}])


def test_streams_are_a_list():
    with pytest.raises(InputError, match=r'streams: has to be a list, such as streams = \["text"\]'):
        panel_of([{"name": "w", "kind": "lexicon", "streams": "text"}])
