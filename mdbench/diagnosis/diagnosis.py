"""Which relations fail, which cell explains it, and which repair fixes it and breaks nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mdbench.diagnosis.arithmetic.applied import Applied, apply_laws
from mdbench.diagnosis.arithmetic.definitions import find_undefined
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.misnamed import Misnamed, find_misnamed, find_scaled_ratios
from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.arithmetic.search import find_arithmetic
from mdbench.diagnosis.arithmetic.unit_columns import find_repeating_columns
from mdbench.diagnosis.arithmetic.witnesses import Witnesses
from mdbench.diagnosis.checks import Check
from mdbench.diagnosis.interval_ends import confirmed_ends
from mdbench.diagnosis.laws.expectations import find_expectations
from mdbench.diagnosis.laws.losses import find_losses
from mdbench.diagnosis.laws.own_formulas import find_written, own_relations
from mdbench.diagnosis.laws.perplexities import find_perplexities
from mdbench.diagnosis.laws.products import Law, find_laws
from mdbench.diagnosis.laws.row_best import find_ratios_in_rows
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.odd_settings import OddSetting, find_odd_settings
from mdbench.diagnosis.printed_elsewhere import RepeatedNumbers
from mdbench.diagnosis.repairs.blame import blame_computed
from mdbench.diagnosis.repairs.contradictions import find_contradictions
from mdbench.diagnosis.repairs.groups import leave_out_groups
from mdbench.diagnosis.repairs.scales import ScaledColumn, find_scaled
from mdbench.diagnosis.repairs.trials import AnyLaw, Trials
from mdbench.diagnosis.repairs.values import Contradiction
from mdbench.diagnosis.run_numbers import RunNumbers, stated_numbers
from mdbench.diagnosis.set_apart import is_set_apart
from mdbench.diagnosis.shared_runs import join_rows
from mdbench.diagnosis.standings import Standings, count_standings
from mdbench.diagnosis.thresholds import FEWEST_ROWS
from mdbench.prose.formulas import Formula, collect_formulas
from mdbench.relations.catalogue import Relation, catalogue
from mdbench.relations.user import stated_relations
from mdbench.sheets.report import Report
from mdbench.source import Span

if TYPE_CHECKING:
    from mdbench.diagnosis.lacking import Lack
    from mdbench.diagnosis.repairs.repeated import RepeatedMistake


class _ShownByTables:
    """What tables show to be computed from what.

    It does not know the diagnosis: in a cycle, a whole report would wait for the garbage collector.
    """

    def __init__(self, report: Report, grids: Grids) -> None:
        self._sheets = report.sheets
        self._grids = grids
        self._document = report.document

    @cached_property
    def laws(self) -> tuple[Found, ...]:
        """The laws."""
        return find_arithmetic(self._sheets, Witnesses(self._document), self._grids)

    @cached_property
    def applied(self) -> tuple[Applied, ...]:
        """The same, in each row."""
        return tuple(apply_laws(self.laws))

    @cached_property
    def computed(self) -> tuple[Applied, ...]:
        """The same, without columns that are wrong as a whole."""
        return tuple(one for one in self.applied if not _is_stale(one))


class Diagnosis:
    """What the numbers of a report say about each other."""

    def __init__(
        self,
        report: Report,
        rows: tuple[RunNumbers, ...],
        relations: tuple[Relation, ...],
        laws: tuple[Law, ...],
        others: tuple[AnyLaw, ...],
    ) -> None:
        """Keep the laws; `others` are not products: ratios, totals, models, the report's own."""
        self.report = report
        self.rows = rows
        self.relations = relations
        self.laws = laws
        self.others = others
        self.formulas: tuple[Formula, ...] = ()
        self.grids = Grids(rows)
        self._shown = _ShownByTables(report, self.grids)

    @cached_property
    def printed(self) -> RepeatedNumbers:
        """What the report prints more than once."""
        return RepeatedNumbers(self.report)

    @cached_property
    def trials(self) -> Trials:
        """The rows and laws that repairs are tried against."""
        laws = (*self.laws, *self.others)
        shown = self._shown
        return Trials(self.rows, laws, self.printed, lambda: shown.computed)

    @cached_property
    def scaled(self) -> tuple[ScaledColumn, ...]:
        """The columns that are a constant factor off."""
        known = find_scaled(self.rows, self.trials.laws, self.relations)
        repeating = find_repeating_columns(self.report.sheets, self.grids)
        return (*known, *find_scaled_ratios(self.arithmetic), *repeating)

    @cached_property
    def verdicts(self) -> tuple[tuple[RunNumbers, Verdict], ...]:
        """Every law over every row."""
        return tuple((row, verdict) for row in self.rows for verdict in self.trials.verdicts(row))

    @cached_property
    def standings(self) -> Standings:
        """How many rows follow each known relation."""
        return count_standings((verdict.relation, verdict) for _, verdict in self.verdicts)

    @cached_property
    def _contradictions(self) -> tuple[Contradiction, ...]:
        found = tuple(find_contradictions(self.trials))
        return tuple(leave_out_groups(found, self.trials))

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """The numbers that contradict each other, each cause once."""
        repeated = {row for one in self.repeated for row in one.rows}
        known = [one for one in self._contradictions if one.row.key not in repeated]
        known = [one for one in known if not self._is_told_better(one)]
        explained = {cell.key for one in self.repeated for cell in one.cells}
        explained.update(key for one in known for key in one.cells)
        failing = [
            one
            for one in self._shown.computed
            if one.fails and all(each.number.source.key not in explained for each in one.operands)
        ]
        failing = [one for one in failing if not self._is_special_case(one)]
        found = (*known, *(blame_computed(failing, self._held) if failing else ()))
        return tuple(one for one in found if not is_set_apart(one, self.report))

    def _is_told_better(self, known: Contradiction) -> bool:
        """Whether only other rows speak against some numbers, and headers say what they give."""
        if not known.failing or not all(one.told_by_rows for one in known.failing):
            return False
        places = {one.place for check in known.failing for one in check.operands}
        return any(
            one.fails and one.found.named and places <= {each.place for each in one.operands}
            for one in self._shown.computed
        )

    def _is_special_case(self, failing: Applied) -> bool:
        """Whether all numbers of a law that fails follow a law with more of the row's numbers.

        `FPS = 1 / latency` where the batch is 1, and `FPS = batch / latency` everywhere.
        """
        places = {one.place for one in failing.operands}
        return any(
            places < {one.place for one in check.operands}
            for place in places
            if place is not None
            for check in self._held.get(place, ())
        )

    @cached_property
    def _held(self) -> Mapping[Place, Sequence[Check]]:
        """Of each number, the laws that hold with it."""
        found: dict[Place, list[Check]] = defaultdict(list)
        for check in self.checks:
            if check.holds and not check.rough and not _is_stale(check):
                for operand in check.operands:
                    if operand.place is not None:
                        found[operand.place].append(check)
        return found

    @cached_property
    def repeated(self) -> tuple[RepeatedMistake, ...]:
        """The numbers that are wrong in every row that they stand in."""
        found = self._contradictions
        if len(found) < FEWEST_ROWS:
            return ()
        from mdbench.diagnosis.repairs.repeated import find_repeated  # noqa: PLC0415

        return find_repeated(found, self.verdicts)

    @property
    def arithmetic(self) -> tuple[Found, ...]:
        """What the tables show to be computed from what."""
        return self._shown.laws

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The same, in each row."""
        return self._shown.applied

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Every law in every row: what the tables show, and the known relations."""
        return (*self.applied, *(one for _, one in self.verdicts))

    @cached_property
    def misnamed(self) -> tuple[Misnamed, ...]:
        """The columns whose numbers agree with each other, but not with their headers."""
        return tuple(find_misnamed(self.arithmetic))

    @cached_property
    def undefined(self) -> tuple[Misnamed, ...]:
        """The columns that are not computed as their headers say, in any row."""
        return tuple(find_undefined(self.report.sheets, self.grids, self.arithmetic))

    @cached_property
    def verified(self) -> frozenset[Span]:
        """The cells that take part in a relation that holds."""
        return frozenset(
            span for one in self.checks if one.holds and not one.rough for span in one.cells
        )

    @cached_property
    def verified_ends(self) -> frozenset[Span]:
        """The cells with intervals whose ends take part in a relation that holds."""
        return frozenset(
            span for row, verdict in self.verdicts for span in confirmed_ends(row, verdict)
        )

    @cached_property
    def checked(self) -> frozenset[Span]:
        """The cells that some relation covers: the verified ones, and those it contradicts."""
        contradicted = (
            span for one in self.contradictions for check in one.failing for span in check.cells
        )
        scaled = (cell.cell.span for column in self.scaled for cell in column.cells)
        repeated = (cell.cell.span for one in self.repeated for cell in one.cells)
        misnamed = (
            one.number.source.cell.span for column in self.misnamed for one in column.corrections
        )
        return self.verified.union(contradicted, scaled, repeated, misnamed)

    @cached_property
    def odd_settings(self) -> tuple[OddSetting, ...]:
        """The settings that the work of a step contradicts."""
        return find_odd_settings(self.report, self.formulas, self.rows)

    @cached_property
    def lacking(self) -> tuple[Lack, ...]:
        """Settings that nobody states, and how many cells each would allow to recompute."""
        # Asked for only by statistics.
        from mdbench.diagnosis.lacking import find_lacking  # noqa: PLC0415

        return find_lacking(self.rows, self.relations, self.verified)


