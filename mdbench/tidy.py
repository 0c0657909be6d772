"""Sheets as tidy rows of plain values: what the `runs` and `cells` frames hold.

Decimals become floats and whole numbers here, at the very end, in the unit that the column names.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from mdbench.claims import Claim
from mdbench.facts import Fact
from mdbench.grid import Presence
from mdbench.markup import plain_text
from mdbench.moments import read_date
from mdbench.numerals import Form, Numeral, Status, read_flag
from mdbench.quantities import Quantity, Role, quantities
from mdbench.readings import Amount, scale
from mdbench.sheet import Measurement, Record, Sheet
from mdbench.source import Source, Span
from mdbench.units import COUNTS
from mdbench.workbook import Workbook

Value = str | int | float | bool | list[str] | dict[str, str] | None
TidyRow = dict[str, Value]
_GREATEST_INTEGER = 2**63 - 1


class Shape(StrEnum):
    """The two tidy frames."""

    RUNS = "runs"
    CELLS = "cells"


class Kind(StrEnum):
    """What a column of a frame holds."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    FLAG = "yes or no"
    TEXTS = "list of texts"
    MAP = "map of texts"


class Field(NamedTuple):
    """One column of a frame. `unit` is empty for what has none."""

    name: str
    kind: Kind
    unit: str = ""


_ORIGIN = (
    Field("report", Kind.TEXT),
    Field("section", Kind.TEXT),
    Field("table", Kind.WHOLE),
    Field("row", Kind.WHOLE),
    Field("line", Kind.WHOLE),
)
_IN_RUNS = frozenset((Role.SETTING, Role.IDENTITY, Role.MEASUREMENT))


def fields(shape: Shape) -> tuple[Field, ...]:
    """The columns of a frame: always the same, whatever a report holds."""
    return _run_fields() if shape is Shape.RUNS else _CELL_FIELDS


def tidy_rows(workbook: Workbook, shape: Shape) -> Iterator[TidyRow]:
    """The rows of a report in one of the frames."""
    return _runs(workbook) if shape is Shape.RUNS else _cells(workbook)


def _run_fields() -> tuple[Field, ...]:
    return (
        *_ORIGIN,
        Field("source", Kind.TEXT),
        Field("status", Kind.TEXT),
        Field("markers", Kind.TEXTS),
        Field("notes", Kind.TEXT),
        Field("findings", Kind.TEXTS),
        Field("date", Kind.TEXT),
        *(
            Field(one.name, _kind(one), one.unit.text)
            for one in quantities().values()
            if one.role in _IN_RUNS
        ),
        Field("extra", Kind.MAP),
    )


_CELL_FIELDS = (
    *_ORIGIN,
    Field("column", Kind.WHOLE),
    Field("end_column", Kind.WHOLE),
    Field("header", Kind.TEXT),
    Field("quantity", Kind.TEXT),
    Field("raw", Kind.TEXT),
    Field("value", Kind.NUMBER),
    Field("low", Kind.NUMBER),
    Field("high", Kind.NUMBER),
    Field("unit", Kind.TEXT),
    Field("status", Kind.TEXT),
    Field("markers", Kind.TEXTS),
    Field("note", Kind.TEXT),
    Field("verified", Kind.FLAG),
    Field("findings", Kind.TEXTS),
)


def _kind(quantity: Quantity) -> Kind:
    if quantity.text:
        return Kind.TEXT
    if quantity.flag:
        return Kind.FLAG
    return Kind.WHOLE if quantity.integer else Kind.NUMBER


def _runs(workbook: Workbook) -> Iterator[TidyRow]:
    blank: TidyRow = dict.fromkeys(field.name for field in _run_fields())
    for number, sheet in enumerate(workbook.sheets, 1):
        if not sheet.tells_something:
            continue
        for record in sheet.records:
            yield {**blank, **_origin(workbook, sheet, number, record), **_run(sheet, record)}
    for claim in workbook.claims:
        yield {**blank, **_claim(workbook, claim)}


