import pytest

from emotion.playing.material import Lack, Material, Materials
from mmrole.core.roles import previous_of, roles_of

ROLES = roles_of(
    [
        {
            "name": "Ann",
            "aliases": ["Annie"],
            "image": "ann.jpg",
            "profile": {"experiences": "Sailed.", "relationships": " "},
        },
        {"name": "Bo", "show": "S", "profile": {"characteristics": "\n"}},
    ]
)
PREVIOUS = previous_of(
    [{"dialogue_id": "d1", "role": "Ann", "text": "She came home."}, {"dialogue_id": "d1", "role": "Bo", "text": " "}]
)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("none", Material()),
        ("prev", Material(previous="She came home.")),
        ("prof", Material(profile="Experiences:\nSailed.", image="ann.jpg")),
        ("all", Material(profile="Experiences:\nSailed.", previous="She came home.", image="ann.jpg")),
    ],
)
@pytest.mark.parametrize("name", ["Ann", "Annie"])
def test_each_condition_tells_what_it_says(condition, told, name):
    materials = Materials(condition=condition, language="en", roles=ROLES, previous=PREVIOUS)
    assert materials.of(name, "S", "d1") == told


@pytest.mark.parametrize(
    ("condition", "who", "dialogue", "status", "reason"),
    [
        ("prof", "Cleo", "d1", "no_profile", "the roles file has no 'Cleo' of show 'S'"),
        ("all", "Bo", "d1", "no_profile", "the profile of 'Bo' of show 'S' is empty"),
        ("prev", "Bo", "d1", "no_previous", "there is only blank previous information of 'Bo' in dialogue 'd1'"),
        ("all", "Ann", "d2", "no_previous", "there is no previous information of 'Ann' in dialogue 'd2'"),
    ],
)
def test_what_is_missing_is_told_and_nothing_takes_its_place(condition, who, dialogue, status, reason):
    materials = Materials(condition=condition, language="en", roles=ROLES, previous=PREVIOUS)
    assert materials.of(who, "S", dialogue) == Lack(status=status, reason=reason)


def test_none_needs_no_file():
    assert Materials(condition="none", language="zh").of("Cleo", None, "d9") == Material()


def test_previous_information_may_be_under_any_name_of_the_role():
    roles = roles_of([{"name": "Anna", "aliases": ["Ann", "Annie"], "profile": {"characteristics": "Brave."}}])
    for told in ("Anna", "Ann", "Annie"):
        previous = previous_of([{"dialogue_id": "d", "role": told, "text": "She slept."}])
        for speaker in ("Anna", "Annie"):
            material = Materials(condition="prev", language="en", roles=roles, previous=previous).of(speaker, None, "d")
            assert material.previous == "She slept."
