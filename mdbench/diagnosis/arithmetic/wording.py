"""A mismatch in words: what is printed, what it should be, and the calculation in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mdbench.diagnosis.arithmetic.blame import Applied, Mismatch, Operand
from mdbench.diagnosis.arithmetic.grid import Number
from mdbench.diagnosis.arithmetic.laws import Shape
from mdbench.diagnosis.slips import with_number
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_cell
from mdbench.regex import lazy

_LONGEST_TITLE = 24
_SPREAD = lazy(r" ?(?:±|\+/-)")
_LONGEST_LIST = 6
_AVERAGES = {
    Shape.MEAN: "the mean of",
    Shape.GEOMEAN: "the geometric mean of",
    Shape.DEVIATION: "the standard deviation of",
}


def describe_mismatch(mismatch: Mismatch) -> str:
    """`Speedup 2.86 should be 2.68: 11.42 s / 4.26 s (18 other rows of this column agree)`."""
    number, first = mismatch.number, told_by(mismatch)
    name, why = name_number(number), calculation(first)
    if number.measurement.numeral.bound:
        return f"{name} cannot be: {why} ({agreement(first)})"
    if first.operands[0].number is not number:
        why = f"{name_number(first.operands[0].number)} does not follow from {why}"
    return f"{name} should be {wanted_text(number, mismatch.value)}: {why} ({agreement(first)})"


def told_by(mismatch: Mismatch) -> Applied:
    """The law that shows it best: one that gives the number itself."""
    own = (one for one in mismatch.failing if one.operands[0].number is mismatch.number)
    return next(own, mismatch.failing[0])


def name_number(number: Number) -> str:
    """A number with its header, both as they are printed."""
    one = number.measurement
    return f"{shorten(one.header.text)} {printed(number)}".strip()


def name_wanted(number: Number, value: float) -> str:
    """What should be printed, with its header."""
    title = shorten(number.measurement.header.text)
    return f"{title} {wanted_text(number, value)}".strip()


def shorten(title: str) -> str:
    """A header that is short enough for a message."""
    plain = plain_text(title)
    return plain if len(plain) <= _LONGEST_TITLE else plain[: _LONGEST_TITLE - 1].rstrip() + "…"


def printed(number: Number) -> str:
    """A number as it is printed, without the markup around it and what it varies by."""
    text = number.measurement.numeral.text
    return _SPREAD.split(text)[0] or text


def repaired(number: Number, value: float) -> str | None:
    """The text of the cell with what should be printed instead."""
    text, one = number.print_like(value), number.measurement
    if text is None:
        return None
    return with_number(one._replace(pick=one.part) if one.part else one, text)


def wanted_text(number: Number, value: float) -> str:
    """What should be printed instead, with its sign and unit."""
    text = repaired(number, value)
    if text is None:
        return number.print_like(value) or "another number"
    read = read_cell(text)
    part = number.measurement.part
    if part >= len(read):
        return plain_text(text)
    return _SPREAD.split(read[part].text)[0] or read[part].text


def calculation(applied: Applied) -> str:
    """The calculation that gives the result, with its numbers."""
    return _calculate(applied, lambda one: printed(one.number))


def formula(applied: Applied) -> str:
    """The calculation in the names of the report: `Total (s) = Load (s) + Run (s)`."""
    return f"{_title(applied.operands[0])} = {_calculate(applied, _title)}"


def _title(one: Operand) -> str:
    title = plain_text(one.number.measurement.header.text)
    return f"{title} of the baseline" if one.at_base else title


def _calculate(applied: Applied, show: Callable[[Operand], str]) -> str:
    law, terms = applied.found.law, applied.operands[1:]
    if law.shape in _AVERAGES:
        return f"{_AVERAGES[law.shape]} {_listed(terms, show)}"
    if law.shape is Shape.SUM:
        return _sum(terms, show)
    above = [show(one) for one in terms if one.power > 0]
    below = [show(one) for one in terms if one.power < 0]
    if applied.test.row in law.turned or (law.larger and _is_below_one(terms)):
        above, below = below, above
    text = " × ".join(above) or "1"
    if below:
        text += f" / {below[0]}" if len(below) == 1 else f" / ({' × '.join(below)})"
    if law.constant != (1.0, 1.0):
        text = _with_constant(applied, text)
    if law.shape is Shape.CHANGE:
        return f"{text} - 1"
    return f"1 - {text}" if law.shape is Shape.SAVED else text


def _is_below_one(terms: Sequence[Operand]) -> bool:
    product = 1.0
    for one in terms:
        product *= one.number.value**one.power
    return product < 1


def _with_constant(applied: Applied, text: str) -> str:
    """The calculation with its constant, in the units that are printed."""
    constant = sum(applied.found.law.constant) / 2
    for one in applied.operands[1:]:
        constant *= one.number.scale**one.power
    if applied.found.law.shape is Shape.PRODUCT:
        constant /= applied.operands[0].number.scale
    shown = f"{constant:.4g}"
    return f"{shown}{text[1:]}" if text.startswith("1 / ") else f"{text} × {shown}"


def _sum(terms: Sequence[Operand], show: Callable[[Operand], str]) -> str:
    if len(terms) > _LONGEST_LIST:
        return f"the sum of {_listed(terms, show)}"
    plus = " + ".join(show(one) for one in terms if one.power > 0)
    return plus + "".join(f" - {show(one)}" for one in terms if one.power < 0)


def _listed(terms: Sequence[Operand], show: Callable[[Operand], str]) -> str:
    shown = [show(one) for one in terms]
    if len(shown) > _LONGEST_LIST:
        return f"{shown[0]}, {shown[1]}, … {shown[-1]} ({len(shown)} numbers)"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def agreement(applied: Applied) -> str:
    """How many others follow the same calculation."""
    found = applied.found
    what = "column" if found.grid.by_rows else "row"
    count = found.holding
    others = f"{count} other {what}" + ("s" if count != 1 else "")
    return f"{others} agree" if count != 1 else f"{others} agrees"
