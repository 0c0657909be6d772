"""MB301: a number that does not follow from the others in its row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.blame import Mismatch
from mdbench.diagnosis.arithmetic.misnamed import Misnamed
from mdbench.diagnosis.arithmetic.wording import (
    describe_mismatch,
    name_number,
    name_wanted,
    repaired,
    shorten,
    told_by,
)
from mdbench.diagnosis.confidence import judge_contradiction, judge_mismatch, judge_misnamed
from mdbench.diagnosis.laws.products import Verdict
from mdbench.diagnosis.numbers import Variable
from mdbench.diagnosis.repairs.contradictions import Contradiction
from mdbench.diagnosis.repairs.repeated import RepeatedMistake, edits_of
from mdbench.diagnosis.repairs.values import ONE_CELL, Repair, RepairKind
from mdbench.diagnosis.wording import agreeing, explain
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


@rule("MB301", "derived-mismatch", Severity.ERROR)
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
            yield _violation(contradiction)._replace(confidence=sure)
    yield from map(_repeated, context.diagnosis.repeated)
    for mismatch in context.diagnosis.mismatches:
        yield _mismatch(mismatch)
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
    cells = tuple(dict.fromkeys(one.number.measurement.cell.span for one in misnamed.corrections))
    edits = tuple(
        Edit(one.number.measurement.cell.span, text)
        for one in misnamed.corrections
        if (text := one.text or repaired(one.number, one.value)) is not None
    )
    fixes = (Fix(misnamed.remedy, edits, Safety.UNSAFE),) if len(edits) == len(cells) else ()
    span = Span(min(one.start for one in cells), max(one.end for one in cells))
    sure = judge_misnamed(misnamed)
    return Violation(span, misnamed.message, (), fixes, cells, confidence=sure)


def _mismatch(mismatch: Mismatch) -> Violation:
    span = mismatch.number.measurement.cell.span
    blamed = (
        *((mismatch.number, one, mismatch.quantum) for one in (mismatch.value, *mismatch.others)),
        *((number, value, None) for number, value in mismatch.rivals),
    )
    # Nearly any other number would do instead of a bound.
    bounded = bool(mismatch.number.measurement.numeral.bound)
    fixes = (
        ()
        if bounded
        else tuple(
            Fix(
                f"change to {name_wanted(number, value, quantum)}",
                (Edit(number.measurement.cell.span, text),),
                Safety.UNSAFE,
            )
            for number, value, quantum in blamed
            if (text := repaired(number, value, quantum)) is not None
        )
    )
    operands = tuple(
        Evidence(name_number(one.number), one.number.measurement.cell.span)
        for one in told_by(mismatch).operands
        if one.number.measurement.cell.span != span
    )
    told, sure = describe_mismatch(mismatch), judge_mismatch(mismatch)
    return Violation(span, told, operands[:6], fixes, (span,), confidence=sure)


def _violation(contradiction: Contradiction) -> Violation:
    cells = list(dict.fromkeys(_blamed(contradiction)))
    span = Span(min(cell.start for cell in cells), max(cell.end for cell in cells))
    evidence = [
        line
        for verdict in contradiction.failing
        for line in show_failure(explain(verdict, _about(contradiction, verdict)), verdict)
    ]
    fixes = tuple(map(make_fix, contradiction.repairs))
    told = tuple(dict.fromkeys(evidence))
    return Violation(span, _message(contradiction), told, fixes, tuple(cells))


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
            variable.measurement.cell.span
            for verdict in contradiction.failing
            for variable in verdict.instance.variables
            if variable.measurement is not None
        )


def _about(contradiction: Contradiction, verdict: Verdict) -> Variable:
    """The number to recompute: the blamed one, else the derived one."""
    blamed = set(_blamed(contradiction)) if len(contradiction.repairs) == 1 else set()
    for variable in verdict.instance.variables:
        if variable.measurement is not None and variable.measurement.cell.span in blamed:
            return variable
    measured = [one for one in verdict.instance.variables if one.measurement is not None]
    derived = [one for one in measured if one.quantity.name == verdict.relation.result]
    return (derived or measured)[0]


def _message(contradiction: Contradiction) -> str:
    names = _names(contradiction.failing)
    if not contradiction.repairs:
        return f"{names} contradict each other"
    if len(contradiction.repairs) > 1:
        moves = [one.title for one in contradiction.repairs if one.mistake is RepairKind.OTHER_ROW]
        values = [one for one in contradiction.repairs if one.mistake is not RepairKind.OTHER_ROW]
        either = " or ".join(map(_wanted, values))
        ways = [f"{either} would fix it", *moves] if values else moves
        return f"{names} contradict each other; {', or '.join(ways)}"
    change = contradiction.repairs[0].changes[0]
    one = change.measurement
    line = "column" if contradiction.row.sheet.layout.transposed else "row"
    printed, wanted = f"{_name(one)} {one.numeral.text}", _wanted(contradiction.repairs[0])
    return f"{printed} contradicts its {line}; {wanted} would agree"


def _name(one: Measurement) -> str:
    return shorten(one.header.text)


def _wanted(repair: Repair) -> str:
    return " and ".join(f"{_name(one.measurement)} {one.text}" for one in repair.changes)


def _names(failing: Sequence[Verdict]) -> str:
    titles = dict.fromkeys(
        _name(variable.measurement)
        for verdict in failing
        for variable in verdict.instance.variables
        if variable.measurement is not None
    )
    *most, last = titles
    return f"{', '.join(most)} and {last}" if most else last


def make_fix(repair: Repair) -> Fix:
    """Turn a repair into a fix."""
    edits = repair.edits or tuple(
        Edit(change.measurement.cell.span, change.text)
        for change in sorted(repair.changes, key=lambda one: one.measurement.cell.span)
    )
    title = _UNDONE.get(repair.mistake) or f"change to {_wanted(repair)}"
    return Fix(title, edits, Safety.UNSAFE)
