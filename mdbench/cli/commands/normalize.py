"""`mdbench normalize`: reports as one tidy frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import (
    AddParser,
    ConfigOptions,
    add_cluster,
    add_config,
    add_exact_csv,
    add_format,
    add_jobs,
    add_output,
    add_paths,
    add_stdin_filename,
    set_run,
)
from mdbench.cli.tables import (
    BINARY,
    CountedRows,
    RowReader,
    choose_format,
    say_written,
    terminal_width,
)
from mdbench.cluster import ClusterOptions, Task, run_on_cluster
from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.errors import Errors, ProblemError
from mdbench.files.writing import on_terminal, open_output
from mdbench.frames.frame_columns import Field, Shape, TidyRow, drop_empty, fields
from mdbench.vocabulary.quantities import extended_vocabulary

_BY_SUFFIX = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "table",
}


class NormalizeOptions(NamedTuple):
    """The options of `normalize`."""

    paths: Sequence[str]
    shape: str
    format: str | None
    drop_empty: bool
    exact_csv: bool
    output: str | None
    jobs: int | None
    stdin_filename: str
    cluster: ClusterOptions
    configuration: ConfigOptions
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "normalize",
        summary="convert reports to a tidy data frame",
        description="Convert reports to a tidy data frame, written to standard output or a file.",
        examples=(
            "mdbench normalize reports/ -o runs.parquet",
            "mdbench normalize --shape cells --format csv results.md",
        ),
    )
    add_paths(parser)
    parser.add_argument(
        "--shape",
        choices=("runs", "cells"),
        default="runs",
        help="one row per run, or one row per cell (default: runs)",
    )
    add_format(
        parser,
        ("parquet", "arrow", "csv", "jsonl", "table"),
        help_text="output format (default: by the suffix of the output file, else parquet); table "
        "is for people",
    )
    parser.add_argument(
        "--drop-empty",
        action="store_true",
        help="leave out columns that are empty in all rows; keeps all rows in memory",
    )
    add_exact_csv(parser)
    add_output(parser)
    add_jobs(parser)
    add_stdin_filename(parser)
    add_cluster(parser)
    add_config(parser)
    set_run(parser, NormalizeOptions, run)


def run(options: NormalizeOptions) -> int:
    """Write the frame; 2 if a file could not be read, after all others were."""
    settings = load_configuration(options.configuration)
    if options.cluster.is_wanted:
        return _run_on_cluster(options, settings)
    chosen = choose_format(options.format, options.output, _BY_SUFFIX, default=".parquet")
    errors = Errors()
    nearest = Nearest(settings)
    paths = list_reports(options.paths, nearest, errors, options.console)
    reading = nearest.reading(paths, options.stdin_filename)
    added = nearest.extensions(paths, options.stdin_filename)
    columns = fields(Shape(options.shape), extended_vocabulary(added))
    reader = RowReader(paths, reading, options.jobs, errors, options.console)
    rows = CountedRows(reader.read(Shape(options.shape)))
    with open_output(options.output) as sink:
        _write(rows, columns, chosen, sink, options)
    say_written(options.output, rows.count, options.console)
    return errors.exit_code


def _run_on_cluster(options: NormalizeOptions, settings: Settings) -> int:
    if options.format not in (None, "parquet"):
        raise ProblemError(f"--engine dask writes parquet, not --format {options.format}")
    if options.drop_empty:
        raise ProblemError(
            "--drop-empty cannot be used with --engine dask, "
            "whose parts must all have the same columns"
        )
    where = options.cluster, options.console
    task = Task(options.shape, options.paths, options.output, options.jobs, *where)
    return run_on_cluster(task, settings)


def _write(
    rows: Iterable[TidyRow],
    columns: Sequence[Field],
    chosen: str,
    sink: IO[bytes],
    options: NormalizeOptions,
) -> None:
    shape = Shape(options.shape)
    if options.drop_empty:
        rows, columns = drop_empty(rows, columns)
    if chosen in BINARY:
        # Only the binary formats are worth the time that pyarrow takes to load.
        from mdbench.frames import pandas as frames  # noqa: PLC0415

        write = frames.write_parquet if chosen == "parquet" else frames.write_arrow
        write(rows, frames.schema_of(columns, shape), sink)
        return
    from mdbench.frames import text as exports  # noqa: PLC0415
    from mdbench.output.terminal import show_lines  # noqa: PLC0415

    if chosen == "csv":
        lines = exports.to_csv(rows, columns, exact=options.exact_csv)
    elif chosen == "jsonl":
        lines = exports.to_jsonl(rows, columns)
    else:
        lines = exports.to_tables(rows, columns, terminal_width(options.output))
    for line in map(show_lines, lines) if on_terminal(options.output) else lines:
        sink.write(line.encode())
