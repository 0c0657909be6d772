"""Split the input into pieces, one for each partition."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from mdbench.cluster import PARTITION_SIZE, Size, Task, read_amount
from mdbench.cluster.datasets import Opened, choose_columns, open_datasets
from mdbench.cluster.input_files import Found, Place, list_inputs
from mdbench.cluster.job import FINDINGS, Job, digest
from mdbench.linting.plan import Plan

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

# The assumed size of a report if it is unknown.
_TYPICAL = 10_000


class Slice(NamedTuple):
    """A report, or some rows of a row group of a dataset."""

    source: Found
    weight: int
    group: int = 0
    rows: range = range(1)
    before: int = 0
    """The number of rows before its row group."""


class Piece(NamedTuple):
    """The input of one partition."""

    number: int
    slices: tuple[Slice, ...]

    @property
    def files(self) -> int:
        """The number of files in it."""
        return sum(len(one.rows) for one in self.slices)

    def key(self, fingerprint: str) -> str:
        """A key for the job and the input."""
        return digest("\n".join((fingerprint, *(repr(tuple(one)) for one in self.slices))))


def plan_pieces(task: Task, settings: Settings, output: Place) -> tuple[Job, list[Piece]]:
    """What decides the result of a file, and the pieces of the input."""
    # A plain `folders`, which other processes can be sent.
    plan = Plan(
        most_bytes=settings.most_bytes,
        most_seconds=settings.most_seconds,
        extensions=settings.extensions,
        folders={},
    )
    found = list_inputs(task.paths, settings, output)
    datasets = [one for one in found if one.is_dataset]
    if task.table == FINDINGS:
        plan = plan._replace(selection=settings.selection, per_file=settings.per_file)
        if not datasets:
            # As `lint` has them.
            found.sort(key=lambda one: one.name)
    opened = open_datasets(datasets)
    columns = choose_columns(opened, task.options.path_column, task.options.content_column)
    size = task.options.partition_size or read_amount(PARTITION_SIZE)
    job = Job(task.table, plan, os.getcwd(), columns)
    return job, list(_pack(_slices(found, opened, size), size))


def _slices(found: Iterable[Found], opened: Opened, size: Size) -> Iterator[Slice]:
    """The reports, and the row groups in parts of limited size."""
    for one in found:
        if one not in opened:
            yield Slice(one, one.size or _TYPICAL)
            continue
        before = 0
        for group, row_group in enumerate(opened[one].row_groups):
            rows, weight = row_group.num_rows, row_group.total_byte_size
            parts = min(rows, size.parts(rows, weight))
            for part in range(parts):
                span = range(rows * part // parts, rows * (part + 1) // parts)
                yield Slice(one, weight * len(span) // rows, group, span, before)
            before += rows


def _pack(slices: Iterable[Slice], size: Size) -> Iterator[Piece]:
    """Put as many slices into each piece as fit, in order; no slices make one empty piece."""
    number = files = weight = 0
    packed: list[Slice] = []
    for one in slices:
        files, weight = files + len(one.rows), weight + one.weight
        if packed and size.parts(files, weight) > 1:
            yield Piece(number, tuple(packed))
            number, files, weight, packed = number + 1, len(one.rows), one.weight, []
        packed.append(one)
    if packed or number == 0:
        yield Piece(number, tuple(packed))
