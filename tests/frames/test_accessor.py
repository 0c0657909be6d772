"""`df.bench`, and frames that polars and DuckDB read."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest

import mdbench

REPORT = """# Scaling

| Nodes | Precision | Tokens/s | Step time (s) | Memory |
|--:|--|--:|--:|--|
| 1 | bf16 | 1000 | 2.0 | 16 GB |
| 2 | bf16 | 1800 | 1.1 | 12 GB |
| 4 | bf16 | 3000 | 0.7 | 9 GB |
| 1 | fp8 | 1600 | 1.2 | 10 GB |
| 4 | fp8 | - | - | OOM |
"""


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "scaling.md"
    path.write_text(REPORT, encoding="utf-8")
    return path


@pytest.fixture
def runs(report: Path) -> pd.DataFrame:
    return mdbench.normalize(report, drop_empty=True)


def numbers(series: pd.Series[float]) -> list[float | None]:
    return [None if math.isnan(one) else round(one, 3) for one in map(float, series)]


def test_units_survive_what_drops_the_attributes(runs: pd.DataFrame) -> None:
    bare = pd.DataFrame(runs.to_dict("list"))
    assert bare.attrs == {}
    for frame in (runs, bare):
        assert frame.bench.units["memory_mib"] == "MiB"
        assert frame.bench.units["step_time_s"] == "s"
        assert "precision" not in frame.bench.units


def test_the_best_is_the_fastest_or_the_smallest(runs: pd.DataFrame) -> None:
    assert list(runs.bench.best("tokens_per_s")["nodes"]) == [4]
    assert list(runs.bench.best("step_time_s")["step_time_s"]) == [0.7]
    assert list(runs.bench.best("memory_mib", by="precision")["nodes"]) == [4, 1]
    assert list(runs.bench.best("tokens_per_s", by=["precision"])["tokens_per_s"]) == [3000, 1600]


def test_efficiency_is_the_share_of_ideal_scaling(runs: pd.DataFrame) -> None:
    by_rate = runs.bench.efficiency("tokens_per_s", by="precision")
    assert numbers(by_rate) == [1, 0.9, 0.75, 1, None]
    assert list(by_rate.index) == list(runs.index)
    assert numbers(runs.bench.efficiency("step_time_s", by="precision"))[:3] == [1, 0.909, 0.714]
    assert numbers(runs.bench.efficiency("tokens_per_s"))[0] == 0.625


def test_speedup_is_how_many_times_better(runs: pd.DataFrame) -> None:
    base = {"nodes": 1, "precision": "bf16"}
    assert numbers(runs.bench.speedup("tokens_per_s", base)) == [1, 1.8, 3, 1.6, None]
    assert numbers(runs.bench.speedup("step_time_s", base))[:2] == [1, 1.818]


def test_a_baseline_is_one_row(runs: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="is the baseline of 2 rows"):
        runs.bench.speedup("tokens_per_s", {"nodes": 1})
    with pytest.raises(ValueError, match="is the baseline of 0 rows"):
        runs.bench.speedup("tokens_per_s", {"nodes": 7})


def test_a_missing_column_is_named(runs: pd.DataFrame) -> None:
    with pytest.raises(KeyError, match="mfu"):
        runs.bench.best("mfu")


@pytest.mark.parametrize("shape", ["runs", "cells"])
def test_polars_reads_the_frame_without_a_copy(report: Path, shape: str) -> None:
    polars = pytest.importorskip("polars")
    table = mdbench.normalize_arrow(report, shape)
    frame = polars.DataFrame(table)
    assert frame.columns == table.column_names
    name = "tokens_per_s" if shape == "runs" else "value"
    (mine,) = table[name].chunks
    theirs = frame[name].to_arrow()
    assert theirs.buffers()[1].address == mine.buffers()[1].address
    assert frame[name].to_list() == table[name].to_pylist()


def test_duckdb_reads_the_frame(report: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = mdbench.normalize_arrow(report)
    with duckdb.connect() as database:
        database.register("runs", table)
        best = database.sql("select precision, max(tokens_per_s) from runs group by 1 order by 1")
        assert best.fetchall() == [("bf16", 3000.0), ("fp8", 1600.0)]


def test_the_arrow_frame_says_its_units(report: Path) -> None:
    field = mdbench.normalize_arrow(report).schema.field("memory_mib")
    assert field.metadata == {b"unit": b"MiB"}
    assert hasattr(mdbench.normalize_arrow(report), "__arrow_c_stream__")
