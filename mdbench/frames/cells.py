"""The rows of the `cells` frame: one for each statement of a cell or the text around it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from mdbench.diagnosis.bounded import Ends, open_ends
from mdbench.frames.frame_columns import TidyRow
from mdbench.markdown.document import Cell, Presence
from mdbench.numerals.cell import Form, Numeral, Status
from mdbench.numerals.units import COUNTS
from mdbench.prose.claims import Claim
from mdbench.prose.facts import Fact
from mdbench.rules.findings import Marks
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.part_headers import BY_PLACE
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, Span
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.quantities import Quantity

_NO_NUMBER: TidyRow = {"low": None, "high": None, "bound": None, "spread": None}


def cell_rows(report: Report, marks: Marks) -> Iterator[TidyRow]:
    """The cells of all tables of a report; the facts of a table come before its cells."""
    for number, sheet in enumerate(report.sheets, 1):
        section = report.section_title(sheet.table.section)
        origin: TidyRow = {"report": report.source.path, "section": section, "table": number}
        for row in _sheet_rows(report.source, sheet, marks):
            yield {**origin, **row}
    for claim in report.claims:
        yield _claim_row(report, claim)


def _sheet_rows(source: Source, sheet: Sheet, marks: Marks) -> Iterator[TidyRow]:
    for fact in sheet.facts:
        yield {**_fact_row(source, fact), "findings": marks.on((fact.span,))}
    for title, cell in _words(sheet):
        yield {"row": None, **_word_row(source, title, cell)}
    places = {at: place for place, at in enumerate(sheet.layout.rows, 1)}
    for one in sorted(sheet.measurements, key=lambda one: (one.row, one.cell.span, one.part)):
        yield {
            "row": places[one.row],
            **_measured_row(source, sheet, one),
            "verified": _is_verified(one, marks),
            "findings": marks.on((one.cell.span,)),
        }


def _is_verified(one: Measurement, marks: Marks) -> bool | None:
    """Whether a relation confirms a number; None if it is not a number."""
    if one.numeral.value is None or marks.verified is None:
        return None
    if one.part and one.numeral.form is Form.RANGE:
        return one.cell.span in marks.ends
    told = one.part == 0 or (one.bracketed and one.numeral.value > 0 and not one.numeral.bound)
    return told and one.cell.span in marks.verified


def _words(sheet: Sheet) -> Iterator[tuple[str, Cell]]:
    """The cells with words instead of data, each with its header.

    These are additional header lines, group titles and the top row of a transposed table.
    """
    titles = sheet.layout.titles
    rows = [sheet.table.rows[at] for at in sheet.layout.asides]
    if sheet.layout.transposed:
        rows.insert(0, sheet.table.header)
    for row in rows:
        for at, cell in enumerate(row.cells):
            if cell.raw:
                yield titles[at] if at < len(titles) else "", cell


def _word_row(source: Source, title: str, cell: Cell) -> TidyRow:
    return {
        **_place(source, cell.span),
        "header": title,
        "quantity": None,
        "statistic": None,
        "raw": cell.raw,
        "value": None,
        **_NO_NUMBER,
        "unit": None,
        **_said(),
    }


def _measured_row(source: Source, sheet: Sheet, one: Measurement) -> TidyRow:
    numeral = one.numeral
    legends = [sheet.legends[mark].text for mark in numeral.markers if mark in sheet.legends]
    note = "; ".join(dict.fromkeys(filter(None, (numeral.note, *legends))))
    missing = one.cell.presence is Presence.MISSING
    told = one.part == 0 or one.header.why == BY_PLACE
    return {
        **_place(source, one.cell.span),
        "header": one.header.text,
        "quantity": one.quantity.name if one.quantity is not None else None,
        "statistic": (one.header.statistic or None) if told else None,
        "raw": one.cell.raw,
        **_printed(numeral, one.amount, one.quantity),
        **_said(Status.MISSING if missing else numeral.status, numeral.markers, note),
    }


def _fact_row(source: Source, fact: Fact) -> TidyRow:
    amount = scale(fact.numeral, fact.quantity)
    return {
        "row": None,
        **_place(source, fact.span),
        "header": source.cut(fact.span),
        "quantity": fact.quantity.name,
        "statistic": None,
        "raw": fact.raw,
        **_printed(fact.numeral, amount, fact.quantity),
        **_said(),
    }


def _claim_row(report: Report, claim: Claim) -> TidyRow:
    amount = scale(claim.numeral, claim.quantity)
    return {
        "report": report.source.path,
        "section": report.section_title(claim.section),
        "table": None,
        "row": None,
        **_place(report.source, claim.span),
        "header": claim.model,
        "quantity": claim.quantity.name,
        "statistic": None,
        "raw": claim.numeral.text,
        **_printed(claim.numeral, amount, claim.quantity),
        **_said(),
    }


def _place(source: Source, span: Span) -> TidyRow:
    start, end = source.position(span.start), source.position(span.end)
    return {"line": start.line, "column": start.column, "end_column": end.column}


def _said(status: Status = Status.OK, markers: tuple[str, ...] = (), note: str = "") -> TidyRow:
    return {
        "status": status.value,
        "markers": list(markers),
        "note": note or None,
        "verified": None,
        "findings": [],
    }


def _printed(numeral: Numeral, amount: Amount | None, quantity: Quantity | None) -> TidyRow:
    """Value, interval, spread and unit as printed, with suffixes such as `B` multiplied out."""
    value, quantum, unit = numeral.value, numeral.quantum, numeral.unit
    if amount is not None:
        value, quantum, unit = amount.value, amount.quantum, amount.unit.text
    elif quantity is not None and unit.lower() in COUNTS:
        # The suffix is not a unit of the quantity: no number is better than a wrong one.
        value = None
    if numeral.form is Form.FLAG or value is None:
        return {"value": None, **_NO_NUMBER, "unit": unit or None}
    low, high = _ends(value, quantum or Decimal(0), numeral.bound)
    factor = value / numeral.value if numeral.value else 1
    return {
        "value": float(value),
        "low": None if low is None else float(low),
        "high": None if high is None else float(high),
        "bound": numeral.bound or None,
        "spread": None if numeral.spread is None else float(numeral.spread * factor),
        "unit": unit or None,
    }


def _ends(value: Decimal, quantum: Decimal, bound: str) -> Ends:
    if bound:
        return open_ends(value, quantum, bound)
    return value - quantum / 2, value + quantum / 2
