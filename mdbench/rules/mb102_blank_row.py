"""MB102: a row whose cells are all empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.markdown.document import Row
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Source, remove_line


@rule("MB102", "blank-row", Severity.WARNING)
def blank_row(context: Context) -> Iterator[Violation]:
    """All cells of a row are empty.

    Such a row is rendered as an empty line in the table. Most are left over from a run that was
    never filled in, and readers cannot tell whether a result is missing.

    A row of dashes (`---`) or with a non-breaking space (`&nbsp;`) is an intentional separator and
    is not reported. Neither are blank rows between groups (rows with a shared value that changes
    there), nor tables without any data, which are forms to fill in. Other blank rows inside a table
    are reported together, as one mistake.

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
    for table in context.document.tables:
        if not table.is_editable:
            continue
        filled = [at for at, row in enumerate(table.rows) if not _is_blank(row)]
        if not filled:
            continue
        inside = [at for at in range(filled[-1]) if _is_blank(table.rows[at])]
        if inside and not any(_parts_groups(table.rows, at) for at in inside):
            yield _report(context.source, [table.rows[at] for at in inside])
        for row in table.rows[filled[-1] + 1 :]:
            yield _report(context.source, [row])


def _report(source: Source, rows: Sequence[Row]) -> Violation:
    edits = tuple(remove_line(source, row.span.start) for row in rows)
    fix = Fix("remove the row" if len(rows) == 1 else "remove these rows", edits, Safety.SAFE)
    evidence = tuple(Evidence("another blank row", row.span) for row in rows[1:])
    cells = tuple(row.span for row in rows)
    return Violation(rows[0].span, "every cell of this row is empty", evidence, (fix,), cells)


def _parts_groups(rows: Sequence[Row], at: int) -> bool:
    """Whether a value that the rows on one side share is different on the other side."""
    before = [_texts(row) for row in rows[max(0, at - 2) : at]]
    behind = [_texts(row) for row in rows[at + 1 : at + 3]]
    if not before or not behind:
        return False
    sides = zip(before[-1], before[0], behind[0], behind[-1], strict=False)
    shared = len(before) > 1, len(behind) > 1
    return any(
        last != first and ((shared[0] and last == previous) or (shared[1] and first == following))
        for last, previous, first, following in sides
        if last and first
    )


def _texts(row: Row) -> list[str]:
    return [cell.raw.strip() for cell in row.cells]


def _is_blank(row: Row) -> bool:
    return not any(cell.raw.strip() for cell in row.cells)
