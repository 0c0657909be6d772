"""Reports as tidy rows of plain values: what the `runs` and `cells` frames hold."""

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
from mdbench.rules.context import Context
from mdbench.rules.findings import UNMARKED, Marks, mark_cells
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import STANDARD, Reading, read_file
from mdbench.source import SourceError


class FileRows(NamedTuple):
    """What came of one file: its rows, or why it could not be read."""

    name: str
    rows: list[TidyRow]
    error: str = ""


def tidy_rows(report: Report, shape: Shape, marks: Marks = UNMARKED) -> Iterator[TidyRow]:
    """The rows of a report in one of the frames, with what a check marked in it."""
    make = run_rows if shape is Shape.RUNS else cell_rows
    return make(report, marks)


def judged_rows(report: Report, shape: Shape) -> list[TidyRow]:
    """The rows of a report in one of the frames, with what a check finds in it."""
    context = Context(report)
    marks = mark_cells(check_context(context), context.diagnosis.verified)
    return list(tidy_rows(report, shape, marks))


def read_rows(path: str, shape: Shape, reading: Reading = STANDARD) -> list[TidyRow]:
    """The tidy rows of one file."""
    return read_file(path, partial(judged_rows, shape=shape), reading)


def read_files(
    paths: Sequence[str], shape: Shape, reading: Reading, *, jobs: int
) -> Iterator[FileRows]:
    """The rows of many files, in their order; however many there are, few wait in memory."""
    # Standard input can be read here only.
    jobs = 1 if STANDARD_INPUT in paths else jobs
    return map_files(partial(_read_file, shape=shape, reading=reading), paths, jobs=jobs)


def _read_file(path: str, shape: Shape, reading: Reading) -> FileRows:
    name = report_name(path, reading.stdin_name)
    try:
        return FileRows(name, read_rows(path, shape, reading))
    except SourceError as error:
        return FileRows(name, [], str(error))
