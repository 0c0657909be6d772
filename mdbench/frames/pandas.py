"""Tidy rows as data frames and binary files. The only module that imports pandas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, TYPE_CHECKING, NamedTuple

import pyarrow as pa
from pyarrow import ipc, parquet

from mdbench.frames.frame_columns import ColumnType, Field, Shape, TidyRow, fields
from mdbench.vocabulary.quantities import Vocabulary

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = "1"
BATCH_ROWS = 8192


class _Kinds(NamedTuple):
    """The types that a column has in Arrow, in the metadata for pandas, and in pandas."""

    arrow: pa.DataType
    pandas: str
    dtype: str


# Whole numbers, flags and texts have types that know missing values, so a missing value does not
# turn them into floats or objects. For numbers it is NaN: numpy and plots take `float64` as it is.
_KINDS = {
    ColumnType.TEXT: _Kinds(pa.string(), "unicode", "string"),
    ColumnType.WHOLE: _Kinds(pa.int64(), "int64", "Int64"),
    ColumnType.NUMBER: _Kinds(pa.float64(), "float64", "float64"),
    ColumnType.FLAG: _Kinds(pa.bool_(), "bool", "boolean"),
    ColumnType.TEXTS: _Kinds(pa.list_(pa.string()), "list[unicode]", "object"),
    ColumnType.MAP: _Kinds(pa.map_(pa.string(), pa.string()), "object", "object"),
}


def schema(shape: Shape, vocabulary: Vocabulary) -> pa.Schema:
    """The schema of a frame; the metadata has the units and the schema version."""
    return schema_of(fields(shape, vocabulary), shape)


def schema_of(columns: Sequence[Field], shape: Shape) -> pa.Schema:
    """The schema of a frame with only these columns."""
    return pa.schema(
        [_arrow_field(field) for field in columns],
        metadata={
            "mdbench.schema_version": SCHEMA_VERSION,
            "mdbench.shape": shape.value,
            "pandas": _pandas_metadata(columns),
        },
    )


def _arrow_field(field: Field) -> pa.Field:
    return pa.field(
        field.name, _KINDS[field.kind].arrow, metadata={"unit": field.unit} if field.unit else None
    )


def _pandas_metadata(columns: Iterable[Field]) -> str:
    """The types of the columns in the format that pandas documents for Parquet files."""
    described = [
        {
            "name": field.name,
            "field_name": field.name,
            "pandas_type": _KINDS[field.kind].pandas,
            "numpy_type": _KINDS[field.kind].dtype,
            "metadata": None,
        }
        for field in columns
    ]
    return json.dumps({"index_columns": [], "column_indexes": [], "columns": described})


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


def make_frame(table: pa.Table) -> pd.DataFrame:
    """The frame as a DataFrame; `attrs["units"]` has the units of its columns."""
    import pandas as pd  # noqa: PLC0415 - files are written without it

    import mdbench.frames.accessor  # noqa: F401, PLC0415 - gives frames `bench`

    frame: pd.DataFrame = table.to_pandas(maps_as_pydicts="strict")
    for field in table.schema:
        if pa.types.is_list(field.type):
            # As lists, not as the arrays that pyarrow makes of them: those have no truth value.
            frame[field.name] = pd.Series(table[field.name].to_pylist(), dtype=object)
    frame.attrs["units"] = {
        field.name: field.metadata[b"unit"].decode() for field in table.schema if field.metadata
    }
    return frame


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
