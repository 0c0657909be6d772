"""Make a partition in a worker: read its files, write their rows, and mark it as done."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pyarrow as pa

from mdbench import __version__
from mdbench.cluster.file_rows import make_rows, read_entries
from mdbench.cluster.isolation import make_rows_apart
from mdbench.cluster.job import FINDINGS, Job
from mdbench.cluster.pieces import Piece
from mdbench.cluster.store import Counts, Store
from mdbench.files.errors import ProblemError
from mdbench.frames import pandas as frames
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.vocabulary.quantities import extended_vocabulary

_COLUMNS = {
    "files": ((pa.string(), "path"), (pa.int64(), "bytes rows"), (pa.string(), "error")),
    FINDINGS: (
        (pa.string(), "path"),
        (pa.int64(), "line column end_line end_column"),
        (pa.string(), "code name severity"),
        (pa.float64(), "confidence"),
        (pa.string(), "message evidence fixes"),
    ),
}


def make_part(piece: Piece, job: Job, store: Store, *, apart: bool) -> Counts:
    """Make and write a partition; `apart` if one of its files may crash the process."""
    if job.version != __version__:
        raise ProblemError(
            f"a worker has mdbench {__version__}, not {job.version}; install the same there"
        )
    columns = _schema(job)
    counts = Counts()
    batches: list[pa.RecordBatch] = []
    files: list[TidyRow] = []
    entries = read_entries(piece, job)
    made_here = ((one, make_rows(one, job)) for one in entries)
    for entry, (rows, error) in make_rows_apart(list(entries), job) if apart else made_here:
        try:
            batches += [frames.to_batch(rows, columns)] if rows else []
        except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as reason:
            rows, error = (), f"cannot be stored, a bug in mdbench: {reason}"  # noqa: PLW2901
        size = entry.size or 0
        files.append(
            {"path": entry.name, "bytes": entry.size, "rows": len(rows), "error": error or None}
        )
        counts.update({"files": 1, "bytes": size, "rows": len(rows), "errors": bool(error)})
        if job.table == FINDINGS:
            counts.update(str(row["severity"]) for row in rows)
    listed = frames.to_batch(files, _schema(job._replace(table="files")))
    written = [_to_parquet(batches, columns), _to_parquet([listed], listed.schema)]
    store.commit(piece.number, piece.key(job.fingerprint), written, counts)
    return counts


def _schema(job: Job) -> pa.Schema:
    """The columns of a table: a frame of `normalize`, findings, or files."""
    if job.table not in _COLUMNS:
        return frames.schema(Shape(job.table), extended_vocabulary(job.plan.extensions))
    return pa.schema(
        [(name, kind) for kind, names in _COLUMNS[job.table] for name in names.split()],
        {"mdbench.schema_version": frames.SCHEMA_VERSION, "mdbench.table": job.table},
    )


def _to_parquet(batches: Sequence[pa.RecordBatch], columns: pa.Schema) -> bytes:
    sink = io.BytesIO()
    frames.write_table(pa.Table.from_batches(batches, columns).combine_chunks(), sink)
    return sink.getvalue()
