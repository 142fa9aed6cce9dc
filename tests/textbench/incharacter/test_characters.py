import json

import pytest

from mmrole.core.errors import InputError
from textbench.incharacter.characters import character_from, read_all_characters, read_characters, roleless
from textbench.incharacter.scales import scale
from textbench.masking import Masker

ANN = """
[[characters]]
id = "ann"
name = "Ann Lee"
aliases = ["Ann"]
language = "en"
asker = "Bob"
description = "Ann is a sailor."
memory = "ann.jsonl"
[characters.labels.Tiny]
Warmth = {score = 4.0, type = "H"}
Order = {score = "X", type = "X"}
"""


@pytest.fixture
def write(tmp_path):
    (tmp_path / "ann.jsonl").write_text('{"text": "Ann finds a map."}\n\n{"text": "Ann sings."}\n')

    def written(text, name="c.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return written


def test_a_file_is_read_with_its_memory(write):
    [ann] = read_characters(write(ANN))
    assert (ann.character_id, ann.language, ann.asker) == ("ann", "en", "Bob")
    assert ann.memory == ("Ann finds a map.", "Ann sings.")
    assert ann.labels == {"Tiny": {"Warmth": {"score": 4.0, "type": "H"}, "Order": {"score": "X", "type": "X"}}}
    assert ann.names == ("Ann Lee", "Ann", "AnnLee")
    assert character_from(json.loads(json.dumps(ann.to_record()))) == ann


def test_json_of_the_same_shape(write):
    record = {"characters": [{"id": "a", "name": "A", "language": "zh", "asker": "B", "description": "C"}]}
    assert read_characters(write(json.dumps(record), "c.json"))[0].language == "zh"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('id = "ann"', ""), r"c.toml: characters.0: field id: field required"),
        (('id = "ann"', 'id = "a b"'), "c.toml: characters.0 .a b.: field id: .*got 'a b'"),
        (('language = "en"', 'language = "fr"'), "c.toml: characters.0 .ann.: field language: .*got 'fr'"),
        (('asker = "Bob"', 'asker = " "'), "field asker: .*is blank"),
        (('asker = "Bob"', 'asker = "Bob"\ncolour = "red"'), "field colour: extra inputs"),
        (("ann.jsonl", "none.jsonl"), "field memory: there is no file .*none.jsonl"),
        (('type = "H"', 'type = "Q"'), "field labels.Tiny.Warmth.type: .*got 'Q'"),
        (('score = "X", type = "X"', 'score = "X", type = "H"'), "field labels.Tiny.Order: score X with type H"),
        (("[[characters]]", "[[people]]"), "c.toml: field characters: input should be a valid list"),
        (('name = "Ann Lee"', "name = "), "c.toml: no TOML"),
    ],
)
def test_a_malformed_file_is_told_with_its_key(write, change, said):
    assert change[0] in ANN
    with pytest.raises(InputError, match=said) as caught:
        read_characters(write(ANN.replace(*change)))
    assert "\n" not in str(caught.value)


def test_a_memory_that_is_damaged_is_told_with_its_line(write, tmp_path):
    (tmp_path / "ann.jsonl").write_text('{"text": "a"}\n{"txt": "b"}\n')
    with pytest.raises(InputError, match=r"ann.jsonl, line 2: field text: field required"):
        read_characters(write(ANN))


def test_somebody_has_to_be_played(write):
    with pytest.raises(InputError, match="field description: is missing, and there is no memory either"):
        read_characters(write('[[characters]]\nid = "a"\nname = "A"\nlanguage = "en"\nasker = "B"\n'))


def test_an_id_belongs_to_one(write):
    with pytest.raises(InputError, match="two characters have the id 'ann'"):
        read_all_characters([write(ANN), write(ANN, "d.toml")])


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"x.toml: cannot be read"):
        read_characters(tmp_path / "x.toml")


def test_the_example_is_whole():
    found = read_characters("example")
    assert {each.language for each in found} == {"en", "zh"}
    for each in found:
        assert each.description
        assert len(each.memory) >= 5
        assert set(each.labels["IPIP-50"]) == set(scale("IPIP-50").dimensions)
        # a judge learns nothing from the names
        mask = Masker(each.names, stand_in="<P>").mask
        assert not any(
            name in mask(f"{each.description} {' '.join(each.memory)}") for name in (each.name, each.aliases[0])
        )


def test_the_bare_model():
    assert roleless("zh").roleless
    assert roleless("zh").character_id != roleless("en").character_id
