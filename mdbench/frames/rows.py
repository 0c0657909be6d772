"""Reports as tidy rows of plain values for the `runs` and `cells` frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.reading import read_source, report_name
from mdbench.files.timeouts import run_within
from mdbench.files.workers import map_files
from mdbench.frames.cells import cell_rows
from mdbench.frames.frame_columns import Shape, TidyRow, fields
from mdbench.frames.runs import run_rows
from mdbench.linting.checker import check_context
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.markdown.long_tables import split_long_tables
from mdbench.rules.context import Context
from mdbench.rules.findings import UNMARKED, Marks, mark_cells
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import STANDARD, Reading, guard, understand
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import Vocabulary


class FileRows(NamedTuple):
    """The rows of one file, or the reason why it could not be read."""

    name: str
    rows: list[TidyRow]
    error: str = ""


def tidy_rows(report: Report, shape: Shape, marks: Marks = UNMARKED) -> Iterator[TidyRow]:
    """The rows of a report in a frame, with the given findings."""
    if shape is Shape.CELLS:
        return cell_rows(report, marks)
    blank: TidyRow = dict.fromkeys(field.name for field in fields(shape, report.vocabulary))
    return ({**blank, **row} for row in run_rows(report, marks))


def judged_rows(report: Report, shape: Shape) -> list[TidyRow]:
    """Check a report, and return its rows in a frame with the findings; runs have no blanks."""
    marks = _mark(report, shape)
    return list(run_rows(report, marks) if shape is Shape.RUNS else cell_rows(report, marks))


def _mark(report: Report, shape: Shape) -> Marks:
    context = Context(report)
    diagnosis = context.diagnosis
    marks = mark_cells(check_context(context, WITHOUT_RESULTS), diagnosis.verified)
    return marks if shape is Shape.RUNS else marks._replace(ends=diagnosis.verified_ends)


def read_rows(path: str, shape: Shape, reading: Reading = STANDARD) -> list[TidyRow]:
    """The tidy rows of one file."""
    reading = reading.for_file(path)
    source = read_source(path, reading.stdin_name, reading.most_bytes)
    return run_within(reading.most_seconds, partial(source_rows, source, shape, reading.vocabulary))


def source_rows(source: Source, shape: Shape, vocabulary: Vocabulary) -> list[TidyRow]:
    """The tidy rows of a text; `SourceError` if that brings out a bug."""
    make = partial(judged_rows, shape=shape)
    parts = split_long_tables(source)
    if not parts:
        return understand(source, make, vocabulary)
    from mdbench.frames.long_reports import part_rows  # noqa: PLC0415 - very rare

    return guard(lambda: list(part_rows(source, parts, make, vocabulary)))


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
