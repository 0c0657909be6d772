"""One file from its path to its findings."""

from __future__ import annotations

from dataclasses import dataclass

from mdbench.checker import Options, check_review, report_crash, report_unreadable
from mdbench.reader import read_source, report_name
from mdbench.reports import Coverage, Report
from mdbench.review import Review
from mdbench.selection import EVERY_RULE, Selection
from mdbench.source import Source, SourceError
from mdbench.strips import is_number
from mdbench.workbook import read_workbook


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with each file."""

    selection: Selection = EVERY_RULE
    statistics: bool = False
    stdin_name: str = "<stdin>"


def lint_file(path: str, plan: Plan) -> Report:
    """Check a file; one that cannot be read has a finding that says so."""
    try:
        source = read_source(path, plan.stdin_name)
    except SourceError as error:
        nothing = Source(report_name(path, plan.stdin_name), "")
        return Report(nothing, report_unreadable(str(error), Options(plan.selection)))
    return lint_source(source, plan)


def lint_source(source: Source, plan: Plan) -> Report:
    """Check a text."""
    options = Options(plan.selection)
    try:
        review = Review(read_workbook(source))
        findings = check_review(review, options)
        coverage = measure_coverage(review) if plan.statistics else Coverage()
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        return Report(source, report_crash("reading the report", error, options))
    return Report(source, findings, coverage)


def measure_coverage(review: Review) -> Coverage:
    """How much of a report could be recomputed, and what was lacking."""
    numbers = {
        one.cell.span
        for sheet in review.sheets
        for one in sheet.measurements
        if is_number(one) and one.part == 0
    }
    diagnosis = review.diagnosis
    return Coverage(
        len(numbers),
        len(numbers & diagnosis.verified),
        tuple(sorted(diagnosis.lacking.items())),
    )
