"""Rewrite tables only as far as the report provably keeps its measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mdbench.markdown.footnotes import next_number
from mdbench.rendering.cleanness import is_clean
from mdbench.rendering.definitions import add_definitions
from mdbench.rendering.draft import Draft, Level, start_draft
from mdbench.rendering.hoisting import hoist_units
from mdbench.rendering.missing import unify_missing
from mdbench.rendering.note_footnotes import move_remarks
from mdbench.rendering.typesetting import replace_table, typeset
from mdbench.sheets.equality import Discrepancy, differences
from mdbench.sheets.report import Report, read_report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Edit, Source
from mdbench.vocabulary.quantities import Vocabulary

_Levels = dict[int, Level]
_MOST_ROUNDS = 4
# After this many tries, a table whose measurements still change is left unchanged.
_PATIENCE = 6


def rewrite_tables(source: Source, vocabulary: Vocabulary, *, minimal: bool = False) -> Source:
    """Lay out the tables of a report again; doing it twice gives the same result."""
    written = source
    for _ in range(_MOST_ROUNDS):
        again = _rewrite(written, vocabulary, minimal)
        if again.text == written.text:
            return written
        written = again
    return source


def _rewrite(source: Source, vocabulary: Vocabulary, minimal: bool) -> Source:
    before = read_report(source, vocabulary)
    levels: _Levels = {
        number: Level.HOISTED
        for number, sheet in enumerate(before.sheets)
        if sheet.table.is_editable
    }
    tries = 0
    while any(levels.values()):
        edits = _edit(before, levels, minimal)
        if not edits:
            break
        after = source.edited(edit for some in edits.values() for edit in some)
        found = differences(before, read_report(after, vocabulary))
        if not found:
            return after
        tries += 1
        for number in _blame(before, edits.keys(), found):
            lower = Level.UNTOUCHED if tries > _PATIENCE else Level(levels[number] - 1)
            levels[number] = lower
    return source


def _blame(before: Report, touched: Iterable[int], found: Iterable[Discrepancy]) -> Iterator[int]:
    """The tables whose measurements change; all changed tables if it is none of them."""
    lines = {one.line for one in found}
    numbers = list(touched)
    guilty = [number for number in numbers if lines & _lines(before, before.sheets[number])]
    return iter(guilty or numbers)


def _lines(report: Report, sheet: Sheet) -> set[int]:
    span = sheet.table.span
    return set(range(report.source.line(span.start), report.source.line(span.end) + 1))


def _edit(before: Report, levels: Mapping[int, Level], minimal: bool) -> dict[int, list[Edit]]:
    """The edits of each table that changes."""
    source = before.source
    number = next_number(source.text, "note")
    edits: dict[int, list[Edit]] = {}
    for at, level in levels.items():
        if level is Level.UNTOUCHED:
            continue
        draft = start_draft(before.sheets[at])
        number = _fill(draft, level, number)
        if minimal and is_clean(source, draft):
            continue
        replaced = replace_table(source, draft, typeset(draft))
        if source.cut(replaced.span) != replaced.text:
            edits[at] = [replaced]
        if draft.footnotes:
            texts = [f"{mark}: {text}" for mark, text in draft.footnotes]
            edits.setdefault(at, []).append(
                add_definitions(before.document, draft.sheet.table, texts)
            )
    return edits


def _fill(draft: Draft, level: Level, number: int) -> int:
    """Apply the steps of a level to a draft; return the number of the next footnote."""
    if level >= Level.MARKED:
        unify_missing(draft)
    if level >= Level.NOTED:
        number = move_remarks(draft, number)
    if level >= Level.HOISTED:
        hoist_units(draft)
    return number
