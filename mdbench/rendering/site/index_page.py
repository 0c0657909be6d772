"""The index page: all runs in one table, results first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import log2
from typing import NamedTuple

from mdbench.rendering.site.labels import show_number
from mdbench.rendering.site.views import ColumnMeaning, Page, RunView, join_unit

_FILTERED = ("model", "device", "nodes", "devices", "tp", "pp", "dp", "status")
_STATUS = ColumnMeaning(10_000, "status", "Status", "", measured=True)
_DONE = "ok"
_LOST = {"oom": "OOM", "failed": "failed"}
_MOST_CHOICES = 200
_MOST_COLUMNS = 40
_RESULTS_IN_TURN = 2
# Columns for fewer runs would leave more of the table empty than they fill.
_SHARE_OF_RUNS = 0.1


class ListedReport(NamedTuple):
    """A report in the list of reports."""

    page: Page
    href: str


class IndexCell(NamedTuple):
    """One value of a run in the table."""

    text: str
    value: float | None = None
    unit: str = ""
    """The printed unit, if it is not that of the column."""


class IndexColumn(NamedTuple):
    """A column of the table."""

    name: str
    title: str
    unit: str
    numeric: bool
    measured: bool
    rank: int
    """The columns with the lowest ranks are shown, as many as fit."""
    shared: str = ""
    """What all runs have in common, if that is all that the column says."""
    choices: tuple[str, ...] = ()
    """The texts to filter by."""
    result: bool = False
    """Whether it has results."""


class RunRow(NamedTuple):
    """A run in the table of all runs."""

    href: str
    report: str
    line: int
    severity: str
    codes: tuple[str, ...]
    slots: tuple[IndexCell, ...]
    lost: str = ""
    """What became of it, if it has no results."""
    result: str = ""
    """Its first result, for readers with room for columns that it does not fill."""


class IndexPage(NamedTuple):
    """The data of the index page."""

    entries: tuple[ListedReport, ...]
    headings: tuple[IndexColumn, ...]
    rows: tuple[RunRow, ...]
    counts: dict[str, int]
    numbers: int
    verified: int
    left_out: int = 0
    """The number of columns that few runs fill, and that are on the pages of the reports only."""


@dataclass(frozen=True, eq=False)
class _Column:
    """A column with the cells of all runs."""

    meaning: ColumnMeaning
    cells: tuple[IndexCell, ...]

    @property
    def shared(self) -> str:
        """The text of all its cells, if they are alike and there are several."""
        texts = {cell.text for cell in self.cells}
        return self.cells[0].text if len(texts) == 1 < len(self.cells) else ""

    @cached_property
    def filled(self) -> frozenset[int]:
        """The runs that it says something about."""
        said = (at for at, cell in enumerate(self.cells) if cell.text not in ("", _DONE))
        return frozenset(said)

    @property
    def is_result(self) -> bool:
        """Whether it has results. What became of a run without any is written beside its name."""
        return self.meaning.measured and self.meaning.name != _STATUS.name

    @property
    def telling(self) -> float:
        """How much it tells: how many runs it says something about, and how it tells them apart."""
        return len(self.filled) * log2(1 + len({self.cells[at].text for at in self.filled}))


def make_index(entries: Sequence[ListedReport]) -> IndexPage:
    """Collect the runs of all reports in one table."""
    runs = [(entry, run) for entry in entries for run in entry.page.runs]
    meanings = {one.name: one for entry in entries for one in entry.page.columns}
    if "model" in meanings:
        # The column of models has the parameters of a run without one.
        meanings.pop("params", None)
    found = [_fill(one, [run for _, run in runs]) for one in sorted((_STATUS, *meanings.values()))]
    ranks = _rank(found)
    kept = [one for one in found if ranks[one.meaning.name] < _MOST_COLUMNS]
    kept.sort(key=lambda one: not one.meaning.measured)
    results = [one for one in found if one.is_result]
    results.sort(key=lambda one: ranks[one.meaning.name])
    rows = tuple(
        RunRow(
            f"{entry.href}#{run.anchor}",
            entry.page.title,
            run.line,
            run.severity,
            run.codes,
            tuple(column.cells[at] for column in kept),
            _LOST.get(str(run.values.get("status")), ""),
            _first_result(results, at),
        )
        for at, (entry, run) in enumerate(runs)
    )
    counts: Counter[str] = Counter()
    for entry in entries:
        counts.update(entry.page.counts)
    return IndexPage(
        tuple(entries),
        tuple(_heading(one, ranks[one.meaning.name]) for one in kept),
        rows,
        dict(counts),
        sum(entry.page.numbers for entry in entries),
        sum(entry.page.verified for entry in entries),
        len(found) - len(kept),
    )


def _fill(meaning: ColumnMeaning, runs: Sequence[RunView]) -> _Column:
    """A column with the unit that the reports print: in its header if they agree, or in cells."""
    cells = [_show(run, meaning.name) for run in runs]
    units = {cell.unit or meaning.unit for cell in cells if cell.value is not None}
    if len(units) == 1:
        (unit,) = units
        return _Column(
            meaning._replace(unit=unit), tuple(IndexCell(one.text, one.value) for one in cells)
        )
    joined = (
        one if one.value is None else
        IndexCell(join_unit(one.text, one.unit or meaning.unit), one.value)
        for one in cells
    )  # fmt: skip
    return _Column(meaning._replace(unit=""), tuple(joined))


def _show(run: RunView, name: str) -> IndexCell:
    value = run.values.get(name)
    if name == "model" and value is None:
        params = run.number("params")
        return IndexCell(f"{show_number(params)} parameters" if params else "")
    if isinstance(value, bool):
        return IndexCell("yes" if value else "no")
    if isinstance(value, str):
        return IndexCell(value)
    number = run.number(name)
    if number is None:
        return IndexCell("")
    printed = run.printed.get(name)
    return IndexCell(show_number(number), number) if printed is None else IndexCell(
        printed.text, number, printed.unit
    )  # fmt: skip


def _rank(columns: Sequence[_Column]) -> dict[str, int]:
    """Results that leave few runs blank, two for a setting, then both in turns.

    What all runs share is last.
    """
    order = sorted(columns, key=lambda one: (bool(one.shared), -one.telling))
    covering = list(_cover([one for one in order if one.is_result]))
    others = (one for one in order if one.is_result and one not in covering)
    settings = (one for one in order if not one.is_result)
    ranked: list[_Column] = []
    for at in range(0, len(covering), _RESULTS_IN_TURN):
        ranked += (*covering[at : at + _RESULTS_IN_TURN], *islice(settings, 1))
    while turn := (*islice(settings, 1), *islice(others, 1)):
        ranked += turn
    return {one.meaning.name: rank for rank, one in enumerate(ranked)}


def _cover(results: Sequence[_Column]) -> Iterator[_Column]:
    """The results of most runs, and each next one of most runs without any so far."""
    blank = frozenset[int]().union(*(one.filled for one in results))
    enough = _SHARE_OF_RUNS * len(blank)
    while blank:
        best = max(results, key=lambda one: len(one.filled & blank))
        if len(best.filled & blank) < enough:
            break
        yield best
        blank -= best.filled


def _first_result(results: Sequence[_Column], at: int) -> str:
    """The first result of a run, with its title and unit."""
    for one in results:
        if at in one.filled:
            return f"{one.meaning.title} {join_unit(one.cells[at].text, one.meaning.unit)}"
    return ""


def _heading(column: _Column, rank: int) -> IndexColumn:
    slots = {cell for cell in column.cells if cell.text}
    meaning = column.meaning
    choices: tuple[str, ...] = ()
    if meaning.name in _FILTERED:
        order = sorted(slots, key=lambda slot: (slot.value or 0, slot.text.casefold(), slot.text))
        choices = tuple(dict.fromkeys(slot.text for slot in order))[:_MOST_CHOICES]
    return IndexColumn(
        meaning.name,
        meaning.title,
        meaning.unit,
        any(slot.value is not None for slot in slots),
        meaning.measured,
        rank,
        column.shared,
        choices,
        column.is_result,
    )
