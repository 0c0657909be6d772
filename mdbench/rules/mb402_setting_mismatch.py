"""MB402: a setting that the text states and the table contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.variables import Row, Variable, stated_variable
from mdbench.facts import Fact
from mdbench.findings import Evidence, Remark, Severity
from mdbench.quantities import Role
from mdbench.review import Review
from mdbench.rules.registry import rule
from mdbench.sheet import Sheet

# Values further apart than this are rather of another experiment than a slip.
_NEAR = 0.05


@rule("MB402", "setting-mismatch", Severity.ERROR)
def setting_mismatch(review: Review) -> Iterator[Remark]:
    """The text states a setting, and the table has nearly but not quite that value.

    `global_batch_size=8092` above a table with 8096 is a slip in one of the two. It is found where
    the value stands in no table that the statement is about, and is so near to the one that does
    that no other experiment can be meant.

    ```bad
    ## Run

    - «global_batch_size=8092»

    | Nodes | Global batch size |
    |------:|------------------:|
    |     2 |              8096 |
    |     4 |              8096 |
    ```

    ```good
    ## Run

    - global_batch_size=8096

    | Nodes | Global batch size |
    |------:|------------------:|
    |     2 |              8096 |
    |     4 |              8096 |
    ```
    """
    rows: dict[int, list[Row]] = {}
    for row in review.diagnosis.rows:
        rows.setdefault(id(row.sheet), []).append(row)
    for fact in review.workbook.facts:
        stated = stated_variable(fact.quantity, fact.numeral, fact)
        if stated is None or not fact.quantity.integer or fact.conditions:
            continue
        if fact.quantity.role is not Role.SETTING:
            continue
        columns = [
            found
            for sheet in review.sheets
            if _holds_for(fact, sheet) and (found := _column(rows.get(id(sheet), []), fact))
        ]
        values = {one.value for column in columns for one in column}
        if len(values) == 1 and _is_slip(stated.value, *values):
            yield _remark(fact, columns[0][0])


def _holds_for(fact: Fact, sheet: Sheet) -> bool:
    span = sheet.table.span
    return fact.scope.start <= span.start and span.end <= fact.scope.end


def _column(rows: Sequence[Row], fact: Fact) -> list[Variable]:
    return [
        one
        for row in rows
        if (one := row.variables.get(fact.quantity.name)) is not None
        and one.measurement is not None
    ]


def _is_slip(stated: float, printed: float) -> bool:
    return stated != printed and abs(stated - printed) <= _NEAR * max(stated, printed)


def _remark(fact: Fact, cell: Variable) -> Remark:
    measurement = cell.measurement
    title = measurement.header.text if measurement is not None else fact.quantity.name
    printed = measurement.numeral.text if measurement is not None else ""
    place = measurement.cell.span if measurement is not None else None
    return Remark(
        fact.span,
        f"{fact.quantity.name} {fact.raw} in the text, {title} {printed} in the table",
        (Evidence(f"{title} {printed}", place),),
    )
