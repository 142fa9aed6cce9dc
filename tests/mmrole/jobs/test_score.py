import json
from dataclasses import replace
from fractions import Fraction

import pytest

from emotion.options import ScoreOptions
from mmrole.core.canonical import file_sha256
from mmrole.core.errors import InputError, LockedError, UsageError
from mmrole.core.lock import RunLock
from mmrole.core.manifest import read_manifest
from mmrole.jobs.score import score_files

SAME = ("labels.jsonl", "transitions.json", "confusion.json", "scores.jsonl", "scores.md")


def write(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def vote(utterance_id, label, **fields):
    return {"utterance_id": utterance_id, "stream": "all", "expert": "e", "round": 0, "label": label, **fields}


def test_scores_by_hand(world):
    run = score_files(world.path, world.folder / "attentive.jsonl", out=world.folder / "again", bootstrap=0)
    # d1_1 {anger, sadness} {anger}; d1_3 {happy} {happy, relaxed}; d1_5 {neutral} {neutral}; d2_1 {happy, relaxed} {happy}:
    # TP 4, FP 1, FN 2, so 8 / 11; the sentiments are the same everywhere
    assert run.report["mec", "lower"].value == pytest.approx(8 / 11)
    assert run.report["mec", "upper"].value == 1.0
    assert run.report["mec", "lower"].n == 4
    # eight utterances, one of them five against five votes: ln 2 / ln 10
    assert run.report["ed", "all"].value == pytest.approx(0.30103 / 8, abs=1e-6)
    assert run.counts == {"inputs": 8, "done": 8, "failed": 0, "skipped": 0}
    assert run.report.coverage()["answered"] == 4
    assert run.report.coverage()["played_turns"] == 5


def test_the_manifest_says_what_the_run_was(world):
    folder = world.folder / "attentive"
    manifest = read_manifest(folder / "manifest.json")
    assert manifest["command"] == "score"
    assert manifest["inputs"]["dialogues"]["sha256"] == file_sha256(world.path)
    assert manifest["inputs"]["votes"]["path"] == str(world.folder / "attentive.jsonl")
    assert set(manifest["inputs"]) == {"dialogues", "votes"}
    assert manifest["settings"]["options"]["threshold"] == "7/10"
    assert (manifest["settings"]["seed"], manifest["settings"]["bootstrap"]) == (0, 20)
    assert manifest["settings"]["labels"]["name"] == "cped-13"
    assert {"mmrole", "numpy", "python"} <= set(manifest["libraries"])
    assert manifest["files"] == {name: file_sha256(folder / name) for name in SAME}


def test_two_runs_with_one_seed_are_equal_byte_by_byte(world, tmp_path):
    for name in ("a", "b"):
        score_files(world.path, world.folder / "attentive.jsonl", out=tmp_path / name, bootstrap=50)
    for name in SAME:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_options_reach_the_scores_and_the_manifest(world, tmp_path):
    options = ScoreOptions(threshold=Fraction(1, 2), min_transitions=1, kinds=("same_speaker",), empty="miss")
    run = score_files(
        world.path, world.folder / "attentive.jsonl", out=tmp_path / "o", options=options, labels="meld-7", bootstrap=0
    )
    assert run.report.options == options
    assert {score.part for score in run.report.scores if score.metric == "edd"} == {"same_speaker"}
    assert "threshold=1/2" in run.report["mec", "lower"].definition
    assert run.report["mec", "upper"].reason == "no_sentiment_map"
    assert ScoreOptions.from_record(read_manifest(tmp_path / "o" / "manifest.json")["settings"]["options"]) == options


def test_a_label_map_is_named_everywhere(tmp_path):
    utterances = [
        {"utterance_id": f"u{n}", "index": n, "speaker": "AB"[n % 2], "text": "", "emotion": "excited"}
        for n in range(3)
    ]
    path = write(tmp_path / "d.jsonl", [{"dialogue_id": "d", "utterances": utterances}])
    votes = write(tmp_path / "v.jsonl", [vote("u1/0", "happy"), vote("u2/0", "happy")])
    run = score_files(path, votes, out=tmp_path / "o", truth_map="iemocap-6-to-4", bootstrap=0)
    assert run.report["mec", "lower"].value == 1.0
    assert "truth_map=iemocap-6-to-4" in run.report["mec", "lower"].definition
    assert "mapped by: iemocap-6-to-4" in (tmp_path / "o" / "scores.md").read_text("utf-8")
    assert read_manifest(tmp_path / "o" / "manifest.json")["settings"]["truth_map"]["map"]["excited"] == "happy"


def test_responses_and_judgements(world, tmp_path):
    responses = write(
        tmp_path / "r.jsonl",
        [{"utterance_id": "d2_4", "utterances": None}, {"utterance_id": "d1_1", "utterances": [{"text": "x"}]}],
    )
    quote = [{"quote": "q"}]
    judgements = write(
        tmp_path / "j.jsonl",
        [
            {"utterance_id": "d1_1", "aspect": "cha", "judge": "j", "supporting": quote},
            {"utterance_id": "d1_3", "aspect": "cha", "judge": "j", "supporting": quote, "contradicting": quote},
        ],
    )
    run = score_files(
        world.path, world.folder / "attentive.jsonl", out=tmp_path / "o", responses=responses, judgements=judgements
    )
    assert run.report["mec", "lower"].excluded["no_response"] == 1
    assert run.report["cha", "evidence"].value == 4.0  # 5 and 3
    judged = [json.loads(line) for line in (tmp_path / "o" / "judged.jsonl").read_text("utf-8").splitlines()]
    assert [(row["utterance_id"], row["score"], row["judges"]) for row in judged] == [
        ("d1_1", 5.0, {"j": 5.0}),
        ("d1_3", 3.0, {"j": 3.0}),
    ]
    assert set(read_manifest(tmp_path / "o" / "manifest.json")["inputs"]) == {
        "dialogues",
        "votes",
        "responses",
        "judgements",
    }


def test_notes_say_what_has_to_be_known(world, tmp_path):
    said = [("d1_1/0", None, 0), ("d1_1/0", "anger", 0), ("d1_1/0", "bewildered", 1), ("d1_3/0", "joy", 0)]
    votes = [vote(name, label, round=number, stream="face") for name, label, number in said]
    run = score_files(world.path, write(tmp_path / "v.jsonl", votes), out=tmp_path / "o", bootstrap=0)
    assert run.notes == [
        "1 votes without a label were replaced by a later vote of the same expert and round",
        "there are no votes of the stream all: the votes of all streams of an utterance were put together",
        "2 of 3 votes are for a label that is not in cped-13",
        "all votes are of one expert, e: ED cannot say how far experts disagree",
    ]
    assert run.notes[0] in (tmp_path / "o" / "scores.md").read_text("utf-8")
    assert read_manifest(tmp_path / "o" / "manifest.json")["notes"] == run.notes


def test_votes_on_turns_that_nobody_plays(world, tmp_path):
    run = score_files(world.path, write(tmp_path / "v.jsonl", [vote("d1_0/0", "happy")]), out=tmp_path / "o")
    assert run.counts == {"inputs": 1, "done": 0, "failed": 0, "skipped": 1}
    assert run.report["mec", "lower"].reason == "no_responses"
    assert "no vote is on a response that is scored" in run.notes[0]
    assert read_manifest(tmp_path / "o" / "manifest.json")["skipped"] == [{"reason": "no_predecessor", "utterances": 1}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"utterance_id": "d1_1/0"', r"v\.jsonl, line 3: no JSON object"),
        (json.dumps(vote("d9_1/0", "happy")), r"v\.jsonl, line 3: utterance id 'd9_1/0' is in no dialogue"),
        (json.dumps(vote("d1_1/0", "happy", stream="smell")), r"v\.jsonl, line 3: stream has to be one of"),
    ],
)
def test_bad_votes_leave_the_earlier_results_alone(world, tmp_path, line, message):
    votes = write(tmp_path / "v.jsonl", [vote("d1_1/0", "anger"), vote("d1_3/0", "happy")])
    score_files(world.path, votes, out=tmp_path / "o", bootstrap=0)
    before = {path.name: path.read_bytes() for path in (tmp_path / "o").iterdir() if path.name != ".lock"}
    with votes.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(InputError, match=message):
        score_files(world.path, votes, out=tmp_path / "o", bootstrap=0)
    assert {path.name: path.read_bytes() for path in (tmp_path / "o").iterdir() if path.name != ".lock"} == before


