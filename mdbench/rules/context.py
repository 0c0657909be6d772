"""What rules can see of a report, each part computed once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mdbench.markdown.comments import may_bind
from mdbench.markdown.document import Document
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, Span

if TYPE_CHECKING:
    from mdbench.diagnosis.diagnosis import Diagnosis
    from mdbench.results.comparison import Comparison
    from mdbench.results.files import ResultFiles


class Context:
    """A report and everything computed from it so far."""

    def __init__(self, report: Report, results: ResultFiles | None = None) -> None:
        self.report = report
        self.results = results

    @property
    def source(self) -> Source:
        """The report's text."""
        return self.report.source

    @property
    def document(self) -> Document:
        """The report's structure."""
        return self.report.document

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The report's tables, interpreted."""
        return self.report.sheets

    @property
    def is_diagnosed(self) -> bool:
        """Whether something asked for the diagnosis."""
        return "diagnosis" in vars(self)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Which numbers agree and which do not. Expensive, so computed on first use."""
        from mdbench.diagnosis.diagnosis import diagnose  # noqa: PLC0415

        return diagnose(self.report)

    @property
    def compared(self) -> frozenset[Span]:
        """The cells that were compared with results, if something asked for that."""
        found: Comparison | None = vars(self).get("comparison")
        tables = found.tables if found is not None else ()
        return frozenset(one.cell.cell.span for table in tables for one in table.cells)

    @cached_property
    def comparison(self) -> Comparison | None:
        """What results say of the report; None if nothing in it is bound to results."""
        if not may_bind(self.source.text):
            return None
        from mdbench.results.asking import compare_with  # noqa: PLC0415 - most reports need none

        return compare_with(self.report, self.results)
