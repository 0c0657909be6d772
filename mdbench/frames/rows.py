"""Reports as tidy rows of plain values for the `runs` and `cells` frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.reading import report_name
from mdbench.files.workers import map_files
from mdbench.frames.cells import cell_rows
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.runs import run_rows
from mdbench.linting.checker import check_context
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.rules.context import Context
from mdbench.rules.findings import UNMARKED, Marks, mark_cells
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import STANDARD, Reading, read_file
from mdbench.source import SourceError


class FileRows(NamedTuple):
    """The rows of one file, or the reason why it could not be read."""

    name: str
    rows: list[TidyRow]
    error: str = ""


def tidy_rows(report: Report, shape: Shape, marks: Marks = UNMARKED) -> Iterator[TidyRow]:
    """The rows of a report in a frame, with the given findings."""
    make = run_rows if shape is Shape.RUNS else cell_rows
    return make(report, marks)


def judged_rows(report: Report, shape: Shape) -> list[TidyRow]:
    """Check a report, and return its rows in a frame with the findings."""
    context = Context(report)
    diagnosis = context.diagnosis
    marks = mark_cells(check_context(context, WITHOUT_RESULTS), diagnosis.verified)
    if shape is Shape.CELLS:
        marks = marks._replace(ends=diagnosis.verified_ends)
    return list(tidy_rows(report, shape, marks))


def read_rows(path: str, shape: Shape, reading: Reading = STANDARD) -> list[TidyRow]:
    """The tidy rows of one file."""
    return read_file(path, partial(judged_rows, shape=shape), reading)


def read_files(
    paths: Sequence[str], shape: Shape, reading: Reading, *, jobs: int
) -> Iterator[FileRows]:
    """The rows of many files, in order; only a few files are in memory at a time."""
    # Standard input can only be read in this process.
    jobs = 1 if STANDARD_INPUT in paths else jobs
    return map_files(partial(_read_file, shape=shape, reading=reading), paths, jobs=jobs)


def _read_file(path: str, shape: Shape, reading: Reading) -> FileRows:
    name = report_name(path, reading.stdin_name)
    try:
        return FileRows(name, read_rows(path, shape, reading))
    except SourceError as error:
        return FileRows(name, [], str(error))
