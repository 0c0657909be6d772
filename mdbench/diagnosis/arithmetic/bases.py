"""What rows may be compared with: a baseline row, the first of a group, the best one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mdbench.diagnosis.arithmetic.grid import Grid, Line, Name
from mdbench.diagnosis.arithmetic.laws import Base
from mdbench.diagnosis.arithmetic.words import Wanted, wanted_of
from mdbench.diagnosis.numbers import UNNAMED, Number
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Role

_BASELINE = lazy(r"(?i)\b(?:baseline|base|reference|ref)\b|基线|基准|ベースライン|^\W*$")
_PREVIOUS = lazy(
    r"(?i)\b(?:previous|prev|prior|preceding|step|last|month over month|mom|yoy)\b|"
    r"上一|前月|前年|前回|较上|环比"
)
WORKERS = frozenset(
    ("nodes", "devices", "threads", "cpu_cores", "processes", "sockets", "dp", "instances")
)
"""What shares the work: a speed-up by their number is an efficiency."""
_MOST_KEYS = 8
_Keys = Sequence[tuple[int, Mapping[int, str]]]
"""Columns, each with the text of every row."""
Kinds = Sequence[Sequence[int]]
"""The rows of each kind."""


class Bases:
    """What the rows of a table may have been compared with."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        # Most lines have numbers in the same rows.
        self._groups: dict[tuple[int, ...], list[Base]] = {}
        self._settings: dict[tuple[int, ...], _Keys] = {}
        self._neutral: dict[tuple[int, int], frozenset[int]] = {}
        self._kinds: dict[tuple[int, ...], Sequence[Kinds]] = {}

    @cached_property
    def places(self) -> Mapping[Name, int]:
        """The lines of the table by their names."""
        return {line.name: at for at, line in enumerate(self.grid.lines)}

    @cached_property
    def wanted(self) -> Sequence[Wanted]:
        """What the title of each line says."""
        return [wanted_of(line) for line in self.grid.lines]

    @cached_property
    def _texts(self) -> Mapping[int, Mapping[int, str]]:
        return setting_texts(self.grid)

    def kinds(self, rows: Sequence[int]) -> Sequence[Kinds]:
        """The rows by what a column says of them, for each that says it of a few of each kind."""
        if len(rows) < 2 * ROWS_IF_NAMED:
            return ()
        key = tuple(rows)
        if key not in self._kinds:
            self._kinds[key] = list(_find_kinds(rows, self._texts.values()))
        return self._kinds[key]

    def find(self, result: Line, source: Line) -> Iterator[Base]:
        """The baselines that the rows of a result may have been compared with."""
        rows = [row for row in source.numbers if row in result.numbers or row in result.words]
        if len(rows) < 2:
            return
        if _PREVIOUS.search(result.title) is not None:
            yield Base("the row above", dict(zip(rows[1:], rows, strict=False)), moves=True)
        if result.place not in self._neutral:
            self._neutral[result.place] = frozenset(_neutral_rows(result))
        known = self._neutral[result.place]
        neutral = [row for row in rows if row in known]
        if neutral:
            yield Base("the row above without a change", _nearest_above(rows, neutral))
            if len(neutral) == 1 and neutral[0] == rows[0]:
                return
            if not self.grid.by_rows:
                yield from self._of_each_group(tuple(rows), neutral)
        yield Base("the first row", dict.fromkeys(rows, rows[0]))
        if neutral and neutral[0] != rows[0]:
            yield Base("the row without a change", dict.fromkeys(rows, neutral[0]))
        least = min(rows, key=lambda row: source.numbers[row].value)
        most = max(rows, key=lambda row: source.numbers[row].value)
        if not neutral or least in neutral:
            yield Base("the smallest", dict.fromkeys(rows, least))
        if not neutral or most in neutral:
            yield Base("the largest", dict.fromkeys(rows, most))
        if not self.grid.by_rows:
            yield from self._by_groups(tuple(rows))

    def _by_groups(self, rows: tuple[int, ...]) -> list[Base]:
        if rows not in self._groups:
            self._groups[rows] = list(_by_groups(self.grid, rows, self._keys(rows)))
        return self._groups[rows]

    def _of_each_group(self, rows: tuple[int, ...], neutral: Sequence[int]) -> Iterator[Base]:
        """The only row without a change of those that agree in one setting, wherever it stands."""
        above = _nearest_above(rows, neutral)
        for at, cells in self._keys(rows) if len(neutral) > 1 else ():
            baselines = {cells[row]: row for row in neutral}
            if len(baselines) == len(neutral) and baselines.keys() == set(cells.values()):
                found = {row: baselines[cells[row]] for row in rows}
                if found != above:
                    title = _title(self.grid, at)
                    yield Base(f"the row without a change with the same {title}", found)

    def _keys(self, rows: tuple[int, ...]) -> _Keys:
        """The columns that say what all rows are about, and do not say the same of all."""
        if rows not in self._settings:
            wanted = frozenset(rows)
            columns = (
                (at, {row: text for row, text in cells.items() if row in wanted})
                for at, cells in self._texts.items()
            )
            self._settings[rows] = [
                (at, cells)
                for at, cells in columns
                if len(cells) == len(rows) and len(set(cells.values())) > 1
            ][:_MOST_KEYS]
        return self._settings[rows]


