from textbench.incharacter.interview import asked_items, interview_items, option_lines, prompt


def items(plan):
    return {item["item_id"]: item for item in interview_items(plan)}


def test_each_question_has_a_context_of_its_own(make):
    found = items(make.plan())
    assert list(found)[:6] == [f"ann/Tiny/interview/{n}" for n in range(1, 7)]  # the filler is not asked
    assert len(found) == 12
    first = found["ann/Tiny/interview/1"]
    assert [m["role"] for m in first["messages"]] == ["system", "user"]
    assert "Ann is a sailor." in first["messages"][0]["text"]
    assert first["messages"][1]["text"] == "Bob says: Question 1?"
    assert first["temperature"] == 0.7
    assert found["wang/Tiny/interview/2"]["messages"][1]["text"] == "李四说：问题2？"


def test_the_hash_of_every_prompt_is_kept(make):
    fields = items(make.plan())["ann/Tiny/interview/1"]["fields"]
    assert fields["prompts"] == {
        f"incharacter/{name}.en": prompt(name, "en").sha256 for name in ("system-description", "interview")
    }
    assert (fields["character"], fields["scale"], fields["style"], fields["question_id"]) == (
        "ann",
        "Tiny",
        "interview",
        "1",
    )


def test_a_self_report_asks_for_a_number_and_has_the_fillers(make):
    found = items(make.plan(methods=("SR", "SR-CoT")))
    assert len(found) == 2 * 2 * 7
    said = found["ann/Tiny/SR/7"]["messages"][1]["text"]
    assert '"Statement 7."' in said
    assert "1: strongly disagree\n5: strongly agree" in said
    assert said.endswith("Reply with the number only.")
    assert "答案：" in found["wang/Tiny/SR-CoT/1"]["messages"][1]["text"]


def test_memory_is_what_bears_on_the_question(make):
    question = make.record()
    found = items(make.plan(setting="M", passages=2))["ann/Tiny/interview/1"]
    told = found["messages"][0]["text"]
    assert "Ann is a sailor." not in told
    assert found["fields"]["memory"] == [0, 1]  # no passage shares a word with "Question 1?": the first ones
    assert "Ann finds a map.\n\nAnn mends a sail." in told
    both = items(make.plan(setting="D+M", passages=1))["wang/Tiny/interview/1"]["messages"][0]["text"]
    assert "王五是木匠。" in both
    assert "王五做了一张桌子。" in both
    assert question["questions"]["1"]["rewritten_en"] == "Question 1?"


def test_the_bare_model_gets_no_role(make):
    found = items(make.plan(characters=[make.roleless("en")], setting="D+M"))["roleless-en/Tiny/interview/1"]
    assert [m["role"] for m in found["messages"]] == ["user"]


def test_items_are_asked_in_their_order(tiny):
    assert asked_items(tiny, "SR") == tuple("1234567")
    assert asked_items(tiny, "interview") == tuple("123456")


def test_options_without_a_meaning_are_left_out():
    assert option_lines({1: "no", 2: "", 3: "yes"}, "zh") == "1：no\n3：yes"
