"""A row whose numbers contradict each other, and the repairs that would fix it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from mdbench.diagnosis.checks import Check
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.repairs.divisibility import count_indivisible
from mdbench.diagnosis.repairs.misfits import is_misfit
from mdbench.diagnosis.repairs.orders import breaks_order
from mdbench.diagnosis.repairs.ragged import ragged_rows, repair_ragged
from mdbench.diagnosis.repairs.shifts import MISSING, suppose_shifts, suppose_slides
from mdbench.diagnosis.repairs.trials import Trials
from mdbench.diagnosis.repairs.values import (
    ONE_CELL,
    CellChange,
    Contradiction,
    Repair,
    RepairKind,
    amend,
    main_cells,
    suppose_swaps,
    suppose_values,
)
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import (
    BROKEN_PENALTY,
    CLOSE_COST,
    CLOSE_RESULT,
    CONFIRMED_PENALTY,
    DIGITS_IF_MISTYPED,
    MISTYPED_GAIN,
    MOST_REPAIRS,
    MOST_SHOWN,
    NOT_RESULT_PENALTY,
    OTHER_ROW_COST,
    REPEAT_PENALTY,
    SETTING_PENALTY,
    SURE_LEAD,
    UNORDERED_PENALTY,
)
from mdbench.numerals.cell import Form
from mdbench.relations.catalogue import Relation
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.vocabulary.quantities import Role

# Settings that nobody sets: a launcher divides the devices and the global batch by the others.
_RESULTING = frozenset(("dp", "grad_accum"))


def find_contradictions(trials: Trials) -> Iterator[Contradiction]:
    """Every row that contradicts a law or holds cells that cannot be of their column."""
    contradictions = list(_find_ragged(trials))
    explained = {(one.row.sheet.number, one.row.run.number) for one in contradictions}
    claims: Counter[CellKey] = Counter()
    for row in trials.rows:
        if (row.sheet.number, row.run.number) in explained:
            continue
        failing = tuple(one for one in trials.failing(row) if not trials.is_cleared(row, one))
        if failing or any(map(trials.kinds(row).is_foreign, main_cells(row))):
            contradiction = _examine(trials, row, failing)
            if contradiction.failing or contradiction.repairs:
                contradictions.append(contradiction)
                claims.update(_claimed(contradiction))
    for contradiction in contradictions:
        contested = any(claims[number] > 1 for number in _claimed(contradiction))
        one = contradiction
        yield conclude(one.row, one.failing, one.spare) if contested else one


def _find_ragged(trials: Trials) -> Iterator[Contradiction]:
    """The rows that have a cell too many or too few and suit their columns without it."""
    for ragged in ragged_rows(trials.rows):
        repairs = repair_ragged(trials, ragged)
        if repairs:
            failing = tuple(one for row in ragged.runs for one in trials.failing(row))
            yield conclude(ragged.runs[0], failing, repairs)


def _claimed(contradiction: Contradiction) -> set[CellKey]:
    """The empty row that a row's measurements may belong to; two cannot both be from there."""
    return {
        change.measurement.key
        for repair in contradiction.repairs
        if repair.mistake is RepairKind.OTHER_ROW
        for change in repair.changes[-1:]
    }


def _examine(trials: Trials, row: RunNumbers, failing: tuple[Verdict, ...]) -> Contradiction:
    if failing and all(one.bounded for one in failing):
        # Nearly any other number would do: there is nothing to choose one by.
        return Contradiction(row, failing, (), lead=0.0)
    suspects = _suspects(trials, row, failing)
    candidates = chain(
        suppose_values(row, failing) if failing else (),
        suppose_shifts(row, trials.kinds(row)),
        _suppose_other_rows(trials, row, failing),
        suppose_swaps(row, suspects, trials.kinds(row)),
    )
    touching = (one for one in candidates if _touches_all(one, failing))
    tested = islice(touching, MOST_REPAIRS)
    fixing = [(repair, after) for repair in tested if (after := _fixed(trials, row, repair))]
    if fixing:
        staying = [one for one in fixing if one[0].mistake is not RepairKind.OTHER_ROW]
        spare = _best(trials, row, staying, failing) if staying else ()
        return conclude(row, failing, _best(trials, row, fixing, failing))._replace(spare=spare)
    return _examine_shifts(trials, row, failing)


