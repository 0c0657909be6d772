"""MB204: a number that is not possible in its unit."""

from __future__ import annotations

from collections.abc import Iterator, Set
from decimal import Decimal

from mdbench.diagnosis.slips import with_number
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Repeat, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.lost_points import LostPoint, find_lost_points
from mdbench.sheets.measurements import CellKey
from mdbench.sheets.sheet import Measurement
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Quantity

_PREFIXES = ("", "k", "M", "G", "T")
_PREFIXED = lazy(r"[kKMGT](?=[A-Z])")


@rule("MB204", "implausible-unit", Severity.WARNING)
def implausible_unit(context: Context) -> Iterator[Violation]:
    """A number is not possible in its unit, such as a clock of 2.2 Hz.

    The prefix of the unit is missing or wrong, and the value is off by a factor of a thousand or
    more. Numbers in parentheses after another number are checked as well.

    If exactly one prefix makes the value possible, it is offered as the fix. The same mistake in
    many cells is one finding.

    So is `2708` in a column in seconds where all others are between 2.6 and 4.9: with the point
    of the others, it is one of them.

    ```bad
    | Nodes | Clock   | TFLOPs |
    |------:|--------:|-------:|
    |     4 |  2.0GHz |   0.86 |
    |     4 | «2.2Hz» |   0.95 |
    ```

    ```good
    | Nodes | Clock   | TFLOPs |
    |------:|--------:|-------:|
    |     4 |  2.0GHz |   0.86 |
    |     4 | 2.2GHz |   0.95 |
    ```
    """
    for sheet in context.sheets:
        for one in sheet.measurements:
            if one.quantity is None or one.amount is None or not one.numeral.unit:
                continue
            value, _, unit = one.amount
            if one.quantity.allows(value, unit):
                continue
            said = f"{value.normalize():f} {one.numeral.unit}"
            message = f"a {one.quantity.words} of {said} is not possible"
            fixes = tuple(_fix(one, one.quantity, value, unit))
            if fixes:
                message += f"; did you mean {fixes[0].edits[0].text}?"
            repeat = Repeat(f"{one.quantity.name} in {one.numeral.unit}")
            yield Violation(one.cell.span, message, fixes=fixes, repeat=repeat)
        for column in sheet.columns:
            for lost in find_lost_points(column):
                if lost.measurement.key not in _blamed(context):
                    yield _without_point(lost)


def _blamed(context: Context) -> Set[CellKey]:
    """The cells that other numbers of the report contradict, which says more."""
    return {key for one in context.diagnosis.contradictions for key in one.cells}


def _without_point(lost: LostPoint) -> Violation:
    one = lost.measurement
    said = f"{one.header.text} {one.numeral.text}"
    text = with_number(one, f"{lost.wanted:f}")
    fixes = (
        (Fix(f"write {text.strip()}", (Edit(one.cell.span, text),), Safety.UNSAFE),) if text else ()
    )
    return Violation(
        one.cell.span,
        f"{said} is a thousand times as large as all others of its column; "
        f"did you mean {lost.wanted:f}?",
        (Evidence(f"the others are between {lost.least:f} and {lost.most:f}"),),
        fixes=fixes,
    )


def _fix(one: Measurement, quantity: Quantity, value: Decimal, unit: Unit) -> Iterator[Fix]:
    base = _PREFIXED.sub("", one.numeral.unit)
    known = (parse_unit(prefix + base) for prefix in _PREFIXES)
    better = [
        other
        for other in known
        if other is not None and other.dimension == unit.dimension and quantity.allows(value, other)
    ]
    place = _find(one)
    if len(better) == 1 and place is not None:
        edit = Edit(place, better[0].text)
        yield Fix(f"write {better[0].text}", (edit,), Safety.UNSAFE)


def _find(one: Measurement) -> Span | None:
    """The place of the unit in the cell, if it is certain."""
    raw, unit = one.cell.raw, one.numeral.unit
    places = [
        at
        for at in range(1, len(raw))
        if raw.startswith(unit, at)
        and (raw[at - 1].isdecimal() or raw[at - 1] in ". ")
        and not (raw[at + len(unit) :][:1].isascii() and raw[at + len(unit) :][:1].isalpha())
    ]
    if len(places) != 1:
        return None
    start = one.cell.span.start + places[0]
    return Span(start, start + len(unit))