def _find_kinds(rows: Sequence[int], texts: Iterable[Mapping[int, str]]) -> Iterator[Kinds]:
    for cells in texts:
        kinds: dict[str, list[int]] = {}
        for row in rows:
            kinds.setdefault(cells.get(row, ""), []).append(row)
        if len(kinds) > 1 and min(map(len, kinds.values())) >= ROWS_IF_NAMED:
            yield [*kinds.values()]


def _neutral_rows(result: Line) -> Iterator[int]:
    """The rows that say that they are what the others are compared with."""
    value = neutral_value(result)
    yield from (row for row, number in result.numbers.items() if number.value == value)
    for row, word in result.words.items():
        if row not in result.numbers and _BASELINE.search(word.cell.raw):
            yield row


def neutral_value(result: Line) -> float:
    """What a comparison says of its baseline."""
    quantity = result.header.quantity
    changes = quantity is not None and quantity.name in ("change", "difference")
    return 0.0 if changes else 1.0


def find_baseline(result: Line) -> Number | None:
    """The first row, if it says that the others are compared with it: it is exactly that."""
    first = min([*result.numbers, *result.words], default=-1)
    if first < 0 or first not in _neutral_rows(result):
        return None
    printed = result.numbers.get(first)
    value = neutral_value(result)
    one = printed.source if printed is not None else result.words[first]
    return Number(value, value, value, value, 1.0, one.quantity or UNNAMED, one)


def _nearest_above(rows: Sequence[int], neutral: Sequence[int]) -> Mapping[int, int]:
    found: dict[int, int] = {}
    at = neutral[0]
    known = frozenset(neutral)
    for row in rows:
        at = row if row in known else at
        found[row] = at
    return found


def _by_groups(grid: Grid, rows: Sequence[int], keys: _Keys) -> Iterator[Base]:
    """The first row of those that agree in all settings but one, or in one setting alone."""
    for at, _ in keys:
        others = [cells for other, cells in keys if other != at]
        if others:
            groups = {row: tuple(cells[row] for cells in others) for row in rows}
            title = _title(grid, at)
            first = list(_first_of_each(rows, groups, f"the first row with another {title}"))
            yield from first
            ranked = _ranked(grid, rows, at)
            if ranked is not None:
                kind = f"the row with the smallest {title}"
                least = _first_of_each(ranked, groups, kind)
                yield from (one for one in least if all(one.rows != each.rows for each in first))
    for at, cells in keys:
        groups = {row: (cells[row],) for row in rows}
        yield from _first_of_each(rows, groups, f"the first row with the same {_title(grid, at)}")


def _ranked(grid: Grid, rows: Sequence[int], at: int) -> Sequence[int] | None:
    """The rows by how many share the work, the fewest first; None for other columns."""
    column = grid.sheet.columns[at]
    if column.header.quantity is None or column.header.quantity.name not in WORKERS:
        return None
    numbers = {one.run: one.amount.value for one in column.mains if one.amount}
    return sorted(rows, key=numbers.__getitem__) if numbers.keys() >= set(rows) else None


def _first_of_each(
    rows: Sequence[int], groups: Mapping[int, tuple[str, ...]], kind: str
) -> Iterator[Base]:
    first: dict[tuple[str, ...], int] = {}
    for row in rows:
        first.setdefault(groups[row], row)
    if 1 < len(first) < len(rows):
        yield Base(kind, {row: first[groups[row]] for row in rows})


def _title(grid: Grid, at: int) -> str:
    return grid.sheet.columns[at].header.text


def setting_texts(grid: Grid) -> Mapping[int, Mapping[int, str]]:
    """The text of each cell that says what a row is about, by column; a blank repeats the last."""
    found: dict[int, dict[int, str]] = {}
    for column in grid.sheet.columns:
        quantity = column.header.quantity
        chosen = quantity is not None and quantity.role in (Role.SETTING, Role.IDENTITY)
        words = sum(one.numeral.form is Form.TEXT for one in column.mains)
        if not chosen and 2 * words < len(column.mains):
            continue
        cells: dict[int, str] = {}
        last = ""
        for one in column.mains:
            last = plain_text(one.cell.raw).strip() or last
            cells[one.run] = last
        found[column.index] = cells
    return found
