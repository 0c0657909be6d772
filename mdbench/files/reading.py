"""Files to tidy rows, one by one or by several processes at once, in the order of the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mdbench.errors import decodable
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.limits import most_bytes, tell_too_large
from mdbench.files.workers import map_files
from mdbench.lint.checker import check_review
from mdbench.rules.context import Review
from mdbench.sheets.report import Workbook, read_workbook
from mdbench.source import Source, SourceError

# Loaded only where rows are made.
if TYPE_CHECKING:
    from mdbench.frames.tidy import Shape, TidyRow
    from mdbench.rules.findings import Marks

_Made = TypeVar("_Made")


class FileRows(NamedTuple):
    """What came of one file: its rows, or why it could not be read."""

    name: str
    rows: list[TidyRow]
    error: str = ""


def read_source(path: str, stdin_name: str = "<stdin>") -> Source:
    """Read one file, `-` for standard input; `SourceError` says why it cannot be read."""
    return Source.from_bytes(report_name(path, stdin_name), read_bytes(path))


def read_bytes(path: str) -> bytes:
    """What one file holds, text or not, `-` for standard input; or `SourceError`."""
    most = most_bytes()
    try:
        if path == STANDARD_INPUT:
            data = _read_standard_input(most + 1)
        else:
            with open(path, "rb") as file:
                # Not by its size: a file may grow while it is read, and a device has none.
                data = file.read(most + 1)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > most:
        raise SourceError(tell_too_large(most))
    return data


def report_name(path: str, stdin_name: str) -> str:
    """What a file is called in frames and messages."""
    return decodable(stdin_name if path == STANDARD_INPUT else path)


def read_report(path: str, make: Callable[[Workbook], _Made], stdin_name: str = "<stdin>") -> _Made:
    """What `make` makes of one file; `SourceError` says why that cannot be done."""
    return understand(read_source(path, stdin_name), make)


def understand(source: Source, make: Callable[[Workbook], _Made]) -> _Made:
    """What `make` makes of a report; `SourceError` where that brings out a bug."""
    try:
        return make(read_workbook(source))
    except Exception as error:
        # What nobody has foreseen in one file must not stop the others.
        raise SourceError(f"cannot be understood, a bug of mdbench: {_place(error)}") from error


def read_rows(path: str, shape: Shape, stdin_name: str = "<stdin>") -> list[TidyRow]:
    """The tidy rows of one file."""
    from mdbench.frames.tidy import tidy_rows  # noqa: PLC0415

    return read_report(
        path, lambda workbook: list(tidy_rows(workbook, shape, judge(workbook))), stdin_name
    )


def judge(workbook: Workbook) -> Marks:
    """Check a report, for what its cells should carry of it."""
    from mdbench.rules.findings import mark_cells  # noqa: PLC0415

    review = Review(workbook)
    return mark_cells(check_review(review), review.diagnosis.verified)


def read_files(
    paths: Sequence[str], shape: Shape, *, jobs: int, stdin_name: str
) -> Iterator[FileRows]:
    """The rows of many files, in their order; however many there are, few wait in memory."""
    # Standard input can be read here only.
    jobs = 1 if STANDARD_INPUT in paths else jobs
    return map_files(partial(_read_file, shape=shape, stdin_name=stdin_name), paths, jobs=jobs)


def default_jobs() -> int:
    """As many processes as this one may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_standard_input(most: int) -> bytes:
    # Python has no standard input if it was started with a closed one.
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read(most)


def _read_file(path: str, shape: Shape, stdin_name: str) -> FileRows:
    name = report_name(path, stdin_name)
    try:
        return FileRows(name, read_rows(path, shape, stdin_name))
    except SourceError as error:
        return FileRows(name, [], str(error))


def _place(error: Exception) -> str:
    """What went wrong and where in the code: what a bug report needs, in one line."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}: " if at else ""
    return f"{where}{type(error).__name__}: {error}"
