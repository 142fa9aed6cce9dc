import re

import pytest

from emotion.evaluate import score
from emotion.judgements import Evidence, Judgement
from emotion.metrics.rc_episodes import rc_by_episode
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.labels import LabelSet, label_set
from mmrole.jobs.score_page import class_table, episode_lines, score_page, score_table, shown_label

INPUTS = {"dialogues": {"name": "a|b.csv", "sha256": "0" * 64}}


def rows_of(page, heading):
    """Cells of the tables below a heading."""
    part = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in part.splitlines()
        if line.startswith("|")
    ]


def test_every_score_stands_in_it_with_all_that_reads_it(world):
    report = world.reports["attentive"]
    page = score_page(report, INPUTS, ["mind | this"])
    assert r"- dialogues: a\|b.csv (sha256 000000000000)" in page
    assert r"**note**: mind \| this" in page
    assert "20 draws of the 2 dialogues" in page
    table = {cells[0]: cells for cells in rows_of("## Scores\n" + page, "Scores")}
    # 8 / 11; two clusters; EDD of no role with ten transitions
    assert table["MEC lower"][1] == "0.727"
    assert table["MEC lower"][3:] == ["4 responses", "higher", "–"]
    assert table["EDD inter"][1:] == ["– (no_roles)", "", "0 roles", "higher", "few_transitions 2 roles"]
    assert "- few_transitions: roles with too few transitions" in page
    assert "- no_roles: no role has enough transitions" in page
    definitions = {cells[0]: cells[1] for cells in rows_of(page, "What the numbers are")}
    assert definitions["MEC lower"] == f"`{report['mec', 'lower'].definition}`"
    roles = rows_of(page, "Roles")
    for speaker in world.dialogues[0].speakers:  # each answered two turns with a predecessor
        assert [speaker, "inter", "– (few_transitions)", "2", "2"] in roles


def test_labels_have_their_names_in_other_languages(world):
    page = score_page(world.reports["attentive"], INPUTS)
    happy = next(cells for cells in rows_of(page, "Labels") if cells[0] == "happy 快乐")
    # predicted in d1_3 and d2_1, right in both; in the truth of both
    assert happy == ["happy 快乐", "1.000", "1.000", "1.000", "2", "2"]
    fear = next(cells for cells in rows_of(page, "Labels") if cells[0] == "fear 恐惧")
    assert fear == ["fear 恐惧", "–", "–", "–", "0", "0"]


def test_coverage_counts_what_was_left_out(world):
    coverage = dict(rows_of(score_page(world.reports["attentive"], INPUTS), "Coverage")[2:])
    assert coverage["turns in the file"] == "7"
    assert coverage["of them to be produced"] == "5"
    assert coverage["of these with a response that was voted on"] == "4"


def test_a_label_set_of_chinese_labels():
    names = LabelSet(name="我的", labels=("高兴", "难过"))
    talk = [Utterance(utterance_id=f"u{n}", speaker="甲乙"[n % 2], text="", emotion="高兴", index=n) for n in range(4)]
    votes = [{"utterance_id": "u1/0", "stream": "all", "expert": "e", "round": 0, "label": "高兴"}]
    report = score([Dialogue(dialogue_id="d", utterances=tuple(talk))], votes, labels=names, bootstrap=0)
    page = score_page(report, INPUTS)
    assert "label set: 我的 (高兴, 难过)" in page
    assert "no intervals were asked for" in page
    assert ["高兴", "1.000", "1.000", "1.000", "1", "1"] in rows_of(page, "Labels")
    assert "no_sentiment_map" in page


def test_the_caution_on_biased_intervals_is_said_once():
    talk = [
        Utterance(
            utterance_id=f"u{d}_{n}", speaker="AB"[n % 2], text="", emotion=("happy", "anger")[(n + d) % 2], index=n
        )
        for d in range(3)
        for n in range(8)
    ]
    dialogues = [Dialogue(dialogue_id=f"d{d}", utterances=tuple(talk[8 * d : 8 * d + 8])) for d in range(3)]
    votes = [
        {"utterance_id": f"{u.utterance_id}/0", "stream": "all", "expert": "e", "round": 0, "label": u.emotion}
        for u in talk
        if u.index
    ]
    report = score(dialogues, votes, bootstrap=20, min_transitions=5)
    lines = score_table(report.scores)
    assert sum(line.startswith("† ") for line in lines) == 1
    assert {line.split("|")[1].strip() for line in lines if "] † |" in line} == {
        "EDD inter",
        "RCD inter",
        "RCD margin inter",
    }


def test_names_of_a_label():
    assert shown_label("joy", label_set("meld-7")) == "joy 快乐"
    assert shown_label("x", LabelSet(name="n", labels=("x",), names={"zh": {"x": "x"}})) == "x"


def test_classes_of_recognition_and_of_sets():
    counts = {"precision": 0.5, "recall": None, "f1": 0.25}
    names = LabelSet(name="n", labels=("x",))
    for more in ({"tp": 1, "fp": 2, "fn": 3}, {"support": 4, "predicted": 3}):
        assert class_table({"x": {**counts, **more}}, names)[2:] == ["| x | 0.500 | – | 0.250 | 4 | 3 |"]


@pytest.mark.parametrize("agent", ["attentive", "happy"])
def test_tables_have_as_many_cells_as_their_header(world, agent):
    page = score_page(world.reports[agent], INPUTS)
    width = None
    for line in page.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
        assert width is None or cells is None or cells == width
        width = cells


def test_episodes_are_a_table_of_their_own():
    quote = (Evidence(quote="q"),)
    found = [
        Judgement(utterance_id=f"u{n}", aspect=aspect, judge="j", show=show, episode=episode, supporting=quote)
        for n, (aspect, show, episode) in enumerate(
            [("exp", "A|B", "10"), ("exp", "A|B", "9"), ("cha", "A|B", "9"), ("exp", "C", None)]
        )
    ]
    lines = episode_lines(rc_by_episode(found))
    assert lines[:7] == [
        "All shows together:", "", "| episode | Exp | Cha |", "| --- | ---: | ---: |", "| 9 | 5.00 (n 1) | 5.00 (n 1) |",
        "| 10 | 5.00 (n 1) | – |", "| – | 5.00 (n 1) | – |",
    ]  # fmt: skip
    assert r"A\|B:" in lines
    assert "C:" in lines
    one_show = episode_lines(rc_by_episode(found[:2]))
    assert one_show[0] == "| episode | Exp |"
