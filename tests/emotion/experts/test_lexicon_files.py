import pytest

from emotion.experts.lexicon_files import SEED, folded, read_lexicon, seed_lexicon
from mmrole.core.errors import InputError
from mmrole.core.labels import label_set

EN = """
name = "mine"
language = "en"
version = 1
negators = ["not", "never", "n't"]
exempt = ["not only"]
ignored = ["mad hatter"]
[words]
happy = ["glad", "laugh*"]
anger = ["mad", "mad as hell"]
"""
ZH = """
name = "mine"
language = "zh"
version = 1
negators = ["不", "没有", "别"]
between = ["太", "那么"]
exempt = ["特别", "是不"]
ignored = ["恐怕"]
[words]
happy = ["高兴", "开心"]
anger = ["不高兴"]
fear = ["怕"]
"""


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def found(lexicon, text):
    return [(hit.entry, hit.label, hit.denied) for hit in lexicon.hits(folded(text))]


@pytest.fixture
def en(tmp_path):
    return read_lexicon(write(tmp_path / "en.toml", EN))


@pytest.fixture
def zh(tmp_path):
    return read_lexicon(write(tmp_path / "zh.toml", ZH))


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("He is MAD as hell", [("mad as hell", "anger", False)]),  # the longest entry
        ("made madly nomad", []),  # whole words only
        ("laughing laughs laugh slaughter", [("laugh*", "happy", False)] * 3),
        ("the mad hatter", []),
        ("I am not really so glad", [("glad", "happy", True)]),
        ("I am not, as you see, glad", [("glad", "happy", False)]),  # another clause
        ("never mind, but glad", [("glad", "happy", False)]),
        ("not in a million years would he be glad", [("glad", "happy", False)]),  # more than four words away
        ("not only glad", [("glad", "happy", False)]),
        ("ｇｌａｄ", [("glad", "happy", False)]),  # full width
    ],
)
def test_english(en, text, hits):
    assert found(en, text) == hits


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("我很高兴", [("高兴", "happy", False)]),
        ("我不高兴", [("不高兴", "anger", False)]),  # the longest entry, not a denied shorter one
        ("没有太开心", [("开心", "happy", True)]),
        ("别那么开心", [("开心", "happy", True)]),
        ("特别开心", [("开心", "happy", False)]),  # 别 ends another word
        ("是不开心吗", [("开心", "happy", False)]),
        ("不知道，开心", [("开心", "happy", False)]),  # something else between
        ("恐怕不行", []),
        ("怕", [("怕", "fear", False)]),
    ],
)
def test_chinese(zh, text, hits):
    assert found(zh, text) == hits


def test_folding():
    assert folded("Ｉ’m… 好。。。 WAIT......") == "i'm... 好... wait..."


@pytest.mark.parametrize("name", SEED)
def test_seed_lexicons_are_of_cped(name):
    assert set(seed_lexicon(name).own_labels) <= set(label_set("cped-13").labels)


@pytest.mark.parametrize("name", ["zh", "en"])
def test_seed_lexicons_have_words_of_every_label(name):
    lexicon = seed_lexicon(name)
    per_label = {label: list(lexicon.entries.values()).count(label) for label in label_set("cped-13").labels}
    assert min(per_label.values()) >= 15
    assert len(lexicon.entries) >= 500
    for entry, label in lexicon.entries.items():  # each entry is found where it stands alone
        word = entry.replace("*", "ing")
        hits = [hit for hit in lexicon.hits(word) if hit.label == label]
        assert hits, entry


def test_what_is_no_lexicon_is_refused_in_one_line(tmp_path):
    path = tmp_path / "x.toml"
    for text, message in (
        ("x = [", "no lexicon in TOML"),
        ("name = 'x'", "field language"),
        (EN + "sadness = ['GLAD']", "'GLAD' stands twice, under 'happy' and 'sadness'"),
        (EN + "sadness = ['*']", "an entry of 'sadness' is empty"),
        ("name = 'x'\nlanguage = 'zh'\nversion = 1", "neither words nor cues"),
        (EN + "[[cues]]\ntext = '!'\nlabel = 'happy'\nweight = nan\nalone = true", "cues.0.weight"),
    ):
        with pytest.raises(InputError, match=r"x\.toml") as caught:
            read_lexicon(write(path, text))
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read as a lexicon"):
        read_lexicon(tmp_path / "none.toml")


def test_what_denies_a_word_is_sought_near_before_it_and_not_in_half_a_word(en, zh):
    for filling in (0, 100, 252, 253, 254, 255, 256, 257, 300, 5000):
        far = "a b. " * (filling // 5) + "x" * (filling % 5)
        assert [hit.denied for hit in en.hits(f"{far} she is not glad")] == [True]
        assert [hit.denied for hit in zh.hits("啊" * filling + "她不太高兴")] == [True]
        # a word of one piece ends in the letters of a negator; the bound must not cut it there
        assert [hit.denied for hit in en.hits("z" * filling + "not" * 2 + " glad")] == [False]
        assert [hit.denied for hit in en.hits("knot" + "s" * filling + " glad")] == [False]


def test_a_very_long_text_does_not_take_the_square_of_its_length(en, monkeypatch):
    looked_at = []
    monkeypatch.setattr(type(en), "_denied", lambda _, before: looked_at.append(len(before)))
    assert len(list(en.hits("glad " * 2000))) == 2000
    assert max(looked_at) <= 256
