"""`mdbench help TOPIC`: print the page of a topic, a command, a quantity or a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.cli.main import make_parser
from mdbench.cli.options import AddParser, Parser, set_run
from mdbench.cli.topics import read_topic, topics
from mdbench.files.errors import OK, ProblemError
from mdbench.files.nearest import hint
from mdbench.files.writing import open_output
from mdbench.output.rule_pages import write_page
from mdbench.rules.loading import RULES
from mdbench.vocabulary.meanings import describe_quantity, grouped_meanings


class HelpOptions(NamedTuple):
    """The options of `help`."""

    topic: Sequence[str]
    man: bool


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "help",
        summary="read about commands, rules and topics",
        description="Print a topic, the options of a command, or the page of a rule.",
        examples=(
            *("mdbench help", "mdbench help suppression"),
            *("mdbench help lint", "mdbench help MB301"),
        ),
    )
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help="what to read about")
    parser.add_argument(
        "--man",
        action="store_true",
        help="print the manual page, for `man -l -` or a man1 folder",
    )
    set_run(parser, HelpOptions, run)


def run(options: HelpOptions) -> int:
    """Print a page, or the list of pages."""
    if options.man:
        from mdbench.cli.man_page import write_man_page  # noqa: PLC0415

        page = write_man_page(make_parser())
    else:
        # `mdbench help exit codes` is as good as exit-codes.
        page = _find("-".join(options.topic).lower())
    with open_output(None) as sink:
        sink.write(page.encode())
    return OK


def _find(asked: str) -> str:
    known, commands = topics(), make_parser().commands
    if not asked:
        return "\n".join((*_list_all(commands, known), ""))
    if asked in known:
        return read_topic(asked)
    if asked in commands:
        return commands[asked].format_help()
    page = describe_quantity(asked)
    if page is not None:
        return page
    for one in RULES.values():
        if asked in (one.code.lower(), one.name):
            return write_page(one)
    names = (name for group in grouped_meanings().values() for name in group)
    pages = [*known, *commands, *map(str.lower, RULES), *(one.name for one in RULES.values())]
    told = hint(asked, pages) or _hint_quantity(asked, tuple(names))
    raise ProblemError(f"unknown help topic {asked}{told}")


def _hint_quantity(asked: str, names: Sequence[str]) -> str:
    """`; did you mean tflops_per_device?`: the name of a quantity begins with a word of it."""
    word = asked.replace("-", "_")
    near = next((name for name in names if name.startswith(word)), "")
    if near:
        return f"; did you mean {near}?"
    return hint(word, names, "; `mdbench help` lists all topics")


def _list_all(commands: Mapping[str, Parser], known: Mapping[str, str]) -> Iterator[str]:
    summaries = {name: command.summary for name, command in commands.items()}
    width = max(map(len, (*known, *summaries)))
    yield "mdbench help TOPIC prints one of these."
    for title, entries in (("Commands:", summaries), ("Topics:", known)):
        yield from ("", title)
        yield from (f"  {name:{width}}  {summary}" for name, summary in entries.items())
    yield from ("", "Rules:", "  the code or the name of a rule; `mdbench rules` lists them")
    yield from ("", "Quantities:", "  the name of a column; `mdbench columns` lists them")
