import json

import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.result_folder import input_records
from mmrole.jobs.voted_responses import check_same_responses


def made(folder, command, name, responses):
    """A file whose manifest says of which responses it was made."""
    folder.mkdir()
    (folder / name).write_text("{}\n", "utf-8")
    record = input_records({"it": folder / name})["it"]
    manifest = {"command": command, "files": {name: record["sha256"]}, "inputs": {"responses": {"sha256": responses}}}
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return folder / name


def test_votes_and_judgements_have_to_be_of_the_same_responses(tmp_path):
    votes = made(tmp_path / "votes", "recognize", "votes.jsonl", "a" * 64)
    same = made(tmp_path / "same", "judge", "judgements.jsonl", "a" * 64)
    check_same_responses(input_records({"votes": votes, "judgements": same}))
    other = made(tmp_path / "other", "judge", "judgements.jsonl", "b" * 64)
    with pytest.raises(InputError, match="the judgements are on other responses than the votes in"):
        check_same_responses(input_records({"votes": votes, "judgements": other}))


def test_a_manifest_of_something_else_or_a_damaged_one_says_nothing(tmp_path):
    votes = made(tmp_path / "votes", "recognize", "votes.jsonl", "a" * 64)
    strange = made(tmp_path / "strange", "extract", "judgements.jsonl", "b" * 64)
    check_same_responses(input_records({"votes": votes, "judgements": strange}))
    (tmp_path / "strange" / "manifest.json").write_text("[", "utf-8")
    check_same_responses(input_records({"votes": votes, "judgements": strange}))
