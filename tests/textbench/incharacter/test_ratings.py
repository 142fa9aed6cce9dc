import pytest

from textbench.incharacter.grading import calls_of
from textbench.incharacter.ratings import choices_by_run, rating_record, scores_of, unread_methods
from textbench.incharacter.sittings import sittings


def reply(text, status="ok", value=None):
    return {"status": status, "value": value, "replies": [{"text": text, "finish_reason": "stop"}]}


def rated(make, method, replies, text=lambda *_: "Yes."):
    """The record of Ann's sitting, with the replies of each call in their order."""
    plan = make.plan(methods=(method,), characters=[make.ann()])
    [sitting] = sittings(plan, make.answers(plan, text), [method])
    calls = list(calls_of(plan, sitting))
    by_call = dict(zip((call.item_id for call in calls), replies, strict=True))
    return rating_record(sitting, calls, by_call.__getitem__)


def test_choices_come_from_where_they_were_read(make):
    says = {"1": "4", "2": "2", "3": "Hm.", "4": "Hm.", "5": "Hm.", "6": "666"}
    record = rated(
        make,
        "SR",
        [[reply('{"3": 3, "4": "x"}', "unparsed"), reply("no", "unparsed")]],
        lambda c, s, item, r: says.get(item, "1"),
    )
    assert record["choices"] == {"1": 4, "2": 2, "3": 3, "4": "x", "5": "x", "6": 666}
    assert record["sources"] == {"parsed": 3, "converted": 1, "refused": 1, "missing": 1, "unread": 0}
    assert record["regenerations"] == 1


def test_the_whole_reply_counts_before_the_parts(make):
    part = reply('{"1": 1, "2": 1}', "unparsed")
    whole = reply('{"1": 5, "2": 5, "3": 5, "4": 5, "5": 5, "6": 5}')
    assert set(rated(make, "OC", [[part, whole]])["choices"].values()) == {5}


def test_a_batch_without_a_rating_is_null(make):
    record = rated(make, "ER_all", [[reply("", value=4.5)], [reply("hm", "unparsed"), reply("hm", "refusal")]])
    assert record["batches"] == {"Warmth": [[["1", "2", "3"], 4.5]], "Order": [[["4", "5", "6"], None]]}


@pytest.mark.parametrize("replies", [[[], [reply("", value=3)]], [[reply("", value=3)], [reply("", "error")]]])
def test_no_record_while_a_call_is_open(make, replies):
    assert rated(make, "ER_all", replies) is None


def record(method, run=0, **more):
    return {"character": "ann", "scale": "Tiny", "method": method, "run": run, "regenerations": 0, **more}


def test_scores_of_choices_by_hand(make):
    plan = make.plan(methods=("OC", "d-OC"), runs=2)
    choices = {"1": 5, "2": 2, "3": "x", "4": 1, "5": 666, "6": 4}
    # OC, Warmth: (5 + (6 - 2) + 3) / 3 = 4; Order: ((6 - 1) + 4) / 2 = 4.5, 666 is left out. The second run is not there
    assert scores_of(plan, [record("OC", choices=choices)], "Tiny", "OC") == {
        "ann": {"Warmth": [4, None], "Order": [4.5, None]}
    }
    # d-OC reverses nothing: (5 + 2 + 3) / 3, (1 + 4) / 2
    found = scores_of(plan, [record("d-OC", run=1, choices=choices)], "Tiny", "d-OC")
    assert found == {"ann": {"Warmth": [None, pytest.approx(10 / 3)], "Order": [None, 2.5]}}


def test_scores_of_batches_by_hand(make):
    plan = make.plan(methods=("ER_batch",))
    batches = {"Warmth": [[["1"], 4], [["2"], 5], [["3"], "x"]], "Order": [[["4", "5", "6"], 0]]}
    # Warmth: (4 + 5) / 2; Order: 0 is outside 1-5 and left out
    assert scores_of(plan, [record("ER_batch", batches=batches)], "Tiny", "ER_batch") == {
        "ann": {"Warmth": [4.5], "Order": [None]}
    }


def test_choices_by_run(make):
    found = choices_by_run([record("OC", run=1, choices={"1": 2}), record("OC", choices={"1": 1})], "Tiny", "OC")
    assert found == {"ann": [{"1": 1}, {"1": 2}]}


def test_what_no_reply_told_is_no_refusal_and_has_no_score(make):
    says = {"1": "4", "2": "2", "3": "3", "4": "Hm.", "5": "5", "6": "1"}
    found = rated(
        make, "SR", [[reply("no", "unparsed"), reply("no", "unparsed")]], lambda c, s, item, r: says.get(item, "1")
    )
    assert found["unread"] == ["4"]
    assert "4" not in found["choices"]
    assert found["sources"] == {"parsed": 5, "converted": 0, "refused": 0, "missing": 0, "unread": 1}
    plan = make.plan(methods=("SR",), characters=[make.ann()])
    # Warmth: (4 + (6 - 2) + 3) / 3; Order has an item that nobody could read
    assert scores_of(plan, [found], "Tiny", "SR") == {"ann": {"Warmth": [pytest.approx(11 / 3)], "Order": [None]}}
    assert choices_by_run([found], "Tiny", "SR") == {}
    assert list(choices_by_run([found], "Tiny", "SR", whole=False)) == ["ann"]


def test_methods_of_which_nothing_could_be_read():
    found = [
        {"method": "OC", "choices": {}}, {"method": "OC", "choices": {"1": 4}}, {"method": "SR", "choices": {}},
        {"method": "ER_batch", "batches": {"Calm": [[["1"], None]]}}, {"method": "ER_all", "batches": {"Calm": [[["1"], "x"]]}},
    ]  # fmt: skip
    assert unread_methods(found) == ["SR", "ER_batch"]
    assert unread_methods([]) == []
