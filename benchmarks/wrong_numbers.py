"""Wrong numbers as people make them: the kinds of mistakes, and those in a single number.

Where a mistake can be made is decided by the words of the table and not by what mdbench made of
them: an inverted ratio needs a header such as `Speedup`, a sum that was not updated a row or column
such as `Total`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise
from math import floor, log10
from random import Random

from benchmarks.clean import Spot
from mdbench.diagnosis.slips import move_point
from mdbench.source import Span

UNITS = {
    "ns": ("µs", 1e-3), "us": ("ms", 1e-3), "µs": ("ms", 1e-3), "ms": ("s", 1e-3),
    "s": ("ms", 1e3), "sec": ("ms", 1e3), "min": ("s", 60.0), "h": ("min", 60.0),
    "hours": ("min", 60.0), "KB": ("MB", 1e-3), "MB": ("GB", 1e-3), "GB": ("MB", 1e3),
    "KiB": ("MiB", 1 / 1024), "MiB": ("GiB", 1 / 1024), "GiB": ("MiB", 1024.0),
    "W": ("kW", 1e-3), "J": ("kJ", 1e-3), "kJ": ("J", 1e3),
}  # fmt: skip
"""Units that are taken for each other, and what a number is in the other one."""
_UNIT_WORD = re.compile(r"(?<![/\w])[A-Za-zµ]+(?![/\w])")
_RATIO = re.compile(
    r"speed-?\s?up|\bratio|\brelative|normali[sz]ed|\bvs\b|faster|slower|efficien|加速|0[x×]$",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?<!\d)%|%$|percent(?!ile)", re.IGNORECASE)
_TOTAL = re.compile(r"\W*((grand )?total|sum|overall|合计|总计)\W*", re.IGNORECASE)
_AVERAGE = re.compile(r"\W*(average|avg|mean|平均)\W*", re.IGNORECASE)
_STATISTIC = re.compile(r"\b(min|max|median|p\d+|std|stdev|stddev|error|\d+%)(?!\w)", re.IGNORECASE)
_DERIVED = re.compile(
    r"%|/\s?s|per[ -]|throughput|flops|mfu|change|diff|delta|Δ|improve|gain|overhead|saving|total",
    re.IGNORECASE,
)
_FACTORS = (0.5, 0.75, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0)


class Kind(StrEnum):
    """The kind of mistake."""

    SLIPPED = "digit slipped"
    TRANSPOSED = "digits transposed"
    DROPPED = "digit dropped"
    TENFOLD = "value × 10"
    STALE = "stale derived value"
    COPIED = "neighbor copied"
    INVERTED = "ratio inverted"
    BASELINE = "wrong baseline"
    PERCENT = "percentage without × 100"
    SUM = "sum not updated"
    UNCONVERTED = "unit not converted"
    UNIT = "unit changed"
    SWAP = "two cells swapped"
    SHIFT = "row shifted by one"
    MOVED = "result moved to another row"
    DUPLICATE = "duplicated row"
    COLUMNS = "two columns swapped"
    COLUMN = "column × 1000"


def applies(kind: Kind, spot: Spot) -> bool:
    """Whether a mistake can be made in a cell."""
    words = spot.words
    match kind:
        case Kind.INVERTED | Kind.BASELINE:
            return "%" not in words and _RATIO.search(words) is not None
        case Kind.PERCENT:
            return spot.column > 0 and _PERCENT.search(words) is not None
        case Kind.SUM:
            return bool(_addends(spot))
        case Kind.STALE:
            return any(pattern.search(words) for pattern in (_RATIO, _DERIVED))
        case Kind.UNCONVERTED | Kind.UNIT:
            return find_unit(spot) is not None
        case _:
            return True


def _value(spot: Spot) -> float:
    return float(_typed(spot).replace(",", ""))


def _typed(spot: Spot) -> str:
    return spot.one.typed or ""


def _print(spot: Spot, value: float) -> str | None:
    """A value with the decimals of the cell, and at least two digits."""
    if value <= 0 or value >= 1e15:
        return None
    typed = _typed(spot)
    decimals = len(typed.partition(".")[2])
    fewest = 1 - floor(log10(value)) if value < 1 else 0
    mark = "," if "," in typed else ""
    return f"{value:{mark}.{max(decimals, fewest)}f}"


def _slip(spot: Spot, random: Random) -> str | None:
    """The key beside the right one."""
    typed = _typed(spot)
    at = random.choice([at for at, char in enumerate(typed) if char.isdigit()])
    beside = {"0": "9", "1": "2", "9": "80"}.get(typed[at]) or (
        str(int(typed[at]) - 1) + str(int(typed[at]) + 1)
    )
    digit = random.choice(beside)
    return None if at == 0 and digit == "0" else typed[:at] + digit + typed[at + 1 :]


def _transpose(spot: Spot, random: Random) -> str | None:
    typed = _typed(spot)
    pairs = [
        at
        for at, (first, second) in enumerate(pairwise(typed))
        if first != second and first.isdigit() and second.isdigit() and (at or second != "0")
    ]
    if not pairs:
        return None
    at = random.choice(pairs)
    return typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :]


def _drop(spot: Spot, random: Random) -> str | None:
    typed = _typed(spot)
    at = random.choice([at for at, char in enumerate(typed) if char.isdigit()])
    number = typed[:at] + typed[at + 1 :]
    whole = bool(number) and number[0].isdigit() and number[-1].isdigit()
    leading = number[:1] == "0" and number[1:2] not in ("", ".")
    return number if whole and not leading else None


def _tenfold(spot: Spot, _: Random) -> str | None:
    return move_point(_typed(spot), 1)


def _stale(spot: Spot, random: Random) -> str | None:
    """What was computed before the numbers it follows from were measured again."""
    return _print(spot, _value(spot) * random.choice(_FACTORS))


def _invert(spot: Spot, _: Random) -> str | None:
    return _print(spot, 1 / _value(spot)) if _value(spot) else None


def _wrong_baseline(spot: Spot, random: Random) -> str | None:
    """A ratio to another row than the others."""
    others = [float(one.numeral.value or 0) for one in spot.column_mates.values()]
    others = [value for value in others if value > 0 and value not in (1.0, _value(spot))]
    return _print(spot, _value(spot) / random.choice(others)) if others else None


def _no_hundred(spot: Spot, _: Random) -> str | None:
    return move_point(_typed(spot), -2)


def _addends(spot: Spot) -> list[float]:
    """What a total or average may be made of, each as its part of it."""
    table = spot.sheet.table
    if table.labels or any(map(_STATISTIC.search, table.titles)):
        return []
    for name, mates, at in (
        (spot.label, spot.column_mates, spot.row),
        (spot.title, spot.row_mates, spot.column),
    ):
        mean = _AVERAGE.fullmatch(name)
        if mean or _TOTAL.fullmatch(name):
            values = [float(one.numeral.value or 0) for place, one in mates.items() if place != at]
            count = len(values) if mean else 1
            return [value / count for value in values if 0 < value / count < _value(spot)]
    return []


def _old_sum(spot: Spot, random: Random) -> str | None:
    """A total from before one of its numbers was added."""
    return _print(spot, _value(spot) - random.choice(_addends(spot)))


def find_unit(spot: Spot) -> tuple[str, Span] | None:
    """A unit of the cell or of its header, and where it is written."""
    cells = [spot.one.cell]
    if not spot.sheet.table.merged and not spot.sheet.layout.transposed:
        cells.append(spot.sheet.table.header.cells[spot.column])
    for cell in cells:
        for match in _UNIT_WORD.finditer(cell.raw):
            if match[0] in UNITS:
                start = cell.span.start + match.start()
                return match[0], Span(start, start + len(match[0]))
    return None


def _unconverted(spot: Spot, _: Random) -> str | None:
    """A number in another unit than what is written."""
    found = find_unit(spot)
    if found is None:
        return None
    factor = UNITS[found[0]][1]
    moved = {1e3: 3, 1e-3: -3}.get(factor)
    return move_point(_typed(spot), moved) if moved else _print(spot, _value(spot) * factor)


NUMBERS: dict[Kind, Callable[[Spot, Random], str | None]] = {
    Kind.SLIPPED: _slip,
    Kind.TRANSPOSED: _transpose,
    Kind.DROPPED: _drop,
    Kind.TENFOLD: _tenfold,
    Kind.STALE: _stale,
    Kind.INVERTED: _invert,
    Kind.BASELINE: _wrong_baseline,
    Kind.PERCENT: _no_hundred,
    Kind.SUM: _old_sum,
    Kind.UNCONVERTED: _unconverted,
}
"""Mistakes in one number."""
RARE = (Kind.INVERTED, Kind.BASELINE, Kind.PERCENT, Kind.SUM, Kind.UNCONVERTED)
"""Those of them that need certain words."""
