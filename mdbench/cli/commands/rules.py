"""`mdbench rules`: list the rules."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.cli.options import AddParser, set_run
from mdbench.files.errors import OK
from mdbench.files.writing import open_output
from mdbench.rules.loading import RULES


class RulesOptions(NamedTuple):
    """The options of `rules`: none."""


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "rules",
        summary="list the rules",
        description="List the rules with their severity.",
        examples=("mdbench rules",),
    )
    set_run(parser, RulesOptions, run)


def run(_options: RulesOptions) -> int:
    """Print a line for each rule."""
    names = max(len(one.name) for one in RULES.values())
    with open_output(None) as sink:
        for one in RULES.values():
            line = f"{one.code}  {one.severity:7}  {one.name:{names}}  {one.summary}\n"
            sink.write(line.encode())
    return OK
