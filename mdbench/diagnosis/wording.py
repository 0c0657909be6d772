"""A wrong number in words: what is printed, what it should be, and the calculation in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial

from mdbench.diagnosis.arithmetic.applied import Applied
from mdbench.diagnosis.arithmetic.laws import Shape
from mdbench.diagnosis.arithmetic.words import says_share
from mdbench.diagnosis.checks import Check, Operand
from mdbench.diagnosis.laws.computed import Computed
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import with_number
from mdbench.diagnosis.thresholds import NOISE
from mdbench.markdown.inline import plain_text
from mdbench.prose.expressions import Expression, Name, spell, substitute
from mdbench.regex import lazy
from mdbench.relations.catalogue import Constant
from mdbench.sheets.measurements import swap_separators
from mdbench.vocabulary.quantities import Role

Show = Callable[[Operand], str]
"""How an operand is written: as it is printed, with its name, or its name alone."""
_LONGEST_TITLE = 32
_KEPT_START = 16
_DIGITS = 4
# A constant below this is turned around: nobody knows what 0.002618 of a row stands for.
_SMALL = 0.01
_SPREAD = lazy(r" ?(?:±|\+/-)")
_LONGEST_LIST = 6
_NO_UNITS: Mapping[str, float] = {}
_AVERAGES = {
    Shape.MEAN: "the mean of",
    Shape.GEOMEAN: "the geometric mean of",
    Shape.MEDIAN: "the median of",
    Shape.HARMONIC: "the harmonic mean of",
    Shape.DEVIATION: "the standard deviation of",
}


def describe_wrong(number: Number, wanted: str, check: Check) -> str:
    """`Speedup 2.86 should be 2.68: 11.42 s / 4.26 s (18 other rows of this column agree)`."""
    name = name_number(number)
    agreed = agreement(check)
    told = f" ({agreed})" if agreed else ""
    if number.bounded:
        return f"{name} cannot be: {calculation(check)}{told}"
    count = count_others(check)
    if check.told_by_rows and count:
        return f"{name} should be {wanted}: {_steady(check, count)}"
    return f"{name} should be {wanted}: {recompute(check, number)}{told}"


def describe_contradiction(failing: Sequence[Check]) -> str:
    """`DP 64 × TP 2 × PP 1 = 128, but Nodes is 64`: numbers of which any one may be wrong."""
    check = next((one for one in failing if not one.told_by_rows), failing[0])
    number, count = check.operands[0].number, count_others(check)
    if check.told_by_rows and count:
        return _steady(check, count)
    value = check.compute(number.place) if number.place is not None else None
    exact = value is not None and not (check.bounded or check.rough)
    wanted = wanted_text(number, value) if value is not None and exact else ""
    if not wanted or wanted == printed(number):
        return f"{_listed_names(failing)} contradict each other"
    result = recompute(check, number, lambda one: name_number(one.number))
    return f"{result} = {wanted}, but {shorten(number.source.header.text)} is {printed(number)}"


def _listed_names(failing: Sequence[Check]) -> str:
    titles = dict.fromkeys(
        shorten(operand.number.measurement.header.text)
        for check in failing
        for operand in check.operands
        if operand.number.measurement is not None
    )
    *most, last = titles
    return f"{', '.join(most)} and {last}" if most else last


def told_by(number: Number, failing: Sequence[Check]) -> Check:
    """The law that shows best that a number is wrong: one that gives the number itself."""
    known = [one for one in failing if not one.told_by_rows] or failing
    own = (one for one in known if one.operands[0].place == number.place)
    touching = (one for one in known if any(each.place == number.place for each in one.operands))
    return next(own, None) or next(touching, failing[0])


def _steady(check: Check, count: str) -> str:
    """`Time (s) × Rate is 1000 in 13 other rows`: what all rows but one have in common."""
    result, *terms = check.operands
    if isinstance(check, Applied) and check.found.law.shape is not Shape.PRODUCT:
        return f"{calculation(check)} ({count} agree)"
    titles = [_short(result), *(_short(one) for one in terms if one.power < 0)]
    below = [_short(one) for one in terms if one.power > 0]
    here = result.number.value / _unit(result.number)
    for one in terms:
        here /= (one.number.value / _unit(one.number)) ** one.power
    constant = _constant(check)
    if len(below) > len(titles) or (below and constant < _SMALL):
        titles, below, here, constant = below, titles, 1 / here, 1 / constant
    text, steady = " / ".join((" × ".join(titles), *below)), _show(constant)
    return f"{text} is {steady} in {count}, but {_show(here)} here"


def recompute(check: Check, number: Number, show: Show | None = None) -> str:
    """The calculation that gives a number of a law, turned around if it is not the result."""
    show, result = show or _printed, check.operands[0].number
    text = _calculate(check, show) if result.place == number.place else _solve(check, number, show)
    # A number in another unit is no calculation without its name.
    others = (one.number for one in check.operands if one.place != number.place)
    return next((name_number(one) for one in others if printed(one) == text), text)


def _solve(check: Check, number: Number, show: Show) -> str:
    result, *terms = check.operands
    shape = _shape(check)
    mine = next((one for one in terms if one.place == number.place), None)
    if shape is None:
        return formula(check)
    if mine is None or shape not in (Shape.PRODUCT, Shape.SUM) or not _can_be_solved(check):
        return f"{name_number(result.number)} is not {calculation(check)}"
    others = [one for one in terms if one is not mine]
    if shape is Shape.SUM:
        turned = [one._replace(power=-one.power * mine.power) for one in others]
        return _sum([result._replace(power=mine.power), *turned], show)
    above = [_raised(one, show) for one in (result, *others) if _side(one, mine) > 0]
    below = [_raised(one, show) for one in (result, *others) if _side(one, mine) < 0]
    constant = _constant(check) ** -mine.power
    text = _fraction(above, below, constant)
    return f"{text} - 1" if mine.number.offset else text


def _can_be_solved(check: Check) -> bool:
    """Whether a calculation can be written the other way round in a line."""
    law = check.found.law if isinstance(check, Applied) else None
    plain = law is None or (law.scale == 1 and not law.larger and not law.turned)
    return plain and (law is None or law.base is None or law.shape is Shape.PRODUCT)


def _side(one: Operand, mine: Operand) -> int:
    """Which side of a fraction an operand is on, if the equation is solved for another one."""
    return mine.power if one.power == 0 else -one.power * mine.power


def _shape(check: Check) -> Shape | None:
    """How the numbers make up the result; None for an equation of another kind."""
    if isinstance(check, Applied):
        return check.found.law.shape
    is_product = isinstance(check, Verdict) and not isinstance(check.instance, Computed)
    return Shape.PRODUCT if is_product else None


def name_number(number: Number) -> str:
    """A number with its header, both as they are printed."""
    one = number.measurement
    return f"{shorten(one.header.text)} {printed(number)}".strip() if one else printed(number)


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
    words = plain.split(" ")
    start = plain[: _KEPT_START + 1].rpartition(" ")[0] or _whole(words[0], plain[:_KEPT_START])
    room = max(_LONGEST_TITLE - len(start) - 1, 1)
    end = plain[-room:].partition(" ")[2] or _whole(words[-1], plain[-room:])
    return f"{start}…{end}" if len(start) + len(end) < len(plain) else plain


def _whole(word: str, part: str) -> str:
    """A word, unless it is so long that a part of it must do."""
    return word if len(word) <= _LONGEST_TITLE else part


def printed(number: Number) -> str:
    """A number as it is printed, without the markup around it and what it varies by."""
    if number.measurement is None:
        raw = number.fact.raw if number.fact is not None else _show(number.value / number.scale)
        return f"{number.quantity.words} {raw}"
    text = number.measurement.numeral.text
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
        plain = number.print_like(value) or "another number"
        return swap_separators(plain) if number.source.has_decimal_comma else plain
    read = number.source.read(text)
    part = number.source.part
    if part >= len(read):
        return plain_text(text)
    return _SPREAD.split(read[part].text)[0] or read[part].text


def calculation(check: Check) -> str:
    """The calculation that gives the result, with its numbers."""
    return _calculate(check, _printed)


def _printed(one: Operand) -> str:
    """A number as it is printed; a count says nothing without its name."""
    number = one.number
    named = number.exact and number.quantity.role is Role.SETTING
    return name_number(number) if named else printed(number)


def formula(check: Check, title: Show | None = None) -> str:
    """The calculation in the names of the report: `Total (s) = Load (s) + Run (s)`."""
    law = check.found.law if isinstance(check, Applied) else None
    moves = law is not None and law.base is not None and law.base.moves
    name = title or (partial(_title, base="the row above") if moves else _title)
    return f"{name(check.operands[0])} = {_calculate(check, name)}"


def _title(one: Operand, base: str = "the baseline") -> str:
    place = one.number.measurement
    title = plain_text(place.header.text) if place is not None else one.number.quantity.words
    return f"{title} of {base}" if one.at_base else title


def _short(one: Operand) -> str:
    return f"(1 + {shorten(_title(one))})" if one.number.offset else shorten(_title(one))


def _calculate(check: Check, show: Show) -> str:
    terms, shape = check.operands[1:], _shape(check)
    if shape in _AVERAGES:
        return f"{_AVERAGES[shape]} {_listed(terms, show)}"
    if shape is Shape.SUM:
        return _sum(terms, show)
    if isinstance(check, Verdict) and isinstance(check.instance, Computed):
        return _spell(check.instance, show)
    above = [_raised(one, show) for one in terms if one.power > 0]
    below = [_raised(one, show) for one in terms if one.power < 0]
    if isinstance(check, Applied):
        law = check.found.law
        if check.test.row in law.turned or (law.larger and _is_below_one(terms)):
            above, below = below, above
    text = _fraction(above, below, _constant(check))
    if shape is Shape.CHANGE or check.operands[0].number.offset:
        return f"{text} - 1"
    return f"1 - {text}" if shape is Shape.SAVED else text


def _spell(instance: Computed, show: Show) -> str:
    """The right side of an equation."""
    names: dict[str, Expression] = {
        name: Name(show(Operand(one, 1))) for name, one in instance.operands
    }
    return spell(substitute(instance.right, names))


def _raised(one: Operand, show: Show) -> str:
    return raised(f"(1 + {show(one)})" if one.number.offset else show(one), one.power)


def raised(text: str, power: int) -> str:
    """A factor with its power, as far as that needs to be said."""
    return text if abs(power) <= 1 else f"{text} ^ {abs(power)}"


def _is_below_one(terms: Sequence[Operand]) -> bool:
    product = 1.0
    for one in terms:
        product *= one.number.value**one.power
    return product < 1


def _fraction(above: Sequence[str], below: Sequence[str], constant: float) -> str:
    over, under = list(above), list(below)
    if abs(constant - 1) > NOISE:
        over.append(_show(constant)) if constant > 1 else under.append(_show(1 / constant))
    text = " × ".join(over) or "1"
    if not under:
        return text
    return f"{text} / {under[0]}" if len(under) == 1 else f"{text} / ({' × '.join(under)})"


def _constant(check: Check) -> float:
    """The constant of the calculation, in the units that are printed, or that a formula names."""
    result, *terms = check.operands
    units: dict[str, float] = {}
    if isinstance(check, Applied):
        law = check.found.law
        ends = law.constant_in(check.test.row)
        if ends == (1.0, 1.0):
            return 1.0
        constant = sum(ends) / 2
        title = check.found.grid.lines[law.result].title
        if law.shape is not Shape.PRODUCT or law.named or says_share(title):
            # People write a share as a ratio, and know that it is printed in per cent.
            result = result._replace(number=result.number._replace(scale=1.0))
    elif isinstance(check, Verdict):
        constant = check.multiplier
        units = dict(check.relation.units)
    else:
        return 1.0
    for one in terms:
        constant *= _unit(one.number, units) ** one.power
    return constant / _unit(result.number, units)


def _unit(number: Number, units: Mapping[str, float] = _NO_UNITS) -> float:
    """What one of the digits before the point stands for: a formula may count the `B` of `52B`."""
    if number.offset:
        return 1.0
    wanted = units.get(number.quantity.name, number.scale)
    typed = number.measurement.typed if number.measurement is not None else None
    digits = float(typed.replace(",", "")) if typed else 0.0
    return wanted if digits and abs(number.value / (digits * wanted) - 1) < NOISE else number.scale


def _show(number: float) -> str:
    whole = round(number)
    return f"{whole:,}" if whole and abs(number / whole - 1) < NOISE else round_number(number)


def round_number(number: float) -> str:
    """Format a number with a few digits, without an exponent if possible."""
    rounded = Decimal(f"{number:.{_DIGITS}g}")
    if rounded == rounded.to_integral_value() and abs(number) < 10**15:
        return str(round(number)) if abs(number - round(number)) < 1e-6 else f"{rounded:f}"
    return f"{rounded:f}" if abs(rounded) > Decimal("1e-6") else f"{rounded}"


def _sum(terms: Sequence[Operand], show: Show) -> str:
    if len(terms) > _LONGEST_LIST:
        return f"the sum of {_listed(terms, show)}"
    plus = " + ".join(show(one) for one in terms if one.power > 0)
    return plus + "".join(f" - {show(one)}" for one in terms if one.power < 0)


def _listed(terms: Sequence[Operand], show: Show) -> str:
    shown = [show(one) for one in terms]
    if len(shown) > _LONGEST_LIST:
        return f"{shown[0]}, {shown[1]}, … {shown[-1]} ({len(shown)} numbers)"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def agreement(check: Check) -> str:
    """How many others follow the same calculation, or who says that it is so."""
    if isinstance(check, Verdict):
        relation = check.relation
        if relation.printed or relation.stated or relation.model:
            return relation.name
        if relation.constant is Constant.WHOLE and check.constant.low != 1:
            return f"{_devices(check)}, as in {count_others(check)}"
    count = count_others(check)
    if not count:
        return "the best of its row" if check.told_by_rows else ""
    return f"{count} agrees" if count.startswith("1 ") else f"{count} agree"


def _devices(verdict: Verdict) -> str:
    """An integer constant in words: devices per node if only the nodes are known."""
    number = round_number(verdict.constant.low)
    by_nodes = any(one.quantity.name == "nodes" for one in verdict.instance.variables)
    return f"{number} devices per node" if by_nodes else f"{number} times"


def _count_of_kind(check: Applied) -> int:
    found = check.found
    if found.law.constants is None:
        return found.holding
    mine = found.law.constants[check.test.row]
    return sum(one.holds and found.law.constants[one.row] == mine for one in found.evidence.tests)


def count_others(check: Check) -> str:
    """How many other rows or columns follow the same calculation; empty if none are needed."""
    count, what = 0, "row"
    if isinstance(check, Applied):
        count, what = _count_of_kind(check), "column" if check.found.grid.by_rows else "row"
    elif isinstance(check, Verdict):
        count = check.constant.support
    return f"{count} other {what}" + ("s" if count != 1 else "") if count else ""
