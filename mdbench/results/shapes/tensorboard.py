"""The CSV files of TensorBoard's scalars: one for each run and tag, which are in its name."""

from __future__ import annotations

from mdbench.results.shapes.shape import Content, Part, Shape, header_of, rows_of
from mdbench.results.tables import Meaning

_COLUMNS = ["Wall time", "Step", "Value"]
_MEANINGS = {"step": Meaning("steps"), "run": Meaning("name"), "wall_time": Meaning("", "s")}


def _read(content: Content) -> list[Part] | None:
    if content.data is not None or header_of(content) != _COLUMNS:
        return None
    rows = rows_of(content, *_COLUMNS)
    name = content.path.rpartition("/")[2].removesuffix(".csv").removeprefix("run-")
    run, between, tag = name.partition("-tag-")
    if not between:
        run, tag = "", "value"
    records = [
        {"run": run or None, "step": row["Step"], "wall_time": row["Wall time"], tag: row["Value"]}
        for row in rows
    ]
    return [Part(records, _MEANINGS)] if records else None


TENSORBOARD = Shape("TensorBoard", _read)
