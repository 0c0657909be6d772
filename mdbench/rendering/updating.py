"""Reports regenerated from the results that they are bound to: only the bound cells change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.diagnosis import Diagnosis, diagnose
from mdbench.linting.checker import check_report
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.markdown.fitting import fit_edits
from mdbench.markdown.inline import plain_text
from mdbench.markdown.parser import parse_document
from mdbench.rendering.best_in_bold import move_bold
from mdbench.rendering.result_rows import add_rows, remove_rows, stand_in
from mdbench.rendering.update_remarks import (
    Wanted,
    is_behind,
    list_left,
    list_mistyped,
    list_remarks,
)
from mdbench.results.comparison import Comparison, compare
from mdbench.results.database import Database
from mdbench.results.derived import Derived, Known, find_derived
from mdbench.rules.findings import Finding, Severity
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.report import Report, read_report
from mdbench.source import Edit, Source
from mdbench.vocabulary.quantities import Vocabulary

# A derived cell may follow from another derived one.
_MOST_ROUNDS = 5
_NO_BOLD = str.maketrans("", "", "*_ ")


class Updated(NamedTuple):
    """A report in step with its results."""

    source: Source
    changes: tuple[str, ...] = ()
    """What is different, in words, with the line that it stands on."""
    remarks: tuple[str, ...] = ()
    """What the results lack or what could not be asked, with its line."""
    problem: str = ""
    """Why the report was left alone, although it is not in step."""
    behind: bool = False
    """Whether something that is bound could not be compared, or could not be written."""


KEEP_ROWS = Wanted()


def leave(source: Source) -> Updated:
    """A report that binds nothing; with a remark on each comment that was meant to."""
    text = source.text.lower()
    if "<!--" not in text or "mdbench" not in text:
        return Updated(source)
    remarks = tuple(list_mistyped(parse_document(source)))
    return Updated(source, remarks=remarks, behind=bool(remarks))


def update(
    source: Source, vocabulary: Vocabulary, database: Database, wanted: Wanted = KEEP_ROWS
) -> Updated:
    """Bring the bound tables and numbers of a report in step with its results, and prove it."""
    before = read_report(source, vocabulary)
    comparison = compare(before, database)
    behind = is_behind(comparison)
    middle, followed = _update_cells(before, comparison)
    left = list(list_left(before, comparison, followed))
    mistyped = list(list_mistyped(before.document))
    told = (one.told for one in left)
    remarks = (*mistyped, *list_remarks(before, comparison, wanted), *told)
    behind = behind or bool(mistyped) or any(one.is_stale for one in left)
    after = middle
    if wanted.prune:
        after = _edit(after, remove_rows(after, compare(after, database)))
    if wanted.add_rows:
        after = _add_rows(after, database)
    if after.source.text == source.text:
        return Updated(source, remarks=remarks, behind=behind)
    problem = _changed_beside(before, middle, comparison, followed)
    problem = problem or _objection(before, after, comparison, database)
    if problem:
        return Updated(source, remarks=remarks, problem=problem, behind=True)
    changes = (*_changed_cells(before, middle, comparison), *_changed_rows(middle, after))
    return Updated(after.source, changes, remarks, behind=behind)


def _update_cells(before: Report, comparison: Comparison) -> tuple[Report, dict[CellKey, Derived]]:
    """The report with the numbers of its results, and the cells that follow from them."""
    drifted = [
        (one.cell, one.text)
        for table in comparison.tables
        for one in table.cells
        if one.drifted and one.text is not None
    ]
    edits = [Edit(cell.cell.span, text) for cell, text in drifted]
    edits += [Edit(one.binding.text, one.text) for one in comparison.numbers if one.drifted]
    after = _edit(before, edits)
    followed: dict[CellKey, Derived] = {}
    if drifted:
        changed = {cell.key for cell, _ in drifted}
        after, followed = _follow(diagnose(before), after, comparison, changed)
        after = _edit(after, [*move_bold(before, after)])
    return after, followed


def _add_rows(before: Report, database: Database) -> Report:
    """Show the results that no row has, with what follows from their numbers."""
    edits, rows = add_rows(before, compare(before, database))
    if not edits:
        return before
    bare = _edit(before, edits)
    compared = compare(bare, database)
    exact = _exact(compared)
    sheets = {sheet.number: sheet for sheet in bare.sheets if sheet.number in rows}
    guesses = [edit for one in sheets.values() for edit in stand_in(one, rows[one.number])]
    new = {
        one.key
        for sheet in sheets.values()
        for run in sheet.runs
        if run.number in rows[sheet.number]
        for one in run.own
    }
    guessed = _edit(bare, guesses)
    known = Known(exact, frozenset(new), _spreads(compared))
    told = {one.cell.cell.span: one.text for one in find_derived(diagnose(bare), guessed, known)}
    cells = (
        guessed.sheets[sheet.number].table.rows[row].cells[at]
        for sheet in sheets.values()
        for row in sorted(rows[sheet.number])
        for at, cell in enumerate(sheet.table.rows[row].cells)
        if not cell.raw
    )
    after = _edit(guessed, [Edit(cell.span, told.get(cell.span, "")) for cell in cells])
    return _edit(after, [*move_bold(before, after)])


def _follow(
    diagnosis: Diagnosis, after: Report, comparison: Comparison, changed: set[CellKey]
) -> tuple[Report, dict[CellKey, Derived]]:
    """Recompute the cells that follow from those that changed; all that do, changed or not."""
    followed: dict[CellKey, Derived] = {}
    exact, spreads = _exact(comparison), _spreads(comparison)
    for _ in range(_MOST_ROUNDS):
        known = Known(exact, frozenset(changed), spreads)
        found = list(find_derived(diagnosis, after, known))
        followed.update({one.cell.key: one for one in found})
        derived = [one for one in found if one.text != one.cell.cell.raw]
        if not derived:
            break
        after = _edit(after, [Edit(one.cell.cell.span, one.text) for one in derived])
        changed.update(one.cell.key for one in derived)
    return after, followed


def _exact(comparison: Comparison) -> dict[CellKey, float]:
    return {one.cell.key: one.base for table in comparison.tables for one in table.cells}


def _spreads(comparison: Comparison) -> dict[CellKey, float]:
    return {
        one.cell.key: one.spread
        for table in comparison.tables
        for one in table.cells
        if one.spread is not None
    }


def _edit(report: Report, edits: Sequence[Edit]) -> Report:
    if not edits:
        return report
    fitted = fit_edits(report.source, report.document.tables, edits)
    return read_report(report.source.edited(fitted), report.vocabulary)


def _objection(before: Report, after: Report, comparison: Comparison, database: Database) -> str:
    """Why an updated report must not be written; nothing if it is as it should be."""
    again = compare(after, database)
    left = [one for table in again.tables for one in table.cells if one.drifted and one.text]
    if left or any(one.drifted for one in again.numbers):
        return "a second update would change it again"
    if [table.problem for table in again.tables] != [one.problem for one in comparison.tables]:
        return "its tables would no longer be bound as they are"
    old, new = (_errors(report) for report in (before, after))
    worse = Counter(one.code for one in new) - Counter(one.code for one in old)
    said = {one.message for one in old}
    for one in new:
        if one.code in worse and one.message not in said:
            line = after.source.line(one.span.start)
            return f"it would contradict itself: line {line}: {one.message} ({one.code})"
    return ""


def _errors(report: Report) -> list[Finding]:
    found = check_report(report, WITHOUT_RESULTS)
    return [one for one in found if one.severity is Severity.ERROR]


def _changed_beside(
    before: Report, after: Report, comparison: Comparison, followed: Collection[CellKey]
) -> str:
    """What reads differently although nothing is bound to it; nothing if all is as it was."""
    bound = {one.cell.key for table in comparison.tables for one in table.cells}
    old, new = (
        {
            (one.key, one.part): one
            for sheet in report.sheets
            for run in sheet.runs
            for one in run.own
            if one.key not in bound and one.key not in followed
        }
        for report in (before, after)
    )
    for place, one in old.items():
        if place not in new or _says(one) != _says(new[place]):
            line = before.source.line(one.cell.span.start)
            return f"line {line}, {one.header.text}: {one.cell.raw} would be read otherwise"
    return ""


def _says(one: Measurement) -> tuple[object, ...]:
    numeral = one.numeral
    return one.quantity, numeral.value, numeral.unit, numeral.status, numeral.note, numeral.markers


def _changed_cells(before: Report, after: Report, comparison: Comparison) -> Iterator[str]:
    """The cells and numbers that differ, as they were and as they are."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for was, now in zip(old.table.rows, new.table.rows, strict=True):
            cells = zip(old.table.titles, was.cells, now.cells, strict=False)
            for title, one, other in cells:
                if one.raw != other.raw:
                    line = before.source.line(one.span.start)
                    yield f"{line}: {plain_text(title)} {one.raw or 'nothing'} -> {other.raw}"
    for number in comparison.numbers:
        if number.drifted:
            line = before.source.line(number.binding.span.start)
            said = before.source.cut(number.binding.text)
            yield f"{line}: {said.strip()} -> {number.text.strip()}"


def _changed_rows(before: Report, after: Report) -> Iterator[str]:
    """The lines that were removed or added."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed where something changes only

    old, new = (report.source.text.splitlines() for report in (before, after))
    # A row that is in bold now, or no longer, is the row that it was.
    olds, news = ([line.translate(_NO_BOLD) for line in lines] for lines in (old, new))
    for tag, a, b, c, d in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (f"{line + 1}: removed {old[line].strip()}" for line in range(a, b))
            yield from (f"{line + 1}: added {new[line].strip()}" for line in range(c, d))
        for was, now in zip(range(a, b), range(c, d), strict=True) if tag == "equal" else ():
            if old[was] != new[now]:
                yield f"{now + 1}: {old[was].strip()} -> {new[now].strip()}"
