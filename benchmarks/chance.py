"""How often laws are believed by chance, and how often a wrong number is found.

    python -m benchmarks.chance [TABLES]

Tables of unrelated numbers show how often mdbench believes in arithmetic that nobody meant. Tables
of columns that were measured, and are nearly in proportion to each other but for one row, show how
often such a row is blamed. Tables in which one column follows from two others, but for one wrong
number, show how often it is found.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.search import find_arithmetic
from mdbench.diagnosis.diagnosis import diagnose
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

_TABLES = 1000
_ROWS = 8
_UNRELATED = ("Alpha", "Beta", "Gamma (ms)", "Delta", "Speedup")
_MEASURED = (
    "Case",
    "Mode",
    "Size",
    "Peak",
    "Read (ms)",
    "Write (ms)",
    "Power (W)",
    "Rows",
    "Passes",
)
_INVERSE = ("Power (W)", "Passes")
_RELATED = ("Case", "Before (ms)", "After (ms)", "Speedup")


def write_table(header: tuple[str, ...], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def unrelated_table(seed: int) -> str:
    """A table of numbers with three digits that have nothing to do with each other."""
    draw = random.Random(seed)
    rows = [[f"{draw.uniform(1, 1000):.3g}" for _ in _UNRELATED] for _ in range(_ROWS)]
    return write_table(_UNRELATED, rows)


def measured_table(seed: int) -> str:
    """A table of columns nearly in proportion to each other, of which one row is an exception."""
    draw = random.Random(seed)
    digits, noise = draw.choice((3, 4, 5)), 10 ** draw.uniform(-3, -1.5)
    factors = [draw.uniform(0.01, 100) for _ in _MEASURED[2:]]
    odd, exception = draw.randrange(_ROWS), draw.choice((0.5, 0.9, 1.1, 1.25, 2.0))
    rows = []
    for at in range(_ROWS):
        size = draw.uniform(10, 1000)
        sizes = [1 / size if title in _INVERSE else size for title in _MEASURED[2:]]
        pairs = zip(sizes, factors, strict=True)
        values = [size * factor * draw.gauss(1, noise) for size, factor in pairs]
        if at == odd:
            values[draw.randrange(len(values))] *= exception
        rows.append([f"case {at}", f"mode {at % 2}", *(_round(value, digits) for value in values)])
    told = ", ".join(f"{10 ** draw.uniform(0, 4):.{draw.choice((0, 1))}f}" for _ in range(6))
    return f"Measured with {told}.\n\n{write_table(_MEASURED, rows)}"


def _round(value: float, digits: int) -> str:
    places = digits - 1 - math.floor(math.log10(value))
    return f"{round(value, places):.{max(places, 0)}f}"


def table_with_mistake(seed: int) -> tuple[str, str]:
    """A table of speed-ups of which one is wrong, and the wrong one as it is printed."""
    draw = random.Random(seed)
    wrong = draw.randrange(_ROWS)
    rows, typed = [], ""
    for at in range(_ROWS):
        before, after = draw.uniform(10, 100), draw.uniform(1, 50)
        ratio = float(f"{before:.1f}") / float(f"{after:.1f}")
        if at == wrong:
            ratio *= draw.choice((0.5, 0.9, 1.1, 1.25, 2.0))
            typed = f"{ratio:.2f}"
        rows.append([f"case {at}", f"{before:.1f}", f"{after:.1f}", f"{ratio:.2f}"])
    return write_table(_RELATED, rows), typed


def read(text: str) -> Report:
    """A report that consists of a text."""
    return read_report(Source("report.md", text), standard_vocabulary())


def find_laws(text: str) -> tuple[Found, ...]:
    """The arithmetic that a report shows."""
    return find_arithmetic(read(text).sheets)


def wrong_cells(text: str) -> list[str]:
    """The numbers that contradict others."""
    found = (one.wrong for one in diagnose(read(text)).contradictions)
    return [one.source.cell.raw.strip() for one in found if one is not None]


def believed_by_chance(tables: int) -> int:
    """In how many tables of unrelated numbers a law is believed."""
    return sum(bool(find_laws(unrelated_table(seed))) for seed in range(tables))


def blamed_if_measured(tables: int) -> int:
    """In how many tables of measured numbers one is reported."""
    return sum(bool(wrong_cells(measured_table(seed))) for seed in range(tables))


def mistakes_found(tables: int) -> Iterator[bool]:
    """Of each table with a mistake, whether just that number is reported."""
    for seed in range(tables):
        text, typed = table_with_mistake(seed)
        yield wrong_cells(text) == [typed]


def main() -> None:
    """Print the shares."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else _TABLES
    chance = believed_by_chance(tables)
    blamed = blamed_if_measured(tables)
    found = sum(mistakes_found(tables))
    print(f"laws believed by chance: {chance} of {tables} tables of unrelated numbers")
    print(f"numbers blamed: {blamed} of {tables} tables of numbers measured nearly in proportion")
    print(f"wrong numbers found: {found} of {tables} tables ({100 * found / tables:.1f} %)")


if __name__ == "__main__":
    main()
