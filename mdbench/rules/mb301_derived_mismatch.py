"""MB301: a number that does not follow from the others in its row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.misnamed import Misnamed
from mdbench.diagnosis.checks import Check
from mdbench.diagnosis.confidence import judge_contradiction, judge_misnamed
from mdbench.diagnosis.explanations import agreeing, explain
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.repairs.repeated import RepeatedMistake, edits_of
from mdbench.diagnosis.repairs.values import ONE_CELL, Contradiction, Repair, RepairKind
from mdbench.diagnosis.wording import (
    describe_contradiction,
    describe_wrong,
    name_number,
    repaired,
    shorten,
    told_by,
)
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit, Span

_UNDONE = {
    RepairKind.SHIFT: "move the cells back under their headers",
    RepairKind.SWAP: "swap the two cells",
    RepairKind.OTHER_ROW: "move the measurements to that row",
}

# No row confirms a definition that all rows contradict: they may follow another one.
_BY_DEFINITION = 0.8


@rule("MB301", "derived-mismatch", Severity.ERROR, subsumes=("MB305",))
def derived_mismatch(context: Context) -> Iterator[Violation]:
    """A number does not follow from the other numbers of its row.

    mdbench recomputes whatever it can: devices from parallel sizes, rates from times and batch
    sizes, FLOPS from the work per step. A number is reported if no rounding of the printed digits
    makes the numbers agree. The finding is on the cell that explains every failed relation of its
    row and is part of none that holds. If several cells explain them equally well, it is on the row
    and lists all fixes.

    ```bad
    | seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
    |-------:|---------:|----------:|-------:|-----------:|
    |   2048 |   413696 |       202 |   0.20 |       1024 |
    |   1024 |   524288 |       512 |   0.50 |       1024 |
    |    512 |   597504 |      1167 |   «1.18» |       1024 |
    ```

    ```good
    | seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
    |-------:|---------:|----------:|-------:|-----------:|
    |   2048 |   413696 |       202 |   0.20 |       1024 |
    |   1024 |   524288 |       512 |   0.50 |       1024 |
    |    512 |   597504 |      1167 |   1.14 |       1024 |
    ```
    """
    for contradiction in context.diagnosis.contradictions:
        best = contradiction.repairs[0].mistake if contradiction.repairs else None
        if contradiction.failing and (best is None or best in ONE_CELL):
            sure = judge_contradiction(contradiction, context.diagnosis.standings)
            severity = Severity.WARNING if contradiction.alike else Severity.ERROR
            yield _violation(contradiction)._replace(confidence=sure, severity=severity)
    yield from map(_repeated, context.diagnosis.repeated)
    for misnamed in context.diagnosis.misnamed:
        partly = misnamed.found.is_partly_stale
        severity = Severity.WARNING if partly else Severity.ERROR
        yield _misnamed(misnamed)._replace(severity=severity)
    for undefined in context.diagnosis.undefined:
        yield _misnamed(undefined)._replace(severity=Severity.WARNING, confidence=_BY_DEFINITION)


def _repeated(mistake: RepeatedMistake) -> Violation:
    first = mistake.cells[0]
    spans = tuple(dict.fromkeys(cell.cell.span for cell in mistake.cells))
    texts = {cell.cell.span: text for cell, text in edits_of(mistake).items()}
    edits = tuple(Edit(span, text) for span, text in texts.items())
    title = shorten(first.header.text)
    return Violation(
        Span(min(one.start for one in spans), max(one.end for one in spans)),
        f"{title} {first.numeral.text} should be {mistake.right} in all {len(spans)} rows with it: "
        f"{mistake.why} in the first",
        (),
        (Fix(f"write {mistake.right} in {len(spans)} rows", edits, Safety.UNSAFE),)
        if len(edits) == len(spans)
        else (),
        spans,
        Severity.WARNING,
    )


def _misnamed(misnamed: Misnamed) -> Violation:
    cells = tuple(dict.fromkeys(one.number.source.cell.span for one in misnamed.corrections))
    edits = tuple(
        Edit(one.number.source.cell.span, text)
        for one in misnamed.corrections
        if (text := one.text or repaired(one.number, one.value)) is not None
    )
    fixes = (Fix(misnamed.remedy, edits, Safety.UNSAFE),) if len(edits) == len(cells) else ()
    span = Span(min(one.start for one in cells), max(one.end for one in cells))
    sure = judge_misnamed(misnamed)
    return Violation(span, misnamed.message, (), fixes, cells, confidence=sure)


def _violation(contradiction: Contradiction) -> Violation:
    wrong, fixes = contradiction.wrong, tuple(map(make_fix, contradiction.repairs))
    if wrong is None:
        cells = tuple(dict.fromkeys(_blamed(contradiction)))
        span = Span(min(cell.start for cell in cells), max(cell.end for cell in cells))
        shown = _explain(contradiction.related, None)
        return Violation(span, _message(contradiction), shown, fixes, cells)
    span, check = wrong.source.cell.span, told_by(wrong, contradiction.failing)
    message = describe_wrong(wrong, contradiction.wanted, check)
    others = [one for one in contradiction.related if one is not check]
    shown = (*_operands(check, wrong, message)[:6], *_explain(others, wrong))
    if isinstance(check, Verdict):
        shown = (*shown, *(Evidence(label, place) for label, place in agreeing(check)))
    return Violation(span, message, tuple(dict.fromkeys(shown)), fixes, (span,))


def _operands(check: Check, wrong: Number, message: str) -> list[Evidence]:
    """The numbers that a wrong one was compared with, as far as the message does not name them."""
    found = []
    for one in check.operands:
        label, place, fact = name_number(one.number), one.number.measurement, one.number.fact
        if place is not None and one.place != wrong.place and label not in message:
            found.append(Evidence(label, place.cell.span))
        elif fact is not None:
            found.append(Evidence(label, fact.span))
    return found


def _explain(failing: Sequence[Verdict], wrong: Number | None) -> tuple[Evidence, ...]:
    """Why relations fail, and some rows that follow them."""
    found = (
        line
        for verdict in failing
        for line in show_failure(explain(verdict, _about(verdict, wrong)), verdict)
    )
    return tuple(dict.fromkeys(found))


def show_failure(text: str, verdict: Verdict) -> Iterator[Evidence]:
    """The failed relation, and some rows that follow it."""
    yield Evidence(text)
    yield from (Evidence(label, span) for label, span in agreeing(verdict))


def _blamed(contradiction: Contradiction) -> Iterator[Span]:
    for repair in contradiction.repairs:
        # Nothing is wrong with the empty row that measurements may belong to.
        yield from (
            change.measurement.cell.span
            for change in repair.changes
            if change.measurement.run == contradiction.row.run.number
        )
    if not contradiction.repairs:
        yield from (
            operand.number.measurement.cell.span
            for check in contradiction.failing
            for operand in check.operands
            if operand.number.measurement is not None
        )


def _about(verdict: Verdict, wrong: Number | None) -> Number:
    """The number to recompute: the wrong one, else the derived one."""
    measured = [one for one in verdict.instance.variables if one.measurement is not None]
    mine = [one for one in measured if wrong is not None and one.place == wrong.place]
    derived = [one for one in measured if one.quantity.name == verdict.relation.result]
    return (mine or derived or measured)[0]


def _message(contradiction: Contradiction) -> str:
    text = describe_contradiction(contradiction.failing)
    if not contradiction.repairs:
        return text
    moves = [one.title for one in contradiction.repairs if one.mistake is RepairKind.OTHER_ROW]
    values = [one for one in contradiction.repairs if one.mistake is not RepairKind.OTHER_ROW]
    *most, last = [_wanted(one) for one in values] or [""]
    either = f"{', '.join(most)} or {last}" if most else last
    ways = [f"{either} would fix it", *moves] if values else moves
    return f"{text}; {', or '.join(ways)}"


def _name(one: Measurement) -> str:
    return shorten(one.header.text)


def _wanted(repair: Repair) -> str:
    return " and ".join(f"{_name(one.measurement)} {one.plain}" for one in repair.changes)


def make_fix(repair: Repair) -> Fix:
    """Turn a repair into a fix."""
    edits = repair.edits or tuple(
        Edit(change.measurement.cell.span, change.text)
        for change in sorted(repair.changes, key=lambda one: one.measurement.cell.span)
    )
    title = _UNDONE.get(repair.mistake) or f"change to {_wanted(repair)}"
    return Fix(title, edits, Safety.UNSAFE)
