"""MB401: a calculation in the text with a wrong result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache

from mdbench.markdown.document import BlockKind, TextLine
from mdbench.numerals.formatting import write_like, write_number
from mdbench.numerals.intervals import Interval, meets_cut, meets_printed, printed
from mdbench.numerals.units import COUNTS, parse_unit
from mdbench.prose.calculations import Calculation, CalculationSide, Operand, find_calculations
from mdbench.prose.dimensions import Measure, combine, measure_of
from mdbench.prose.expressions import evaluate
from mdbench.prose.tex import spell_out
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Edit, Span

_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.HEADING))
_NEARLY = (Fraction(9, 10), Fraction(11, 10))
_SMALL_COUNT = 10_000
_BINARY = {"k": 1, "m": 2, "g": 3, "t": 4}
_TIMES = (1, 60, 3600, 24, 86400, 168, 604800, 8, 100)
# Only what comes so near is worth an exact comparison.
_NEARBY = 4.0


@rule("MB401", "prose-arithmetic", Severity.ERROR)
def prose_arithmetic(context: Context) -> Iterator[Violation]:
    """A calculation in the text does not give the stated result.

    Readers who trust the result repeat the mistake. mdbench redoes the calculation with the printed
    numbers: integers are exact, a decimal stands for every number that rounds to it, and a result
    may be rounded or truncated to the digits shown. `≈` and `~` allow ten percent. Calculations
    with names, ranges or dates, and everything in code fences and tables, are ignored. Units are
    converted: `4 GiB / 2 GB/s` is 2.147 s. A result that another unit conversion explains is
    accepted, and so is one whose unit does not follow from those of its numbers.

    ```bad
    The global batch size is «2 * 16 * 32 = 1000 sequences».
    ```
    ```good
    The global batch size is 2 * 16 * 32 = 1024 sequences.
    ```
    """
    for block in context.document.blocks:
        if block.kind in _PROSE:
            for line in block.lines:
                for calculation in find_calculations(line.text):
                    if not _holds(calculation, line.text):
                        yield _violation(calculation, line)


def _holds(calculation: Calculation, text: str) -> bool:
    """Whether the result is right, or is not a result at all."""
    worked, result = calculation.worked, calculation.result
    if "range" in worked.signs or _is_date(worked, result, text):
        return True
    written = text[result.span.start : result.span.end]
    results = tuple(_results(worked))
    # A comma may be a decimal comma.
    readings = (*results, *(one * 1000 for one in results if written.count(",") == 1))
    if not results or any(_prints(one, calculation) for one in readings):
        return True
    measured = _measures(calculation)
    if measured is None:
        return _has_dimension(calculation)
    converted = _convert(calculation, measured)
    return any(_is_printed(one, calculation, one) for one in converted)


def _measures(calculation: Calculation) -> tuple[Measure, ...] | None:
    """What the operands and the result are measured in; None if they do not fit together."""
    worked, result = calculation.worked, calculation.result.operands[0]
    known = [measure_of(one.unit) for one in (*worked.operands, result)]
    measures = tuple(one for one in known if one is not None)
    if len(measures) < len(known):
        return None
    names = {f"n{place}": one.dimension for place, one in enumerate(measures)}
    fits = combine(worked.expression, names) == measures[-1].dimension
    return measures if fits else None


def _has_dimension(calculation: Calculation) -> bool:
    """Whether a number that is reckoned with has a unit that does not only count things."""
    measures = (measure_of(one.unit) for one in calculation.worked.operands)
    return any(one is not None and one.dimension for one in measures)


def _convert(
    calculation: Calculation, measures: tuple[Measure, ...], *, exact: bool = False
) -> tuple[Interval, ...]:
    """The result in the unit that it is printed in, from the numbers in their units."""
    *scales, unit = (one.scale for one in measures)
    return tuple(one / unit for one in _results(calculation.worked, scales, exact=exact))


def _is_date(worked: CalculationSide, other: CalculationSide, text: str) -> bool:
    """`4/22 = 3 nodes`: the quotient of two integers is not an integer, so it is a date."""
    written = text[worked.span.start : worked.span.end]
    if worked.signs != {"/"} or len(worked.operands) != 2 or " " in written:
        return False
    less = worked.operands[0].value < worked.operands[1].value
    return less and other.operands[0].quantum >= 1 and not other.operands[0].unit


def _results(
    side: CalculationSide, scales: Sequence[Fraction] = (), *, exact: bool = False
) -> Iterator[Interval]:
    """The result of a side; two if a K may be 1000 or 1024. `scales` are those of its units.

    With `exact`, of the numbers as they are printed, as if none was rounded.
    """
    lettered = any(operand.letter for operand in side.operands)
    for kilo in (1000, 1024) if lettered else (1000,):
        values = {
            f"n{place}": _value(one, kilo, exact=exact) for place, one in enumerate(side.operands)
        }
        for name, scale in zip(values, scales, strict=False):
            values[name] = values[name] * scale
        result = evaluate(side.expression, values)
        if result is not None:
            yield result


def _value(operand: Operand, kilo: int, *, exact: bool) -> Interval:
    count = not operand.letter and operand.quantum >= 1
    held = printed(operand.value, operand.quantum, exact=count or exact, kind=Fraction)
    return held * _scale(operand, kilo)


def _scale(operand: Operand, kilo: int) -> Fraction:
    letter = operand.letter.lower()
    if kilo != 1000 and letter in _BINARY:
        return Fraction(kilo) ** _BINARY[letter]
    return Fraction(COUNTS[letter]) if letter else Fraction(1)


def _prints(result: Interval, calculation: Calculation) -> bool:
    worked, printed_as = calculation.worked, calculation.result.operands[0]
    readings = _readings(result, worked, printed_as)
    return any(_is_printed(reading, calculation, result) for reading in readings)


def _is_printed(reading: Interval, calculation: Calculation, result: Interval) -> bool:
    worked, printed_as = calculation.worked, calculation.result.operands[0]
    quantum = _coarsest(printed_as, worked, result)
    for kilo in (1000, 1024) if printed_as.letter else (1000,):
        one = reading / _scale(printed_as, kilo)
        if meets_printed(one, printed_as.value, quantum):
            return True
        if meets_cut(one, printed_as.value, quantum):
            return True
        if calculation.about and _is_near(one, printed_as.value):
            return True
    return False


def _is_near(result: Interval, value: Decimal) -> bool:
    less, more = (Fraction(value) * share for share in _NEARLY)
    return result.meets(Interval(min(less, more), max(less, more)))


def _readings(result: Interval, worked: CalculationSide, other: Operand) -> Iterator[Interval]:
    """The result in every unit that it may be printed in."""
    yield result
    units = {operand.unit for operand in worked.operands} | {other.unit}
    if "%" in units:
        yield result * 100
        yield result / 100
        yield (result - 1) * 100
        yield (1 - result) * 100
    if any(_scales(unit) for unit in units):
        wanted = abs(float(other.value) * float(_scale(other, 1000)))
        ends = sorted((abs(float(result.low)), abs(float(result.high))))
        for factor, about in _factors():
            if ends[0] * about / _NEARBY <= wanted <= ends[1] * about * _NEARBY:
                yield result * factor


@cache
def _factors() -> tuple[tuple[Fraction, float], ...]:
    """What a result may be multiplied with when its unit is changed."""
    prefixes = [Fraction(base) ** power for base in (1000, 1024) for power in range(-5, 6)]
    exact = {one * by for by in map(Fraction, _TIMES) for one in prefixes}
    return tuple((one, float(one)) for one in sorted(exact | {1 / one for one in exact}))


def _scales(text: str) -> bool:
    """Whether a unit is a multiple of another one, which a number may be printed in instead."""
    unit = parse_unit(text) if text not in {"", "%"} else None
    return unit is not None and unit.scale != 1


def _coarsest(other: Operand, worked: CalculationSide, result: Interval) -> Decimal:
    """The place of the last significant digit: small products of integers are not rounded."""
    counted = "/" not in worked.signs and all(one.quantum == 1 for one in worked.operands)
    if other.quantum != 1 or (counted and result.high < _SMALL_COUNT):
        return other.quantum
    digits = str(other.value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal((0, (1,), zeros)) if len(digits) - zeros > 1 else other.quantum


def _violation(calculation: Calculation, line: TextLine) -> Violation:
    worked, result = calculation.worked, calculation.result
    said = line.text[result.span.start : result.span.end]
    done = spell_out(line.text[worked.span.start : worked.span.end])
    measures = _measures(calculation) if _has_dimension(calculation) else None
    answers = (
        _convert(calculation, measures, exact=True) if measures else _results(worked, exact=True)
    )
    answer = next(iter(answers))
    percent = result.operands[0].unit == "%" and "/" in worked.signs
    if percent:
        answer = answer * 100
    shown = write_number(answer.middle) + ("%" if percent else "")
    if measures:
        shown += f" {result.operands[0].unit}".rstrip()
    span = Span(line.start + calculation.span.start, line.start + calculation.span.end)
    fixes = _fixes(calculation, answer, line, converted=measures is not None)
    return Violation(span, f"{done} is {shown}, not {said}", fixes=fixes)


def _fixes(
    calculation: Calculation, answer: Interval, line: TextLine, *, converted: bool
) -> tuple[Fix, ...]:
    operand = calculation.result.operands[0]
    units = {operand.unit, *(one.unit for one in calculation.worked.operands)}
    if not converted and len(units) > 1 and any(_scales(unit) for unit in units):
        return ()
    written = line.text[operand.span.start : operand.span.end]
    text = write_like(answer.middle / _scale(operand, 1000), operand.quantum, written)
    span = Span(line.start + operand.span.start, line.start + operand.span.end)
    return (Fix(f"write {text}", (Edit(span, text),), Safety.UNSAFE),)
