"""MB203: a unit without a number."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Repeat, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.source import Edit

_NO_VALUE = "-"
_REPEAT = Repeat("no number")


@rule("MB203", "unit-without-value", Severity.INFO)
def unit_without_value(context: Context) -> Iterator[Violation]:
    """A cell has a unit but no number, so that readers wonder which number got lost.

    Reported once per file. Columns that list units are not reported, and neither are rows without
    any result, which are plans. A marker for a missing value, as in `- MiB`, is not reported
    either.

    ```bad
    | Nodes | Sec/it | Mem         |
    |------:|-------:|------------:|
    |     4 |   29.1 | 18870.0 MiB |
    |    64 |    2.1 | «MiB» |
    ```

    ```good
    | Nodes | Sec/it | Mem         |
    |------:|-------:|------------:|
    |     4 |   29.1 | 18870.0 MiB |
    |    64 |    2.1 | - |
    ```
    """
    for sheet in context.sheets:
        bare = [one for column in sheet.columns for one in column.others if _is_bare(one, column)]
        if bare:
            measured = {
                one.run for column in sheet.columns if column.is_measured for one in column.numbers
            }
            yield from (_report(one) for one in bare if one.run in measured)


def _is_bare(one: Measurement, column: Column) -> bool:
    numeral = one.numeral
    if numeral.form is not Form.NOTHING or not numeral.unit:
        return False
    unit = parse_unit(numeral.unit)
    if unit is None:
        return False
    if column.header.quantity is None or not column.header.quantity.fits(unit):
        return False
    # A unit alone may be the content of the column; after a dash, nothing is missing.
    return numeral.text == numeral.unit and column.has_numbers


def _report(one: Measurement) -> Violation:
    fix = Fix(f"write `{_NO_VALUE}`", (Edit(one.cell.span, _NO_VALUE),), Safety.SAFE)
    message = f"`{one.numeral.text}` has a unit but no number"
    return Violation(one.cell.span, message, fixes=(fix,), repeat=_REPEAT)
