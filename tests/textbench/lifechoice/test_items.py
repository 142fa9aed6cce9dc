import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import InputError, UsageError
from textbench.lifechoice.items import read_items

OPTIONS = ["Stay at home", "Leave at dawn", "Ask her sister", "Hide the letter"]


def decision(**more):
    """A character as upstream has it."""
    block = {"Scenario": "A letter came.", "Question": "What does she do?", "Options": OPTIONS, "Correct Answer": "C"}
    block |= {key: more.pop(key) for key in list(more) if key in block}
    return {
        "character_name": "Anna Berg",
        "input_text": "Anna had a sister. ",
        "Multiple Choice Question": {key: value for key, value in block.items() if value is not ...},
    } | more


def written(tmp_path, value, name="data.json"):
    path = tmp_path / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def only(tmp_path, value, **options):
    (item,) = read_items(written(tmp_path, value), **options).items
    return item


def test_upstream_a_list_of_books(tmp_path):
    books = [
        [decision(), decision(character_name="Tom", motivation="[Values and Beliefs] He must.")],
        [decision(character_name="Eve")],
    ]
    read = read_items(written(tmp_path, books))
    assert [(item.book, item.character) for item in read.items] == [
        ("book 1", "Anna Berg"),
        ("book 1", "Tom"),
        ("book 2", "Eve"),
    ]
    first, second, _ = read.items
    assert (first.text, first.scenario, first.question) == (
        "Anna had a sister. ",
        "A letter came.",
        "What does she do?",
    )
    assert (first.options, first.correct, first.language) == (tuple(OPTIONS), 2, "en")
    assert first.motivation is None
    assert (second.motivation.type, second.motivation.text) == ("Values and Beliefs", "He must.")
    assert read.counts == {"no_description": 3, "no_genre": 3, "no_motivation": 2}


FLAT = {
    "book": "The Lamp",
    "character": "Anna Berg",
    "text": "Anna had a sister. ",
    "scenario": "A letter came.",
    "question": "What does she do?",
    "options": {"A": OPTIONS[0], "B": OPTIONS[1], "C": OPTIONS[2], "D": OPTIONS[3]},
    "answer": "C",
}


@pytest.mark.parametrize(
    "value",
    [
        [FLAT],
        FLAT,
        {"items": [FLAT]},
        {"books": [{"title": "The Lamp", "characters": [decision()]}]},
        [{"book_name": "The Lamp", "characters": [decision()]}],
        [{"name": "The Lamp", "characters": [decision()]}],
        {"The Lamp": [decision()]},
        {"The Lamp": {"Anna Berg": {key: part for key, part in FLAT.items() if key not in ("book", "character")}}},
        {"The Lamp": {"characters": [decision()]}},
        [{"book": "The Lamp", "decisions": [decision()]}],
        [decision(book="The Lamp", **{"Multiple Choice Question": [decision()["Multiple Choice Question"]]})],
    ],
)
def test_every_shape_gives_the_same_item(tmp_path, value):
    expected = only(tmp_path, [FLAT])
    assert expected.book == "The Lamp"
    assert only(tmp_path, value) == expected


def test_json_lines_by_any_name(tmp_path):
    other = FLAT | {"character": "Tom"}
    for name in ("items.jsonl", "items.json", "items.txt"):
        path = tmp_path / name
        path.write_text(f"{json.dumps(FLAT)}\n\n{json.dumps(other)}\n", encoding="utf-8")
        assert [item.character for item in read_items(path).items] == ["Anna Berg", "Tom"]


def test_several_decisions_of_one_character(tmp_path):
    block = decision()["Multiple Choice Question"]
    both = decision(**{"Multiple Choice Question": [block, block | {"Question": "And then?"}]})
    assert [item.question for item in read_items(written(tmp_path, [[both]])).items] == [
        "What does she do?",
        "And then?",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "C",
        "c",
        "C.",
        "(C)",
        "C) ",
        "Ｃ",
        "Option C",
        "答案：C",
        "Ask her sister",
        "ask her  sister.",
        "C. Ask her sister",
        ["C"],
    ],
)
def test_right_answers_that_speak_for_themselves(tmp_path, answer):
    assert only(tmp_path, [[decision(**{"Correct Answer": answer})]]).correct == 2


