"""Rows and columns that hold something else than those around them, as their labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mdbench.markdown.inline import plain_text
from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import parse_unit
from mdbench.sheets.layout import Layout, Series
from mdbench.sheets.meaning import settle
from mdbench.sheets.statistics import MEASURED
from mdbench.vocabulary.amounts import scale, scaled
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Vocabulary

_SIGNS = frozenset("+-\u2212\u2013")


def is_named_by_others(header: Header) -> bool:
    """Whether a column is named after what was measured, and only others say what that is."""
    one, said = header.quantity, header.said
    return (
        one is not None
        and one.role in MEASURED
        and one.name != "value"
        and said.quantity is None
        and not said.candidates
    )


def read_labels(
    series: Sequence[Series],
    headers: Sequence[Header],
    columns: Sequence[Sequence[Numeral]],
    vocabulary: Vocabulary,
) -> Mapping[int, Header]:
    """The rows that hold another quantity: `Speedup` and `1.8x` below the times of two methods.

    Their first cell names it, and the units of their numbers fit it and not their columns.
    """
    numbers: dict[int, list[Numeral]] = {}
    foreign: dict[int, list[Numeral]] = {}
    for one, header, cells in zip(series, headers, columns, strict=True):
        if not one.place or not is_named_by_others(header):
            continue
        for (row, _, _), cell in zip(one.cells, cells, strict=True):
            if cell.value is not None:
                numbers.setdefault(row, []).append(cell)
                if cell.unit and scaled(cell, header) is None:
                    foreign.setdefault(row, []).append(cell)
    found: dict[int, Header] = {}
    for row, _, label in series[0].cells if foreign else ():
        cells = foreign.get(row, [])
        if not cells or len(cells) < len(numbers[row]):
            continue
        told = _read_label(plain_text(label.raw), cells, vocabulary)
        if told is not None:
            found[row] = told
    return found


def _read_label(text: str, cells: Sequence[Numeral], vocabulary: Vocabulary) -> Header | None:
    said = read_header(text, vocabulary)
    if said.quantity is None and not said.candidates:
        return None
    told = settle(said, cells, vocabulary)
    one = told.quantity
    if one is None or any(scale(cell, one, told.unit) is None for cell in cells):
        return None
    return told


def read_comparisons(
    layout: Layout,
    series: Sequence[Series],
    columns: Sequence[Sequence[Numeral]],
    vocabulary: Vocabulary,
) -> Mapping[int, Header]:
    """The columns of a transposed table that compare the others: `Change` above `-17 %`."""
    titles = {
        at: header
        for at, title in enumerate(layout.titles)
        if at and _compares(header := read_header(title, vocabulary))
    }
    numbers: dict[int, list[Numeral]] = {at: [] for at in titles}
    for one, cells in zip(series, columns, strict=True) if titles else ():
        for (_, run, _), cell in zip(one.cells, cells, strict=True):
            if run in numbers and cell.value is not None:
                numbers[run].append(cell)
    settled = {
        at: settle(titles[at], cells, vocabulary)
        for at, cells in numbers.items()
        if 2 * sum(map(_is_compared, cells)) > len(cells)
    }
    return {at: header for at, header in settled.items() if _compares(header)}


def _compares(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name in COMPARING


def _is_compared(cell: Numeral) -> bool:
    """Whether a number is a factor, a share or a difference: `1.4x`, `-17 %`, `+3 ms`."""
    unit = parse_unit(cell.unit)
    return (unit is not None and unit.dimension == "ratio") or cell.text.strip()[:1] in _SIGNS