def conclude(
    row: RunNumbers, failing: tuple[Check, ...], repairs: tuple[Repair, ...]
) -> Contradiction:
    """The contradiction with its best repairs, which may all be about one number."""
    lead = SURE_LEAD if len(repairs) == 1 else 0.0
    wrong = _only_wrong(failing, repairs)
    wanted = " or ".join(one.changes[0].plain for one in repairs) if wrong is not None else ""
    return Contradiction(row, failing, repairs, wrong, wanted, lead)


def _only_wrong(failing: Iterable[Check], repairs: Sequence[Repair]) -> Number | None:
    """The number that all repairs are about, if it takes part in what fails."""
    cells = {change.measurement.key for one in repairs for change in one.changes}
    if len(cells) != 1 or any(one.mistake not in ONE_CELL for one in repairs):
        return None
    (key,) = cells
    numbers = (operand.number for check in failing for operand in check.operands)
    return next((one for one in numbers if one.measurement and one.measurement.key == key), None)


def _suspects(trials: Trials, row: RunNumbers, failing: Sequence[Verdict]) -> set[CellKey]:
    """The cells that take part in what fails, or do not belong where they stand."""
    found = {
        variable.measurement.key
        for verdict in failing
        for variable in verdict.instance.variables
        if variable.measurement is not None
    }
    kinds = trials.kinds(row)
    return found | {one.key for one in main_cells(row) if is_misfit(one, kinds)}


def _touches_all(repair: Repair, failing: Sequence[Verdict]) -> bool:
    """Whether a repair changes a number of everything that fails: else it cannot fix it."""
    changed = {change.measurement.key for change in repair.changes}
    return all(
        any(
            variable.measurement is not None and variable.measurement.key in changed
            for variable in verdict.instance.variables
        )
        for verdict in failing
    )


def _examine_shifts(trials: Trials, row: RunNumbers, failing: tuple[Verdict, ...]) -> Contradiction:
    """Units alone can show a shift, even where the shifted numbers belong to another row."""
    before = trials.misfits(row)
    if not before:
        return Contradiction(row, failing, (), lead=0.0)
    kinds = trials.kinds(row)
    fitting = [
        (len(trials.failing(after)), repair.cost, repair, after)
        for repair in islice(suppose_shifts(row, kinds), MOST_REPAIRS)
        if not trials.misfits(after := amend(row, repair))
    ]
    if not fitting:
        slides = next(suppose_slides(row, kinds), None) if before > 1 else None
        return conclude(row, failing, (slides,) if slides is not None else ())
    _, _, repair, after = min(fitting, key=lambda one: one[:2])
    left = trials.failing(after)
    moves = [
        move for move in _suppose_other_rows(trials, after, left) if _fixed(trials, after, move)
    ]
    return Contradiction(row, failing, (repair,), left=left, move=moves[0] if moves else None)


