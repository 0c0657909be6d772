"""From a task to a job and the pieces of its input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from mdbench.cluster import Task
from mdbench.cluster.addresses import Found, Place
from mdbench.cluster.dataset_columns import check_columns, choose_columns
from mdbench.cluster.datasets import Footer, read_footer
from mdbench.cluster.input_files import is_dataset, list_inputs
from mdbench.cluster.job import Job, OutputTable
from mdbench.cluster.sizes import PARTITION_SIZE, Size, read_amount
from mdbench.cluster.slices import Piece, Slice, cut_dataset, pack, take_report

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_AT_ONCE = 16


def make_job(task: Task, settings: Settings) -> Job:
    """What decides the result of a file."""
    table = OutputTable(task.table)
    if table is not OutputTable.FINDINGS:
        return Job(table, settings.most_bytes, settings.extensions)
    return Job(
        table,
        settings.most_bytes,
        settings.extensions,
        settings.selection,
        settings.per_file,
        os.getcwd(),
    )


def plan_pieces(task: Task, settings: Settings, job: Job, output: Place) -> tuple[Job, list[Piece]]:
    """The pieces of the input, and the job with the columns of its datasets."""
    found = list_inputs(task.paths, settings, output)
    if job.table is OutputTable.FINDINGS and not any(map(is_dataset, found)):
        # As `lint` has them.
        found.sort(key=lambda one: one.name)
    datasets = [one for one in found if is_dataset(one)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        footers = list(pool.map(lambda one: read_footer(one.address, one.name), datasets))
    if datasets:
        job = _choose(task, job, datasets, footers)
    size = task.options.partition_size or read_amount(PARTITION_SIZE)
    known = dict(zip(datasets, footers, strict=True))
    return job, list(pack(_slices(found, known, job, size), size))


def _choose(task: Task, job: Job, datasets: Sequence[Found], footers: Sequence[Footer]) -> Job:
    asked = task.options.path_column, task.options.content_column
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
