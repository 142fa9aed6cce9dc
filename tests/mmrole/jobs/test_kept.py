"""Settings and utterances that a folder keeps to."""

import json

import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.kept import keep_to_settings, keep_to_utterances


def test_the_first_settings_are_kept_and_further_ones_added(tmp_path):
    path = tmp_path / "kept.json"
    keep_to_settings(path, {"language": "en"}, "votes", write=False)
    assert not path.exists()
    keep_to_settings(path, {"language": "en", "expert a": {"kind": "llm"}}, "votes")
    keep_to_settings(path, {"language": "en", "expert b": {"kind": "lexicon"}}, "votes")
    assert json.loads(path.read_bytes()) == {
        "language": "en", "expert a": {"kind": "llm"}, "expert b": {"kind": "lexicon"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"language": "zh"}, "with language en, not zh"),
        ({"history": 3}, "with history all, not 3"),
        ({"vision": False}, "with vision on, not off"),
        ({"expert a": {"kind": "llm"}}, "with the kind of expert a lexicon, not llm"),
        ({"expert a": {"kind": "lexicon", "files": ["x"]}}, "with another value of the files of expert a"),
    ],
)
def test_another_value_is_refused_and_nothing_written(tmp_path, settings, said):
    path = tmp_path / "kept.json"
    keep_to_settings(
        path, {"language": "en", "history": None, "vision": True, "expert a": {"kind": "lexicon"}}, "votes"
    )
    before = path.read_bytes()
    with pytest.raises(UsageError) as caught:
        keep_to_settings(path, settings, "votes")
    assert str(caught.value) == f"{tmp_path} holds votes {said}: choose another folder for --out"
    assert path.read_bytes() == before


def keep(folder, known):
    keep_to_utterances(folder, [folder / "none.jsonl", folder / "a.jsonl"], known, lambda r: r["key"], "votes")


def test_one_utterance_in_common_is_enough(tmp_path):
    keep(tmp_path, {"x"})  # nothing is there yet
    (tmp_path / "a.jsonl").write_text('{"key":"a"}\n{"key":"b"}\n{"torn', "utf-8")
    keep(tmp_path, {"b", "x"})
    with pytest.raises(UsageError, match=r"holds votes of other utterances, such as 'a', which these dialogues do not"):
        keep(tmp_path, {"x"})
