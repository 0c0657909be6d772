"""Columns whose headers leave open what they hold: names of runs, or a statistic alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role
from mdbench.vocabulary.statistics import statistic_of

_ENOUGH = 0.6
# Fewer columns without a known name are no comparison.
FEWEST_COMPARED = 2
_NEAR = Decimal("0.01")
_COUNTED = lazy(
    r"\w (?:size|count|number|id|index|rank|depth|cores?)$|\bper (?:clock )?cycle\b|"
    r"(?:任务|样本|文件|[行次条个人件])数量?$|개수$|^(?:Anzahl|Nombre de)\b", re.IGNORECASE
)  # fmt: skip
_BRACKET = lazy(r"[*]|\s[(\[][^()\[\]]{0,20}[)\]]$")
EXTREMES = {"best": ("min", "max"), "worst": ("max", "min")}


def list_open(headers: Sequence[Header], columns: Sequence[Cells]) -> frozenset[int]:
    """The columns of which only the text around the table can say what they hold."""
    left_open = {at for at, header in enumerate(headers) if is_open(header)}
    if any(cell.form is not Form.NUMBER or cell.note or cell.unit for cell in columns[0]):
        # `32 x DGX A100` is a label.
        left_open.discard(0)
    unnamed = [
        at
        for at, header in enumerate(headers)
        if at and not header.understood and not _is_aside(header.said)
    ]
    unnamed = [at for at in unnamed if headers[at].text and holds_numbers(columns[at])]
    statistics = any(headers[at].statistic for at in left_open)
    compared = len(left_open) + len(unnamed) >= FEWEST_COMPARED
    if compared and not statistics and not any(map(is_measured, headers[1:])):
        left_open.update(unnamed)
    if statistics:
        left_open.update(at for at in unnamed if headers[at].text.casefold() in EXTREMES)
        means = [at for at in left_open if headers[at].statistic == "mean"]
        if len(means) == len(left_open) == 1 and _is_mean(columns[means[0]], columns, unnamed):
            left_open.update(unnamed)
    # A name between those of other runs is one too.
    named = {at for at in left_open if headers[at].settings}
    left_open.update(at for at in unnamed if {at - 1, at + 1} <= named)
    return frozenset(left_open)


def _is_mean(cells: Cells, columns: Sequence[Cells], places: Sequence[int]) -> bool:
    """Whether a column has the mean of the others in each row: then they measure the same."""
    checked = 0
    for row, cell in enumerate(cells):
        values = [columns[at][row].value for at in places if row < len(columns[at])]
        known = [value for value in values if value is not None]
        if cell.value is None or len(known) < max(len(values), FEWEST_COMPARED):
            continue
        if abs(sum(known, Decimal()) / len(known) - cell.value) > cell.value * _NEAR:
            return False
        checked += 1
    return checked >= FEWEST_COMPARED


def _is_aside(said: Header) -> bool:
    """Whether a header says that its numbers are no results: `#Tasks`, `Tile size`, `Ref.`."""
    if said.text.startswith("#") or _COUNTED.search(said.text):
        return True
    return said.quantity is not None and said.quantity.role is Role.NOTE


def is_open(header: Header) -> bool:
    """Whether a header only tells runs apart."""
    said = bool(header.settings) or is_only_statistic(header)
    return header.quantity is None and not header.candidates and said and not _has_unit(header)


def is_only_statistic(header: Header) -> bool:
    """Whether a header is a statistic and nothing else: not `Max compute units`."""
    return bool(header.statistic) and bool(statistic_of(_BRACKET.sub("", header.text)))


def _has_unit(header: Header) -> bool:
    """Whether a header says that its numbers are in some unit per thing: `ns/string (n=10)`."""
    unit, per, _ = header.text.partition("/")
    return bool(per) and parse_unit(unit) is not None


def is_measured(header: Header) -> bool:
    """Whether a header says what was measured."""
    one = header.quantity
    if one is None:
        return bool(header.candidates)
    return one.role is Role.MEASUREMENT and one.name not in COMPARING


def holds_numbers(cells: Cells) -> bool:
    """Whether most of what stands in a column is numbers."""
    return bool(cells.numbers) and len(cells.numbers) >= _ENOUGH * len(cells.filled)
