from __future__ import annotations

import asyncio

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.llm.cost import Budget, Price, Spent, read_prices
from mmrole.llm.outcome import Usage

LIST = """
currency = "EUR"
[models."qwen2.5-7b"]
input_per_million = 0.5
output_per_million = 2
"""


def test_a_price_list_is_read(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text(LIST)
    prices = read_prices(path)
    assert prices.currency == "EUR"
    # by hand: 1000 tokens at 0.5 per million and 100 at 2 per million are 0.0005 + 0.0002
    assert prices.of("qwen2.5-7b").of(Usage(prompt_tokens=1000, completion_tokens=100)) == pytest.approx(0.0007)
    assert prices.of("other") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LIST.replace("= 2", "= -2"), "output_per_million"),
        (LIST.replace("output_per_million = 2", ""), "output_per_million: field required"),
        (LIST + "cached = 1", "cached: unknown key"),
        ("[models", "is no TOML"),
        (LIST.replace("= 2", "= inf"), "output_per_million"),
    ],
)
def test_a_wrong_price_list_is_told_in_one_line(tmp_path, text, said):
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_prices(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_price_list_is_told(tmp_path):
    with pytest.raises(UsageError, match="should be the price list"):
        read_prices(tmp_path / "none.toml")


def test_spending_adds_up_and_an_unknown_cost_is_not_zero():
    known = Spent(calls=1, usage=Usage(prompt_tokens=10, completion_tokens=1), cost=0.5)
    unknown = Spent(calls=1, unmetered=1)
    total = known + unknown + known
    assert (total.calls, total.usage.prompt_tokens, total.unmetered, total.cost) == (3, 20, 1, 1.0)
    assert (unknown + unknown).cost is None
    assert Spent.from_record(total.to_record()) == total


PRICE = Price(input_per_million=1_000_000, output_per_million=0)  # one unit of money per prompt token


def calls_within(limit, cost_of_each, *, at_once=8, wanted=100):
    """Calls of a cost each under a limit, eight side by side; returns how many were made and the most at once."""

    async def run():
        budget = Budget(limit, PRICE)
        made = running = most = 0

        async def worker():
            nonlocal made, running, most
            while made + running < wanted:
                reserved = await budget.reserve(prompt_tokens=1)
                if reserved is None:
                    return
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                budget.settle(reserved, Usage(prompt_tokens=cost_of_each))
                running -= 1
                made += 1

        await asyncio.gather(*(worker() for _ in range(at_once)))
        return made, most

    return asyncio.run(run())


@pytest.mark.parametrize(("limit", "made"), [(20, 10), (21, 10), (2, 1), (1, 1), (0.5, 0), (0, 0)])
def test_a_run_ends_at_its_limit_not_a_flight_of_calls_beyond(limit, made):
    # calls of 2 units each: as many as fit; the first may be dearer than its prompt (1) shows
    assert calls_within(limit, 2)[0] == made


def test_calls_under_a_limit_still_go_side_by_side():
    assert calls_within(1000, 2)[1] == 8


def test_a_model_that_costs_nothing_is_not_held_back():
    async def run():
        budget = Budget(0.0, Price(input_per_million=0, output_per_million=0))
        reserved = [await budget.reserve(10) for _ in range(3)]
        for each in reserved:
            budget.settle(each, Usage(prompt_tokens=10))
        return await budget.reserve(10)

    assert asyncio.run(run()) is not None


def test_a_price_of_replies_alone_is_a_price():
    async def run():
        budget = Budget(10.0, Price(input_per_million=0, output_per_million=1_000_000))
        made = 0
        while (reserved := await budget.reserve(100)) is not None:
            budget.settle(reserved, Usage(prompt_tokens=100, completion_tokens=3))
            made += 1
        return made

    assert asyncio.run(run()) == 3  # by hand: 3 * 3 <= 10 < 4 * 3


def test_a_budget_without_limit_lets_everything_through():
    async def run():
        budget = Budget(None, None)
        reserved = await budget.reserve(10**9)
        budget.settle(reserved, Usage(prompt_tokens=10**9))
        return reserved.money, budget.limited

    assert asyncio.run(run()) == (0.0, False)


def test_a_call_that_failed_for_nothing_does_not_let_a_flight_through():
    async def run():
        budget = Budget(10.0, PRICE)
        budget.settle(await budget.reserve(1), Usage())
        await budget.reserve(1)
        waiting = asyncio.create_task(budget.reserve(1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        done = waiting.done()
        waiting.cancel()
        return done

    assert asyncio.run(run()) is False


@pytest.mark.parametrize(
    ("limit", "price", "said"),
    [(1.0, None, "needs the price of 'm'"), (-1.0, PRICE, "makes no sense"), (float("nan"), PRICE, "makes no sense")],
)
def test_a_limit_that_makes_no_sense_is_refused(limit, price, said):
    with pytest.raises(UsageError, match=said):
        Budget(limit, price, model="m")
