"""Settings stated outside a table, each with its place and the stretch it holds for.

A fact holds for its `scope`. The smallest scope around a table wins, so a line above the table
beats the section's heading and the heading beats the overview. Two facts of one scope that
disagree cancel each other: nobody can tell which one holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mdbench.assignments import Assignment, find_assignments
from mdbench.blocks import Block, BlockKind, Section, TextLine
from mdbench.document import Document
from mdbench.grid import Table
from mdbench.mentions import Mention, find_mentions
from mdbench.numerals import Numeral, read_cell
from mdbench.quantities import Quantity, Role, is_option, lookup
from mdbench.readings import scale
from mdbench.source import Span

_SETTINGS_TITLE = re.compile(
    r"overview|set-?up|setting|config|hyper-?param|parameters?$|environment|hardware|notation|common|"
    r"general|details?$|others?$|^model$|specification|architecture|"
    r"概要|概述|设置|配置|环境|参数|設定|環境|条件|構成",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:assum\w+|suppos\w+|if|e\.g\.|for example|would|could|instead of|changed? from|up to)"
    r"\s+\S{0,12}[`\s]*$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:remov\w+|without|no|not|disabl\w+|dropp?\w*|w[/\\]o|turn\w* off)\W+(?:the\s+)?[`*\s]*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:when|for|with|at|if)\b(?P<phrase>[^.;,`=]{3,60}?)(?:of|is|:)?\s*`?(?P<value>\d[\d.,]*[KkMm]?)`?",
)
_SENTENCE_END = re.compile(r"(?<=[.;。；])\s+")
_ONE_LINER = re.compile(r"^\s*(?:\$ )?(?:perl|python3?|ruby|awk|bc)\b.*-\w*[ec]")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_NAME_WORDS = 4
_SHORTEST_VARIABLE = 3
_FLAG_WORDS = frozenset(("true", "false", "yes", "no", "on", "off"))


@dataclass(frozen=True, slots=True)
class Fact:
    """A setting, read from the text at `span`, that holds for the tables within `scope`."""

    quantity: Quantity
    raw: str
    numeral: Numeral
    span: Span
    scope: Span
    conditions: tuple[tuple[str, Numeral], ...] = ()
    """Other quantities and the values they must have in a row for the fact to hold there."""


def collect_facts(document: Document) -> tuple[Fact, ...]:
    """Every fact of a report, in the order of the text."""
    return tuple(
        fact
        for block in document.blocks
        if block.kind is not BlockKind.HTML and (scope := _scope(document, block)) is not None
        for line in _sentences(block)
        for fact in _facts_of_line(block, line, scope)
    )


def facts_for(table: Table, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that hold for a table: of each quantity the nearest, and the conditional ones."""
    nearest: dict[str, list[Fact]] = {}
    conditional: list[Fact] = []
    for fact in facts:
        if not (fact.scope.start <= table.span.start and table.span.end <= fact.scope.end):
            continue
        if fact.conditions:
            conditional.append(fact)
            continue
        rivals = nearest.setdefault(fact.quantity.name, [])
        size = _size(fact.scope)
        if not rivals or size < _size(rivals[0].scope):
            rivals[:] = [fact]
        elif size == _size(rivals[0].scope):
            rivals.append(fact)
    agreed = (rivals[0] for rivals in nearest.values() if _agree(rivals))
    return tuple(sorted((*agreed, *conditional), key=lambda fact: fact.span))


def _size(span: Span) -> int:
    return span.end - span.start


def _agree(facts: list[Fact]) -> bool:
    return len({_meaning(fact.numeral) for fact in facts}) == 1


def _meaning(numeral: Numeral) -> tuple[object, str]:
    return (numeral.text.casefold() if numeral.value is None else numeral.value), numeral.unit


def _sentences(block: Block) -> Iterator[TextLine]:
    """The block's text in pieces small enough that a condition belongs to what stands beside it."""
    for line in block.lines:
        if block.kind is BlockKind.FENCE:
            yield line
            continue
        start = 0
        for end in (*(match.end() for match in _SENTENCE_END.finditer(line.text)), len(line.text)):
            yield TextLine(line.text[start:end], line.start + start)
            start = end


