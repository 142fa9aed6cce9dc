import pytest

from textbench.lifechoice.cases import Case, told
from textbench.lifechoice.methods import method_of
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.preparing import NO_DESCRIPTION, Descriptions, SegmentsOf
from textbench.lifechoice.rounds import Answer
from textbench.tokens import approximate

TEXT = "Ann rowed to the mill. " * 40


def case(item_id="a", description="Ann keeps her word. She is proud. She is nine.", question="q"):
    return Case(
        item_id=item_id, content="0", book="b", character="Ann", language="en", text=TEXT, scenario="s", question=question,
        options=("w", "x"), correct=1, description=description,
    )  # fmt: skip


class Caller:
    """Answers every call with one value, and remembers the calls."""

    def __init__(self, answer):
        self.answer = answer
        self.calls = {}

    def answers(self, calls):
        self.calls |= {call.item_id: call for call in calls}
        return {call.item_id: self.answer for call in calls}


def plan(*methods, **more):
    return LifeChoicePlan(methods=methods, **more)


def first(case, of):
    return next(told(of, case))


def test_methods_with_the_same_share_and_cases_with_the_same_text_share_a_description():
    of = plan("hierarchical+bm25", "hierarchical+bm25+charmap", "hierarchical", "roleless")
    descriptions = Descriptions(of, approximate, Caller(Answer(status="ok", value="Ann rows.")), [case("a"), case("b")])
    # with a memory and without: two shares of the budget
    assert len(descriptions.written) == 2
    assert descriptions.of(first(case(), of), method_of("hierarchical")).text == "Ann rows."


def test_a_supplied_description_is_cut_like_the_text_and_none_is_a_reason():
    of = plan("human", prefixes=2, truncate_descriptions=True)
    descriptions = Descriptions(of, approximate, Caller(None), [case()])
    half, whole = (descriptions.of(each, method_of("human")) for each in told(of, case()))
    assert (half.text, half.cut) == ("Ann keeps her word.", True)
    assert (whole.text, whole.cut) == (case().description, False)
    assert descriptions.of(first(case(description=None), of), method_of("human")).reason == NO_DESCRIPTION
    assert descriptions.written == {}


def test_segments_are_one_call_for_each_item_even_where_two_ask_the_same():
    of = plan("human+bm25+charmap")
    caller = Caller(Answer(status="ok", value=["She is proud."]))
    cases = [case("a"), case("b"), case("none", description=None)]
    descriptions = Descriptions(of, approximate, Caller(None), cases)
    segments = SegmentsOf(of, descriptions, caller, cases)
    assert [name.split("/")[0] for name in caller.calls] == ["a", "b"]
    assert segments.of(first(cases[0], of), method_of("human+bm25+charmap")).texts == ("She is proud.",)


@pytest.mark.parametrize(("status", "again"), [("pending", True), ("error", True), ("unparsed", False)])
def test_segments_that_are_missing(status, again):
    of = plan("human+bm25+charmap")
    descriptions = Descriptions(of, approximate, Caller(None), [case()])
    segments = SegmentsOf(of, descriptions, Caller(Answer(status=status, reason="r")), [case()])
    found = segments.of(first(case(), of), method_of("human+bm25+charmap"))
    assert (found.texts, found.again) == ((), again)
