import json

import pytest

from mmrole.core.errors import InputError
from mmrole.core.scores import Score, definition, score_of_record


def make(**changes):
    fields = {
        "metric": "m", "part": "p", "value": 0.5, "n": 3, "definition": "m/x/v1", "bounds": (0.0, 1.0), "direction": "up",
    }  # fmt: skip
    return Score(**{**fields, **changes})


def test_record_is_json_with_sorted_keys_and_all_fields():
    record = make(ci=(0.1, 0.9), excluded={"b": 2, "a": 0}, details={"x": None}).to_record()
    assert list(record) == sorted(record)
    assert set(record) == {
        "metric", "part", "value", "n", "excluded", "ci", "definition", "bounds", "direction", "reason", "details",
    }  # fmt: skip
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["ci"] == [0.1, 0.9]
    assert record["excluded"] == {"b": 2}  # what excluded nothing is not listed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"value": float("nan")}, "nan is no value of a score"),
        ({"value": float("inf")}, "inf is no value of a score"),
        ({"ci": (0.0, float("nan"))}, "nan is no value"),
        ({"value": None}, "value None with reason None"),
        ({"reason": "because"}, "value 0.5 with reason 'because'"),
        ({"direction": "sideways"}, "direction has to be one of up, down, zero"),
        ({"excluded": {"x": -1}}, "-1 items excluded for x"),
    ],
)
def test_what_cannot_be_a_score(changes, message):
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_undefined_score():
    score = make(value=None, reason="no_roles")
    assert score.to_record()["value"] is None
    assert score.with_ci(None) == score


def test_definition_lists_every_option_in_one_order():
    assert definition("a/b/v1", z=1, drop=True, labels="x") == "a/b/v1 drop=true labels=x z=1"
    assert definition("a/b/v1") == "a/b/v1"


def test_a_score_survives_its_record():
    score = make(ci=(0.1, 0.9), excluded={"b": 2}, details={"x": None}, bounds=(None, 1.0))
    assert score_of_record(json.loads(json.dumps(score.to_record())), "s") == score
    undefined = make(value=None, reason="no_units", ci=None)
    assert score_of_record(undefined.to_record(), "s") == undefined


@pytest.mark.parametrize(
    "change", [{"n": ...}, {"ci": [0.1]}, {"bounds": None}, {"value": "0.5", "ci": None}, {"value": None}]
)
def test_what_is_no_record_of_a_score(change):
    record = {**make().to_record(), **change}
    record = {key: value for key, value in record.items() if value is not ...}
    with pytest.raises(InputError, match=r"^s\.jsonl, line 2: no score \("):
        score_of_record(record, "s.jsonl, line 2")
