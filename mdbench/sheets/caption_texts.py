"""The text around a table that may say what it measures, and what such a text names."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, Table
from mdbench.markdown.found_lines import find_lines
from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary

IN_PASSING = "words of a longer text"
"""The reason if a quantity is only one of many words of a text."""

_WITH_UNIT = lazy(
    r"(?P<words>(?:[\w-]{1,30} ){0,3}[\w-]{1,30}) ?[(\[（](?P<unit>[^()\[\]（）]{1,24})[)\]）]"
)
_OPENINGS = frozenset("([（")
_IN_UNIT = lazy(
    r"(?:(?P<words>(?:[\w-]{1,30} ){0,2}[\w-]{1,30}),? (?:is |are )?(?:measured |given |shown )?in|"
    r"\b[Uu]nits?(?: is| are|:)|\b[Nn]umbers are|单位(?:为|是)?[:：]?|\(in)[ :：]{0,3}"
    r"(?P<unit>[^\s(),.;]{1,16})(?=[\s(),.;]|$)"
)
_NAMED_IN_BRACKETS = lazy(r"[(（]([^()（）]{2,40})[)）]")
_MOST_IN_BRACKETS = 4
_ALL_IN = lazy(
    r"\b[Uu]nits?(?: is| are|:) \S|\b[Aa]ll \w+ (?:are )?in\b|\b[Nn]umbers are \w|"
    r"单位(?:为|是)?[:： ]|\b[Tt]heoretical peak\b|\b[Tt]hroughput in \w"
)
# What any line has that says it, with its markup.
_TOLD_BY = (
    "unit", "Unit", "all ", "All ", "umbers are", "单位", "heoretical peak", "hroughput in "
)  # fmt: skip
_MAY_TELL = lazy(r"[Uu]nits?\b|\b[Aa]ll \w|[Nn]umbers are|单位|[Tt]heoretical peak|hroughput in ")
# `Throughput measured in tokens/sec.`
_MEASURED_IN = lazy(
    r"\W{0,3}[A-Z][\w -]{2,40} (?:is |are )?(?:measured|given|reported|shown) in \S{1,24}$"
)
_SENTENCE_END = lazy(r"(?<=[.;。；])\s")
# A line that is all caption; what a longer text is about cannot be told from one of its phrases.
_MOST_WORDS = 14
# `Max QPS per system` is about the systems; `per GPU` would be another quantity.
_FOR_EACH = lazy(
    r" (?:per|for each|by) (?:[a-z]{3,12} )?(?:system|model|dataset|data set|benchmark|test|task|"
    r"framework|method|library|language|platform|backend|config|configuration|condition|class|"
    r"architecture)s?(?: and [a-z]{3,16})?(?=\W|$)",
    re.IGNORECASE,
)
# A longer text says what a table holds only where it announces one.
_ANNOUNCES = lazy(
    r"\b(?:table|tables|results|numbers)\b.{0,60}\b(?:below|following|summari[sz]ed|shown|listed)\b|"
    r"\b(?:below|following)\b.{0,60}\b(?:table|tables|results|numbers)\b|\b[Ww]e (?:report|list)\b|"
    r"\bresults\b.{0,30}\bdemonstrated\b|"
    r"如下|下表|以下の表",
    re.IGNORECASE,
)
_TABLE = ("able", "ABLE", "下表")
_NEXT_TABLE = lazy(r"\b(?:table below|following table|below table)\b|下表", re.IGNORECASE)
_CLAUSE_END = lazy(r"[.;:,](?=\s)|[。；：，()]|\band\b|\bwhile\b|\bwhere\b")
_MOST_OF_CLAUSE = 8
_ANNOUNCED = lazy(
    r"\b(?:below|here|following) (?:is|are|we (?:present|show|report|list))(?: the| our)? "
    r"(?P<what>(?:\S{1,30} ){0,5}\S{1,30})|"
    r"\b(?:we (?:have )?(?:report|present|list|demonstrate|give|tested|measured|measure)|"
    r"tables? (?:\w{1,9} )?(?:shows?|lists?|presents?|reports?|has))"
    r"(?: the| our)? (?P<that>(?:\S{1,30} ){0,5}\S{1,30})",
    re.IGNORECASE,
)
# `Batch sizes used:`, `BatchSize选用如下：`
_INTRODUCES = lazy(r"(?: (?:used|chosen|selected|as follows)\b.{0,40}|(?:选用|设置)?如下)?[:：]$")
# `The table below lists the effective batch size of each system.`
_LISTED = lazy(
    r"\btable below lists the ([a-z][a-z ]{3,40}?)(?: (?:of|for) (?:each|every|all) |[.:])"
)
_ON_EACH = lazy(r"\b(?:on|for) (?:each|every) (GPU|device|card|chip|accelerator)\b", re.IGNORECASE)
# `Improvement over baseline: 12 %` is a statement of its own.
_IS_STATED = lazy(
    r"^[^:：]{3,60}[:：] ?(?:[-+]?\d[\d.,]*\W{0,2}\w{0,8}|inf|nan|n/a|none)$", re.IGNORECASE
)
_NUMBERED = lazy(
    r"^(?:(?:Table|Tab\.|Tableau|Tabelle|表) ?\d{1,3}[.:：]? |\d{1,2}(?:\.\d{1,2}){1,3}\.? )"
)
# `Chip config: 360MHz, SPI-RAM: HEX 200MHz` states several settings.
_LISTS = lazy(r": [^:]{1,60}, [^:]{1,40}: ")
_PART = lazy(r" [-–—] |: |[()（）]")
_GENERAL = lazy(
    r"(?: (?:benchmarks?|results?|comparison|tests?|evaluation|measurements?|summary|breakdown))+$",
    re.IGNORECASE,
)
_ANY_SCORE = frozenset(("score", "accuracy", "error"))
_PART_END = lazy(r"[.;:,，；。]")
_DIGIT = lazy(r"\d")
_LONGEST = 1200
_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_UNSPECIFIC = frozenset(("value", "change"))
_MOST_TOLD = 8
_TEXTS = (BlockKind.PARAGRAPH, BlockKind.ITEM)
_SUMMARY = lazy(r"<summary>(?:\s|<\w{1,6}>)*([^<>]{1,200})")
_PICTURES = lazy(r"(?:\s*!\[[^\[\]]*\]\([^()]*\))+\s*")
# Between a table and the text that it belongs to are a picture and a folded part, not more.
_MOST_SKIPPED = 4


class Around(NamedTuple):
    """What the report says of a table outside of it."""

    captions: Sequence[str] = ()
    """The texts that may name what it measures, the nearest first."""
    sisters: Mapping[str, Header] = MappingProxyType({})
    """By their titles, what columns that nothing else explains are in tables like it."""
    below: Sequence[str] = ()
    """The text right below it, which may say what some columns are in."""


def captions_by_table(document: Document) -> Iterator[tuple[str, ...]]:
    """For each table, the texts that may name what it measures, the nearest first."""
    blocks = document.blocks
    told, announced = _units_told(document), _announcements(document)
    ends = [block.span.end for block in blocks]
    previous = 0
    starts = [table.span.start for table in document.tables[1:]]
    for table, following in zip_longest(document.tables, starts):
        at = bisect_right(ends, table.span.start)
        captions = list(_texts_above(blocks[max(0, at - _MOST_SKIPPED) : at], previous))
        section = table.section
        captions += (
            text for at, text in announced.get(section, ()) if previous <= at < table.span.start
        )
        while section >= 0:
            about = _told_of(table, told.get(section, ()))
            title = document.sections[section].title
            units = sum(_IN_UNIT.search(text) is not None for text in about)
            captions += (*about, title) if units == len(about) else (title, *about)
            section = document.sections[section].parent
        captions += _text_below(table, blocks[at : at + 2], following)
        previous = table.span.end
        yield tuple(captions)


def texts_below(document: Document) -> Iterator[tuple[str, ...]]:
    """For each table, the text right below it."""
    ends = [block.span.end for block in document.blocks]
    starts = [table.span.start for table in document.tables[1:]]
    for table, following in zip_longest(document.tables, starts):
        at = bisect_right(ends, table.span.start)
        near = document.blocks[at : at + 1]
        yield tuple(
            " ".join(line.text for line in block.lines)
            for block in near
            if block.kind in _TEXTS
            and block.section == table.section
            and (following is None or block.span.start < following)
        )


def _text_below(table: Table, blocks: Sequence[Block], following: int | None) -> Iterator[str]:
    """A line right below a table that says what was measured; not right above the next one."""
    if not blocks or blocks[0].kind is not BlockKind.PARAGRAPH or len(blocks[0].lines) > 1:
        return
    last = blocks[-1].span.start if len(blocks) > 1 else 0
    alone = following is None or blocks[0].span.start < last < following
    if alone and blocks[0].section == table.section and _MEASURED_IN.match(blocks[0].lines[0].text):
        yield blocks[0].lines[0].text


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


def _announcements(document: Document) -> Mapping[int, Sequence[tuple[int, str]]]:
    """For each section, the sentences that announce its next table, and where."""
    found: dict[int, list[tuple[int, str]]] = {}
    for block, line in find_lines(document, _TABLE):
        if _NEXT_TABLE.search(line.text) is None:
            continue
        sentences = filter(_NEXT_TABLE.search, _SENTENCE_END.split(line.text))
        told = found.setdefault(block.section, [])
        told += ((block.span.start, sentence) for sentence in sentences)
    return found


def _units_told(document: Document) -> Mapping[int, Sequence[tuple[int, str]]]:
    """For each section, the sentences that say what all its numbers are in, and where."""
    found: dict[int, list[tuple[int, str]]] = {}
    for block, line in find_lines(document, _TOLD_BY):
        if _MAY_TELL.search(line.text) and _ALL_IN.search(text := plain_text(line.text)):
            sentences = filter(_ALL_IN.search, _SENTENCE_END.split(text))
            told = found.setdefault(block.section, [])
            told += ((block.span.start, sentence) for sentence in sentences)
    return {section: told[:_MOST_TOLD] for section, told in found.items()}


# The tables of a section have its title in common.
@lru_cache(maxsize=512)
def read_caption(text: str, vocabulary: Vocabulary) -> Header | None:
    """The one measured quantity that a text names; None where it names none, or several.

    A line that introduces a table may name a setting as well. A question states nothing.
    """
    plain = _NUMBERED.sub("", _ON_EACH.sub(r"per \1", plain_text(text)))
    if (
        plain.endswith(("?", "\uff1f"))
        or _IS_STATED.search(plain)
        or _LISTS.search(plain)
        or "out-of-memory" in plain
    ):
        return None
    sentences = _SENTENCE_END.split(plain) if _ALL_IN.search(plain) else ()
    for sentence in filter(_ALL_IN.search, sentences):
        if sentence != plain and (told := read_caption(sentence, vocabulary)) is not None:
            # `All times in milliseconds.` says it of the whole table.
            return told
    for read in _READERS:
        found: dict[str, Header] = {}
        for name in read(plain, vocabulary):
            _add(found, name, vocabulary)
        if found:
            passing = read in _IN_PASSING
            first = next(iter(found.values())) if len(found) == 1 else None
            return first._replace(why=IN_PASSING) if first is not None and passing else first
    return _read_setting(plain, vocabulary)


def _in_brackets(plain: str, _: Vocabulary) -> Iterator[str]:
    """`Generation throughput (tokens/s)`."""
    for match in _WITH_UNIT.finditer(plain) if not _OPENINGS.isdisjoint(plain) else ():
        if parse_unit(match["unit"]) is not None:
            yield f"{match['words']} ({match['unit']})"


def _in_units(plain: str, vocabulary: Vocabulary) -> Iterator[str]:
    """`Time in ms`, `Unit: tokens/s`."""
    for match in _IN_UNIT.finditer(plain):
        if parse_unit(match["unit"]) is not None:
            # `Time to First Token (TTFT), unit: ms` has the name before the unit.
            words = match["words"] or _named_before(plain[: match.start()], vocabulary)
            yield f"{words} ({match['unit']})"


def _named_before(plain: str, vocabulary: Vocabulary) -> str:
    """The quantity that the text before a unit names; nothing where it names none, or several."""
    names = (*_NAMED_IN_BRACKETS.findall(plain), *_PART.split(plain))
    told = {
        header.quantity.name: name.strip()
        for name in names
        if name.strip() and (header := read_header(name.strip(), vocabulary)).quantity is not None
        if measures(header)
    }
    return min(told.values()) if len(told) == 1 else ""


def _bracketed(plain: str, _: Vocabulary) -> Iterator[str]:
    """`Semantic similarity (Accuracy)`."""
    for match in _NAMED_IN_BRACKETS.finditer(plain) if not _OPENINGS.isdisjoint(plain) else ():
        name = _FOR_EACH.sub("", match[1])
        if len(name.split()) <= _MOST_IN_BRACKETS:
            yield name


def _announced(plain: str, vocabulary: Vocabulary) -> Iterator[str]:
    """`Below is the WikiText2 perplexity evaluated with …`: the most words that mean anything."""
    for match in _ANNOUNCED.finditer(plain[:_LONGEST]):
        words = (match["what"] or match["that"]).split()
        names = (" ".join(words[:count]).strip(" .,:;") for count in range(len(words), 0, -1))
        yield from islice((one for one in names if measures(read_header(one, vocabulary))), 1)


def _sentences(plain: str, _: Vocabulary) -> Iterator[str]:
    if len(plain.split()) <= _MOST_WORDS:
        for sentence in _SENTENCE_END.split(plain):
            # With more words, what ends in a full stop says something of its own.
            if not sentence.endswith(".") or len(sentence.split()) <= _MOST_OF_CLAUSE:
                yield _FOR_EACH.sub("", sentence)


def _parts(plain: str, _: Vocabulary) -> Iterator[str]:
    """`Enhanced model - training loss:`, `Recall (phone and PC)`, `Latency benchmark`."""
    if len(plain.split()) <= _MOST_WORDS:
        for part in _PART.split(plain.rstrip(" :：")):
            about = part.strip()
            kept = about.casefold().find(" results for ")
            about = about[:kept] if kept > 0 else about
            yield _GENERAL.sub("", _FOR_EACH.sub("", about))


def _scores(plain: str, vocabulary: Vocabulary) -> Iterator[str]:
    """A word such as `PPL`, which is a score wherever it stands."""
    if _ANNOUNCES.search(plain):
        for word in plain[:_LONGEST].split():
            found = vocabulary.find(word.strip(".,;:()"))
            if len(found) == 1 and found[0].role is Role.SCORE and found[0].name not in _ANY_SCORE:
                yield word.strip(".,;:()")


def _clauses(plain: str, _: Vocabulary) -> Iterator[str]:
    if _ANNOUNCES.search(plain):
        for clause in _CLAUSE_END.split(plain[:_LONGEST]):
            if len(clause.split()) <= _MOST_OF_CLAUSE:
                yield clause


# In the order in which they count: the first one that finds anything decides.
_READERS = (
    _in_brackets, _in_units, _bracketed, _sentences, _parts, _announced, _clauses, _scores,
)  # fmt: skip
_IN_PASSING = (_clauses, _scores)


def _read_setting(plain: str, vocabulary: Vocabulary) -> Header | None:
    """`Batch sizes used by each system:` names the setting that the table below it lists."""
    listed = _LISTED.search(plain)
    if _INTRODUCES.search(plain) is None and listed is None:
        return None
    clause = _PART_END.split(_INTRODUCES.sub("", plain).strip())[-1]
    if listed is not None:
        clause = listed[1]
    header = read_header(clause, vocabulary)
    meant = header.candidates if header.quantity is None else (header.quantity,)
    if not meant or header.settings or _DIGIT.search(clause):
        return None
    numeric = all(one.role is Role.SETTING and not (one.text or one.flag) for one in meant)
    return header._replace(statistic="") if numeric else None


def _add(found: dict[str, Header], text: str, vocabulary: Vocabulary) -> None:
    header = read_header(text, vocabulary)
    if measures(header):
        named = header.quantity or header.candidates[0]
        found.setdefault(named.name, header)


def measures(header: Header) -> bool:
    """Whether a text names one measured quantity, or leaves open only which kind of one it is."""
    meant = header.candidates if header.quantity is None else (header.quantity,)
    if header.quantity is None and header.unit is None:
        return False
    return bool(meant) and all(
        one.role in _RESULTS and one.name not in _UNSPECIFIC for one in meant
    )
