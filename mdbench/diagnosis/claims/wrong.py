"""The sentences of a report that its tables contradict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.claims.counts import COUNTING, check_count
from mdbench.diagnosis.claims.extremes import check_extreme
from mdbench.diagnosis.claims.rows import COMPARING, check_comparison, check_quote, check_winner
from mdbench.diagnosis.claims.summaries import (
    RANGING,
    TOTALS,
    check_all,
    check_mean,
    check_range,
    check_total,
)
from mdbench.diagnosis.claims.tables import Table, read_tables
from mdbench.diagnosis.claims.verdicts import Holds, Verdict, Wrong
from mdbench.diagnosis.claims.words import ALL, ELSEWHERE, MEANS, SUPERLATIVES, WINS
from mdbench.prose.sentences import Sentence, find_sentences
from mdbench.sheets.report import Report


class _Check(NamedTuple):
    judge: Callable[[Sentence, Table], Verdict]
    words: frozenset[str]
    """Every sentence that it is for has one of these."""
    named: bool = False
    """Whether it is for sentences that name a row."""

    def is_for(self, sentence: Sentence, *, named: bool) -> bool:
        """Whether a sentence may claim what this checks."""
        if self.named and not named:
            return False
        return not self.words or not self.words.isdisjoint(sentence.words)


_CHECKS = (
    _Check(check_extreme, SUPERLATIVES | WINS | {"up"}),
    _Check(check_mean, MEANS | {"overall"}),
    _Check(check_total, TOTALS),
    _Check(check_all, ALL),
    _Check(check_range, RANGING | ALL),
    _Check(check_count, COUNTING),
    _Check(check_quote, frozenset(), named=True),
    _Check(check_comparison, COMPARING, named=True),
    _Check(check_winner, SUPERLATIVES | WINS, named=True),
)
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
    for sentence in find_sentences(report.document, telling, report.vocabulary):
        begun = names.keys() & sentence.words
        named = any(label <= sentence.words for word in begun for label in names[word])
        named = named or bool(sentence.keys)
        checks = [one for one in _CHECKS if one.is_for(sentence, named=named)]
        if not checks or ELSEWHERE.search(sentence.text) is not None:
            continue
        near = _near(report, tables, sentence)
        if len(near) > _MOST_TABLES:
            # Nobody knows which one is meant.
            continue
        for check in checks:
            found = _judge(check, sentence, near, tables)
            if found is not None:
                yield found
                break


def _judge(
    check: _Check, sentence: Sentence, near: Sequence[Table], tables: Sequence[Table]
) -> Wrong | None:
    verdicts = [check.judge(sentence, table) for table in near]
    wrong = [one for one in verdicts if isinstance(one, Wrong)]
    if len(wrong) != 1 or any(isinstance(one, Holds) for one in verdicts):
        return None
    # What another table of the report confirms may be about that one.
    others = (table for table in tables if table not in near)
    if any(isinstance(check.judge(sentence, table), Holds) for table in others):
        return None
    return wrong[0]


def _near(report: Report, tables: Sequence[Table], sentence: Sentence) -> Sequence[Table]:
    """The tables of the nearest section around a sentence that has any."""
    sections, at = report.document.sections, sentence.section
    while at >= 0:
        start, end = sections[at].start, sections[at].end
        if found := [one for one in tables if start <= one.start < end]:
            return found
        at = sections[at].parent
    return tables
