"""What the commands that write tables share: reading rows, and choosing a format."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.files.console import Console
from mdbench.files.errors import Errors, ProblemError, printable
from mdbench.files.workers import default_jobs
from mdbench.files.writing import on_terminal
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import read_files
from mdbench.sheets.report_files import Reading

BINARY = frozenset(("parquet", "arrow"))


def choose_format(
    asked: str | None, output: str | None, by_suffix: Mapping[str, str], default: str
) -> str:
    """The format that was asked for, or that the name of the output file implies."""
    suffix = os.path.splitext(output)[1].lower() if output else default
    chosen = asked or by_suffix.get(suffix)
    if chosen is None:
        known = ", ".join(sorted(by_suffix))
        raise ProblemError(f"{output}: no format has the suffix {suffix!r} ({known}); use --format")
    if chosen in BINARY and on_terminal(output):
        raise ProblemError(
            f"{chosen} is binary and this is a terminal; use -o FILE, or --format table"
        )
    return chosen


def terminal_width(output: str | None) -> int | None:
    """The width of the terminal; None for a file or a pipe, which get everything."""
    from shutil import get_terminal_size  # noqa: PLC0415 - needed for tables only

    return get_terminal_size().columns if on_terminal(output) else None


class CountedRows:
    """Rows that are counted while they are written."""

    def __init__(self, rows: Iterator[TidyRow]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[TidyRow]:
        for row in self._rows:
            self.count += 1
            yield row


def say_written(output: str | None, rows: int, console: Console) -> None:
    """Tell the person at a terminal how much was written to a file."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    if output is not None and watched and not console.quiet:
        console.print(f"{printable(output)}: {rows} {'row' if rows == 1 else 'rows'} written\n")


class RowReader(NamedTuple):
    """Reads the rows of reports; a file that cannot be read is reported."""

    paths: Sequence[str]
    reading: Reading
    jobs: int | None
    errors: Errors
    console: Console

    def read(self, shape: Shape) -> Iterator[TidyRow]:
        """The rows of all reports in one of the frames."""
        files = read_files(self.paths, shape, self.reading, jobs=self.jobs or default_jobs())
        for name, rows, error in self.console.track(files, len(self.paths), "reading"):
            if error:
                self.errors.report(f"{name}: {error}")
            yield from rows
