"""What results say of the tables and numbers that are bound to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_cell
from mdbench.numerals.numeral import Numeral
from mdbench.regex import lazy
from mdbench.results.agreement import Key, agrees, as_decimal, unit_of
from mdbench.results.bindings import (
    SAID,
    NumberBinding,
    TableBinding,
    find_bindings,
    said_name,
)
from mdbench.results.bound_cells import BoundCell, bind_cell
from mdbench.results.database import Database, ResultsError
from mdbench.results.groups import Group, ask_groups, describe_query
from mdbench.results.matching import BoundColumn, UnboundColumn, bind_columns
from mdbench.results.printing import habits_of, lone_habits, round_like, write_like
from mdbench.results.reasons import why_nothing_is_shown, why_rows_are_alike
from mdbench.results.row_settings import Settings, read_settings
from mdbench.results.tables import ResultColumn
from mdbench.sheets.measurements import CellKey, Measurement, Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import scale

# Results without a known spread that differ by more are not repetitions of one run.
_MOST_APART = Decimal("0.1")
_SPREADS_APART = 3
_ONE_COLUMN = lazy(r"\w+\(\s*\"?(?P<column>[\w.]+)\"?\s*\)|\"?(?P<bare>[\w.]+)\"?")


class Conflict(NamedTuple):
    """Several results for one cell that differ too much to be one run repeated."""

    cell: Measurement
    times: int
    least: Decimal
    most: Decimal
    where: str


class Unsaid(NamedTuple):
    """A cell that cannot be compared with its result, and why."""

    cell: Measurement
    why: str
    where: str


class BoundTable(NamedTuple):
    """A table beside its results."""

    binding: TableBinding
    sheet: Sheet | None = None
    columns: tuple[BoundColumn, ...] = ()
    unbound: tuple[UnboundColumn, ...] = ()
    cells: tuple[BoundCell, ...] = ()
    lacking: tuple[tuple[Run, str], ...] = ()
    """The runs without a result, and what was looked for."""
    surplus: tuple[Group, ...] = ()
    """The results without a run."""
    alike: tuple[tuple[Run, str], ...] = ()
    """The runs that nothing tells apart from another one, and what they have in common."""
    conflicts: tuple[Conflict, ...] = ()
    unsaid: tuple[Unsaid, ...] = ()
    problem: str = ""


class BoundNumber(NamedTuple):
    """A number in a sentence beside its result."""

    binding: NumberBinding
    text: str = ""
    """What should stand there."""
    drifted: bool = False
    value: Decimal | None = None
    problem: str = ""


class Comparison(NamedTuple):
    """All that is bound in a report, beside its results."""

    tables: tuple[BoundTable, ...] = ()
    numbers: tuple[BoundNumber, ...] = ()

    @property
    def exact(self) -> dict[CellKey, float]:
        """What the results say of the bound cells, in base units."""
        return {one.cell.key: one.base for table in self.tables for one in table.cells}

    @property
    def spreads(self) -> dict[CellKey, float]:
        """How far the results of the bound cells are spread, for their size."""
        return {
            one.cell.key: one.spread
            for table in self.tables
            for one in table.cells
            if one.spread is not None
        }


def compare(report: Report, database: Database) -> Comparison:
    """Compare everything that is bound with the results."""
    sheets = {sheet.table.span: sheet for sheet in report.sheets}
    tables: list[BoundTable] = []
    numbers: list[BoundNumber] = []
    for binding in find_bindings(report.document):
        if isinstance(binding, TableBinding):
            sheet = sheets.get(binding.table.span) if binding.table is not None else None
            tables.append(_compare_table(binding, sheet, database))
        else:
            numbers.append(_compare_number(report, binding, database))
    return Comparison(tuple(tables), tuple(numbers))


def _compare_table(binding: TableBinding, sheet: Sheet | None, database: Database) -> BoundTable:
    if binding.problem or sheet is None:
        return BoundTable(binding, sheet, problem=binding.problem or "the table cannot be read")
    try:
        results, whole = describe_query(binding.sql, sheet.vocabulary, database)
        results = tuple(_with_source(one, binding, results) for one in results)
        named = [header for header, _ in binding.columns]
        bound, unbound = bind_columns(sheet, results, named, whole, binding.aggregate)
        table = BoundTable(binding, sheet, bound, unbound)
        if all(one.is_key for one in bound):
            return table._replace(problem=why_nothing_is_shown(unbound, results))
        settings = read_settings(sheet, results, bound)
        if not settings.tell_rows_apart and len(sheet.runs) > 1:
            return table._replace(problem=why_rows_are_alike(sheet, results))
        groups = ask_groups(binding, bound, settings.columns, database)
    except ResultsError as error:
        return BoundTable(binding, sheet, problem=str(error))
    return _Rows(table, sheet, settings, groups).match()


def _with_source(
    one: ResultColumn, binding: TableBinding, results: Sequence[ResultColumn]
) -> ResultColumn:
    """A column that the comment gives; with the unit of the results if it is one of theirs."""
    for header, expression in binding.columns:
        if one.name == said_name(header):
            name = expression.strip().strip('"').casefold()
            source = next((each for each in results if each.name.casefold() == name), None)
            return source._replace(name=one.name) if source is not None else one
    return one


class _Row(NamedTuple):
    """A run, and which of the groups it may show."""

    run: Run
    where: str
    hits: list[int]
    near: list[int]
    """Those with the settings that the text around the table states."""


def _all_near(rows: Sequence[_Row]) -> Iterator[int]:
    for row in rows:
        yield from row.near


class _Rows:
    """The rows of a table beside the groups of results."""

    def __init__(
        self,
        table: BoundTable,
        sheet: Sheet,
        settings: Settings,
        groups: Sequence[Group],
    ) -> None:
        self.table = table
        self.sheet = sheet
        self.settings = settings
        self.groups = groups
        self.shown = [one for one in table.columns if not one.is_key]
        self.results = {one.name: one for one in settings.columns}
        self.habits = {one.column.index: habits_of(one.column) for one in self.shown}

    def match(self) -> BoundTable:
        """The table with what the results say of each run."""
        cells: list[BoundCell] = []
        lacking: list[tuple[Run, str]] = []
        alike: list[tuple[Run, str]] = []
        conflicts: list[Conflict] = []
        unsaid: list[Unsaid] = []
        rows = [self._find(run) for run in self.sheet.runs]
        # Two runs in one row, of two columns for example, may well show one result.
        times = Counter(at for _, at in {(row.run.number, at) for row in rows for at in row.hits})
        for run, where, hits, _ in rows:
            if not hits and self._measures(run):
                lacking.append((run, where))
            if any(times[at] > 1 for at in hits):
                alike.append((run, where))
                continue
            for bound in self.shown if hits else ():
                cell = _cell_of(run, bound)
                if cell is not None:
                    conflict = self._conflict(cell, bound, hits, where)
                    if conflict is not None:
                        conflicts.append(conflict)
                    elif len(hits) == 1:
                        made = self._bind(cell, bound, self.groups[hits[0]], where)
                        cells += [made] if isinstance(made, BoundCell) else []
                        unsaid += [made] if isinstance(made, Unsaid) else []
        return self.table._replace(
            cells=tuple(cells),
            lacking=tuple(lacking),
            unsaid=tuple(unsaid),
            surplus=tuple(self.groups[at] for at in sorted({*_all_near(rows)} - times.keys())),
            alike=tuple(alike),
            conflicts=tuple(conflicts),
        )

    def _find(self, run: Run) -> _Row:
        said = dict(self.settings.of(run))
        near = self._narrow(said)
        hits = [at for at in near if self._agrees(at, said)]
        where = ", ".join(
            f"{name.removeprefix(SAID)} = {_words(key)}" for name, key in said.items()
        )
        return _Row(run, where, hits, near)

    def _narrow(self, said: Mapping[str, Key]) -> list[int]:
        """The results with the settings stated around the table, as far as any result has them."""
        kept = [*range(len(self.groups))]
        for name in self.settings.vague:
            if name in said:
                kept = [at for at in kept if self._has(at, name, said[name])] or kept
        return kept

    def _agrees(self, at: int, said: Mapping[str, Key]) -> bool:
        own = self.settings.telling
        return all(self._has(at, name, said[name]) for name in own if name in said)

    def _has(self, at: int, name: str, key: Key) -> bool:
        return agrees(key, self.groups[at].settings[name], self.results[name])

    def _measures(self, run: Run) -> bool:
        """Whether a row shows a number that the results should give: not a title, not a remark."""
        shown = {one.column.index for one in self.shown}
        return any(one.column in shown and one.is_number for one in run.own)

    def _bind(
        self, cell: Measurement, bound: BoundColumn, group: Group, where: str
    ) -> BoundCell | Unsaid | None:
        value = as_decimal(group.values[bound.result.name].value)
        if value is None:
            return Unsaid(cell, "the results have no value", where) if cell.is_number else None
        if bound.spread is not None:
            spread = as_decimal(group.values[bound.spread.name].value)
        else:
            spread = as_decimal(group.deviations.get(bound.result.name))
        made = bind_cell(cell, bound, (value, spread), self.habits[bound.column.index], where)
        return made or Unsaid(cell, f"it is no number, and the results say {value:f}", where)

    def _conflict(
        self, cell: Measurement, bound: BoundColumn, hits: Sequence[int], where: str
    ) -> Conflict | None:
        if self.table.binding.aggregate:
            return None
        values = [self.groups[at].values[bound.result.name] for at in hits]
        ends = [
            end
            for one in values
            for end in (as_decimal(one.least), as_decimal(one.most))
            if end is not None
        ]
        count = sum(one.times for one in values)
        if count < 2 or not ends:
            return None
        least, most = min(ends), max(ends)
        room = _MOST_APART * max(abs(least), abs(most))
        if bound.spread is not None:
            spreads = (as_decimal(self.groups[at].values[bound.spread.name].most) for at in hits)
            room = max((_SPREADS_APART * one for one in spreads if one is not None), default=room)
        return Conflict(cell, count, least, most, where) if most - least > room else None


def _cell_of(run: Run, bound: BoundColumn) -> Measurement | None:
    return next(
        (one for one in run.own if one.column == bound.column.index and one.part == 0), None
    )


def _words(key: Key) -> str:
    return plain_text(key.raw) or key.numeral.text


def _compare_number(report: Report, binding: NumberBinding, database: Database) -> BoundNumber:
    if binding.problem:
        return BoundNumber(binding, problem=binding.problem)
    try:
        rows = database.ask(binding.sql).rows
    except ResultsError as error:
        return BoundNumber(binding, problem=str(error))
    value = as_decimal(rows[0][0]) if len(rows) == 1 and len(rows[0]) == 1 else None
    if value is None:
        return BoundNumber(binding, problem=f"the query must give one number, not {_shape(rows)}")
    raw = report.source.cut(binding.text)
    numeral = read_cell(raw)[0]
    value *= _factor(binding, numeral, database)
    habits = lone_habits(numeral)
    text = write_like(raw, numeral, value, habits)
    if text is None or numeral.value is None:
        return BoundNumber(binding, problem=f"{raw.strip()!r} is not a number that can be replaced")
    drifted = round_like(value, numeral, habits) != numeral.value
    return BoundNumber(binding, text if drifted else raw, drifted, value)


def _shape(rows: Sequence[Sequence[object]]) -> str:
    """What a query gives, in words: `3 rows`, `null`."""
    if len(rows) != 1:
        return f"{len(rows)} rows" if rows else "nothing"
    if len(rows[0]) != 1:
        return f"{len(rows[0])} columns"
    value = rows[0][0]
    return "null" if value is None else "a text" if isinstance(value, str) else str(value)


def _factor(binding: NumberBinding, numeral: Numeral, database: Database) -> Decimal:
    """What a value of one column is multiplied with to be in the unit that the sentence prints."""
    match = _ONE_COLUMN.fullmatch(binding.expression)
    name = (match["column"] or match["bare"]) if match is not None else ""
    column = database.columns_of(binding.sql).get(name)
    if column is None or column.is_bare or not numeral.unit or not numeral.value:
        return Decimal(1)
    for quantity in filter(None, (column.quantity, *column.candidates)):
        amount = scale(numeral, quantity)
        if amount is not None and (column.unit is not None or quantity is column.quantity):
            printed = amount.unit.scale * amount.value / numeral.value
            return unit_of(column, quantity).scale / printed
    return Decimal(1)
