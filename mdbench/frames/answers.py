"""Format the result of a query as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from mdbench.frames.fitting_columns import GAP, count_columns, fit_columns
from mdbench.frames.text import calm, csv_line
from mdbench.markdown.widths import display_width
from mdbench.output.json import dump
from mdbench.output.terminal import show_text
from mdbench.regex import lazy

# An underscore inside a word is literal.
_MARKUP = lazy(r"[\\`*\[\]<>|~#$&]|(?<!\w)_|_(?!\w)")
_NARROWEST = 3

Rows = Sequence[Sequence[object]]


def to_table(names: Sequence[str], rows: Rows) -> Iterator[str]:
    """Aligned columns, numbers on the right; nothing is truncated."""
    grid = [[show_text(name) for name in names], *_shown(rows)]
    return _write_table(grid, _numeric(rows, len(names)))


def to_terminal(names: Sequence[str], rows: Rows, room: int) -> Iterator[str]:
    """The same in a given width: without empty columns, and those in the middle if need be."""
    used = [at for at in range(len(names)) if any(row[at] is not None for row in rows)]
    used = used if rows else list(range(len(names)))
    if not used:
        yield from count_columns(len(rows), 0, 0, len(names))
        return
    some = [[row[at] for at in used] for row in rows]
    grid = [[show_text(names[at]) for at in used], *_shown(some)]
    fitted = fit_columns(grid, _numeric(some, len(used)), room)
    yield from _write_table(fitted.grid, fitted.right)
    hidden, empty = len(used) - fitted.shown, len(names) - len(used)
    yield from count_columns(len(rows), fitted.shown, hidden, empty)


def _write_table(grid: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = _widths(grid, len(right))
    for line in grid:
        yield GAP.join(map(_align, line, widths, right)).rstrip() + "\n"


def to_markdown(names: Sequence[str], rows: Rows) -> Iterator[str]:
    """A Markdown table with aligned source."""
    grid = [
        [escape_markdown(text) for text in line]
        for line in ([*map(show_text, names)], *_shown(rows))
    ]
    widths = [max(_NARROWEST, width) for width in _widths(grid, len(names))]
    right = _numeric(rows, len(names))
    rule = [
        "-" * (width - 1) + (":" if at else "-") for width, at in zip(widths, right, strict=True)
    ]
    for line in (grid[0], rule, *grid[1:]):
        yield f"| {' | '.join(map(_align, line, widths, right))} |\n"


def to_csv(names: Sequence[str], rows: Rows, *, exact: bool = False) -> Iterator[str]:
    """CSV with a header; lists and maps are written as JSON.

    Unless `exact`, texts that a spreadsheet would run as formulas are escaped.
    """
    yield csv_line(names if exact else map(calm, names))
    for row in rows:
        yield csv_line(_csv_text(value, exact=exact) for value in row)


def to_json(names: Sequence[str], rows: Rows) -> Iterator[str]:
    """A JSON list with one object per line."""
    lines = [_dump(dict(zip(names, row, strict=True))) for row in rows]
    yield "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def _dump(value: object) -> str:
    return dump(_plain(value))


def _shown(rows: Rows) -> Iterator[list[str]]:
    for row in rows:
        yield [show_text(_text(value)) for value in row]


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_text(key)}={_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.15g}"
    plain = _plain(value, finite=False)
    return "" if plain is None else str(plain).lower() if isinstance(plain, bool) else str(plain)


def _csv_text(value: object, *, exact: bool) -> str:
    if isinstance(value, list | tuple | dict):
        return _dump(value)
    if isinstance(value, str) and not exact:
        return calm(value)
    return str(value) if isinstance(value, float) else _text(value)


def _plain(value: object, *, finite: bool = True) -> object:
    """Convert a value to JSON types: unknown types become text, NaN and infinity become null."""
    if isinstance(value, dict):
        return {_text(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return None if finite and not math.isfinite(value) else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, str | int) or value is None else str(value)


def _numeric(rows: Rows, count: int) -> list[bool]:
    """Which columns contain only numbers."""
    return [_all_numbers([row[at] for row in rows if row[at] is not None]) for at in range(count)]


def _all_numbers(values: Sequence[object]) -> bool:
    return bool(values) and all(
        isinstance(one, int | float | Decimal) and not isinstance(one, bool) for one in values
    )


def _widths(grid: Iterable[Sequence[str]], count: int) -> list[int]:
    widths = [0] * count
    for line in grid:
        widths = [max(width, display_width(text)) for width, text in zip(widths, line, strict=True)]
    return widths


def _align(text: str, width: int, right: bool) -> str:
    room = " " * (width - display_width(text))
    return room + text if right else text + room


def escape_markdown(text: str) -> str:
    """Escape a text for Markdown, including table cells."""
    return _MARKUP.sub(r"\\\g<0>", text)
