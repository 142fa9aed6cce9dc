import pytest

from emotion.experts.given_labels import given_labels, in_order
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set


def test_labels_go_by_their_declared_spellings_only():
    found = given_labels(["neutral", "happy", "astonished", "worried"], label_set("meld-7"), "x")
    # joy has the spelling happy in meld-7; astonished has the spelling surprise in cped-13; worried is no label of meld-7
    assert found == {"neutral": "neutral", "happy": "joy", "astonished": "surprise"}


def test_nothing_in_common_is_an_error_that_names_the_set():
    with pytest.raises(UsageError, match="the expert x can give happy, none of which is in the label set mine"):
        given_labels(["happy"], LabelSet(name="mine", labels=("yes", "no")), "x")


def test_order_is_that_of_the_set():
    assert in_order(["neutral", "happy", "neutral"], label_set("cped-13")) == ("happy", "neutral")
