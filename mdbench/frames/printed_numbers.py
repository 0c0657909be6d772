"""Numbers as the reports print them: `16 GB`, not `15258.7890625` MiB.

A value that a report prints is shown in its words. What SQL computed, such as a mean, gets the unit
and the digits that the reports use most for its quantity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from mdbench.frames.frame_columns import TidyRow
from mdbench.markdown.inline import plain_text
from mdbench.numerals.bounds import ESTIMATE
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Vocabulary

_NUMBER = lazy(r"[-+]?\d(?:[\d,]*\d)?(?:\.(\d+))?")
_DIGITS = 9
_JOINED = {"≥": {"", ">", "≥"}, "≤": {"", "<", "≤"}}


class _Habit(NamedTuple):
    """How a number of a quantity is printed."""

    factor: float
    """What one of the printed unit is in the unit of the frame."""
    decimals: int
    unit: str

    def write(self, value: float) -> str:
        return f"{value / self.factor:.{self.decimals}f}{self.unit}"


class PrintedNumbers:
    """How the numbers of each quantity are printed in some reports."""

    def __init__(self, cells: Iterable[TidyRow], vocabulary: Vocabulary) -> None:
        self._known = vocabulary.quantities
        self._texts: dict[tuple[str, str], str] = {}
        self._bounds: dict[tuple[str, str], set[str]] = {}
        self._habits: dict[str, Counter[_Habit]] = {}
        for cell in cells:
            self._add(cell)

    def show(self, names: Sequence[str], rows: Iterable[Sequence[object]]) -> list[list[object]]:
        """The rows with their numbers as printed; `names` are the quantities of the columns."""
        quantities = [name if name in self._habits else "" for name in map(str.lower, names)]
        return [
            [self._write(name, value) for name, value in zip(quantities, row, strict=True)]
            for row in rows
        ]

    def _add(self, cell: TidyRow) -> None:
        name, value = str(cell.get("quantity")), cell.get("value")
        if name not in self._known or not isinstance(value, int | float):
            return
        one = self._known[name]
        printed = parse_unit(str(cell.get("unit") or "")) or one.unit
        if printed.dimension != one.unit.dimension:
            return
        match = _NUMBER.search(plain_text(str(cell["raw"])))
        if match is None or float(match[0].replace(",", "")) != value:
            return
        # Settings are counts, which need no unit.
        unit = "" if one.integer or not one.unit.text else f" {printed.text}"
        factor = float(printed.scale) / float(one.unit.scale)
        place = name, _key(value * factor)
        self._texts.setdefault(place, f"{match[0]}{unit}")
        self._bounds.setdefault(place, set()).add(str(cell.get("bound") or ""))
        habit = _Habit(factor, len(match[1] or ""), unit)
        self._habits.setdefault(name, Counter())[habit] += 1

    def _write(self, name: str, value: object) -> object:
        if not name or isinstance(value, bool) or not isinstance(value, int | float):
            return value
        place = name, _key(value)
        if place in self._texts:
            return f"{_join_bounds(self._bounds[place])}{self._texts[place]}"
        return self._habits[name].most_common(1)[0][0].write(value)


def _join_bounds(bounds: Collection[str]) -> str:
    """The bound that is true of a value however a report prints it: 80 and `>80` are `≥80`."""
    if len(bounds) == 1:
        return next(iter(bounds))
    return next((sign for sign, alike in _JOINED.items() if alike.issuperset(bounds)), ESTIMATE)


def _key(value: float) -> str:
    return f"{value:.{_DIGITS}g}"
