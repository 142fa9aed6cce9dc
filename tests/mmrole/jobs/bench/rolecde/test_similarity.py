import json

import pytest

from mmrole.core.errors import MissingExtraError, UsageError
from mmrole.jobs.bench.rolecde import Similarity, run, score

pytest.importorskip("rouge_score", reason="needs the extra similarity")
pytest.importorskip("sacrebleu", reason="needs the extra similarity")

VALUE = "Keep what is yours."  # the personal value of every persona


@pytest.fixture
def answers(script):
    """An agent that follows its role and says the personal value, more words around it in hard dilemmas, nothing in middle ones."""

    def says(text, _):
        reasons = "" if "mid" in text else f"After all that was said, {VALUE}" if "hard" in text else VALUE
        return json.dumps({"chosen_option": script.role_letter(text), "reasoning": reasons})

    return script.agent(says=says)


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_without_grades_there_is_similarity_alone(built, answers):
    folder = built(orders=("AB",))
    run(folder, answers.model)
    (result,) = score(folder, similarity=Similarity(), bootstrap=20)
    assert (result.folder, result.graded, result.decisions) == (folder, False, [])
    records = rows(folder / "similarity.jsonl")
    assert len(records) == 9
    of = {(each["persona"], each["level"]): each for each in records}
    assert (of["ann", "easy"]["bleu"], of["ann", "easy"]["rougeL_f"]) == (100.0, 1.0)
    assert of["ann", "hard"]["rougeL_recall"] == 1.0
    # by hand: 4 words of the value among 4 + 5
    assert of["ann", "hard"]["rougeL_f"] == pytest.approx(2 * 4 / (4 + 9))
    assert (of["ann", "mid"]["reason"], of["ann", "mid"]["bleu"]) == ("empty_reasoning", None)
    found = result.score("similarity_rougeL_recall")
    assert (found.value, found.n, found.excluded) == (1.0, 6, {"empty_reasoning": 3})
    # rev is reversed, so its role option is flagged
    found = result.score("similarity_rougeL_recall", items="without_flagged")
    assert (found.n, found.excluded) == (4, {"empty_reasoning": 2, "flagged": 3})
    assert result.score("similarity_bleu", "zh").n == 2
    page = (folder / "scores.md").read_text()
    assert "fall with every word" in page
    assert "- empty_reasoning: 3" in page
    assert "### By language, all dilemmas" in page


def test_with_grades_it_is_also_by_decision_type(graded, script):
    folder = graded()
    (result,) = score(folder, similarity=Similarity(), bootstrap=0)
    # easy ones grant the other side something: six RC of eighteen
    assert [result.score("similarity_bleu", kind).n for kind in ("RF", "RC")] == [12, 6]
    home = folder / "grades" / "judge"
    assert {each["decision"] for each in rows(home / "similarity.jsonl")} == {"RF", "RC"}
    assert "similarity.jsonl" in json.loads((home / "scored.json").read_text())["files"]
    page = (home / "scores.md").read_text()
    assert page.index("### By decision type, all dilemmas") > page.index("## Without a decision")
    before = (home / "scores.jsonl").read_bytes(), (home / "similarity.jsonl").read_bytes()
    score(folder, similarity=Similarity(), bootstrap=0)
    assert ((home / "scores.jsonl").read_bytes(), (home / "similarity.jsonl").read_bytes()) == before
    # what is not asked for any more does not stay behind as if it were of this score
    score(folder, bootstrap=0)
    assert not (home / "similarity.jsonl").exists()
    assert "Similarity" not in (home / "scores.md").read_text()


def test_files_of_similarity_alone_go_when_there_are_grades(built, answers, script):
    from mmrole.jobs.bench.rolecde import grade

    folder = built()
    run(folder, answers.model)
    score(folder, similarity=Similarity(), bootstrap=0)
    assert (folder / "scored.json").is_file()
    grade(folder, script.judge().model)
    score(folder, bootstrap=0)
    assert not [name for name in ("scores.jsonl", "similarity.jsonl", "scored.json") if (folder / name).exists()]


def test_a_choice_that_cannot_be_read_is_no_empty_reasoning(built, script):
    folder = built(orders=("AB",))
    run(folder, script.agent(says=lambda *_: "Both have their merits.").model)
    (result,) = score(folder, similarity=Similarity(), bootstrap=0)
    found = result.score("similarity_bleu")
    assert (found.value, found.reason, found.excluded) == (None, "no_pairs", {"choice_unparsed": 9})


def test_bertscore_needs_its_extra_and_a_layer_its_model(built, answers, tmp_path):
    with pytest.raises(UsageError, match="name its folder, too"):
        Similarity(bertscore_layer=3)
    folder = built()
    run(folder, answers.model)
    try:
        import bert_score  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtraError, match=r"mmrole\[bertscore\]"):
            score(folder, similarity=Similarity(bertscore_model=tmp_path), bootstrap=0)
