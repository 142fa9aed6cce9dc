import json

import pytest

from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.jobs.bench.lifechoice import build, run, score
from mmrole.jobs.compare import compare
from mmrole.llm import ScriptedModel


def items(count, **more):
    return [
        {
            "item_id": f"i{n}", "book": f"book {n // 2}", "character": "Ann", "text": f"Ann left on day {n}.", "scenario": f"Day {n}.",
            "question": "What now?", "options": ["go", "stay", "wait", "ask"], "answer": "A",
        } | more
        for n in range(count)
    ]  # fmt: skip


def chooser(right, unread=()):
    """Goes on the days in `right`, says nothing that can be read on those in `unread`, else stays."""

    def answer(request):
        text = request.messages[-1].text
        day = int(text.split("Day ")[1].split(".")[0])
        if day in unread:
            return "Who knows."
        word = "go" if day in right else "stay"
        return "Answer: " + next(line[0] for line in text.splitlines() if line.endswith(f". {word}"))

    return ScriptedModel(answer, name="agent")


@pytest.fixture
def folder(tmp_path):
    def made(name, model, *, count=8, methods=("roleless",), **more):
        data = tmp_path / f"{name}.json"
        data.write_text(json.dumps(items(count, **more)))
        build(tmp_path / name, data=data, methods=methods)
        run(tmp_path / name, model)
        score(tmp_path / name, bootstrap=0)
        return tmp_path / name

    return made


def test_two_folders_on_the_items_that_both_have(folder, tmp_path):
    a = folder("a", chooser({0, 1, 2, 3}), count=8)
    b = folder("b", chooser({0, 1, 2, 4, 5}, unread={3}), count=6)
    compared = compare([a, b], out=tmp_path / "out", bootstrap=50)
    [pair] = compared.comparison.pairs
    assert "the intervals come from 3 books" in compared.notes[0]
    assert (pair.first, pair.second) == ("a: roleless", "b: roleless")
    whole, parsed = pair.scores
    # by hand, items 0 to 5: a is right in 0 1 2 3, b in 0 1 2 4 5
    assert (whole.value, whole.n) == (pytest.approx(5 / 6 - 4 / 6), 6)
    assert (whole.details["only_first_right"], whole.details["only_second_right"], whole.details["books"]) == (1, 2, 3)
    assert whole.excluded == {"only_in_first": 2, "only_in_second": 0}
    # without 3, which b did not answer readably: 3 of 5 and 5 of 5
    assert (parsed.value, parsed.n, parsed.excluded["unread_in_one_or_both"]) == (pytest.approx(0.4), 5, 1)
    assert whole.ci is not None
    page = (tmp_path / "out" / "table.md").read_text("utf-8")
    assert "50 draws of books" in page
    assert len((tmp_path / "out" / "differences.jsonl").read_text("utf-8").splitlines()) == 2


def test_methods_of_one_folder(folder, tmp_path):
    one = folder("one", chooser({0, 1}), methods=("roleless", "no-profile", "bm25"))
    found = compare([one], out=tmp_path / "out", all_pairs=True).comparison
    assert [run.name for run in found.runs] == ["roleless", "no-profile", "bm25"]
    assert len(found.pairs) == 3
    assert all(score.value == 0 for pair in found.pairs for score in pair.scores)


def test_what_cannot_be_compared(folder, tmp_path):
    one = folder("one", chooser({0}))
    with pytest.raises(UsageError, match="holds one method"):
        compare([one], out=tmp_path / "out")
    other = folder("other", chooser({0}), answer="B")
    with pytest.raises(InputError, match="item i0 is not the same in"):
        compare([one, other], out=tmp_path / "out")
    with pytest.raises(InputError, match="holds no run of mmrole bench lifechoice"):
        compare([one, tmp_path], out=tmp_path / "out")
    with pytest.raises(UsageError, match="3 names were given for 2 folders"):
        compare([one, other], out=tmp_path / "out", names=["a", "b", "c"])
    (one / "results.jsonl").write_text("")
    with pytest.raises(StoreError, match=r"results\.jsonl is missing or was changed"):
        compare([one, other], out=tmp_path / "out")
    (other / "scored.json").unlink()
    with pytest.raises(StoreError, match="is not scored"):
        compare([other, one], out=tmp_path / "out")
