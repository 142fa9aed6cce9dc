"""An endpoint on the loopback interface, for commands that ask models."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

PRICES = 'currency = "EUR"\n[models.tiny]\ninput_per_million = 1000000\noutput_per_million = 0\n'
CONFIG = 'prices = "prices.toml"\n[endpoints.here]\n{url}'


class Handler(BaseHTTPRequestHandler):
    """Replies with what `served.says` gives for the last message; where `served.down` is in it, with an error."""

    protocol_version = "HTTP/1.1"
    served: SimpleNamespace

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        self.served.asked.append(text)
        self.served.bodies.append(body)
        if self.served.down and self.served.down in text:
            self.reply(400, {"error": {"message": "no", "type": "bad", "param": None, "code": None}})
            return
        message = {"role": "assistant", "content": self.served.says(self.served, text)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
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
def endpoint(tmp_path, monkeypatch):
    """Starts the server, writes mmrole.toml and a price list into the working folder; returns what it is asked and how it behaves.

    `says` takes that object and the text of the last message; `config` has a place ``{url}`` for the lines of an endpoint's table.
    """
    started = []

    def start(says, *, config=CONFIG, more="", folder=tmp_path, **behaviour):
        served = SimpleNamespace(says=says, asked=[], bodies=[], down="", **behaviour)
        http = Server(("127.0.0.1", 0), type("Own", (Handler,), {"served": served}))
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        started.append((http, thread))
        url = f'base_url = "http://127.0.0.1:{http.server_port}/v1"\nmodel = "tiny"\nmax_tokens = 50\n{more}'
        (folder / "prices.toml").write_text(PRICES)
        (folder / "mmrole.toml").write_text(config.format(url=url))
        monkeypatch.chdir(folder)
        monkeypatch.setenv("MMROLE_CACHE", str(folder / "cache"))
        return served

    yield start
    for http, thread in started:
        http.shutdown()
        thread.join()
        http.server_close()
