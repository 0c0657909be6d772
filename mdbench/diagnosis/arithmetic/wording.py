"""A mismatch in words: what is printed, what it should be, and the calculation in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from mdbench.diagnosis.arithmetic.applied import Applied, Operand
from mdbench.diagnosis.arithmetic.blame import Mismatch
from mdbench.diagnosis.arithmetic.laws import Shape
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import with_number
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_cell
from mdbench.regex import lazy

_LONGEST_TITLE = 24
_KEPT_START = 12
_WHOLE = 1e-9
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
    if number.source.numeral.bound:
        return f"{name} cannot be: {why} ({agreement(first)})"
    wanted = wanted_text(number, mismatch.value, mismatch.quantum)
    if first.found.law.free:
        return f"{name} should be {wanted}: {_steady(first)}"
    if first.operands[0].number is not number:
        why = _solved(first, number)
    return f"{name} should be {wanted}: {why} ({agreement(first)})"


def _steady(applied: Applied) -> str:
    """`Time (s) × Rate is 1000 in 13 other rows`: what all rows but one have in common."""
    result, *terms = applied.operands
    titles = [shorten(_title(result)), *(shorten(_title(one)) for one in terms if one.power < 0)]
    below = [shorten(_title(one)) for one in terms if one.power > 0]
    constant = sum(applied.found.law.constant) / 2 / result.number.scale
    here = result.number.value / result.number.scale
    for one in terms:
        constant *= one.number.scale**one.power
        here /= (one.number.value / one.number.scale) ** one.power
    text = " / ".join((" × ".join(titles), *below))
    count = count_others(applied)
    if applied.found.law.shape is not Shape.PRODUCT:
        return f"{calculation(applied)} ({count} agree)"
    return f"{text} is {_show(constant)} in {count}, but {_show(here)} here"


def _solved(applied: Applied, number: Number) -> str:
    """The calculation turned around, so that it gives one of its operands."""
    result, *terms = applied.operands
    law = applied.found.law
    mine = next((one for one in terms if one.number is number), None)
    if mine is None or law.shape not in (Shape.PRODUCT, Shape.SUM) or law.base is not None:
        return f"{name_number(result.number)} is {calculation(applied)}"
    others = [one for one in terms if one is not mine]
    if law.shape is Shape.SUM:
        turned = [one._replace(power=-one.power * mine.power) for one in others]
        return _sum([result._replace(power=mine.power), *turned], _printed)
    above = [_printed(one) for one in (result, *others) if _side(one, mine) > 0]
    below = [_printed(one) for one in (result, *others) if _side(one, mine) < 0]
    constant = _constant(applied)
    if constant != 1:
        (below if mine.power > 0 else above).insert(0, _show(constant))
    return _fraction(above, below)


def _side(one: Operand, mine: Operand) -> int:
    """Which side of a fraction an operand is on, if the equation is solved for another one."""
    return mine.power if one.power == 0 else -one.power * mine.power


def told_by(mismatch: Mismatch) -> Applied:
    """The law that shows it best: one that gives the number itself."""
    own = (one for one in mismatch.failing if one.operands[0].number is mismatch.number)
    return next(own, mismatch.failing[0])


def name_number(number: Number) -> str:
    """A number with its header, both as they are printed."""
    one = number.source
    return f"{shorten(one.header.text)} {printed(number)}".strip()


def name_wanted(number: Number, value: float, quantum: Decimal | None = None) -> str:
    """What should be printed, with its header."""
    title = shorten(number.source.header.text)
    return f"{title} {wanted_text(number, value, quantum)}".strip()


def shorten(title: str) -> str:
    """A header that is short enough for a message."""
    plain = plain_text(title)
    if len(plain) <= _LONGEST_TITLE:
        return plain
    # Long headers of one table often differ in their last words.
    start = plain[: _KEPT_START + 1].rpartition(" ")[0] or plain[:_KEPT_START]
    end = plain[len(start) + 1 - _LONGEST_TITLE :]
    return f"{start}…{end.partition(' ')[2] or end}"


def printed(number: Number) -> str:
    """A number as it is printed, without the markup around it and what it varies by."""
    text = number.source.numeral.text
    return _SPREAD.split(text)[0] or text


def repaired(number: Number, value: float, quantum: Decimal | None = None) -> str | None:
    """The text of the cell with what should be printed instead."""
    text, one = number.print_like(value, quantum), number.source
    if text is None:
        return None
    return with_number(one._replace(pick=one.part) if one.part else one, text)


def wanted_text(number: Number, value: float, quantum: Decimal | None = None) -> str:
    """What should be printed instead, with its sign and unit."""
    text = repaired(number, value, quantum)
    if text is None:
        return number.print_like(value) or "another number"
    read = read_cell(text)
    part = number.source.part
    if part >= len(read):
        return plain_text(text)
    return _SPREAD.split(read[part].text)[0] or read[part].text


def calculation(applied: Applied) -> str:
    """The calculation that gives the result, with its numbers."""
    return _calculate(applied, _printed)


def _printed(one: Operand) -> str:
    return printed(one.number)


def formula(applied: Applied, title: Callable[[Operand], str] | None = None) -> str:
    """The calculation in the names of the report: `Total (s) = Load (s) + Run (s)`."""
    name = title or _title
    return f"{name(applied.operands[0])} = {_calculate(applied, name)}"


def _title(one: Operand) -> str:
    title = plain_text(one.number.source.header.text)
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
    constant = _constant(applied)
    if constant != 1:
        above.insert(0, _show(constant)) if not above else above.append(_show(constant))
    text = _fraction(above, below)
    if law.shape is Shape.CHANGE:
        return f"{text} - 1"
    return f"1 - {text}" if law.shape is Shape.SAVED else text


def _is_below_one(terms: Sequence[Operand]) -> bool:
    product = 1.0
    for one in terms:
        product *= one.number.value**one.power
    return product < 1


def _fraction(above: Sequence[str], below: Sequence[str]) -> str:
    text = " × ".join(above) or "1"
    if not below:
        return text
    return f"{text} / {below[0]}" if len(below) == 1 else f"{text} / ({' × '.join(below)})"


def _constant(applied: Applied) -> float:
    """The constant of the calculation, in the units that are printed."""
    law = applied.found.law
    if law.constant == (1.0, 1.0):
        return 1.0
    constant = sum(law.constant) / 2
    for one in applied.operands[1:]:
        constant *= one.number.scale**one.power
    if law.shape is Shape.PRODUCT:
        constant /= applied.operands[0].number.scale
    return constant


def _show(number: float) -> str:
    whole = round(number)
    if whole and abs(number / whole - 1) < _WHOLE:
        return f"{whole:,}"
    return f"{number:.4g}"


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
    verb = "agree" if applied.found.holding != 1 else "agrees"
    return f"{count_others(applied)} {verb}"


def count_others(applied: Applied) -> str:
    """How many other rows or columns follow the same calculation."""
    found = applied.found
    what = "column" if found.grid.by_rows else "row"
    return f"{found.holding} other {what}" + ("s" if found.holding != 1 else "")
