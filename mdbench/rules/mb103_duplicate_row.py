"""MB103: the same row twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from mdbench.markdown.document import Row, Table
from mdbench.markdown.inline import plain_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, remove_line
from mdbench.vocabulary.quantities import Role

_MEASURED = frozenset((Role.MEASUREMENT, Role.SCORE))


@rule("MB103", "duplicate-row", Severity.WARNING)
def duplicate_row(context: Context) -> Iterator[Violation]:
    """A row is identical to an earlier row of its table, in every cell.

    Two runs hardly ever give the same numbers to the last digit: one of the rows was copied and not
    updated, and takes the place of another result.

    Rows without a result are not compared. An empty cell repeats the value above it, and rows that
    look alike under different group names are different runs. Tables that list several runs of the
    same settings are not checked: two of these may give the same numbers.

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
        last = len(sheet.table.header.cells) - 1
        if sheet.layout.transposed or any(_tells_apart(sheet.table, at) for at in (0, last)):
            continue
        keys = list(_keys(sheet))
        if len({key for _, key in keys}) == len(keys):
            continue
        telling = _telling_rows(sheet)
        keys = [(at, key) for at, key in keys if at in telling]
        alike: dict[tuple[str, ...], list[int]] = {}
        for at, key in keys:
            alike.setdefault(key, []).append(at)
        if len(alike) < len(keys) and not _lists_replicates(sheet, keys):
            for first, *others in alike.values():
                yield from (_report(context.source, sheet, first, at) for at in others)


def _tells_apart(table: Table, at: int) -> bool:
    """Whether a column has something else in each row, so that no two are alike."""
    texts = {plain_text(row.cells[at].raw) if at < len(row.cells) else "" for row in table.rows}
    return len(texts) == len(table.rows) and "" not in texts


def _report(source: Source, sheet: Sheet, first: int, second: int) -> Violation:
    earlier, row = sheet.table.rows[first], sheet.table.rows[second]
    fixes: tuple[Fix, ...] = ()
    if sheet.table.is_editable and _is_spare(sheet, first, second):
        edits = (remove_line(source, row.span.start),)
        fixes = (Fix("remove the row", edits, Safety.UNSAFE),)
    line = source.line(earlier.span.start)
    evidence = (Evidence("first occurrence", earlier.span),)
    return Violation(row.span, f"duplicate of the row on line {line}", evidence, fixes)


def _is_spare(sheet: Sheet, first: int, second: int) -> bool:
    """Whether nothing is lost with a row: it says all that the first says, and no more.

    An empty cell repeats the value above it, so what follows must not depend on the row, unless all
    rows from the first on are alike. A result that lacks repeats nothing.
    """
    rows = sheet.table.rows
    own = _texts(rows[second])
    if own != _texts(rows[first]):
        return False
    if second + 1 == len(rows) or all(_texts(one) == own for one in rows[first + 1 : second]):
        return True
    measured = {one.index for one in sheet.columns if one.is_measured}
    below = zip(own, _texts(rows[second + 1]), strict=False)
    return all(text or not above or at in measured for at, (above, text) in enumerate(below))


def _texts(row: Row) -> list[str]:
    return [cell.raw.strip() for cell in row.cells]


def _lists_replicates(sheet: Sheet, keys: Sequence[tuple[int, tuple[str, ...]]]) -> bool:
    """Whether rows of the table with the same settings have different results.

    Then a setting was measured several times, and may well give the same figures twice.
    """
    shift = {at: len(key) - len(sheet.table.rows[at].cells) for at, key in keys}
    measured = {at for at, one in enumerate(sheet.columns) if one.is_measured}
    results: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for at, key in keys:
        cells = list(enumerate(key, -shift[at]))
        settings = tuple(text for place, text in cells if place not in measured)
        results.setdefault(settings, set()).add(
            tuple(text for place, text in cells if place in measured)
        )
    return any(len(found) > 1 for found in results.values())


def _keys(sheet: Sheet) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each row's texts, empty cells filled from above; a row with one cell starts a new group."""
    group: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    data = set(sheet.layout.rows)
    width = len(sheet.table.header.cells)
    for at, row in enumerate(sheet.table.rows):
        # The links of two rows, to a log or a figure, tell them apart.
        texts = tuple(cell.raw if "](" in cell.raw else plain_text(cell.raw) for cell in row.cells)
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
    for one in chain.from_iterable(column.numbers for column in sheet.columns):
        measured = one.quantity is not None and one.quantity.role in _MEASURED
        numbers[one.row] = numbers.get(one.row, 0) + (2 if measured else 1)
    return {row for row, count in numbers.items() if count >= 2}
