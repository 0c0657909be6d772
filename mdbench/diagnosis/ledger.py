"""A sheet as columns of cells: which column a cell is of, and how that writes its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mdbench.diagnosis.digits import count_decimals, number_text
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.headers import Header


@dataclass(frozen=True)
class Ledger:
    """The columns of a sheet, each worked out once. A transposed table has its rows for columns."""

    sheet: Sheet

    @cached_property
    def _cells(self) -> Mapping[int, Sequence[Measurement]]:
        return {column.index: column.mains for column in self.sheet.columns if column.mains}

    def column(self, one: Measurement) -> int:
        """The column that a cell stands in."""
        return one.column

    def cells(self, column: int) -> Sequence[Measurement]:
        """What each cell of a column is about."""
        return self._cells.get(column, ())

    @cached_property
    def _runs(self) -> Mapping[tuple[int, int], Measurement]:
        found: dict[tuple[int, int], Measurement] = {}
        for column, cells in self._cells.items():
            for one in cells:
                found.setdefault((column, one.run), one)
        return found

    def find(self, column: int, run: int) -> Measurement | None:
        """What the cell of a column and a run is about."""
        return self._runs.get((column, run))

    def columns(self) -> Iterator[tuple[int, Header, Sequence[Measurement]]]:
        """Every column with its header and cells."""
        for column, cells in self._cells.items():
            yield column, self.sheet.columns[column].header, cells

    @cached_property
    def _titles(self) -> Sequence[tuple[str, int]]:
        seen: Counter[str] = Counter()
        found: list[tuple[str, int]] = []
        for column in self.sheet.columns:
            found.append((column.header.text, seen[column.header.text]))
            seen[column.header.text] += 1
        return found

    def title(self, column: int) -> tuple[str, int]:
        """The title of a column, and how many before it have the same one."""
        return self._titles[column]

    @cached_property
    def _digits(self) -> Mapping[int, int]:
        """What two cells of a column show, so that one mistyped number does not speak for all."""
        shown: dict[int, list[int]] = {}
        for one in self.sheet.measurements:
            digits = _whole_digits(one)
            if digits:
                shown.setdefault(self.column(one), []).append(digits)
        return {column: sorted(digits)[-2:][0] for column, digits in shown.items()}

    def digits(self, one: Measurement) -> int | None:
        """How many significant digits a whole number has, by itself and by its column."""
        shown = self._digits.get(self.column(one))
        return None if shown is None else max(shown, _whole_digits(one))

    @cached_property
    def _decimals(self) -> Mapping[int, Counter[int]]:
        found: dict[int, Counter[int]] = {}
        for column, cells in self._cells.items():
            texts = (text for one in cells if (text := number_text(one)))
            found[column] = Counter(map(count_decimals, texts))
        return found

    def decimals(self, one: Measurement) -> int | None:
        """How many decimals the other numbers of a cell's column have; None where they differ."""
        counts = Counter(self._decimals.get(self.column(one), {}))
        typed = number_text(one)
        if typed is not None:
            counts[count_decimals(typed)] -= 1
        shown = [decimals for decimals, count in counts.items() if count > 0]
        return shown[0] if len(shown) == 1 else None

    @cached_property
    def _units(self) -> Mapping[int, Counter[str]]:
        return {
            column: Counter(one.numeral.unit for one in cells if one.numeral.value is not None)
            for column, cells in self._cells.items()
        }

    def usual_unit(self, one: Measurement) -> str:
        """The unit that all other numbers of a cell's column carry; nothing where they differ."""
        counts = Counter(self._units.get(self.column(one), {}))
        counts[one.numeral.unit] -= 1
        shown = [unit for unit, count in counts.items() if count > 0]
        return shown[0] if len(shown) == 1 else ""


def _whole_digits(one: Measurement) -> int:
    """How many digits a whole number has before its trailing zeros; 0 for any other number."""
    if one.amount is None or one.amount.quantum != 1 or one.amount.value == 0:
        return 0
    return len(str(abs(int(one.amount.value))).rstrip("0"))
