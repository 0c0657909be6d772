"""An unchanged report: its consistent rows, and which changes would break a relation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.products import Verdict
from mdbench.diagnosis.numbers import RunNumbers
from mdbench.diagnosis.repairs.values import CellChange, Repair, RepairKind, amend
from mdbench.linting.checker import check_context
from mdbench.markdown.document import TableKind
from mdbench.relations.catalogue import Constant
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import read_report
from mdbench.source import Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


@dataclass(frozen=True)
class Clean:
    """An unchanged report and its consistent rows."""

    source: Source
    context: Context = field(repr=False)

    @classmethod
    def read(cls, source: Source) -> Clean:
        """Read and lint a report."""
        return cls(source, Context(read_report(source, STANDARD)))

    @property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis of the report."""
        return self.context.diagnosis

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The errors and warnings of the unchanged report."""
        found = check_context(self.context)
        return tuple(one for one in found if one.severity is not Severity.INFO)

    @cached_property
    def rows(self) -> tuple[RunNumbers, ...]:
        """Rows of pipe tables that a relation confirms and that have no finding."""
        blamed = [span for one in self.findings for span in (*one.cells, one.span)]
        return tuple(
            row
            for row in self.diagnosis.rows
            if row.sheet.table.kind is TableKind.PIPE
            and not row.sheet.layout.transposed
            and any(self.confirmed(row))
            and not any(overlap(self.line_of(row), span) for span in blamed)
        )

    def line_of(self, row: RunNumbers) -> Span:
        """The span of the table row of a run."""
        return row.sheet.table.rows[row.run.number].span

    def confirmed(self, row: RunNumbers) -> Iterator[Measurement]:
        """The cells of a row in relations that hold and have enough evidence."""
        for verdict in self.diagnosis.trials.verdicts(row):
            if verdict.fails or not _is_sure(verdict):
                continue
            for variable in verdict.instance.variables:
                if variable.measurement is not None:
                    yield variable.measurement

    def fails_after(self, row: RunNumbers, changes: Sequence[CellChange]) -> bool:
        """Whether a change to cells of a row breaks a relation that holds for it."""
        mine = {one.key for one in row.run.measurements}
        own = tuple(change for change in changes if change.measurement.key in mine)
        after = amend(row, Repair(RepairKind.VALUE, "", own, 0.0))
        for law in self.diagnosis.trials.laws_of(row):
            before, then = law.test(row), law.test(after)
            if before is None or before.fails or then is None or not then.fails:
                continue
            if _is_sure(before):
                return True
        return False

    def table_of(self, row: RunNumbers) -> int:
        """The index of the table that a row is in."""
        return self.context.document.tables.index(row.sheet.table)

    def column_of(self, one: Measurement, row: RunNumbers) -> int:
        """The index of the column that a cell is in."""
        cells = row.sheet.table.rows[one.row].cells
        return next(at for at, cell in enumerate(cells) if cell.span == one.cell.span)


def _is_sure(verdict: Verdict) -> bool:
    """Whether the constant of a relation could be inferred without this row."""
    if verdict.relation.constant is Constant.ONE:
        return True
    return verdict.constant.support > verdict.relation.rows


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans overlap."""
    return one.start < other.end and other.start < one.end
