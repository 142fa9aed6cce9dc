import pytest

from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import UsageError
from mmrole.llm import ChatReply, ScriptedModel, batch_journal
from mmrole.llm.stage import Asking
from textbench.chunks import chunks
from textbench.lifechoice.rounds import JournalCaller, in_rounds
from textbench.lifechoice.summaries import SHORTER, Sizes, Source, SummaryReader, hierarchical, incremental, stand_in
from textbench.tokens import approximate

SIZES = Sizes(chunk=50, leaf=10, group=25, node=10)
TEXT = " ".join(f"On day {number} Ann walked to the mill and came home." for number in range(60))


def source(text=TEXT, name="Ann", language="en"):
    return Source(name=name, language=language, text=text)


class Run:
    """Writes descriptions with a scripted model and one journal."""

    def __init__(self, folder, script):
        self.path = folder / "summaries.jsonl"
        self.model = ScriptedModel(script)

    def __call__(self, *jobs):
        with batch_journal(self.path) as journal:
            caller = JournalCaller(Asking(model=self.model), journal, parse=SummaryReader(approximate), repair=SHORTER)
            found = in_rounds(dict(enumerate(jobs)), caller)
            self.result = caller.result()
        return list(found.values())


def words(request):
    """A summary of 8 tokens that is unlike that of any other text."""
    return f"Ann walked {bytes_sha256(request.messages[-1].text.encode())[:6]}. It was far."


def test_the_calls_are_the_nodes_of_the_tree(tmp_path):
    run = Run(tmp_path, words)
    [done] = run(hierarchical(source(), 30, SIZES, approximate))
    leaves = len(chunks(TEXT, 50, approximate))
    # by hand: summaries of 8 tokens, groups of 25 tokens hold 3
    assert leaves == 15
    # 15 -> 5 groups of three -> a group of three and one of two -> 1
    assert run.model.calls == len(done.calls) == 15 + 5 + 2 + 1
    assert (done.levels, done.reason) == (3, None)
    assert done.text.startswith("Ann walked")


def test_two_neighbours_are_merged_though_they_are_over_the_size_of_a_group(tmp_path):
    run = Run(tmp_path, words)
    [done] = run(hierarchical(source(), 30, Sizes(chunk=50, leaf=10, group=1, node=10), approximate))
    # 15 -> 7 pairs, and the last one goes up without a call -> 4 pairs -> 2 -> 1
    assert done.levels == 4
    assert run.model.calls == 15 + 7 + 4 + 2 + 1


def test_a_short_text_is_one_call(tmp_path):
    run = Run(tmp_path, words)
    [done] = run(hierarchical(source("Ann left."), 30, SIZES, approximate))
    assert (run.model.calls, done.levels) == (1, 0)


def test_a_last_text_over_the_budget_is_shortened(tmp_path):
    long, short = "Ann walked to the mill again and again and never came home. " * 3, "Ann walked."
    run = Run(tmp_path, lambda r: short if "is too long. Shorten" in r.messages[-1].text else long)
    [done] = run(hierarchical(source(TEXT[:190]), 20, Sizes(chunk=50, leaf=48), approximate))
    assert (done.text, run.model.calls, done.levels) == (short, 2, 1)


def test_a_text_that_begins_alike_shares_its_chunks(tmp_path):
    run = Run(tmp_path, words)
    run(hierarchical(source(TEXT[:1600]), 30, SIZES, approximate))
    first = run.model.calls
    run(hierarchical(source(TEXT), 30, SIZES, approximate))
    whole = Run(tmp_path / "other", words)
    whole(hierarchical(source(TEXT), 30, SIZES, approximate))
    shared = len({c.text for c in chunks(TEXT[:1600], 50)} & {c.text for c in chunks(TEXT, 50)})
    assert shared == len(chunks(TEXT[:1600], 50)) - 1
    assert run.model.calls - first <= whole.model.calls - shared


def test_jobs_that_ask_the_same_ask_once(tmp_path):
    run = Run(tmp_path, words)
    one, two = run(*(hierarchical(source(), 30, SIZES, approximate) for _ in range(2)))
    assert one == two
    assert run.model.calls == len(one.calls)


def test_a_summary_that_is_no_shorter_is_asked_for_once_more_and_then_recorded(tmp_path):
    run = Run(tmp_path, lambda r: r.messages[1 if len(r.messages) > 1 else 0].text * 2)
    [done] = run(hierarchical(source(), 30, SIZES, approximate))
    assert (done.text, done.reason, done.again) == (None, "not_shorter", False)
    calls = run.model.calls
    assert calls == 2 * 15  # every chunk, and a repair request for each
    run(hierarchical(source(), 30, SIZES, approximate))
    assert run.model.calls == calls  # a recorded failure is not asked for again
    with batch_journal(run.path) as journal:
        record = journal.records()[0]
    assert record["rule"] == "not_shorter"
    assert record["reason"].startswith("not_shorter: the summary has")


