import ast
import inspect
import string
from pathlib import Path

import pytest

import mmrole.plotting
from emotion import glossary
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set
from mmrole.plotting import wording as module
from mmrole.plotting.wording import signed, unsigned, wording

CPED = label_set("cped-13")


def test_words_and_labels_in_both_languages(with_chinese_font):
    english, chinese = wording("en"), wording("zh")
    assert english("role: {role}", role="Ann") == "role: Ann"
    assert chinese("role: {role}", role="Ann") == "角色：Ann"
    assert english.labels("cped-13") == CPED.labels
    assert chinese.labels(CPED) == CPED.display_names("zh")
    # names that are no label set are shown as they are
    assert chinese.labels(["happy", "other"]) == ("happy", "other")


def test_another_language_is_refused():
    with pytest.raises(UsageError, match="one of en, zh, not 'de'"):
        wording("de")


def test_without_a_chinese_font_the_words_are_english_and_one_line_says_so(only_latin_fonts):
    with pytest.warns(
        UserWarning, match="no installed font has Chinese, so the picture is in English; install"
    ) as seen:
        words = wording("zh")
    assert len(seen) == 1
    assert (words.language, words("true"), words.labels(CPED)) == ("en", "true", CPED.labels)


def test_every_phrase_has_the_same_values_in_chinese():
    def names(text):
        return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)

    for english, chinese in module._CHINESE.items():
        assert names(english) == names(chinese), english


def test_every_phrase_of_the_pictures_is_translated():
    """Those that the modules give to their words directly; those out of tables are seen when everything is drawn in Chinese."""
    folder = Path(inspect.getfile(mmrole.plotting)).parent
    written = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if called == "words" and node.args and isinstance(node.args[0], ast.Constant):
                    written.add(node.args[0].value)
    assert "label before" in written
    assert written <= module._CHINESE.keys()
    assert set(glossary._UNITS.values()) | {"pairs of roles", "roles"} <= module._CHINESE.keys()


@pytest.mark.parametrize("write", [signed, unsigned])
def test_what_is_not_there_is_a_dash(write):
    assert write(float("nan")) == "–"


@pytest.mark.parametrize(
    ("value", "digits", "plain", "with_sign"),
    [  # by hand
        (0.0, 2, "0", "0"),
        (0.004, 2, ".00", ".00"),
        (0.005001, 2, ".01", "+.01"),
        (1.0, 2, "1.00", "+1.00"),
        (0.0315, 3, ".032", "+.032"),
        (12345.0, 0, "12,345", "+12,345"),
        (10.0, 0, "10", "+10"),
    ],
)
def test_numbers_in_few_letters(value, digits, plain, with_sign):
    assert unsigned(value, digits) == plain
    assert signed(value, digits) == with_sign
    assert signed(-value, digits) == with_sign.replace("+", "−")


def test_reasons_of_undefined_scores_have_words_in_both_languages():
    from emotion.glossary import REASONS
    from mmrole.plotting.wording import _CHINESE_REASONS, Wording

    english, chinese = Wording(language="en"), Wording(language="zh")
    undefined = list(REASONS)[list(REASONS).index("no_pairable_units") :]
    assert set(undefined) <= set(_CHINESE_REASONS) <= set(REASONS)
    assert (english.code("no_roles"), chinese.code("no_roles")) == ("no_roles", "没有角色有足够的转移")
    assert english.reason("no_roles") == REASONS["no_roles"]
    assert chinese.reason("something_new") == "something new"
