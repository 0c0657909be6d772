"""Bold on the best number of a column: it moves with the best number."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report

_BOLD = lazy(r"(\*\*|__)(?P<inside>[^*_]+)\1")


def move_bold(before: Report, after: Report) -> Iterator[tuple[Measurement, str]]:
    """The cells that bold moves to or from, with it or without: it was on the best numbers."""
    for old_sheet, new_sheet in zip(before.sheets, after.sheets, strict=False):
        if not new_sheet.table.has_plain_cells:
            continue
        for old, new in zip(old_sheet.columns, new_sheet.columns, strict=False):
            yield from _move(old, new)


def _move(old: Column, new: Column) -> Iterator[tuple[Measurement, str]]:
    bold = {one.run for one in old.mains if _BOLD.fullmatch(one.cell.raw)}
    numbers = _numbers(old)
    if not bold or len(numbers) < 2:
        return
    for choose in (min, max):
        best = choose(numbers.values())
        if bold == {run for run, value in numbers.items() if value == best}:
            now = _numbers(new)
            wanted = {run for run, value in now.items() if value == choose(now.values())}
            yield from _mark(new, wanted)
            return


def _numbers(column: Column) -> dict[int, float]:
    return {one.run: _size(one) for one in column.mains if one.single or _is_plain(one)}


def _is_plain(one: Measurement) -> bool:
    return one.numeral.value is not None and not one.numeral.unit


def _size(one: Measurement) -> float:
    if one.amount is not None:
        return float(one.amount.value * one.amount.unit.scale)
    return float(one.numeral.value or 0)


def _mark(column: Column, wanted: set[int]) -> Iterator[tuple[Measurement, str]]:
    for one in column.mains:
        match = _BOLD.fullmatch(one.cell.raw)
        if match is None and one.run in wanted:
            yield one, f"**{one.cell.raw}**"
        elif match is not None and one.run not in wanted:
            yield one, match["inside"]
