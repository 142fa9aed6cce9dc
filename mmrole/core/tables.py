"""Parquet tables with an explicit schema, units in the metadata, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mmrole.core.errors import StoreError

if TYPE_CHECKING:
    import pyarrow as pa


def table_bytes(table: pa.Table) -> bytes:
    """A table as the bytes of a Parquet file: the same table gives the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=False, write_statistics=False)
    return bytes(sink.getvalue())


def read_table(path: Path) -> pa.Table:
    """A table from a Parquet file.

    Raises:
        StoreError: the file is missing or damaged; the message names it
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, memory_map=False).read(use_threads=False)
    except FileNotFoundError:
        raise StoreError(f"{path} is missing; run the same command again to make it") from None
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            f"{path} is damaged ({' '.join(str(error).split())[:120]}); run the same command again to make it anew"
        ) from None
