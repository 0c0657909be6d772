"""What speaks for a constant that rows agree on: a number in the text, or words of the headers."""

import math
from collections.abc import Iterator, Sequence
from functools import cache

from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law
from mdbench.diagnosis.thresholds import LEAST_WITNESS_BITS, MOST_WITNESS_BITS, NAMED_BITS, NOISE
from mdbench.markdown.document import BlockKind, Document
from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import COUNTS
from mdbench.regex import lazy

_NUMBER = lazy(
    r"(?<![\w.,])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?: ?(?P<letter>[kKMBT])\b)?(?![.,]?\d)"
)
_WORD = lazy(r"[^\W_]+|[$€¢¥£%°]")
_EACH = lazy(r"(?i)\b(?:per|each|pro|par|por|je)\b|/|每|あたり|당")
_TOLD = frozenset((BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.ITEM))
_NONE = -1
_EXPONENT = 3
_RANGE = math.log(10**_EXPONENT)


class Witnesses:
    """The numbers that the text of a report states, by the section that they are about."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._stated = cache(self._read_stated)

    def bits(self, grid: Grid, law: Law) -> float:
        """How many bits it is worth what is said for the constant of a law."""
        if not law.free or len(law.terms) > 1:
            return 0.0
        result, source = grid.lines[law.result], grid.lines[law.terms[0].line]
        if law.terms[0].power > 0 and (says_each(result, source) or says_each(source, result)):
            return NAMED_BITS
        titles = f"{result.title} {source.title}"
        stated = {*self._stated(grid.sheet.table.section), *_numbers_in(titles)}
        return _bits_of_stated(list(_ways(law, result, source)), sorted(stated))

    def _read_stated(self, section: int) -> frozenset[float]:
        """The numbers in a section, in those around it, and before the first one."""
        around = {section, _NONE, 0}
        while section != _NONE:
            section = self._document.sections[section].parent
            around.add(section)
        lines = (
            line.text
            for block in self._document.blocks
            if block.kind in _TOLD and block.section in around
            for line in block.lines
        )
        return frozenset(number for line in lines for number in _numbers_in(line))


def says_computed(grid: Grid, law: Law, *, result: bool) -> bool:
    """Whether one of two lines in proportion says that it is computed: `tok/s per GPU`."""
    if not law.free or len(law.terms) > 1:
        return False
    lines = [grid.lines[law.result], grid.lines[law.terms[0].line]]
    line, other = lines if result else reversed(lines)
    if law.terms[0].power > 0 and says_each(line, other):
        return True
    return _bits_of_stated(list(_ways(law, *lines)), [*_numbers_in(line.title)]) > 0


def says_each(line: Line, other: Line) -> bool:
    """Whether a line says that it is another one for each of something: `tok/s per GPU`."""
    mine, theirs = (_words(one.title) for one in (line, other))
    quantity, whole = line.header.quantity, other.header.quantity
    if quantity is not None and whole is not None:
        return quantity.name == f"{whole.name}_per_device"
    more = mine - theirs
    return bool(theirs) and theirs <= mine and bool(more) and _EACH.search(line.title) is not None


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold()))


def _numbers_in(text: str) -> Iterator[float]:
    for match in _NUMBER.finditer(plain_text(text)):
        value = float(match["digits"].replace(",", ""))
        factor = float(COUNTS[match["letter"].lower()]) if match["letter"] else 1.0
        if value * factor > 1:
            yield value * factor
        elif 0 < value < 1:
            yield value


def _ways(law: Law, result: Line, source: Line) -> Iterator[tuple[float, float]]:
    """The constant in base units, and as it is printed."""
    low, high = law.constant
    mine, theirs = (next(iter(line.numbers.values())).scale for line in (result, source))
    size = theirs ** law.terms[0].power / mine
    yield low, high
    if size != 1:
        yield low * size, high * size


def _bits_of_stated(ways: Sequence[tuple[float, float]], stated: Sequence[float]) -> float:
    """How unlikely it is by chance that one of the stated numbers is a constant, or its inverse.

    Of kilowatts and watts, only the digits are the same.
    """
    if not stated:
        return 0.0
    for low, high in ways:
        if any(_is_within(one, low, high) or _is_within(1 / one, low, high) for one in stated):
            width = math.log(high / low)
            tried = 2 * len(ways) * len(stated) * width / _RANGE
            bits = min(-math.log2(tried + NOISE), MOST_WITNESS_BITS)
            return bits if bits >= LEAST_WITNESS_BITS else 0.0
    return 0.0


def _is_within(value: float, low: float, high: float) -> bool:
    """Whether a number is in an interval, in thousands or thousandths if need be."""
    shift = round(math.log10(math.sqrt(low * high) / value) / _EXPONENT) * _EXPONENT
    return low <= value * 10.0**shift <= high
