"""The cells of one column, with what many functions ask of them worked out once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.amounts import NUMERIC

_CHANGED = lazy(r"[^\w(]{0,4}[-+\u2212\u2013↑↓⬆⬇]\W{0,3}\d")


class Cells(tuple[Numeral, ...]):  # noqa: SLOT001 - with attributes
    """What each cell of a column is about."""

    def __init__(self, _: Iterable[Numeral]) -> None:
        self.filled = [cell for cell in self if cell.form is not Form.NOTHING]
        """The cells that say anything."""
        self.numbers = [cell for cell in self.filled if cell.value is not None]
        self.values = [cell.value for cell in self.numbers if cell.value is not None]
        self.words = [cell.text for cell in self.filled if cell.form is Form.TEXT]
        self.kind = _kind_of([cell.form for cell in self.filled], len(self.words))
        """Whether they are words or numbers: what more than half of the filled ones are."""
        carrying = [cell for cell in self.numbers if cell.unit]
        self.has_units = bool(carrying)
        """Whether any number has a unit, or a letter."""
        self.unit = _common_unit(carrying) if carrying else None
        """The unit that most of those that have one agree on; letters are none."""

    @cached_property
    def rounded(self) -> list[tuple[float, float] | None]:
        """Each number that stands alone, and by what share it may be rounded; else None."""
        return [
            (float(cell.value), float((cell.quantum or 0) / abs(cell.value) / 2))
            if cell.form is Form.NUMBER and cell.value
            else None
            for cell in self
        ]

    @property
    def has_fractions(self) -> bool:
        """Whether some number is not whole."""
        # Not by `% 1`, which fails for numbers of more digits than decimals have.
        return any(value != value.to_integral_value() for value in self.values)


def _kind_of(forms: list[Form], words: int) -> str:
    counted = forms.count(Form.COUNT)
    numbers = sum(map(NUMERIC.__contains__, forms)) - counted
    if numbers > words:
        return "numbers"
    return "words" if words + counted > numbers else ""


def _common_unit(carrying: list[Numeral]) -> Unit | None:
    telling = [cell for cell in carrying if not tells_change(cell)] or carrying
    texts = Counter([cell.unit for cell in telling])
    units = [(parse_unit(text), count) for text, count in texts.items()]
    known = [(unit, count) for unit, count in units if unit is not None]
    if not known:
        return None
    best, _ = max(known, key=lambda pair: pair[1])
    agreeing = sum(count for unit, count in known if unit.dimension == best.dimension)
    return best if 2 * agreeing > len(telling) else None


def tells_change(cell: Numeral) -> bool:
    """Whether a cell says by how much the numbers beside it differ: `-5.3%`, `↑ 3.7%`."""
    return cell.unit == "%" and _CHANGED.match(cell.text) is not None
