"""MB203: a unit without a number."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.source import Edit

_NO_VALUE = "-"


@rule("MB203", "unit-without-value", Severity.INFO)
def unit_without_value(context: Context) -> Iterator[Violation]:
    """Cells have a unit but no number: `- MiB`, or just `GB`.

    A marker for "no value" needs no unit. With one, many programs read the cell as text, or as a
    number that got lost. Reported once per column.

    Columns that list units are not reported.

    ```bad
    | Nodes | Mem         |
    |------:|------------:|
    |     4 | 18870.0 MiB |
    |    64 | «- MiB» |
    ```

    ```good
    | Nodes | Mem         |
    |------:|------------:|
    |     4 | 18870.0 MiB |
    |    64 | - |
    ```
    """
    for sheet in context.sheets:
        for column in sheet.columns:
            found = [one for one in column.mains if _is_bare(one, column)]
            if found:
                yield _report(found)


def _is_bare(one: Measurement, column: Column) -> bool:
    numeral = one.numeral
    unit = parse_unit(numeral.unit)
    if numeral.form is not Form.NOTHING or unit is None:
        return False
    if column.header.quantity is None or not column.header.quantity.fits(unit):
        return False
    # A unit alone may be the content of the column; after a dash, the number is missing.
    return numeral.text != numeral.unit or column.has_numbers


def _report(found: list[Measurement]) -> Violation:
    first = found[0]
    edits = tuple(Edit(one.cell.span, _NO_VALUE) for one in found)
    fix = Fix(f"write `{_NO_VALUE}`", edits, Safety.SAFE)
    message = f"`{first.numeral.text}` has a unit but no number"
    evidence = tuple(Evidence("another one", one.cell.span) for one in found[1:2])
    if len(found) > 2:
        evidence = (Evidence(f"and {len(found) - 1} more cells of this column", None),)
    cells = tuple(one.cell.span for one in found)
    return Violation(first.cell.span, message, evidence, (fix,), cells)
