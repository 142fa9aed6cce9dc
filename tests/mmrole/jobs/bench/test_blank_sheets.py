from mmrole.jobs.bench.blank_sheets import write_blank


def test_a_sheet_is_written_again_until_somebody_works_on_it(tmp_path):
    path = tmp_path / "sheets" / "a.csv"
    assert write_blank(path, ["item"], [{"item": "one"}], fill=["mark"])
    assert write_blank(path, ["item"], [{"item": "two"}], fill=["mark"])
    assert "two" in path.read_text()
    path.write_text("item,mark\r\ntwo,1\r\n")
    assert not write_blank(path, ["item"], [{"item": "three"}], fill=["mark"])
    assert path.read_text().endswith("two,1\n")
    path.unlink()
    assert write_blank(path, ["item"], [{"item": "three"}], fill=["mark"])


def test_a_sheet_that_was_there_before_is_left_alone(tmp_path):
    (tmp_path / "a.csv").write_text("mine")
    assert not write_blank(tmp_path / "a.csv", ["item"], [{"item": "one"}], fill=["mark"])
    assert (tmp_path / "a.csv").read_text() == "mine"


def test_interrupted_before_the_sheet_is_in_its_place_the_next_run_writes_it(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    write_blank(path, ["item"], [{"item": "one"}], fill=["mark"])

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", interrupted)
        try:
            write_blank(path, ["item"], [{"item": "two"}], fill=["mark"])
        except KeyboardInterrupt:
            assert "one" in path.read_text()
    assert write_blank(path, ["item"], [{"item": "three"}], fill=["mark"])
    assert "three" in path.read_text()
