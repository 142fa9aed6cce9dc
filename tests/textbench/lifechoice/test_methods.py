import pytest

from mmrole.core.errors import UsageError
from textbench.lifechoice.methods import Method, method_of


@pytest.mark.parametrize(
    "name",
    [
        "roleless", "no-profile", "hierarchical", "incremental", "human", "bm25", "embedding", "hierarchical+bm25",
        "human+embedding+charmap", "human+motivation", "motivation", "human+bm25+charmap+motivation",
    ],
)  # fmt: skip
def test_a_name_stands_for_its_method_and_back(name):
    assert method_of(name).name == name


def test_the_order_of_the_parts_does_not_matter():
    assert method_of("motivation+charmap + bm25+human") == method_of("human+bm25+charmap+motivation")
    assert method_of("no-profile") == Method()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("charmap", "write hierarchical\\+bm25\\+charmap"),
        ("human+charmap", "write human\\+bm25\\+charmap"),
        ("embedding+charmap", "write hierarchical\\+embedding\\+charmap"),
        ("bm25+bm25", "names a part twice"),
        ("human+hierarchical", "one description"),
        ("bm25+embedding", "one memory"),
        ("roleless+bm25", "roleless stands alone"),
        ("bm52", "there is no 'bm52'; methods are roleless"),
        ("", "there is no ''"),
    ],
)
def test_what_makes_no_sense_says_what_would(name, said):
    with pytest.raises(UsageError, match=said):
        method_of(name)


def test_who_asks_for_a_description():
    asks = {name: method_of(name).asks_for_description for name in ("hierarchical", "incremental", "human", "bm25")}
    assert asks == {"hierarchical": True, "incremental": True, "human": False, "bm25": False}
