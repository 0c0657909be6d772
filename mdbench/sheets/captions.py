"""What the text around a table says it measures, where its own headers only tell runs apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from mdbench.markdown.document import Block, BlockKind, Document, Table
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.meaning import settle
from mdbench.sheets.pivots import rows_named_by
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header, of_statistic, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary
from mdbench.vocabulary.statistics import statistic_of

_WITH_UNIT = lazy(
    r"(?P<words>(?:[\w-]{1,30} ){0,3}[\w-]{1,30}) ?[(\[（](?P<unit>[^()\[\]（）]{1,24})[)\]）]"
)
_IN_UNIT = lazy(
    r"(?:(?P<words>(?:[\w-]{1,30} ){0,2}[\w-]{1,30}),? (?:is |are )?(?:measured |given |shown )?in|"
    r"\b[Uu]nits?(?: is| are)?:?|\b[Nn]umbers are|单位(?:为|是)?[:：]?|\(in)[ :：]{0,3}"
    r"(?P<unit>[^\s(),.;]{1,16})(?=[\s(),.;]|$)"
)
_NAMED_IN_BRACKETS = lazy(r"[(（]([^()（）]{2,40})[)）]")
_RATE = lazy(r"\b[A-Za-z]{2,20}(?:/| per )s(?:ec(?:ond)?)?\b|\bFPS\b")
_DASH = lazy(r" [—–-] |: ")
_ALL_IN = lazy(
    r"\b[Uu]nits?(?: is| are)?:? \S|\b[Aa]ll \w+ (?:are )?in\b|\b[Nn]umbers are \w|"
    r"单位(?:为|是)?[:： ]|\b[Tt]heoretical peak\b"
)
_BRACKET = lazy(r"[(\[].{1,60}[)\]]$")
_SENTENCE_END = lazy(r"(?<=[.;。；])\s")
# A line that is all caption; what a longer text is about cannot be told from one of its phrases.
_MOST_WORDS = 14
# `Max QPS per system` is about the systems; `per GPU` would be another quantity.
_FOR_EACH = lazy(
    r" (?:per|for each|by) (?:system|model|dataset|data set|benchmark|test|task|framework|method|"
    r"library|language|platform|backend|config|configuration)s?(?=\W|$)",
    re.IGNORECASE,
)
# A longer text says what a table holds only where it announces one.
_ANNOUNCES = lazy(
    r"\b(?:table|tables|results|numbers)\b.{0,60}\b(?:below|following|summari[sz]ed|shown|listed)\b|"
    r"\b(?:below|following)\b.{0,60}\b(?:table|tables|results|numbers)\b|\b[Ww]e (?:report|list)\b|"
    r"如下|下表|以下の表",
    re.IGNORECASE,
)
_CLAUSE_END = lazy(r"[.;:,](?=\s)|[。；：，()]|\band\b|\bwhile\b|\bwhere\b")
_MOST_OF_CLAUSE = 8
_LONGEST = 1200
_IN_PASSING = "words of a longer text"
_ENOUGH = 0.6
_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_UNSPECIFIC = frozenset(("value", "change"))
_MOST_TOLD = 8
_TEXTS = (BlockKind.PARAGRAPH, BlockKind.ITEM)
_SUMMARY = lazy(r"<summary>(?:\s|<\w{1,6}>)*([^<>]{1,200})")
_PICTURES = lazy(r"(?:\s*!\[[^\[\]]*\]\([^()]*\))+\s*")
# Between a table and the text that it belongs to are a picture and a folded part, not more.
_MOST_SKIPPED = 4
# Fewer columns without a known name are no comparison.
_FEWEST_COMPARED = 2
_COMPARED = "method"


def captions_by_table(document: Document) -> Iterator[tuple[str, ...]]:
    """For each table, the texts that may name what it measures, the nearest first."""
    blocks = document.blocks
    told = _units_told(document)
    ends = [block.span.end for block in blocks]
    previous = 0
    for table in document.tables:
        at = bisect_right(ends, table.span.start)
        captions = list(_texts_above(blocks[max(0, at - _MOST_SKIPPED) : at], previous))
        section = table.section
        while section >= 0:
            captions.append(document.sections[section].title)
            captions += _told_of(table, told.get(section, ()))
            section = document.sections[section].parent
        previous = table.span.end
        yield tuple(captions)


def _texts_above(blocks: Sequence[Block], previous: int) -> Iterator[str]:
    """The text that stands above a table, behind pictures and the summary of a folded part."""
    for block in reversed(blocks):
        if block.span.start < previous:
            return
        text = " ".join(line.text for line in block.lines)
        if block.kind is BlockKind.HTML:
            summary = _SUMMARY.search(text)
            if summary is not None:
                yield summary[1]
        elif block.kind not in _TEXTS:
            return
        elif _PICTURES.fullmatch(text) is None:
            yield text
            return


def _told_of(table: Table, told: Sequence[tuple[int, str]]) -> list[str]:
    """What a section says above a table, or once for all of it below."""
    above = [text for at, text in reversed(told) if at < table.span.start]
    return above if above or len(told) != 1 else [told[0][1]]


def _units_told(document: Document) -> Mapping[int, Sequence[tuple[int, str]]]:
    """For each section, the sentences that say what all its numbers are in, and where."""
    found: dict[int, list[tuple[int, str]]] = {}
    for block in document.blocks:
        if block.kind in _TEXTS:
            for line in block.lines:
                if _ALL_IN.search(text := plain_text(line.text)):
                    sentences = filter(_ALL_IN.search, _SENTENCE_END.split(text))
                    told = found.setdefault(block.section, [])
                    told += ((block.span.start, text) for text in sentences)
    return {section: told[:_MOST_TOLD] for section, told in found.items()}


def apply_captions(
    headers: Sequence[Header],
    columns: Sequence[Sequence[Numeral]],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers, with the quantity that a caption names for those that do not say it.

    These state only settings or a statistic, or are named after the things that are compared.
    """
    headers = _state_rates(headers, columns, captions, vocabulary)
    left_open = _list_open(headers, columns)
    if not left_open or any(map(_names_metrics, headers)):
        return tuple(headers)
    worded = not any(cell.value is not None for cell in columns[0])
    corner = (_named_by(headers[0]) or _labelled(columns[0], vocabulary)) if worded else None
    told = [corner] if corner else (read_caption(text, vocabulary) for text in captions)
    named = next(
        (one for one in told if one is not None and not _has_own_column(headers[1:], one)), None
    )
    if named is None:
        return tuple(headers)
    if named.why == _IN_PASSING:
        left_open = frozenset(at for at in left_open if _is_open(headers[at]))
    applied = [
        _apply(header, columns[at], named, vocabulary) if at in left_open else header
        for at, header in enumerate(headers)
    ]
    if corner is not None and corner.text == headers[0].text:
        why = "says what the headers beside it measure"
        label = read_header(rows_named_by(headers[0].text), vocabulary).quantity
        applied[0] = Header(
            headers[0].text,
            label if label is not None and label.text else None,
            as_written=headers[0].as_written,
            why=why,
        )
    return tuple(applied)


