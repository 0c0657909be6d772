"""`mdbench explain CODE`: what a rule finds, why, an example, how it is fixed."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.cli.options import AddParser, set_run
from mdbench.files.errors import OK, ProblemError
from mdbench.files.writing import open_output
from mdbench.output.rule_pages import write_page
from mdbench.rules.loading import RULES, Rule
from mdbench.rules.names import judge_code, read_code


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
    found = RULES.get(read_code(asked))
    if found is not None:
        return found
    raise ProblemError(judge_code(asked) or f"{asked}: several rules begin so; name one of them")
