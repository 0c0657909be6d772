"""The schemas of the output: the frames of `normalize`, findings, and files."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from mdbench.cluster.job import FINDINGS
from mdbench.frames import pandas as frames
from mdbench.frames.frame_columns import Shape
from mdbench.vocabulary.quantities import Vocabulary

SCHEMA_VERSION = "1"


def _make_schema(table: str, columns: Sequence[tuple[pa.DataType, str]]) -> pa.Schema:
    return pa.schema(
        [(name, kind) for kind, names in columns for name in names.split()],
        metadata={"mdbench.schema_version": SCHEMA_VERSION, "mdbench.table": table},
    )


FILES = _make_schema(
    "files",
    ((pa.string(), "path"), (pa.int64(), "bytes rows"), (pa.string(), "error")),
)
_FINDINGS = _make_schema(
    FINDINGS,
    (
        (pa.string(), "path"),
        (pa.int64(), "line column end_line end_column"),
        (pa.string(), "code name severity"),
        (pa.float64(), "confidence"),
        (pa.string(), "message evidence fixes"),
    ),
)


def schema(table: str, vocabulary: Vocabulary) -> pa.Schema:
    """The columns of a table."""
    return _FINDINGS if table == FINDINGS else frames.schema(Shape(table), vocabulary)
