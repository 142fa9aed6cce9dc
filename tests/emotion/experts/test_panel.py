import pytest

from emotion.experts.entries import KINDS
from emotion.experts.panel import panel_of, read_panel
from mmrole.core.errors import InputError, UsageError

LLM = {"name": "q", "kind": "llm", "endpoint": "qwen"}


def test_a_panel_from_a_file(tmp_path):
    path = tmp_path / "panel.toml"
    path.write_text(
        '[[experts]]\nname = "q"\nkind = "llm"\nendpoint = "qwen"\nrounds = 2\nstreams = ["speech", "all"]\n'
        '[[experts]]\nname = "words"\nkind = "lexicon"\n',
        "utf-8-sig",
    )
    panel = read_panel(path)
    first, second = panel.entries
    assert (first.rounds, first.voted, panel.has_endpoints) == (2, ("all", "speech"), False)
    assert (second.rounds, second.voted) == (1, ("text",))
    assert panel.folder() == tmp_path


def test_the_panel_may_be_in_the_configuration(tmp_path):
    path = tmp_path / "mmrole.toml"
    path.write_text(
        'prices = "p.toml"\n[endpoints.qwen]\nbase_url = "http://x/v1"\nmodel = "m"\n'
        '[[experts]]\nname = "q"\nkind = "llm"\nendpoint = "qwen"\n'
    )
    assert read_panel(path).has_endpoints


def test_a_language_model_reads_words_of_everything_and_text_alone_only_when_asked():
    [entry] = panel_of([LLM]).entries
    assert entry.voted == ("all", "face", "body", "speech")
    [entry] = panel_of([{**LLM, "streams": ["text"]}]).entries
    assert entry.voted == ("text",)


@pytest.mark.parametrize(
    ("experts", "message"),
    [
        (None, "p: no experts: list each in a table"),
        ([], "p: no experts"),
        ({"q": LLM}, "p: no experts"),
        (["q"], "p: expert 1: has to be a table with name and kind, not 'q'"),
        ([{"name": "q"}], r"p: expert 1 \('q'\): has no kind; there are llm, lexicon"),
        ([{**LLM, "kind": "lexikon"}], "unknown kind 'lexikon'; did you mean 'lexicon'"),
        ([{**LLM, "kind": ["llm"]}], r"unknown kind \['llm'\]"),
        ([{"kind": "llm", "endpoint": "x"}], "p: expert 1: name is missing"),
        ([{"name": "q", "kind": "llm"}], r"expert 1 \('q'\): endpoint is missing; an expert of kind 'llm' needs it"),
        ([{"name": "t", "kind": "trained"}], "model is missing"),
        ([{**LLM, "endpont": "x"}], "unknown key 'endpont'; did you mean 'endpoint'"),
        ([{**LLM, "rounds": 0}], "field rounds: .*greater than or equal to 1.*got 0"),
        ([{**LLM, "rounds": "2x"}], "field rounds: .*got '2x'"),
        ([{**LLM, "name": "a/b"}], "field name: .*is no name"),
        ([{**LLM, "name": ""}], "field name: .*is no name"),
        ([{**LLM, "temperature": float("nan")}], "field temperature"),
        ([{**LLM, "streams": ["face", "smell"]}], "streams: unknown stream 'smell'; there are all, text"),
        ([{**LLM, "streams": ["fase"]}], "did you mean 'face'"),
        ([{**LLM, "streams": ["face", "face"]}], "streams: 'face' is there twice"),
        ([{**LLM, "history_streams": ["x"]}], "history_streams: unknown stream 'x'"),
        ([{"name": "f", "kind": "facial-action", "streams": ["text"]}], "cannot read the stream 'text'; it reads face"),
        ([{"name": "w", "kind": "lexicon", "rounds": 2}], "2 rounds make no sense: an expert of kind 'lexicon' votes the same"),
        ([LLM, {**LLM, "name": "Q"}], r"p: expert 2: the name 'Q' is that of expert 1"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told_in_one_line(experts, message):
    with pytest.raises(InputError, match=message) as caught:
        panel_of(experts, place="p")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"experts = 1 2", "is no TOML"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'[[expert]]\nname = "q"\n', "expert: unknown key; did you mean 'experts'"),
        (b"", "no experts"),
    ],
)
def test_a_file_that_is_no_panel(tmp_path, content, message):
    (tmp_path / "p.toml").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_panel(tmp_path / "p.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="is missing: write a panel"):
        read_panel(tmp_path / "p.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_panel(tmp_path)


def test_every_kind_has_streams_that_it_reads():
    for form in KINDS.values():
        assert set(form.default_streams) <= set(form.reads)
        assert form.reads
