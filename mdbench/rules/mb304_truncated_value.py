"""MB304: a number that only agrees with the others if it was truncated, not rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.blame import apply_laws
from mdbench.diagnosis.arithmetic.evidence import Stand
from mdbench.diagnosis.arithmetic.wording import calculation
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.products import Outcome
from mdbench.diagnosis.thresholds import NOISE
from mdbench.diagnosis.wording import recomputation
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement


@rule("MB304", "truncated-value", Severity.INFO)
def truncated_value(context: Context) -> Iterator[Violation]:
    """A derived number was truncated where the others were rounded.

    0.197 rounds to 0.20; a table with 0.19 has dropped the remaining digits. No value is off by
    more than its last digit, but readers who recompute the table will stumble over it.

    If a report has several such numbers, they are reported only in columns in which more others are
    rounded up. A column that is truncated throughout is how its numbers are made.

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
    columns: dict[str, list[tuple[Measurement, str]]] = {}
    for one, why in _truncated(context.diagnosis):
        columns.setdefault(_column(one), []).append((one, why))
    once = sum(map(len, columns.values())) == 1
    rounded = Counter() if once else Counter(map(_column, _rounded_up(context.diagnosis)))
    for name, found in columns.items():
        if not once and rounded[name] <= len(found):
            continue
        for one, why in found:
            yield Violation(
                one.cell.span,
                f"{one.header.text} {one.numeral.text} is truncated, not rounded",
                (Evidence(why),),
                repeat=Repeat(name),
            )


def _rounded_up(diagnosis: Diagnosis) -> Iterator[Measurement]:
    """The numbers that are more than what was computed for them, so they are not truncated."""
    for _, verdict in diagnosis.verdicts:
        if verdict.outcome is not Outcome.HOLDS:
            continue
        for variable in verdict.instance.variables:
            if variable.measurement is None or variable.quantity.name != verdict.relation.result:
                continue
            ends = verdict.instance.solve(variable, verdict.constant.low, verdict.constant.high)
            if ends is not None and not _lies_between(sum(ends) / 2, variable.value, variable.cut):
                yield variable.measurement
    for one in apply_laws(diagnosis.arithmetic):
        printed, middle = one.test.printed, sum(one.test.predicted) / 2
        if one.test.stand is Stand.HOLDS and not _lies_between(middle, printed.value, printed.cut):
            yield printed.measurement


def _truncated(diagnosis: Diagnosis) -> Iterator[tuple[Measurement, str]]:
    """The numbers that are a recomputed one without its last digits, and the calculation."""
    for _, verdict in diagnosis.cut:
        variable = verdict.cut
        if variable is None or variable.measurement is None:
            continue
        ends = verdict.instance.solve(variable, verdict.constant.low, verdict.constant.high)
        if _is_coarse(variable.measurement):
            continue
        if ends is not None and _lies_between(sum(ends) / 2, variable.value, variable.cut):
            yield variable.measurement, recomputation(verdict, variable)
    for one in diagnosis.truncated:
        printed, middle = one.test.printed, sum(one.test.predicted) / 2
        if not _is_coarse(printed.measurement) and _lies_between(
            middle, printed.value, printed.cut
        ):
            yield printed.measurement, f"{calculation(one)} = {middle / printed.scale:.4g}"


def _is_coarse(one: Measurement) -> bool:
    """Whether the last digits are zeros that may not count: 270 is a round number."""
    return one.amount is not None and one.amount.quantum > 1


def _lies_between(value: float, one: float, other: float) -> bool:
    room = NOISE * abs(value)
    return min(one, other) - room <= value <= max(one, other) + room


def _column(one: Measurement) -> str:
    """What is judged as one: a column, together with all whose title says by itself the same."""
    return one.header.text if one.header.as_written is None else f"{one.table} {one.column}"
