"""MB601: a bound number that is not what its results say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdbench.markdown.inline import plain_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Edit

if TYPE_CHECKING:
    from mdbench.results.bound_cells import BoundCell
    from mdbench.results.comparison import BoundNumber, BoundTable


@rule("MB601", "drifted-value", Severity.ERROR)
def drifted_value(context: Context) -> Iterator[Violation]:
    """A number in a bound table or sentence differs from the results.

    A comment above a table binds it to results: `from runs` or a complete `select`. Each number is
    compared with its result, rounded to the digits that the cell prints. `mdbench update` writes
    the results into the report.

    ```bad
    <!-- mdbench: select * from (values (2, 1.618), (4, 0.821)) as runs(nodes, step_time_s) -->
    | Nodes | Step time (s) |
    |------:|--------------:|
    |     2 |          1.62 |
    |     4 |          «0.88» |
    ```

    ```good
    <!-- mdbench: select * from (values (2, 1.618), (4, 0.821)) as runs(nodes, step_time_s) -->
    | Nodes | Step time (s) |
    |------:|--------------:|
    |     2 |          1.62 |
    |     4 |          0.82 |
    ```
    """
    comparison = context.comparison
    if comparison is None:
        return
    for table in comparison.tables:
        for one in table.cells:
            if one.drifted:
                yield _cell(table, one)
    for number in comparison.numbers:
        if number.drifted:
            yield _number(context, number)


def _cell(table: BoundTable, one: BoundCell) -> Violation:
    span, printed = one.cell.cell.span, plain_text(one.cell.cell.raw)
    wanted = plain_text(one.text) if one.text is not None else f"{one.value:f}"
    edits = () if one.text is None else (Edit(span, one.text),)
    fix = Fix(f"write {wanted}", edits, Safety.UNSAFE)
    said = f"{one.cell.header.text} {printed}" if printed else f"empty {one.cell.header.text}"
    where = f" for {one.where}" if one.where else ""
    return Violation(
        span,
        f"{said} should be {wanted} according to the results{where}",
        (Evidence("the table is bound here", table.binding.span),),
        (fix,) if edits else (),
    )


def _number(context: Context, one: BoundNumber) -> Violation:
    said = context.source.cut(one.binding.text).strip()
    return Violation(
        one.binding.text,
        f"{said} should be {one.text.strip()} according to the results",
        (Evidence("the number is bound here", one.binding.span),),
        (Fix(f"write {one.text.strip()}", (Edit(one.binding.text, one.text),), Safety.UNSAFE),),
    )
