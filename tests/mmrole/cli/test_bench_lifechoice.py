"""The whole way on the command line, against a server on the loopback interface."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mmrole.cli.main import main


class Handler(BaseHTTPRequestHandler):
    """Plays agent, profiler and judge; `down` is a word in requests that get an error."""

    protocol_version = "HTTP/1.1"
    down = ""
    asked: list[str] = []  # noqa: RUF012  # set anew by the fixture

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        self.asked.append(text)
        if self.down and self.down in text:
            self.reply(400, {"error": {"message": "no", "type": "bad", "param": None, "code": None}})
            return
        said = "She keeps her promise." if "Marta" in text else "他如实记录。"
        if '"segments"' in text:
            said = '{"segments": ["keeps her promise", "如实记录"]}'
        elif '"score"' in text:
            said = '{"reason": "so it seems", "score": 2}'
        elif "<letter>" in text or "<字母>" in text:
            said = "Answer: A"
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        self.reply(200, {"id": "1", "object": "chat.completion", "model": "tiny", "choices": [choice], "usage": usage})

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True
    block_on_close = False  # clients keep their connections


@pytest.fixture
def server(tmp_path, monkeypatch):
    handler = type("Own", (Handler,), {"asked": [], "down": ""})
    with Server(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        (tmp_path / "prices.toml").write_text(
            'currency = "EUR"\n[models.tiny]\ninput_per_million = 1000000\noutput_per_million = 0\n'
        )
        (tmp_path / "mmrole.toml").write_text(
            f'prices = "prices.toml"\n[endpoints.here]\nbase_url = "http://127.0.0.1:{http.server_port}/v1"\n'
            'model = "tiny"\nmax_tokens = 50\n'
        )
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("MMROLE_CACHE", str(tmp_path / "cache"))
        yield handler
        http.shutdown()
        thread.join()


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
