from mmrole.llm import BatchItem, ChatReply
from textbench.lifechoice.items import Item
from textbench.lifechoice.name_finding import find_names, read_names
from textbench.lifechoice.rounds import Answer
from textbench.tokens import approximate


class Caller:
    """Answers every part alike, or by a word in it."""

    def __init__(self, *values, again=False):
        self.values = list(values)
        self.again = again
        self.asked: list[BatchItem] = []

    def answers(self, calls):
        self.asked += calls
        return {
            call.item_id: Answer(status="error" if self.again else "ok", value=None if self.again else value)
            for call, value in zip(calls, [*self.values, *([self.values[-1]] * len(calls))], strict=False)
        }


def names(characters=(), places=(), phrases=()):
    return {
        "characters": [list(c) for c in characters],
        "places": [list(p) for p in places],
        "phrases": [list(p) for p in phrases],
    }


def item(number=1, book="B", text="Ann met John Reed. " * 10):
    return Item(
        item_id=str(number),
        book=book,
        character="Ann",
        text=text,
        scenario="S",
        question="Q",
        options=("a", "b"),
        correct=0,
    )


def test_forms_of_one_name_share_a_placeholder_and_brothers_stay_two():
    found = find_names(
        [item()],
        Caller(
            names([["John Reed", "Reed"], ["Ann Lee", "Ann"]]),
            names([["Eliza Reed", "Reed"], ["John Reed", "Master John"]]),
        ),
        approximate,
        nameless="*",
    )
    of = {entity.names[0]: entity.names for entity in found.maps["B"].entities}
    assert of == {
        "John Reed": ("John Reed", "Reed", "Master John"), "Ann Lee": ("Ann Lee", "Ann"), "Eliza Reed": ("Eliza Reed",)
    }  # fmt: skip


def test_who_decides_is_always_there():
    found = find_names([item()], Caller(names()), approximate, nameless="*")
    assert found.maps["B"].placeholder("Ann") == "[character A]"


def test_a_book_is_looked_through_once_and_what_is_asked_too():
    text = "Ann went out. " * 3000
    caller = Caller(names())
    found = find_names([item(1, text=text[:20000]), item(2, text=text)], caller, approximate, nameless="*")
    whole = Caller(names())
    find_names([item(2, text=text)], whole, approximate, nameless="*")
    assert found.parts == len(caller.asked) == len(whole.asked)
    assert any("Q" in call.request.messages[-1].text for call in caller.asked)


def test_nothing_is_settled_while_an_answer_is_missing():
    found = find_names([item()], Caller(names(), again=True), approximate, nameless="*")
    assert (found.maps, found.unread) == (None, 2)


def test_replies():
    said = '{"characters": ["Ann", ["Bob", "Bobby"]], "places": [], "phrases": []}'
    found = read_names(None, ChatReply(text=said, finish_reason="stop"))
    assert found.value["characters"] == [["Ann"], ["Bob", "Bobby"]]
    assert read_names(None, ChatReply(text='{"characters": []}', finish_reason="stop")).status == "unparsed"