def _suppose_other_rows(
    trials: Trials, row: RunNumbers, failing: Sequence[Verdict]
) -> Iterator[Repair]:
    """The measurements belong to another row of the table, which has none."""
    measured = [one for one in main_cells(row) if _is_result(one)]
    if not failing or not measured or trials.misfits(row):
        return
    for other in trials.empty_rows(row):
        theirs = [one for one in main_cells(other) if _is_result(one)]
        if len(theirs) != len(measured) or any(one.numeral.value is not None for one in theirs):
            continue
        here = [
            CellChange(one, MISSING) for one in measured if one.numeral.form is not Form.NOTHING
        ]
        there = [
            CellChange(one, mine.numeral.text)
            for one, mine in zip(theirs, measured, strict=True)
            if mine.numeral.form is not Form.NOTHING
        ]
        filled = amend(other, Repair(RepairKind.OTHER_ROW, "", tuple(there), 0.0))
        trials.tried["other row"] += 1
        verdicts = list(trials.verdicts(filled))
        # Rows of another group, by another constant, show nothing about this one.
        tested = {_claim(verdict) for verdict in verdicts if not verdict.fails}
        if len(tested) == len(verdicts) and all(_claim(one) in tested for one in failing):
            title = f"the measurements fit {_describe(other)}"
            yield Repair(RepairKind.OTHER_ROW, title, (*here, *there), OTHER_ROW_COST)


def _claim(verdict: Verdict) -> tuple[Relation, float, float]:
    return verdict.relation, verdict.constant.low, verdict.constant.high


def _describe(row: RunNumbers) -> str:
    """A row by the number it begins with."""
    first = main_cells(row)[0]
    return f"the row with {first.header.text} {first.cell.raw}"


def _is_result(one: Measurement) -> bool:
    """Whether a cell is of a column of results, or of numbers that may be some."""
    quantity = one.header.quantity
    if quantity is None:
        return bool(one.header.candidates) or one.numeral.value is not None
    return quantity.role in (Role.MEASUREMENT, Role.SCORE)


def _fixed(trials: Trials, row: RunNumbers, repair: Repair) -> RunNumbers | None:
    """The row after a repair, if then nothing fails, nothing that held is lost or is absurd."""
    trials.tried[repair.mistake] += 1
    after = amend(row, repair)
    count = 0
    for verdict in trials.verdicts(after):
        if verdict.fails:
            return None
        count += 1
    held = sum(not verdict.fails for verdict in trials.verdicts(row))
    better = count > held or (count == held and trials.misfits(row) > 0)
    if trials.misfits(after) or (repair.mistake is not RepairKind.OTHER_ROW and not better):
        return None
    if count_indivisible(after.variables) > count_indivisible(row.variables):
        return None
    return after if _is_possible(after) and not _breaks_variant(trials, row, repair) else None


def _breaks_variant(trials: Trials, row: RunNumbers, repair: Repair) -> bool:
    """Whether another run of the table's row, which shares a changed cell, would then fail."""
    changed = {change.measurement.key for change in repair.changes}
    return any(
        len(trials.failing(amend(one, repair))) > len(trials.failing(one))
        for one in trials.variants(row)
        if any(cell.key in changed for cell in one.run.measurements)
    )


def _is_possible(row: RunNumbers) -> bool:
    return all(
        one.quantity.allows(one.amount.value, one.amount.unit)
        for one in row.run.values.values()
        if one.quantity is not None and one.amount is not None
    )


def _best(
    trials: Trials,
    row: RunNumbers,
    fixing: Sequence[tuple[Repair, RunNumbers]],
    failing: Sequence[Verdict],
) -> tuple[Repair, ...]:
    ranked = sorted(
        (repair.cost + _doubt(trials, row, repair, after, failing), at)
        for at, (repair, after) in enumerate(fixing)
    )
    least, counts = ranked[0][0], _all_settings(failing)
    shown = []
    for cost, at in ranked:
        repair, after = fixing[at]
        close = CLOSE_COST
        if counts and _changes_resulting(repair):
            close = CLOSE_RESULT
        elif counts and _has_witness(trials, row, repair, after, failing):
            # That all other rows have the same count does not speak for it any more.
            close = CLOSE_RESULT + trials.commonness(row, repair.changes[0].measurement)
        if cost <= least + close:
            shown.append(repair)
    return tuple(shown[:MOST_SHOWN])


