"""MB304: a number that only agrees with the others if it was truncated, not rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.wording import calculation
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.wording import recomputation
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement

# If one number in so many is visibly truncated, the others may well be truncated too.
_HABIT = 4


@rule("MB304", "truncated-value", Severity.INFO)
def truncated_value(context: Context) -> Iterator[Violation]:
    """A derived number was truncated where the others were rounded.

    0.197 rounds to 0.20; a table with 0.19 has dropped the remaining digits. No value is off by
    more than its last digit, but readers who recompute the table will stumble over it.

    A column that is truncated throughout is not reported: that is how its numbers are made.

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
    numbers = Counter(
        _column(one) for sheet in context.sheets for one in sheet.measurements if one.is_number
    )
    for name, found in columns.items():
        if len(found) > 1 and numbers[name] <= _HABIT * len(found):
            continue
        for one, why in found:
            yield Violation(
                one.cell.span,
                f"{one.header.text} {one.numeral.text} is truncated, not rounded",
                (Evidence(why),),
                repeat=Repeat(name),
            )


def _truncated(diagnosis: Diagnosis) -> Iterator[tuple[Measurement, str]]:
    """The numbers that are a recomputed one without its last digits, and the calculation."""
    for _, verdict in diagnosis.cut:
        variable = verdict.cut
        if variable is None or variable.measurement is None:
            continue
        ends = verdict.instance.solve(variable, verdict.constant.low, verdict.constant.high)
        if ends is not None and _lies_between(sum(ends) / 2, variable.value, variable.cut):
            yield variable.measurement, recomputation(verdict, variable)
    for one in diagnosis.truncated:
        printed, middle = one.test.printed, sum(one.test.predicted) / 2
        if _lies_between(middle, printed.value, printed.cut):
            yield printed.measurement, f"{calculation(one)} = {middle / printed.scale:.4g}"


def _lies_between(value: float, one: float, other: float) -> bool:
    return min(one, other) <= value <= max(one, other)


def _column(one: Measurement) -> str:
    """What is judged as one: a column, together with all whose title says by itself the same."""
    return one.header.text if one.header.as_written is None else f"{one.table} {one.column}"
