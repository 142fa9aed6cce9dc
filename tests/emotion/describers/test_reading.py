import json

import pytest

from emotion.describers.reading import LONGEST, read_description


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"description": "She smiles."}', "She smiles."),
        ('Here you are:\n```json\n{"description": "She  smiles\\nbroadly."}\n```', "She smiles broadly."),
        ('<think>{"description": "no"}</think>{"description": "She frowns."}', "She frowns."),
        # the words of a refusal, but not the model's own
        ('{"description": "She looks as if she cannot help laughing."}', "She looks as if she cannot help laughing."),
        (
            '{"description": "The face is calm. I cannot tell more from it."}',
            "The face is calm. I cannot tell more from it.",
        ),
    ],
)
def test_descriptions(text, value):
    found = read_description(text, "en")
    assert (found.status, found.value) == ("ok", value)


@pytest.mark.parametrize(
    ("text", "finish", "status", "rule"),
    [
        (None, "stop", "unparsed", "no_content"),
        ("", "stop", "unparsed", "empty"),
        ('{"description": ""}', "stop", "unparsed", "empty"),
        ('{"description": " \\n "}', "stop", "unparsed", "empty"),
        ('{"description": null}', "stop", "unparsed", "schema_mismatch"),
        ('{"text": "She smiles."}', "stop", "unparsed", "schema_mismatch"),
        ("She smiles.", "stop", "unparsed", "no_json"),
        ("I'm sorry, but I can't help with identifying people.", "stop", "refusal", "refusal_phrase"),
        ('{"description": "I cannot see any image."}', "stop", "refusal", "abstention"),
        ('{"description": "抱歉，我无法分析这张图片。"}', "stop", "refusal", "refusal_phrase"),
        ('{"description": "She smi', "stop", "truncated", "unclosed_json"),
        ('{"description": "She smiles."}', "length", "truncated", "finish_length"),
        ("", "content_filter", "refusal", "finish_content_filter"),
        ('{"description": "..."}', "stop", "unparsed", "not_language"),
        ('{"description": "0.42 0.17 0.33 0.21"}', "stop", "unparsed", "not_language"),
        ('{"description": "🙂🙂🙂"}', "stop", "unparsed", "not_language"),
        (json.dumps({"description": "She smiles and " * 30}), "stop", "unparsed", "not_language"),
        (json.dumps({"description": "哈" * 300}), "stop", "unparsed", "not_language"),
    ],
)  # fmt: skip
def test_what_is_no_description_is_called_what_it_is(text, finish, status, rule):
    found = read_description(text, "en", finish)
    assert (found.status, found.value, found.rule) == (status, None, rule)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_report_is_too_long(language):
    letters = "abcdefghij" if language == "en" else "眉眼鼻嘴头手肩臂身脸"
    # digits of a growing number in letters: no loop
    text = " ".join("".join(letters[int(digit)] for digit in str(number)) for number in range(1000, 1400))
    for length, status in ((LONGEST[language], "ok"), (LONGEST[language] + 1, "unparsed")):
        said = text[: length - 1] + letters[0]
        assert read_description(json.dumps({"description": said}), language).status == status
    assert read_description(json.dumps({"description": text[:1500]}), language).rule == "too_long"


@pytest.mark.parametrize(("language", "text", "notes"), [
    ("zh", "She smiles.", ("language_mismatch",)), ("en", "她在微笑。", ("language_mismatch",)), ("zh", "她在微笑。", ()),
])  # fmt: skip
def test_another_language_is_noted(language, text, notes):
    found = read_description(json.dumps({"description": text}), language)
    assert (found.value, found.notes) == (text, notes)
