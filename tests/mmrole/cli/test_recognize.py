"""The command line, against a server on the loopback interface."""

import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mmrole.cli.main import main


class Handler(BaseHTTPRequestHandler):
    """Says happy to everything; a request for the model `down` gets an error."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []  # noqa: RUF012  # set anew by the fixture

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body["model"])
        if body["model"] == "down":
            self.reply(401, {"error": {"message": "no such key", "type": "bad", "param": None, "code": None}})
            return
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": '{"label": "快乐"}'},
            "finish_reason": "stop",
        }
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


PANEL = """
prices = "prices.toml"
[endpoints.tiny]
base_url = "URL"
model = "tiny"
max_tokens = 20
[endpoints.down]
base_url = "URL"
model = "down"
[[experts]]
name = "tiny"
kind = "llm"
endpoint = "tiny"
streams = ["all", "text"]
[[experts]]
name = "words"
kind = "lexicon"
"""


@pytest.fixture
def server(tmp_path, monkeypatch):
    handler = type("Own", (Handler,), {"asked": []})
    with Server(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        panel = PANEL.replace("URL", f"http://127.0.0.1:{http.server_port}/v1")
        (tmp_path / "panel.toml").write_text(panel)
        down = panel + '[[experts]]\nname = "down"\nkind = "llm"\nendpoint = "down"\nstreams = ["all"]\n'
        (tmp_path / "down.toml").write_text(down)
        (tmp_path / "prices.toml").write_text(
            'currency = "EUR"\n[models.tiny]\ninput_per_million = 1000000\noutput_per_million = 0\n'
        )
        utterances = [
            {"utterance_id": f"d_{n}", "speaker": who, "text": "thank you", "emotion": "happy", "index": n}
            for n, who in enumerate("ABA")
        ]
        (tmp_path / "d.jsonl").write_text(json.dumps({"dialogue_id": "d", "utterances": utterances}) + "\n")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("MMROLE_CACHE", str(tmp_path / "cache"))
        yield handler
        http.shutdown()
        thread.join()


def recognize(*more, panel="panel.toml"):
    return main(["recognize", "--dialogues", "d.jsonl", "--panel", panel, "--out", "out", *more])


def test_from_a_panel_to_scores(server, capsys, tmp_path):
    assert recognize() == 0
    out = capsys.readouterr().out
    assert "9 votes on 3 utterances = 9 done + 0 failed + 0 skipped; 0 of them reused" in out
    assert "words  lexicon, baseline, not for reporting, 3 asked, 3 valid" in out
    assert "spent: 60.0000 EUR" in out
    assert server.asked == ["tiny"] * 6
    assert recognize("--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["counts"]["reused"], record["experts"][0]["valid"]) == (9, 6)
    assert len(server.asked) == 6
    erc = ["erc", "--dialogues", "d.jsonl", "--predictions", "out/votes.jsonl", "--out", "erc", "--bootstrap", "0"]
    assert main(erc) == 0
    assert "1.000" in capsys.readouterr().out  # the model says happy, and all are
    assert main([*erc, "--expert", "words"]) == 0
    assert "0.000" in capsys.readouterr().out  # thank you is grateful


def test_a_dry_run_asks_nothing(server, capsys, tmp_path):
    assert recognize("--dry-run") == 0
    out = capsys.readouterr().out
    assert out.startswith("tiny: 6 replies wanted: 0 stored, 0 in the cache, 6 calls to make")
    assert recognize("--dry-run", "--json", panel="down.toml") == 0
    assert json.loads(capsys.readouterr().out)["experts"]["down"]["calls"] == 3
    assert recognize("--dry-run", panel="down.toml") == 0
    assert "together: 9 calls to make, cost not wholly known" in capsys.readouterr().out
    assert not server.asked
    assert not (tmp_path / "out").exists()


def test_a_broken_endpoint_costs_its_own_votes(server, capsys):
    assert recognize(panel="down.toml") == 3
    out = capsys.readouterr().out
    assert "tiny   llm, 6 asked, 6 valid" in out
    assert "ended early: " in out
    assert "12 votes on 3 utterances = 9 done + 0 failed + 0 skipped + 3 pending" in out


def test_a_limit_on_cost(server, capsys):
    assert recognize("--max-cost", "0") == 3
    assert "6 pending" in capsys.readouterr().out
    assert recognize("--max-cost", "1", panel="down.toml") == 2
    assert "a cost limit needs the price of 'down'" in capsys.readouterr().err
    assert not server.asked


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--descriptions", "none.jsonl"], 1, "none.jsonl: cannot be read"),
        (["--features", "none"], 1, "none is no folder of features"),
        (["--labels", "none"], 2, "no label set 'none'"),
        (["--config", "none.toml"], 2, "none.toml is missing"),
        (["--history", "-3"], 2, "-3 lines makes no sense"),
        (["--history", "x"], 2, "invalid int value"),
    ],
)
def test_what_is_wrong_is_one_line(server, capsys, more, code, message):
    try:
        found = recognize(*more)
    except SystemExit as end:  # argparse
        found = end.code
    err = capsys.readouterr().err
    assert (found, err.count("\n")) == (code, 1)
    assert message in err


def test_what_failed_is_told_with_its_reason(fixture_features, root, tmp_path, capsys):
    folder = tmp_path / "f"
    shutil.copytree(fixture_features, folder)
    (folder / "tracks/01_000_000.parquet").unlink()
    args = [
        "--dialogues",
        str(root / "fixtures/dialogues.csv"),
        "--panel",
        str(root / "fixtures/panel.toml"),
        "--features",
        str(folder),
    ]
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    assert main(["recognize", *args, *out]) == 3
    printed = capsys.readouterr().out
    # 6 utterances, 7 votes each; one without a face, one without sound (fixtures/README.md), 6 without a description of the face
    assert "42 votes on 6 utterances = 33 done + 1 failed + 8 skipped" in printed
    assert (
        f"1 failed: {folder}/tracks/01_000_000.parquet is missing; run mmrole extract again, with --out {folder}"
        in printed
    )
    shutil.copy(fixture_features / "tracks/01_000_000.parquet", folder / "tracks")
    assert main(["recognize", *args, *out]) == 0  # what failed is tried again
    # the six votes on that utterance are made anew: what there is to see of it has changed
    assert "42 votes on 6 utterances = 34 done + 0 failed + 8 skipped; 28 of them reused" in capsys.readouterr().out
    whole = tmp_path / "whole"
    assert main(["recognize", *args, "--out", str(whole), "--quiet"]) == 0
    assert (whole / "votes.jsonl").read_bytes() == (tmp_path / "out/votes.jsonl").read_bytes()


def test_a_limit_on_cost_without_a_model_is_refused(root, tmp_path, capsys):
    args = ["--dialogues", str(root / "fixtures/dialogues.csv"), "--out", str(tmp_path / "out")]
    (tmp_path / "p.toml").write_text('[[experts]]\nname = "w"\nkind = "lexicon"\n')
    assert main(["recognize", *args, "--panel", str(tmp_path / "p.toml"), "--max-cost", "nan"]) == 2
    assert "--max-cost is for experts that ask a model" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
