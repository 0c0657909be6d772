"""Tidy rows as data frames and binary files. The only module that imports pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO

import pyarrow as pa
from pyarrow import ipc, parquet

from mdbench.frames.frame_columns import ColumnType, Field, Shape, TidyRow, fields
from mdbench.vocabulary.quantities import Vocabulary

SCHEMA_VERSION = "1"
BATCH_ROWS = 8192
_TYPES = {
    ColumnType.TEXT: pa.string(),
    ColumnType.WHOLE: pa.int64(),
    ColumnType.NUMBER: pa.float64(),
    ColumnType.FLAG: pa.bool_(),
    ColumnType.TEXTS: pa.list_(pa.string()),
    ColumnType.MAP: pa.map_(pa.string(), pa.string()),
}


def schema(shape: Shape, vocabulary: Vocabulary) -> pa.Schema:
    """The schema of a frame; the metadata has the units and the schema version."""
    return pa.schema(
        [_arrow_field(field) for field in fields(shape, vocabulary)],
        metadata={"mdbench.schema_version": SCHEMA_VERSION, "mdbench.shape": shape.value},
    )


def _arrow_field(field: Field) -> pa.Field:
    return pa.field(
        field.name, _TYPES[field.kind], metadata={"unit": field.unit} if field.unit else None
    )


def write_parquet(rows: Iterable[TidyRow], columns: pa.Schema, sink: IO[bytes]) -> None:
    """Write batches as they arrive, with only one of them in memory."""
    with parquet.ParquetWriter(sink, columns, compression="zstd") as writer:
        for batch in _batches(rows, columns):
            writer.write_batch(batch)


def write_arrow(rows: Iterable[TidyRow], columns: pa.Schema, sink: IO[bytes]) -> None:
    """Write an Arrow IPC (Feather) file in batches."""
    with ipc.new_file(sink, columns) as writer:
        for batch in _batches(rows, columns):
            writer.write_batch(batch)


def write_table(table: pa.Table, sink: IO[bytes]) -> None:
    """Write a whole table as Parquet."""
    parquet.write_table(table, sink, compression="zstd")


def make_table(rows: Iterable[TidyRow], columns: pa.Schema) -> pa.Table:
    """The frame as a pyarrow table."""
    return pa.Table.from_batches(list(_batches(rows, columns)), schema=columns)


def _batches(rows: Iterable[TidyRow], columns: pa.Schema) -> Iterator[pa.RecordBatch]:
    stream = iter(rows)
    while chunk := list(islice(stream, BATCH_ROWS)):
        yield to_batch(chunk, columns)


def to_batch(rows: Sequence[TidyRow], columns: pa.Schema) -> pa.RecordBatch:
    """Convert rows to a batch with these columns; missing values are null."""
    filled = {name for row in rows for name, value in row.items() if value is not None}
    arrays = [
        _to_array(rows, field) if field.name in filled else pa.nulls(len(rows), field.type)
        for field in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _to_array(rows: Sequence[TidyRow], field: pa.Field) -> pa.Array:
    values: list[object] = [row.get(field.name) for row in rows]
    if pa.types.is_map(field.type):
        values = [list(one.items()) if isinstance(one, dict) else None for one in values]
    return pa.array(values, field.type)
