"""The baselines: outlier detection by robust z-score and by isolation forest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from statistics import median

from mdbench.sheets.sheet import Sheet

Place = tuple[int, int]
_FAR = 3.5
_MAD_TO_SIGMA = 0.6745


def numeric_columns(sheet: Sheet) -> dict[int, dict[int, float]]:
    """The numbers of each mostly numeric column, by row."""
    places = {
        cell.span: (row, column)
        for row, line in enumerate(sheet.table.rows)
        for column, cell in enumerate(line.cells)
    }
    found: dict[int, dict[int, float]] = {}
    for one in sheet.measurements:
        value = one.numeral.value
        if one.part or value is None or one.cell.span not in places:
            continue
        row, column = places[one.cell.span]
        amount = one.amount
        scaled = value if amount is None else amount.value * amount.unit.scale
        found.setdefault(column, {})[row] = float(scaled)
    rows = len(sheet.layout.rows)
    return {at: column for at, column in found.items() if 2 * len(column) > rows}


def far_cells(columns: Mapping[int, Mapping[int, float]]) -> dict[Place, float]:
    """The cells with a robust z-score above 3.5, and their scores."""
    found: dict[Place, float] = {}
    for at, column in columns.items():
        middle = median(column.values())
        spread = median(abs(value - middle) for value in column.values())
        for row, value in column.items():
            if spread and (score := _MAD_TO_SIGMA * abs(value - middle) / spread) > _FAR:
                found[row, at] = score
    return found


def isolated_rows(columns: Mapping[int, Mapping[int, float]], rows: Sequence[int]) -> set[int]:
    """The rows that an isolation forest marks. Missing numbers become the column median."""
    if len(rows) < 2 or not columns:
        return set()
    middles = {at: median(column.values()) for at, column in columns.items()}
    matrix = [[columns[at].get(row, middles[at]) for at in columns] for row in rows]
    # Imported by name, because scikit-learn is an optional dependency.
    forest = import_module("sklearn.ensemble").IsolationForest(n_estimators=50, random_state=0)
    verdicts = forest.fit_predict(matrix)
    return {row for row, verdict in zip(rows, verdicts, strict=True) if verdict < 0}
