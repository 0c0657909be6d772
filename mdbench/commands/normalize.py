"""`mdbench normalize`: reports as one tidy frame."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import IO

from mdbench.discovery import DiscoveryError, find_reports
from mdbench.outputs import open_output
from mdbench.problems import ProblemError, report_problem
from mdbench.progress import show_progress
from mdbench.reader import default_jobs, read_files
from mdbench.tidy import Shape, TidyRow, fields

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
    wanted = _choose_format(arguments.format, arguments.output)
    shape = Shape(arguments.shape)
    try:
        paths = list(find_reports(arguments.paths))
    except DiscoveryError as error:
        raise ProblemError(str(error)) from error
    failed: list[str] = []
    rows = _read(paths, shape, arguments, failed)
    with open_output(arguments.output) as sink:
        _write(rows, shape, wanted, sink)
    return 2 if failed else 0


def _choose_format(asked: str | None, output: str | None) -> str:
    if asked is None:
        suffix = os.path.splitext(output)[1].lower() if output else ".parquet"
        asked = _BY_SUFFIX.get(suffix)
        if asked is None:
            known = ", ".join(sorted(_BY_SUFFIX))
            raise ProblemError(f"{output}: no format goes by {suffix!r} ({known}); say --format")
    if output is None and asked in _BINARY and sys.stdout.isatty():
        raise ProblemError(
            f"{asked} is binary and this is a terminal; say -o FILE, or --format table to read it"
        )
    return asked


def _read(
    paths: list[str], shape: Shape, arguments: argparse.Namespace, failed: list[str]
) -> Iterator[TidyRow]:
    files = read_files(
        paths, shape, jobs=arguments.jobs or default_jobs(), stdin_name=arguments.stdin_filename
    )
    for path, rows, error in show_progress(files, len(paths), "reading"):
        if error:
            failed.append(path)
            report_problem(f"{path}: {error}")
        yield from rows


def _write(rows: Iterator[TidyRow], shape: Shape, wanted: str, sink: IO[bytes]) -> None:
    if wanted in _BINARY:
        # Only the binary formats are worth the time that pyarrow takes to load.
        from mdbench import frames  # noqa: PLC0415

        write = frames.write_parquet if wanted == "parquet" else frames.write_arrow
        write(rows, shape, sink)
        return
    from mdbench import exports  # noqa: PLC0415

    to_text = {"csv": exports.to_csv, "jsonl": exports.to_jsonl, "table": exports.to_tables}[wanted]
    for line in to_text(rows, fields(shape)):
        sink.write(line.encode("utf-8", "surrogateescape"))
