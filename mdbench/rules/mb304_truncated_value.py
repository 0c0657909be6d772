"""MB304: a number that only agrees with the others if it was truncated, not rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.explanations import recomputation
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import NOISE
from mdbench.diagnosis.wording import name_wanted, repaired, wanted_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Repeat, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit

# Less is within the noise of nearly all measurements.
_NOTICEABLE = 0.005


@rule("MB304", "truncated-value", Severity.INFO)
def truncated_value(context: Context) -> Iterator[Violation]:
    """A derived number was truncated where the others were rounded.

    0.197 rounds to 0.20; a table with 0.19 has dropped the remaining digits. No value is off by
    more than its last digit, but readers who recompute the table will stumble over it. Less than
    0.5 % is not reported.

    If a report has several such numbers, they are reported only in columns where even more numbers
    are rounded up. If a whole column is truncated, its numbers were made that way, and none of them
    is reported.

    ```bad
    | Samples/s | Global bsz | Iter/s |
    |----------:|-----------:|-------:|
    |       512 |       1024 |   0.50 |
    |       202 |       1024 |   «0.19» |
    ```

    ```good
    | Samples/s | Global bsz | Iter/s |
    |----------:|-----------:|-------:|
    |       512 |       1024 |   0.50 |
    |       202 |       1024 |   0.20 |
    ```
    """
    columns: dict[str, list[_Truncated]] = {}
    for cut in _truncated(context.diagnosis):
        columns.setdefault(_column(cut.measurement), []).append(cut)
    if not columns:
        return
    once = sum(map(len, columns.values())) == 1
    rounded = Counter() if once else Counter(map(_column, _rounded_up(context.diagnosis)))
    for name, found in columns.items():
        if not once and rounded[name] <= len(found):
            continue
        for one in found:
            if one.lost >= _NOTICEABLE:
                yield _violation(one, name)


class _Truncated(NamedTuple):
    """A number, what it would be without an end, and how it is calculated."""

    number: Number
    whole: float
    calculation: str

    @property
    def measurement(self) -> Measurement:
        """Where the number stands."""
        return self.number.source

    @property
    def lost(self) -> float:
        """The share of it that was cut off."""
        return abs(self.whole - self.number.value) / abs(self.whole) if self.whole else 0.0


def _violation(cut: _Truncated, name: str) -> Violation:
    one, wanted = cut.measurement, wanted_text(cut.number, cut.whole)
    message = f"{one.header.text} {one.numeral.text} is truncated, not rounded to {wanted}"
    text = repaired(cut.number, cut.whole)
    title = f"change to {name_wanted(cut.number, cut.whole)}"
    fixes = (Fix(title, (Edit(one.cell.span, text),), Safety.UNSAFE),) if text is not None else ()
    told = f"{message}: {cut.calculation}"
    return Violation(one.cell.span, told, (), fixes, repeat=Repeat(name))


def _rounded_up(diagnosis: Diagnosis) -> Iterator[Measurement]:
    """The numbers that are more than what was computed for them, so they are not truncated."""
    for check in diagnosis.checks:
        result = check.operands[0].number
        if check.stand is Stand.HOLDS and result.place is not None:
            ends = check.solve(result.place)
            if ends is not None and not _lies_within(sum(ends) / 2, result):
                yield result.source


def _truncated(diagnosis: Diagnosis) -> Iterator[_Truncated]:
    """The numbers that are a recomputed one without its last digits."""
    # A constant that only the rows tell is as rough as they are.
    cuts = [one for one in diagnosis.checks if one.cut is not None and not one.told_by_rows]
    held = {
        span
        for one in (diagnosis.checks if cuts else ())
        if one.stand is Stand.HOLDS and not one.rough
        for span in one.cells
    }
    for check in cuts:
        number = check.cut
        if number is None or number.place is None or _is_round(number) or _is_measured(number):
            continue
        ends = check.solve(number.place) if number.source.cell.span not in held else None
        middle = sum(ends) / 2 if ends is not None else 0.0
        if ends is not None and _lies_within(middle, number) and not _is_tie(middle, number):
            yield _Truncated(number, middle, recomputation(check, number))


def _is_measured(one: Number) -> bool:
    """Whether it is a time of a known quantity: it has digits that nobody knows."""
    return one.quantity.unit.dimension.partition("/")[0] == "s"


def _is_round(one: Number) -> bool:
    """Whether more digits are missing than those behind the last one: 270 may stand for 278."""
    if one.measurement is None or one.measurement.amount is None:
        return True
    return abs(one.cut - one.value) > 1.5 * one.scale * float(one.measurement.amount.quantum)


def _lies_within(value: float, one: Number) -> bool:
    """Whether a number that is cut to its digits may be this one."""
    room = NOISE * abs(value)
    return min(one.value, one.cut) - room <= value <= max(one.value, one.cut) + room


def _is_tie(value: float, one: Number) -> bool:
    """Whether a number is halfway between two, so that it may be rounded either way."""
    half = abs(one.cut - one.value) / 2
    return abs(abs(value - one.value) - half) <= NOISE * max(abs(value), half)


def _column(one: Measurement) -> str:
    """What is judged as one: a column, together with all whose title says by itself the same."""
    return one.header.text if one.header.as_written is None else f"{one.table} {one.column}"
