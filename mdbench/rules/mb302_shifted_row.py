"""MB302: cells in the wrong column, or the measurements of another row."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.confidence import judge_contradiction
from mdbench.diagnosis.explanations import describe_disagreement, explain
from mdbench.diagnosis.repairs.misfits import has_foreign_unit
from mdbench.diagnosis.repairs.values import CellChange, Contradiction, Repair, RepairKind
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.mb301_derived_mismatch import make_fix, show_failure
from mdbench.rules.registry import rule
from mdbench.source import Edit, Span

_MOVED = frozenset((RepairKind.SHIFT, RepairKind.SWAP, RepairKind.OTHER_ROW))


@rule(
    "MB302",
    "shifted-row",
    Severity.ERROR,
    subsumes=(
        *("MB101", "MB201", "MB202", "MB203", "MB205", "MB208", "MB209"),
        *("MB301", "MB304", "MB305", "MB306", "MB403", "MB501", "MB502"),
    ),
)
def shifted_row(context: Context) -> Iterator[Violation]:
    """Cells of a row are in the wrong place: shifted, swapped, or in the row of another run.

    One extra pipe, or a value typed one column early, moves everything after it. The units show it
    (a memory size under seconds), or the numbers do: with the cells moved back, every relation of
    the table holds again. If the measurements fit another, empty row, the finding says so.

    ```bad
    | Nodes | Mem | Sec/it | TFLOPs |
    |------:|----:|-------:|-------:|
    |     4 | 18870.0 MiB | 2533.0 | 0.86 |
    |    64 | 18502.5 MiB | 162.5 | 0.84 |
    |   256 | «- | 20033.7 MiB | 40.7» |
    ```

    ```good
    | Nodes | Mem | Sec/it | TFLOPs |
    |------:|----:|-------:|-------:|
    |     4 | 18870.0 MiB | 2533.0 | 0.86 |
    |    64 | 18502.5 MiB | 162.5 | 0.84 |
    |   256 | 20033.7 MiB | 40.7 | - |
    ```
    """
    for contradiction in context.diagnosis.contradictions:
        if contradiction.repairs and contradiction.repairs[0].mistake in _MOVED:
            sure = None
            if not any(map(has_foreign_unit, contradiction.row.run.measurements)):
                sure = judge_contradiction(contradiction, context.diagnosis.standings)
            yield _violation(contradiction)._replace(confidence=sure)


def _violation(contradiction: Contradiction) -> Violation:
    first = contradiction.repairs[0]
    mine = _own_changes(contradiction, first)
    spans = [change.measurement.cell.span for change in mine]
    fixes = [make_fix(repair) for repair in contradiction.repairs if not repair.lossy]
    if contradiction.move is not None:
        fixes.append(_shift_and_move(first, contradiction.move))
    return Violation(
        Span(min(span.start for span in spans), max(span.end for span in spans)),
        first.title,
        tuple(_evidence(contradiction, first)),
        tuple(fixes),
        (*spans, *_ragged(contradiction, first)),
    )


def _ragged(contradiction: Contradiction, repair: Repair) -> Iterator[Span]:
    """The row itself, if it has a cell too many or too few: the shift explains that as well."""
    if repair.edits:
        yield contradiction.row.sheet.table.rows[contradiction.row.run.number].span


def _own_changes(contradiction: Contradiction, repair: Repair) -> list[CellChange]:
    number = contradiction.row.run.number
    return [
        change
        for change in repair.changes
        if contradiction.row.sheet.layout.transposed or change.measurement.row == number
    ]


def _evidence(contradiction: Contradiction, repair: Repair) -> Iterator[Evidence]:
    foreign = [one for one in contradiction.row.run.measurements if has_foreign_unit(one)]
    held = ", ".join(f"{one.header.text} holds {one.numeral.text}" for one in foreign)
    fixed = ", ".join(
        f"{change.measurement.header.text} {change.text}"
        for change in _own_changes(contradiction, repair)
        if change.measurement.header.text
    )
    if repair.mistake is not RepairKind.OTHER_ROW:
        yield Evidence(f"{held}; corrected: {fixed}" if held else f"corrected: {fixed}")
    for verdict in contradiction.related:
        if not foreign:
            yield from show_failure(explain(verdict, verdict.instance.variables[0]), verdict)
    for verdict in contradiction.left:
        yield from show_failure(f"but {describe_disagreement(verdict)}", verdict)
    if contradiction.move is not None:
        other = contradiction.move.changes[-1].measurement.cell.span
        yield Evidence(f"this row is empty, and {contradiction.move.title}", other)


def _shift_and_move(shift: Repair, move: Repair) -> Fix:
    """Do both at once: move the cells back, then to the other row."""
    texts: dict[Span, str] = {}
    for change in (*shift.changes, *move.changes):
        texts[change.measurement.cell.span] = change.text
    edits = tuple(Edit(span, text) for span, text in sorted(texts.items()))
    title = "move the cells back and the measurements to that row"
    return Fix(title, edits, Safety.UNSAFE)
