"""The whole way on the command line, against a server on the loopback interface."""

import csv
import io
import json
import re

import pytest

from mmrole.cli.main import main

BOOK = "".join(
    f"Day {day} was cold, and the tide was low. Marta went to the lamp and to the quay; it was hers to choose. "
    f"On day {day} she told them that she would stay. And then, on the evening of day {day}, the boat left.\n\n"
    for day in range(60)
)


def construction(text):
    """What an author of items says, an agent who continues BOOK by heart, and a judge of that."""
    if "Is there a decision" in text:
        day = re.findall(r"On day (\d+) she told", text)[-1]
        quote = f"On day {day} she told them that she would stay."
        return json.dumps({"found": True, "character": "Marta", "decision": "She stays.", "quote": quote})
    if "Write a multiple-choice question" in text:
        return '{"scenario": "They wait.", "question": "What will Marta do?", "answer": "She stays."}'
    if "Write three other options" in text:
        return '{"distractors": ["She goes.", "She hides.", "She asks."]}'
    if "Why does" in text:
        return '{"motivation": "It is her lamp."}'
    if "Which of these types" in text:
        return '{"type": "Tasks and Goals"}'
    if "Continue the story" in text:
        place = BOOK.find(text.strip()[-80:])
        return BOOK[place + 80 :][:400] if place >= 0 else "She slept."
    if "You judge how much" in text:
        return json.dumps({"level": 2 if "she would stay" in text.split(">\n")[5] else 0})
    return None


def says(served, text):
    """Plays agent, profiler and judge; `served.endless`: whether summaries are longer than what they sum up."""
    said = "She keeps her promise." if "Marta" in text else "他如实记录。"
    if served.endless:
        said = f"{text} " * 20
    if '"segments"' in text:
        said = '{"segments": ["keeps her promise", "如实记录"]}'
    elif '"score"' in text:
        said = served.verdict
    elif "<letter>" in text or "<字母>" in text:
        said = "Answer: A"
    return construction(text) or said


@pytest.fixture
def server(endpoint):
    return endpoint(says, verdict='{"reason": "so it seems", "score": 2}', endless=False)


def bench(*args):
    return main(["bench", "lifechoice", *args])


def outcome(capsys):
    return json.loads(capsys.readouterr().out)


def test_the_whole_way(server, capsys, tmp_path):
    assert bench("build", "--out", "run") == 0
    assert "16 questions to the agent -> run" in capsys.readouterr().out
    assert bench("run", "run", "--agent", "here", "--dry-run") == 0
    out = capsys.readouterr().out
    assert "calls for segments:\n4 replies wanted" in out
    assert "questions:\n16 replies wanted: 0 stored, 0 in the cache, 16 calls to make" in out
    assert not server.asked
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    out = capsys.readouterr().out
    assert "4 calls for segments = 4 done + 0 failed" in out
    assert "16 questions = 16 done + 0 failed; 0 of them reused" in out
    assert bench("grade", "run", "--judge", "here", "--json") == 0
    assert outcome(capsys)["counts"]["done"] == 16
    asked = len(server.asked)
    assert bench("score", "run", "--bootstrap", "0") == 0
    printed = capsys.readouterr()
    assert "hierarchical+bm25+charmap" in printed.out
    assert printed.err == ""
    assert bench("plot", "motivation", "run", "--out", "map.png") == 0
    assert (tmp_path / "map.png").exists()
    assert main(["compare", "run", "--out", "compared", "--bootstrap", "10"]) == 0
    assert "4 runs -> compared" in capsys.readouterr().out
    assert len(server.asked) == asked  # nobody is asked by score, plot and compare


def test_nothing_is_asked_twice(server, capsys):
    bench("build", "--out", "run", "--methods", "human", "bm25")
    bench("run", "run", "--agent", "here", "--quiet")
    assert bench("run", "run", "--agent", "here", "--json") == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["counts"]["reused"] == 8
    assert set(result["steps"]) == {"profile", "segments", "answer"}
    assert len(server.asked) == 8


def test_failures_are_listed_and_the_exit_code_is_3(server, capsys):
    bench("build", "--out", "run", "--methods", "roleless")
    server.down = "月底站长"
    assert bench("run", "run", "--agent", "here", "--quiet") == 3
    out = capsys.readouterr().out
    assert "4 questions = 3 done + 1 failed" in out
    assert "failed: lamp-1/roleless in run 0: bad_request" in out
    assert bench("score", "run", "--bootstrap", "0") == 3
    assert "1 questions have no reply; they are in no accuracy" in capsys.readouterr().out


def test_a_judge_of_whom_nothing_can_be_read_is_told_and_the_exit_code_is_3(server, capsys):
    bench("build", "--out", "run", "--methods", "human")
    bench("run", "run", "--agent", "here", "--quiet")
    server.verdict = "Quite good."
    capsys.readouterr()
    assert bench("grade", "run", "--judge", "here", "--quiet") == 3
    assert "not one verdict could be read" in capsys.readouterr().out


