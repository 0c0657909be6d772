"""Rows that are sorted by their first number, such as nodes: a repair keeps the order."""

from collections.abc import Sequence
from itertools import pairwise

from mdbench.diagnosis.repairs.trials import base_amount
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import FEWEST_ORDERED
from mdbench.sheets.measurements import Measurement


def breaks_order(row: RunNumbers, before: Measurement, after: Measurement) -> bool:
    """Whether the rows are sorted by their first number, and would not be after a change."""
    first = next((one for one in row.sheet.columns if one.has_numbers), None)
    if first is None or first.index != before.column:
        return False
    mains = first.mains
    printed = [amount for one in mains if (amount := base_amount(one)) is not None]
    changed = (after if one.key == before.key else one for one in mains)
    then = [amount for one in changed if (amount := base_amount(one)) is not None]
    if len(set(printed)) < FEWEST_ORDERED:
        return False
    return (_rises(printed) and not _rises(then)) or (
        _rises(printed[::-1]) and not _rises(then[::-1])
    )


def _rises(amounts: Sequence[float]) -> bool:
    return all(one <= other for one, other in pairwise(amounts))
