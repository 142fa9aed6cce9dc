import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.experts.trained_features import Field, TextFeatures, ngrams, plain

TEXTS = ["我很高兴，我真的很高兴！", "No way!  NO", "", "a", "ａ", "怎么会这样", "no no no"]


@pytest.mark.parametrize("longest", [1, 2, 3])
@pytest.mark.parametrize("fewest", [1, 2])
def test_equal_to_scikit_learn(longest, fewest):
    sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")
    other = sklearn_text.TfidfVectorizer(
        analyzer="char", preprocessor=plain, ngram_range=(1, longest), sublinear_tf=True, min_df=fewest
    )
    wanted = other.fit_transform(TEXTS).toarray()
    field = Field.learned(TEXTS, longest=longest, weight=1.0, fewest=fewest)
    assert field.vocabulary == tuple(other.get_feature_names_out())
    np.testing.assert_allclose(field.idf, other.idf_, rtol=1e-6)
    np.testing.assert_allclose(field.matrix(TEXTS).toarray(), wanted, atol=1e-6)
    strange = ["高兴 no", "zzz"]
    np.testing.assert_allclose(field.matrix(strange).toarray(), other.transform(strange).toarray(), atol=1e-6)


@settings(max_examples=30)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=6), st.floats(0.1, 3.0))
def test_vectors_have_the_length_of_their_weight(texts, weight):
    field = Field.learned(texts, longest=2, weight=weight, fewest=1)
    lengths = np.sqrt(np.asarray(field.matrix(texts).power(2).sum(axis=1)).ravel())
    wanted = [weight if plain(text) else 0.0 for text in texts]
    np.testing.assert_allclose(lengths, wanted, rtol=1e-5)


def test_a_text_of_nothing_known_is_zero_and_nothing_fails():
    field = Field.learned(["ab"], longest=1, weight=1.0, fewest=1)
    assert field.matrix(["xyz", ""]).toarray().tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert field.matrix([]).shape == (0, 2)
    nothing = Field.learned(["", " "], longest=2, weight=1.0, fewest=1)
    assert nothing.matrix(["ab"]).shape == (1, 0)


def test_fields_stand_side_by_side():
    features = TextFeatures.learned([("ab", "c"), ("b", "")], longest=1, weights=(1.0, 0.5), fewest=1)
    assert [field.vocabulary for field in features.fields] == [("a", "b"), ("c",)]
    # one letter has all of the length: 1 for the utterance, .5 for the one before
    assert features.matrix([("b", "c")]).toarray().tolist() == [[0.0, 1.0, 0.5]]
    assert features.size == 3


def test_folding_of_width_case_and_space():
    assert ngrams("ＡB\n c", 1) == ngrams("ab  C", 1)