def _has_witness(
    trials: Trials,
    row: RunNumbers,
    repair: Repair,
    after: RunNumbers,
    failing: Sequence[Verdict],
) -> bool:
    """Whether its counts would be those of another row, of which its notes make it a variant."""
    if repair.mistake not in ONE_CELL or trials.repeats(row, after):
        return False
    one = repair.changes[0].measurement
    if breaks_order(row, one, _changed(after, one)):
        return False
    used = (one.quantity.name for verdict in failing for one in verdict.instance.variables)
    return trials.has_like(after, frozenset(used))


def _changes_resulting(repair: Repair) -> bool:
    """Whether a repair changes only a setting that follows from others."""
    quantity = repair.changes[0].measurement.quantity
    return repair.mistake in ONE_CELL and quantity is not None and quantity.name in _RESULTING


def _doubt(
    trials: Trials, row: RunNumbers, repair: Repair, after: RunNumbers, failing: Sequence[Verdict]
) -> float:
    """How unlikely it is that just these cells are wrong."""
    changed = {change.measurement.key for change in repair.changes}
    doubt = REPEAT_PENALTY if trials.repeats(row, after) else 0.0
    doubt += BROKEN_PENALTY * trials.count_broken(after, changed)
    for one in row.run.measurements:
        if one.part == 0 and one.key in changed and repair.mistake is not RepairKind.OTHER_ROW:
            then = _changed(after, one)
            doubt += trials.surprise(one, then) - trials.surprise(one, one)
            doubt += UNORDERED_PENALTY if breaks_order(row, one, then) else 0.0
    if repair.mistake not in ONE_CELL:
        return doubt
    one = repair.changes[0].measurement
    if one.quantity is None:
        return doubt
    name = one.quantity.name
    if one.quantity.role is Role.SETTING:
        doubt += trials.commonness(row, one)
        doubt += 0.0 if _all_settings(failing) else SETTING_PENALTY
        if name not in _RESULTING and trials.is_confirmed(row, one):
            doubt += CONFIRMED_PENALTY
    else:
        if all(verdict.relation.result != name for verdict in failing):
            doubt += NOT_RESULT_PENALTY
        if repair.mistake is RepairKind.VALUE and _is_mistyped(trials, repair, after, failing):
            doubt -= MISTYPED_GAIN
        if trials.printed.confirm(one):
            doubt += CONFIRMED_PENALTY
    return doubt


def _is_mistyped(
    trials: Trials, repair: Repair, after: RunNumbers, failing: Sequence[Verdict]
) -> bool:
    """Whether one other digit in a number gives what its row prints, to the last digit."""
    (change,) = repair.changes
    raw, text = change.measurement.cell.raw, change.text
    if len(raw) != len(text) or len(change.measurement.typed or "") < 2:
        return False
    if sum(one != other for one, other in zip(raw, text, strict=True)) != 1:
        return False
    laws = {one.relation for one in failing}
    return all(_tells_all_digits(one) for one in trials.verdicts(after) if one.relation in laws)


def _tells_all_digits(verdict: Verdict) -> bool:
    """Whether a result of three digits or more, without zeros at its end, is what its row gives."""
    result = verdict.operands[0]
    typed = result.number.source.typed if result.number.measurement else None
    if result.place is None or typed is None or verdict.told_by_rows:
        return False
    wanted = verdict.compute(result.place)
    digits = sum(char.isdigit() for char in typed.lstrip("0.").rstrip("0."))
    return (
        digits >= DIGITS_IF_MISTYPED
        and wanted is not None
        and result.number.print_like(wanted) == result.number.print_like(result.number.value)
    )


def _changed(after: RunNumbers, one: Measurement) -> Measurement:
    """A cell as it is after a repair."""
    return next(each for each in after.run.measurements if each.key == one.key and each.part == 0)


def _all_settings(failing: Iterable[Verdict]) -> bool:
    return all(
        variable.quantity.role is Role.SETTING
        for verdict in failing
        for variable in verdict.instance.variables
    )
