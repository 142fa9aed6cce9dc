import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mmrole.core.errors import StoreError
from mmrole.core.tables import column, read_table, table_bytes

DTYPES = st.sampled_from([np.float32, np.float64, np.int16, np.int64, np.bool_])
SHAPES = st.one_of(st.tuples(st.integers(0, 20)), st.tuples(st.integers(0, 9), st.integers(1, 5)))


@given(st.data())
def test_a_column_holds_what_it_was_given(data):
    values = data.draw(hnp.arrays(data.draw(DTYPES), data.draw(SHAPES)))
    known = data.draw(hnp.arrays(np.bool_, len(values)))
    made = column(values, known)
    made.validate(full=True)
    expected = [value.tolist() if here else None for value, here in zip(values, known, strict=True)]
    assert repr(made.to_pylist()) == repr(expected)
    assert made.null_count == int((~known).sum())
    assert repr(column(values).to_pylist()) == repr(values.tolist())


def test_columns_agree_with_pyarrow():
    values, known = np.arange(5, dtype=np.float32), np.array([True, False, True, True, False])
    assert column(values, known).equals(pa.array(values, mask=~known))


def test_equal_tables_are_equal_bytes_and_come_back(tmp_path):
    table = pa.table(
        {"x": column(np.arange(3.0)), "v": column(np.ones((3, 4), np.float32), np.array([True, False, True]))}
    )
    assert table_bytes(table) == table_bytes(table)
    (tmp_path / "t.parquet").write_bytes(table_bytes(table))
    assert read_table(tmp_path / "t.parquet").equals(table)


def test_a_worker_does_not_import_pandas():
    code = (
        "import sys, numpy as np, pyarrow as pa; from mmrole.core.tables import column, table_bytes; "
        "table_bytes(pa.table({'x': column(np.arange(3.0), np.array([True, False, True]))})); print('pandas' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(50) + b"PAR1"])
def test_a_damaged_table_is_one_line(tmp_path, content):
    (tmp_path / "t.parquet").write_bytes(content)
    with pytest.raises(StoreError, match=r"t\.parquet is damaged"):
        read_table(tmp_path / "t.parquet")
    with pytest.raises(StoreError, match=r"none\.parquet is missing"):
        read_table(tmp_path / "none.parquet")


def test_only_the_columns_that_are_asked_for_are_read(tmp_path):
    table = pa.table({"a": [1, 2], "b": ["x", None], "c": [[0.5], None]})
    path = tmp_path / "t.parquet"
    path.write_bytes(table_bytes(table))
    assert read_table(path, columns=["c", "a"]).equals(table.select(["c", "a"]))
    with pytest.raises(StoreError, match=r"t\.parquet is damaged \(it has no column 'd'\)"):
        read_table(path, columns=["a", "d"])
