"""Make a partition in a worker: read its files, write their rows, and mark it as done."""

from __future__ import annotations

import io
from collections import Counter

import pyarrow as pa

from mdbench import __version__
from mdbench.cluster.file_rows import make_rows, read_entries
from mdbench.cluster.isolation import make_rows_apart
from mdbench.cluster.job import FINDINGS, Job
from mdbench.cluster.pieces import Piece
from mdbench.cluster.schemas import FILES, schema
from mdbench.cluster.store import Counts, Store
from mdbench.files.errors import ProblemError
from mdbench.frames.frame_columns import TidyRow
from mdbench.frames.pandas import to_batch, write_table
from mdbench.vocabulary.quantities import extended_vocabulary


def make_part(piece: Piece, job: Job, output: str, partitions: int, *, apart: bool) -> Counts:
    """Make and write a partition; `apart` if one of its files may crash the process."""
    if job.version != __version__:
        raise ProblemError(
            f"a worker has mdbench {__version__}, not {job.version}; install the same there"
        )
    entries = read_entries(piece, job)
    columns = schema(job.table, extended_vocabulary(job.extensions))
    counts: Counts = Counter()
    batches: list[pa.RecordBatch] = []
    files: list[TidyRow] = []
    made_here = ((one, make_rows(one, job)) for one in entries)
    for entry, made in make_rows_apart(entries, job) if apart else made_here:
        rows, error = made
        try:
            batches += [to_batch(rows, columns)] if rows else []
        except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as reason:
            rows, error = (), f"cannot be stored, a bug in mdbench: {reason}"
        files.append(
            {"path": entry.name, "bytes": entry.size, "rows": len(rows), "error": error or None}
        )
        size = entry.size or 0
        counts.update({"files": 1, "bytes": size, "rows": len(rows), "errors": bool(error)})
        if job.table == FINDINGS:
            counts.update(str(row["severity"]) for row in rows)
    table = pa.Table.from_batches(batches, schema=columns).combine_chunks()
    written = _to_parquet(table), _to_parquet(pa.Table.from_batches([to_batch(files, FILES)]))
    store = Store.open(output, partitions)
    store.commit(piece.number, piece.key(job.fingerprint), written, counts)
    return counts


def _to_parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    write_table(table, sink)
    return sink.getvalue()
