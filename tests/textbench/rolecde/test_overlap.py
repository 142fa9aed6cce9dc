import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.rolecde.overlap import bleu, bleu_signature, language_of, rouge, words

pytest.importorskip("sacrebleu", reason="needs the extra similarity")
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs the extra similarity")

VOCABULARY = (
    *("the", "a", "dog", "dogs", "running", "runs", "quickly", "House", "houses"),
    *("3", "years", "don't", "e-mail", "snake_case", "protect", "protects"),
)


@pytest.mark.parametrize("seed", range(8))
def test_on_ascii_texts_it_is_the_package_with_its_own_stemmed_tokenizer(seed):
    rng = random.Random(seed)
    one, other = (" ".join(rng.choices(VOCABULARY, k=rng.randint(2, 25))) + "." for _ in range(2))
    wanted = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True).score(other, one)
    found = rouge(one, other)
    assert found.keys() == wanted.keys()
    for name, value in found.items():
        assert (value.f, value.precision, value.recall) == (
            wanted[name].fmeasure,
            wanted[name].precision,
            wanted[name].recall,
        )


def test_chinese_is_counted_by_character():
    # by hand: 我 爱 你 against 我 爱 她 们: two of three, two of four; one pair of two, one of three
    found = rouge("我爱你。", "我爱她们！")
    assert (found["rouge1"].precision, found["rouge1"].recall) == (2 / 3, 2 / 4)
    assert (found["rouge2"].precision, found["rouge2"].recall) == (1 / 2, 1 / 3)
    assert (found["rougeL"].precision, found["rougeL"].recall) == (2 / 3, 2 / 4)


def test_accented_words_and_mixed_text_are_words_too():
    assert words("Café 2 你好 naïve_Ω") == ["café", "2", "你", "好", "naïve", "ω"]
    assert rouge("café", "café au lait")["rouge1"].precision == 1.0


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(["en", "zh"]))
@settings(max_examples=60, deadline=None)
def test_any_two_texts_have_values_in_their_bounds(one, other, language):
    assert 0 <= bleu(one, other, language=language) <= 100
    for found in rouge(one, other).values():
        assert 0 <= found.f <= 1
        assert 0 <= found.precision <= 1
        assert 0 <= found.recall <= 1


@pytest.mark.parametrize(
    ("text", "language"), [("", "en"), ("hello 你", "en"), ("你好", "zh"), ("用 API 的人", "zh"), ("!!", "en")]
)
def test_the_language_is_that_of_most_pieces(text, language):
    assert language_of(text) == language


def test_a_list_in_place_of_a_text_is_refused():
    with pytest.raises(UsageError, match="two texts, not a list"):
        bleu("text", ["text"], language="en")
    with pytest.raises(UsageError, match="two texts, not a list"):
        rouge(["text"], "text")


def test_the_signature_names_tokenizer_order_and_version():
    assert {"tok:zh", "eff:yes", "smooth:exp"} < set(bleu_signature("zh").split("|"))
