"""MB304: a number that only agrees with the others if it was truncated, not rounded."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.wording import calculation
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.wording import recomputation
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement


@rule("MB304", "truncated-value", Severity.INFO)
def truncated_value(context: Context) -> Iterator[Violation]:
    """A derived number was truncated where the others were rounded.

    0.197 rounds to 0.20; a table with 0.19 has dropped the remaining digits. No value is off by
    more than its last digit, but readers who recompute the table will stumble over it. A column
    that is truncated throughout is reported once.

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
    columns: dict[str | tuple[int, int], list[tuple[Measurement, str]]] = {}
    for one, why in _truncated(context.diagnosis):
        columns.setdefault(_column(one), []).append((one, why))
    for (first, why), *others in columns.values():
        more = f", like {len(others)} more below it" if others else ""
        yield Violation(
            first.cell.span,
            f"{first.header.text} {first.numeral.text} is truncated, not rounded{more}",
            (Evidence(why),),
        )


def _truncated(diagnosis: Diagnosis) -> Iterator[tuple[Measurement, str]]:
    for _, verdict in diagnosis.cut:
        variable = verdict.cut
        if variable is not None and variable.measurement is not None:
            yield variable.measurement, recomputation(verdict, variable)
    for one in diagnosis.truncated:
        middle = sum(one.test.predicted) / 2 / one.test.printed.scale
        yield one.test.printed.measurement, f"{calculation(one)} = {middle:.4g}"


def _column(one: Measurement) -> str | tuple[int, int]:
    """What is found once: a column, together with all whose title says by itself the same."""
    return one.header.text if one.header.as_written is None else (one.table, one.column)
