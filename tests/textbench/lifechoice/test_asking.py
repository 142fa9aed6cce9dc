from mmrole.llm import ChatReply
from textbench.lifechoice.asking import Profiles, Unasked, question_of, questions, read_choice
from textbench.lifechoice.cases import Case, units
from textbench.lifechoice.library import Library
from textbench.lifechoice.motivations import Motivation
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.segments import Segments
from textbench.lifechoice.summaries import Described, Sizes
from textbench.tokens import approximate

TEXT = "Ann swore never to sell the boat. " + "The wind blew over the dunes all day. " * 60


def case(**more):
    given = {
        "item_id": "a", "content": "c", "book": "b", "character": "Ann", "language": "en", "text": TEXT,
        "scenario": "A merchant comes to the boat.", "question": "What does Ann do?", "options": ("sells", "keeps"), "correct": 1,
    }  # fmt: skip
    return Case(**given | more)


class Fixed:
    """Stands for descriptions, and for segments."""

    def __init__(self, value):
        self.value = value

    def of(self, _told, _method):
        return self.value


def asked(method, *, described=None, segments=None, **more):
    plan = LifeChoicePlan(methods=(method,), budget=400, sizes=Sizes(chunk=50, leaf=10), seed=None)
    library = Library(chunk=50, counter=approximate)
    profiles = Profiles(plan, library, Fixed(described), Fixed(segments))
    (found,) = questions(plan, [case(**more)], profiles)
    return found


def texts(found):
    return [message.text for message in found.request.messages]


def test_a_roleless_agent_is_told_nothing_of_the_character_but_the_question():
    instruction, question = texts(asked("roleless"))
    assert "Ann" not in instruction
    assert "A merchant comes to the boat." in question
    assert "A. sells\nB. keeps" in question


def test_a_memory_is_searched_by_the_scenario_and_the_question():
    found = asked("bm25")
    assert "Ann swore never to sell the boat." in texts(found)[0]
    assert found.fields["query"] == {"by": "question", "segments": [], "fallback": None, "dropped": 0}
    assert found.fields["profile"]["tokens"] <= 400
    assert (found.fields["options"], found.fields["order"]) == ({"A": "sells", "B": "keeps"}, [0, 1])


def test_a_memory_without_a_hit_leaves_the_name():
    instruction, _ = texts(asked("bm25", text="Nothing. " * 50, scenario="xyz", question="zyx?"))
    assert "Ann" in instruction
    assert "Nothing" not in instruction


def test_segments_are_the_queries_and_without_any_the_question_is():
    given = Segments(texts=("dunes",), reason=None)
    found = asked("human+bm25+charmap", described=Described(text="Ann walks on dunes."), segments=given)
    assert (found.fields["query"]["by"], found.fields["query"]["segments"]) == ("segments", ["dunes"])
    none = Segments(texts=(), reason="empty")
    found = asked("human+bm25+charmap", described=Described(text="Ann walks on dunes."), segments=none)
    assert (found.fields["query"]["by"], found.fields["query"]["fallback"]) == ("question", "empty")


def test_what_is_missing_is_said_instead_of_asking():
    missing = asked("human", described=Described(text=None, reason="no_description"))
    assert isinstance(missing, Unasked)
    assert (missing.reason, missing.again) == ("no_description: no_description", False)
    waiting = Segments(texts=(), reason="it was not asked", again=True)
    found = asked("human+bm25+charmap", described=Described(text="Ann."), segments=waiting)
    assert (found.reason, found.again) == ("no_segments: it was not asked", True)
    assert asked("motivation").reason == "no_motivation: the item does not say why"


def test_the_motivation_is_given_where_the_method_says_so():
    why = Motivation(type="Values and Beliefs", text="She swore it.", known=True)
    assert "She swore it." in texts(asked("motivation", motivation=why))[0]
    assert "She swore it." not in "".join(texts(asked("bm25", motivation=why)))


def test_the_letter_is_read():
    plan = LifeChoicePlan(methods=("roleless",), seed=None)
    (unit,) = units(plan, [case()])
    profiles = Profiles(plan, Library(chunk=50, counter=approximate), Fixed(None), Fixed(None))
    question = question_of(plan, unit, profiles.of(unit))
    assert read_choice(question, ChatReply(text="Answer: B", finish_reason="stop")).value == "B"
    assert read_choice(question, ChatReply(text="C, I think", finish_reason="stop")).value is None
