"""How a table is laid out: which rows are headers, separators or data, and which way it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mdbench.grid import Cell, Table
from mdbench.headers import read_header
from mdbench.markup import plain_text
from mdbench.numerals import Form, read_cell
from mdbench.quantities import Role

_RULE = re.compile(r"[\\\s|:=_*.─━—-]*")
_LABELS = frozenset((Role.IDENTITY, Role.NOTE))
_ENOUGH = 0.6
_FEWEST_METRICS = 2


@dataclass(frozen=True, slots=True)
class Layout:
    """What is what in a table. `titles` are the headers, with a body line that extends them."""

    titles: tuple[str, ...]
    rows: tuple[int, ...]
    """The body rows that hold data, counted from 0."""
    transposed: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The cells under one header: a column, or a row of a transposed table."""

    title: str
    index: int
    cells: tuple[tuple[int, Cell], ...]
    """Each cell with the number of its record: its row, or its column if transposed."""


def lay_out(table: Table) -> Layout:
    """Decide how a table is to be read."""
    titles = tuple(plain_text(title) for title in table.titles)
    rows = [at for at in range(len(table.rows)) if not is_separator(table.rows[at].cells)]
    if rows and _extends_header(table, rows):
        first = table.rows[rows.pop(0)].cells
        titles = tuple(
            f"{title} {plain_text(cell.raw)}".strip()
            for title, cell in zip(titles, first, strict=False)
        )
    repeated = {tuple(titles), tuple(plain_text(cell.raw) for cell in table.header.cells)}
    rows = [
        at for at in rows if tuple(plain_text(c.raw) for c in table.rows[at].cells) not in repeated
    ]
    return Layout(titles, tuple(rows), _is_transposed(table, titles, rows))


def series_of(table: Table, layout: Layout) -> tuple[Series, ...]:
    """The table's series, surplus cells included under an empty title."""
    if not layout.transposed:
        width = max((len(table.rows[at].cells) for at in layout.rows), default=len(layout.titles))
        width = max(width, len(layout.titles))
        return tuple(
            Series(
                layout.titles[index] if index < len(layout.titles) else "",
                index,
                tuple(
                    (at, table.rows[at].cells[index])
                    for at in layout.rows
                    if index < len(table.rows[at].cells)
                ),
            )
            for index in range(width)
        )
    return tuple(
        Series(plain_text(cells[0].raw), at, tuple(enumerate(cells))[1:])
        for at in layout.rows
        if (cells := table.rows[at].cells)
    )


def is_separator(cells: Sequence[Cell]) -> bool:
    """Whether a row holds nothing: blank, or a line drawn with dashes over the whole width."""
    texts = [plain_text(cell.raw) for cell in cells]
    if not any(texts):
        return True
    # One dash is a missing value; a drawn line has several, or dashes in every cell.
    return all(_RULE.fullmatch(text) for text in texts) and any(len(text) > 2 for text in texts)


def _extends_header(table: Table, rows: Sequence[int]) -> bool:
    """A first body row of words and units, above columns of numbers, extends the header."""
    if len(rows) < 2:
        return False
    first = table.rows[rows[0]].cells
    seconds = [plain_text(cell.raw) for cell in first]
    if any(_is_number(text) for text in seconds):
        return False
    numeric = [
        index
        for index in range(min(len(first), len(table.titles)))
        if _mostly_numbers(
            [
                table.rows[at].cells[index].raw
                for at in rows[1:]
                if index < len(table.rows[at].cells)
            ]
        )
    ]
    extended = [index for index in numeric if seconds[index]]
    blank = [index for index in numeric if not table.titles[index].strip()]
    units = [
        index for index in extended if read_header(f"x ({seconds[index].strip('()[] ')})").unit
    ]
    known = [index for index in extended if index in blank and read_header(seconds[index]).quantity]
    return bool(extended) and len(units) + len(known) >= _ENOUGH * len(extended)


def _is_transposed(table: Table, titles: Sequence[str], rows: Sequence[int]) -> bool:
    """Each row a metric: its first cells name quantities, and the headers beside them do not."""
    if len(titles) < 2 or len(rows) < _FEWEST_METRICS:
        return False
    across = [read_header(title) for title in titles[1:]]
    if any(_names_quantity(header) for header in across):
        return False
    down = [read_header(plain_text(table.rows[at].cells[0].raw)) for at in rows]
    named = {header.quantity or header.candidates for header in down if _names_quantity(header)}
    return len(named) >= _FEWEST_METRICS and (
        sum(_names_quantity(header) for header in down) >= _ENOUGH * len(down)
    )


def _names_quantity(header: object) -> bool:
    quantity = getattr(header, "quantity", None)
    return quantity is not None and quantity.role not in _LABELS


def _is_number(text: str) -> bool:
    return any(numeral.form is Form.NUMBER for numeral in read_cell(text))


def _mostly_numbers(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text.strip()]
    return bool(filled) and sum(map(_is_number, filled)) >= _ENOUGH * len(filled)
