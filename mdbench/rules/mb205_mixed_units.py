"""MB205: bare numbers among numbers with units."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Role

# Bare numbers of these are not ambiguous.
_HARMLESS = frozenset("ratio count device node core param layer epoch token step sample".split())
_ROLES = frozenset((Role.MEASUREMENT, Role.SETTING))


@rule("MB205", "mixed-units", Severity.WARNING)
def mixed_units(context: Context) -> Iterator[Violation]:
    """A column mixes numbers with and without a unit, and its header states none.

    `90.5s` and `213` in one column: are those 213 seconds, milliseconds, or minutes? A program that
    reads the column has to guess.

    Different units do no harm as long as every number has one (`900 MB`, `1.2 GB`), and a bare
    number is clear if the header states the unit. Counts, factors and a plain 0 need none.

    ```bad
    | GPUs | Epoch time |
    |-----:|-----------:|
    |    1 |     410.2s |
    |    2 |      «213» |
    |    4 |     110.9s |
    ```

    ```good
    | GPUs | Epoch time |
    |-----:|-----------:|
    |    1 |     410.2s |
    |    2 |      213s |
    |    4 |     110.9s |
    ```
    """
    for sheet in context.sheets:
        for column in sheet.columns:
            if _may_need_units(column):
                yield from _look(column)


def _may_need_units(column: Column) -> bool:
    one = column.header.quantity
    if one is None or one.text or one.role not in _ROLES or one.unit.dimension in _HARMLESS:
        return False
    return column.is_named and column.header.said.unit is None


def _look(column: Column) -> Iterator[Violation]:
    numbers = [one for one in column.mains if one.numeral.form is Form.NUMBER]
    marked = [one for one in numbers if parse_unit(one.numeral.unit) is not None]
    bare = [one for one in numbers if not one.numeral.unit and one.numeral.value]
    # A unit in one cell says that it is not in the unit of all others, which readers know.
    if not bare or len(bare) > len(marked):
        return
    first, other = bare[0], marked[0]
    message = f"`{first.numeral.text}` has no unit, unlike other cells of {column.header.text}"
    evidence = [Evidence(f"`{other.numeral.text}`", other.cell.span)]
    if len(bare) > 1:
        evidence.append(Evidence(f"{len(bare)} of {len(numbers)} cells have no unit"))
    cells = tuple(one.cell.span for one in bare)
    fixes = tuple(_add_unit(marked, bare))
    yield Violation(first.cell.span, message, tuple(evidence), fixes, cells)


def _add_unit(marked: list[Measurement], bare: list[Measurement]) -> Iterator[Fix]:
    """Add the unit after the digits of bare numbers, if all others have the same unit."""
    units = {one.numeral.unit for one in marked}
    if len(units) != 1:
        return
    sample = marked[0]
    unit = sample.numeral.unit
    gap = " " if f" {unit}" in sample.cell.raw else ""
    ends = [one.cell.span.end for one in bare if one.cell.raw[-1:].isdigit()]
    if len(ends) == len(bare):
        edits = tuple(Edit(Span(end, end), gap + unit) for end in ends)
        yield Fix(f"add the unit {unit}", edits, Safety.UNSAFE)
