"""MB107: rows of pipes that GitHub does not show as a table."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from mdbench.markdown.document import BlockKind, Table, TableKind, TextLine
from mdbench.markdown.pipe_row import split_line
from mdbench.markdown.pipe_tables import is_delimiter_text
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Edit, Span

_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
# Block quote marks may stand between a table and its next row.
_BLANK = " \t\r\n>"
_FEWEST_CELLS = 2
_TABLE = "a table"


class _Row(NamedTuple):
    """A line with pipes, outside of any table."""

    line: TextLine
    cells: int
    is_delimiter: bool

    @property
    def is_enclosed(self) -> bool:
        """Whether it starts and ends with a pipe, as no sentence does."""
        text = self.line.text
        return self.cells >= _FEWEST_CELLS and text.startswith("|") and text.endswith("|")


@rule("MB107", "headless-rows", Severity.WARNING)
def headless_rows(context: Context) -> Iterator[Violation]:
    """Lines look like the rows of a table, but GitHub shows them as text.

    A table needs a header and below it a delimiter row (`|---|---|`) with the same number of cells.
    Otherwise all its lines become one paragraph full of pipes. If only the delimiter row is wrong,
    mdbench reads and checks the table anyway.

    Also reported are rows that a blank line separates from their table, and a second header line
    above the header. Lines in code are not reported.

    ```bad
    «| Nodes | Tokens/s | MFU |
    |------:|---------:|
    |     2 |    32200 | 0.4 |»
    ```

    ```good
    | Nodes | Tokens/s | MFU |
    |------:|---------:|---|
    |     2 |    32200 | 0.4 |
    ```

    ```bad
    | Nodes | Tokens/s |
    |------:|---------:|
    |     2 |    32200 |

    «|     4 |    62400 |»
    ```

    ```good
    | Nodes | Tokens/s |
    |------:|---------:|
    |     2 |    32200 |
    |     4 |    62400 |
    ```
    """
    text = context.source.text
    for table in context.document.tables:
        if table.kind is TableKind.UNSHOWN:
            yield _hidden_by_delimiters(text, table)
    tables = [one for one in context.document.tables if one.kind is TableKind.PIPE]
    for block in context.document.blocks:
        if block.kind not in _TEXT or text.find("|", *block.span) < 0:
            continue
        for rows in _find_rows(block.lines):
            reason = _explain(context, rows, tables)
            if reason:
                span = Span(rows[0].line.start, rows[-1].line.end)
                what = "this line" if len(rows) == 1 else "these lines"
                yield Violation(span, f"GitHub does not show {what} as {reason}")


def _hidden_by_delimiters(text: str, table: Table) -> Violation:
    """A table whose delimiter row has another number of cells, and such a row that fits."""
    between = text[table.header.span.end : table.rows[0].span.start]
    start = table.header.span.end + len(between) - len(between.lstrip(_BLANK))
    end = start + len(between.strip(_BLANK))
    cells, width = split_line(text[start:end], start), len(table.header.cells)
    if len(cells) > width:
        # A closing pipe is kept.
        edit = Edit(Span(cells[width - 1].span.end, cells[-1].span.end), "")
    else:
        more = "---|" * (width - len(cells))
        closed = text[:end].endswith("|")
        edit = Edit(Span(end, end), more if closed else f"|{more.removesuffix('|')}")
    return Violation(
        table.span,
        f"GitHub does not show these lines as {_mismatch(width, len(cells))}",
        fixes=(Fix(f"write a delimiter row with {_count(width)}", (edit,), Safety.UNSAFE),),
    )


def _find_rows(lines: Sequence[TextLine]) -> Iterator[list[_Row]]:
    """The groups of adjacent lines with pipes."""
    for has_pipe, group in groupby(lines, key=lambda line: "|" in line.text):
        if has_pipe:
            yield [
                _Row(line, len(split_line(*line)), is_delimiter_text(line.text)) for line in group
            ]


def _explain(context: Context, rows: Sequence[_Row], tables: Sequence[Table]) -> str:
    """Why these lines are not a table; empty if they do not look like one."""
    delimiter = next((at for at, row in enumerate(rows) if row.is_delimiter), None)
    if delimiter == 0:
        return f"{_TABLE}: there is no header above the delimiter row" if len(rows) > 1 else ""
    if delimiter is not None:
        return _mismatch(rows[delimiter - 1].cells, rows[delimiter].cells)
    widths = {row.cells for row in rows}
    if len(widths) > 1 or not all(row.is_enclosed for row in rows):
        return ""
    (width,) = widths
    place = Span(rows[0].line.start, rows[-1].line.end)
    alike = [one.span for one in tables if len(one.header.cells) == width]
    text = context.source.text
    if any(_is_blank(text[one.end : place.start]) for one in alike if one.end <= place.start):
        return "part of the table above: a blank line ends a table"
    if any(_is_blank(text[place.end : one.start]) for one in alike if place.end <= one.start):
        return "part of the table below: a header has only one line"
    has_number = any(char.isdigit() for row in rows for char in row.line.text)
    return f"{_TABLE}: there is no delimiter row" if len(rows) > 1 and has_number else ""


def _mismatch(header: int, delimiters: int) -> str:
    return f"{_TABLE}: the header has {_count(header)}, the delimiter row {delimiters}"


def _is_blank(text: str) -> bool:
    return not text.strip(_BLANK)


def _count(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"
