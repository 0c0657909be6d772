"""A column of a table as sentences speak of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Line
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.claims.words import stems
from mdbench.diagnosis.numbers import Number
from mdbench.markdown.inline import plain_text
from mdbench.prose.figures import Bound, Figure
from mdbench.prose.sentences import words_of
from mdbench.regex import lazy

IN_BRACKETS = lazy(r"[(\[][^()\[\]]*[)\]]|[↑↓]")
_RATIO_WORDS = stems("speedup ratio factor x")
_ROUGHLY = 0.1
_NEUTRAL = (0.0, 1.0, 100.0)
_FLOATING = 1e-9


class Column(NamedTuple):
    """The numbers of a column in the rows that were measured."""

    line: Line
    numbers: Mapping[int, Number]
    words: frozenset[str]
    """Those of its title, without its unit."""
    percent: bool
    times: bool
    mixed: bool
    """Whether its rows are of several kinds, and these are only those of one of them."""

    @classmethod
    def read(cls, line: Line, rows: frozenset[int]) -> Column:
        """A column in some rows."""
        numbers = {row: one for row, one in line.numbers.items() if row in rows}
        title = plain_text(line.title)
        words = frozenset(words_of(IN_BRACKETS.sub(" ", title)))
        scales = {one.scale for one in line.numbers.values()}
        ratio, bare = line.dimension == "ratio", line.dimension in ("", "count")
        percent = (ratio and scales == {0.01}) or (bare and "%" in title)
        times = (ratio and scales == {1.0}) or (
            bare and not percent and bool(words & _RATIO_WORDS) and wanted_of(line).is_comparison
        )
        return cls(line, numbers, words, percent, times, bool(line.strays))

    @property
    def title(self) -> str:
        """Its title as it is shown."""
        return plain_text(self.line.title)

    @property
    def is_chosen(self) -> bool:
        """Whether its numbers were chosen, and not measured: nodes, parameters."""
        return self.line.is_setting and self.line.dimension not in ("s", "byte")

    @property
    def compares(self) -> bool:
        """Whether its numbers are comparisons with others."""
        return wanted_of(self.line).is_comparison or (self.mixed and self.percent)

    @property
    def is_rate(self) -> bool:
        """Whether its numbers are rates."""
        return self.line.dimension.endswith("/s")

    @property
    def compared(self) -> Mapping[int, Number]:
        """Its numbers, without those of a baseline that is compared with itself."""
        if not self.compares:
            return self.numbers
        printed = {row: one.source.numeral.value for row, one in self.numbers.items()}
        kept = {
            row: one
            for row, one in self.numbers.items()
            if (value := printed[row]) is None or float(value) not in _NEUTRAL
        }
        return kept or self.numbers

    def scale(self, figure: Figure) -> float | None:
        """What a number of a sentence is multiplied with to be compared; None if it cannot be."""
        unit = figure.unit
        if unit is None:
            return None
        if unit.dimension == "ratio":
            if not (self.times if figure.is_times else self.percent):
                return None
            return float(unit.scale) if self.line.dimension == "ratio" else 1.0
        return float(unit.scale) if unit.dimension == self.line.dimension else None

    def takes(self, figure: Figure) -> bool:
        """Whether a number may be one of its numbers: by its unit, or by the word behind it."""
        if self.scale(figure) is not None:
            return True
        return self.is_bare and bool(figure.noun) and set(words_of(figure.noun)) <= self.words

    @property
    def is_bare(self) -> bool:
        """Whether its numbers have no unit."""
        return self.line.dimension in ("", "count") and not self.percent and not self.times

    def ends(self, figure: Figure) -> tuple[float, float, float]:
        """The number of a sentence in base units, rounded or cut: lowest, itself, highest."""
        scale = self.scale(figure) or 1.0
        value, quantum = float(figure.value) * scale, float(figure.quantum) * scale
        reach = max(quantum, value * _ROUGHLY) if figure.bound is Bound.ABOUT else quantum
        less = reach if figure.bound is Bound.ABOUT else quantum / 2
        return value - less, value, value + reach

    def is_finer(self, figure: Figure, number: Number) -> bool:
        """Whether a sentence has more digits than the cell that it may quote."""
        printed = number.source.numeral.quantum
        quantum = float(figure.quantum) * (self.scale(figure) or 1.0)
        return printed is not None and quantum < float(printed) * number.scale * (1 - _FLOATING)

    def fits(self, figure: Figure, number: Number) -> bool:
        """Whether a sentence may have rounded a number so, or cut it; its own digits it repeats."""
        if self.compares and number.value < 0 < figure.value:
            # `cuts the latency by 57%`, where the table has `-57%`.
            low, high, cut = -number.high, -number.low, -number.cut
            number = number._replace(value=-number.value, low=low, high=high, cut=cut)
        low, value, _ = self.ends(figure)
        width = number.high - number.low
        if (
            figure.bound is not Bound.ABOUT
            and abs(2 * (value - low) - width) < width * _FLOATING * 1000
        ):
            return abs(value - number.value) < width / 2
        return self.meets(figure, number.widest()) or value == number.value

    def meets(self, figure: Figure, ends: tuple[float, float]) -> bool:
        """Whether a number of a sentence may be a result that lies between two ends."""
        low, value, high = self.ends(figure)
        slack = abs(value) * _FLOATING
        return low + slack < ends[1] and ends[0] + slack < high
