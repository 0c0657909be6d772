"""Hovers for cells: the value, the relations that confirm it, and the findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.diagnosis.confirmations import (
    Confirmation,
    find_confirmations,
    find_contradictions,
)
from mdbench.diagnosis.numbers import is_exact
from mdbench.lsp.document_state import Examination
from mdbench.lsp.hover_markdown import show_code, show_list, show_text
from mdbench.lsp.places import (
    Heading,
    find_fact,
    find_heading,
    find_measurements,
    findings_on,
)
from mdbench.markdown.document import Presence
from mdbench.numerals.cell import Form, Numeral, Status
from mdbench.prose.facts import Fact
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Finding
from mdbench.sheets.sheet import Measurement
from mdbench.source import Source, Span
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.meanings import grouped_meanings
from mdbench.vocabulary.quantities import Quantity, Role

_BOUNDS = {"<": "less than", ">": "more than", "≤": "at most", "≥": "at least", "~": "about"}


class Hover(NamedTuple):
    """A Markdown text and the span that it describes."""

    text: str
    span: Span


def describe_place(examination: Examination, offset: int) -> Hover | None:
    """The hover at a position; None outside of cells and stated settings."""
    context = examination.context
    if context is None:
        return None
    said = find_measurements(context, offset)
    if said:
        blocks, span = _describe_cell(context, said), said[0].cell.span
    elif (heading := find_heading(context, offset)) is not None:
        blocks, span = _describe_heading(context, heading), heading.cell.span
    elif (fact := find_fact(context, offset)) is not None:
        blocks, span = _describe_fact(context, fact), fact.span
    else:
        return None
    found = findings_on(examination.findings, span)
    told = (*blocks, *_tell_findings(examination.source, found))
    return Hover("\n\n".join(filter(None, told)), span)


def _describe_cell(context: Context, said: Sequence[Measurement]) -> Iterator[str]:
    told: Quantity | None = None
    for one in said:
        if one.part == 0 or one.quantity not in (None, told):
            yield _introduce(one.header.text, one.quantity)
        told = one.quantity
        yield _tell_value(one)
    if any(one.is_number for one in said):
        yield from _tell_checks(context, said[0].cell.span)


def _introduce(title: str, quantity: Quantity | None) -> str:
    if quantity is None:
        return f"**{show_text(title) or 'no header'}**: unknown quantity"
    meaning = _meaning(quantity.name)
    article = "an" if quantity.role is Role.IDENTITY else "a"
    named = f"**{show_text(title)}** is {show_code(quantity.name)}, {article} {quantity.role}"
    return f"{named}. {meaning}" if meaning else named


def _meaning(name: str) -> str:
    return next((group[name] for group in grouped_meanings().values() if name in group), "")


def _tell_value(one: Measurement) -> str:
    numeral = one.numeral
    if one.cell.presence is Presence.MISSING:
        return "The row ends before this cell."
    if numeral.form is Form.NOTHING or numeral.status is not Status.OK:
        return f"{show_code(one.cell.raw) if one.cell.raw else 'Empty'}: {_status(numeral)}"
    told = _tell_number(numeral, one.amount, one.quantity) or show_code(one.cell.raw)
    marks = f"; marked {show_code(' '.join(numeral.markers))}" if numeral.markers else ""
    note = f"; note: {show_text(numeral.note)}" if numeral.note else ""
    return f"{told}{marks}{note}"


def _status(numeral: Numeral) -> str:
    return "no value" if numeral.status is Status.OK else numeral.status.value


def _tell_number(numeral: Numeral, amount: Amount | None, quantity: Quantity | None) -> str:
    """Value, unit and rounding interval, as in the `cells` frame."""
    value, quantum, unit = numeral.value, numeral.quantum, numeral.unit
    if amount is not None:
        value, quantum, unit = amount.value, amount.quantum, amount.unit.text
    if numeral.form is Form.FLAG or value is None:
        return ""
    told = f"{_write(value)} {unit}".strip()
    if numeral.bound:
        return f"{_BOUNDS[numeral.bound]} {told}"
    if numeral.spread is not None:
        return f"{told}, give or take {_write(numeral.spread)}"
    if quantity is not None and amount is not None and is_exact(quantity, amount):
        return f"{told}, a count" if value == int(value) else told
    half = (quantum or Decimal(0)) / 2
    if not half:
        return told
    return f"{told}, between {_write(value - half)} and {_write(value + half)} before rounding"


def _write(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _tell_checks(context: Context, cell: Span) -> Iterator[str]:
    confirmed = find_confirmations(context.diagnosis, cell)
    contradicted = find_contradictions(context.diagnosis, cell)
    if confirmed:
        yield show_list("Verified by:", [_tell_confirmation(one) for one in confirmed])
    if contradicted:
        yield show_list("Does not hold here:", [show_code(one) for one in contradicted])
    if not confirmed and not contradicted:
        yield "Not verified: nothing in this report recomputes it."


def _tell_confirmation(one: Confirmation) -> str:
    recomputed = f": {show_text(one.recomputed)}" if one.recomputed else ""
    cut = ", if a number was truncated, not rounded" if one.cut else ""
    return f"{show_code(one.formula)}{recomputed}{cut}"


def _describe_heading(context: Context, heading: Heading) -> Iterator[str]:
    header = heading.column.header
    yield _introduce(header.text, header.quantity)
    if header.quantity is None and header.candidates:
        names = " or ".join(show_code(one.name) for one in header.candidates)
        yield f"Ambiguous: it may be {names}."
    if header.unit is not None and header.unit.text:
        yield f"Numbers without a unit are in {show_code(header.unit.text)}."
    numbers = [one.cell.span for one in heading.column.mains if one.is_number]
    if numbers:
        verified = sum(span in context.diagnosis.verified for span in numbers)
        yield f"{verified} of {len(numbers)} numbers verified."


def _describe_fact(context: Context, fact: Fact) -> Iterator[str]:
    yield _introduce(fact.raw, fact.quantity)
    yield _tell_number(fact.numeral, scale(fact.numeral, fact.quantity), fact.quantity)
    lines = [
        context.source.line(sheet.table.span.start)
        for sheet in context.sheets
        if any(one.span == fact.span for one in sheet.facts)
    ]
    if lines:
        places = ", ".join(map(str, lines))
        yield f"Applies to the table{'s' * (len(lines) > 1)} on line {places}."


def _tell_findings(source: Source, found: Iterable[Finding]) -> Iterator[str]:
    for finding in found:
        told = f"**{finding.code}** {finding.severity}, {100 * finding.confidence:.0f} % sure: "
        told += show_text(finding.message)
        yield show_list(told, [_tell_evidence(source, one) for one in finding.evidence])


def _tell_evidence(source: Source, one: Evidence) -> str:
    place = "" if one.span is None else f" (line {source.line(one.span.start)})"
    return f"{show_text(one.label)}{place}"
