"""Write the texts of footnotes below their table."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.markdown.document import Document, Table
from mdbench.regex import lazy
from mdbench.source import Edit, Source, Span

_BETWEEN = lazy(r"[\s>]*")
_CONTAINED = lazy(r"[ \t>]*")
_LINE_END = lazy(r"\r\n|\n|\r")


def line_ending(source: Source, offset: int) -> str:
    """The line ending at an offset; a newline at the end of the text."""
    ending = _LINE_END.search(source.text, offset)
    return ending[0] if ending is not None else "\n"


def line_end(source: Source, offset: int) -> int:
    """The end of the text of the line at an offset."""
    ending = _LINE_END.search(source.text, offset)
    return ending.start() if ending is not None else len(source.text)


def line_prefix(source: Source, offset: int) -> str:
    """The indentation and quote markers of the line at an offset."""
    start = source.line_starts[source.line(offset) - 1]
    prefix = _CONTAINED.match(source.text, start)
    return prefix[0] if prefix is not None else ""


def add_definitions(document: Document, table: Table, lines: Sequence[str]) -> Edit:
    """The edit that adds footnotes below a table, after the existing ones."""
    source = document.source
    ending = line_ending(source, table.span.start)
    prefix = line_prefix(source, table.span.end)
    at = line_end(source, table.span.end)
    texts = [prefix.rstrip(), *(prefix + line for line in lines)]
    for block in document.footnotes:
        if block.span.start >= at and _BETWEEN.fullmatch(source.text, at, block.span.start):
            at = line_end(source, block.span.end)
            del texts[0]
            break
    following = source.text[at:].removeprefix(line_ending(source, at))
    if following and _CONTAINED.sub("", following, count=1)[:1] not in ("", "\n", "\r"):
        texts.append(prefix.rstrip())
    return Edit(Span(at, at), "".join(ending + text for text in texts))
