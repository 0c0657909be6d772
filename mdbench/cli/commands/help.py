"""`mdbench help TOPIC`: what there is to read, about a topic, a command, a quantity or a rule."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from mdbench.cli.completion.tree import find_commands
from mdbench.cli.topics import read_topic, topics
from mdbench.errors import OK, ProblemError
from mdbench.files.writing import open_output


def run_help(arguments: argparse.Namespace) -> int:
    """Print a page, or what pages there are."""
    # `mdbench help exit codes` is as good as exit-codes.
    page = _find("-".join(arguments.topic).lower(), arguments.parser)
    with open_output(None) as sink:
        sink.write(page.encode())
    return OK


def _find(asked: str, parser: argparse.ArgumentParser) -> str:
    known = topics()
    if not asked:
        return "\n".join((*_list_all(parser, known), ""))
    if asked in known:
        return read_topic(asked)
    commands = find_commands(parser)
    if asked in commands:
        return commands[asked][1].format_help()
    # Only here: the rules take longer to load than a page to print.
    from mdbench.output.rule_pages import write_page  # noqa: PLC0415
    from mdbench.rules.loading import RULES  # noqa: PLC0415
    from mdbench.vocabulary.meanings import describe_quantity  # noqa: PLC0415

    page = describe_quantity(asked)
    if page is not None:
        return page
    for one in RULES.values():
        if asked in (one.code.lower(), one.name):
            return write_page(one)
    rules = (text for one in RULES.values() for text in (one.code.lower(), one.name))
    raise ProblemError(_refuse(asked, [*known, *commands, *rules]))


def _refuse(asked: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(asked, known, n=1)
    hint = f", did you mean {near[0]}?" if near else ";"
    return f"{asked}: there is nothing to read about it{hint} `mdbench help` lists what there is"


def _list_all(parser: argparse.ArgumentParser, known: Mapping[str, str]) -> Iterator[str]:
    commands = {name: summary for name, (summary, _) in find_commands(parser).items()}
    width = max(map(len, (*known, *commands)))
    yield "mdbench help TOPIC prints one of these."
    for title, entries in (("Commands:", commands), ("Topics:", known)):
        yield from ("", title)
        yield from (f"  {name:{width}}  {summary}" for name, summary in entries.items())
    yield from ("", "Rules:", "  the code or the name of a rule; `mdbench rules` lists them")
    yield from ("", "Quantities:", "  the name of a column; `mdbench columns` lists them")