def test_a_crash_while_writing_leaves_no_manifest_that_vouches_for_it(world, tmp_path, monkeypatch):
    votes = world.folder / "attentive.jsonl"
    score_files(world.path, votes, out=tmp_path / "o", bootstrap=0)

    def crash(*_):
        raise RuntimeError

    monkeypatch.setattr("mmrole.jobs.score.write_page", crash)
    with pytest.raises(RuntimeError):
        score_files(world.path, votes, out=tmp_path / "o", bootstrap=0)
    assert not (tmp_path / "o" / "manifest.json").exists()


def test_a_folder_in_use_or_of_another_kind_is_refused(world, tmp_path):
    votes = world.folder / "attentive.jsonl"
    with RunLock(tmp_path / "o"), pytest.raises(LockedError, match="in use by another run"):
        score_files(world.path, votes, out=tmp_path / "o")
    with pytest.raises(UsageError, match="holds the results of mmrole erc: choose another folder"):
        score_files(world.path, votes, out=world.folder / "recognised")


def test_usage(world, tmp_path):
    votes = world.folder / "attentive.jsonl"
    with pytest.raises(UsageError, match="bootstrap is a number of draws from 0, not -1"):
        score_files(world.path, votes, out=tmp_path / "o", bootstrap=-1)
    with pytest.raises(UsageError, match="min_transitions has to be 1 or more"):
        score_files(world.path, votes, out=tmp_path / "o", options=replace(ScoreOptions(), min_transitions=0))
    with pytest.raises(InputError, match=r"nowhere\.csv: cannot be read"):
        score_files(tmp_path / "nowhere.csv", votes, out=tmp_path / "o")


