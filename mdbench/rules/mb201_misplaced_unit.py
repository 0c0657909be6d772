"""MB201: a number whose unit does not fit its column."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.source import Span
from mdbench.vocabulary.quantities import Quantity, Role

_SINGLE = frozenset((Form.NUMBER, Form.RANGE))
# Names of countable things, and of their rates, are often used interchangeably.
_COUNTED = frozenset("token sample step word char epoch user op 1".split())
_ROLES = frozenset((Role.MEASUREMENT, Role.SETTING))
_VAGUE = frozenset("ratio count device node core param layer".split())


@rule("MB201", "misplaced-unit", Severity.ERROR)
def misplaced_unit(context: Context) -> Iterator[Violation]:
    """The unit of a number does not fit the quantity of its column.

    Watts under `Mem` are in the wrong column, or the cells of the row have shifted. Readers who
    trust the header are misled. If a whole row is shifted, MB302 reports it instead.

    Only units that cannot be right are reported: bytes are not seconds. Percentages, factors and
    plain counts are allowed anywhere, and so is a second number in parentheses. A row with other
    units in several columns is not reported either: it measures something else.

    ```bad
    | Nodes | Mem     | Sec/it |
    |------:|--------:|-------:|
    |     4 | 18.9 GB |   25.3 |
    |    64 | 18.5 GB |   16.2 |
    |   256 | «311 W» |    4.3 |
    ```

    ```good
    | Nodes | Mem     | Sec/it |
    |------:|--------:|-------:|
    |     4 | 18.9 GB |   25.3 |
    |    64 | 18.5 GB |   16.2 |
    |   256 | 20.0 GB |    4.3 |
    ```
    """
    for sheet in context.sheets:
        rows: dict[int, list[Measurement]] = {}
        for column in sheet.columns:
            for one in _misplaced(column):
                rows.setdefault(one.row, []).append(one)
        for found in rows.values():
            if not _is_row_of_its_own(found):
                yield _report(found)


def _is_row_of_its_own(found: list[Measurement]) -> bool:
    """Whether several numbers of a row share a unit: then the row measures something else."""
    units = [parse_unit(one.numeral.unit) for one in found]
    return len(found) > 1 and len({unit.dimension for unit in units if unit is not None}) == 1


def _misplaced(column: Column) -> list[Measurement]:
    """The misplaced cells; none if all cells agree that the header means something else."""
    one = column.header.quantity
    if one is None or one.text or one.role not in _ROLES or not column.is_named:
        return []
    if _VAGUE.intersection(_tops(one)):
        return []
    found = [main for main in column.mains if main.numeral.unit and _is_misplaced(main, one)]
    if not found:
        return []
    tops = {_group(unit.dimension) for main in found if (unit := parse_unit(main.numeral.unit))}
    fitting = any(main.amount is not None for main in column.mains)
    return found if fitting or len(tops) > 1 else []


def _is_misplaced(one: Measurement, quantity: Quantity) -> bool:
    numeral = one.numeral
    unit = parse_unit(numeral.unit)
    if unit is None or numeral.form not in _SINGLE or quantity.fits(unit):
        return False
    if unit.dimension in quantity.instead or one.amount is not None:
        return False
    top = _group(unit.dimension)
    return top not in _VAGUE and top not in _tops(quantity)


def _tops(quantity: Quantity) -> set[str]:
    return {_group(dimension) for dimension in quantity.dimensions}


def _group(dimension: str) -> str:
    """What is measured, without the `/…` of a rate."""
    top = dimension.partition("/")[0]
    return "counted" if top in _COUNTED else top


def _report(found: list[Measurement]) -> Violation:
    first = found[0]
    message = f"`{first.numeral.text}` under {first.header.text}: "
    message += f"{first.numeral.unit} measures something else"
    evidence = tuple(
        Evidence(f"so does `{one.numeral.text}` under {one.header.text}", one.cell.span)
        for one in found[1:]
    )
    cells = tuple(one.cell.span for one in found)
    return Violation(Span(cells[0].start, cells[-1].end), message, evidence, cells=cells)
