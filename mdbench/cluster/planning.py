"""Turn the command line into a job and the pieces of its input."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from mdbench.cluster.addresses import Found, Place
from mdbench.cluster.arguments import PARTITION_SIZE
from mdbench.cluster.dataset_columns import check_columns, choose_columns
from mdbench.cluster.datasets import Footer, read_footer
from mdbench.cluster.input_files import is_dataset, list_inputs
from mdbench.cluster.job import Job, OutputTable
from mdbench.cluster.sizes import Size, read_amount
from mdbench.cluster.slices import Piece, Slice, cut_dataset, pack, take_report
from mdbench.errors import ProblemError, report_problem

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_AT_ONCE = 16
# Options that only make sense for showing findings or changing files.
_NOT_FOR_LINT = ("fix", "unsafe_fixes", "diff", "statistics", "baseline", "write_baseline")


def make_job(arguments: argparse.Namespace, settings: Settings) -> Job:
    """The requested job; raise `ProblemError` if an option is not supported on a cluster."""
    _refuse(arguments)
    limit = settings.most_bytes
    if arguments.command == "normalize":
        return Job(OutputTable(arguments.shape), limit, settings.extensions)
    if settings.baseline is not None and not arguments.no_baseline:
        report_problem(f"{settings.baseline}: a baseline is not used with --engine dask")
    return Job(
        OutputTable.FINDINGS,
        limit,
        settings.extensions,
        settings.selection,
        settings.per_file,
        os.getcwd(),
    )


def _refuse(arguments: argparse.Namespace) -> None:
    if arguments.output is None:
        raise ProblemError("--engine dask needs -o FOLDER, the folder for parquet files")
    for name in _NOT_FOR_LINT:
        if getattr(arguments, name, None):
            raise ProblemError(f"--{name.replace('_', '-')} cannot be used with --engine dask")
    if arguments.format not in (None, "full", "parquet"):
        raise ProblemError(f"--engine dask writes parquet, not --format {arguments.format}")


def plan_pieces(
    arguments: argparse.Namespace, settings: Settings, job: Job, output: Place
) -> tuple[Job, list[Piece]]:
    """The pieces of the input, and the job with the columns of its datasets."""
    found = list_inputs(arguments.paths, settings, output)
    if job.table is OutputTable.FINDINGS and not any(map(is_dataset, found)):
        # Like `lint`.
        found.sort(key=lambda one: one.name)
    datasets = [one for one in found if is_dataset(one)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        footers = list(pool.map(lambda one: read_footer(one.address, one.name), datasets))
    if datasets:
        job = _choose(arguments, job, datasets, footers)
    size = arguments.partition_size or read_amount(PARTITION_SIZE)
    known = dict(zip(datasets, footers, strict=True))
    return job, list(pack(_slices(found, known, job, size), size))


def _choose(
    arguments: argparse.Namespace, job: Job, datasets: Sequence[Found], footers: Sequence[Footer]
) -> Job:
    asked = arguments.path_column, arguments.content_column
    columns = choose_columns(footers[0].schema, *asked, datasets[0].name)
    for found, footer in zip(datasets, footers, strict=True):
        check_columns(footer.schema, columns, found.name)
    return job._replace(columns=columns)


def _slices(
    found: Sequence[Found], footers: dict[Found, Footer], job: Job, size: Size
) -> Iterator[Slice]:
    for one in found:
        if one in footers and job.columns is not None:
            yield from cut_dataset(one, footers[one].measure(job.columns.content), size)
        else:
            yield take_report(one)
