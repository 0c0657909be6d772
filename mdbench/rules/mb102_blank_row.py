"""MB102: a row whose cells are all empty."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mdbench.markdown.document import Row, Table
from mdbench.markdown.inline import plain_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Repeat, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Source, remove_line
from mdbench.vocabulary.statistics import statistic_of

_REPEAT = Repeat("blank row", "rows")
_FEWEST = 2
# So many tables that end in the same way show that it is meant.
_HABIT = 0.75


@rule("MB102", "blank-row", Severity.WARNING)
def blank_row(context: Context) -> Iterator[Violation]:
    """All cells of a row are empty.

    Such a row is rendered as an empty line in the table. Most are left over from a run that was
    never filled in, and readers cannot tell whether a result is missing.

    A row of dashes (`---`) or with a non-breaking space (`&nbsp;`) is an intentional separator and
    is not reported. Neither are blank rows between groups (rows with a shared value that changes
    there) or before a title or a total, nor tables without any data, which are forms to fill in.
    All blank rows of a report are one finding. It is only an info if most tables end with such a
    row; if nearly all of them do, that is a habit, and these rows are not reported.

    ```bad
    | Nodes | TFLOPs |
    |------:|-------:|
    |     2 |   47.0 |
    «|       |        |»
    ```

    ```good
    | Nodes | TFLOPs |
    |------:|-------:|
    |     2 |   47.0 |
    ```
    """
    tables = [table for table in context.document.tables if _filled(table)]
    ended = sum(_is_blank(table.rows[-1]) for table in tables)
    if ended >= max(_FEWEST, _HABIT * len(tables)):
        tables = [_without_end(table) for table in tables]
    severity = Severity.INFO if ended >= _FEWEST and 2 * ended > len(tables) else Severity.WARNING
    for table in tables:
        if table.is_editable:
            for row in _left_over(table):
                yield _report(context.source, row, severity)


def _without_end(table: Table) -> Table:
    """A table without the blank rows at its end."""
    return table._replace(rows=table.rows[: _filled(table)[-1] + 1])


def _left_over(table: Table) -> Iterator[Row]:
    """The blank rows at the end, and those inside if none of them parts groups."""
    filled = _filled(table)
    inside = sorted(set(range(filled[-1])).difference(filled))
    rows = [table.rows[at] for at in filled]
    if not any(_parts_groups(rows, bisect_left(filled, at)) for at in inside):
        yield from (table.rows[at] for at in inside)
    yield from table.rows[filled[-1] + 1 :]


def _report(source: Source, row: Row, severity: Severity) -> Violation:
    fix = Fix("remove the row", (remove_line(source, row.span.start),), Safety.SAFE)
    message = "every cell of this row is empty"
    return Violation(row.span, message, fixes=(fix,), severity=severity, repeat=_REPEAT)


def _parts_groups(rows: Sequence[Row], at: int) -> bool:
    """Whether a value that the rows before a place share is different in the rows behind it.

    Or whether what follows is a title, a total or an average.
    """
    before = [_texts(row) for row in rows[max(0, at - 2) : at]]
    behind = [_texts(row) for row in rows[at : at + 2]]
    if not before or not behind:
        return False
    if sum(map(bool, behind[0])) == 1 or statistic_of("".join(behind[0][:1])):
        return True
    sides = zip(before[-1], before[0], behind[0], behind[-1], strict=False)
    shared = len(before) > 1, len(behind) > 1
    return any(
        last != first and ((shared[0] and last == previous) or (shared[1] and first == following))
        for last, previous, first, following in sides
        if last and first
    )


def _filled(table: Table) -> list[int]:
    return [at for at, row in enumerate(table.rows) if not _is_blank(row)]


def _texts(row: Row) -> list[str]:
    return [plain_text(cell.raw) for cell in row.cells]


def _is_blank(row: Row) -> bool:
    return not any(cell.raw.strip() for cell in row.cells)
