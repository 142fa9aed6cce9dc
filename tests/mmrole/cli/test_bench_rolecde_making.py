"""Making data on the command line, against a server on the loopback interface; and similarity."""

import csv
import json
import re

import pytest

from mmrole.cli.main import main

GIVEN = {
    '"role_name"': {
        "role_name": "Ferry Captain", "description": "d", "abilities": "a", "speech_style": "s", "personality": "p",
        "background": "b", "speech_examples": "e",
    },
    '"scenario"': {"scenario": "A storm."},
    '"alignment_values"': {"alignment_values": ["Protect.", "Share.", "Tell."], "personal_value": "Honour."},
    '"easy"': {
        level: {"description": f"The {level} one.", "alignment_option": "Children.", "role_option": "Payers."}
        for level in ("easy", "mid", "hard")
    },
    '"category"': {"category": "C3"},
}  # fmt: skip


def says(_, text):
    """Plays the author, the teacher and the judge."""
    letter = re.search(r"when it chooses ([AB])", text)
    if '"verdict"' in text:
        said = {"verdict": "following"}
    elif letter or '"chosen_option"' in text:
        said = {"chosen_option": letter.group(1) if letter else "A", "reasoning": "So it is."}
    else:
        said = next(given for word, given in GIVEN.items() if word in text)
    return json.dumps(said)


@pytest.fixture
def server(endpoint, tmp_path, monkeypatch):
    served = endpoint(
        says, config='[endpoints.here]\n{url}[endpoints.locked]\n{url}api_key_env = "MMROLE_TEST_NO_KEY"\n'
    )
    (tmp_path / "seeds.txt").write_text("A captain\nA keeper\n")
    monkeypatch.delenv("MMROLE_TEST_NO_KEY", raising=False)
    return served


def bench(*args):
    return main(["bench", "rolecde", *args])


def construct(*more):
    return bench("construct", "seeds.txt", "--author", "here", "--out", "made", "--quiet", *more)


def fill(path, **odd):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        for row in rows:
            role = "A" if row["option_A"] == "Payers." else "B"
            writer.writerow({**row, "valid": 1, "role_option": role, "salience": 1, **odd})
    return path


def record(capsys):
    return json.loads(capsys.readouterr().out)


def test_from_seeds_to_verified_personas(server, capsys):
    assert construct("--sheets", "2") == 0
    out = capsys.readouterr().out
    assert "2 seeds = 2 personas + 0 rejected + 0 failed + 0 pending" in out
    assert "2 sheets for annotators -> made/sheets" in out
    sheets = [fill("made/sheets/annotator-1.csv"), fill("made/sheets/annotator-2.csv", salience=2)]
    assert bench("verify", "made", "--sheets", *sheets) == 3
    out = capsys.readouterr().out
    assert "6 dilemmas: 0 stand" in out
    assert "share that went to arbitration: 100.00 % (n = 6; in the paper 7.79 %)" in out
    assert "6 dilemmas for the leader -> made/verified/disputed.csv" in out
    fill("made/verified/disputed.csv")
    assert construct() == 0
    assert "annotator-1.csv was left as it is: somebody has changed it" in capsys.readouterr().out
    assert bench("verify", "made", "--sheets", *sheets, "--leader", "made/verified/disputed.csv") == 0
    assert "6 dilemmas: 6 stand, of 2 personas" in capsys.readouterr().out
    assert bench("build", "--out", "run", "--personas", "made/verified/personas.jsonl") == 0
    assert "6 role options: data 6; 0 flagged" in capsys.readouterr().out


def test_for_machines(server, capsys):
    assert construct("--json") == 0
    made = record(capsys)
    assert (made["report"]["counts"]["personas"], len(made["sheets"]), made["kept"]) == (2, 4, [])
    sheets = [fill(path) for path in made["sheets"]]
    assert bench("verify", "made", "--sheets", *sheets, "--json") == 0
    assert record(capsys)["dilemmas"] == 6
    assert (
        bench("mini", "--role-options", "example", "--teacher", "here", "--judge", "here", "--out", "m", "--json") == 0
    )
    found = record(capsys)  # these reasons pass no rule but that of AF, of the English ones
    assert found["counts"]["answers"] == 48
    assert set(found["counts"]["accepted_by_decision"]) <= {"AF"}


