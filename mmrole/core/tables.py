"""Parquet tables with an explicit schema, units in the metadata, written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mmrole.core.errors import StoreError

if TYPE_CHECKING:
    import pyarrow as pa


def column(values: NDArray[Any], known: NDArray[np.bool_] | None = None) -> pa.Array[Any]:
    """A column from numbers or truth values, null where they are not known.

    Built from buffers: `pyarrow.array` would import pandas, 50 MB and a fifth of a second in every worker.

    Args:
        values: `[shape=(n,) or (n, size)]`, of the type that is to be stored; two dimensions become a list of fixed size
        known: per row, whether the value is known `[shape=(n,)]`; all are when None
    """
    import pyarrow as pa

    rows = len(values)
    if known is None or known.all():
        validity, nulls = None, 0
    else:
        validity, nulls = (
            pa.py_buffer(np.packbits(known, bitorder="little").tobytes()),
            int(rows - np.count_nonzero(known)),
        )
    flat = np.ascontiguousarray(values).reshape(-1)
    data: Any = np.packbits(flat, bitorder="little") if flat.dtype == np.bool_ else flat
    kind = pa.from_numpy_dtype(flat.dtype)
    if values.ndim == 1:
        return pa.Array.from_buffers(kind, rows, [validity, pa.py_buffer(data)], nulls)
    inner = pa.Array.from_buffers(kind, len(flat), [None, pa.py_buffer(data)], 0)
    return pa.Array.from_buffers(pa.list_(kind, values.shape[1]), rows, [validity], nulls, children=[inner])


def table_bytes(table: pa.Table) -> bytes:
    """A table as the bytes of a Parquet file: the same table gives the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=False, write_statistics=False)
    return sink.getvalue().to_pybytes()


def read_table(path: Path, *, columns: Sequence[str] | None = None) -> pa.Table:
    """A table from a Parquet file.

    Args:
        path: the file
        columns: of these columns only, in this order, which is much faster for a few of many; all when None

    Raises:
        StoreError: the file is missing, damaged or without one of the columns; the message names it
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, memory_map=False) as file:
            if columns is None:
                return file.read(use_threads=False)
            there = file.schema_arrow.names
            if missing := [name for name in columns if name not in there]:
                raise StoreError(
                    f"{path} is damaged (it has no column {missing[0]!r}); run the same command again to make it anew"
                )
            return file.read(columns=list(columns), use_threads=False).select(list(columns))
    except FileNotFoundError:
        raise StoreError(f"{path} is missing; run the same command again to make it") from None
    except (OSError, pa.ArrowException) as error:
        why = " ".join(str(error).split())[:120]
        raise StoreError(f"{path} is damaged ({why}); run the same command again to make it anew") from None
