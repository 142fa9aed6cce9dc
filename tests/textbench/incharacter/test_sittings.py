from textbench.incharacter.sittings import sittings


def first(plan, records, method):
    return next(s for s in sittings(plan, records, [method]) if s.character.character_id == "ann")


def test_there_is_a_sitting_for_each_character_scale_method_and_run(make):
    plan = make.plan(methods=("SR", "OC"), runs=2)
    found = list(sittings(plan, [], plan.methods))
    assert [each.key for each in found][:4] == ["ann/Tiny/SR/0", "ann/Tiny/SR/1", "ann/Tiny/OC/0", "ann/Tiny/OC/1"]
    assert len(found) == 8
    assert not any(each.whole for each in found)  # nobody was asked


def test_self_reports_that_are_a_number_need_no_judge(make):
    plan = make.plan(methods=("SR",))
    says = {"1": "4", "2": "Ann Lee: 2", "3": "I do not know.", "4": "666", "5": "3", "6": "I refuse."}
    found = first(plan, make.answers(plan, lambda c, s, item, r: says.get(item, "1")), "SR")
    assert found.choices == {"1": 4, "2": 2, "4": 666, "5": 3}  # the filler is not scored
    assert found.to_judge == ["3", "6"]


def test_an_interview_is_read_by_the_judge(make):
    plan = make.plan()
    found = first(plan, make.answers(plan, lambda *_: "4"), "OC")
    assert (found.choices, found.to_judge) == ({}, list("123456"))


def test_a_refusal_that_the_endpoint_marked_is_one(make):
    plan = make.plan()
    records = make.answers(plan, lambda *_: "Yes.")
    records[0] |= {"status": "refusal", "replies": [{"text": None}]}
    assert first(plan, records, "OC").choices == {"1": "x"}


def test_a_cut_answer_is_judged_but_not_read_as_a_number(make):
    plan = make.plan(methods=("SR",))
    records = make.answers(plan, lambda *_: "4")
    records[0]["status"] = "truncated"
    found = first(plan, records, "SR")
    assert found.to_judge == ["1"]


def test_an_error_is_no_answer_and_no_refusal(make):
    plan = make.plan()
    records = make.answers(plan, lambda *_: "Yes.")
    records[2] |= {"status": "error", "replies": []}
    found = first(plan, records, "OC")
    assert (found.unasked, found.whole, found.choices) == (("3",), False, {})


def test_thoughts_are_no_part_of_the_answer(make):
    plan = make.plan(methods=("SR",))
    found = first(plan, make.answers(plan, lambda *_: "<think>Ann would say 1.</think>\n4"), "SR")
    assert set(found.choices.values()) == {4}
