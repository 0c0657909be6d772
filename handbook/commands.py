"""The command-line reference: a section for each command, with its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from mdbench.cli import main as cli
from mdbench.cli.options import Parser

# Further reading for each command.
_GUIDES = {
    "lint": "[How it works](thinking.md), [rules](rules/README.md), [fixes](fixes.md) "
    "and [output formats](formats.md)",
    "normalize": "[Data frames](frames.md)",
    "render": "[Templates](templates.md) and [HTML reports](site.md)",
    "query": "[SQL queries](query.md)",
    "diff": "[Comparing versions](diff.md)",
    "explain": "[Rules](rules/README.md)",
    "rules": "[Rules](rules/README.md)",
    "columns": "[Data frames](frames.md) and [configuration](configuration.md#columns)",
    "config": "[Configuration](configuration.md)",
    "lsp": "[Editors](editors.md)",
}
# Options of every command: listed once.
_COMMON = (["--help"], ["--quiet"], ["--verbose"])


def show_commands() -> str:
    """A section for each command."""
    commands = cli.make_parser().commands
    return "\n".join(line for name, one in commands.items() for line in _section(name, one))


def show_overview() -> str:
    """All commands in a table."""
    rows = (
        f"| [`mdbench {name}`](#mdbench-{name}) | {one.summary} |"
        for name, one in cli.make_parser().commands.items()
    )
    return "\n".join(("| command | description |", "|---|---|", *rows))


def show_common_options() -> str:
    """The options of every command."""
    return "\n".join(_table(cli.make_parser(), common=True))


def _section(name: str, command: Parser) -> Iterator[str]:
    yield f"## mdbench {name}"
    yield ""
    yield _escape(command.description or "")
    yield ""
    yield from ("```text", " ".join(("mdbench", name, *_synopsis(command))), "```", "")
    table = list(_table(command, common=False))
    if len(table) > 2:
        yield from (*table, "")
    if name in _GUIDES:
        yield from (f"See also: {_GUIDES[name]}.", "")


def _synopsis(command: Parser) -> Iterator[str]:
    wanted = list(_arguments(command, common=False))
    if any(one.option_strings for one in wanted):
        yield "[OPTION…]"
    for one in wanted:
        if not one.option_strings:
            name = _name(one)
            yield {"*": f"[{name}…]", "?": f"[{name}]"}.get(str(one.nargs), name)


def _arguments(command: Parser, *, common: bool) -> Iterator[argparse.Action]:
    """The arguments of a command: positional ones first, then options."""
    for one in sorted(command.arguments, key=lambda one: bool(one.option_strings)):
        shown = one.help != argparse.SUPPRESS
        if shown and common == (one.option_strings[-1:] in _COMMON):
            yield one


def _table(command: Parser, *, common: bool) -> Iterator[str]:
    yield "| argument | description |"
    yield "|---|---|"
    for one in _arguments(command, common=common):
        names = ", ".join(f"`{name}`" for name in one.option_strings or [_name(one)])
        text = _escape((one.help or "") % vars(one))
        yield f"| {names}{_value(one)} | {text} |"


def _name(action: argparse.Action) -> str:
    return str(action.metavar or action.dest.upper())


def _value(action: argparse.Action) -> str:
    if action.nargs == 0 or (not action.option_strings and action.choices is None):
        return ""
    if action.choices is not None:
        return " " + ", ".join(f"`{one}`" for one in action.choices)
    return f" `{_name(action)}`"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")
