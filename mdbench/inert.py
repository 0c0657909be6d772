"""Prose that says nothing: paragraphs from which no rule takes anything but that they are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mdbench.blocks import Block, BlockKind, TextLine
from mdbench.calculations import find_calculations
from mdbench.claims import find_claims
from mdbench.document import Document
from mdbench.estimates import find_estimates
from mdbench.facts import collect_facts
from mdbench.formulas import collect_formulas
from mdbench.legends import collect_legends
from mdbench.patterns import Pattern
from mdbench.source import Source, Span

# Plain words and numbers: no mark, link, code, tag, formula, unit sign or list. In the place of
# another such line of a paragraph, such a line is read as Markdown in the same way; `7.` is a list.
_PLAIN = Pattern(r"(?!\d+[.)])[A-Za-z0-9](?:[A-Za-z0-9 ,.'()]|(?<=\w)-(?=\w))*")
_COMMENT = Pattern(r"<!--[A-Za-z0-9 ,.'()]*-->")
_OURS = "mdbench"
_NAMES_A_MARK = Pattern(r"star|asterisk|dagger|caret|cross|mark|hash|plus|section", re.IGNORECASE)


def find_inert(document: Document) -> Iterator[range]:
    """The lines, from 0, of each paragraph or comment that could say something else as well."""
    source = document.source
    for block in document.blocks:
        first, last = source.line(block.span.start) - 1, source.line(block.span.end - 1) - 1
        lines = range(first, last + 1)
        texts = [source.line_text(line + 1) for line in lines]
        if block.kind is BlockKind.HTML and len(texts) == 1:
            inert = says_nothing(texts) and texts[0].startswith("<!--")
        else:
            inert = (
                block.kind is BlockKind.PARAGRAPH
                and not block.depth
                and not _leads_to_a_table(document, block)
                and says_nothing(texts)
            )
        if inert:
            yield lines


def _leads_to_a_table(document: Document, block: Block) -> bool:
    """Whether it stands above a table in the same section: there, any words tell tables apart."""
    for table in document.tables:
        start = document.sections[table.section].start if table.section >= 0 else 0
        if start <= block.span.start < table.span.start:
            return True
    return False


def says_nothing(lines: list[str]) -> bool:
    """Whether lines are plain words, or one comment, and nothing is found in them."""
    if len(lines) == 1 and _COMMENT.fullmatch(lines[0]):
        return _OURS not in lines[0]
    return all(map(_PLAIN.fullmatch, lines)) and _is_empty("\n".join(lines))


@lru_cache(maxsize=1024)
def _is_empty(text: str) -> bool:
    """Whether nothing is found in a paragraph that is read as a report of its own."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    lines = tuple(TextLine(*one) for one in zip(text.split("\n"), starts, strict=True))
    paragraph = Block(BlockKind.PARAGRAPH, lines, -1, Span(0, len(text)))
    document = Document(Source("", text), (), (paragraph,), ())
    return not (
        collect_facts(document)
        or collect_formulas(document)
        or collect_legends(document)
        or any(find_claims(document))
        or any(find_estimates(document))
        or any(find_calculations(text))
        or _NAMES_A_MARK.search(text)
    )
