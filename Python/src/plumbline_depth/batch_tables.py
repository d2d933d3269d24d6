"""Rows of a batch as tables of Arrow, and as Parquet."""

from __future__ import annotations

import importlib
import itertools
import os
from typing import Any, Dict, Iterable, List

from .batch_rows import Row, row_of

# Not import statements: types are checked with pyarrow and without it.
pyarrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")

_FINDING = pyarrow.struct([("code", pyarrow.string()), ("severity", pyarrow.string())])
_VALUE = pyarrow.struct(
    [
        ("name", pyarrow.string()),
        ("value", pyarrow.float64()),
        ("sigma", pyarrow.float64()),
        ("unit", pyarrow.string()),
    ]
)
_TYPES: Dict[str, Any] = {
    "bytes": pyarrow.int64(),
    **dict.fromkeys(["code", "frames", "width_px", "height_px"], pyarrow.int32()),
    **dict.fromkeys(["median_m", "depth_sigma_mm", "length_sigma_percent"], pyarrow.float64()),
    "findings": pyarrow.list_(_FINDING),
    "values": pyarrow.list_(_VALUE),
}

#: The columns, which are those of ``Row.columns``; those without another type are texts.
SCHEMA = pyarrow.schema([(name, _TYPES.get(name, pyarrow.string())) for name in row_of({}).columns()])

#: Rows of one row group of a file.
GROUP_ROWS = 5_000


def table_of(rows: Iterable[Row]) -> Any:
    """The rows as a table of Arrow with the columns of ``SCHEMA``; all of it in memory."""
    return pyarrow.Table.from_pylist([row.columns() for row in rows], schema=SCHEMA)


def packed(rows: Iterable[Row]) -> bytes:
    """The rows as a compressed stream of Arrow."""
    sink = pyarrow.BufferOutputStream()
    # Threads cost more than they compress: a shard has some hundred kilobytes.
    options = pyarrow.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with pyarrow.ipc.new_stream(sink, SCHEMA, options=options) as writer:
        writer.write_table(table_of(rows))
    data: bytes = sink.getvalue().to_pybytes()
    return data


def paths_of(data: bytes) -> List[str]:
    """The paths of the rows of a Parquet file."""
    column = parquet.read_table(pyarrow.BufferReader(data), columns=["path"]).column("path")
    return [str(each) for each in column.to_pylist()]


class ParquetFile:
    """A Parquet file that is written row group by row group."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self._writer = parquet.ParquetWriter(path, SCHEMA, compression="zstd")
        self._tables: List[Any] = []

    def append_packed(self, rows: bytes) -> None:
        """Adds rows as :func:`packed` gives them."""
        self._append(pyarrow.ipc.open_stream(rows).read_all())

    def append(self, rows: List[Row]) -> None:
        """Adds rows."""
        self._append(table_of(rows))

    def close(self) -> None:
        """Writes the last row group and the end of the file."""
        self._write_group()
        self._writer.close()

    def _append(self, table: Any) -> None:
        self._tables.append(table)
        if sum(len(each) for each in self._tables) >= GROUP_ROWS:
            self._write_group()

    def _write_group(self) -> None:
        if self._tables:
            self._writer.write_table(pyarrow.concat_tables(self._tables))
            self._tables = []


def write_parquet(rows: Iterable[Row], path: "str | os.PathLike[str]") -> int:
    """Writes the rows as Parquet and returns their number. ``GROUP_ROWS`` of them are in memory at a time.

    The file appears whole or not at all; one of the same name is replaced.
    """
    partial = f"{os.fspath(path)}.partial"
    count = 0
    try:
        file = ParquetFile(partial)
        try:
            iterator = iter(rows)
            while group := list(itertools.islice(iterator, GROUP_ROWS)):
                file.append(group)
                count += len(group)
        finally:
            file.close()
        os.replace(partial, path)
    except BaseException:
        if os.path.exists(partial):
            os.remove(partial)
        raise
    return count
