"""CSV files of Weights & Biases: the table of runs, and the lines of a chart."""

from __future__ import annotations

from mdbench.results.shapes.shape import Content, Part, Record, Shape, header_of, rows_of
from mdbench.results.tables import Meaning

_RUNS = ("Name", "State", "Created", "Runtime")
_OF_RUNS = {
    **dict.fromkeys(("Notes", "Sweep", "Tags", "User"), Meaning()),
    "Name": Meaning("name"),
    "State": Meaning("status"),
    "Runtime": Meaning("time_s", "s"),
    "Created": Meaning("date"),
}
_AXES = frozenset(("Step", "_step", "Relative Time (Process)", "Relative Time (Wall)", "Wall Time"))
_OF_LINES = {"step": Meaning("steps"), "run": Meaning("name")}
_ENDS = {"__MIN": "_min", "__MAX": "_max"}
_BETWEEN = " - "


def _read(content: Content) -> list[Part] | None:
    runs = rows_of(content, *_RUNS)
    if runs:
        return [Part(runs, _OF_RUNS)]
    axis, *lines = header_of(content) or [""]
    if axis not in _AXES or not lines or not all(_BETWEEN in line for line in lines):
        return None
    rows = rows_of(content, axis)
    return [Part(_read_lines(rows, axis, lines), _OF_LINES)] if rows else None


def _read_lines(rows: list[Record], axis: str, lines: list[str]) -> list[Record]:
    """One record for each step of each run: `lucky-sea-3 - loss` is the loss of a run."""
    records: dict[tuple[object, str], Record] = {}
    name = "step" if axis.strip("_").lower() == "step" else axis
    for row in rows:
        for line in lines:
            run, _, metric = line.rpartition(_BETWEEN)
            for end, short in _ENDS.items():
                metric = metric.removesuffix(end) + short if metric.endswith(end) else metric
            # A column of `_step` repeats the axis.
            if row[line] is None or metric.startswith("_step"):
                continue
            record = records.setdefault((row[axis], run), {name: row[axis], "run": run})
            record[metric] = row[line]
    return list(records.values())


WANDB = Shape("Weights & Biases", _read)
