import json

import pytest

from mmrole.core.errors import StoreError
from textbench.lifechoice.plan import LifeChoicePlan, plan_from
from textbench.lifechoice.summaries import Sizes


def test_a_plan_comes_back_as_it_was():
    plan = LifeChoicePlan(
        methods=("human+bm25+charmap", "roleless"), budget=900, sizes=Sizes(chunk=200, leaf=50), seed=None, prefixes=5,
        truncate_descriptions=True, masking="given", entities={"*": {"characters": ["Ann"]}}, data_version="v2",
        data={"name": "d.json", "sha256": "0", "items": 3}, embedder="some/model", temperature=None,
    )  # fmt: skip
    assert plan_from(json.loads(json.dumps(plan.to_record()))) == plan


def test_methods_are_stored_by_their_full_names():
    assert LifeChoicePlan(methods=("charmap+bm25+human",)).to_record()["methods"] == ["human+bm25+charmap"]


@pytest.mark.parametrize(
    "record", [{}, {"methods": 3}, {**LifeChoicePlan(methods=("bm25",)).to_record(), "sizes": {"chunk": "x"}}]
)
def test_a_damaged_plan(record):
    with pytest.raises(StoreError, match="the plan is damaged"):
        plan_from(record)