def _is_stale(check: Check) -> bool:
    return isinstance(check, Applied) and check.found.is_stale


def _read_rows(report: Report) -> list[RunNumbers]:
    """The rows of all sheets; columns of one section with the same title are the same run."""
    rows: list[RunNumbers] = []
    labelled: dict[tuple[int, str], dict[str, Number]] = {}
    for sheet in report.sheets:
        if not any(column.has_numbers for column in sheet.columns):
            # Words contradict nothing.
            continue
        shared = stated_numbers(sheet.facts)
        for run in sheet.runs:
            # Nearly all runs have all facts of their sheet, and no settings of their own.
            facts = shared if run.facts is sheet.facts else stated_numbers(run.facts)
            stated = {**facts, **stated_numbers(settings=run.settings)} if run.settings else facts
            if not run.label:
                rows.append(RunNumbers.read(run, sheet, stated))
                continue
            known = labelled.setdefault((sheet.table.section, run.label), {})
            row = RunNumbers.read(run, sheet, {**known, **stated})
            known.update(row.settings())
            rows.append(row)
    return rows


def diagnose(report: Report) -> Diagnosis:
    """Recompute all that can be recomputed."""
    rows = list(join_rows(_read_rows(report)))
    if not rows:
        return Diagnosis(report, (), (), (), ())
    formulas = collect_formulas(report.document, report.vocabulary)
    stated = stated_relations(report.vocabulary)
    relations = (*stated, *own_relations(report, formulas, rows), *catalogue())
    laws = find_laws(rows, relations)
    others: tuple[AnyLaw, ...] = (
        *find_ratios_in_rows(rows),
        *find_perplexities(rows),
        *find_losses(rows),
        *find_expectations(rows, laws),
        *find_written(report, formulas, rows),
    )
    diagnosis = Diagnosis(report, tuple(rows), relations, laws, others)
    diagnosis.formulas = formulas
    return diagnosis
