import pytest

from textbench.rolecde.construction import construct
from textbench.rolecde.construction.report import validity_report


def test_how_the_steps_went_and_what_the_personas_are_like(tmp_path, seeds, asking_of):
    report = validity_report(construct(seeds, asking_of(), tmp_path))
    assert report["counts"] == {"seeds": 4, "personas": 4, "rejected": 0, "failed": 0, "pending": 0}
    assert report["steps"]["values"] == {"asked": 4, "ok": 4}
    assert report["categories"]["C3"] == 4
    assert sum(report["role_option"].values()) == 12
    # "Those who paid." and "Children first.": the role's is the longer one throughout
    assert (report["option_words"], report["role_longer"]) == ({"role": 3.0, "alignment": 2.0}, 1.0)
    # one author that always says the same: three of four repeat the first, eleven of twelve dilemmas too
    assert report["repeated"] == {"scenario": 3, "personal_value": 3, "options": 11}


def test_reasons_are_counted_by_step_and_without_personas_there_are_no_means(tmp_path, seeds, asking_of):
    report = validity_report(construct(seeds, asking_of({"values": "hm"}.items()), tmp_path))
    assert report["rejected"] == {"values": {"unparsed": 4}}
    assert (report["role_longer"], report["option_words"]) == (None, {"role": None, "alignment": None})
    assert report["role_option"] == {"A": 0, "B": 0}


@pytest.mark.parametrize("step", ["profile", "category"])
def test_a_step_that_nobody_passes_ends_the_report_of_the_later_ones(tmp_path, seeds, asking_of, step):
    report = validity_report(construct(seeds, asking_of({step: "hm"}.items()), tmp_path))
    assert report["steps"][step] == {"asked": 4, "unparsed": 4}
    assert report["counts"]["rejected"] == 4
