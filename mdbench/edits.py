"""Edits that several rules offer."""

from __future__ import annotations

from mdbench.source import Edit, Source, Span


def remove_line(source: Source, offset: int) -> Edit:
    """Take out the line that an offset is on, ending included."""
    line = source.line(offset)
    start = source.line_starts[line - 1]
    if line < len(source.line_starts):
        return Edit(Span(start, source.line_starts[line]), "")
    return Edit(Span(start, len(source.text)), "")


def remove_standalone(source: Source, offset: int) -> Edit:
    """The same for a line between others; an empty one stays where it keeps two texts apart."""
    line = source.line(offset)
    start, text = source.line_starts[line - 1], source.line_text(line)
    inside = 1 < line < len(source.line_starts)
    if inside and source.line_text(line - 1).strip() and source.line_text(line + 1).strip():
        return Edit(Span(start, start + len(text)), "")
    return remove_line(source, offset)