def test_votes_of_baselines_are_told_everywhere(world, tmp_path):
    votes = [vote("d1_1/0", "anger"), vote("d1_1/0", "anger", expert="words", note="baseline, not for reporting")]
    run = score_files(world.path, write(tmp_path / "v.jsonl", votes), out=tmp_path / "o", bootstrap=0)
    told = "1 of the 2 votes are of baselines, not for reporting: words"
    assert told in run.notes
    page = (tmp_path / "o" / "scores.md").read_text("utf-8")
    assert f"**note**: {told}" in page
    assert "- experts: e 1 vote, words 1 vote" in page
    manifest = read_manifest(tmp_path / "o" / "manifest.json")
    assert manifest["experts"] == {"e": 1, "words": 1}
    assert told in manifest["notes"]


def test_folders_stand_for_their_files(world, tmp_path):
    (tmp_path / "votes").mkdir()
    write(tmp_path / "votes" / "votes.jsonl", [vote("d1_1/0", "anger")])
    run = score_files(world.path, tmp_path / "votes", out=tmp_path / "o", bootstrap=0)
    assert run.counts["done"] == 1
    with pytest.raises(InputError, match=r"responses\.jsonl is missing: make it with mmrole respond --out"):
        score_files(world.path, tmp_path / "votes", responses=tmp_path, out=tmp_path / "p", bootstrap=0)


def test_votes_on_other_responses_are_refused(world, tmp_path):
    """An agent's votes beside another agent's responses would give plausible scores."""
    mine, other = ({"utterance_id": "d1_1", "utterances": [{"text": text}]} for text in ("x", "y"))
    of_mine, of_other = write(tmp_path / "mine.jsonl", [mine]), write(tmp_path / "other.jsonl", [other])
    (tmp_path / "votes").mkdir()
    votes = write(tmp_path / "votes" / "votes.jsonl", [vote("d1_1/0", "anger")])
    manifest = {
        "command": "recognize",
        "files": {"votes.jsonl": file_sha256(votes)},
        "inputs": {"responses": {"sha256": file_sha256(of_mine)}},
    }
    (tmp_path / "votes" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    score_files(world.path, votes, responses=of_mine, out=tmp_path / "o", bootstrap=0)
    with pytest.raises(
        InputError, match=r"votes\.jsonl: the votes are on other responses than .*other\.jsonl: .*mmrole recognize"
    ):
        score_files(world.path, votes, responses=of_other, out=tmp_path / "p", bootstrap=0)
    write(votes, [vote("d1_1/0", "happy")])  # the manifest does not vouch for these bytes: it says nothing of them
    score_files(world.path, votes, responses=of_other, out=tmp_path / "q", bootstrap=0)


def test_scores_without_baselines_or_of_some_experts(world, tmp_path):
    votes = [vote("d1_1/0", "anger"), vote("d1_1/0", "happy", expert="words", note="baseline, not for reporting")]
    path = write(tmp_path / "v.jsonl", votes)
    alone = score_files(world.path, write(tmp_path / "a.jsonl", votes[:1]), out=tmp_path / "alone", bootstrap=0)
    for name, more in (("w", {"baselines": False}), ("e", {"experts": ["e"]})):
        run = score_files(world.path, path, out=tmp_path / name, bootstrap=0, **more)
        assert run.report.scores == alone.report.scores
        manifest = read_manifest(tmp_path / name / "manifest.json")
        assert (manifest["experts"], manifest["settings"]["votes_of"]) == (
            {"e": 1}, {"experts": more.get("experts"), "baselines": more.get("baselines", True)},
        )  # fmt: skip
        assert not any("baselines, not for" in note for note in run.notes)