def test_a_profiler_that_does_not_sum_up_is_told_what_to_do(server, capsys):
    bench("build", "--out", "run", "--methods", "hierarchical")
    server.endless = True
    capsys.readouterr()
    assert bench("run", "run", "--agent", "here", "--quiet") == 3
    assert "give another --profiler, or build another folder with larger chunks" in capsys.readouterr().out


def test_the_limit_on_cost_is_of_all_steps_together(server, capsys):
    bench("build", "--out", "run")
    capsys.readouterr()
    assert bench("run", "run", "--agent", "here", "--max-cost", "1", "--json") == 3
    result = outcome(capsys)
    assert (result["counts"]["pending"], list(result["steps"])) == (16, ["profile"])
    assert result["steps"]["profile"]["stopped"]
    assert not server.asked


def test_a_last_step_is_enough(server, capsys):
    bench("build", "--out", "run")
    assert bench("run", "run", "--agent", "here", "--until", "profile", "--quiet") == 0
    assert "calls for descriptions" in capsys.readouterr().out


@pytest.fixture
def books(tmp_path):
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "The Lamp.txt").write_text(BOOK, "utf-8")
    (tmp_path / "books" / "short.txt").write_text("And it was the end.", "utf-8")
    return tmp_path / "books"


CONSTRUCT = ("construct", "books", "--author", "here", "--out", "set", "--passages", "3", "--passage-tokens", "150",
             "--min-story", "100", "--min-tokens", "1000")  # fmt: skip


def fill_in(path, out, points):
    """A reviewer gives each row a total; the columns are the last five."""
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
    for row, total in zip(rows[1:], points, strict=True):
        row[-5:-1] = [2, 2, 2, total - 6]
    with out.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(rows)


def test_from_a_novel_to_a_run(server, capsys, books, tmp_path):
    assert bench(*CONSTRUCT, "--dry-run") == 0
    out = capsys.readouterr().out
    assert "step find:\n3 replies wanted: 0 stored, 0 in the cache, 3 calls to make" in out
    assert not (tmp_path / "set").exists()
    assert not server.asked
    assert bench(*CONSTRUCT, "--quiet") == 0
    printed = capsys.readouterr()
    assert "3 passages of 1 novel = 3 items + 0 rejected + 0 failed + 0 pending" in printed.out
    assert "not chosen: books/short.txt: too_short" in printed.out
    assert printed.err == ""
    asked = len(server.asked)
    assert bench(*CONSTRUCT, "--json") == 0
    result = outcome(capsys)
    assert (result["calls"]["counts"]["reused"], result["passages"]["items"]) == (15, 3)
    assert len(server.asked) == asked
    for name, points in (("a", (8, 6, 7)), ("b", (8, 7, 6))):
        fill_in(tmp_path / "set" / "sheets" / "reviewer-1.csv", tmp_path / f"{name}.csv", points)
    assert bench("filter", "set", "--sheets", "a.csv", "b.csv") == 0
    out = capsys.readouterr().out
    assert "3 items = 3 kept + 0 dropped" in out
    assert "agreement on significance: alpha null (no_variation)" in out
    assert bench("filter", "set", "--sheets", "a.csv", "--json") == 0
    result = outcome(capsys)
    assert (result["kept"], len(result["dropped"])) == (2, 1)
    assert bench("build", "--data", result["items"], "--out", "run", "--methods", "bm25") == 0
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    assert "2 questions = 2 done" in capsys.readouterr().out


def test_the_leak_test(server, capsys, books, tmp_path):
    bench(*CONSTRUCT, "--quiet")
    (tmp_path / "names.json").write_text('{"characters": ["Marta"], "phrases": ["tide"]}')
    capsys.readouterr()
    asked = len(server.asked)
    leak = ("leak", "--data", "set/items.jsonl", "--novels", "books", "--agent", "here", "--judge", "here", "--out", "leak",
            "--masking", "given", "--entities", "names.json", "--tokens", "60")  # fmt: skip
    assert bench(*leak, "--dry-run") == 0
    assert "continuations:\n6 replies wanted" in capsys.readouterr().out
    assert len(server.asked) == asked
    assert bench(*leak, "--quiet") == 0
    out = capsys.readouterr().out
    assert "6 continuations = 6 done" in out
    assert re.search(r"plain The Lamp +1\.000", out)
    assert re.search(r"masked - plain +-1\.000", out)
    asked = len(server.asked)
    assert bench(*leak, "--json") == 0
    result = outcome(capsys)
    assert (result["cases"], result["steps"]["judge"]["counts"]["reused"]) == (6, 6)
    assert len(server.asked) == asked
    server.down = "You judge how much"
    assert bench(*leak, "--no-cache", "--tokens", "70", "--quiet") == 3
    printed = capsys.readouterr().out
    assert "6 verdicts = 0 done + 6 failed" in printed
    assert "null (no_items)" in printed


