"""Rows with a cell too many or too few: which one, so that all others stand where they belong."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from mdbench.diagnosis.repairs.misfits import Kinds, is_misfit
from mdbench.diagnosis.repairs.shifts import MISSING, shift
from mdbench.diagnosis.repairs.trials import Trials
from mdbench.diagnosis.repairs.values import Repair, amend, reread
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import (
    CLEARLY_LESS_ODD,
    EQUALLY_ODD,
    FEWEST_ROWS,
    MOST_NOVEL,
    MOST_RAGGED_CELLS,
    MOST_SHOWN,
)
from mdbench.markdown.document import Presence
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Role

_BLANKS = lazy(r"\s+")


class _Fit(NamedTuple):
    """How badly the cells of a row suit their columns: the lower, the better."""

    wrong: int
    unconfirmed: int
    odd: float


class RaggedRow(NamedTuple):
    """A row of a table as it is typed, with the runs that stand in it."""

    runs: tuple[RunNumbers, ...]
    cells: tuple[Measurement, ...]

    @property
    def is_ragged(self) -> bool:
        """Whether one cell lacks, or one or two are too many."""
        missing = sum(one.cell.presence is Presence.MISSING for one in self.cells)
        few = (missing, self.surplus) in ((1, 0), (0, 1), (0, 2))
        return few and 2 < len(self.cells) <= MOST_RAGGED_CELLS

    @property
    def surplus(self) -> int:
        """How many cells are too many."""
        return sum(one.cell.presence is Presence.SURPLUS for one in self.cells)


def ragged_rows(rows: Sequence[RunNumbers]) -> Iterator[RaggedRow]:
    """The ragged rows among the runs of a report."""
    found: dict[tuple[int, int], list[RunNumbers]] = {}
    for row in rows:
        table = row.sheet.table
        if table.shows_ragged_rows and not row.sheet.layout.transposed:
            width, typed = len(table.header.cells), table.rows[row.run.number].cells
            if len(typed) != width or not typed[-1].present:
                found.setdefault((row.sheet.number, row.run.number), []).append(row)
    for members in found.values():
        cells: dict[int, Measurement] = {}
        for row in members:
            for one in row.run.measurements:
                if one.part == 0:
                    cells[one.column] = one
        ragged = RaggedRow(tuple(members), tuple(cells[at] for at in sorted(cells)))
        if ragged.is_ragged:
            yield ragged


def repair_ragged(trials: Trials, ragged: RaggedRow) -> tuple[Repair, ...]:
    """The shift that suits the row clearly better than it stands; equals together."""
    before = _fit(trials, ragged, None)
    fits = [(_fit(trials, ragged, repair), repair) for repair in _suppose(ragged)]
    if not fits:
        return ()
    best = min(fit for fit, _ in fits)
    better = best[:2] < before[:2] or (
        best[:2] == before[:2] and best.odd < before.odd - CLEARLY_LESS_ODD
    )
    if best.wrong or not better:
        return ()
    equals = [
        (fit.odd, at)
        for at, (fit, _) in enumerate(fits)
        if fit[:2] == best[:2] and fit.odd <= best.odd + EQUALLY_ODD
    ]
    # A dash beside others may lack before or after each of them: that is the same row.
    different = {_texts_after(ragged, fits[at][1]): fits[at][1] for _, at in sorted(equals)[::-1]}
    return tuple(different.values())[::-1][:MOST_SHOWN]


def _texts_after(ragged: RaggedRow, repair: Repair) -> tuple[str, ...]:
    texts = {change.measurement.key: change.text for change in repair.changes}
    return tuple(texts.get(one.key, one.cell.raw) for one in ragged.cells)


def _fit(trials: Trials, ragged: RaggedRow, repair: Repair | None) -> _Fit:
    trials.tried["ragged"] += 1
    wrong = confirmed = 0
    for row in ragged.runs:
        for verdict in trials.verdicts(row if repair is None else amend(row, repair)):
            wrong += verdict.fails
            confirmed += not verdict.fails
    texts = {} if repair is None else {c.measurement.key: c.text for c in repair.changes}
    kinds = trials.kinds(ragged.runs[0])
    odd = 0.0
    for one in ragged.cells:
        then = one
        if one.key in texts:
            then = reread(one, texts[one.key], kinds.sheet.vocabulary)
        wrong += is_misfit(then, kinds) or _has_stray_unit(then)
        odd += trials.surprise(one, then) + (MOST_NOVEL if _differs(kinds, then) else 0.0)
    return _Fit(wrong, -confirmed, odd)


def _differs(kinds: Kinds, one: Measurement) -> bool:
    """Whether a number is another one than all others of its column are."""
    value, mains = one.numeral.value, kinds.sheet.columns[one.column].mains
    others = [other.numeral.value for other in mains if other.row != one.row]
    known = {other for other in others if other is not None}
    return (
        value is not None and len(others) >= FEWEST_ROWS and len(known) == 1 and value not in known
    )


def _has_stray_unit(one: Measurement) -> bool:
    """Whether a cell without a number has a unit of another dimension: `- MiB` under a count."""
    unit = parse_unit(one.numeral.unit) if one.numeral.unit else None
    quantity = one.header.quantity
    if unit is None or quantity is None or one.numeral.value is not None:
        return False
    return not quantity.text and not quantity.fits(unit)


def _suppose(ragged: RaggedRow) -> Iterator[Repair]:
    cells = ragged.cells
    if cells[-1].cell.presence is Presence.MISSING:
        # The last cell is the one that is not there: what stands before it was moved left.
        for at, one in enumerate(cells[:-1]):
            lost = _lost_text(ragged, one)
            texts = [lost, *(other.cell.raw for other in cells[at:-1])]
            edit = Edit(Span(one.cell.span.start, one.cell.span.start), f"{lost} | ")
            yield shift(cells[at:], texts, "left", (edit,))
            yield from _suppose_lost_pipe(cells, at)
        return
    typed = [one.cell.raw for one in cells]
    empty = [at for at, text in enumerate(typed[:-1]) if not text]
    doubled = [at for at, text in enumerate(typed[:-1]) if text and text == typed[at + 1]]
    certain = empty if len(empty) < ragged.surplus else []
    for chosen in combinations(
        doubled if certain or not empty else empty, ragged.surplus - len(certain)
    ):
        dropped = sorted((*certain, *chosen))
        if all(after - before > 1 for before, after in pairwise(dropped)):
            kept = [text for at, text in enumerate(typed) if at >= dropped[0] and at not in dropped]
            texts = [*kept, *([""] * ragged.surplus)]
            edits = tuple(_drop(cells, at) for at in dropped)
            yield shift(cells[dropped[0] :], texts, "right", edits)


def _lost_text(ragged: RaggedRow, one: Measurement) -> str:
    """What a missing cell said: a setting that all other rows share, or nobody knows."""
    mains = ragged.runs[0].sheet.columns[one.column].mains
    others = [other.cell.raw for other in mains if other.row != one.row]
    quantity = one.header.quantity
    shared = len(others) >= FEWEST_ROWS and len(set(others)) == 1
    is_setting = quantity is not None and quantity.role is Role.SETTING
    return others[0] if shared and is_setting else MISSING


def _drop(cells: Sequence[Measurement], at: int) -> Edit:
    following = cells[at + 1].cell.span.start
    if not at:
        return Edit(Span(cells[at].cell.span.start, following), "")
    return Edit(Span(cells[at - 1].cell.span.end, following), " | ")


def _suppose_lost_pipe(cells: Sequence[Measurement], at: int) -> Iterator[Repair]:
    """Two cells have run into one: `1024 19862.4 MiB`."""
    raw, start = cells[at].cell.raw, cells[at].cell.span.start
    for blank in _BLANKS.finditer(raw):
        texts = [raw[: blank.start()], raw[blank.end() :]]
        if not all(any(map(str.isdigit, text)) for text in texts):
            continue
        texts += [other.cell.raw for other in cells[at + 1 : -1]]
        edit = Edit(Span(start + blank.start(), start + blank.end()), " | ")
        yield shift(cells[at:], texts, "left", (edit,))
