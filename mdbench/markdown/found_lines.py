"""The lines of a text that have certain words: a search over the whole text finds them fast."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from mdbench.markdown.document import Block, BlockKind, Document, TextLine

_TEXTS = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))


def find_lines(document: Document, words: Iterable[str]) -> Iterator[tuple[Block, TextLine]]:
    """The lines of paragraphs and list items that have one of these words, in their order."""
    places = sorted({at for word in words for at in _find(document.source.text, word)})
    starts = [block.span.start for block in document.blocks] if places else []
    end = 0
    for place in places:
        index = bisect_right(starts, place) - 1
        if place < end or index < 0:
            continue
        block = document.blocks[index]
        for line in block.lines if block.kind in _TEXTS else ():
            if line.start <= place < line.end:
                end = line.end
                yield block, line


def _find(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))
