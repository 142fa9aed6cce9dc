import pytest

from mmrole.core.errors import InputError
from mmrole.core.roles import Profile, find_role, previous_of, read_previous, read_roles, roles_of

ANNA = {"name": "Anna", "show": "S1", "aliases": ["Ann"], "profile": {"basic_information": "A baker."}}


def test_roles_by_name_and_show():
    roles = roles_of([ANNA, {"name": "Anna", "show": "S2"}, {"name": "Ben"}])
    assert roles["Anna", "S1"].profile.basic_information == "A baker."
    assert find_role(roles, "Anna", "S2").show == "S2"
    assert find_role(roles, "Ben", "S1").name == "Ben"  # a role without a show is of any
    assert find_role(roles, "Ann", "S1").name == "Anna"
    assert find_role(roles, "Ann", "S2") is None
    assert find_role(roles, "Cleo", "S1") is None


def test_profile_text_has_the_parts_that_are_there():
    text = Profile(basic_information="A baker.", relationships="Ben: friend").text()
    assert text == "Basic information:\nA baker.\n\nRelationships:\nBen: friend"
    assert Profile().text() == ""


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([ANNA, ANNA], r"roles\.jsonl, line 2: role 'Anna' of show 'S1' is there a second time"),
        ([{"name": ""}], r"line 1: field name"),
        ([{"name": "A", "profil": {}}], "field profil: extra inputs"),
        ([{"name": "A", "profile": {"experience": ""}}], r"field profile\.experience"),
    ],
)
def test_broken_roles(records, message):
    with pytest.raises(InputError, match=message):
        roles_of(records, "roles.jsonl")


def test_previous_information():
    record = {"dialogue_id": "d1", "role": "Anna", "text": "She baked.", "episode": "3"}
    found = previous_of([record])
    assert found["d1", "Anna"].episode == "3"
    with pytest.raises(InputError, match=r"previous, line 2: 'Anna' in 'd1' is there a second time"):
        previous_of([record, record])
    with pytest.raises(InputError, match="field role: field required"):
        previous_of([{"dialogue_id": "d1", "text": "x"}])


@pytest.mark.parametrize(
    ("read", "line", "wrong"),
    [
        (read_roles, '{"name": "Ann"}', '{"name": ""}'),
        (read_previous, '{"dialogue_id": "1", "role": "Ann", "text": "x"}', '{"dialogue_id": "1"}'),
    ],
)
def test_a_file_is_read_and_its_lines_are_counted_with_the_blank_ones(tmp_path, read, line, wrong):
    path = tmp_path / "file.jsonl"
    path.write_text(f"{line}\n\n")
    assert len(read(path)) == 1
    path.write_text(f"{line}\n\n{wrong}\n")
    with pytest.raises(InputError, match=r"file\.jsonl, line 3: field"):
        read(path)
    path.write_text(f"{line}\n\n{line}\n")
    with pytest.raises(InputError, match=r"file\.jsonl, line 3: .*a second time"):
        read(path)


@pytest.mark.parametrize("show", ["S1", None])
def test_two_roles_of_a_show_cannot_share_an_alias(show):
    with pytest.raises(InputError, match=r"line 2: alias 'Ann' of 'Ben' is one of 'Anna' as well"):
        roles_of([ANNA, {"name": "Ben", "show": show, "aliases": ["Ann"]}], "roles.jsonl")
    other = {"name": "Ben", "show": "S2", "aliases": ["Ann", "Ann"]}
    assert find_role(roles_of([ANNA, other]), "Ann", "S2").name == "Ben"
