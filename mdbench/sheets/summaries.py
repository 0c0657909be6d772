"""Rows that sum up others and are no runs: a total, an average, a geometric mean."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.markdown.footnotes import drop_findings
from mdbench.markdown.inline import plain_text
from mdbench.numerals.numeral import Form
from mdbench.sheets.columns import Column
from mdbench.sheets.row_meanings import find_aggregates
from mdbench.vocabulary.statistics import statistic_of

_SUMMED = frozenset(("total", "mean", "geomean", "median"))
_FEWEST_SUMMED = 2
# A table with a row for each statistic lists the statistics of one run.
_MOST_KINDS = 2


def find_summaries(columns: Sequence[Column]) -> frozenset[int]:
    """The rows that sum up at least two others, by the words in their first cell."""
    if not columns:
        return frozenset()
    names = {one.run: plain_text(one.cell.raw) for one in columns[0].mains}
    if aggregates := find_aggregates(names):
        return frozenset(aggregates)
    named = {
        one.run: statistic_of(plain_text(drop_findings(one.cell.raw)))
        for one in columns[0].mains
        if one.numeral.form is Form.TEXT
    }
    kinds = {statistic for statistic in named.values() if statistic}
    found = frozenset(run for run, statistic in named.items() if statistic in _SUMMED)
    others = len(columns[0].mains) - len(found)
    if len(kinds) > _MOST_KINDS or others < _FEWEST_SUMMED or not kinds <= _SUMMED:
        return frozenset()
    return found
