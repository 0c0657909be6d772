"""`mdbench query`: questions in SQL over all reports."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from functools import partial
from typing import IO

from mdbench.cli.inputs import list_reports
from mdbench.errors import Complaints, ProblemError
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.progress import show_progress
from mdbench.files.workers import default_jobs
from mdbench.files.writing import on_terminal, open_output
from mdbench.frames import answers
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import read_files
from mdbench.frames.sql import Answer, ask
from mdbench.output.terminal import show_lines
from mdbench.vocabulary.quantities import extended_vocabulary

_BINARY = "parquet"
_TEXTS = {
    "table": answers.to_table,
    "markdown": answers.to_markdown,
    "csv": answers.to_csv,
    "json": answers.to_json,
}
_BY_SUFFIX = {
    ".csv": "csv",
    ".json": "json",
    ".markdown": "markdown",
    ".md": "markdown",
    ".parquet": "parquet",
    ".txt": "table",
}


def run_query(arguments: argparse.Namespace) -> int:
    """Print the answer; 2 if a file could not be read, after all the others were."""
    wanted = _choose_format(arguments.format, arguments.output)
    complain = Complaints()
    paths = list_reports(arguments.paths, complain, arguments.settings)

    loaded: list[Shape] = []

    def load(shape: Shape) -> Iterator[TidyRow]:
        if loaded and STANDARD_INPUT in paths:
            raise ProblemError("standard input can be read once: ask for runs or for cells")
        loaded.append(shape)
        return _read(paths, shape, arguments, complain)

    vocabulary = extended_vocabulary(arguments.settings.extensions)
    answer = ask(arguments.sql, load, vocabulary, arrow=wanted == _BINARY)
    with open_output(arguments.output) as sink:
        _write(answer, wanted, sink, arguments)
    return complain.exit_code


def _choose_format(asked: str | None, output: str | None) -> str:
    suffix = os.path.splitext(output)[1].lower() if output else ".txt"
    wanted = asked or _BY_SUFFIX.get(suffix)
    if wanted is None:
        known = ", ".join(sorted(_BY_SUFFIX))
        raise ProblemError(f"{output}: no format goes by {suffix!r} ({known}); say --format")
    if wanted == _BINARY and on_terminal(output):
        raise ProblemError(
            f"{wanted} is binary and this is a terminal; say -o FILE, or --format table to read it"
        )
    return wanted


def _read(
    paths: list[str], shape: Shape, arguments: argparse.Namespace, complain: Complaints
) -> Iterator[TidyRow]:
    files = read_files(
        paths,
        shape,
        arguments.settings.reading(arguments.stdin_filename),
        jobs=arguments.jobs or default_jobs(),
    )
    for name, rows, error in show_progress(files, len(paths), "reading"):
        if error:
            complain(f"{name}: {error}")
        yield from rows


def _write(answer: Answer, wanted: str, sink: IO[bytes], arguments: argparse.Namespace) -> None:
    if wanted == _BINARY:
        from mdbench.frames.pandas import write_table  # noqa: PLC0415

        write_table(answer.arrow, sink)
        return
    exact = arguments.exact_csv and wanted == "csv"
    to_text = partial(answers.to_csv, exact=True) if exact else _TEXTS[wanted]
    lines = to_text(answer.names, answer.rows)
    for line in map(show_lines, lines) if on_terminal(arguments.output) else lines:
        sink.write(line.encode())
