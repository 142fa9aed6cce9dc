from dataclasses import replace

from mmrole.core.scores import Score
from mmrole.jobs.bench.lifechoice import run, score
from mmrole.jobs.bench.lifechoice.leak_page import leak_page
from mmrole.jobs.bench.lifechoice.page import page, shown
from textbench.lifechoice.references import references

HALF = Score(
    metric="accuracy", part="all", value=0.5, n=1234, ci=(0.25, 0.75), definition="d", bounds=(0, 1), direction="up",
    details={"interval": "wilson"},
)  # fmt: skip


def test_a_score_is_shown_with_its_interval_or_its_reason():
    assert shown(None) == "–"
    assert shown(HALF) == "0.500 [0.250, 0.750] w"
    assert shown(HALF, count=True) == "0.500 [0.250, 0.750] w n=1,234"
    assert shown(replace(HALF, value=None, ci=None, reason="no_items")) == "– (no_items)"


def test_the_page_has_chance_conditions_and_every_parting(built, agent):
    folder = built(methods=["roleless", "human"], prefixes=2, truncate_descriptions=True)
    run(folder, agent().model)
    result = score(folder, bootstrap=10)
    text = page(result.plan, result.evaluation, None)
    assert "| method | accuracy ↑ | parsed ↑ | n | unread | chance | position bias →0 |" in text
    # by hand: four options
    assert text.split("| roleless |")[1].split("\n")[0].split("|")[4].strip() == "0.250"
    for title in ("motivation type", "motivation class", "genre", "how much of the text"):
        assert f"## Accuracy by {title}" in text
    assert "Published" not in text
    assert "names: left as they are; options: shuffled" in text
    assert "asked after each 1/2 of the text" in text


def test_the_page_says_what_is_in_no_accuracy(built, agent):
    """A question without an answer, and a profile that the judge could not score, have their reasons beside the number."""
    folder = built(methods=["human"])
    run(folder, agent().model)
    result = score(folder, bootstrap=0)
    parts = [
        replace(part, score=replace(part.score, excluded={"no_right_option": 7, "error": 0}))
        for part in result.evaluation.parts
    ]
    rated = replace(parts[0].score, metric="profile_score", excluded={"unparsed": 3})
    parts.append(replace(parts[0], score=rated))
    text = page(result.plan, replace(result.evaluation, parts=parts), None)
    row = text.split("| human |")[1].split("\n")[0]
    assert row.endswith("| no_right_option 7 |")
    assert text.split("## Profiles")[1].split("| human |")[1].split("\n")[0].endswith("| unparsed 3 |")


def test_published_figures_stand_under_their_version(built, agent):
    folder = built(methods=["roleless"])
    run(folder, agent().model)
    result = score(folder, bootstrap=0)
    text = page(result.plan, result.evaluation, references()["v1"])
    assert "## Published accuracies, version v1 (1,401 decisions" in text


def test_the_leak_test():
    leak = replace(
        HALF, metric="leak", part="plain A|B", details={"levels": {"0": 1, "1": 0, "2": 1}}, excluded={"judge_error": 2}
    )
    text = leak_page("m_1", "j_2", [leak, replace(HALF, value=None, ci=None, reason="no_items", n=0)], {"no_novel": 3})
    assert "| plain A\\|B | 0.500 | [0.250, 0.750] | 1,234 | 1 / 0 / 1 | judge_error 2 |" in text
    assert "agent: m_1; judge: j_2" in text
    assert "– (no_items)" in text
    assert text.endswith("Not tested: no_novel 3\n")