def test_dry_runs_need_no_key_and_ask_nobody(server, capsys):
    assert bench("construct", "seeds.txt", "--author", "locked", "--out", "made", "--dry-run") == 0
    out = capsys.readouterr().out
    assert "step profile:\n2 replies wanted" in out
    assert "comes on top" in out
    mini = ("mini", "--role-options", "example", "--teacher", "locked", "--judge", "locked", "--out", "m", "--dry-run")
    assert bench(*mini) == 0
    assert "teacher:\n48 replies wanted" in capsys.readouterr().out
    assert bench(*mini, "--json") == 0
    assert record(capsys)["judge"]["calls"] == 0
    assert bench("build", "--out", "run", "--auditors", "locked", "--dry-run") == 0
    bench("build", "--out", "run")
    assert bench("run", "run", "--agent", "locked", "--dry-run") == 0
    assert server.asked == []


def test_what_failed_gives_3_and_is_asked_again(server, capsys):
    server.down = "A keeper"
    assert construct() == 3
    assert "2 seeds = 1 personas + 0 rejected + 1 failed + 0 pending" in capsys.readouterr().out
    server.down = ""
    before = len(server.asked)
    assert construct() == 0
    # its profile; it is that of the other seed, so that the cache has the replies to all later steps
    assert len(server.asked) - before == 1


def test_mini_says_what_it_left_out_and_that_it_is_circular(server, capsys, tmp_path):
    (tmp_path / "t.csv").write_text("id,level,role_option\nlighthouse,easy,B\n")
    assert (
        bench("mini", "--role-options", "t.csv", "--teacher", "here", "--judge", "here", "--out", "m", "--quiet") == 0
    )
    out = capsys.readouterr().out
    assert "left out: 11 role option: assumed" in out
    assert "4 answers = 1 accepted + 0 spare + 3 rejected" in out
    assert "accepted: " in out
    assert "rows for SFT are of RF and RC" in out
    assert "partly circular" in out


def test_similarity_with_and_without_grades(server, capsys):
    pytest.importorskip("rouge_score", reason="needs the extra similarity")
    bench("build", "--out", "run")
    bench("run", "run", "--agent", "here", "--quiet")
    capsys.readouterr()
    assert bench("score", "run", "--similarity", "--bootstrap", "0") == 0
    out = capsys.readouterr().out
    assert "nobody has graded the decisions" in out
    assert "reasons have 3.0 words" in out
    assert bench("score", "run", "--similarity", "--bootstrap", "0", "--json") == 0
    assert {each["metric"] for each in record(capsys)["similarity"]} >= {"similarity_bleu", "similarity_rougeL_recall"}
    bench("grade", "run", "--judge", "here", "--quiet")
    capsys.readouterr()
    assert bench("score", "run", "--similarity", "--bootstrap", "0") == 0
    assert "similarity of the reasons to the personal value" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["construct", "gone", "--author", "here", "--out", "x"], 1, "gone: cannot be read"),
        (["construct", "seeds.txt", "--author", "eve", "--out", "x"], 2, "eve"),
        (["construct", "seeds.txt", "--author", "locked", "--out", "x"], 2, "MMROLE_TEST_NO_KEY is not set"),
        (["construct", "seeds.txt", "--author", "here", "--out", "x", "--sheets", "27"], 2, "27 sheets make no sense"),
        (["verify", "gone", "--sheets", "a.csv", "b.csv"], 1, "make it with mmrole bench rolecde construct"),
        (["mini", "--teacher", "here", "--judge", "here", "--out", "x"], 1, "known for sure: give a table with --role-options"),
        (["mini", "--teacher", "here", "--judge", "here", "--out", "x", "--value-share", "2"], 2, "value_share is a share"),
        (["score", "run", "--bertscore-layer", "3"], 2, "name its folder, too"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(server, capsys, args, code, message):
    assert bench(*args) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert server.asked == []
