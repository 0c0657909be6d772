"""Results with their intervals in code fences: `sort  time:   [2.72 ns 2.83 ns 2.94 ns]`."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.markdown.document import TextLine
from mdbench.regex import lazy
from mdbench.source import Span

_INTERVAL = lazy(r"(time|thrpt|change):\s+(\[[-+]?\d[^\[\]]*\])")
_CHANGES = "change:"
_MOST_LINES_BETWEEN = 8

Places = tuple[tuple[str, ...], tuple[tuple[Span | None, ...], ...], int]


def read_intervals(lines: Sequence[TextLine], at: int) -> Places | None:
    """The titles, the cells of each row and the line after them.

    A benchmark has a line for each of its quantities, the first of which is its time. A long name
    is on a line of its own.
    """
    rows: list[tuple[Span, dict[str, Span]]] = []
    prefix, end = "", at
    for index in range(at, len(lines)):
        line = lines[index]
        match = _INTERVAL.search(line.text) if "[" in line.text else None
        if match is None:
            if index - end >= (_MOST_LINES_BETWEEN if rows else 1):
                break
            prefix = "change " if line.text.strip() == _CHANGES else prefix
            continue
        name = _find_name(lines[at : index + 1], line.text[: match.start()])
        if name is not None and match[1] == "time":
            rows.append((name, {}))
            prefix = ""
        elif not rows:
            return None
        rows[-1][1].setdefault(prefix + match[1], _place(line, *match.span(2)))
        end = index + 1
    if not rows:
        return None
    titles = list(dict.fromkeys(title for _, cells in rows for title in cells))
    cells = tuple((name, *(found.get(title) for title in titles)) for name, found in rows)
    return ("Benchmark", *titles), cells, end


def _find_name(lines: Sequence[TextLine], before: str) -> Span | None:
    """The name in front of the quantity of the last line, or alone on the line above it."""
    if before.strip():
        return _place(lines[-1], len(before) - len(before.lstrip()), len(before.rstrip()))
    above = lines[-2] if len(lines) > 1 else None
    if above is None or not above.text[:1].strip() or "[" in above.text:
        return None
    return _place(above, 0, len(above.text.rstrip()))


def _place(line: TextLine, start: int, end: int) -> Span:
    return Span(line.start + start, line.start + end)
