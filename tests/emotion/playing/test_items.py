from dataclasses import replace

import pytest

from emotion.playing.history import History
from emotion.playing.items import Stage, item_of, parameters_for, prompt_of, repair_for
from emotion.playing.material import CONDITIONS, Material
from emotion.playing.targets import targets_of
from mmrole.llm import ImagePart, Parameters

MATERIAL = Material(profile="A sailor who pays $5.", previous="She came home.", image="ann.jpg")


@pytest.fixture
def target(dialogues):
    return next(t for t in targets_of(dialogues).targets if t.utterance_id == "d1_3")


def stage(condition, **more):
    return Stage(condition=condition, language="en", history=History(language="en"), **more)


def test_a_turn_is_asked_with_role_material_form_and_history(target):
    item = item_of(target, MATERIAL, stage("all", parameters=Parameters(temperature=0.7)))
    system, user = item.request.messages
    told = system.text
    assert told.index("You play Ann") < told.index("A sailor who pays $5.") < told.index("She came home.")
    assert (
        told.index("She came home.") < told.index("the next turn of Ann") < told.index('{"utterances": [{"text": "..."')
    )
    assert user.text == (
        "The conversation so far, one utterance a line:\n\nAnn: One.\nBo: Two.\nBo: Three.\n\n"
        "Now it is the turn of Ann. Reply with the JSON object."
    )
    assert "Four." not in told + user.text  # what Ann really said
    assert (item.item_id, item.request.parameters.temperature) == ("d1_3", 0.7)
    assert item.fields["history"] == {"utterances": 3, "pictures": 0, "sounds": 0}
    names = ["role", "profile", "previous", "format", "history", "turn"]
    assert item.fields["prompts"] == {f"respond/{name}.en": prompt_of(name, "en").sha256 for name in names}


def test_conditions_differ_in_the_material_alone(target):
    told = {c: item_of(target, MATERIAL, stage(c)).request.messages[0].text for c in CONDITIONS}
    parts = {c: (MATERIAL.profile in t, MATERIAL.previous in t) for c, t in told.items()}
    assert parts == {"none": (False, False), "prev": (False, True), "prof": (True, False), "all": (True, True)}
    bare = told["none"].split("\n\n")
    for condition in CONDITIONS:
        assert [part for part in told[condition].split("\n\n") if part in bare] == bare


def test_the_picture_of_the_role_is_shown_where_pictures_are(target):
    image = ImagePart(data=b"x")
    with_image = item_of(target, MATERIAL, stage("prof", images={"ann.jpg": image}))
    parts = with_image.request.messages[1].parts
    assert (parts[0].text, parts[1]) == ("This is Ann:", image)
    assert "respond/image.en" in with_image.fields["prompts"]
    assert len(item_of(target, replace(MATERIAL, image=None), stage("prof")).request.messages[1].parts) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_prompt_is_there_in_both_languages(target, language, condition):
    there = Stage(condition=condition, language=language, history=History(language=language))
    item = item_of(target, MATERIAL, there)
    assert "$" not in item.request.messages[0].text.replace("$5", "")
    used = set(item.fields["prompts"])
    assert used | {f"respond/repair.{language}"} == {prompt.name for prompt in there.prompts()}


def test_repair_asks_in_the_language_of_the_request():
    assert "无法读取" in repair_for("zh").english
    assert repair_for("en").chinese.startswith("Your answer could not be read.")


@pytest.mark.parametrize(
    ("own", "temperature", "top_p"),
    [
        ({}, 0.7, 0.95),  # MERRY: temperature 0.7, top-p 0.95
        ({"temperature": 0.0}, None, 0.95),
        ({"temperature": 1.0, "top_p": 1.0}, None, None),
    ],
)
def test_the_endpoint_s_own_parameters_win_over_the_paper_s(own, temperature, top_p):
    found = parameters_for({"model": "m", "parameters": own})
    assert (found.temperature, found.top_p) == (temperature, top_p)
    assert parameters_for({"model": "scripted"}).temperature == 0.7