def _origin(workbook: Workbook, sheet: Sheet, number: int, record: Record) -> TidyRow:
    rows = sheet.layout.rows
    return {
        "report": workbook.source.path,
        "section": _section_title(workbook, sheet.table.section),
        "table": number,
        "row": record.row if sheet.layout.transposed else rows.index(record.row) + 1,
        "line": workbook.source.line(record.span.start),
        "source": sheet.table.kind.value,
    }


def _section_title(workbook: Workbook, section: int) -> str:
    return plain_text(workbook.document.sections[section].title) if section >= 0 else ""


def _run(sheet: Sheet, record: Record) -> TidyRow:
    values: TidyRow = {}
    extra: dict[str, str] = {}
    if record.label:
        extra[sheet.layout.titles[0] or "column"] = record.label
    for measurement in record.measurements:
        if measurement.part == 0 or measurement is record.values.get(_name(measurement)):
            _place(values, extra, record, measurement)
    for quantity, numeral in record.settings:
        _fill(values, quantity, numeral, scale(numeral, quantity))
    for fact in record.facts:
        _fill(values, fact.quantity, fact.numeral, scale(fact.numeral, fact.quantity), fact.raw)
    return {
        **values,
        "status": record.status.value,
        "markers": list(
            dict.fromkeys(m for one in record.measurements for m in one.numeral.markers)
        ),
        "notes": _notes(sheet, record),
        "findings": [],
        "date": _date(record),
        "extra": extra,
    }


def _name(measurement: Measurement) -> str:
    return measurement.quantity.name if measurement.quantity is not None else ""


def _place(
    values: TidyRow, extra: dict[str, str], record: Record, measurement: Measurement
) -> None:
    """A measurement goes into its quantity's column or, where it does not fit one, into `extra`."""
    quantity, numeral, cell = measurement.quantity, measurement.numeral, measurement.cell
    if quantity is not None and quantity.role in _IN_RUNS:
        mine = record.values.get(quantity.name)
        wanted = mine is measurement or (mine is None and (quantity.text or quantity.flag))
        if wanted and _fill(values, quantity, numeral, measurement.amount, cell.raw):
            return
        if numeral.form is Form.NOTHING:
            return
    elif quantity is not None and quantity.name in ("notes", "date"):
        return
    if cell.raw and measurement.part == 0:
        _keep(extra, measurement.header.text, cell.raw)


def _keep(extra: dict[str, str], title: str, raw: str) -> None:
    name, count = title, 1
    while name in extra:
        count += 1
        name = f"{title} ({count})"
    extra[name] = raw


def _fill(
    values: TidyRow, quantity: Quantity, numeral: Numeral, amount: Amount | None, raw: str = ""
) -> bool:
    """Write a value into its column if it can stand there and nothing stands there yet."""
    value = column_value(quantity, numeral, amount, raw)
    if value is None or values.get(quantity.name) is not None:
        return False
    values[quantity.name] = value
    return True


def column_value(
    quantity: Quantity, numeral: Numeral, amount: Amount | None, raw: str
) -> str | int | float | bool | None:
    """A value in the unit of its quantity's column, or None where it cannot stand there."""
    if quantity.text:
        return plain_text(raw or numeral.text) or None if numeral.form is not Form.NOTHING else None
    if quantity.flag:
        return read_flag(numeral.text)
    if amount is None:
        return None
    number = quantity.convert(amount.value, amount.unit)
    if not quantity.integer:
        return float(number)
    whole = number == number.to_integral_value() and abs(number) <= _GREATEST_INTEGER
    return int(number) if whole else None


def _notes(sheet: Sheet, record: Record) -> str | None:
    notes: dict[str, None] = {}
    for one in record.measurements:
        if one.part == 0 and _is_note(one) and one.numeral.form is Form.TEXT:
            notes[plain_text(one.cell.raw)] = None
        elif one.numeral.note:
            notes[one.numeral.note] = None
        for marker in one.numeral.markers:
            if marker in sheet.legends:
                notes[sheet.legends[marker].text] = None
    return "; ".join(notes) or None


def _is_note(one: Measurement) -> bool:
    return one.quantity is not None and one.quantity.name == "notes"


def _date(record: Record) -> str | None:
    for one in record.measurements:
        if one.numeral.form is Form.DATE:
            return read_date(one.numeral.text)
    return None


