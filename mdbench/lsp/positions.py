"""Offsets as an editor counts: lines and characters from 0, characters in units of UTF-8, 16 or 32.

Which unit it is, the editor says when it connects; where it says nothing it is UTF-16.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lsprotocol import types

from mdbench.source import Edit, Source, Span

_BOM = "\ufeff"
_LAST_SHORT = "\uffff"


class Encoding(StrEnum):
    """What one character counts."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"


def count_units(text: str, encoding: Encoding) -> int:
    """How long a text is in the units of an encoding."""
    if encoding is Encoding.UTF_32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > _LAST_SHORT for char in text)


def count_characters(text: str, units: int, encoding: Encoding) -> int:
    """How many characters of a text so many units are; one that they cut in two is left out."""
    if encoding is Encoding.UTF_32 or text.isascii():
        return max(0, min(units, len(text)))
    for at, char in enumerate(text):
        units -= count_units(char, encoding)
        if units < 0:
            return at
    return len(text)


class Ruler(NamedTuple):
    """Measures one text as one editor does."""

    source: Source
    encoding: Encoding = Encoding.UTF_16

    def position(self, offset: int) -> types.Position:
        """An offset as line and character; within a line's ending it is where that begins."""
        line = self.source.line(offset)
        before = self.source.text[self.source.line_starts[line - 1] : offset].rstrip("\r\n")
        units = count_units(self._lead(line) + before, self.encoding)
        return types.Position(line - 1, units)

    def offset(self, position: types.Position) -> int:
        """The offset of a line and character; behind the end of a line it is that end."""
        starts = self.source.line_starts
        if position.line >= len(starts):
            return len(self.source.text)
        line = max(0, position.line) + 1
        text, lead = self.source.line_text(line), self._lead(line)
        passed = count_characters(lead + text, position.character, self.encoding)
        return starts[line - 1] + max(0, passed - len(lead))

    def _lead(self, line: int) -> str:
        """What stands before the first line's text: an editor may count a byte-order mark."""
        return _BOM if line == 1 and self.source.bom else ""

    def range(self, span: Span) -> types.Range:
        """A span as an editor has it."""
        return types.Range(self.position(span.start), self.position(span.end))

    def span(self, range_: types.Range) -> Span:
        """The span that an editor means."""
        start, end = sorted((self.offset(range_.start), self.offset(range_.end)))
        return Span(start, end)

    def edit(self, edit: Edit) -> types.TextEdit:
        """An edit as an editor carries it out."""
        return types.TextEdit(self.range(edit.span), edit.text)
