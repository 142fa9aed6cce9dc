"""A dialogue, a role and a response to be judged."""

from types import SimpleNamespace

import pytest

from emotion.response_records import AgentUtterance, ResponseRecord
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.roles import Previous, Profile, Role


@pytest.fixture
def scene():
    lines = [("Ann", "Where were you?"), ("Bo", "Away."), ("Bo", "Far away."), ("Ann", "And now?")]
    dialogue = Dialogue(
        dialogue_id="d",
        show="Harbour",
        utterances=tuple(
            Utterance(utterance_id=f"d_{n}", speaker=who, text=text, index=n) for n, (who, text) in enumerate(lines)
        ),
    )
    bo = Role(
        name="Robert",
        show="Harbour",
        aliases=("Bo",),
        profile=Profile(characteristics="Speaks little.", experiences="Went to sea\nas a boy."),
    )
    roles = {("Robert", "Harbour"): bo, ("Ann", None): Role(name="Ann", profile=Profile(basic_information=" "))}
    previous = {("d", "Robert"): Previous(dialogue_id="d", role="Robert", text="Bo sailed north.", episode="3")}

    def response(utterance_id="d_1", role="Bo", said=("I sailed north.",), dialogue_id="d", **fields):
        utterances = tuple(AgentUtterance(text=text, face="frowns") for text in said) or None
        fields = {"status": "ok" if utterances else "refusal", **fields}
        return ResponseRecord(
            utterance_id=utterance_id, dialogue_id=dialogue_id, role=role, condition="all", agent="a",
            utterances=utterances, **fields,
        )  # fmt: skip

    return SimpleNamespace(dialogue=dialogue, roles=roles, previous=previous, response=response)
