from __future__ import annotations

import pytest

from mmrole.core.errors import UsageError
from mmrole.llm import BatchItem
from mmrole.llm.items import RECORD_FIELDS, checked_item, is_stored


@pytest.mark.parametrize("name", sorted(RECORD_FIELDS))
def test_a_field_of_the_record_cannot_be_overwritten(name, request_of):
    with pytest.raises(UsageError, match=f"a field '{name}'"):
        checked_item(BatchItem(item_id="1", request=request_of("x"), fields={name: 1}))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x", "\ud800"])
def test_what_json_cannot_hold_is_refused_before_it_is_paid_for(value, request_of):
    with pytest.raises(UsageError, match="item '1' has a field that JSON cannot hold"):
        checked_item(BatchItem(item_id="1", request=request_of("x"), fields={"a": value}))


def test_only_a_finished_record_of_the_same_request_is_reused():
    assert is_stored({"status": "ok", "request": "a"}, "a")
    assert is_stored({"status": "unparsed", "request": "a"}, "a")
    assert not is_stored({"status": "error", "request": "a"}, "a")
    assert not is_stored({"status": "ok", "request": "b"}, "a")
    assert not is_stored(None, "a")
