"""Headers that name each number of their cells: `Accuracy / F1`, `Latency (Min/Avg/Max)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.headers import BY_CELLS, Header, of_statistic, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary, quantity
from mdbench.vocabulary.statistics import statistic_of

BY_PLACE = "its place in the cell"
"""The reason if a header names the numbers of a cell one by one."""

_LISTED = lazy(r"[(（\[]([^()（）\[\]]{3,60})[)）\]]")
_BETWEEN = lazy(r"\s?/\s?")
# What follows the last of the names: `Accuracy / F1 - FP32`.
_BEHIND = lazy(r" [-–—] |[(（\[,]")
_LETTERS = {"G": "GB", "M": "MB"}
_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_NEARLY_ALL = 0.8
_MOST_PARTS = 6
_FEWEST_PAIRS = 3


def read_parts(
    header: Header, readings: Sequence[tuple[Numeral, ...]], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The header of each number in the cells of a column; nothing if it names only one of them."""
    if Form.PAIR not in [one[0].form for one in readings]:
        return ()
    filled = [one for one in readings if one[0].form is not Form.NOTHING]
    is_open = header.quantity is None and not header.candidates
    if not is_open and "/" not in header.text:
        return _by_capacity(header, filled)
    for names in _lists(header.text):
        fitting = sum(_has(one, len(names)) for one in filled)
        if fitting and fitting >= _NEARLY_ALL * len(filled):
            return _by_statistics(header, names, vocabulary) or _by_names(header, names, vocabulary)
    return _by_units(header, filled, vocabulary) if is_open else ()


def _by_units(
    header: Header, filled: Sequence[tuple[Numeral, ...]], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The numbers of `6.7G / 1.0s/it` by their units; there, a G is a gigabyte."""
    count = len(filled[0])
    fitting = [one for one in filled if _has(one, count)]
    if count == 1 or len(fitting) < _NEARLY_ALL * len(filled):
        return ()
    written = [{one[at].unit for one in fitting} for at in range(count)]
    texts = [next(iter(units)) if len(units) == 1 else "" for units in written]
    known = [parse_unit(_LETTERS.get(text, text)) for text in texts]
    found = [
        vocabulary.dimensions.get(unit.dimension, ()) if unit is not None else () for unit in known
    ]
    if not all(found) or len({one[0] for one in found}) < count:
        return ()
    return tuple(
        header._replace(quantity=one[0], unit=unit, why=BY_CELLS)
        for one, unit in zip(found, known, strict=True)
    )


def _by_capacity(header: Header, filled: Sequence[tuple[Numeral, ...]]) -> tuple[Header, ...]:
    """`30.7GiB / 40GiB`: what was used, and how much there is, which is the same in all rows."""
    if header.quantity is None or header.quantity.name != "memory_mib":
        return ()
    pairs = [one for one in filled if _has(one, 2)]
    used, there = ({scale(one[at], header.quantity, header.unit) for one in pairs} for at in (0, 1))
    most = next(iter(there), None)
    if len(pairs) < max(_FEWEST_PAIRS, len(filled)) or len(there) != 1 or most is None:
        return ()
    if len(used) < 2 or not all(
        one is not None and _in_base(one) <= _in_base(most) for one in used
    ):
        return ()
    return header, header._replace(quantity=quantity("device_memory_gb"), why=BY_PLACE)


def _in_base(amount: Amount) -> Decimal:
    return amount.value * amount.unit.scale


def _has(numerals: Sequence[Numeral], count: int) -> bool:
    return len(numerals) == count and all(one.form is Form.PAIR for one in numerals)


def _lists(text: str) -> Iterator[list[str]]:
    whole = _BEHIND.split(text, maxsplit=1)[0]
    for group in (*(match[1] for match in _LISTED.finditer(text)), whole):
        names = [name.strip(" *_`") for name in _BETWEEN.split(group)]
        if 1 < len(names) <= _MOST_PARTS and all(names):
            yield names


def _by_statistics(
    header: Header, names: Sequence[str], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    # What the statistics are of may stand before the first one.
    words = (names[0].split()[-1], *names[1:])
    found = [statistic_of(name) for name in words]
    if not all(found) or len(set(found)) < len(found):
        return ()
    return tuple(
        of_statistic(header._replace(statistic=one, why=BY_PLACE), vocabulary) for one in found
    )


def _by_names(header: Header, names: Sequence[str], vocabulary: Vocabulary) -> tuple[Header, ...]:
    read = [read_header(name, vocabulary) for name in names]
    found = [one.quantity for one in read if one.quantity is not None]
    if len(found) < len(names) or any(one.role not in _RESULTS for one in found):
        return ()
    return tuple(
        header._replace(quantity=one.quantity, unit=one.unit, statistic=one.statistic, why=BY_PLACE)
        for one in read
    )
