import pytest

from emotion.experts.expert import Case
from emotion.experts.lexicon import LexiconExpert
from emotion.experts.lexicon_files import read_lexicon
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet


def case(text, **descriptions):
    return Case(utterance_id="u", speaker="Ann", text=text, descriptions=descriptions)


def said(text, stream="text", **options):
    return LexiconExpert(streams=("all", "text", "face", "speech"), **options).vote(case(text), stream, 0)


def test_the_label_with_the_most_words_wins():
    vote = said("谢谢，太感谢了，虽然有点难过")
    assert (vote.label, vote.status, vote.reason) == ("grateful", "ok", None)
    assert vote.detail["counts"] == {"grateful": 2.0, "sadness": 1.0}
    assert vote.detail["words"] == ["谢谢", "感谢", "难过"]


def test_a_tie_is_ambiguous():
    vote = said("谢谢，我很难过")
    assert (vote.label, vote.status, vote.reason) == (None, "ambiguous", "tie")


def test_an_exclamation_mark_breaks_a_tie_but_means_nothing_alone():
    assert said("Thanks, I am so angry!").label == "anger"
    assert said("Thanks, I am so angry.").status == "ambiguous"
    assert said("Tuesday!").reason == "no_emotion_word"
    assert said("Tuesday?!").label == "astonished"
    assert said("星期二？！").label == "astonished"


def test_without_a_word_there_is_no_label_unless_neutral_is_assumed():
    vote = said("今天星期三")
    assert (vote.label, vote.status, vote.reason) == (None, "abstained", "no_emotion_word")
    assumed = said("今天星期三", without_word="neutral")
    assert (assumed.label, dict(assumed.detail)) == ("neutral", {"assumed": True})
    # a tie is no absence of words
    assert said("谢谢，我很难过", without_word="neutral").status == "ambiguous"


def test_denied_words_do_not_count_and_are_told():
    vote = said("他没有生气")
    assert (vote.label, vote.reason, dict(vote.detail)) == (None, "only_denied_words", {"denied": ["生气"]})
    assert said("I am not sad, I am glad.").label == "happy"


def test_streams_read_what_they_show():
    expert = LexiconExpert(streams=("all", "text", "face", "speech"))
    shown = case("今天星期三", face="眉头紧锁", speech="She shouts furiously.")
    assert expert.vote(shown, "face", 0).label == "worried"
    assert expert.vote(shown, "speech", 0).label == "anger"
    assert expert.vote(shown, "text", 0).status == "abstained"
    assert expert.vote(shown, "all", 0).detail["counts"] == {"worried": 1.0, "anger": 2.0}
    nothing = expert.vote(case(" "), "face", 0)
    assert (nothing.label, nothing.status, nothing.reason) == (None, "absent", "nothing_to_read")
    assert expert.vote(case(" "), "text", 0).reason == "no_text"


def test_other_label_sets():
    expert = LexiconExpert(labels="meld-7")
    assert expert.can_give == ("neutral", "joy", "surprise", "anger", "sadness", "disgust", "fear")
    assert expert.vote(case("I'm so happy"), "text", 0).label == "joy"
    # worried is no label of meld-7: that is said, and the next best is not taken
    vote = expert.vote(case("I'm worried and anxious, but glad"), "text", 0)
    assert (vote.label, vote.status, vote.reason) == (None, "abstained", "label_not_in_set")


def test_identity_changes_with_whatever_decides(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "m"\nlanguage = "en"\nversion = 1\n[words]\nhappy = ["ok"]\n', encoding="utf-8")
    experts = [
        LexiconExpert(),
        LexiconExpert(without_word="neutral"),
        LexiconExpert(labels="meld-7"),
        LexiconExpert(lexicons=[read_lexicon(path)]),
    ]
    assert len({str(expert.identity) for expert in experts}) == 4
    assert experts[0].identity == LexiconExpert(name="another").identity
    assert experts[3].can_give == ("happy",)
    assert experts[0].baseline


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="not 'smell'"):
        LexiconExpert(streams=("smell",))
    with pytest.raises(UsageError, match="without_word"):
        LexiconExpert(without_word="happy")
    with pytest.raises(UsageError, match="no neutral to assume"):
        LexiconExpert(labels=LabelSet(name="two", labels=("happy", "sad")), without_word="neutral")
