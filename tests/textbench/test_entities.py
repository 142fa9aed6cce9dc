import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import InputError
from textbench.entities import Dropped, entity_map, entity_map_from, letters, read_entity_map

MAP = entity_map(
    characters=[["Anna Berg", "Anna", "Miss Berg"], ["Tom Berg", "Tom"], ["林小雨", "小雨"]],
    places=[["Hollow Hall", "Hollow"], "青石镇"],
    phrases=["the lamp that never burned"],
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Anna Berg met Tom.", "[character A] met [character B]."),
        ("Anna's hat, TOM’S hat, Miss Berg", "[character A]'s hat, [character B]’S hat, [character A]"),
        ("Annals and Tomb", "Annals and Tomb"),
        ("At Hollow Hall, in Hollow", "At [place A], in [place A]"),
        ("The Lamp that\nnever burned!", "[phrase A]!"),
        ("小雨回到青石镇，林小雨笑了", "[character C]回到[place B]，[character C]笑了"),
        ("anna", "anna"),
    ],
)
def test_replacing(text, masked):
    assert MAP.mask(text) == masked
    assert MAP.mask(masked) == masked


def test_letters_go_on_after_z():
    many = entity_map(characters=[f"Name{number:03}x" for number in range(60)])
    assert [many.entities[number].placeholder for number in (0, 25, 26, 27, 52)] == [
        "[character A]", "[character Z]", "[character AA]", "[character AB]", "[character BA]",
    ]  # fmt: skip
    assert many.mask("Name027x, Name026x") == "[character AB], [character AA]"
    assert len({letters(number) for number in range(2000)}) == 2000


def test_a_placeholder_is_never_looked_into():
    named = entity_map(characters=[["Character", "A B"], "B]"], places=["place", "A"][:1])
    once = named.mask("Character at the place, [character A] and [place B]")
    assert once == "[character A] at the [place A], [character A] and [place B]"
    assert named.mask(once) == once


def test_names_that_cannot_be_replaced():
    for names, reason in [
        (["he"], "too common"),
        (["--"], "no letters"),
        (["The Mother"], "too common"),
        (["J"], "too common"),
    ]:
        with pytest.raises(InputError, match=f"{names[0]}' cannot be replaced: {reason}"):
            entity_map(characters=[names])
    with pytest.raises(InputError, match="'Berg' cannot be replaced: taken by Anna Berg"):
        entity_map(characters=[["Anna Berg", "Berg"], ["Tom Berg", "Berg"]])


def test_what_a_model_found_is_taken_as_far_as_it_goes():
    found = entity_map(
        characters=[["Anna Berg", "Berg", "she"], ["he"], ["Tom Berg", "Berg", "Tom Berg"]], strict=False
    )
    assert [(entity.placeholder, entity.names) for entity in found.entities] == [
        ("[character A]", ("Anna Berg", "Berg")),
        ("[character B]", ("Tom Berg",)),
    ]
    assert found.dropped == (
        Dropped(name="she", reason="too common"),
        Dropped(name="he", reason="too common"),
        Dropped(name="Berg", reason="taken by Anna Berg"),
    )


def test_the_placeholder_of_a_name():
    assert MAP.placeholder("Miss Berg") == "[character A]"
    assert MAP.placeholder("Anna and Tom") is None
    assert MAP.placeholder("Nobody") is None


def test_stored_and_read_again(tmp_path):
    path = tmp_path / "map.json"
    MAP.write(path)
    assert read_entity_map(path) == MAP
    assert read_entity_map(path).sha256 == MAP.sha256
    other = entity_map(characters=["Anna"])
    assert other.sha256 != MAP.sha256


def test_names_in_a_file(tmp_path):
    path = tmp_path / "names.json"
    path.write_text(json.dumps({"characters": [["Anna Berg", "Anna"], "Tom"], "note": "mine"}), encoding="utf-8")
    assert read_entity_map(path).mask("Anna, Tom") == "[character A], [character B]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "map.json: no JSON"),
        ("[]", "map.json: input should be a valid dictionary"),
        ("{}", "map.json: no entities: give characters, places or phrases"),
        ('{"characters": "Anna"}', "map.json: field characters: input should be a valid list, got 'Anna'"),
        ('{"characters": ["he"]}', "map.json: the name 'he' cannot be replaced: too common"),
        (
            '{"entities": [{"kind": "ship", "placeholder": "[ship A]", "names": ["Argo"]}]}',
            "map.json: field entities.0.kind",
        ),
        (
            json.dumps(
                {"entities": [{"kind": "place", "placeholder": "[place A]", "names": [n]} for n in ("X1", "X2")]}
            ),
            r"map.json: \[place A\] stands for two entities",
        ),
        ('{"entities": [], "dropped": [{"name": 1}]}', "map.json: field dropped.0"),
    ],
)
def test_files_that_are_no_maps(tmp_path, text, message):
    path = tmp_path / "map.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_entity_map(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        read_entity_map(tmp_path / "none.json")


SOME = st.text("abAB -'.孙悟[]", min_size=1, max_size=6)


@given(
    st.lists(st.lists(SOME, min_size=1, max_size=3), max_size=4),
    st.lists(SOME, max_size=3),
    st.text("abAB -'.孙悟[]", max_size=40),
)
def test_masking_twice_is_masking_once(characters, phrases, text):
    found = entity_map(characters=characters, phrases=phrases, strict=False)
    once = found.mask(text)
    assert found.mask(once) == once
    assert entity_map_from(json.loads(json.dumps(found.to_record())), "map") == found