@pytest.mark.parametrize(
    "options",
    [
        [f"{letter}. {text}" for letter, text in zip("ABCD", OPTIONS, strict=True)],
        [f"({letter}) {text}" for letter, text in zip("ABCD", OPTIONS, strict=True)],
        [f"{letter}：{text}" for letter, text in zip("ＡＢＣＤ", OPTIONS, strict=True)],
        {letter: f"{letter}) {text}" for letter, text in zip("ABCD", OPTIONS, strict=True)},
        {f"{letter}.": text for letter, text in zip("abcd", OPTIONS, strict=True)},
        {"D": OPTIONS[3], "B": OPTIONS[1], "A": OPTIONS[0], "C": OPTIONS[2]},
        [f"{letter}. {OPTIONS['ABCD'.index(letter)]}" for letter in "BADC"],  # letters, not places, count
    ],
)
def test_options_with_letters(tmp_path, options):
    item = only(tmp_path, [[decision(Options=options)]])
    assert (item.options, item.correct) == (tuple(OPTIONS), 2)


def test_an_article_is_no_letter(tmp_path):
    options = ["A. Smith helps her", "A friend", "A. Smith lies", "Nobody"]
    assert only(tmp_path, [[decision(Options=options)]]).options == tuple(options)


def test_numbered_options_tell_what_a_number_means(tmp_path):
    for start in (0, 1):
        options = {str(start + place): text for place, text in enumerate(OPTIONS)}
        assert only(tmp_path, [[decision(Options=options, **{"Correct Answer": start + 2})]]).correct == 2


def numbers(tmp_path, *given):
    return written(
        tmp_path, [[decision(Question=f"Q{n}?", **{"Correct Answer": value}) for n, value in enumerate(given)]]
    )


def test_numbers_count_from_where_the_file_says(tmp_path):
    assert [item.correct for item in read_items(numbers(tmp_path, 0, 2, 3)).items] == [0, 2, 3]
    assert [item.correct for item in read_items(numbers(tmp_path, 1, 4, "2")).items] == [0, 3, 1]
    assert [item.correct for item in read_items(numbers(tmp_path, 1, 2), index_base=1).items] == [0, 1]
    assert [item.correct for item in read_items(numbers(tmp_path, 1, 2.0), index_base=0).items] == [1, 2]
    with pytest.raises(InputError, match="nothing in the file tells whether numbers count from 0 or from 1"):
        read_items(numbers(tmp_path, 1, 2))
    with pytest.raises(InputError, match="some numbers in the file count from 0 and others from 1"):
        read_items(numbers(tmp_path, 0, 4))
    with pytest.raises(InputError, match="4 is none of 4 options, counted from 0"):
        read_items(numbers(tmp_path, 4), index_base=0)
    with pytest.raises(UsageError, match="not from 2"):
        read_items(numbers(tmp_path, 1), index_base=2)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            decision(**{"Correct Answer": "E"}),
            "field Multiple Choice Question.Correct Answer: 'E' is none of 4 options",
        ),
        (decision(**{"Correct Answer": "run away"}), "'run away' is neither a letter nor the text of an option"),
        (decision(**{"Correct Answer": "A. Ask her sister"}), "can be read as A or C"),
        (decision(**{"Correct Answer": True}), "got True"),
        (decision(**{"Correct Answer": 7}), "7 is none of 4 options, counted from 0 or from 1"),
        (decision(**{"Correct Answer": ...}), "field correct: is missing; it may be called Correct Answer, correct"),
        (
            decision(Options=["one"]),
            r"\(Anna Berg\): field Multiple Choice Question.Options: 2 to 26 options are needed, got 1",
        ),
        (decision(Options=["one", "two", " ", "four"]), "option 3 has no text, got ' '"),
        (decision(Options=["one", "two", "One.", "four"]), "options A and C are the same"),
        (decision(Options={"A": "one", "C": "two"}), "keys are letters from A or numbers in a row"),
        (decision(Options="A or B"), "a list of texts or an object of letters is needed, got 'A or B'"),
        (decision(Options={"A": "B. x", "B": "A. y"}), "are not those of the keys"),
        (decision(Scenario=""), "Multiple Choice Question.Scenario: a text is needed, got ''"),
        (decision(input_text=None), "field input_text: is missing"),
        (decision(character_name=3), "field character_name: a text is needed, got 3"),
        (decision(motivation=["x"]), "field motivation: a text is needed"),
        (decision(input_text="cut \ud83d"), r"field input_text: holds half a character, '\\ud83d'"),
        (decision(motto=["cut \ud83d"]), "field motto: holds half a character"),
        (decision(genres=3), "field genres: a text or a list of texts is needed, got 3"),
        (decision(language="fr"), "field language: en or zh is needed, got 'fr'"),
        (decision(id=True), "field id: a text or a whole number is needed, got True"),
        (decision(**{"Multiple Choice Question": None}), "field Multiple Choice Question: null, not an object"),
        ({"character_name": "Anna Berg", "input_text": "x"}, "field options: is missing"),
        ({"motto": "x"}, "no item: it has 'motto'"),
        ("text", "a str where an item should be"),
        ([], None),
    ],
)
def test_what_is_malformed_is_named(tmp_path, item, message):
    path = written(tmp_path, [[decision(character_name="Eve"), item]])
    if message is None:
        assert len(read_items(path)) == 1
        return
    with pytest.raises(InputError, match=rf"data.json, book 1, item 2.*{message}"):
        read_items(path)


