"""Whether a table is already clean, to avoid changes that change nothing."""

from __future__ import annotations

from mdbench.markdown.widths import display_width
from mdbench.rendering.definitions import line_end
from mdbench.rendering.draft import Draft, is_whole
from mdbench.source import Source


def is_clean(source: Source, draft: Draft) -> bool:
    """Whether a draft is equal to the table, and the table has a consistent style.

    That is: aligned pipes, or one space around each cell.
    """
    table = draft.sheet.table
    if draft.footnotes or list(draft.rows) != list(range(len(table.rows))):
        return False
    if draft.titles != [cell.raw for cell in table.header.cells]:
        return False
    if any(
        draft.rows[at] != [cell.raw for cell in row.cells] or not is_whole(row)
        for at, row in enumerate(table.rows)
    ):
        return False
    spans = [table.header.span, *(row.span for row in table.rows)]
    lines = [source.text[span.start : line_end(source, span.end)].rstrip() for span in spans]
    if not all(line.startswith("|") and line.endswith("|") for line in lines):
        return False
    return _is_aligned(lines) or _is_compact(draft, lines)


def _is_aligned(lines: list[str]) -> bool:
    return len({tuple(_pipes(line)) for line in lines}) == 1


def _pipes(line: str) -> list[int]:
    """The display columns of unescaped pipes."""
    places: list[int] = []
    width = 0
    for piece in line.replace("\\|", "\0\0").split("|"):
        width += display_width(piece)
        places.append(width)
        width += 1
    return places


def _is_compact(draft: Draft, lines: list[str]) -> bool:
    rows = [draft.titles, *draft.rows.values()]
    spaced = [f"| {' | '.join(row)} |" for row in rows]
    tight = [f"|{'|'.join(row)}|" for row in rows]
    return lines in (spaced, tight)
