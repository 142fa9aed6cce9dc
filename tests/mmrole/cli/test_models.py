import json

from mmrole.cli.main import main


def test_models_are_listed_with_what_they_are(model_files, capsys):
    assert main(["models", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in listed["files"]} == set(model_files)
    assert {row["state"] for row in listed["files"]} == {"ok"}
    assert main(["models", "verify"]) == 0
    assert "face_landmarker.task: ok (3.8 MB, Apache-2.0" in capsys.readouterr().out


def test_missing_models_are_told_and_verify_fails(tmp_path, capsys):
    assert main(["models", "list", "--models", str(tmp_path)]) == 0
    assert main(["models", "verify", "--models", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "face_landmarker.task: missing" in out
    assert "run `mmrole models fetch`" in out


def test_the_reply_cache_is_shown_and_pruned(tmp_path, capsys):
    from mmrole.llm import CachedModel, ChatRequest, ReplyCache, ScriptedModel, ask, user

    cache = ReplyCache(tmp_path)
    model = CachedModel(ScriptedModel(lambda request: "OK"), cache)
    ask(model, ChatRequest(messages=(user("hello"),)))
    assert main(["models", "cache", "--cache", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replies"] == 1
    assert main(["models", "cache", "--cache", str(tmp_path), "--prune-days", "7"]) == 0
    assert "removed 0 replies" in capsys.readouterr().out
    assert main(["models", "cache", "--cache", str(tmp_path), "--prune-days", "0"]) == 0
    out = capsys.readouterr().out
    assert "removed 1 replies" in out
    assert "0 replies" in out
