"""`mdbench query`: SQL over all reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO, NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import (
    AddParser,
    ConfigOptions,
    add_config,
    add_exact_csv,
    add_format,
    add_jobs,
    add_output,
    add_paths,
    add_stdin_filename,
    set_run,
)
from mdbench.cli.tables import BINARY, RowReader, choose_format, say_written, terminal_width
from mdbench.config.nearest import Nearest
from mdbench.files.console import Console
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import Errors, ProblemError
from mdbench.files.writing import on_terminal, open_output
from mdbench.frames import answers
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.printed_numbers import PrintedNumbers
from mdbench.frames.sql import Answer, ask
from mdbench.output.terminal import show_lines
from mdbench.vocabulary.quantities import extended_vocabulary

_TEXTS = {
    "table": answers.to_table,
    "markdown": answers.to_markdown,
    "csv": answers.to_csv,
    "json": answers.to_json,
}
_FOR_PEOPLE = frozenset(("table", "markdown"))
_BY_SUFFIX = {
    ".csv": "csv",
    ".json": "json",
    ".markdown": "markdown",
    ".md": "markdown",
    ".parquet": "parquet",
    ".txt": "table",
}


class QueryOptions(NamedTuple):
    """The options of `query`."""

    sql: str
    paths: Sequence[str]
    format: str | None
    exact_csv: bool
    human: bool
    output: str | None
    jobs: int | None
    stdin_filename: str
    configuration: ConfigOptions
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "query",
        summary="query reports with SQL",
        description="Run an SQL query over all reports: the table `runs` has one row per run, "
        "`cells` one row per cell; `results` in the configuration adds tables of result files. "
        "Requires the extra `query`.",
        examples=('mdbench query "select nodes, tflops_per_device from runs where tp = 4"',),
    )
    parser.add_argument("sql", metavar="SQL", help="the query")
    add_paths(parser)
    add_format(
        parser,
        ("table", "csv", "json", "parquet", "markdown"),
        help_text="output format (default: by the suffix of the output file, else table)",
    )
    parser.add_argument(
        "--human",
        action="store_true",
        help="show numbers in the unit and with the digits that the reports print: 16 GB, not "
        "15258.7890625; for tables and Markdown",
    )
    add_exact_csv(parser)
    add_output(parser)
    add_jobs(parser)
    add_stdin_filename(parser)
    add_config(parser)
    set_run(parser, QueryOptions, run)


def run(options: QueryOptions) -> int:
    """Print the answer; 2 if a file could not be read, after all others were."""
    settings = load_configuration(options.configuration)
    chosen = choose_format(options.format, options.output, _BY_SUFFIX, default=".txt")
    if options.human and chosen not in _FOR_PEOPLE:
        raise ProblemError(f"--human is for people: use --format table, not {chosen}")
    errors = Errors()
    nearest = Nearest(settings)
    paths = list_reports(options.paths, nearest, errors, options.console)
    reading = nearest.reading(paths, options.stdin_filename)
    reader = RowReader(paths, reading, options.jobs, errors, options.console)
    loaded: list[Shape] = []

    def load(shape: Shape) -> Iterator[TidyRow]:
        if loaded and STANDARD_INPUT in paths:
            raise ProblemError("standard input can be read only once: query runs or cells")
        loaded.append(shape)
        return reader.read(shape)

    vocabulary = extended_vocabulary(nearest.extensions(paths, options.stdin_filename))
    answer = ask(options.sql, load, vocabulary, results=settings.results, arrow=chosen in BINARY)
    if options.human:
        printed = PrintedNumbers(load(Shape.CELLS), vocabulary)
        rows = printed.show(answer.sources, answer.rows)
        answer = answer._replace(rows=[tuple(row) for row in rows])
    with open_output(options.output) as sink:
        _write(answer, chosen, sink, options)
    count = len(answer.rows) if answer.arrow is None else answer.arrow.num_rows
    say_written(options.output, count, options.console)
    return errors.exit_code


def _write(answer: Answer, chosen: str, sink: IO[bytes], options: QueryOptions) -> None:
    if chosen in BINARY:
        from mdbench.frames.pandas import write_table  # noqa: PLC0415 - loads pyarrow

        write_table(answer.arrow, sink)
        return
    exact = options.exact_csv and chosen == "csv"
    to_text = partial(answers.to_csv, exact=True) if exact else _TEXTS[chosen]
    room = terminal_width(options.output)
    if chosen == "table" and room is not None:
        to_text = partial(answers.to_terminal, room=room)
    lines = to_text(answer.names, answer.rows)
    for line in map(show_lines, lines) if on_terminal(options.output) else lines:
        sink.write(line.encode())
