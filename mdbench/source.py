"""The text of a report, with spans, positions and edits.

Offsets count code points of the decoded text, without the byte-order mark. Lines and columns, both
1-based, are only computed for output.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from mdbench.regex import lazy

SUFFIXES = (".md", ".markdown", ".mdx")
_BOM = "\ufeff"
_LINE_END = lazy(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A half-open range of the text."""

    start: int
    end: int


class Position(NamedTuple):
    """A position for humans: both numbers start at 1, columns are code points."""

    line: int
    column: int


class Edit(NamedTuple):
    """Replace the text at `span` with `text`."""

    span: Span
    text: str


class SourceError(Exception):
    """The bytes are not readable text; the message says why and what to do."""


class Source(NamedTuple):
    """A report's text exactly as in its file, including line endings."""

    path: str
    text: str
    bom: bool = False

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> "Source":
        """Decode UTF-8; raise `SourceError` for anything that is not UTF-8 text."""
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError("is UTF-16, not UTF-8; save it as UTF-8")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = len(_LINE_END.findall(data[: error.start].decode("utf-8", "replace"))) + 1
            raise SourceError(
                f"is not UTF-8 (byte 0x{data[error.start]:02x} on line {line}); save it as UTF-8"
            ) from error
        if "\0" in text:
            line = len(_LINE_END.findall(text[: text.index("\0")])) + 1
            raise SourceError(f"has a NUL byte on line {line}; it is not a text file")
        bom = text.startswith(_BOM)
        return cls(path, text[len(_BOM) :] if bom else text, bom=bom)

    def to_bytes(self) -> bytes:
        """The file's bytes: the input of `from_bytes`, unless edited."""
        return ((_BOM if self.bom else "") + self.text).encode("utf-8")

    @property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the start of each line."""
        return _find_line_starts(self.text)

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def line(self, offset: int) -> int:
        """The line number of an offset."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """One line, counted from 1, without its ending."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def cut(self, span: Span) -> str:
        """The text at a span."""
        return self.text[span.start : span.end]

    def edited(self, edits: Iterable[Edit]) -> "Source":
        """Return this source with edits applied; they must not overlap."""
        return Source(self.path, _apply(self.text, sorted(edits)), bom=self.bom)


@lru_cache(maxsize=8)
def _find_line_starts(text: str) -> tuple[int, ...]:
    if "\r" in text:
        return (0, *[match.end() for match in _LINE_END.finditer(text)])
    return (0, *accumulate([len(line) + 1 for line in text.split("\n")[:-1]]))


def as_source(text: object, path: str) -> Source:
    """Wrap a text that was passed to the API; reject a path passed by mistake."""
    if not isinstance(text, str):
        raise TypeError(f"a report is text (str), not {type(text).__name__}")
    if "\n" not in text and text.lower().endswith(SUFFIXES):
        raise ValueError(
            f"{text!r} is a path, not the text of a report; pass Path({text!r}).read_text()"
        )
    return Source(path, text)


def _apply(text: str, edits: Sequence[Edit]) -> str:
    pieces: list[str] = []
    done = 0
    for span, replacement in edits:
        if span.start < done:
            raise ValueError(f"edits overlap at offset {span.start}")
        pieces += text[done : span.start], replacement
        done = span.end
    return "".join((*pieces, text[done:]))


def remove_line(source: Source, offset: int) -> Edit:
    """Remove the line of an offset, including its line ending."""
    line = source.line(offset)
    start = source.line_starts[line - 1]
    if line < len(source.line_starts):
        return Edit(Span(start, source.line_starts[line]), "")
    return Edit(Span(start, len(source.text)), "")


def remove_standalone(source: Source, offset: int) -> Edit:
    """Remove the line, but keep it as a blank line between two lines of text."""
    line = source.line(offset)
    start, text = source.line_starts[line - 1], source.line_text(line)
    inside = 1 < line < len(source.line_starts)
    if inside and source.line_text(line - 1).strip() and source.line_text(line + 1).strip():
        return Edit(Span(start, start + len(text)), "")
    return remove_line(source, offset)
