import json

import pytest

from mmrole.core.errors import InputError, UsageError
from textbench.incharacter.questionnaire_files import find_questionnaires, packaged_questionnaire, read_questionnaire
from textbench.incharacter.scales import scale


def test_ipip_50_is_whole():
    found = packaged_questionnaire("IPIP-50")
    assert found.scale == scale("IPIP-50")
    assert sorted(map(int, found.record["questions"])) == list(range(1, 51))
    for item, question in found.record["questions"].items():
        for language in ("en", "zh"):
            assert found.statement(item, language)
            assert found.question(item, language).endswith(("?", ".", "？", "。"))
        # the category beside the text agrees with the packaged key
        assert (question["category"] == "negative") == found.scale.keys[question["dimension"]][item]
    for dimension in found.scale.dimensions:
        for language in ("en", "zh"):
            assert found.description(dimension, language)
            assert all(found.poles(dimension, language))
    for key in ("origin_en", "origin_zh", "rewritten_en", "rewritten_zh"):
        assert len({question[key] for question in found.record["questions"].values()}) == 50


def test_users_files_come_first(make, tmp_path):
    (tmp_path / "Tiny.json").write_text(json.dumps(make.record()), "utf-8")
    assert [each.name for each in find_questionnaires(["Tiny", "IPIP-50"], tmp_path)] == ["Tiny", "IPIP-50"]
    assert [each.name for each in find_questionnaires(["all"], tmp_path)] == ["Tiny"]
    assert [each.name for each in find_questionnaires(["all"])] == ["IPIP-50"]


def test_what_is_not_there(make, tmp_path):
    with pytest.raises(
        UsageError, match="the items of BFI are not ours to give away: point --questionnaires to your copy"
    ):
        find_questionnaires(["BFI"])
    with pytest.raises(UsageError, match="there is no packaged questionnaire 'Nope'; there is IPIP-50"):
        find_questionnaires(["Nope"], tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        find_questionnaires(["Nope"], tmp_path / "nothing")
    with pytest.raises(UsageError, match="the scale IPIP-50 is named twice"):
        find_questionnaires(["IPIP-50", "IPIP-50"])


@pytest.mark.parametrize(("content", "said"), [("[1]", "holds a list, not an object"), ("{", "line 1: no JSON")])
def test_a_file_that_is_no_questionnaire(tmp_path, content, said):
    (tmp_path / "q.json").write_text(content)
    with pytest.raises(InputError, match=f"q.json.*{said}"):
        read_questionnaire(tmp_path / "q.json")
