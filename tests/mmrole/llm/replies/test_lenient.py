"""The lenient reader agrees with the standard wherever the standard has a reading."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.llm.replies.lenient import CutError, TangledError, UnreadableError, read_lenient

TEXTS = st.text(
    alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("\"'“”‘’\\{}[]:,，：「」/#8８ a")), max_size=12
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.sampled_from([None, 1]), st.booleans())
def test_valid_json_is_read_as_json_reads_it(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert read_lenient(f"x{text}y", 1) == (value, 1 + len(text))


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text("ab_", min_size=1, max_size=4),
        st.integers() | st.booleans() | st.none() | st.text("it's ok", max_size=9),
    )
)
def test_python_s_own_notation(value):
    assert read_lenient(repr(value), 0)[0] == value


@settings(deadline=None)
@given(st.text(), st.integers(0, 5))
def test_any_text_is_read_or_refused(text, start):
    text = "{[\"'" + text
    assert 0 <= reached(text, min(start, 1)) <= len(text)


def reached(text, start):
    try:
        return read_lenient(text, start)[1]
    except UnreadableError as error:
        return error.at


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 'it's'}", {"a": "it's"}),
        ("{'a': 'b', 'c': 'd'}", {"a": "b", "c": "d"}),
        ('{"a": "b "c" d"}', {"a": 'b "c" d'}),
        ('{"a": "b", "c": "d "e", f"}', {"a": "b", "c": 'd "e", f'}),
        ("{“a”：“b”，“c”：１．５}", {"a": "b", "c": 1.5}),
        ("{“a”：“b“c”d”}", {"a": "b“c”d"}),
        ("{「a」：「b」}", {"a": "b"}),
        ("{a: b c, d: .5, e: -1e3, f: True, 7: null}", {"a": "b c", "d": 0.5, "e": -1000.0, "f": True, "7": None}),
        ("{'a': [1, 2,], }", {"a": [1, 2]}),
        ("{'a': /* x */ 1, // y\n # z\n 'b': 2}", {"a": 1, "b": 2}),
        ('{"a": "\\u00e9\\x41\\ud83d\\ude00\\n\\q"}', {"a": "éA😀\n\\q"}),
        ('{"a": 007}', {"a": 7}),
    ],
)
def test_what_has_one_reading(text, value):
    assert read_lenient(text, 0) == (value, len(text))


def test_not_a_number():
    value, _ = read_lenient("{'a': NaN, 'b': -Infinity}", 0)
    assert math.isnan(value["a"])
    assert value["b"] == -math.inf


@pytest.mark.parametrize(
    "text",
    [
        "{'a': }",
        "{'a' 1}",
        "{'a': 1 'b': 2}",
        "{1}",
        "{'a': ...}",
        "{'a': b: c}",
        "{,}",
        "['a', , 'b']",
        "{'a': 'b', , 'c': 'd'}",
        "{'a', 'b': 1}",
        "{'a': 'b': 'c'}",
    ],
)
def test_what_has_none(text):
    with pytest.raises(UnreadableError) as caught:
        read_lenient(text, 0)
    assert type(caught.value) is UnreadableError


@pytest.mark.parametrize(
    "text", ["{", "{'a", "{'a'", "{'a':", "{'a': 1", "{'a': 1,", "{'a': 'b", "['a', {'b': 1}", "{'a': /* x"]
)
def test_what_is_cut(text):
    with pytest.raises(CutError):
        read_lenient(text, 0)


def test_depth_is_bounded():
    assert read_lenient("[" * 30 + "]" * 30, 0)[1] == 60
    with pytest.raises(TangledError):
        read_lenient("[" * 10_000, 0)
