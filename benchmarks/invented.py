"""Invented tables of many kinds, sound and wrong ones, for benchmarks that judge findings.

A mistake is what people make: a slipped digit, two digits in each other's place, a lost point, the
number of another row. An exception is sound: its author knows why the row does not follow the
others, but the table does not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

_FIRST_ROW = 3
"""The line of the first row: the header and the line below it come before."""


class Invented(NamedTuple):
    """A table, and the lines of its mistakes."""

    text: str
    wrong: frozenset[int]


class _Kind(NamedTuple):
    """A kind of table: its headers, and a row from its operands; the last column is computed."""

    header: tuple[str, ...]
    draw: Callable[[Random, int], list[float]]
    compute: Callable[[Sequence[float], Sequence[float]], float]
    """The last number of a row, from the row and the first row."""
    decimals: tuple[int, ...]
    """How many decimals the columns have."""


def _times(draw: Random, _row: int) -> list[float]:
    before = draw.uniform(10, 100)
    return [before, before / draw.uniform(0.8, 6)]


def _threads(draw: Random, row: int) -> list[float]:
    return [2.0**row, draw.uniform(40, 60) / 2 ** (row * draw.uniform(0.6, 0.95))]


def _parts(draw: Random, _row: int) -> list[float]:
    return [draw.uniform(1, 50) for _ in range(3)]


def _steps(draw: Random, _row: int) -> list[float]:
    return [float(draw.choice((64, 96, 128, 256, 512))), draw.uniform(0.5, 9)]


def _mesh(draw: Random, row: int) -> list[float]:
    return [float(draw.choice((1, 2, 4, 8))), float(draw.choice((1, 2, 4))), 2.0 ** (row % 5)]


_KINDS = (
    _Kind(("Before (ms)", "After (ms)", "Speedup"), _times, lambda r, _: r[0] / r[1], (1, 1, 2)),
    _Kind(("Old", "New", "Change (%)"), _times, lambda r, _: 100 * (r[1] / r[0] - 1), (1, 1, 1)),
    _Kind(("Threads", "Time (s)", "Speedup"), _threads, lambda r, f: f[1] / r[1], (0, 2, 2)),
    _Kind(("Load", "Run", "Save", "Total"), _parts, lambda r, _: sum(r), (1, 1, 1, 1)),
    _Kind(("MNLI", "QQP", "SST", "Average"), _parts, lambda r, _: sum(r) / 3, (1, 1, 1, 2)),
    _Kind(("GBS", "Sec/it", "Samples/s"), _steps, lambda r, _: r[0] / r[1], (0, 2, 1)),
    _Kind(("TP", "PP", "DP", "GPUs"), _mesh, lambda r, _: r[0] * r[1] * r[2], (0, 0, 0, 0)),
    _Kind(("Alpha", "Beta", "Gamma"), _times, lambda r, _: r[0] / r[1], (1, 1, 2)),
    _Kind(("Alpha", "Beta", "Gamma", "Delta"), _parts, lambda r, _: r[0] * r[1], (0, 0, 0, 0)),
)


def invent_table(
    draw: Random, mistakes: int = 0, exceptions: int = 0, noise: float = 0.0
) -> Invented:
    """A table of a random kind, with so many wrong rows and so many exceptions.

    With noise, its results were measured by themselves and are only near to what they should be.
    """
    kind = draw.choice(_KINDS)
    count = draw.randint(3, 14)
    decimals = [max(0, one + draw.choice((-1, 0, 0, 1))) if one else 0 for one in kind.decimals]
    rows = [kind.draw(draw, at) for at in range(count)]
    for row in rows:
        row[:] = [float(f"{one:.{places}f}") for one, places in zip(row, decimals, strict=False)]
        row.append(kind.compute(row, rows[0]) * draw.gauss(1, noise) if all(row) else 0.0)
    odd = draw.sample(range(1, count), min(mistakes + exceptions, count - 1))
    for at in odd[mistakes:]:
        rows[at][-1] *= draw.choice((draw.uniform(0.5, 0.97), draw.uniform(1.03, 2)))
    texts = [
        [f"{one:.{places}f}" for one, places in zip(row, decimals, strict=True)] for row in rows
    ]
    wrong = set()
    for at in odd[:mistakes]:
        column = len(decimals) - 1 if draw.random() < 0.8 else draw.randrange(len(decimals))
        before = texts[at][column]
        texts[at][column] = _mistype(draw, before, [row[column] for row in texts])
        if texts[at][column] != before:
            wrong.add(_FIRST_ROW + at)
    return Invented(write_table(("Case", *kind.header), texts), frozenset(wrong))


def invent_unrelated(draw: Random) -> Invented:
    """A table of numbers that have nothing to do with each other."""
    header = draw.choice([kind.header for kind in _KINDS if any(kind.decimals)])
    digits = draw.choice((1, 2, 3, 4))
    count = draw.randint(3, 14)
    rows = [[f"{draw.uniform(1, 10) * 10**digits:.0f}" for _ in header] for _ in range(count)]
    return Invented(write_table(("Case", *header), rows), frozenset())


def write_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; each row begins with its name."""
    lines = [header, ["---"] * len(header)]
    lines += [(f"case {at}", *row) for at, row in enumerate(rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _mistype(draw: Random, text: str, column: Sequence[str]) -> str:
    """A number as someone may have written it by mistake."""
    digits = [at for at, char in enumerate(text) if char.isdigit()]
    way = draw.choice(("digit", "swap", "point", "other row", "stale"))
    if way == "digit":
        at = draw.choice(digits)
        return text[:at] + draw.choice("123456789") + text[at + 1 :]
    if way == "swap" and len(digits) > 1:
        one = draw.randrange(len(digits) - 1)
        chars = list(text)
        first, second = digits[one : one + 2]
        chars[first], chars[second] = chars[second], chars[first]
        return "".join(chars)
    if way == "point" and "." in text:
        return f"{float(text) * 10:.{len(text) - text.index('.') - 1}f}"
    if way == "other row":
        return draw.choice(column)
    places = len(text.partition(".")[2])
    return f"{float(text) * draw.choice((0.8, 0.9, 1.1, 1.25)):.{places}f}"
