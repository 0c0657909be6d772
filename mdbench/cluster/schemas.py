"""The schemas of the output: the frames of `normalize`, findings, and files."""

from __future__ import annotations

import pyarrow as pa

from mdbench.cluster.job import OutputTable
from mdbench.frames import pandas as frames
from mdbench.frames.frame_columns import Shape
from mdbench.vocabulary.quantities import Vocabulary

SCHEMA_VERSION = "1"


def _make_schema(table: str, columns: dict[str, pa.DataType]) -> pa.Schema:
    metadata = {"mdbench.schema_version": SCHEMA_VERSION, "mdbench.table": table}
    return pa.schema(list(columns.items()), metadata=metadata)


FINDINGS = _make_schema(
    "findings",
    {
        "path": pa.string(),
        "line": pa.int64(),
        "column": pa.int64(),
        "end_line": pa.int64(),
        "end_column": pa.int64(),
        "code": pa.string(),
        "name": pa.string(),
        "severity": pa.string(),
        "confidence": pa.float64(),
        "message": pa.string(),
        "evidence": pa.string(),
        "fixes": pa.string(),
    },
)
FILES = _make_schema(
    "files",
    {"path": pa.string(), "bytes": pa.int64(), "rows": pa.int64(), "error": pa.string()},
)


def schema(table: OutputTable, vocabulary: Vocabulary) -> pa.Schema:
    """The columns of a table."""
    return (
        FINDINGS if table is OutputTable.FINDINGS else frames.schema(Shape(table.value), vocabulary)
    )
