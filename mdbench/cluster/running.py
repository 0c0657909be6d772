"""A run from its task to its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mdbench.cluster import Task
from mdbench.cluster.dask_workers import open_cluster, run_pieces
from mdbench.cluster.file_rows import InputError
from mdbench.cluster.input_files import find_place
from mdbench.cluster.job import FINDINGS, Job
from mdbench.cluster.partitions import make_part
from mdbench.cluster.pieces import Piece, plan_pieces
from mdbench.cluster.store import Counts, Store
from mdbench.files.errors import COULD_NOT_RUN, OK, ProblemError, report_error
from mdbench.files.workers import default_jobs
from mdbench.rules.findings import Severity

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_FOUND = 1
# If this many fail before the first success, the others will fail too.
_MOST_FAILED = 10
# Only the process that wrote the files can see them.
_PRIVATE = "memory://"


def run(task: Task, output: str, settings: Settings) -> int:
    """Make every missing partition; 2 if some could not be made, else as the command.

    A file that cannot be read is an error in its row, not of the run.
    """
    place = find_place(output)
    job, pieces = plan_pieces(task, settings, place)
    store = Store(place, output, len(pieces))
    there = store.prepare(job, [piece.key(job.fingerprint) for piece in pieces])
    waiting = [piece for piece in pieces if piece.number not in there]
    task.console.log_step(f"{len(pieces)} partitions, of which {len(there)} exist")
    counts = Counts()
    for reused in there.values():
        counts.update(reused)
    made = failed = 0
    for piece, result in _work(waiting, job, store, task):
        if isinstance(result, Counter):
            task.console.log_step(f"partition {piece.number}: {piece.files} files")
            made += 1
            counts.update(result)
            continue
        if isinstance(result, ProblemError):
            raise result
        failed += 1
        known = isinstance(result, InputError)
        kind = "" if known else f"partition {piece.number}: {type(result).__name__}: "
        report_error(f"{kind}{result}")
        if failed >= _MOST_FAILED and not made:
            raise ProblemError(f"the first {failed} partitions could not be made; stopped")
    if not failed:
        store.write_manifest(job, {"complete": True, **counts})
    if not task.console.quiet:
        parts = f"{made} made, {len(there)} reused" + (f", {failed} not made" if failed else "")
        total = f"{_count(len(pieces), 'partition')} in {output}: {parts}"
        task.console.print("\n".join((*_summarize(counts, job.table, output), total, "")))
    return COULD_NOT_RUN if failed else _exit_code(counts, settings)


def _exit_code(counts: Counts, settings: Settings) -> int:
    lowest = settings.threshold
    reached = (one for one in Severity if lowest is not None and one.rank >= lowest.rank)
    return _FOUND if any(counts[one] for one in reached) else OK


def _work(
    pieces: Sequence[Piece], job: Job, store: Store, task: Task
) -> Iterator[tuple[Piece, Counts | Exception]]:
    if not pieces:
        return
    sources = (one.source.address for piece in pieces for one in piece.slices)
    addresses = (store.place.address, *sources)
    private = next((one for one in addresses if one.startswith(_PRIVATE)), None)
    if private is not None and task.options.scheduler is not None:
        raise ProblemError(f"{private}: is in this process only; --scheduler cannot reach it")
    # More workers than there are pieces would only have to be started.
    jobs = min(task.jobs or default_jobs(), len(pieces))
    work = partial(make_part, job=job, store=store)
    with open_cluster(task.options.scheduler, jobs, processes=private is None) as client:
        results = run_pieces(client, work, pieces)
        what = "checking" if job.table == FINDINGS else "reading"
        total = sum(piece.files for piece in pieces)
        yield from task.console.track(results, total, what, size=lambda one: one[0].files)


def _summarize(counts: Counts, table: str, output: str) -> Iterator[str]:
    rows = _count(counts["rows"], "finding" if table == FINDINGS else "row")
    found = ", ".join(_count(counts[one], one) for one in Severity if counts[one])
    yield f"{_count(counts['files'], 'file')}, {rows}" + (f" ({found})" if found else "")
    if counts["errors"]:
        files = f"{output.rstrip('/')}/_files"
        yield f"{_count(counts['errors'], 'error')}: see the column `error` of {files}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
