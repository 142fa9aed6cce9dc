import pytest

import mmrole
from emotion.response_records import AgentUtterance, read_responses
from mmrole.core.errors import ModelError
from mmrole.jobs.respond import Setup, ground_truth, respond_with, scripted_agent


@pytest.mark.parametrize("rollout", [False, True])
def test_an_agent_that_copies_the_ground_truth(world, rollout):
    setup = Setup(dialogues=world.dialogues, condition="none", rollout=rollout)
    respond_with(setup, scripted_agent(setup, ground_truth), out=world.out)
    said = {r.utterance_id: [u.text for u in r.utterances] for r in read_responses(world.out / "responses.jsonl")}
    # by hand, from the dialogues
    assert said == {
        "d1_1": ["Two.", "Three."], "d1_3": ["Four."], "d1_4": ["Five."], "d1_5": ["Six."], "d1_6": ["Seven."],
        "d2_1": ["Nine."], "d2_2": ["Ten."],
    }  # fmt: skip


def test_it_can_write_what_cannot_be_read(world):
    setup = Setup(dialogues=world.dialogues, condition="none")
    model = scripted_agent(setup, lambda target: "no" if target.role == "Cleo" else ground_truth(target))
    assert respond_with(setup, model, out=world.out).stage.statuses == {"ok": 6, "unparsed": 1}
    assert model.calls == 8  # one repair request


def test_it_can_be_given_the_other_parts(world):
    setup = Setup(dialogues=world.dialogues, condition="none", only=("Cleo",))
    shown = {"d2_1": {"face": "smiles"}}
    respond_with(setup, scripted_agent(setup, lambda target: ground_truth(target, shown)), out=world.out)
    [found] = read_responses(world.out / "responses.jsonl")
    assert found.utterances == (AgentUtterance(text="Nine.", face="smiles"),)


def test_under_another_setup_it_knows_nothing(world):
    model = scripted_agent(Setup(dialogues=world.dialogues, condition="none"), ground_truth)
    with pytest.raises(ModelError, match="knows no turn that is asked like this"):
        respond_with(Setup(dialogues=world.dialogues, condition="none", history=1), model, out=world.out)


def test_whoever_copies_the_ground_truth_is_scored_as_its_equal(world):
    setup = Setup(dialogues=world.dialogues, condition="none")
    respond_with(setup, scripted_agent(setup, ground_truth), out=world.out)
    dialogues = mmrole.read_dialogues(world.dialogues)
    truth = {u.text: u.emotion for dialogue in dialogues for u in dialogue.utterances}
    votes = [
        {"utterance_id": name, "stream": "all", "expert": "e", "round": number, "label": truth[said.text]}
        for response in read_responses(world.out / "responses.jsonl")
        for name, said in zip(response.utterance_ids(), response.utterances, strict=True)
        for number in range(2)
    ]
    report = mmrole.score(dialogues, votes, responses=world.out / "responses.jsonl", bootstrap=0)
    assert report["mec", "lower"].value == 1.0
    assert report["mec", "lower"].n == 7  # the responses
    assert report.responses.left_out["no_votes"] == report.responses.left_out["no_response"] == 0
