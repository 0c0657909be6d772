"""How a setting that the work of a step contradicts can be put right: there, or in the results."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import print_like, with_number
from mdbench.diagnosis.step_work import StepWork
from mdbench.numerals.formatting import write_number
from mdbench.numerals.intervals import Interval
from mdbench.prose.expressions import evaluate
from mdbench.prose.facts import Fact
from mdbench.prose.formulas import Formula
from mdbench.sheets.report import Report
from mdbench.source import Edit, Span


class Remedy(NamedTuple):
    """One way to put a report right."""

    title: str
    edits: tuple[Edit, ...]


def restate(report: Report, values: Mapping[Fact, str]) -> tuple[Remedy, ...]:
    """Write other values where settings are stated; nothing if one of them cannot be written."""
    edits = [_rewrite(report, fact.span, fact.raw, text) for fact, text in values.items()]
    written = tuple(one for one in edits if one is not None)
    if len(written) < len(values):
        return ()
    lines = dict.fromkeys(str(report.source.line(fact.span.start)) for fact in values)
    told = " and ".join(values.values())
    place = f"lines {' and '.join(lines)}" if len(lines) > 1 else f"line {next(iter(lines))}"
    return (Remedy(f"write {told} on {place}", written),)


def rescale(
    report: Report, members: Sequence[StepWork], formulas: Iterable[Formula], old: str, new: str
) -> tuple[Remedy, ...]:
    """Compute the rates with another number, in the formulas as well; nothing if one lacks."""
    factor, written_out = float(new.replace(",", "")) / float(old), tuple(formulas)
    edits = [_scale(one, factor, written_out) for one in members]
    edits += [_rewrite(report, one.span, old, new) for one in written_out]
    written = tuple(dict.fromkeys(one for one in edits if one is not None))
    if None in edits:
        return ()
    return (Remedy(f"compute with {new}: multiply by {write_number(factor)}", written),)


def _scale(one: StepWork, factor: float, formulas: Iterable[Formula]) -> Edit | None:
    cell, value = one.rate.measurement, _unrounded(one.rate, formulas)
    number = print_like(cell, value * factor) if cell is not None else None
    text = with_number(cell, number) if cell is not None and number is not None else None
    return Edit(cell.cell.span, text) if cell is not None and text is not None else None


def _unrounded(rate: Number, formulas: Iterable[Formula]) -> float:
    """A rate with the digits that it had before it was printed, if a calculation tells them."""
    found = set()
    for formula in formulas:
        values = {name: Interval(float(one), float(one)) for name, one in formula.bindings.items()}
        result = evaluate(formula.expression, values)
        if result is not None and rate.low <= result.low * rate.scale <= rate.high:
            found.add(result.low * rate.scale)
    return found.pop() if len(found) == 1 else rate.value


def _rewrite(report: Report, span: Span, old: str, new: str) -> Edit | None:
    """A text with another number, if it has the old one just once."""
    text = report.source.cut(span)
    return Edit(span, text.replace(old, new)) if text.count(old) == 1 else None
