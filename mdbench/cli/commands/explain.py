"""`mdbench explain CODE`: what a rule finds, why, an example, how it is fixed."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.cli.options import AddParser, set_run
from mdbench.files.errors import OK, ProblemError
from mdbench.files.writing import open_output
from mdbench.output.rule_pages import write_page
from mdbench.rules.loading import RULES, Rule


class ExplainOptions(NamedTuple):
    """The options of `explain`."""

    code: str


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "explain",
        summary="explain a rule",
        description="Print what a rule finds, why it matters, an example and how it is fixed.",
        examples=("mdbench explain MB302", "mdbench explain shifted-row"),
    )
    parser.add_argument("code", metavar="CODE", help="code or name of a rule")
    set_run(parser, ExplainOptions, run)


def run(options: ExplainOptions) -> int:
    """Print the page of a rule."""
    page = write_page(_find(options.code))
    with open_output(None) as sink:
        sink.write(page.encode())
    return OK


def _find(asked: str) -> Rule:
    wanted = asked.strip().lower()
    for one in RULES.values():
        if wanted in (one.code.lower(), one.name):
            return one
    from difflib import get_close_matches  # noqa: PLC0415

    known = [text for one in RULES.values() for text in (one.code, one.name)]
    near = get_close_matches(wanted, known, n=1) or get_close_matches(wanted.upper(), known, n=1)
    hint = f", did you mean {near[0]}?" if near else ";"
    raise ProblemError(f"{asked}: no such rule{hint} `mdbench rules` lists all rules")
