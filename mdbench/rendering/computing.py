"""Compute missing derived cells from the relations that hold in the rest of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.bindings import bound
from mdbench.diagnosis.laws.instances import Instance, apply, group_key
from mdbench.diagnosis.laws.products import Law
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunKey, RunNumbers
from mdbench.linting.checker import check_context
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.markdown.footnotes import next_number
from mdbench.numerals.cell import Form, Numeral, Status
from mdbench.numerals.precision import Precision, find_precision
from mdbench.rendering.column_formulas import tell_formula
from mdbench.rendering.definitions import add_definitions
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import read_report
from mdbench.source import Edit, Source
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

_ARITHMETIC = "MB3"
_ONE = Numeral(Form.NUMBER, "1", Decimal(1), Decimal(1))


class _Computed(NamedTuple):
    """A cell, its new text, and the formula behind it."""

    cell: Measurement
    text: str
    formula: str


def recompute(source: Source, vocabulary: Vocabulary) -> Source:
    """Fill in missing derived cells, each with a footnote that says so."""
    context = Context(read_report(source, vocabulary))
    troubled = _troubled_rows(context, check_context(context, WITHOUT_RESULTS))
    filled = [one for row in context.diagnosis.rows if row.key not in troubled
              for one in _compute_row(context.diagnosis, row, troubled)]  # fmt: skip
    return source.edited(_write(context, filled)) if filled else source


def _troubled_rows(context: Context, findings: Sequence[Finding]) -> frozenset[RunKey]:
    """The rows that contain a wrong number."""
    spans = [
        span
        for finding in findings
        if finding.code.startswith(_ARITHMETIC)
        for span in (finding.span, *finding.cells)
    ]
    return frozenset(
        row.key
        for row in context.diagnosis.rows
        if any(
            span.start <= one.cell.span.start <= span.end for span in spans for one in row.run.own
        )
    )


def _compute_row(
    diagnosis: Diagnosis, row: RunNumbers, troubled: frozenset[RunKey]
) -> Iterator[_Computed]:
    stopped = row.run.status in (Status.OOM, Status.FAILED)
    if stopped or not row.sheet.table.takes_footnotes:
        return
    for one in row.run.own:
        quantity = one.quantity
        if quantity is None or quantity.name in row.variables or not _is_gap(one, quantity):
            continue
        peers = list(_peers(diagnosis, row, one, troubled))
        precision = find_precision([peer.numeral for peer in peers])
        if precision is None:
            continue
        found = [
            computed
            for law in _laws(diagnosis, row, quantity)
            if (computed := _solve(law, row, one, precision)) is not None
        ]
        if found and len({computed.text for computed in found}) == 1:
            yield found[0]


def _is_gap(one: Measurement, quantity: Quantity) -> bool:
    """Whether a result is missing, and nothing says why."""
    numeral = one.numeral
    return (
        quantity.role is Role.MEASUREMENT
        and one.part == 0
        and one.cell.present
        and numeral.form is Form.NOTHING
        and numeral.status is Status.MISSING
        and not numeral.note
        and not numeral.markers
    )


def _peers(
    diagnosis: Diagnosis,
    row: RunNumbers,
    gap: Measurement,
    troubled: frozenset[RunKey],
) -> Iterator[Measurement]:
    """The numbers of the column; if it has none, those of columns with the same header."""
    known = [
        (other.sheet is row.sheet, one)
        for other in diagnosis.rows
        if other.key not in troubled
        for one in other.run.own
        if one.quantity is gap.quantity
        and one.header.text == gap.header.text
        and one.numeral.form is Form.NUMBER
    ]
    own = [one for here, one in known if here]
    return iter(own or [one for _, one in known])


def _laws(diagnosis: Diagnosis, row: RunNumbers, quantity: Quantity) -> Iterator[Law]:
    """The laws of a quantity in this table; a formula of the report holds in all tables."""
    laws = [
        law
        for law in diagnosis.laws
        if law.relation.result == quantity.name and not law.relation.slack
    ]
    here = [law for law in laws if law.sheet is row.sheet]
    stated = [law for law in laws if law.relation.printed and law.relation.tables is None]
    return iter(here or stated[:1])


def _solve(law: Law, row: RunNumbers, gap: Measurement, precision: Precision) -> _Computed | None:
    quantity = gap.quantity
    amount = None if quantity is None else scale(_ONE, quantity, gap.header.unit)
    if quantity is None or amount is None:
        return None
    unit = float(amount.unit.scale)
    wanted = Number(unit, unit, unit, unit, unit, quantity, gap)
    instance = apply(law.relation, {**bound(row, law.binding), quantity.name: wanted})
    solved = _interval(instance, wanted, law, row) if instance is not None else None
    if instance is None or solved is None:
        return None
    value = (solved[0] + solved[1]) / 2 / unit
    text = precision.write(value)
    # More digits than the inputs allow would claim a precision that nobody measured.
    half = precision.quantum(value) / 2
    if text is None or (solved[1] - solved[0]) / 2 / unit > 2 * half:
        return None
    return _Computed(gap, text, tell_formula(instance, wanted, value))


def _interval(
    instance: Instance, wanted: Number, law: Law, row: RunNumbers
) -> tuple[float, float] | None:
    constant = law.constants.get(group_key(instance, row.run))
    if constant is None:
        return None
    solved = instance.solve(wanted, constant.low, constant.high)
    return solved if solved is not None and 0 < solved[0] <= solved[1] else None


def _write(context: Context, filled: Sequence[_Computed]) -> Iterator[Edit]:
    number = next_number(context.source.text, "computed")
    for sheet in context.sheets:
        inside = {one.cell.span for one in sheet.measurements}
        marks: dict[str, str] = {}
        for one in filled:
            if one.cell.cell.span not in inside:
                continue
            mark = marks.setdefault(one.formula, f"[^computed-{number + len(marks)}]")
            padding = "" if one.cell.cell.raw else " "
            yield Edit(one.cell.cell.span, f"{padding}{one.text}{mark}{padding}")
        if marks:
            texts = [f"{mark}: computed by mdbench: {told}" for told, mark in marks.items()]
            yield add_definitions(context.document, sheet.table, texts)
        number += len(marks)
