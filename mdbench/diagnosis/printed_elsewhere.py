"""Numbers that another table or the text prints too: whoever wrote them there meant them."""

from collections.abc import Mapping
from functools import cached_property

from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report

_NUMBER = lazy(r"\d[\d,]*(?:\.\d+)?")
# Shorter numbers are found again by chance.
_FEWEST_DIGITS = 4
_OUTSIDE = -1


class RepeatedNumbers:
    """The long numbers of a report, and where each of them is."""

    def __init__(self, report: Report) -> None:
        self._report = report

    @cached_property
    def _tables(self) -> Mapping[str, int]:
        """The table that has a number, or none, if several have it or the text around them."""
        found: dict[str, int] = {}
        text = self._report.source.text
        spans = [sheet.table.span for sheet in self._report.sheets]
        starts = [0, *(span.end for span in spans)]
        ends = [*(span.start for span in spans), len(text)]
        around = [(_OUTSIDE, *place) for place in zip(starts, ends, strict=True)]
        inside = [(at, *span) for at, span in enumerate(spans)]
        # What is only in the single table confirms nothing.
        for table, start, end in [*around, *(inside if len(inside) > 1 else ())]:
            for match in _NUMBER.finditer(text, start, end):
                number = _plain(match[0])
                if _is_long(number) and found.setdefault(number, table) != table:
                    found[number] = _OUTSIDE
        return found

    def confirm(self, one: Measurement) -> bool:
        """Whether a number is also printed outside of its table."""
        number = _plain(one.typed) if one.typed is not None else ""
        return _is_long(number) and self._tables.get(number, one.table) != one.table


def _plain(text: str) -> str:
    return text.replace(",", "").rstrip(".")


def _is_long(number: str) -> bool:
    """Whether a number has so many significant digits that it is hardly another one."""
    return len(number.replace(".", "").strip("0")) >= _FEWEST_DIGITS