def test_the_repair_can_help(tmp_path):
    run = Run(tmp_path, lambda r: "Ann walked." if len(r.messages) > 1 else "Ann walked. " * 40)
    [done] = run(hierarchical(source("Ann left. " * 10), 30, SIZES, approximate))
    assert (done.text, run.model.calls) == ("Ann walked.", 2)


def test_a_chunk_that_is_shorter_than_a_summary_may_have_a_longer_one(tmp_path):
    [done] = Run(tmp_path, ["Ann left the house then."])(hierarchical(source("Ann."), 30, SIZES, approximate))
    assert done.text == "Ann left the house then."  # 6 tokens of the 10 that were asked for


def test_there_is_a_deepest_level(tmp_path):
    run = Run(tmp_path, words)
    [done] = run(hierarchical(source(), 30, Sizes(chunk=50, leaf=10, group=25, node=10, most_levels=1), approximate))
    assert (done.text, done.reason, done.again) == (None, "too_deep", False)
    assert run.model.calls == 15 + 5


@pytest.mark.parametrize(
    ("reply", "reason", "again"),
    [
        (ChatReply(text="Ann wal", finish_reason="length"), "truncated", False),
        (ChatReply(text="I'm sorry, but I can't help with that.", finish_reason="stop"), "refusal", False),
        (ChatReply(text="<think>So Ann", finish_reason="stop"), "truncated", False),
        (ChatReply(text=None, error="server_error", detail="down"), "error", True),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path, reply, reason, again):
    run = Run(tmp_path, lambda _: reply)
    [done] = run(hierarchical(source("Ann left. " * 30), 30, SIZES, approximate))
    assert (done.text, done.reason, done.again) == (None, reason, again)


def test_thinking_is_no_part_of_a_summary(tmp_path):
    [done] = Run(tmp_path, lambda _: "<think>Ann, Ann, Ann.</think>Ann left.")(
        hierarchical(source("Ann left. " * 10), 30, SIZES, approximate)
    )
    assert done.text == "Ann left."


def test_incremental_reads_the_story_in_its_order(tmp_path):
    run = Run(tmp_path, words)
    [done] = run(incremental(source(), 30, SIZES, approximate))
    assert run.model.calls == len(done.calls) == 15
    parts = [chunk.text.strip() for chunk in chunks(TEXT, 50, approximate)]
    asked = [request.messages[-1].text for request in run.model.requests]
    assert all(part in text for part, text in zip(parts, asked, strict=True))
    previous = words(run.model.requests[-2])
    assert previous in asked[-1]  # the description so far


def test_incremental_shortens_what_is_over_the_budget(tmp_path):
    def script(request):
        return (
            "Ann walked."
            if "Shorten it" in request.messages[-1].text
            else "Ann walked far and farther still, day by day."
        )

    run = Run(tmp_path, script)
    [done] = run(incremental(source(TEXT[:566]), 6, SIZES, approximate))
    assert done.text == "Ann walked."
    # three chunks; what is too long is the same text each time, so that the call that shortens it is made once
    assert run.model.calls == 3 + 1


def test_an_empty_text_has_no_description(tmp_path):
    run = Run(tmp_path, words)
    found = run(*(write(source("\n \n"), 30, SIZES, approximate) for write in (hierarchical, incremental)))
    assert [done.reason for done in found] == ["empty_text"] * 2
    assert run.model.calls == 0


def test_chinese(tmp_path):
    text = "沈望每夜记一页日志，写清风向和过往的船。" * 20
    run = Run(tmp_path, lambda _: "沈望如实记录。")
    [done] = run(hierarchical(source(text, name="沈望", language="zh"), 30, SIZES, approximate))
    assert done.text == "沈望如实记录。"
    assert all("请" in request.messages[-1].text for request in run.model.requests)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stand_in_is_as_long_as_it_may_be(language):
    job = hierarchical(source("Ann left. " * 30, language=language), 30, SIZES, approximate)
    assert approximate(stand_in(next(job)[0])) in (9, 10)


def test_interrupted_at_any_call_no_finished_call_is_made_again(tmp_path):
    whole = Run(tmp_path / "whole", words)
    [wanted] = whole(hierarchical(source(), 30, SIZES, approximate))
    total = whole.model.calls
    for end in range(1, total, 3):
        answered = []

        def script(request, answered=answered, end=end):
            if len(answered) == end:
                raise KeyboardInterrupt
            answered.append(request.messages[-1].text)
            return words(request)

        run = Run(tmp_path / str(end), script)
        with pytest.raises(KeyboardInterrupt):
            run(hierarchical(source(), 30, SIZES, approximate))
        done_before = len(answered)
        run.model = ScriptedModel(words)
        [done] = run(hierarchical(source(), 30, SIZES, approximate))
        assert done == wanted
        assert run.model.calls == total - done_before


def test_sizes_that_make_no_sense():
    with pytest.raises(UsageError, match="group has to be 1 or more"):
        Sizes(group=0)
    with pytest.raises(UsageError, match="has to be shorter than the chunk"):
        Sizes(chunk=100, leaf=200)
