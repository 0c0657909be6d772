"""MB103: the same row twice."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.markdown.document import Row
from mdbench.markdown.inline import plain_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Sheet
from mdbench.source import remove_line
from mdbench.vocabulary.quantities import Role

_MEASURED = frozenset((Role.MEASUREMENT, Role.SCORE))


@rule("MB103", "duplicate-row", Severity.WARNING)
def duplicate_row(context: Context) -> Iterator[Violation]:
    """A row is identical to an earlier row of its table, in every cell.

    Two runs never produce the same figures to the last digit: one of the rows was copied and not
    updated, and takes the place of another result.

    Rows without a result are not compared. An empty cell repeats the value above it, and rows that
    look alike under different group names are different runs.

    ```bad
    | Nodes | MBS | Sec/it |
    |------:|----:|-------:|
    |     4 |   2 | 3231.4 |
    «|     4 |   2 | 3231.4 |»
    |     8 |   2 | 1622.0 |
    ```

    ```good
    | Nodes | MBS | Sec/it |
    |------:|----:|-------:|
    |     4 |   2 | 3231.4 |
    |     8 |   2 | 1622.0 |
    ```
    """
    for sheet in context.sheets:
        if sheet.layout.transposed:
            continue
        seen: dict[tuple[str, ...], Row] = {}
        telling = _telling_rows(sheet)
        for at, key in _keys(sheet):
            row = sheet.table.rows[at]
            if at not in telling:
                continue
            first = seen.setdefault(key, row)
            if first is row:
                continue
            fixes: tuple[Fix, ...] = ()
            if sheet.table.is_editable:
                edits = (remove_line(context.source, row.span.start),)
                fixes = (Fix("remove the row", edits, Safety.UNSAFE),)
            line = context.source.line(first.span.start)
            evidence = (Evidence("first occurrence", first.span),)
            yield Violation(row.span, f"duplicate of the row on line {line}", evidence, fixes)


def _keys(sheet: Sheet) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each row's texts, empty cells filled from above; a row with one cell starts a new group."""
    group: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    data = set(sheet.layout.rows)
    width = len(sheet.table.header.cells)
    for at, row in enumerate(sheet.table.rows):
        texts = tuple(plain_text(cell.raw) for cell in row.cells)
        last = len(texts)
        while last > width and not texts[last - 1]:
            last -= 1
        texts = texts[:last]
        if at not in data or sum(map(bool, texts)) <= 1:
            group, above = (str(at), *texts), ()
            continue
        padded = above + ("",) * (len(texts) - len(above))
        above = tuple(text or over for text, over in zip(texts, padded, strict=False))
        yield at, (*group, *above)


def _telling_rows(sheet: Sheet) -> set[int]:
    """The rows that hold a result, or at least two numbers."""
    numbers: dict[int, int] = {}
    for one in sheet.measurements:
        if one.is_number and one.part == 0:
            measured = one.quantity is not None and one.quantity.role in _MEASURED
            numbers[one.row] = numbers.get(one.row, 0) + (2 if measured else 1)
    return {row for row, count in numbers.items() if count >= 2}
