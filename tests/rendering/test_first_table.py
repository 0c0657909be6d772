"""`table`: a first table tells its rows apart by all settings of the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from mdbench.rendering.first_table import write_first_table
from mdbench.rendering.updating import update
from mdbench.source import Source
from tests.rendering.test_update import STANDARD, open_runs

Run = Mapping[str, object]


def first_table(folder: Path, runs: Iterable[Run], columns: Sequence[str] = ()) -> list[str]:
    """The rows of the first table of these runs, cells separated by spaces."""
    with open_runs(folder, runs) as database:
        text = write_first_table(database, "runs", STANDARD, columns=columns)
        again = update(Source("report.md", text), STANDARD, database)
    assert (again.changes, again.remarks, again.behind) == ((), (), False)
    _, header, _, *rows = text.splitlines()
    return [" ".join(line.replace("|", "").split()) for line in (header, *rows)]


def crossed(name: str) -> list[Run]:
    times = {(2, 8): 1583.2, (2, 16): 2583.2, (4, 8): 820.4, (4, 16): 1420.4}
    return [
        {"model": "7B", "nodes": nodes, name: size, "step_time_ms": time}
        for (nodes, size), time in times.items()
    ]


@pytest.mark.parametrize("name", ["batch", "batch_size", "size", "threads", "level", "tree_depth"])
def test_no_setting_is_averaged(name: str, tmp_path: Path) -> None:
    title, *rows = first_table(tmp_path, crossed(name))
    words = name.replace("_", " ").capitalize()
    assert title == f"Nodes {words} Step time (ms)"
    assert rows == ["2 8 1583", "2 16 2583", "4 8 **820**", "4 16 1420"]


def test_repetitions_become_their_median(tmp_path: Path) -> None:
    times = ((2, 101.0), (2, 103.0), (2, 109.0), (4, 51.0), (4, 53.0))
    runs = [{"nodes": nodes, "step_time_ms": time} for nodes, time in times]
    assert first_table(tmp_path, runs)[1:] == ["2 103", "4 **52**"]


@pytest.mark.parametrize("columns", [(), ("retired",)], ids=["the only number", "asked for"])
def test_what_is_to_be_shown_tells_no_rows_apart(columns: Sequence[str], tmp_path: Path) -> None:
    beside = {"time_s": 2.5} if columns else {}
    pairs = (("a", 7), ("b", 9), ("b", 11))
    runs = [{"name": name, "retired": count, **beside} for name, count in pairs]
    with open_runs(tmp_path, runs) as database:
        text = write_first_table(database, "runs", STANDARD, columns=columns)
    assert [line.split()[1::2] for line in text.splitlines()[3:]] == [["a", "7"], ["b", "10"]]
