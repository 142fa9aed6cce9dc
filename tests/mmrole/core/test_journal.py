import json
import resource

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmrole.core.errors import DiskError, StoreError
from mmrole.core.journal import Journal, read_records


def lines(path):
    return path.read_bytes().split(b"\n")


def test_the_last_record_of_a_key_counts(tmp_path):
    with Journal(tmp_path / "j.jsonl", key="id") as journal:
        journal.append({"id": "a", "n": 1})
        journal.append({"id": "b", "n": 2})
        journal.append({"id": "a", "n": 3})
        assert journal.get("a") == {"id": "a", "n": 3}
    with Journal(tmp_path / "j.jsonl", key="id") as again:
        assert again.records() == [{"id": "a", "n": 3}, {"id": "b", "n": 2}]
        assert len(again) == 2
        assert "b" in again
        assert "c" not in again


@given(cut=st.integers(0, 60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_a_file_cut_at_any_byte_opens_and_goes_on(tmp_path, cut):
    path = tmp_path / "j.jsonl"
    path.unlink(missing_ok=True)
    with Journal(path, key="id") as journal:
        for name in ("first", "second", "第三"):
            journal.append({"id": name})
    whole = path.read_bytes()
    path.write_bytes(whole[: max(0, len(whole) - cut)])
    with Journal(path, key="id") as journal:
        kept = [r["id"] for r in journal.records()]
        journal.append({"id": "new"})
    assert kept == ["first", "second", "第三"][: len(kept)]
    assert [r["id"] for r in read_records(path)] == [*kept, "new"]
    assert path.read_bytes().endswith(b"\n")


def test_a_torn_tail_is_kept_aside_and_reported(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"id": "a"}\n{"id": "b", "te')
    with Journal(path, key="id") as journal:
        assert journal.torn == len(b'{"id": "b", "te')
        assert [r["id"] for r in journal.records()] == ["a"]
    assert (tmp_path / "j.jsonl.bad").read_bytes() == b'{"id": "b", "te\n'
    assert path.read_bytes() == b'{"id": "a"}\n'


def test_a_last_line_that_lost_only_its_line_break_is_kept(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"id": "a"}\n{"id": "b"}')
    with Journal(path, key="id") as journal:
        assert journal.torn == 0
        journal.append({"id": "c"})
    assert [r["id"] for r in read_records(path)] == ["a", "b", "c"]


@pytest.mark.parametrize("damage", [b"\x00\x00\x00", b'{"id": "a"', b"[1]", b'{"id": NaN}', b"\xff\xfe"])
def test_damage_before_the_end_is_an_error_that_names_file_and_line(tmp_path, damage):
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"id": "a"}\n' + damage + b'\n{"id": "b"}\n')
    with pytest.raises(StoreError, match=r"j\.jsonl line 2"):
        Journal(path, key="id")
    assert path.read_bytes().startswith(b'{"id": "a"}\n' + damage)  # nothing was thrown away


def test_no_nan_gets_in(tmp_path):
    with Journal(tmp_path / "j.jsonl", key="id") as journal:
        with pytest.raises(ValueError, match="JSON compliant"):
            journal.append({"id": "a", "x": float("nan")})
        assert len(journal) == 0
    assert (tmp_path / "j.jsonl").read_bytes() == b""


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    """The file size limit of the process stands for the full disk: write() then fails half-way with EFBIG."""
    import signal

    path = tmp_path / "j.jsonl"
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Journal(path, key="id") as journal:
            journal.append({"id": "a"})
            resource.setrlimit(resource.RLIMIT_FSIZE, (20, old[1]))
            with pytest.raises(DiskError, match=r"j\.jsonl: cannot be written"):
                journal.append({"id": "b", "text": "x" * 100})
            assert "b" not in journal
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b'{"id": "a"}\n'


def test_lines_are_canonical(tmp_path):
    with Journal(tmp_path / "j.jsonl", key="id") as journal:
        journal.append({"z": 1, "id": "中", "a": None})
    line = lines(tmp_path / "j.jsonl")[0].decode()
    assert line == '{"a": null, "id": "中", "z": 1}'
    assert json.loads(line)["a"] is None


def test_many_records_are_appended_as_one_by_one(tmp_path):
    records = [{"id": "a", "n": 1}, {"id": "b"}, {"id": "a", "n": 2}]
    with Journal(tmp_path / "one.jsonl", key="id") as one, Journal(tmp_path / "many.jsonl", key="id") as many:
        for record in records:
            one.append(record)
        many.append_many(records)
        many.append_many([])
        assert many.records() == one.records() == [{"id": "a", "n": 2}, {"id": "b"}]
    assert (tmp_path / "many.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()


def test_of_many_records_all_are_stored_or_none(tmp_path):
    with Journal(tmp_path / "j.jsonl", key="id") as journal:
        journal.append({"id": "a"})
        with pytest.raises(ValueError, match="JSON compliant"):
            journal.append_many([{"id": "b"}, {"id": "c", "value": float("nan")}])
        assert [record["id"] for record in journal.records()] == ["a"]
    assert lines(tmp_path / "j.jsonl") == [b'{"id": "a"}', b""]


@pytest.mark.parametrize("line", [b'{"other": 1}', b'{"a":' * 5000 + b"1" + b"}" * 5000])
def test_a_line_that_is_no_record_of_the_journal_is_named(tmp_path, line):
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"id": "a"}\n' + line + b'\n{"id": "b"}\n')
    with pytest.raises(StoreError, match=r"j\.jsonl line 2 is "):
        Journal(path, key="id")


def test_a_tail_that_is_no_record_of_the_journal_is_kept_aside(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"id": "a"}\n{"other": 1}')
    with Journal(path, key="id") as journal:
        assert (len(journal), journal.torn) == (1, 12)
    assert path.with_name("j.jsonl.bad").read_bytes() == b'{"other": 1}\n'
