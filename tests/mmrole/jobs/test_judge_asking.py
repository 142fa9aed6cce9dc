import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.judge_asking import askings_of, home_of
from mmrole.llm import Price, Prices, ScriptedModel


def test_names():
    a, b = ScriptedModel([], name="a"), ScriptedModel([], name="b")
    assert [*askings_of([a, b])] == ["a", "b"]
    assert [*askings_of({"one": a, "two": a})] == ["one", "two"]
    for judges, message in (
        ([], "there is no judge"), ([a, a], "two judges are called 'a'"), ({" ": a}, "a judge has no name"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            askings_of(judges)


def test_one_name_alone_is_a_judge(tmp_path):
    (tmp_path / "m.toml").write_text('[endpoints.here]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n')
    assert [*askings_of("here", config=tmp_path / "m.toml", cache=False)] == ["here"]


def test_the_price_is_known_before_anything_is_paid():
    prices = Prices(models={"a": Price(input_per_million=1, output_per_million=1)})
    judges = [ScriptedModel([], name="a"), ScriptedModel([], name="b")]
    with pytest.raises(UsageError, match="a cost limit needs the price of 'b'"):
        askings_of(judges, prices=prices, max_cost=1.0)
    with pytest.raises(UsageError, match="a cost limit of -1"):
        askings_of(judges[:1], prices=prices, max_cost=-1.0)
    assert len(askings_of(judges, prices=prices)) == 2


def test_folders(tmp_path):
    assert home_of(tmp_path, "qwen2.5-7b") == tmp_path / "judges" / "qwen2.5-7b"
    names = ["../x", "a/b", "a-b", "千问", "通义", ".hidden", "x" * 300, "con:1"]
    homes = [home_of(tmp_path, name) for name in names]
    assert len(set(homes)) == len(names)
    assert all(home.parent == tmp_path / "judges" and len(home.name) <= 100 for home in homes)
