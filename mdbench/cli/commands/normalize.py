"""`mdbench normalize`: reports as one tidy frame."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import IO

from mdbench.cli.inputs import list_reports
from mdbench.cluster import run_engine
from mdbench.cluster.arguments import wants_dask
from mdbench.errors import Complaints, ProblemError
from mdbench.files.progress import show_progress
from mdbench.files.workers import default_jobs
from mdbench.files.writing import on_terminal, open_output
from mdbench.frames.frame_columns import Shape, TidyRow, fields
from mdbench.frames.rows import read_files
from mdbench.vocabulary.quantities import extended_vocabulary

_BINARY = frozenset(("parquet", "arrow"))
_BY_SUFFIX = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "table",
}


def run_normalize(arguments: argparse.Namespace) -> int:
    """Write the frame; 2 if a file could not be read, after all the others were."""
    if wants_dask(arguments):
        return run_engine(arguments, arguments.settings)
    wanted = _choose_format(arguments.format, arguments.output)
    complain = Complaints()
    paths = list_reports(arguments.paths, complain, arguments.settings)
    rows = _read(paths, arguments, complain)
    with open_output(arguments.output) as sink:
        _write(rows, wanted, sink, arguments)
    return complain.exit_code


def _choose_format(asked: str | None, output: str | None) -> str:
    if asked is None:
        suffix = os.path.splitext(output)[1].lower() if output else ".parquet"
        asked = _BY_SUFFIX.get(suffix)
        if asked is None:
            known = ", ".join(sorted(_BY_SUFFIX))
            raise ProblemError(f"{output}: no format goes by {suffix!r} ({known}); say --format")
    if asked in _BINARY and on_terminal(output):
        raise ProblemError(
            f"{asked} is binary and this is a terminal; say -o FILE, or --format table to read it"
        )
    return asked


def _read(
    paths: list[str], arguments: argparse.Namespace, complain: Complaints
) -> Iterator[TidyRow]:
    files = read_files(
        paths,
        Shape(arguments.shape),
        arguments.settings.reading(arguments.stdin_filename),
        jobs=arguments.jobs or default_jobs(),
    )
    for name, rows, error in show_progress(files, len(paths), "reading"):
        if error:
            complain(f"{name}: {error}")
        yield from rows


def _write(
    rows: Iterator[TidyRow], wanted: str, sink: IO[bytes], arguments: argparse.Namespace
) -> None:
    shape = Shape(arguments.shape)
    vocabulary = extended_vocabulary(arguments.settings.extensions)
    if wanted in _BINARY:
        # Only the binary formats are worth the time that pyarrow takes to load.
        from mdbench.frames import pandas as frames  # noqa: PLC0415

        write = frames.write_parquet if wanted == "parquet" else frames.write_arrow
        write(rows, frames.schema(shape, vocabulary), sink)
        return
    from mdbench.frames import text as exports  # noqa: PLC0415
    from mdbench.output.terminal import show_lines  # noqa: PLC0415

    if wanted == "csv":
        lines = exports.to_csv(rows, fields(shape, vocabulary), exact=arguments.exact_csv)
    else:
        to_text = exports.to_jsonl if wanted == "jsonl" else exports.to_tables
        lines = to_text(rows, fields(shape, vocabulary))
    for line in map(show_lines, lines) if on_terminal(arguments.output) else lines:
        sink.write(line.encode())
