"""Numbers that another table or the text prints too: whoever wrote them there meant them."""

from collections.abc import Sequence
from functools import cached_property

from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.source import Span

_NUMBER = lazy(r"\d[\d,]*(?:\.\d+)?")
# Shorter numbers are found again by chance.
_FEWEST_DIGITS = 4


class RepeatedNumbers:
    """The long numbers of a report, and where each of them is."""

    def __init__(self, report: Report) -> None:
        self._report = report

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for match in _NUMBER.finditer(self._report.source.text):
            number = _plain(match[0])
            if _is_long(number):
                found.setdefault(number, []).append(match.start())
        return found

    @cached_property
    def _tables(self) -> Sequence[Span]:
        return [sheet.table.span for sheet in self._report.sheets]

    def confirm(self, one: Measurement) -> bool:
        """Whether a number is also printed outside of its table."""
        number = _plain(one.typed) if one.typed is not None else ""
        if not _is_long(number):
            return False
        table = self._tables[one.table]
        return any(not table.start <= place < table.end for place in self._places.get(number, ()))


def _plain(text: str) -> str:
    return text.replace(",", "").rstrip(".")


def _is_long(number: str) -> bool:
    """Whether a number has so many significant digits that it is hardly another one."""
    return len(number.replace(".", "").strip("0")) >= _FEWEST_DIGITS
