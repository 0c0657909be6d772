"""The command line: which command, with what, and the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from mdbench import __version__
from mdbench.problems import COULD_NOT_RUN, INTERRUPTED, OK, ProblemError, report_problem

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
        # The reader of a pipe has seen enough.
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: argparse.Namespace) -> int:
    # Each command loads only what it needs: start-up time counts.
    if arguments.command == "normalize":
        from mdbench.commands.normalize import run_normalize  # noqa: PLC0415

        return run_normalize(arguments)
    if arguments.command == "lint":
        from mdbench.commands.lint import run_lint  # noqa: PLC0415

        return run_lint(arguments)
    if arguments.command == "explain":
        from mdbench.commands.explain import run_explain  # noqa: PLC0415

        return run_explain(arguments)
    if arguments.command == "rules":
        from mdbench.commands.rules import run_rules  # noqa: PLC0415

        return run_rules(arguments)
    from mdbench.commands.columns import run_columns  # noqa: PLC0415

    return run_columns(arguments)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mdbench", description="Read the benchmark tables of Markdown reports."
    )
    parser.add_argument("--version", action="version", version=f"mdbench {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_lint(commands)
    _add_normalize(commands)
    _add_explain(commands)
    _add_rules(commands)
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


def _add_lint(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "lint",
        help="what does not add up in reports",
        description="Check reports: exit 0 if nothing was found, 1 if something was.",
        epilog="example: mdbench lint reports/ --select MB3,MB4",
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    command.add_argument("--format", choices=("full", "concise", "json"), default="full")
    command.add_argument(
        "--select", action="append", metavar="CODES", help="only these, as MB301 or MB3,MB4"
    )
    command.add_argument("--ignore", action="append", metavar="CODES", help="all but these")
    command.add_argument(
        "--fail-on",
        choices=("error", "warning", "info"),
        default="warning",
        help="what makes the exit code 1 (default: warning, and what is worse)",
    )
    command.add_argument(
        "--statistics", action="store_true", help="also count findings and verified numbers"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explain",
        help="what a rule finds and why",
        description="Print what a rule finds, why it matters, an example and how it is mended.",
        epilog="example: mdbench explain MB302",
    )
    command.add_argument("code", metavar="CODE", help="the code or the name of a rule")


def _add_rules(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    commands.add_parser(
        "rules", help="the rules it checks", description="List the rules with their severity."
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
