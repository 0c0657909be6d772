"""What the text around a table says it measures, where its own headers only tell runs apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mdbench.markdown.document import BlockKind, Document
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.meaning import settle
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary

_WITH_UNIT = lazy(
    r"(?P<words>(?:[\w-]{1,30} ){0,3}[\w-]{1,30}) ?[(\[（](?P<unit>[^()\[\]（）]{1,24})[)\]）]"
)
_SENTENCE_END = lazy(r"(?<=[.;。；])\s")
# A line that is all caption; what a longer text is about cannot be told from one of its phrases.
_MOST_WORDS = 14
_ENOUGH = 0.6
_UNSPECIFIC = frozenset(("value", "change"))


def captions_by_table(document: Document) -> Iterator[tuple[str, ...]]:
    """For each table, the texts that may name what it measures, the nearest first."""
    blocks = document.blocks
    ends = [block.span.end for block in blocks]
    previous = 0
    for table in document.tables:
        captions: list[str] = []
        at = bisect_right(ends, table.span.start) - 1
        above = blocks[at] if at >= 0 else None
        if above is not None and above.kind is BlockKind.PARAGRAPH and above.span.start >= previous:
            captions.append(" ".join(line.text for line in above.lines))
        if table.section >= 0:
            captions.append(document.sections[table.section].title)
        previous = table.span.end
        yield tuple(captions)


def apply_captions(
    headers: Sequence[Header],
    columns: Sequence[Sequence[Numeral]],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers, with the quantity that a caption names for those that only state settings."""
    if not any(map(_is_open, headers)):
        return tuple(headers)
    corner = None if any(cell.value is not None for cell in columns[0]) else _named_by(headers[0])
    read = (read_caption(text, vocabulary) for text in captions)
    named = corner or next(filter(None, read), None)
    if named is None:
        return tuple(headers)
    applied = [
        _apply(header, cells, named, vocabulary) if _is_open(header) else header
        for header, cells in zip(headers, columns, strict=True)
    ]
    if corner is not None:
        why = "says what the headers beside it measure"
        applied[0] = Header(headers[0].text, as_written=headers[0].as_written, why=why)
    return tuple(applied)


def _named_by(corner: Header) -> Header | None:
    measures = corner.quantity is not None and corner.quantity.role is Role.MEASUREMENT
    return corner if measures else None


def read_caption(text: str, vocabulary: Vocabulary) -> Header | None:
    """The one measured quantity that a text names; None where it names none, or several."""
    plain = plain_text(text)
    found: dict[str, Header] = {}
    for match in _WITH_UNIT.finditer(plain):
        if parse_unit(match["unit"]) is not None:
            _add(found, f"{match['words']} ({match['unit']})", vocabulary)
    if not found and len(plain.split()) <= _MOST_WORDS:
        for sentence in _SENTENCE_END.split(plain):
            _add(found, sentence, vocabulary)
    return next(iter(found.values())) if len(found) == 1 else None


def _add(found: dict[str, Header], text: str, vocabulary: Vocabulary) -> None:
    header = read_header(text, vocabulary)
    one = header.quantity
    if one is not None and one.role is Role.MEASUREMENT and one.name not in _UNSPECIFIC:
        found.setdefault(one.name, header)


def _is_open(header: Header) -> bool:
    return header.quantity is None and not header.candidates and bool(header.settings)


def _apply(
    header: Header, cells: Sequence[Numeral], named: Header, vocabulary: Vocabulary
) -> Header:
    filled = [cell for cell in cells if cell.form is not Form.NOTHING]
    numbers = [cell for cell in filled if cell.value is not None]
    if not numbers or len(numbers) < _ENOUGH * len(filled):
        return header
    meant = settle(
        named._replace(text=header.text, settings=header.settings, as_written=header.as_written),
        cells,
        vocabulary,
    )
    return meant._replace(why=f"the caption says {named.text!r}")
