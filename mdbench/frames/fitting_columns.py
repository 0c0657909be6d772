"""Tables that fit a terminal: columns in the middle are left out, as duckdb does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.widths import display_width

GAP = "  "
_MORE = "…"
_WIDEST = 32


class Fitted(NamedTuple):
    """Lines of cells that fit, and how many columns they have."""

    grid: list[list[str]]
    right: list[bool]
    shown: int


def fit_columns(grid: Sequence[Sequence[str]], right: Sequence[bool], room: int) -> Fitted:
    """As many of the first and the last columns as there is room for, and `…` for the others."""
    widest = max(1, min(_WIDEST, room))
    cut = [[cut_text(text, widest) for text in line] for line in grid]
    widths = [max(map(display_width, column)) for column in zip(*cut, strict=True)]
    count = len(widths)
    if sum(widths) + len(GAP) * (count - 1) <= room:
        return Fitted(cut, list(right), count)
    first, last = _choose(widths, room - len(GAP) - display_width(_MORE))
    lines = [[*line[:first], _MORE, *line[count - last :]] for line in cut]
    return Fitted(lines, [*right[:first], False, *right[count - last :]], first + last)


def _choose(widths: Sequence[int], room: int) -> tuple[int, int]:
    """How many columns from the start and from the end fit, taken in turns."""
    first = last = 0
    while first + last < len(widths):
        at = first if first <= last else len(widths) - 1 - last
        room -= widths[at] + (len(GAP) if first + last else 0)
        if room < 0 and first:
            break
        first, last = (first + 1, last) if first <= last else (first, last + 1)
    return first, last


def cut_text(text: str, room: int) -> str:
    """A text that is at most so wide; `…` stands for what is left out."""
    if display_width(text) <= room:
        return text
    kept = text[: max(room - 1, 0)]
    while kept and display_width(kept) >= room:
        kept = kept[:-1]
    return f"{kept.rstrip()}{_MORE}"


def count_columns(rows: int, shown: int, hidden: int, empty: int) -> Iterator[str]:
    """A line that says what is not shown; nothing if all is."""
    if hidden or empty:
        total = shown + hidden + empty
        parts = [f"{_count(rows, 'row')}, {_count(total, 'column')} ({shown} shown"]
        parts += [f"{empty} empty"] if empty else []
        yield f"{', '.join(parts)})\n"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
