"""What speaks for a constant that rows agree on: a number in the text, or words of the headers."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law
from mdbench.diagnosis.thresholds import LEAST_WITNESS_BITS, MOST_WITNESS_BITS, NAMED_BITS, NOISE
from mdbench.markdown.document import Block, BlockKind, Document
from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import COUNTS
from mdbench.regex import lazy

_NUMBER = lazy(
    r"(?<![\w.,])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?)"
    r"(?: ?(?P<letter>[kKMBT])\b)?(?![.,]?\d)"
)
_GROUPED = lazy(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_LEAST_BYTES = 1000
_DIGIT = lazy(r"\d")
_WORD = lazy(r"[^\W_]+|[$€¢¥£%°]")
_EACH = lazy(r"(?i)\b(?:per|each|pro|par|por|je)\b|/|每|あたり|당")
_TOLD = frozenset((BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.ITEM))
_NONE = -1
_LEAST, _LARGEST = 10, 1e30
# Constants are between a thousandth and a thousand times what else they might be.
_RANGE = math.log(1e6)


class Witness(NamedTuple):
    """What is said for the constant of a law, and the constant if it is stated."""

    bits: float
    constant: float | None = None


class Witnesses:
    """The numbers that the text of a report states, by the section that they are about."""

    def __init__(self, document: Document) -> None:
        self._document = document
        # Not by `functools.cache`: in its cycle, a whole report would wait for the collector.
        self._known: dict[int, Sequence[float]] = {}
        self._blocks: dict[int, list[Block]] = defaultdict(list)
        for block in document.blocks:
            if block.kind in _TOLD:
                self._blocks[block.section].append(block)
        self._numbers: dict[int, frozenset[float]] = {}

    def find(self, grid: Grid, law: Law) -> Witness | None:
        """What is said for the constant of a law."""
        if not law.free or law.constants is not None:
            return None
        lines = [grid.lines[at] for at in (law.result, *(term.line for term in law.terms))]
        alone = len(law.terms) == 1 and law.terms[0].power > 0
        if alone and (says_each(*lines) or says_each(*reversed(lines))):
            return Witness(NAMED_BITS)
        named = [*_numbers_in(" ".join(line.title for line in lines))]
        told = self._stated(grid.sheet.table.section)
        sizes = list(_ways(law, lines))
        return _find_stated(law, sizes, named, 1) or _find_stated(
            law, sizes, told, _count_tried(grid, law)
        )

    def _stated(self, section: int) -> Sequence[float]:
        """The numbers in a section, in those around it, and before the first one."""
        if section not in self._known:
            around, at = {section, _NONE, 0}, section
            while at != _NONE:
                at = self._document.sections[at].parent
                around.add(at)
            self._known[section] = sorted(frozenset().union(*map(self._told_in, around)))
        return self._known[section]

    def _told_in(self, section: int) -> frozenset[float]:
        if section not in self._numbers:
            lines = (line.text for block in self._blocks.get(section, ()) for line in block.lines)
            self._numbers[section] = frozenset(
                number for line in lines for number in _numbers_in(line)
            )
        return self._numbers[section]


def says_computed(grid: Grid, law: Law, *, result: bool) -> bool:
    """Whether one of two lines in proportion says that it is computed: `tok/s per GPU`."""
    if not law.free or len(law.terms) > 1 or law.constants is not None:
        return False
    lines = [grid.lines[law.result], grid.lines[law.terms[0].line]]
    line, other = lines if result else reversed(lines)
    if law.terms[0].power > 0 and says_each(line, other):
        return True
    return _find_stated(law, list(_ways(law, lines)), [*_numbers_in(line.title)], 1) is not None


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
    """The numbers in a text, without those that any text has: one, two, three."""
    # Most lines have no digit at all.
    for match in _NUMBER.finditer(plain_text(text)) if _DIGIT.search(text) is not None else ():
        plain = _plain(match["digits"])
        for factor in _factors(match["letter"] or "", plain):
            value = plain * factor
            usual = 1 / _LARGEST < value < _LARGEST
            if usual and (value >= _LEAST or not value.is_integer()):
                yield value


def _plain(digits: str) -> float:
    """A number with points or commas between its thousands, or in front of its fraction."""
    comma = "," in digits and not _GROUPED.fullmatch(digits)
    return float(digits.replace(".", "").replace(",", ".") if comma else digits.replace(",", ""))


def _factors(letter: str, number: float) -> tuple[float, ...]:
    """What a letter behind a number may mean: `4k` is 4,000 or 4,096, and `631,515 B` are bytes."""
    if not letter or (letter == "B" and number >= _LEAST_BYTES):
        return (1.0,)
    factor = float(COUNTS[letter.lower()])
    return (factor, 1024.0) if letter in "kK" else (factor,)


def _ways(law: Law, lines: Sequence[Line]) -> Iterator[float]:
    """What a constant in base units is to be multiplied with: nothing, or as it is printed."""
    mine, *theirs = (next(iter(line.numbers.values())).scale for line in lines)
    size = 1 / mine
    for term, scale in zip(law.terms, theirs, strict=True):
        size *= scale**term.power
    yield 1.0
    if size != 1:
        yield size


def _count_tried(grid: Grid, law: Law) -> int:
    """How many laws of a table a number in the text may be the constant of."""
    if len(law.terms) > 1:
        return sum(line.is_setting for line in grid.lines)
    return math.comb(len(grid.lines), 2)


def _find_stated(
    law: Law, sizes: Sequence[float], stated: Sequence[float], tried: int
) -> Witness | None:
    """Which of the stated numbers is the constant, and how unlikely that is by chance."""
    low, high = law.constant
    found = (number / size for size in sizes for number in stated)
    constant = next((one for one in found if low <= one <= high), None)
    if constant is None:
        return None
    chance = tried * len(sizes) * len(stated) * math.log(high / low) / _RANGE
    bits = min(-math.log2(chance + NOISE), MOST_WITNESS_BITS)
    return Witness(bits, constant) if bits >= LEAST_WITNESS_BITS else None
