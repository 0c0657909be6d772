"""MB101: a row with fewer or more cells than the header."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mdbench.markdown.document import Cell, Presence, Row, Table
from mdbench.markdown.fitting import add_cells
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, read_cell
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Sheet
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import Role

_FEW = 2


@rule("MB101", "ragged-row", Severity.ERROR)
def ragged_row(context: Context) -> Iterator[Violation]:
    """A row has fewer or more cells than the header.

    Cells beyond the header are not rendered: the result is in the file but no one sees it. Missing
    cells hide nothing, but the remaining ones may be under the wrong headers: that is a warning.

    An extra empty cell (`||` at the end of a row) hides nothing and is not reported. Neither is a
    row that contains only the name of the group below it, or an empty row (MB102), or one that
    leaves out columns at the end that are empty in at least half of the other rows.

    Missing cells are added at the end, which changes no values. An extra cell takes the place of a
    dash in the last column, or is appended to it if it holds notes. If three or more rows miss the
    same number of cells, they are reported once. If all rows do, the header is reported instead.

    ```bad
    | Nodes | TFLOPs | Notes |
    |------:|-------:|------:|
    |     2 |   47.0 | 02-15 |
    «|     4 |   46.1 |»
    |     8 |   45.9 | 02-15 | «slow network» |
    ```

    ```good
    | Nodes | TFLOPs | Notes |
    |------:|-------:|------:|
    |     2 |   47.0 | 02-15 |
    |     4 |   46.1 |       |
    |     8 |   45.9 | 02-15 slow network |
    ```
    """
    for sheet in context.sheets:
        table = sheet.table
        if not table.shows_ragged_rows:
            continue
        lacking: dict[int, list[Row]] = {}
        # What a row lacks, or has too many, is at its end.
        for row in (one for one in table.rows if one.cells[-1].presence is not Presence.PRESENT):
            missing = sum(cell.presence is Presence.MISSING for cell in row.cells)
            surplus = [cell for cell in row.cells if cell.presence is Presence.SURPLUS]
            if missing and not _is_group_name(row) and not _may_lack(table, row, missing):
                lacking.setdefault(missing, []).append(row)
            elif any(plain_text(cell.raw) for cell in surplus):
                yield _report_surplus(context.source, sheet, row, surplus)
        for missing, rows in lacking.items():
            if len(rows) == len(table.rows) > _FEW:
                yield _report_header(table, missing)
                continue
            # A column that was never filled in is one finding, not one per row.
            groups = [rows] if len(rows) > _FEW else [[row] for row in rows]
            yield from (_report_missing(context.source, table, group, missing) for group in groups)


def _may_lack(table: Table, row: Row, missing: int) -> bool:
    """Whether the cells that a row lacks at its end are blank in at least half of the others."""
    others = [one.cells for one in table.rows if one is not row and _is_complete(one)]
    blank = [not any(cell.raw.strip() for cell in cells[-missing:]) for cells in others]
    return 2 * sum(blank) >= len(blank) > 1


def _is_complete(row: Row) -> bool:
    filled = any(cell.raw.strip() for cell in row.cells)
    return filled and all(cell.presence is Presence.PRESENT for cell in row.cells)


def _report_missing(source: Source, table: Table, rows: list[Row], missing: int) -> Violation:
    width = len(table.header.cells)
    edits = tuple(add_cells(source, table, row) for row in rows)
    fix = Fix("add empty cells at the end", edits, Safety.SAFE)
    message = f"{_count(width - missing)} under {_count(width, 'header')}"
    evidence = tuple(Evidence("another row like this", row.span) for row in rows[1:])
    cells = tuple(row.span for row in rows)
    return Violation(rows[0].span, message, evidence, (fix,), cells, Severity.WARNING)


def _report_header(table: Table, missing: int) -> Violation:
    """Where all rows agree with each other, it is the header that has too many cells."""
    width, span = len(table.header.cells), table.header.span
    message = f"{_count(width, 'header')} above {len(table.rows)} rows of {_count(width - missing)}"
    why = "a pipe inside a header splits it, unless it is written as \\|"
    return Violation(span, message, (Evidence(why),), severity=Severity.WARNING)


def _report_surplus(source: Source, sheet: Sheet, row: Row, surplus: list[Cell]) -> Violation:
    width = len(sheet.table.header.cells)
    shown = [cell for cell in surplus if plain_text(cell.raw)]
    span = Span(shown[0].span.start, shown[-1].span.end)
    cells = tuple(cell.span for cell in shown)
    total = _count(width + len(surplus))
    message = f"{total} under {_count(width, 'header')}: `{plain_text(shown[0].raw)}` is not shown"
    dash = row.cells[width - 1]
    fixes: tuple[Fix, ...]
    if len(surplus) == 1 and dash.raw and read_cell(dash.raw)[0].form is Form.NOTHING:
        edit = Edit(Span(dash.span.start, surplus[0].span.start), "")
        fixes = (Fix(f"remove the {dash.raw} before it", (edit,), Safety.UNSAFE),)
    else:
        fixes = tuple(_join_notes(source, sheet, row, surplus))
    return Violation(span, message, fixes=fixes, cells=cells)


def _is_group_name(row: Row) -> bool:
    return sum(bool(cell.raw.strip()) for cell in row.cells) <= 1


def _count(number: int, what: str = "cell") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _is_closed(source: Source, row: Row) -> bool:
    text = source.cut(row.span).rstrip()
    return text.endswith("|") and not text.endswith("\\|")


def _join_notes(source: Source, sheet: Sheet, row: Row, surplus: list[Cell]) -> Iterator[Fix]:
    table = sheet.table
    width = len(table.header.cells)
    last = read_header(table.titles[-1], sheet.vocabulary).quantity
    if last is None or last.role is not Role.NOTE:
        return
    chain = [row.cells[width - 1], *surplus]
    edits = [
        Edit(Span(left.span.end, right.span.start), " " if left.raw and right.raw else "")
        for left, right in pairwise(chain)
    ]
    if not _is_closed(source, row):
        edits.append(Edit(Span(row.span.end, row.span.end), " |"))
    yield Fix(f"append it to {plain_text(table.titles[-1])}", tuple(edits), Safety.UNSAFE)
