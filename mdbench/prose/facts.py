"""Settings stated outside a table, each with its place and its scope.

The smallest scope around a table wins: a line above the table beats the section's heading, and the
heading beats the overview. Two facts of one scope that disagree cancel each other, because it is
unknown which one is right.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, Table, TextLine
from mdbench.numerals.cell import Numeral, read_cell
from mdbench.prose.assignments import (
    Assignment,
    find_assignments,
    find_connections,
    find_listed,
    find_statement,
    find_words,
    may_state,
)
from mdbench.prose.labelled import find_labelled, may_label
from mdbench.prose.mentions import Mention, find_conditions, find_mentions
from mdbench.prose.scopes import Scopes
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.qualifiers import names_precision
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

_SUPPOSED = lazy(
    r"\b(?:assum\w+|suppos\w+|if|e\.g\.|for example|would|could|instead of|changed? from|up to|"
    r"default(?:s|ed)?(?: to)?)\s+\S{0,12}[`\s]*$",
    re.IGNORECASE,
)
_NEGATED = lazy(
    r"\b(?:remov\w+|without|no|not|disabl\w+|dropp?\w*|w[/\\]o|turn\w* off)\W++(?:the\s[`*\s]*+)?$",
    re.IGNORECASE,
)
# Text about attempts and failures is about other runs than those in the table.
_TOLD = lazy(
    r"\b(?:tr(?:y|ied|ying|ies)|attempt\w*|OOM\w*|out[ -]of[ -]memory|fail\w*|crash\w*|hang\w*|"
    r"hung|diverg\w+|could(?: no|n['’])t|can(?: ?no|['’])t|unable|(?:do|did|does|would)n['’]t|"
    r"unlike|(?<!as )(?:you|one|users?) (?:can|could|may|might)|next(?: step|:| up)|to-?do|future|"
    r"previous(?:ly)?|earlier|originally|used to|was with)\b",
    re.IGNORECASE,
)
_CONDITION = lazy(
    r"\b(?:when|for|with|at|if)\b(?P<phrase>[^.;,`=]{3,60}?)(?:of|is|:)?\s*`?"
    r"(?P<value>\d[\d.,]*[KkMm]?)`?",
)
_SET_IN_NOTE = lazy(r"=|--|check-?point|ckpt|comput|Hz", re.IGNORECASE)
# What a tool counted, with shares among it: `cpu : usr=2.80%, sys=41.36%, ctx=49322`.
_COUNTERS = lazy(r"\s*\w[\w ]{0,40}: (?=[^%]{0,80}=[\d.]{1,12}%)[\w.]{1,40}=")
_SENTENCE_END = lazy(r"[.;。；](?<!e\.g\.)(?<!i\.e\.)\s+")
_FEWEST_LISTED = 2
_REACH_BACK = 80
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_NAME_WORDS = 4
_SHORTEST_VARIABLE = 3
_FLAG_WORDS = frozenset(("true", "false", "yes", "no", "on", "off"))


class Fact(NamedTuple):
    """A setting from the text at `span` that applies to the tables within `scope`."""

    quantity: Quantity
    raw: str
    numeral: Numeral
    span: Span
    scope: Span
    conditions: tuple[tuple[str, Numeral], ...] = ()
    """Values that other quantities must have in a row for the fact to apply to it."""
    named: bool = False
    """It is a name in a heading or a list, so a name in the table itself takes precedence."""


def collect_facts(document: Document, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """Collect all facts of a report, in the order of the text."""
    scopes = Scopes(document)
    found: list[Fact] = []
    for block in document.blocks:
        if block.kind is BlockKind.HTML:
            continue
        scope = scopes.find(block)
        if scope is None:
            # Most of a long document is about no table.
            continue
        heads, told = block.kind is BlockKind.HEADING, block.kind in _PROSE
        for line in block.lines:
            if heads or may_state(line.text) or (told and may_label(line.text)):
                for sentence in _sentences(block, line):
                    found += _facts_of_sentence(block.kind, sentence, scope, vocabulary)
    return tuple(found)


def facts_by_table(tables: Sequence[Table], facts: Iterable[Fact]) -> Iterator[tuple[Fact, ...]]:
    """Yield the facts for each table: the nearest ones of each quantity, if they agree."""
    groups: dict[tuple[Span, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.scope, fact.quantity.name), []).append(fact)
    waiting = sorted(groups, key=lambda key: key[0], reverse=True)
    active: list[tuple[Span, str]] = []
    for table in tables:
        while waiting and waiting[-1][0].start <= table.span.start:
            active.append(waiting.pop())
        active = [key for key in active if key[0].end >= table.span.end]
        yield _choose_nearest(groups, active)


def _choose_nearest(
    groups: Mapping[tuple[Span, str], Sequence[Fact]], active: Sequence[tuple[Span, str]]
) -> tuple[Fact, ...]:
    chosen: list[Fact] = []
    decided: set[str] = set()
    for scope, name in sorted(active, key=lambda key: key[0].end - key[0].start):
        group = groups[scope, name]
        chosen += (fact for fact in group if fact.conditions)
        rivals = [fact for fact in group if not fact.conditions]
        if rivals and name not in decided:
            decided.add(name)
            if len({_meaning(fact.numeral) for fact in rivals}) == 1:
                chosen.append(rivals[0])
    return tuple(sorted(chosen, key=lambda fact: fact.span))


def conditions_met(fact: Fact, values: Mapping[str, Numeral]) -> bool:
    """Whether a row has all the values that the fact requires."""
    return all(
        name in values and values[name].value == wanted.value for name, wanted in fact.conditions
    )


def _meaning(numeral: Numeral) -> tuple[object, str]:
    return (numeral.text.casefold() if numeral.value is None else numeral.value), numeral.unit


def _sentences(block: Block, line: TextLine) -> Iterator[TextLine]:
    """The sentences that may state something, so that conditions belong to the facts near them."""
    if block.kind is BlockKind.FENCE:
        yield line
        return
    ends = [match.end() for match in _SENTENCE_END.finditer(line.text)]
    if not ends:
        yield line
        return
    start = 0
    for end in (*ends, len(line.text)):
        text = line.text[start:end]
        if block.kind is BlockKind.HEADING or may_state(text) or may_label(text):
            yield TextLine(text, line.start + start)
        start = end


def _facts_of_sentence(
    kind: BlockKind, line: TextLine, scope: Span, vocabulary: Vocabulary
) -> Iterator[Fact]:
    stated = list(_stated_in(kind, line, vocabulary))
    if not stated or (kind in _PROSE and _TOLD.search(line.text)):
        return
    conditions = tuple(_conditions(line.text, vocabulary)) if kind in _PROSE else ()
    for fact in stated:
        others = tuple(one for one in conditions if one[0] != fact.quantity.name)
        yield fact._replace(scope=scope, conditions=others)


def _stated_in(kind: BlockKind, line: TextLine, vocabulary: Vocabulary) -> Iterator[Fact]:
    if kind is BlockKind.FENCE and "%" in line.text and _COUNTERS.match(line.text):
        return
    whole = find_statement(line.text) if kind in _PROSE else None
    if kind is BlockKind.FENCE:
        whole = find_connections(line.text)
    for one in (whole, *find_assignments(line.text), *find_words(line.text)):
        fact = None if one is None else _from_assignment(one, kind, line, vocabulary)
        if fact is not None:
            yield fact
    if kind is BlockKind.HEADING:
        yield from (_from_mention(one, line) for one in find_mentions(line.text, vocabulary))
    listed = _listed(line, vocabulary) if kind in _PROSE else []
    if len(listed) >= _FEWEST_LISTED:
        yield from listed
    labelled = find_labelled(line.text, vocabulary) if kind in _PROSE else None
    if labelled is not None:
        yield _from_mention(labelled, line)


def _listed(line: TextLine, vocabulary: Vocabulary) -> list[Fact]:
    """The settings of a list: one alone may be anything, such as a number that was reached."""
    found = []
    for one in find_listed(line.text):
        known = vocabulary.lookup(one.name)
        fact = _from_assignment(one, BlockKind.ITEM, line, vocabulary) if known else None
        if fact is not None:
            found.append(fact)
    return found


def _from_assignment(
    assignment: Assignment, kind: BlockKind, line: TextLine, vocabulary: Vocabulary
) -> Fact | None:
    quantity = _known_name(assignment.name, vocabulary)
    if quantity is None or quantity.role is not Role.SETTING:
        return None
    if assignment.worded and (quantity.flag or not quantity.text):
        return None
    if assignment.colon and kind not in (BlockKind.ITEM, BlockKind.HEADING):
        return None
    start, end = assignment.span
    raw = _stated_value(assignment, line.text[max(0, start - _REACH_BACK) : start])
    numeral = read_cell(raw)[0] if raw is not None else None
    if raw is None or numeral is None or not _can_be(quantity, raw, numeral):
        return None
    span = Span(line.start + start, line.start + end)
    return Fact(quantity, raw, numeral, span, span)


def facts_of_note(text: str, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """The settings in the note of a cell: `bs=4`, `2.2GHz`, `with activation checkpointing`.

    What a note states twice in different ways is left out.
    """
    if _SET_IN_NOTE.search(text) is None or _TOLD.search(text):
        return ()
    line = TextLine(text, 0)
    stated = (*find_assignments(text), *find_words(text))
    found = [_from_assignment(one, BlockKind.PARAGRAPH, line, vocabulary) for one in stated]
    found += (_from_mention(one, line) for one in find_conditions(text, vocabulary))
    facts: dict[str, list[Fact]] = {}
    for fact in filter(None, found):
        facts.setdefault(fact.quantity.name, []).append(fact)
    return tuple(
        several[0]
        for several in facts.values()
        if len({_meaning(one.numeral) for one in several}) == 1
    )


def _stated_value(assignment: Assignment, before: str) -> str | None:
    """The value, negated by a `without`; None if it is only hypothetical."""
    if _SUPPOSED.search(before):
        return None
    if not _NEGATED.search(before):
        return assignment.value
    return "false" if assignment.value == "true" else None


def _can_be(quantity: Quantity, raw: str, numeral: Numeral) -> bool:
    if quantity.name == "precision":
        return names_precision(raw)
    if raw.lower() in _FLAG_WORDS:
        return quantity.flag
    if quantity.flag and not quantity.text:
        return False
    return quantity.text or scale(numeral, quantity) is not None


def _from_mention(mention: Mention, line: TextLine) -> Fact:
    span = Span(line.start + mention.span.start, line.start + mention.span.end)
    return Fact(mention.quantity, mention.raw, read_cell(mention.raw)[0], span, span, named=True)


def _known_name(name: str, vocabulary: Vocabulary) -> Quantity | None:
    """The quantity named by the longest run of words before the sign."""
    if name.startswith("$") and len(name) <= _SHORTEST_VARIABLE and not vocabulary.is_option(name):
        # `$sp` in a one-liner may be anything.
        return None
    words = name.split(" ")[-_NAME_WORDS:]
    for start in range(len(words)):
        found = vocabulary.lookup(" ".join(words[start:]))
        if found is not None:
            return found
    return None


def _conditions(sentence: str, vocabulary: Vocabulary) -> Iterator[tuple[str, Numeral]]:
    for match in _CONDITION.finditer(sentence):
        quantity = _known_name(match["phrase"].strip(), vocabulary)
        if quantity is not None:
            yield quantity.name, read_cell(match["value"].rstrip(".,"))[0]
