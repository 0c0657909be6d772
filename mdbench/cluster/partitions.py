"""Make a partition in a worker: read its files, write their rows, and mark it as done."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pyarrow as pa

from mdbench import __version__
from mdbench.cluster.counts import Counts
from mdbench.cluster.file_rows import FoundFile, InputError, Made, make_rows, read_entries
from mdbench.cluster.isolation import make_rows_apart
from mdbench.cluster.job import Job
from mdbench.cluster.schemas import FILES, schema
from mdbench.cluster.slices import Piece
from mdbench.cluster.store import Store
from mdbench.files.errors import ProblemError
from mdbench.frames.frame_columns import TidyRow
from mdbench.frames.pandas import to_batch, write_table
from mdbench.vocabulary.quantities import extended_vocabulary


class PieceResult(NamedTuple):
    """The result for a piece: its counts, or an error."""

    number: int
    counts: Counts | None = None
    problem: str = ""
    is_fatal: bool = False
    """Whether the other pieces would fail too."""


def make_part(piece: Piece, job: Job, output: str, partitions: int, *, apart: bool) -> PieceResult:
    """Make and write a partition; `apart` if one of its files may crash the process."""
    if job.version != __version__:
        message = f"a worker has mdbench {__version__}, not {job.version}; install the same there"
        return PieceResult(piece.number, problem=message, is_fatal=True)
    try:
        rows, files, counts = _make(piece, job, apart=apart)
        store = Store.open(output, partitions)
        store.commit(piece.number, piece.key(job.fingerprint), rows, files, counts)
    except InputError as error:
        return PieceResult(piece.number, problem=str(error))
    except ProblemError as error:
        return PieceResult(piece.number, problem=str(error), is_fatal=True)
    return PieceResult(piece.number, counts)


def _make(piece: Piece, job: Job, *, apart: bool) -> tuple[bytes, bytes, Counts]:
    entries = read_entries(piece, job)
    columns = schema(job.table, extended_vocabulary(job.extensions))
    counts = Counts()
    batches: list[pa.RecordBatch] = []
    files: list[TidyRow] = []
    for entry, made in make_rows_apart(entries, job) if apart else _make_here(entries, job):
        try:
            batches += [to_batch(made.rows, columns)] if made.rows else []
            rows, error, severities = made
        except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as reason:
            rows, error, severities = (), f"cannot be stored, a bug in mdbench: {reason}", ()
        files.append(
            {"path": entry.name, "bytes": entry.size, "rows": len(rows), "error": error or None}
        )
        counts.add(Counts(1, entry.size or 0, len(rows), bool(error), Counter(severities)))
    table = pa.Table.from_batches(batches, schema=columns).combine_chunks()
    return _to_parquet(table), _to_parquet(pa.Table.from_batches([to_batch(files, FILES)])), counts


def _make_here(entries: Iterable[FoundFile], job: Job) -> Iterator[tuple[FoundFile, Made]]:
    return ((entry, make_rows(entry, job)) for entry in entries)


def _to_parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    write_table(table, sink)
    return sink.getvalue()
