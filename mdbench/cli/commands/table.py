"""`mdbench table`: a first table from results, already bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdbench.cli.inputs import load_configuration
from mdbench.cli.options import AddParser, ConfigOptions, add_config, set_run
from mdbench.cli.result_inputs import find_results
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.errors import OK, ProblemError
from mdbench.files.writing import on_terminal, open_output
from mdbench.output.terminal import show_lines
from mdbench.rendering.first_table import FirstTableError, write_first_table
from mdbench.results.database import ResultsError, open_results
from mdbench.vocabulary.quantities import extended_vocabulary


class TableOptions(NamedTuple):
    """The options of `table`."""

    results: Sequence[str]
    columns: str | None
    by: str | None
    configuration: ConfigOptions
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "table",
        summary="print a table made from results, and bound to them",
        description="Print a Markdown table of results, with the comment that binds it to them. "
        "Requires the extra `query`.",
        examples=(
            "mdbench table bench/hyperfine.json",
            "mdbench table runs --by nodes --columns step_time_ms,tokens_per_s",
        ),
    )
    parser.add_argument(
        "results",
        nargs="+",
        metavar="RESULTS",
        help="the name of a table of results in the configuration, or a file of results",
    )
    parser.add_argument(
        "--columns", metavar="NAMES", help="columns to show, separated by commas (default: all)"
    )
    parser.add_argument(
        "--by",
        metavar="NAMES",
        help="columns that distinguish rows (default: all settings that differ)",
    )
    add_config(parser)
    set_run(parser, TableOptions, run)


def run(options: TableOptions) -> int:
    """Print one table for each of the results."""
    settings = load_configuration(options.configuration)
    tables = [_print(one, options, settings) for one in options.results]
    text = "\n".join(tables)
    with open_output(None) as sink:
        sink.write((show_lines(text) if on_terminal(None) else text).encode())
    return OK


def _print(results: str, options: TableOptions, settings: Settings) -> str:
    files, name = find_results(results, settings)
    vocabulary = extended_vocabulary(settings.extensions)
    try:
        with open_results(files, vocabulary, only=(name,)) as database:
            columns, by = _split(options.columns), _split(options.by)
            return write_first_table(database, name, vocabulary, columns=columns, by=by)
    except (ResultsError, FirstTableError) as error:
        raise ProblemError(str(error)) from error


def _split(names: str | None) -> list[str]:
    return [one.strip() for one in (names or "").split(",") if one.strip()]
