"""Compare one report with the results that it is bound to."""

from __future__ import annotations

from mdbench.regex import lazy
from mdbench.results.bindings import NumberBinding, TableBinding, find_bindings
from mdbench.results.comparison import BoundNumber, BoundTable, Comparison, compare
from mdbench.results.database import ResultsError, open_results
from mdbench.results.files import ResultFiles
from mdbench.sheets.report import Report

_WORD = lazy(r"\w+")
_NO_FILES = ResultFiles("")


def compare_with(report: Report, files: ResultFiles | None) -> Comparison:
    """Compare a report with the tables of results that its comments name."""
    bindings = list(find_bindings(report.document))
    known = files or _NO_FILES
    words = {word.lower() for one in bindings for word in _WORD.findall(one.sql)}
    named = [name for name, _ in known.patterns if name.lower() in words]
    try:
        with open_results(known, report.vocabulary, only=named) as database:
            return compare(report, database)
    except ResultsError as error:
        problem = str(error)
    tables = (one for one in bindings if isinstance(one, TableBinding))
    numbers = (one for one in bindings if isinstance(one, NumberBinding))
    return Comparison(
        tuple(BoundTable(one, problem=problem) for one in tables),
        tuple(BoundNumber(one, problem=problem) for one in numbers),
    )
