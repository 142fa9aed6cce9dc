import pytest

from mmrole.llm.replies.objects import scan_objects


def values(text, **options):
    return [each.value for each in scan_objects(text, **options).found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("no braces", []),
        ("{a, b} {c}", []),
        ('{"a": 1}', [{"a": 1}]),
        ('x {"a": {"b": 1}} y {"c": 2} z', [{"a": {"b": 1}}, {"c": 2}]),
        ('{x {"a": 1}', [{"a": 1}]),
        ('f(x) = {x: x > 0} {"a": 1}', [{"x": "x > 0"}, {"a": 1}]),
        ("\\frac{1}{2}", []),
        ('[{"a": 1}]', [[{"a": 1}]]),
        ("[1] and [2]", []),
        ("{}", [{}]),
    ],
)
def test_what_is_found(text, found):
    assert values(text) == found


def test_arrays_are_found_on_demand():
    assert values('see [1]: ["a"]', arrays=True) == [[1], ["a"]]


def test_spans_are_of_the_text():
    text = '说：{“a”：１} {"b": 2}'
    assert [text[each.start : each.end] for each in scan_objects(text).found] == ["{“a”：１}", '{"b": 2}']
    assert [each.lenient for each in scan_objects(text).found] == [True, False]


@pytest.mark.parametrize("text", ['{"a": 1', '{"a": {"b": 1}', '{"b": 2} {"a', "[{'a': 1}", '{"a": "x'])
def test_a_cut_is_seen(text):
    assert scan_objects(text).cut


@pytest.mark.parametrize("text", ["{", "{ x", "{note: see above", '{"a": "b" "c": 1}'])
def test_what_is_no_cut(text):
    assert not scan_objects(text).cut


def test_what_is_too_tangled():
    assert scan_objects("{'a':" * 1000).tangled
    assert scan_objects("['a' " * 50_000, arrays=True).tangled
