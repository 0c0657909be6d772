"""Cells that stand one or more columns off: a pipe too many, a cell left out, a value too early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.repairs.misfits import Kinds, is_misfit
from mdbench.diagnosis.repairs.values import CellChange, Repair, RepairKind, main_cells, reread
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import COST_PER_CELL, FEWEST_UNITS, RAGGED_COST, SHIFT_COST
from mdbench.numerals.cell import Form
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit
from mdbench.vocabulary.amounts import NUMERIC
from mdbench.vocabulary.quantities import Role

MISSING = "-"


def suppose_shifts(row: RunNumbers, kinds: Kinds) -> Iterator[Repair]:
    """A stretch of cells stands one column too far right or left."""
    cells = main_cells(row)
    blanks = [at for at, one in enumerate(cells) if one.numeral.form is Form.NOTHING]
    for blank in blanks:
        last = blank
        while last + 1 < len(cells) and _fits(cells[last], cells[last + 1], kinds):
            last += 1
        if last > blank:
            texts = [*(one.cell.raw for one in cells[blank + 1 : last + 1]), MISSING]
            yield shift(cells[blank : last + 1], texts, "right")
        first = blank
        while first > 0 and _fits(cells[first], cells[first - 1], kinds):
            first -= 1
            texts = [MISSING, *(one.cell.raw for one in cells[first:blank])]
            yield shift(cells[first : blank + 1], texts, "left")


def _fits(target: Measurement, moved: Measurement, kinds: Kinds) -> bool:
    """Whether a filled cell can stand in another's place."""
    quantity, form = target.header.quantity, moved.numeral.form
    if form is Form.NOTHING:
        return False
    if quantity is not None and quantity.role in (Role.SETTING, Role.MEASUREMENT):
        wants_number = not (quantity.text or quantity.flag)
        if wants_number and form not in NUMERIC:
            return False
    return not is_misfit(reread(target, moved.cell.raw, kinds.sheet.vocabulary), kinds)


def shift(
    cells: Sequence[Measurement], texts: Sequence[str], way: str, edits: tuple[Edit, ...] = ()
) -> Repair:
    """The repair that gives each of a stretch of cells the text of its neighbour."""
    changes = tuple(
        CellChange(one, text)
        for one, text in zip(cells, texts, strict=True)
        if one.cell.raw != text or edits
    )
    title = f"cells from {cells[0].header.text} onwards are one column too far {way}"
    cost = (RAGGED_COST if edits else SHIFT_COST) + COST_PER_CELL * len(changes)
    return Repair(RepairKind.SHIFT, title, changes, cost, edits)


def suppose_slides(row: RunNumbers, kinds: Kinds) -> Iterator[Repair]:
    """All cells from one on stand several columns off, and the last have run over the row's end."""
    cells = main_cells(row)
    wrong = (at for at, one in enumerate(cells) if is_misfit(one, kinds))
    first = next(wrong, 0)
    for by in range(1, len(cells) - FEWEST_UNITS + 1):
        for start in range(min(first, len(cells) - by - 1), -1, -1):
            moved, targets = cells[start : len(cells) - by], cells[start + by :]
            pairs = list(zip(targets, moved, strict=True))
            telling = sum(bool(one.numeral.unit) for one in moved)
            if telling < FEWEST_UNITS or not all(_fits(a, b, kinds) for a, b in pairs):
                continue
            gap = [CellChange(one, MISSING) for one in cells[start : start + by]]
            changes = (*gap, *(CellChange(a, b.cell.raw) for a, b in pairs))
            columns = "one column" if by == 1 else f"{by} columns"
            title = f"cells from {cells[start].header.text} onwards are {columns} too far left"
            yield Repair(RepairKind.SHIFT, title, changes, SHIFT_COST + by, lossy=True)
            break
