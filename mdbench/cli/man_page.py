"""The manual page of mdbench, made from the help of its commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from mdbench import __version__
from mdbench.cli.options import Parser
from mdbench.cli.topics import read_topic, topics

_EXIT_CODES = "exit-codes"


def write_man_page(parser: Parser) -> str:
    """The page in the language of man."""
    return "".join(f"{line}\n" for line in _lines(parser))


def _lines(parser: Parser) -> Iterator[str]:
    yield f'.TH MDBENCH 1 "" "mdbench {__version__}" "User Commands"'
    yield from (".SH NAME", r"mdbench \- check the benchmark tables of Markdown reports")
    yield from (".SH SYNOPSIS", r"\fBmdbench\fR \fICOMMAND\fR [\fIOPTION\fR ...] [\fIPATH\fR ...]")
    yield from (".SH DESCRIPTION", _escape(parser.description or ""))
    yield ".SH OPTIONS"
    yield from _list_arguments(parser)
    yield ".SH COMMANDS"
    for command in parser.commands.values():
        yield f".SS {_escape(command.synopsis)}"
        yield _escape(command.description or command.summary)
        yield from _list_arguments(command)
    yield ".SH EXIT STATUS"
    page = read_topic(_EXIT_CODES).partition("\n")[2].strip("\n")
    yield from (".nf", *map(_escape, page.splitlines()), ".fi")
    yield ".SH EXAMPLES"
    for command in parser.commands.values():
        for example in command.examples:
            yield from (".PP", rf"\fB{_escape(example)}\fR")
    yield ".SH SEE ALSO"
    yield _escape("`mdbench help TOPIC` has a page about each of: " + ", ".join(topics()))


def _list_arguments(parser: Parser) -> Iterator[str]:
    for one in parser.arguments:
        if one.help == argparse.SUPPRESS:
            continue
        value = _value(one)
        names = ", ".join(rf"\fB{_escape(name)}\fR{value}" for name in one.option_strings)
        yield from (".TP", names or value.strip())
        yield _escape((one.help or "") % vars(one))


def _value(action: argparse.Action) -> str:
    if action.option_strings and action.nargs == 0:
        return ""
    if action.choices is not None:
        return " " + "|".join(_escape(str(one)) for one in action.choices)
    return rf" \fI{_escape(str(action.metavar or action.dest.upper()))}\fR"


def _escape(text: str) -> str:
    """A text in which nothing is taken for a request of man."""
    plain = (
        text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    )
    return f"\\&{plain}" if plain.startswith(".") else plain
