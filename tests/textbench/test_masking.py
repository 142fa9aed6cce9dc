import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbench.masking import STAND_IN, Masker, Name, Names

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
        ("_Lizzy_, Lizzy--Lizzy", "_<P>_, <P>--<P>"),  # marks of italics; dashes
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


def test_accents_and_other_alphabets():
    mask = Masker(["Adèle", "Анна"], stand_in="<P>").mask
    assert mask("Ade\u0300le, ADÈLE, Adèles, Анна и Аннам") == "<P>, <P>, Adèles, <P> и Аннам"


def test_the_dot_of_a_title_may_be_missing():
    assert (
        Masker(["Mr. Reed"], stand_in="<P>").mask("Mr Reed, Mr. Reed, MR. REED, Mrs. Reed")
        == "<P>, <P>, <P>, Mrs. Reed"
    )


def test_a_name_that_is_in_the_stand_in_leaves_it_alone():
    masker = Masker(["participant"], stand_in=STAND_IN["en"])
    assert masker.mask("the participant") == "the <the participant>"
    assert masker.mask(masker.mask("the participant")) == "the <the participant>"


def test_no_names_mask_nothing():
    assert Masker(["", "  ", "-"], stand_in="<P>").mask("Ann") == "Ann"


def test_a_stand_in_is_text():
    assert Masker(["Ann"], stand_in=r"\1\g<0>").mask("Ann") == r"\1\g<0>"


def test_several_stand_ins_and_places():
    names = Names(
        [Name(text="Ann", stand_in="1"), Name(text="Ann Lee", stand_in="2"), Name(text="Ann", stand_in="3")],
        kept="[0-9]",
    )
    masked, done = names.replace("Ann Lee saw Ann")
    assert masked == "2 saw 1"  # of two names spelled alike the first counts
    assert [(mention.start, mention.stop, mention.name.text) for mention in done] == [
        (0, 7, "Ann Lee"),
        (12, 15, "Ann"),
    ]


def test_a_name_in_any_case_beside_one_in_its_own():
    names = Names(
        [Name(text="the red room", stand_in="1", any_case=True), Name(text="Red", stand_in="2")], kept="[0-9]"
    )
    assert names.replace("The Red Room: red, Red, the red rooms")[0] == "1: red, 2, the red rooms"


@given(
    st.lists(st.text("abAB -'孙悟空·", min_size=1, max_size=6), max_size=5),
    st.text("abAB -'孙悟空· .", max_size=40),
)
def test_masking_twice_is_masking_once(names, text):
    masker = Masker(names, stand_in="<P>")
    once = masker.mask(text)
    assert masker.mask(once) == once