def _facts_of_line(block: Block, line: TextLine, scope: Span) -> Iterator[Fact]:
    conditions = tuple(_conditions(line.text)) if block.kind in _PROSE else ()
    for assignment in find_assignments(line.text):
        fact = _from_assignment(assignment, block, line, scope)
        if fact is not None:
            others = tuple(one for one in conditions if one[0] != fact.quantity.name)
            yield replace(fact, conditions=others)
    if block.kind is BlockKind.HEADING:
        for mention in find_mentions(line.text):
            yield _from_mention(mention, line, scope)


def _from_assignment(
    assignment: Assignment, block: Block, line: TextLine, scope: Span
) -> Fact | None:
    quantity = _known_name(assignment.name)
    raw = _stated_value(assignment, line.text[: assignment.span.start])
    if quantity is None or raw is None or quantity.role is not Role.SETTING:
        return None
    if assignment.colon and block.kind not in (BlockKind.ITEM, BlockKind.HEADING):
        return None
    numeral = read_cell(raw)[0]
    if not _can_be(quantity, raw, numeral):
        return None
    start = line.start + assignment.span.start
    return Fact(quantity, raw, numeral, Span(start, line.start + assignment.span.end), scope)


def _stated_value(assignment: Assignment, before: str) -> str | None:
    """The value, turned round by a `without`; None for what is only supposed."""
    if _SUPPOSED.search(before):
        return None
    if not _NEGATED.search(before):
        return assignment.value
    return "false" if assignment.value == "true" else None


def _can_be(quantity: Quantity, raw: str, numeral: Numeral) -> bool:
    if quantity.flag or raw.lower() in _FLAG_WORDS:
        return quantity.flag and raw.lower() in _FLAG_WORDS
    return quantity.text or scale(numeral, quantity) is not None


def _from_mention(mention: Mention, line: TextLine, scope: Span) -> Fact:
    span = Span(line.start + mention.span.start, line.start + mention.span.end)
    return Fact(mention.quantity, mention.raw, read_cell(mention.raw)[0], span, scope)


def _known_name(name: str) -> Quantity | None:
    """The quantity of the longest run of words just before the sign that names one."""
    if name.startswith("$") and len(name) <= _SHORTEST_VARIABLE and not is_option(name):
        # `$sp` in somebody's one-liner may be anything.
        return None
    words = name.split(" ")[-_NAME_WORDS:]
    for start in range(len(words)):
        found = lookup(" ".join(words[start:]))
        if found is not None:
            return found
    return None


def _conditions(sentence: str) -> Iterator[tuple[str, Numeral]]:
    for match in _CONDITION.finditer(sentence):
        quantity = _known_name(match["phrase"].strip())
        if quantity is not None:
            yield quantity.name, read_cell(match["value"].rstrip(".,"))[0]


def _scope(document: Document, block: Block) -> Span | None:
    """The stretch of the report for which something stated in a block holds."""
    sections = document.sections
    if block.section < 0:
        return Span(0, len(document.source.text))
    section = sections[block.section]
    body = Span(section.start, section.end)
    inside = [table for table in document.tables if _within(table.span, body)]
    if not inside:
        return None if block.kind is BlockKind.PARAGRAPH else _lifted_scope(document, section)
    if block.kind is BlockKind.HEADING:
        return body
    above = [table for table in inside if table.span.end <= block.span.start]
    if not above:
        return body
    one_liner = block.kind is BlockKind.FENCE and any(
        _ONE_LINER.match(line.text) for line in block.lines
    )
    last = len(above) == len(inside)
    if one_liner or (last and block.kind is BlockKind.ITEM):
        return above[-1].span
    return None if last else Span(block.span.start, inside[len(above)].span.end)


def _lifted_scope(document: Document, section: Section) -> Span | None:
    """A section about settings, without a table, speaks for what follows it."""
    start = section.start
    speaks = False
    while True:
        body = Span(section.start, section.end)
        if any(_within(table.span, body) for table in document.tables):
            return Span(start, section.end) if speaks else None
        speaks = speaks or _SETTINGS_TITLE.search(section.title) is not None
        if section.parent < 0:
            return Span(start, len(document.source.text)) if speaks else None
        section = document.sections[section.parent]


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def conditions_met(fact: Fact, values: Mapping[str, Numeral]) -> bool:
    """Whether a row has all the values that the fact asks for."""
    return all(
        name in values and values[name].value == wanted.value for name, wanted in fact.conditions
    )
