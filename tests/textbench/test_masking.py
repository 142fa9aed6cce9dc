import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbench.masking import STAND_IN, Masker

NAMES = ["Lizzy", "Elizabeth Bennet", "Elizabeth", "Bennet", "Jean-Paul", "O'Neil"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Elizabeth Bennet and Lizzy", "<P> and <P>"),  # the longest first: not "<P> <P>"
        ("Elizabeth's and ELIZABETH’s", "<P>'s and <P>’s"),
        ("Elizabethan, McLizzy, Lizzy2", "Elizabethan, McLizzy, Lizzy2"),
        ("Elizabeth\nBennet, Jean Paul, Jean–Paul", "<P>, <P>, <P>"),
        ("O’Neil met O'Neil", "<P> met <P>"),
        ("elizabeth", "elizabeth"),
        ("他对Lizzy说", "他对<P>说"),
    ],
)
def test_names_in_letters(text, masked):
    assert Masker(NAMES, stand_in="<P>").mask(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("俺孙悟空便是齐天大圣", "俺<P>便是<P>"),
        ("悟空，孙悟空", "<P>，<P>"),
        ("哈利·波特和哈利‧波特，哈利 波特", "<P>和<P>，<P>"),
    ],
)
def test_chinese_names(text, masked):
    assert Masker(["悟空", "孙悟空", "齐天大圣", "哈利·波特", "哈利"], stand_in="<P>").mask(text) == masked


def test_a_name_that_is_in_the_stand_in_leaves_it_alone():
    masker = Masker(["participant"], stand_in=STAND_IN["en"])
    assert masker.mask("the participant") == "the <the participant>"
    assert masker.mask(masker.mask("the participant")) == "the <the participant>"


def test_no_names_mask_nothing():
    assert Masker(["", "  ", "-"], stand_in="<P>").mask("Ann") == "Ann"


@given(
    st.lists(st.text("abAB -'孙悟空·", min_size=1, max_size=6), max_size=5),
    st.text("abAB -'孙悟空· .", max_size=40),
)
def test_masking_twice_is_masking_once(names, text):
    masker = Masker(names, stand_in="<P>")
    once = masker.mask(text)
    assert masker.mask(once) == once
