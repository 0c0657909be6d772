"""Convert offsets to the positions of an editor: zero-based lines and characters.

Characters are counted in units of UTF-8, UTF-16 or UTF-32. The editor chooses when it connects; the
default is UTF-16.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lsprotocol import types

from mdbench.source import Edit, Source, Span

_BOM = "\ufeff"
_LAST_SHORT = "\uffff"


class Encoding(StrEnum):
    """The unit that characters are counted in."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"


def count_units(text: str, encoding: Encoding) -> int:
    """The length of a text in the units of an encoding."""
    if encoding is Encoding.UTF_32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > _LAST_SHORT for char in text)


def count_characters(text: str, units: int, encoding: Encoding) -> int:
    """The number of complete characters in this many units of a text."""
    if encoding is Encoding.UTF_32 or text.isascii():
        return max(0, min(units, len(text)))
    for at, char in enumerate(text):
        units -= count_units(char, encoding)
        if units < 0:
            return at
    return len(text)


class Ruler(NamedTuple):
    """Converts positions in one text for one editor."""

    source: Source
    encoding: Encoding = Encoding.UTF_16

    def position(self, offset: int) -> types.Position:
        """The line and character of an offset; inside a line ending, the position before it."""
        line = self.source.line(offset)
        before = self.source.text[self.source.line_starts[line - 1] : offset].rstrip("\r\n")
        units = count_units(self._lead(line) + before, self.encoding)
        return types.Position(line - 1, units)

    def offset(self, position: types.Position) -> int:
        """The offset of a line and character, at most the end of the line."""
        starts = self.source.line_starts
        if position.line >= len(starts):
            return len(self.source.text)
        line = max(0, position.line) + 1
        text, lead = self.source.line_text(line), self._lead(line)
        passed = count_characters(lead + text, position.character, self.encoding)
        return starts[line - 1] + max(0, passed - len(lead))

    def _lead(self, line: int) -> str:
        """The text before the first line: an editor may count a byte-order mark."""
        return _BOM if line == 1 and self.source.bom else ""

    def range(self, span: Span) -> types.Range:
        """Convert a span to a range."""
        return types.Range(self.position(span.start), self.position(span.end))

    def span(self, range_: types.Range) -> Span:
        """Convert a range to a span."""
        start, end = sorted((self.offset(range_.start), self.offset(range_.end)))
        return Span(start, end)

    def edit(self, edit: Edit) -> types.TextEdit:
        """Convert an edit."""
        return types.TextEdit(self.range(edit.span), edit.text)
