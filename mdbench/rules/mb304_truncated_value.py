"""MB304: a number that only agrees with the others if it was truncated, not rounded."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.laws.products import Verdict
from mdbench.diagnosis.numbers import Variable
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
    columns: dict[str | tuple[int, int], list[tuple[Variable, Verdict]]] = {}
    for _, verdict in context.diagnosis.cut:
        variable = verdict.cut
        if variable is not None and variable.measurement is not None:
            columns.setdefault(_column(variable.measurement), []).append((variable, verdict))
    for found in columns.values():
        variable, verdict = found[0]
        if variable.measurement is None:
            continue
        others = [one.measurement.cell.span for one, _ in found[1:] if one.measurement is not None]
        more = f", like {len(others)} more below it" if others else ""
        yield Violation(
            variable.measurement.cell.span,
            f"{variable.measurement.header.text} {variable.measurement.numeral.text} "
            f"is truncated, not rounded{more}",
            (Evidence(recomputation(verdict, variable)),),
        )


def _column(one: Measurement) -> str | tuple[int, int]:
    """What is found once: a column, together with all whose title says by itself the same."""
    return one.header.text if one.header.as_written is None else (one.table, one.column)
