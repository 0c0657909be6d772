"""Columns that nobody explains: what columns like them mean, beside them or in other tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mdbench.sheets.column_cells import Cells
from mdbench.sheets.open_columns import holds_numbers
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role

_RESULTS = (Role.MEASUREMENT, Role.SCORE)
# Fewer columns without a known name are no comparison.
_FEWEST_COMPARED = 2


def fill_empty(headers: tuple[Header, ...], columns: Sequence[Cells]) -> tuple[Header, ...]:
    """The headers, columns without any cell as those beside them that are named like them.

    These are named after what is compared too, or leave open the same.
    """
    empty = [at for at, cells in enumerate(columns) if at and cells and not cells.filled]
    if not empty:
        return headers
    filled = list(headers)
    for at in empty:
        header = headers[at]
        if header.quantity is not None or header.statistic or not header.text:
            continue
        like = [
            one
            for place, one in enumerate(headers)
            if place not in empty
            and _is_result(one)
            and (one.said.quantity is None or one.said.quantity.text)
            and one.said.candidates == header.said.candidates
        ]
        kinds = {(one.quantity, one.unit) for one in like}
        if len(kinds) == 1 and (header.candidates or len(like) >= _FEWEST_COMPARED):
            why = f"empty, as {like[0].text!r} beside it"
            meant, unit = min(kinds)
            filled[at] = header._replace(quantity=meant, unit=unit, candidates=(), why=why)
    return tuple(filled)


def _is_result(header: Header) -> bool:
    one = header.quantity
    return one is not None and one.role in _RESULTS and one.name not in COMPARING


def take_over(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    sisters: Mapping[str, Header],
) -> tuple[Header, ...]:
    """The headers, those that nobody explained with their meaning in tables like this one."""
    if not sisters:
        return tuple(headers)
    return tuple(
        sister._replace(
            text=header.text,
            settings=header.settings or sister.settings,
            as_written=header.as_written,
            why="as in a table with the same headers",
        )
        if header.quantity is None
        and (sister := sisters.get(header.text)) is not None
        and holds_numbers(cells)
        else header
        for header, cells in zip(headers, columns, strict=True)
    )
