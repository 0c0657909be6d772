"""MB104: the same column twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mdbench.markdown.inline import plain_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.source import Span

_FEWEST_VALUES = 2


@rule("MB104", "duplicate-column", Severity.WARNING)
def duplicate_column(context: Context) -> Iterator[Violation]:
    """A column has the same header and the same cells as an earlier column of its table.

    One of the two was copied and should hold something else, or be removed.

    Headers may repeat: columns are only reported if they agree in every cell and hold at least two
    different numbers.

    ```bad
    | Nodes | TFLOPs | Sec/it | «TFLOPs |
    |------:|-------:|-------:|-------:|
    |     2 |   47.0 |   29.1 |   47.0 |
    |     4 |   46.1 |   15.0 |   46.1» |
    ```

    ```good
    | Nodes | TFLOPs | Sec/it |
    |------:|-------:|-------:|
    |     2 |   47.0 |   29.1 |
    |     4 |   46.1 |   15.0 |
    ```
    """
    for sheet in context.sheets:
        if sheet.layout.transposed:
            continue
        seen: dict[tuple[str, ...], Column] = {}
        titles = Counter(column.header.text for column in sheet.columns)
        for column in sheet.columns:
            heading = column.heading
            if heading is None or titles[column.header.text] == 1 or not _tells(column):
                continue
            key = (column.header.text, *(plain_text(one.cell.raw) for one in column.mains))
            first = seen.setdefault(key, column)
            if first is column or first.heading is None:
                continue
            cells = tuple(one.cell.span for one in column.mains)
            yield Violation(
                Span(heading.span.start, cells[-1].end),
                f"duplicate column {column.header.text}, with the same cells",
                (Evidence("first occurrence", first.heading.span),),
                cells=(heading.span, *cells),
            )


def _tells(column: Column) -> bool:
    values = {one.numeral.value for one in column.numbers}
    return bool(column.header.text) and len(values) >= _FEWEST_VALUES
