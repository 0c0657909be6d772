"""`mdbench explain CODE`: what a rule finds, why, an example, how it is fixed."""

from __future__ import annotations

import argparse

from mdbench.errors import OK, ProblemError
from mdbench.files.writing import open_output
from mdbench.output.rule_pages import write_page
from mdbench.rules.loading import RULES, Rule


def run_explain(arguments: argparse.Namespace) -> int:
    """Print the page of a rule."""
    page = write_page(_find(arguments.code))
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
    raise ProblemError(f"{asked}: no rule is called so{hint} `mdbench rules` lists them all")
