"""Tables with the same titles in one report: what one of them says, the silent ones mean too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mdbench.numerals.numeral import Numeral
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Role

_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_UNSPECIFIC = COMPARING | {"value"}
_COLONS = (":", "：")
_ENOUGH = 0.5
# Numbers that differ by more are hardly of one quantity and unit.
_MOST_TIMES = 1000


def meanings_by_sisters(
    sheets: Sequence[Sheet], captions: Sequence[Sequence[str]]
) -> Mapping[int, Mapping[str, Header]]:
    """For each table with columns that nobody explains, what they are in tables like it.

    A table with an introduction of its own is none of these, even if nobody understands it.
    """
    silent = {
        sheet.number: columns
        for sheet, texts in zip(sheets, captions, strict=True)
        if not (texts and texts[0].rstrip().endswith(_COLONS)) and (columns := open_columns(sheet))
    }
    known = [(sheet, titles) for sheet in sheets if (titles := _known(sheet))] if silent else []
    found: dict[int, Mapping[str, Header]] = {}
    for sheet in sheets:
        told = {
            column.header.text: header
            for column in silent.get(sheet.number, ())
            if (header := _agreed(sheet, column, known)) is not None
        }
        if told:
            found[sheet.number] = told
    return found


def open_columns(sheet: Sheet) -> list[Column]:
    """The columns with numbers of which nobody says what they are."""
    if sheet.layout.transposed:
        return []
    return [
        column
        for column in sheet.columns
        if column.header.quantity is None and column.header.text and column.has_numbers
    ]


def _known(sheet: Sheet) -> Mapping[str, Column]:
    """The columns of which something else than their own cells says what they measure."""
    if sheet.layout.transposed:
        return {}
    return {
        column.header.text: column
        for column in sheet.columns
        if column.header.quantity is not None
        and column.header.quantity.role in _RESULTS
        and column.header.quantity.name not in _UNSPECIFIC
        and column.header.why != BY_CELLS
    }


def _agreed(
    sheet: Sheet, column: Column, known: Sequence[tuple[Sheet, Mapping[str, Column]]]
) -> Header | None:
    """What all tables with the same titles say of a column, if they say the same."""
    text = column.header.text
    headers = [
        titles[text].header
        for other, titles in known
        if text in titles and _are_alike(sheet, other) and _are_near(column, titles[text])
    ]
    meant = {(header.quantity, header.unit) for header in headers}
    first = headers[0] if len(meant) == 1 else None
    candidates = column.header.candidates
    return first if first is None or not candidates or first.quantity in candidates else None


def _are_alike(one: Sheet, other: Sheet) -> bool:
    mine, hers = one.layout.titles, other.layout.titles
    if one is other or mine[:1] != hers[:1]:
        # What stands in the corner may be the unit of all.
        return False
    return len(set(mine) & set(hers)) >= _ENOUGH * max(len(mine), len(hers))


def _are_near(one: Column, other: Column) -> bool:
    """Whether the numbers of two columns are of one size, without a unit of their own."""
    if any(measured.numeral.unit for measured in one.mains):
        return False
    mine, hers = (sorted(_sizes(column)) for column in (one, other))
    if not mine or not hers:
        return False
    low, high = sorted((mine[len(mine) // 2], hers[len(hers) // 2]))
    return high <= _MOST_TIMES * low


def _sizes(column: Column) -> Iterator[float]:
    for one in column.mains:
        numeral: Numeral = one.numeral
        if numeral.value:
            yield abs(float(numeral.value))