def _claim(workbook: Workbook, claim: Claim) -> TidyRow:
    return {
        "report": workbook.source.path,
        "section": _section_title(workbook, claim.section),
        "line": workbook.source.line(claim.span.start),
        "source": "prose",
        "status": Status.OK.value,
        "markers": [],
        "findings": [],
        "model": claim.model,
        "device": claim.device,
        "devices": int(claim.devices.value or 0) or None,
        claim.quantity.name: column_value(
            claim.quantity, claim.numeral, scale(claim.numeral, claim.quantity), ""
        ),
        "extra": {},
    }


def _cells(workbook: Workbook) -> Iterator[TidyRow]:
    for number, sheet in enumerate(workbook.sheets, 1):
        section = _section_title(workbook, sheet.table.section)
        origin: TidyRow = {"report": workbook.source.path, "section": section, "table": number}
        for fact in sheet.facts:
            yield {**origin, "row": None, **_fact_cell(workbook.source, fact)}
        ordered = sorted(sheet.measurements, key=lambda one: (one.row, one.cell.span, one.part))
        for one in ordered:
            row = sheet.layout.rows.index(one.row) + 1
            yield {**origin, "row": row, **_cell(workbook.source, sheet, one)}
    for claim in workbook.claims:
        yield _claim_cell(workbook, claim)


def _place_of(source: Source, span: Span) -> TidyRow:
    start, end = source.position(span.start), source.position(span.end)
    return {"line": start.line, "column": start.column, "end_column": end.column}


def _cell(source: Source, sheet: Sheet, one: Measurement) -> TidyRow:
    numeral, amount = one.numeral, one.amount
    legends = [sheet.legends[m].text for m in numeral.markers if m in sheet.legends]
    note = "; ".join(dict.fromkeys(filter(None, (numeral.note, *legends))))
    missing = one.cell.presence is Presence.MISSING
    return {
        **_place_of(source, one.cell.span),
        "header": one.header.text,
        "quantity": one.quantity.name if one.quantity is not None else None,
        "raw": one.cell.raw,
        **_printed(numeral, amount, one.quantity),
        "status": Status.MISSING.value if missing else numeral.status.value,
        "markers": list(numeral.markers),
        "note": note or None,
        "verified": None,
        "findings": [],
    }


def _printed(numeral: Numeral, amount: Amount | None, quantity: Quantity | None) -> TidyRow:
    """Value, bounds and unit as they are printed: letters such as `B` are multiplied out."""
    if amount is not None:
        value, quantum, unit = amount.value, amount.quantum, amount.unit.text
    elif quantity is not None and numeral.unit.lower() in COUNTS:
        # The letter means nothing that the quantity could have: no number rather than a wrong one.
        value, quantum, unit = None, None, numeral.unit
    else:
        value, quantum, unit = numeral.value, numeral.quantum, numeral.unit
    if numeral.form is Form.FLAG or value is None:
        return {"value": None, "low": None, "high": None, "unit": unit or None}
    half = (quantum or Decimal(0)) / 2
    return {
        "value": float(value),
        "low": float(value - half),
        "high": float(value + half),
        "unit": unit or None,
    }


def _fact_cell(source: Source, fact: Fact) -> TidyRow:
    amount = scale(fact.numeral, fact.quantity)
    return {
        **_place_of(source, fact.span),
        "header": source.cut(fact.span),
        "quantity": fact.quantity.name,
        "raw": fact.raw,
        **_printed(fact.numeral, amount, fact.quantity),
        "status": Status.OK.value,
        "markers": [],
        "note": None,
        "verified": None,
        "findings": [],
    }


def _claim_cell(workbook: Workbook, claim: Claim) -> TidyRow:
    amount = scale(claim.numeral, claim.quantity)
    return {
        "report": workbook.source.path,
        "section": _section_title(workbook, claim.section),
        "table": None,
        "row": None,
        **_place_of(workbook.source, claim.span),
        "header": claim.model,
        "quantity": claim.quantity.name,
        "raw": claim.numeral.text,
        **_printed(claim.numeral, amount, claim.quantity),
        "status": Status.OK.value,
        "markers": [],
        "note": None,
        "verified": None,
        "findings": [],
    }
