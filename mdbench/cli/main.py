"""The command line: which command runs, with which options, and the exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from time import monotonic
from typing import Any

from mdbench import __version__
from mdbench.cli.options import Parser, add_verbosity
from mdbench.files.console import Console
from mdbench.files.errors import COULD_NOT_RUN, INTERRUPTED, OK, ProblemError, report_error
from mdbench.files.nearest import find_nearest

COMMANDS = (
    *("lint", "normalize", "render", "update", "table", "query", "diff", "explain", "rules"),
    *("columns", "lsp", "clean", "completion", "help", "config"),
)
"""Each is a module of `mdbench.cli.commands`, with `add_parser`."""
_USUAL = {"check": "lint", "format": "render", "rule": "explain", "server": "lsp", "sql": "query"}
"""What other tools call a command."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = parse(sys.argv[1:] if argv is None else argv)
    if given.command is None:
        # As ruff does: whoever calls it without a command sees what there is, and no success.
        make_parser().print_help()
        return COULD_NOT_RUN
    started = monotonic()
    try:
        code = int(given.run(given))
    except ProblemError as error:
        report_error(str(error))
        return COULD_NOT_RUN
    except BrokenPipeError:
        # The reader of a pipe has seen enough.
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    console = Console(verbose=given.verbose)
    console.log_step(f"{given.command}: done in {monotonic() - started:.2f} s, exit code {code}")
    return code


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse a command line."""
    words = list(argv)
    asked = next((word for word in words if not word.startswith("-")), None)
    # Importing every command would double the start-up time.
    parser = make_parser([asked] if asked in COMMANDS and asked == words[0] else COMMANDS)
    if asked is not None and asked not in COMMANDS:
        known = (*COMMANDS, *_USUAL)
        near = find_nearest(asked, known)
        told = f"; did you mean {_USUAL.get(near, near)}?" if near else ""
        parser.error(f"unknown command {asked}{told or '; `mdbench help` lists them'}")
    if "--" not in words or "diff" not in words[: words.index("--")]:
        return _parse(parser, words)
    # argparse does not distinguish the words before the two dashes from those after them.
    at = words.index("--")
    given = _parse(parser, words[:at])
    given.paths = words[at + 1 :]
    return given


def _parse(parser: Parser, words: list[str]) -> argparse.Namespace:
    given, left = parser.parse_known_args(words)
    if not left:
        return given
    command = parser.commands.get(given.command)
    if command is None:
        parser.refuse(left)
    # argparse takes words on one side of an option only, unless it is asked to look again.
    start = argparse.Namespace(command=given.command, quiet=given.quiet, verbose=given.verbose)
    rest = words[words.index(given.command) + 1 :]
    given, left = command.parse_known_intermixed_args(rest, start)
    if left:
        command.refuse(left)
    return given


def make_parser(commands: Sequence[str] = COMMANDS) -> Parser:
    """The parser of the command line, with all commands or only some."""
    parser = Parser(
        prog="mdbench",
        description="Check the arithmetic of benchmark tables in Markdown, read them as data "
        "frames, and format them. `mdbench help` lists further topics.",
        examples=(
            "mdbench lint reports/",
            "mdbench normalize -o runs.parquet",
            "mdbench help exit-codes",
        ),
    )
    parser.add_argument("--version", action="version", version=f"mdbench {__version__}")
    add_verbosity(parser, top=True)
    subparsers = parser.add_subparsers(prog="mdbench", dest="command", metavar="COMMAND")

    def add(name: str, *, summary: str, **options: Any) -> Parser:
        return subparsers.add_parser(name, help=summary, summary=summary, **options)

    for name in commands:
        import_module(f"mdbench.cli.commands.{name}").add_parser(add)
    parser.commands = dict(subparsers.choices)
    for one in parser.commands.values():
        add_verbosity(one)
        one.formatter_class = argparse.HelpFormatter
    parser.formatter_class = argparse.HelpFormatter
    return parser
