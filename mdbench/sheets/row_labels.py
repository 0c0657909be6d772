"""Rows and columns that hold something else than those around them, as their labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from mdbench.markdown.inline import plain_text
from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import parse_unit
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.layout import Layout, Series
from mdbench.sheets.meaning import settle
from mdbench.sheets.statistics import MEASURED
from mdbench.vocabulary.amounts import scale, scaled
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Vocabulary

_SIGNS = frozenset("+-\u2212\u2013")
_FEWEST_ABOVE, _MOST_ABOVE = 2, 12


def yields_to(header: Header, told: Header) -> bool:
    """Whether what the label of a row says counts more than the header of a column.

    It does if others say what that holds, and any time if it compares the rows above.
    """
    said = header.said
    named = said.quantity is not None or bool(said.candidates)
    return _is_result(header) and (not named or _compares(told))


def _is_result(header: Header) -> bool:
    one = header.quantity
    if one is None or one.role not in MEASURED:
        return False
    return one.name != "value" and one.name not in COMPARING


def read_labels(
    series: Sequence[Series],
    headers: Sequence[Header],
    columns: Sequence[Cells],
    vocabulary: Vocabulary,
) -> Mapping[int, Header]:
    """The rows that hold another quantity: `Speedup` and `1.8x` below the times of two methods.

    Their first cell names it, and the units of their numbers fit it and not their columns.
    """
    foreign: dict[int, list[tuple[Header, Numeral]]] = {}
    fitting: set[int] = set()
    for one, header, cells in zip(series, headers, columns, strict=True):
        if not one.place or not _is_result(header):
            continue
        for (row, _, _), cell in zip(one.cells, cells, strict=True):
            if cell.value is not None and cell.unit and scaled(cell, header) is None:
                foreign.setdefault(row, []).append((header, cell))
            elif cell.value is not None:
                fitting.add(row)
    found: dict[int, Header] = {}
    for row, _, label in series[0].cells if foreign else ():
        if row not in foreign or row in fitting:
            continue
        numbers = Cells([cell for _, cell in foreign[row]])
        told = _read_label(plain_text(label.raw), numbers, vocabulary)
        if told is not None and any(yields_to(header, told) for header, _ in foreign[row]):
            found[row] = told
    return {**found, **_bare_ratios(series, headers, columns, vocabulary)}


def _bare_ratios(
    series: Sequence[Series],
    headers: Sequence[Header],
    columns: Sequence[Cells],
    vocabulary: Vocabulary,
) -> Mapping[int, Header]:
    """The last row, if it is called `Speedup` and has the ratio of two numbers above it."""
    last = series[0].cells[-1] if series and len(series[0].cells) > _FEWEST_ABOVE else None
    told = read_header(plain_text(last[2].raw), vocabulary) if last is not None else None
    if last is None or told is None or not (_compares(told) and told.why == "spelling"):
        return {}
    results = [cells for header, cells in zip(headers, columns, strict=True) if _is_result(header)]
    shown = bool(results) and all(map(_ends_in_ratio, results))
    return {last[0]: told} if shown else {}


def _ends_in_ratio(cells: Cells) -> bool:
    """Whether the last number is the first of two others by the second, as far as it is printed."""
    last, above = cells[-1], [cell.value for cell in cells[:-1][:_MOST_ABOVE] if cell.value]
    if last.value is None or last.unit or last.quantum is None:
        return False
    pairs = permutations(above, 2)
    return any(abs(one / other - last.value) <= last.quantum for one, other in pairs)


def _read_label(text: str, cells: Cells, vocabulary: Vocabulary) -> Header | None:
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
    columns: Sequence[Cells],
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
        at: settle(titles[at], Cells(cells), vocabulary)
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