def apply_statistic(
    headers: Sequence[Header], captions: Sequence[str], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with a statistic that closes a caption: `Replace in a loop — median`."""
    parts = [_DASH.split(text) for text in captions]
    told = [statistic_of(part[-1].strip(" :*")) for part in parts if len(part) > 1]
    statistic = next(filter(None, told), "")
    if not statistic:
        return tuple(headers)
    return tuple(
        of_statistic(header._replace(statistic=statistic), vocabulary)
        if _is_measured(header) and not header.statistic
        else header
        for header in headers
    )


def _state_rates(
    headers: Sequence[Header],
    columns: Sequence[Sequence[Numeral]],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers, with the rate that the text tells for a throughput without a unit."""
    if not any(header.candidates and header.unit is None for header in headers):
        return tuple(headers)
    told = {
        unit.dimension: unit
        for text in captions
        for match in _RATE.finditer(text)
        if (unit := parse_unit(match[0])) is not None
    }
    if len(told) != 1:
        return tuple(headers)
    (rate,) = told.values()
    return tuple(
        settle(header, cells, vocabulary, headers, rate)
        if header.unit is None and any(one.fits(rate) for one in header.candidates)
        else header
        for header, cells in zip(headers, columns, strict=True)
    )


def _has_own_column(headers: Sequence[Header], named: Header) -> bool:
    """Whether what the caption names has a column of its own: then it is not in the others."""
    meant = named.candidates if named.quantity is None else (named.quantity,)
    return any(
        header.quantity in meant and not header.settings and not header.statistic
        for header in headers
    )


def _named_by(corner: Header) -> Header | None:
    """What `Time (ms)` or `Name (time in us)` above the labels says of the cells beside them."""
    said = corner.said
    return said if _measures(said) else None


def _labelled(labels: Sequence[Numeral], vocabulary: Vocabulary) -> Header | None:
    """The unit that every label of the rows has in brackets: `naive (ms)`, `tiled (ms)`."""
    found = [_BRACKET.search(cell.text) for cell in labels if cell.form is Form.TEXT]
    units = {match[0].strip("()[]") if match is not None else "" for match in found}
    if len(found) < _FEWEST_COMPARED or len(units) != 1 or parse_unit(min(units)) is None:
        return None
    header = read_header(f"({min(units)})", vocabulary)
    return header if _measures(header) else None


def read_caption(text: str, vocabulary: Vocabulary) -> Header | None:
    """The one measured quantity that a text names; None where it names none, or several."""
    plain = plain_text(text)
    for sentence in filter(_ALL_IN.search, _SENTENCE_END.split(plain)):
        if sentence != plain and (told := read_caption(sentence, vocabulary)) is not None:
            # `All times in milliseconds.` says it of the whole table.
            return told
    found: dict[str, Header] = {}
    for match in _WITH_UNIT.finditer(plain):
        if parse_unit(match["unit"]) is not None:
            _add(found, f"{match['words']} ({match['unit']})", vocabulary)
    if not found:
        for match in _IN_UNIT.finditer(plain):
            if parse_unit(match["unit"]) is not None:
                _add(found, f"{match['words'] or ''} ({match['unit']})", vocabulary)
    if not found:
        # `Semantic similarity (Accuracy)`
        for match in _NAMED_IN_BRACKETS.finditer(plain):
            _add(found, match[1], vocabulary)
    if not found and len(plain.split()) <= _MOST_WORDS:
        for sentence in _SENTENCE_END.split(plain):
            _add(found, _FOR_EACH.sub("", sentence), vocabulary)
    elif not found and _ANNOUNCES.search(plain):
        for clause in _CLAUSE_END.split(plain[:_LONGEST]):
            if len(clause.split()) <= _MOST_OF_CLAUSE:
                _add(found, clause, vocabulary)
        found = {name: header._replace(why=_IN_PASSING) for name, header in found.items()}
    return next(iter(found.values())) if len(found) == 1 else None


def _add(found: dict[str, Header], text: str, vocabulary: Vocabulary) -> None:
    header = read_header(text, vocabulary)
    if _measures(header):
        named = header.quantity or header.candidates[0]
        found.setdefault(named.name, header)


def _measures(header: Header) -> bool:
    """Whether a text names one measured quantity, or leaves open only which kind of one it is."""
    meant = header.candidates if header.quantity is None else (header.quantity,)
    if header.quantity is None and header.unit is None:
        return False
    return bool(meant) and all(
        one.role in _RESULTS and one.name not in _UNSPECIFIC for one in meant
    )


def _list_open(headers: Sequence[Header], columns: Sequence[Sequence[Numeral]]) -> frozenset[int]:
    """The columns of which only the text around the table can say what they hold."""
    left_open = {at for at, header in enumerate(headers) if _is_open(header)}
    unnamed = [at for at, header in enumerate(headers) if at and not header.understood]
    unnamed = [at for at in unnamed if headers[at].text and _holds_numbers(columns[at])]
    statistics = any(headers[at].statistic for at in left_open)
    compared = len(left_open) + len(unnamed) >= _FEWEST_COMPARED
    if compared and not statistics and not any(map(_is_measured, headers[1:])):
        left_open.update(unnamed)
    # A name between those of other runs is one too.
    named = {at for at in left_open if headers[at].settings}
    left_open.update(at for at in unnamed if {at - 1, at + 1} <= named)
    return frozenset(left_open)


def _names_metrics(header: Header) -> bool:
    """Whether a column says of each row what it measures: that counts before any caption."""
    return header.quantity is not None and header.quantity.name == "metric"


def _is_open(header: Header) -> bool:
    said = bool(header.settings) or bool(header.statistic)
    return header.quantity is None and not header.candidates and said


def _is_measured(header: Header) -> bool:
    one = header.quantity
    if one is None:
        return bool(header.candidates)
    return one.role is Role.MEASUREMENT and one.name not in COMPARING


def _holds_numbers(cells: Sequence[Numeral]) -> bool:
    filled = [cell for cell in cells if cell.form is not Form.NOTHING]
    numbers = [cell for cell in filled if cell.value is not None]
    return bool(numbers) and len(numbers) >= _ENOUGH * len(filled)


def _apply(
    header: Header, cells: Sequence[Numeral], named: Header, vocabulary: Vocabulary
) -> Header:
    if not _holds_numbers(cells):
        return header
    # Without a setting of its own, a column is told from those beside it by its name.
    settings = header.settings or (() if header.statistic else ((_COMPARED, header.text),))
    stated = named._replace(
        text=header.text,
        settings=settings,
        statistic=header.statistic or named.statistic,
        as_written=header.as_written,
    )
    meant = of_statistic(settle(stated, cells, vocabulary), vocabulary)
    return meant._replace(why=f"the caption says {named.text!r}")
