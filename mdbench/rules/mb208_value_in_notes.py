"""MB208: measurements in a notes column."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.vocabulary.quantities import Role

_FEWEST = 2


@rule("MB208", "value-in-notes", Severity.INFO)
def value_in_notes(context: Context) -> Iterator[Violation]:
    """A notes column holds measurements, such as `16GB` under `Notes`.

    A value that most rows have deserves its own column, where the header says what it is and
    programs can find it. Reported once per file.

    A few numbers among other notes are notes and are not reported. Neither is the same number in
    every row, which is not a measurement.

    ```bad
    | MBS | TFLOPs | Notes |
    |----:|-------:|------:|
    |   1 |   47.0 | «16GB» |
    |   2 |   47.0 | 17GB |
    |   4 |   48.7 | 20GB, slow start |
    ```

    ```good
    | MBS | TFLOPs | Memory | Notes |
    |----:|-------:|-------:|------:|
    |   1 |   47.0 | 16GB | |
    |   2 |   47.0 | 17GB | |
    |   4 |   48.7 | 20GB | slow start |
    ```
    """
    for sheet in context.sheets:
        for column in sheet.columns:
            if column.header.quantity is None or column.header.quantity.role is not Role.NOTE:
                continue
            found = [one for one in column.mains if _is_value(one)]
            filled = sum(bool(one.cell.raw.strip()) for one in column.mains)
            values = {one.numeral.value for one in found}
            if len(values) >= _FEWEST and 2 * len(found) > filled:
                yield _report(column, found)


def _is_value(one: Measurement) -> bool:
    return one.is_number and one.amount is not None and one.quantity is not one.header.quantity


def _report(column: Column, found: list[Measurement]) -> Violation:
    first = found[0]
    name = "a measurement" if first.quantity is None else first.quantity.words
    message = f"{column.header.text} holds {name} in {len(found)} rows; move it"
    evidence = (Evidence("another one", found[1].cell.span),)
    cells = tuple(one.cell.span for one in found)
    repeat = Repeat(f"{column.header.text} {name}", "tables")
    return Violation(
        first.cell.span, f"{message} to its own column", evidence, cells=cells, repeat=repeat
    )
