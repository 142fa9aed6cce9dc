import pytest

from emotion.experts.entries import KINDS
from mmrole.core.errors import UsageError
from mmrole.jobs.experts_kinds import kinds_of_experts


def test_every_kind_of_a_panel_is_listed():
    assert [kind.kind for kind in kinds_of_experts()] == list(KINDS)


def test_baselines_say_what_they_can_give():
    kinds = {kind.kind: kind for kind in kinds_of_experts()}
    assert {name for name, kind in kinds.items() if kind.baseline} == {"lexicon", "facial-action", "prosody"}
    assert len(kinds["lexicon"].can_give) == 13
    assert kinds["prosody"].gives == "5: happy anger sadness fear neutral"
    assert kinds["llm"].can_give is None
    assert kinds["trained"].needs == ("model",)


def test_a_set_without_any_of_their_labels(tmp_path):
    (tmp_path / "s.toml").write_text('name = "mine"\nlabels = ["yes", "no"]\n', encoding="utf-8")
    kinds = {kind.kind: kind for kind in kinds_of_experts(str(tmp_path / "s.toml"))}
    assert kinds["prosody"].can_give == ()
    assert kinds["prosody"].gives == "none of mine"
    with pytest.raises(UsageError, match="no label set 'x'"):
        kinds_of_experts("x")
