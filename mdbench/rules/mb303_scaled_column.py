"""MB303: a column whose numbers are all off by a constant factor."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.repairs.scales import ScaledColumn
from mdbench.diagnosis.slips import move_point, print_like, with_number
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit, Span


@rule("MB303", "scaled-column", Severity.ERROR, subsumes=("MB301", "MB304", "MB501", "MB502"))
def scaled_column(context: Context) -> Iterator[Violation]:
    """All numbers of a column are off by the same factor.

    Typically, milliseconds under a header that says seconds. Each number looks fine next to its
    neighbors, but the results computed from it do not: every row is off by a factor of 1000.

    ```bad
    | GBS | «Sec/it | Samples/s |
    |----:|-------:|----------:|
    |  64 |   2000 |      32.0 |
    | 128 |   3200» |      40.0 |
    ```

    ```good
    | GBS | Sec/it | Samples/s |
    |----:|-------:|----------:|
    |  64 |  2.000 |      32.0 |
    | 128 |  3.200 |      40.0 |
    ```
    """
    for scaled in context.diagnosis.scaled:
        header = _header_span(scaled)
        cells = tuple(one.cell.span for one in scaled.cells)
        last = max(span.end for span in cells)
        yield Violation(
            Span(min(header.start, cells[0].start), max(header.end, last)),
            _message(scaled),
            (Evidence(scaled.evidence, scaled.where),),
            tuple(_fixes(scaled)),
            cells,
        )


def _message(scaled: ScaledColumn) -> str:
    title = scaled.header.text
    if scaled.by:
        return f"{title}: every value is that of one device, but the column is for all {scaled.by}"
    meant, stated = scaled.header.quantity, scaled.header.unit
    unit = meant.unit.text if meant is not None else ""
    if stated is not None and stated.text != title:
        unit = stated.text
    elif meant is not None and stated is not None and stated.scale != meant.unit.scale:
        unit = ""
    wanted = f"what it should be in {unit}" if unit and unit != "x" else "what it should be"
    return f"{title}: every value is {_factor(scaled.factor)} {wanted}"


def _header_span(scaled: ScaledColumn) -> Span:
    """The header cell of the column, or of the row in a transposed table."""
    first, table = scaled.cells[0].cell.span, scaled.sheet.table
    rows = [row.cells for row in table.rows]
    if scaled.sheet.layout.transposed:
        return next(row[0].span for row in rows if any(cell.span == first for cell in row))
    places = (at for row in rows for at, cell in enumerate(row) if cell.span == first)
    return table.header.cells[next(places)].span


def _factor(factor: float) -> str:
    return f"{factor:g} times" if factor >= 1 else f"1/{1 / factor:g} of"


def _fixes(scaled: ScaledColumn) -> Iterator[Fix]:
    if scaled.by:
        return
    edits = [
        Edit(one.cell.span, text)
        for one in scaled.cells
        if (text := _rescaled(one, scaled.factor)) is not None
    ]
    if len(edits) == len(scaled.cells):
        way = (
            f"divide the whole column by {scaled.factor:g}"
            if scaled.factor >= 1
            else f"multiply the whole column by {1 / scaled.factor:g}"
        )
        yield Fix(way, tuple(edits), Safety.UNSAFE)


def _rescaled(one: Measurement, factor: float) -> str | None:
    typed = one.typed
    places = {1000.0: -3, 0.001: 3, 1e6: -6, 1e-6: 6}.get(round(factor, 9))
    if typed is not None and places is not None:
        return with_number(one, move_point(typed, places))
    if one.amount is None:
        return None
    number = print_like(one, float(one.amount.value * one.amount.unit.scale) / factor)
    return with_number(one, number) if number is not None else None
