"""Format the values of a run with the digits of the report, in any unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from mdbench.frames.frame_columns import TidyRow


def show_value(run: TidyRow, name: str, cells: Sequence[TidyRow]) -> object:
    """Format a value of a run, with no more decimals than its cell has digits for."""
    value = run[name]
    if isinstance(value, list):
        return " ".join(map(str, value)) or None
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    decimals = _decimals(value, run, name, cells)
    if decimals is None:
        return value
    return f"{Decimal(repr(value)):.{decimals}f}"


def _decimals(value: float, run: TidyRow, name: str, cells: Sequence[TidyRow]) -> int | None:
    """The number of decimals that the printed digits justify in the unit of the frame."""
    for cell in cells:
        if cell["quantity"] != name or cell["line"] != run["line"]:
            continue
        printed, low, high = cell["value"], cell["low"], cell["high"]
        if isinstance(printed, float) and isinstance(low, float) and isinstance(high, float):
            step = (high - low) * (value / printed if printed else 1.0)
            # Floats are slightly off: 0.1 must not be read as 0.0999….
            return max(0, -math.floor(math.log10(step) + 1e-6)) if step > 0 else None
    return None
