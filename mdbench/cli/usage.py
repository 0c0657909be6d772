"""What all commands have in common on the command line: how loud they are, and how help looks."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from mdbench.errors import printable

_EXAMPLES = "examples:\n"


class Help(argparse.HelpFormatter):
    """Wraps descriptions, but leaves the lines of examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(_EXAMPLES):
            return "\n".join(indent + line for line in text.splitlines())
        return super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Takes no look at the terminal while it is being made, which loads much; `Help` does later."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_measure_nothing, **options)

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong with a command line: a pattern may have put any file name into it."""
        super().error(printable(message))


def _measure_nothing(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=80)


def show_examples(*commands: str) -> str:
    """The end of a help text: commands to copy."""
    return _EXAMPLES + "\n".join(f"  {command}" for command in commands)


def add_exact(command: argparse.ArgumentParser) -> None:
    """Let a command write csv that only programs should open."""
    command.add_argument(
        "--exact-csv",
        action="store_true",
        help="csv with every text as it is; without this, a text that a spreadsheet would run as a "
        "formula has an apostrophe before it",
    )


def add_loudness(parser: argparse.ArgumentParser, *, top: bool = False) -> None:
    """Let a command be quiet or verbose; what stands before the command holds too."""
    default = False if top else argparse.SUPPRESS
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        default=default,
        help="results and problems only: no summary, no progress",
    )
    loudness.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        default=default,
        help="also tell on standard error what is being done",
    )
