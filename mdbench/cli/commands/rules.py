"""`mdbench rules`: list the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.cli.options import AddParser, add_format, set_run
from mdbench.files.errors import OK
from mdbench.files.writing import open_output
from mdbench.rules.loading import RULES


class RulesOptions(NamedTuple):
    """The options of `rules`."""

    format: str


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "rules",
        summary="list the rules",
        description="List the rules with their severity.",
        examples=("mdbench rules", "mdbench rules --format json"),
    )
    add_format(parser, ("text", "json"), "text", help_text="output format (default: text)")
    set_run(parser, RulesOptions, run)


def run(options: RulesOptions) -> int:
    """Print a line for each rule, or all rules as JSON."""
    lines = _to_json() if options.format == "json" else _to_text()
    with open_output(None) as sink:
        for line in lines:
            sink.write(line.encode())
    return OK


def _to_text() -> Iterator[str]:
    names = max(len(one.name) for one in RULES.values())
    for one in RULES.values():
        yield f"{one.code}  {one.severity:7}  {one.name:{names}}  {one.summary}\n"


def _to_json() -> Iterator[str]:
    rules = [
        {
            "code": one.code,
            "name": one.name,
            "severity": one.severity,
            "summary": one.summary,
            "explanation": one.text,
        }
        for one in RULES.values()
    ]
    yield f"{json.dumps(rules, indent=2, ensure_ascii=False)}\n"