def test_a_number_that_is_also_an_option(tmp_path):
    path = written(tmp_path, [[decision(Options=["2", "3", "4", "5"], **{"Correct Answer": 3})]])
    with pytest.raises(InputError, match="is the text of an option and may be the number of another: give a letter"):
        read_items(path)


def test_not_strict_keeps_the_others_and_lists_what_it_refused(tmp_path):
    bad = decision(character_name="Tom", **{"Correct Answer": "E"})
    read = read_items(written(tmp_path, [[decision(), bad, decision(), decision(character_name="Eve")]]), strict=False)
    assert [item.character for item in read.items] == ["Anna Berg", "Eve"]
    assert [(refused.name, refused.field) for refused in read.refused] == [
        ("Tom", "Multiple Choice Question.Correct Answer"),
        ("Anna Berg", "item_id"),
    ]
    assert "is there already, at" in read.refused[1].reason
    with pytest.raises(InputError, match=r"\(and 1 more items\)"):
        read_items(written(tmp_path, [[decision(), bad, decision()]]))


def test_ids_depend_on_the_content_alone(tmp_path):
    first = read_items(written(tmp_path, [[decision(), decision(character_name="Tom")]])).items
    turned = read_items(
        written(tmp_path, [[], [decision(character_name="Tom", Options=OPTIONS[::-1]), decision()]])
    ).items
    assert {item.item_id for item in first} == {item.item_id for item in turned}
    assert first[0].item_id.startswith("anna-berg-")
    assert only(tmp_path, [[decision(Scenario="Another letter.")]]).item_id != first[0].item_id
    assert only(tmp_path, [[decision(id=17)]]).item_id == "17"


def test_unknown_values_are_kept_and_reported(tmp_path):
    item = decision(genre="Fantasy, sci-fi noir; Historical Fiction", motivation="[Love of Tea] x", volume=3)
    item["Multiple Choice Question"]["hint"] = "none"
    read = read_items(written(tmp_path, [[item]]))
    (made,) = read.items
    assert made.genres == ("Fantasy", "sci-fi noir", "Historical")
    assert (made.motivation.type, made.motivation.known) == ("Love of Tea", False)
    assert made.extra == {"volume": 3, "Multiple Choice Question.hint": "none"}
    assert read.unknown == {
        "genre": {"sci-fi noir": 1},
        "key": {"Multiple Choice Question.hint": 1, "volume": 1},
        "motivation type": {"Love of Tea": 1},
    }


