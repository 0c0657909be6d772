"""Blank cells that mean "as above": the left columns of a table that is grouped by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mdbench.markdown.document import Presence
from mdbench.numerals.cell import Form, Status
from mdbench.numerals.words import is_ditto
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement, StatedSetting
from mdbench.vocabulary.quantities import Role

_TOLD = frozenset((Role.SETTING, Role.IDENTITY))


def inherit(columns: Sequence[Column]) -> Mapping[int, tuple[StatedSetting, ...]]:
    """For each row, what its blank cells take over from the rows above.

    The blanks of a grouped table stand at the left: where one is blank, so are all before it, and
    the first row has none. Any other blank may mean that something was not set or not known.
    """
    leading = list(_leading(columns))
    blanks = [_blank_rows(column) for column in leading]
    if not any(blanks) or not _are_groups(leading, blanks):
        return {}
    told = frozenset().union(*map(_told_rows, columns[len(leading) :]))
    taken: dict[int, list[StatedSetting]] = {}
    for column, blank in zip(leading, blanks, strict=True):
        above: StatedSetting | None = None
        for one in column.mains:
            if one.row in blank and above is not None and one.row in told:
                taken.setdefault(one.row, []).append(above)
            elif one.row not in blank:
                above = _stated(column, one)
    return {row: tuple(stated) for row, stated in taken.items()}


def _leading(columns: Sequence[Column]) -> Iterator[Column]:
    for column in columns:
        one = column.header.quantity
        if column.header.settings or one is None or one.role not in _TOLD:
            return
        yield column


def _blank_rows(column: Column) -> frozenset[int]:
    return frozenset(
        one.row
        for one in column.mains
        if one.cell.presence is not Presence.MISSING
        and (not one.cell.raw.strip() or is_ditto(one.cell.raw.strip()))
    )


def _told_rows(column: Column) -> frozenset[int]:
    """The rows where a column says anything, if only that a run failed."""
    return frozenset(
        one.row
        for one in column.mains
        if one.numeral.form is not Form.NOTHING or one.numeral.status is not Status.MISSING
    )


def _are_groups(leading: Sequence[Column], blanks: Sequence[frozenset[int]]) -> bool:
    first = leading[0].mains[0].row
    nested = all(inner <= outer for outer, inner in pairwise(blanks))
    return nested and first not in blanks[0]


def _stated(column: Column, main: Measurement) -> StatedSetting | None:
    one, numeral = column.header.quantity, main.numeral
    if one is None or numeral.form is Form.NOTHING:
        return None
    return StatedSetting(one, numeral, main.cell.raw)
