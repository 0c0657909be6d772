"""The sentences of a report that its tables contradict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.claims.counts import COUNTING, check_count
from mdbench.diagnosis.claims.extremes import check_extreme
from mdbench.diagnosis.claims.misprints import FOUR_DIGITS, check_misprint
from mdbench.diagnosis.claims.rows import COMPARED, check_comparison, check_quote, check_winner
from mdbench.diagnosis.claims.summaries import (
    RANGING,
    TOTALS,
    check_all,
    check_mean,
    check_range,
    check_total,
)
from mdbench.diagnosis.claims.tables import Table, read_tables
from mdbench.diagnosis.claims.tallies import TALLYING, check_tally
from mdbench.diagnosis.claims.verdicts import Holds, Verdict, Wrong
from mdbench.diagnosis.claims.words import ALL, ELSEWHERE, MEANS, SUPERLATIVES, WINS, is_neutral
from mdbench.prose.sentences import Sentence, find_sentences
from mdbench.sheets.report import Report


class _Check(NamedTuple):
    judge: Callable[[Sentence, Table], Verdict]
    words: frozenset[str]
    """Every sentence that it is for has one of these."""
    named: bool = False
    """Whether it is for sentences that name a row."""
    bare: bool = False
    """Whether it is for sentences without a result, too: `HAProxy wins`, `all tests pass`."""

    def is_for(self, sentence: Sentence, *, named: bool) -> bool:
        """Whether a sentence may claim what this checks."""
        if self.named and not named:
            return False
        if self.words and self.words.isdisjoint(sentence.words):
            return False
        return self.bare or bool(sentence.figures)


_CHECKS = (
    _Check(check_extreme, SUPERLATIVES | WINS | {"up"}),
    _Check(check_mean, MEANS | {"overall"}),
    _Check(check_total, TOTALS),
    _Check(check_all, ALL),
    _Check(check_range, RANGING | ALL),
    _Check(check_count, COUNTING, bare=True),
    _Check(check_tally, TALLYING, bare=True),
    _Check(check_quote, frozenset(), named=True),
    _Check(check_comparison, frozenset(), named=True),
    _Check(check_winner, SUPERLATIVES | WINS, named=True, bare=True),
)
_MISPRINTS = _Check(check_misprint, frozenset())
_CLAUSE_CHECKS = tuple(one for one in _CHECKS if one.judge is check_comparison)
_MOST_TABLES = 12
_WORDS = frozenset().union(*(check.words for check in _CHECKS if not check.named))


def find_wrong_claims(report: Report, grids: Grids) -> Iterator[Wrong]:
    """The sentences that are wrong in every way in which they can be understood."""
    tables = read_tables(report, grids)
    if not tables:
        return
    names: dict[str, set[frozenset[str]]] = {}
    for table in tables:
        for word, labels in table.first_words.items():
            names.setdefault(word, set()).update(labels)
    counts = frozenset(word for table in tables for word in table.settings)
    telling = _WORDS | names.keys() | counts
    tables_near = _find_near(report, tables)
    for sentence in find_sentences(report.document, tables_near, telling, report.vocabulary):
        begun = names.keys() & sentence.words
        named = any(label <= sentence.words for word in begun for label in names[word])
        named = named or bool(sentence.keys)
        checks = [one for one in _CHECKS if one.is_for(sentence, named=named)]
        near = tables_near[sentence.section]
        found = _first_wrong(checks, sentence, near, tables) if checks else None
        if found is None and named and COMPARED.search(sentence.text) is not None:
            found = _wrong_clause(sentence, near, tables)
        told = named or not counts.isdisjoint(sentence.words)
        if found is None and told and FOUR_DIGITS.search(sentence.text) is not None:
            found = _judge(_MISPRINTS, sentence, near, tables)
        if found is not None:
            yield found


def _first_wrong(
    checks: Sequence[_Check], sentence: Sentence, near: Sequence[Table], tables: Sequence[Table]
) -> Wrong | None:
    if ELSEWHERE.search(sentence.text) is not None:
        return None
    found = (_judge(check, sentence, near, tables) for check in checks)
    return next((one for one in found if one is not None), None)


def _wrong_clause(
    sentence: Sentence, near: Sequence[Table], tables: Sequence[Table]
) -> Wrong | None:
    """What is wrong in a part of a sentence, if nothing before it says of which runs it is."""
    for clause, before in sentence.clauses():
        checks = [one for one in _CLAUSE_CHECKS if one.is_for(clause, named=True)]
        found = _first_wrong(checks, clause, near, tables) if checks else None
        if found is not None and not any(one.restricting(before, one.columns) for one in near):
            return None if before.keys or ELSEWHERE.search(before.text) else found
    return None


def _judge(
    check: _Check, sentence: Sentence, near: Sequence[Table], tables: Sequence[Table]
) -> Wrong | None:
    verdicts = [check.judge(sentence, table) for table in near]
    if (
        len(near) < len(tables)
        and not any(verdicts)
        and (told := _told_by_headings(sentence, tables))
    ):
        near, verdicts = told, [check.judge(sentence, table) for table in told]
    wrong = [one for one in verdicts if isinstance(one, Wrong)]
    if len(wrong) != 1 or any(isinstance(one, Holds) for one in verdicts):
        return None
    # What another table of the report confirms may be about that one.
    others = (table for table in tables if table not in near)
    if any(isinstance(check.judge(sentence, table), Holds) for table in others):
        return None
    return wrong[0]


def _told_by_headings(sentence: Sentence, tables: Sequence[Table]) -> Sequence[Table]:
    """The tables below the only heading of which a sentence has a word that is in no other one."""
    headings = {table.section: table.heading for table in tables}
    told = {
        section
        for section, words in headings.items()
        if any(
            sum(word in other for other in headings.values()) == 1
            for word in words & sentence.words
            if not is_neutral(word)
        )
    }
    return [one for one in tables if one.section in told] if len(told) == 1 else ()


def _find_near(report: Report, tables: Sequence[Table]) -> Mapping[int, Sequence[Table]]:
    """The tables that a sentence of each section may be about: those of the nearest one with any.

    There is nothing for a section with so many that nobody knows which one is meant.
    """
    near: dict[int, Sequence[Table]] = {-1: tables}
    for at, section in enumerate(report.document.sections):
        within = [one for one in tables if section.start <= one.start < section.end]
        near[at] = within or near[section.parent]
    return {at: several for at, several in near.items() if len(several) <= _MOST_TABLES}
