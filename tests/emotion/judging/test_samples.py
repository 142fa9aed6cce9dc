from dataclasses import replace

import pytest

from emotion.judging.samples import samples_of
from mmrole.core.errors import InputError
from mmrole.core.roles import Previous


def samples(scene, *responses, dialogue=None, **more):
    given = {"roles": scene.roles, "previous": scene.previous, **more}
    return list(samples_of(responses, [dialogue or scene.dialogue], given["roles"], given["previous"]))


def test_what_a_response_is_judged_against(scene):
    (sample,) = samples(scene, scene.response())
    assert [utterance.text for utterance in sample.history] == ["Where were you?"]
    assert (sample.previous, sample.episode, sample.show, sample.reason) == ("Bo sailed north.", "3", "Harbour", None)
    profile = [("characteristics", "Speaks little."), ("experiences", "Went to sea\nas a boy.")]
    # exp and rel against previous information and profile, cha against the profile only
    for aspect in ("exp", "rel"):
        assert sample.material(aspect) == {"previous": [("previous", "Bo sailed north.")], "profile": profile}
    assert sample.material("cha") == {"profile": profile}
    assert sample.response_texts() == ["I sailed north.", "frowns"]


def test_what_cannot_be_judged_says_why(scene):
    missing, blank, silent = samples(
        scene,
        scene.response(),
        scene.response("d_3", role="Ann"),
        scene.response(said=()),
        roles={key: role for key, role in scene.roles.items() if role.name == "Ann"},
    )
    assert [missing.reason, blank.reason, silent.reason] == ["no_profile"] * 3
    (silent,) = samples(scene, scene.response(said=(), reason="the model declined"))
    assert silent.reason == "no_response"


def test_previous_information_that_is_not_there(scene):
    for previous in ({}, {("d", "Bo"): Previous(dialogue_id="d", role="Bo", text=" ", episode="4")}):
        (sample,) = samples(scene, scene.response(), previous=previous)
        assert sample.previous is None
        assert list(sample.material("exp")) == ["profile"]
    assert sample.episode == "4"


@pytest.mark.parametrize(
    ("season", "episode", "expected"), [("8", "21", "S8E21"), (None, "21", "21"), ("8", None, None), (None, None, None)]
)
def test_episodes_of_the_dialogues(scene, season, episode, expected):
    dialogue = replace(scene.dialogue, season=season, episode=episode)
    (sample,) = samples(scene, scene.response(), dialogue=dialogue, previous={})
    assert sample.episode == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dialogue_id": "x"}, "response 2: field dialogue_id: there is no dialogue 'x'"),
        ({"utterance_id": "d_2"}, "response 2: field utterance_id: no turn of dialogue 'd' starts with 'd_2'"),
        ({"role": "Ann"}, "response 2: field role: the turn 'd_1' is one of 'Bo', not of 'Ann'"),
    ],
)
def test_responses_to_other_dialogues(scene, fields, message):
    with pytest.raises(InputError, match=message):
        samples(scene, scene.response("d_3", role="Ann"), scene.response(**fields))