def test_what_holds_for_a_book_holds_for_its_items(tmp_path):
    book = {
        "title": "The Lamp",
        "genres": ["Mystery"],
        "year": 1901,
        "characters": [decision(), decision(genres=["Western"])],
    }
    read = read_items(written(tmp_path, [book]), strict=False)
    assert [(item.book, item.genres, item.extra) for item in read.items] == [("The Lamp", ("Mystery",), {"year": 1901})]
    assert read.refused[0].field == "item_id"  # the same decision twice


def test_chinese(tmp_path):
    item = only(
        tmp_path,
        [[decision(character_name="林小雨", input_text="　　小雨回到镇上。", Scenario="来了一封信。", Question="她怎么办？",
                   Options=["A、留下", "B、离开", "C、去问姐姐", "D、藏信"])]],
    )  # fmt: skip
    assert (item.language, item.options[2], item.text) == ("zh", "去问姐姐", "　　小雨回到镇上。")
    assert item.item_id.startswith("林小雨-")
    assert only(tmp_path, [[decision(language="Chinese")]]).language == "zh"


def test_files_that_cannot_be_read(tmp_path):
    for text, message in [
        ("", "the file is empty"),
        ("[{]", "line 1: no JSON"),
        ("[[], []]", "there are no items in it"),
        ("[[], []]", "there are no items in it"),
        ('"text"', "holds a str, not items"),
        ('{"options": [NaN]}', "NaN is no JSON number"),
        ('{"a": 1}\n{"b"', "line 1: no item|no JSON"),
        ("[" * 100_000, "nested too deeply"),
    ]:
        path = tmp_path / "bad.json"
        path.write_text(text)
        with pytest.raises(InputError, match=rf"bad.json.*({message})"):
            read_items(path)
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_items(tmp_path / "none.json")
    path.write_bytes(b"\xff\xfe[")
    with pytest.raises(InputError, match="is no UTF-8 text"):
        read_items(path)


def test_a_record_is_read_again(tmp_path):
    item = only(
        tmp_path,
        [
            [
                decision(
                    description="Kind.",
                    motivation="[Desires and Goals] Home.",
                    genres="Mystery",
                    volume=3,
                    book="The Lamp",
                )
            ]
        ],
    )
    assert only(tmp_path, [item.to_record()]) == item


def test_as_a_question(tmp_path):
    asked = only(tmp_path, [FLAT]).choice
    assert (asked.options, asked.correct, asked.cluster) == (tuple(OPTIONS), 2, "The Lamp")
    assert asked.text == "A letter came.\n\nWhat does she do?"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 6) | st.text("ABCD. 答", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["options", "correct", "character", "text", "question", "scenario", "A", "characters"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_gives_items_or_one_clear_line(tmp_path_factory, value):
    path = written(tmp_path_factory.mktemp("any"), value)
    said = ""
    try:
        read_items(path)
    except InputError as error:
        said = str(error)
    assert not said or (str(path) in said and "\n" not in said)


def test_two_right_answers_in_one_object_are_refused(tmp_path):
    with pytest.raises(InputError, match="field correct: is there twice, as 'correct' and as 'answer'"):
        read_items(written(tmp_path, [FLAT | {"correct": "B"}]))
    item = decision(answer="B")  # beside the block, not in it: an unknown key
    assert only(tmp_path, [[item]]).correct == 2
    item["Multiple Choice Question"]["answer"] = "B"
    with pytest.raises(
        InputError, match=r"is there twice, as 'Correct Answer' and as 'Multiple Choice Question\.answer'"
    ):
        read_items(written(tmp_path, [[item]]))