def test_an_estimate_needs_no_key_and_a_run_does(server, capsys, books, tmp_path):
    with (tmp_path / "mmrole.toml").open("a") as file:
        file.write(
            '[endpoints.keyed]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "tiny"\napi_key_env = "NO_SUCH_KEY_OF_MMROLE"\n'
        )
    keyed = [word if word != "here" else "keyed" for word in CONSTRUCT]
    assert bench(*keyed, "--dry-run", "--json") == 0
    assert outcome(capsys)["find"]["calls"] == 3
    assert bench(*keyed) == 2
    assert "NO_SUCH_KEY_OF_MMROLE" in capsys.readouterr().err
    bench("build", "--out", "run")
    for stage in (("run", "run", "--agent"), ("grade", "run", "--judge")):
        assert bench(*stage, "keyed", "--dry-run") == 0
    bench(*CONSTRUCT, "--quiet")
    leak = (
        "leak",
        "--data",
        "set/items.jsonl",
        "--novels",
        "books",
        "--agent",
        "keyed",
        "--judge",
        "keyed",
        "--out",
        "leak",
    )
    assert bench(*leak, "--dry-run") == 0


def test_the_limit_on_cost_is_of_all_steps_of_a_construction(server, capsys, books):
    assert bench(*CONSTRUCT, "--max-cost", "35", "--json") == 3
    result = outcome(capsys)
    assert result["items"] is None
    assert result["calls"]["stopped"]
    assert (result["passages"]["pending"], server.asked) == (3, [])


def test_scenarios_of_moralchoice(server, capsys, tmp_path):
    (tmp_path / "low.csv").write_text(
        "scenario_id,ambiguity,generation_rule,context,action1,action2\n"
        + "".join(f"C_{n},low,rule {n % 3},You see {n} coins.,I leave them.,I take them.\n" for n in range(40))
    )
    assert bench("build", "--out", "run", "--data", "low.csv", "--methods", "roleless") == 0
    assert "40 decisions without a role" in capsys.readouterr().out
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    assert bench("score", "run", "--json") == 0
    printed = capsys.readouterr().out.splitlines()[-1]
    scores = {each["metric"]: each for each in json.loads(printed)["scores"]}
    # an agent that always says A: the whole bias of two options, and right where the right one is shown first
    assert scores["position_bias"]["value"] == 0.5
    assert 0 < scores["accuracy"]["value"] < 1
    assert scores["accuracy"]["details"]["chance"] == 0.5


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["build", "--out", "x", "--methods", "charmap"], 2, "write hierarchical+bm25+charmap"),
        (["build", "--out", "x", "--data", "none.json"], 1, "none.json: cannot be read"),
        (["build", "--out", "x", "--data", "mmrole.toml"], 1, "mmrole.toml"),
        (["build", "--out", "x", "--runs", "0"], 2, "0 runs make no sense"),
        (["build", "--out", "x", "--chunk", "0"], 2, "chunk has to be 1 or more"),
        (["build", "--out", "x", "--masking", "given", "--entities", "none.json"], 1, "none.json: cannot be read"),
        (["run", "nothing", "--agent", "here"], 1, "plan.json is missing"),
        (["run", "nothing", "--agent", "there"], 2, "has no endpoint 'there'"),
        (["score", "nothing"], 1, "plan.json is missing"),
        (["construct", "nothing", "--author", "here", "--out", "x"], 1, "nothing: there is no such file or folder"),
        (["construct", "mmrole.toml", "--author", "here", "--out", "x"], 1, "no novel is left"),
        (["construct", ".", "--author", "here", "--out", "x"], 1, "there are no .txt files"),
        (["construct", ".", "--author", "here", "--out", "x", "--passages", "0"], 2, "passages are 1 or more"),
        (["construct", ".", "--author", "here", "--out", "x", "--first", "nan"], 2, "make no sense"),
        (["filter", "nothing", "--sheets", "x.csv"], 1, "items.jsonl is missing or empty"),
        (["leak", "--novels", ".", "--agent", "here", "--judge", "here", "--out", "x"], 2, "name one of the two"),
        (
            ["leak", "run", "--novels", ".", "--agent", "here", "--judge", "here", "--out", "x"],
            1,
            "plan.json is missing",
        ),
        (["plot", "time", "nothing", "--out", "x.png"], 1, "plan.json is missing"),
    ],
)
def test_an_expected_error_is_one_line(server, capsys, args, code, said):
    assert bench(*args) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1


def test_usage_is_2(capsys):
    with pytest.raises(SystemExit) as caught:
        bench("run", "folder")
    assert caught.value.code == 2
    assert "--agent" in capsys.readouterr().err
