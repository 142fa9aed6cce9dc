import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.llm import ReplyCache, ScriptedModel

CONFIG = '[endpoints.local]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "tiny"\n'


def test_a_model_is_taken_as_it_is():
    model = ScriptedModel(["a"])
    asking = asking_of(model)
    assert (asking.model, asking.cache, asking.prices, asking.max_cost) == (model, None, None, None)


def test_an_endpoint_comes_from_the_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("MMROLE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mmrole.toml").write_text(CONFIG)
    asking = asking_of("local", config=tmp_path / "mmrole.toml", max_cost=2.0)
    assert asking.model.identity["model"] == "tiny"
    assert asking.cache.folder == tmp_path / "cache" / "replies"
    assert asking.max_cost == 2.0
    assert asking_of("local", config=tmp_path / "mmrole.toml", cache=False).cache is None
    assert (
        asking_of("local", config=tmp_path / "mmrole.toml", cache=tmp_path / "c").cache.folder.parent == tmp_path / "c"
    )
    with pytest.raises(UsageError, match="has no endpoint 'remote'"):
        asking_of("remote", config=tmp_path / "mmrole.toml")


def test_a_cache_may_be_given_to_a_model(tmp_path):
    cache = ReplyCache(tmp_path)
    assert asking_of(ScriptedModel(["a"]), cache=cache).cache is cache


def test_a_folder_keeps_to_its_model(tmp_path):
    path = tmp_path / "run" / "agent.json"
    keep_to(path, ScriptedModel(["a"], name="one"), "agent", write=False)
    assert not path.exists()
    keep_to(path, ScriptedModel(["a"], name="one"), "agent")
    keep_to(path, ScriptedModel(["b"], name="one"), "agent")
    with pytest.raises(UsageError, match="holds the replies of the agent one, not two: choose another folder"):
        keep_to(path, ScriptedModel(["a"], name="two"), "agent")
