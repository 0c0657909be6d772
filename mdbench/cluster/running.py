"""A run from its task to its exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mdbench.cluster import Task
from mdbench.cluster.addresses import find_place, is_private
from mdbench.cluster.dask_workers import open_cluster, run_pieces
from mdbench.cluster.job import Job, OutputTable
from mdbench.cluster.partitions import PieceResult, make_part
from mdbench.cluster.planning import make_job, plan_pieces
from mdbench.cluster.run_summary import Summary
from mdbench.cluster.slices import Piece
from mdbench.cluster.store import Store
from mdbench.files.console import Console
from mdbench.files.errors import COULD_NOT_RUN, OK, ProblemError, report_error
from mdbench.files.workers import default_jobs

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_FOUND = 1
# If this many fail before the first success, the others will fail too.
_MOST_FAILED = 10


def run(task: Task, output: str, settings: Settings) -> int:
    """Make every missing partition; 2 if some could not be made, else as the command.

    A file that cannot be read is an error in its row, not of the run.
    """
    job = make_job(task, settings)
    job, pieces = plan_pieces(task, settings, job, find_place(output))
    store = Store.open(output, len(pieces))
    there = store.prepare(job, [piece.key(job.fingerprint) for piece in pieces])
    waiting = [piece for piece in pieces if piece.number not in there]
    task.console.log_step(f"{len(pieces)} partitions, of which {len(there)} exist")
    summary = Summary(job.table, output)
    for counts in there.values():
        summary.reuse(counts)
    for outcome in _work(waiting, job, store, task):
        _take(outcome, summary, task.console)
    if not summary.failed:
        store.write_manifest(job, complete=True, counts=summary.counts)
    if not task.console.quiet:
        task.console.print("".join(f"{line}\n" for line in summary.lines()))
    if summary.failed:
        return COULD_NOT_RUN
    lowest = settings.threshold
    if job.table is not OutputTable.FINDINGS or lowest is None:
        return OK
    return _FOUND if summary.counts.reaches(lowest) else OK


def _work(pieces: Sequence[Piece], job: Job, store: Store, task: Task) -> Iterator[PieceResult]:
    if not pieces:
        return
    sources = (one.source.address for piece in pieces for one in piece.slices)
    private = next(filter(is_private, (store.place.address, *sources)), None)
    if private is not None and task.options.scheduler is not None:
        raise ProblemError(f"{private}: is in this process only; --scheduler cannot reach it")
    # More workers than there are pieces would only have to be started.
    jobs = min(task.jobs or default_jobs(), len(pieces))
    work = partial(make_part, job=job, output=store.place.address, partitions=store.partitions)
    with open_cluster(task.options.scheduler, jobs, processes=private is None) as client:
        outcomes = run_pieces(client, work, pieces)
        what = "checking" if job.table is OutputTable.FINDINGS else "reading"
        total = sum(piece.files for piece in pieces)
        yield from task.console.track(outcomes, total, what, size=_count_files)


def _count_files(outcome: PieceResult) -> int:
    return 0 if outcome.counts is None else outcome.counts.files


def _take(outcome: PieceResult, summary: Summary, console: Console) -> None:
    if outcome.counts is not None:
        console.log_step(f"partition {outcome.number}: {outcome.counts.files} files")
        summary.make(outcome.counts)
        return
    if outcome.is_fatal:
        raise ProblemError(outcome.problem)
    report_error(outcome.problem)
    summary.failed += 1
    if summary.failed >= _MOST_FAILED and not summary.made:
        raise ProblemError(f"the first {summary.failed} partitions could not be made; stopped")
