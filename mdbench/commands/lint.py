"""`mdbench lint`: what does not add up in reports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from mdbench.commands.inputs import list_reports
from mdbench.discovery import STANDARD_INPUT
from mdbench.findings import Severity
from mdbench.linter import Plan, lint_file
from mdbench.output.colour import Palette, choose_palette
from mdbench.outputs import open_output
from mdbench.pool import map_files
from mdbench.problems import OK, Complaints, ProblemError
from mdbench.progress import show_progress
from mdbench.reader import default_jobs
from mdbench.reports import Report, Totals
from mdbench.rules import RULES
from mdbench.selection import Selection, is_code

_FOUND = 1


def run_lint(arguments: argparse.Namespace) -> int:
    """Show the findings; 1 if some are as bad as asked for, 2 if a path is not there."""
    selection = Selection(_read_codes(arguments.select), _read_codes(arguments.ignore))
    complain = Complaints()
    paths = sorted(list_reports(arguments.paths, complain))
    plan = Plan(selection, arguments.statistics, arguments.stdin_filename)
    totals = Totals()
    reports = totals.watch(_check(paths, plan, arguments))
    on_terminal = arguments.output is None and sys.stdout.isatty()
    palette = choose_palette(terminal=on_terminal)
    with open_output(arguments.output) as sink:
        for text in _write(reports, totals, arguments, palette):
            sink.write(text.encode("utf-8", "backslashreplace"))
    if arguments.statistics and arguments.format == "json":
        # The list stays a list; what is counted goes where people look.
        sys.stderr.writelines(_statistics(totals))
    if complain.count:
        return complain.exit_code
    return _FOUND if totals.reaches(Severity(arguments.fail_on)) else OK


def _read_codes(asked: Sequence[str] | None) -> tuple[str, ...]:
    codes = [code.strip().upper() for text in asked or () for code in text.split(",")]
    for code in filter(None, codes):
        if not is_code(code) or not any(known.startswith(code) for known in RULES):
            raise ProblemError(f"{code}: no rule has this code; `mdbench rules` lists them all")
    return tuple(filter(None, codes))


def _check(paths: Sequence[str], plan: Plan, arguments: argparse.Namespace) -> Iterator[Report]:
    jobs = 1 if STANDARD_INPUT in paths else arguments.jobs or default_jobs()
    reports = map_files(partial(lint_file, plan=plan), paths, jobs=jobs)
    if arguments.output is None and sys.stdout.isatty():
        # The findings themselves show how far it has come.
        return reports
    return show_progress(reports, len(paths), "checking")


def _write(
    reports: Iterable[Report], totals: Totals, arguments: argparse.Namespace, palette: Palette
) -> Iterator[str]:
    if arguments.format == "json":
        from mdbench.output.json import write_json  # noqa: PLC0415

        yield from write_json(reports)
        return
    from mdbench.output.summary import summarize  # noqa: PLC0415

    if arguments.format == "concise":
        from mdbench.output.concise import write_concise as write  # noqa: PLC0415
    else:
        from mdbench.output.full import write_full as write  # noqa: PLC0415
    yield from write(reports, palette)
    if arguments.statistics:
        yield from _statistics(totals)
    yield summarize(totals, palette) + "\n"


def _statistics(totals: Totals) -> Iterator[str]:
    from mdbench.output.summary import list_statistics  # noqa: PLC0415

    yield from (f"{line}\n" for line in (*list_statistics(totals), ""))
