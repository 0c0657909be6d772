"""The command line: which command, with what, and the exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from mdbench import __version__
from mdbench.problems import ProblemError, report_problem

OK, COULD_NOT_RUN, INTERRUPTED = 0, 2, 130
_PATHS_HELP = (
    "files or folders (default: reports/ where there is one, else this folder); - is stdin"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code."""
    arguments = _make_parser().parse_args(argv)
    try:
        return _run(arguments)
    except ProblemError as problem:
        report_problem(str(problem))
        return COULD_NOT_RUN
    except BrokenPipeError:
        # The reader of a pipe has seen enough; nothing more can be flushed to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: argparse.Namespace) -> int:
    # Each command loads only what it needs: start-up time counts.
    if arguments.command == "normalize":
        from mdbench.commands.normalize import run_normalize  # noqa: PLC0415

        return run_normalize(arguments)
    from mdbench.commands.columns import run_columns  # noqa: PLC0415

    return run_columns(arguments)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mdbench", description="Read the benchmark tables of Markdown reports."
    )
    parser.add_argument("--version", action="version", version=f"mdbench {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_normalize(commands)
    _add_columns(commands)
    return parser


def _add_normalize(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "normalize",
        help="reports as one tidy frame",
        description="Read reports into one tidy frame, to standard output or a file.",
        epilog="example: mdbench normalize reports/ -o tidy.parquet",
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    command.add_argument(
        "--shape", choices=("runs", "cells"), default="runs", help="a row a run, or a row a cell"
    )
    command.add_argument(
        "--format",
        choices=("parquet", "arrow", "csv", "jsonl", "table"),
        help="default: by the name of the output file, else parquet; table is for reading",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_columns(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "columns",
        help="the quantities it knows, or how a file's headers were understood",
        description="List quantities, units and spellings; with files, how each header was read.",
        epilog="example: mdbench columns reports/fugaku-30b.md",
    )
    command.add_argument("paths", nargs="*", metavar="FILE", help="reports to explain")
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
