import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.bench.rolecde.inputs import read_inputs


def test_the_packaged_data():
    read = read_inputs(role_option_files=["example"])
    assert [each.persona_id for each in read.personas] == ["goalkeeper", "laoban", "lighthouse", "yaofang"]
    assert [(name, len(table)) for name, table in read.tables] == [("example", 12)]


def test_levels_and_a_table_of_other_personas(personas, tmp_path):
    read = read_inputs(personas, only=["ann"], levels=("mid",))
    assert [list(each.dilemmas) for each in read.personas] == [["mid"]]
    (tmp_path / "t.csv").write_text("id,level,role_option\nzoe,easy,A\n")
    with pytest.raises(
        InputError, match="none of its dilemmas is one of these personas; the first is persona zoe, easy"
    ):
        read_inputs(personas, role_option_files=[tmp_path / "t.csv"])
