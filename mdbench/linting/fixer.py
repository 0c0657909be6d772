"""Fix a report: choose fixes, apply them and check again until nothing changes.

Safe fixes are applied first, and each round of them is verified: the measurements of the report
must be the same before and after. Fixes for the same cell wait for the next round. Fixes that
change a number also wait if they are on the same line, since one may follow from the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.linting.checker import DEFAULT, check_context, report_crash
from mdbench.linting.coverage import measure_reach
from mdbench.linting.plan import Options
from mdbench.linting.results import UNREACHED, Reach
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Finding, Fix, Safety
from mdbench.sheets.equality import Discrepancy, differences
from mdbench.sheets.report import Report, read_report
from mdbench.source import Edit, Source
from mdbench.vocabulary.quantities import extended_vocabulary

MOST_ROUNDS = 10
_WHOLE_LINE = -1
# The maximum number of values to list; the first ones show what is wrong.
_MOST_TOLD = 3

Choice = tuple[Finding, Fix]


class Refusal(NamedTuple):
    """A fix that was marked safe but is not, with the values that it would have changed."""

    finding: Finding
    differences: tuple[Discrepancy, ...]

    def __str__(self) -> str:
        told = "; ".join(map(str, self.differences[:_MOST_TOLD]))
        more = len(self.differences) - _MOST_TOLD
        return f"{told}; and {more} more" if more > 0 else told


class Fixed(NamedTuple):
    """The result of fixing a report. If a fix was refused, nothing is changed."""

    source: Source
    findings: tuple[Finding, ...]
    """The remaining findings."""
    applied: tuple[Finding, ...] = ()
    held_back: tuple[Finding, ...] = ()
    """Findings that less safe fixes could fix."""
    refused: tuple[Refusal, ...] = ()
    converged: bool = True
    """Whether another round would change nothing."""
    reach: Reach = UNREACHED
    """What of the result could be checked."""


def fix(source: Source, options: Options = DEFAULT, *, allowed: Safety = Safety.SAFE) -> Fixed:
    """Apply all fixes that are at least as safe as `allowed`."""
    try:
        return _fix(source, options, allowed)
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        return Fixed(source, report_crash("fixing the report", error, options))


def _fix(source: Source, options: Options, allowed: Safety) -> Fixed:
    book = read_report(source, extended_vocabulary(options.extensions))
    original = context = Context(book, options.results)
    first = found = check_context(context, options)
    applied: list[Finding] = []
    for _ in range(MOST_ROUNDS):
        chosen = choose_fixes(book.source, found, allowed)
        if not chosen:
            break
        after = _edited(book, _edits(chosen))
        if chosen[0][1].safety is Safety.SAFE and differences(book, after):
            refused = tuple(_find_culprits(book, after, chosen))
            reach = measure_reach(original)
            return Fixed(source, _blame(first, refused), refused=refused, reach=reach)
        applied += (finding for finding, _ in chosen)
        book, context = after, Context(after, options.results)
        found = check_context(context, options)
    left = tuple(one for one in found if one.remedy is not None)
    held_back = tuple(one for one in left if not _is_allowed(one.remedy, allowed))
    converged = len(held_back) == len(left)
    reach = measure_reach(context)
    return Fixed(book.source, found, tuple(applied), held_back, converged=converged, reach=reach)


def choose_fixes(source: Source, findings: Iterable[Finding], allowed: Safety) -> list[Choice]:
    """Choose the fixes of one round: safe ones first, and no two that overlap."""
    remedies = [
        (one, remedy)
        for one in findings
        if (remedy := one.remedy) is not None and _is_allowed(remedy, allowed)
    ]
    safe = [choice for choice in remedies if choice[1].safety is Safety.SAFE]
    chosen: list[Choice] = []
    taken: dict[int, set[int]] = {}
    for finding, remedy in safe or remedies:
        places = [place for edit in remedy.edits for place in _touched(source, edit, not safe)]
        if any(_is_taken(taken.get(line), slot) for line, slot in places):
            continue
        for line, slot in places:
            taken.setdefault(line, set()).add(slot)
        chosen.append((finding, remedy))
    return chosen


def _is_allowed(remedy: Fix | None, allowed: Safety) -> bool:
    return remedy is not None and remedy.safety.rank >= allowed.rank


def _touched(source: Source, edit: Edit, whole: bool) -> Iterator[tuple[int, int]]:
    """The lines that an edit touches, and the pipes that it lies between."""
    start, end = edit.span
    first, last = source.line(start), source.line(max(start, end - 1))
    if whole or first != last or "\n" in source.cut(edit.span):
        yield from ((line, _WHOLE_LINE) for line in range(first, last + 1))
        return
    begin = source.line_starts[first - 1]
    slots = source.text.count("|", begin, start), source.text.count("|", begin, end)
    yield from ((first, slot) for slot in range(slots[0], slots[1] + 1))


def _is_taken(held: set[int] | None, slot: int) -> bool:
    return held is not None and (slot in held or slot == _WHOLE_LINE or _WHOLE_LINE in held)


def _edits(chosen: Iterable[Choice]) -> list[Edit]:
    return [edit for _, remedy in chosen for edit in remedy.edits]


def _find_culprits(book: Report, after: Report, chosen: Sequence[Choice]) -> Iterator[Refusal]:
    """The fixes that change a value on their own, or all if only their combination does."""
    alone = [
        Refusal(finding, changed)
        for finding, remedy in chosen
        if (changed := differences(book, _edited(book, remedy.edits)))
    ]
    together = differences(book, after)
    yield from alone or (Refusal(finding, together) for finding, _ in chosen)


def _edited(book: Report, edits: Iterable[Edit]) -> Report:
    return read_report(book.source.edited(edits), book.vocabulary)


def _blame(findings: Sequence[Finding], refused: Sequence[Refusal]) -> tuple[Finding, ...]:
    """Add the values that a refused fix would have changed to its finding."""
    told = {(one.finding.code, one.finding.message): one for one in refused}
    return tuple(_tell(one, told.get((one.code, one.message))) for one in findings)


def _tell(finding: Finding, refusal: Refusal | None) -> Finding:
    if refusal is None:
        return finding
    remark = Evidence(f"not fixed, because that would change a value: {refusal}")
    return finding._replace(evidence=(*finding.evidence, remark))
