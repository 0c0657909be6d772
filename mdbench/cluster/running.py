"""A run from the command line to its exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mdbench.cluster.addresses import find_place, is_private
from mdbench.cluster.dask_workers import open_cluster, run_pieces
from mdbench.cluster.job import Job, OutputTable
from mdbench.cluster.meter import show_meter
from mdbench.cluster.partitions import PieceResult, make_part
from mdbench.cluster.planning import make_job, plan_pieces
from mdbench.cluster.run_summary import Summary
from mdbench.cluster.slices import Piece
from mdbench.cluster.store import Store
from mdbench.errors import COULD_NOT_RUN, OK, ProblemError, report_problem
from mdbench.files.notices import is_quiet, tell_step
from mdbench.files.workers import default_jobs
from mdbench.rules.findings import Severity

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_FOUND = 1
# If this many fail before the first success, the others will fail too.
_MOST_FAILED = 10


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Make all missing partitions; return 2 if some failed, else the exit code of the command.

    An unreadable file is reported in its row, and does not fail the run.
    """
    job = make_job(arguments, settings)
    job, pieces = plan_pieces(arguments, settings, job, find_place(arguments.output))
    store = Store.open(arguments.output, len(pieces))
    there = store.prepare(job, [piece.key(job.fingerprint) for piece in pieces])
    waiting = [piece for piece in pieces if piece.number not in there]
    tell_step(f"{len(pieces)} partitions, {len(there)} of them already done")
    summary = Summary(job.table, arguments.output)
    for counts in there.values():
        summary.reuse(counts)
    for outcome in _work(waiting, job, store, arguments):
        _take(outcome, summary)
    if not summary.failed:
        store.write_manifest(job, complete=True, counts=summary.counts)
    if not is_quiet() and sys.stderr is not None:
        sys.stderr.writelines(f"{line}\n" for line in summary.lines())
    if summary.failed:
        return COULD_NOT_RUN
    found = job.table is OutputTable.FINDINGS and summary.counts.reaches(
        Severity(settings["fail-on"])
    )
    return _FOUND if found else OK


def _work(
    pieces: Sequence[Piece], job: Job, store: Store, arguments: argparse.Namespace
) -> Iterator[PieceResult]:
    if not pieces:
        return
    sources = (one.source.address for piece in pieces for one in piece.slices)
    private = next(filter(is_private, (store.place.address, *sources)), None)
    if private is not None and arguments.scheduler is not None:
        raise ProblemError(f"{private}: exists in this process only; --scheduler cannot reach it")
    # There is no use for more workers than pieces.
    jobs = min(arguments.jobs or default_jobs(), len(pieces))
    work = partial(make_part, job=job, output=store.place.address, partitions=store.partitions)
    with open_cluster(arguments.scheduler, jobs, processes=private is None) as client:
        outcomes = run_pieces(client, work, pieces)
        what = "checking" if job.table is OutputTable.FINDINGS else "reading"
        yield from show_meter(outcomes, sum(piece.files for piece in pieces), what)


def _take(outcome: PieceResult, summary: Summary) -> None:
    if outcome.counts is not None:
        tell_step(f"partition {outcome.number}: {outcome.counts.files} files")
        summary.make(outcome.counts)
        return
    if outcome.is_fatal:
        raise ProblemError(outcome.problem)
    report_problem(outcome.problem)
    summary.failed += 1
    if summary.failed >= _MOST_FAILED and not summary.made:
        raise ProblemError(f"the first {summary.failed} partitions could not be made; stopped")
