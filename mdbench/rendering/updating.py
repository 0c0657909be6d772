"""Reports regenerated from the results that they are bound to: only the bound cells change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.likely import find_explained
from mdbench.diagnosis.diagnosis import Diagnosis, diagnose
from mdbench.linting.checker import check_report
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.markdown.parser import parse_document
from mdbench.rendering.added_rows import NO_ROWS, show_results
from mdbench.rendering.best_in_bold import move_bold
from mdbench.rendering.report_edits import edit_cells, edit_report, list_changed_cells
from mdbench.rendering.result_rows import remove_rows
from mdbench.rendering.update_remarks import (
    Wanted,
    is_behind,
    list_derived,
    list_left,
    list_mistyped,
    list_orphans,
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
# The family of rules on the arithmetic in a table.
_IN_A_TABLE = "MB3"


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

    @property
    def told(self) -> tuple[str, ...]:
        """What is different and what could not be done, from the first line to the last."""
        return tuple(sorted((*self.changes, *self.remarks), key=_line_of))


def _line_of(told: str) -> int:
    return int(told.partition(":")[0])


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
    right = _find_right(middle, comparison, followed)
    left = list(list_left(before, comparison, followed, right))
    left += list(list_orphans(before, comparison)) if wanted.prune else []
    mistyped = list(list_mistyped(before.document))
    told = (one.told for one in left)
    remarks = (*mistyped, *list_remarks(before, comparison, wanted, followed), *told)
    behind = behind or bool(mistyped) or any(one.is_stale for one in left)
    after = pruned = middle
    if wanted.prune:
        after = pruned = edit_report(after, remove_rows(after, compare(after, database)))
    added = NO_ROWS
    if wanted.add_rows:
        added = show_results(after, database)
        after = added.report or after
        remarks = (*remarks, *added.remarks)
    if after.source.text == source.text:
        return Updated(source, remarks=remarks, behind=behind)
    problem = _changed_beside(before, middle, comparison, followed)
    problem = problem or _objection(before, after, comparison, database)
    if problem:
        return Updated(source, remarks=remarks, problem=problem, behind=True)
    changes = (
        *_changed_cells(before, middle, comparison),
        *_removed_rows(middle, pruned),
        *added.changes,
    )
    return Updated(after.source, changes, remarks, behind=behind)


def _update_cells(before: Report, comparison: Comparison) -> tuple[Report, dict[CellKey, Derived]]:
    """The report with the numbers of its results, and the cells that follow from them."""
    drifted = [
        (one.cell, one.text)
        for table in comparison.tables
        for one in table.cells
        if one.drifted and one.text is not None
    ]
    sentences = [Edit(one.binding.text, one.text) for one in comparison.numbers if one.drifted]
    after = edit_report(before, [*edit_cells(drifted), *sentences])
    followed: dict[CellKey, Derived] = {}
    if not drifted:
        return after, followed
    changed = {cell.key for cell, _ in drifted}
    after, followed = _follow(diagnose(before), after, comparison, changed)
    later = {key: one.text for key, one in followed.items() if key in changed}
    later |= {one.key: text for one, text in move_bold(before, after)}
    if later:
        # All at once: after each step, a cell that does not fit would move those behind it.
        cells = {one.key: one for sheet in before.sheets for one in sheet.measurements}
        told = [(one, text) for one, text in drifted if one.key not in later]
        told += [(cells[key], text) for key, text in later.items()]
        after = edit_report(before, [*edit_cells(told), *sentences])
    return after, followed


def _follow(
    diagnosis: Diagnosis, after: Report, comparison: Comparison, changed: set[CellKey]
) -> tuple[Report, dict[CellKey, Derived]]:
    """Recompute the cells that follow from those that changed; all that do, changed or not."""
    followed: dict[CellKey, Derived] = {}
    exact, spreads = comparison.exact, comparison.spreads
    for _ in range(_MOST_ROUNDS):
        known = Known(exact, frozenset(changed), spreads)
        found = list(find_derived(diagnosis, after, known))
        followed.update({one.cell.key: one for one in found})
        derived = [one for one in found if one.text != one.cell.cell.raw]
        if not derived:
            break
        after = edit_report(after, edit_cells((one.cell, one.text) for one in derived))
        changed.update(one.cell.key for one in derived)
    return after, followed


def _find_right(
    after: Report, comparison: Comparison, followed: Collection[CellKey]
) -> frozenset[CellKey]:
    """The cells that follow from others as they stand: somebody wrote them before."""
    drifted = {one.cell.key for table in comparison.tables for one in table.cells if one.drifted}
    changed = {key[0] for key in drifted}
    derived = {one.sheet.number for one in comparison.tables if one.sheet and list_derived(one)}
    if not drifted and not derived:
        return frozenset()
    # Of several laws, only one is that of numbers that changed; if none did, each may be it.
    still = [sheet for sheet in after.sheets if sheet.number in derived - changed]
    cells = (one.key for sheet in still for one in sheet.measurements)
    known = Known(comparison.exact, frozenset((*drifted, *followed, *cells)), comparison.spreads)
    found = find_derived(diagnose(after), after, known)
    right = (one.cell.key for one in found if one.text == one.cell.cell.raw)
    return frozenset((*right, *find_explained(still)))


def _objection(before: Report, after: Report, comparison: Comparison, database: Database) -> str:
    """Why an updated report must not be written; nothing if it is as it should be."""
    again = compare(after, database)
    left = [one for table in again.tables for one in table.cells if one.drifted and one.text]
    if left or any(one.drifted for one in again.numbers):
        return "a second update would change it again"
    if [table.problem for table in again.tables] != [one.problem for one in comparison.tables]:
        return "its tables would no longer be bound as they are"
    old, new = (_mistakes(report) for report in (before, after))
    worse = Counter(one.code for one in new) - Counter(one.code for one in old)
    said = {one.message for one in old}
    for one in new:
        if one.code in worse and one.message not in said:
            line = after.source.line(one.span.start)
            return f"it would contradict itself: line {line}: {one.message} ({one.code})"
    return ""


def _mistakes(report: Report) -> list[Finding]:
    """The errors, and where a table may contradict itself: a sentence may well be out of date."""
    return [one for one in check_report(report, WITHOUT_RESULTS) if _is_mistake(one)]


def _is_mistake(one: Finding) -> bool:
    in_table = one.severity is Severity.WARNING and one.code.startswith(_IN_A_TABLE)
    return one.severity is Severity.ERROR or in_table


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
    yield from list_changed_cells(before, after)
    for number in comparison.numbers:
        if number.drifted:
            line = before.source.line(number.binding.span.start)
            said = before.source.cut(number.binding.text)
            yield f"{line}: {said.strip()} -> {number.text.strip()}"


def _removed_rows(before: Report, after: Report) -> Iterator[str]:
    """The lines that were removed."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed where something changes only

    old, new = (report.source.text.splitlines() for report in (before, after))
    for tag, first, end, _, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (f"{line + 1}: removed {old[line].strip()}" for line in range(first, end))
