"""Files of no known tool: records of any kind, nested ones by dotted names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.results.conftest import Open

_NESTED = [
    {"model": "7B", "nodes": 1, "metrics": {"step_time_ms": 810.5, "loss": {"train": 2.5}}},
    {"model": "7B", "nodes": 2, "metrics": {"step_time_ms": 420.25, "loss": {"train": 2.5}}},
]
_QUERY = 'select nodes, "metrics.step_time_ms", "metrics.loss.train" from runs order by nodes'
_ROWS = [(1, 810.5, 2.5), (2, 420.25, 2.5)]


def _lines(records: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("runs.json", json.dumps(_NESTED)),
        ("runs.json", json.dumps({"date": "today", "host": {"cpu": "x"}, "runs": _NESTED})),
        ("runs.json", json.dumps({"suite": {"runs": _NESTED}, "others": []})),
        ("runs.jsonl", _lines(_NESTED)),
        ("runs.ndjson", _lines(_NESTED)),
        # A file of lines that is called otherwise.
        ("runs.json", _lines(_NESTED)),
        ("runs.txt", _lines(_NESTED)),
    ],
)
def test_nested_records_have_dotted_names(
    name: str, text: str, tmp_path: Path, opened: Open
) -> None:
    (tmp_path / name).write_text(text)
    database = opened(tmp_path, {"runs": name})
    assert database.problems == {}
    assert database.ask(_QUERY).rows == _ROWS
    column = next(
        one for one in database.tables["runs"].columns if one.name == "metrics.step_time_ms"
    )
    assert column.quantity is not None
    assert (column.quantity.name, column.unit and column.unit.text) == ("step_time_s", "ms")


def test_what_stands_around_a_list_is_in_each_record(tmp_path: Path, opened: Open) -> None:
    around = {"model": "13B", "host": {"gpu": "A"}, "runs": [{"nodes": 1}, {"nodes": 2}]}
    (tmp_path / "runs.json").write_text(json.dumps(around))
    database = opened(tmp_path, {"runs": "runs.json"})
    rows = database.ask('select nodes, model, "host.gpu" from runs').rows
    assert rows == [(1, "13B", "A"), (2, "13B", "A")]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow", "feather"])
def test_rows_of_tables_are_read(suffix: str, tmp_path: Path, opened: Open) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet  # noqa: PLC0415

    table = pa.table({"nodes": [1, 2], "time_ms": [8.5, 4.25]})
    path = tmp_path / f"runs.{suffix}"
    if suffix == "parquet":
        parquet.write_table(table, path)
    elif suffix in ("arrow", "feather"):
        feather.write_feather(table, path)
    else:
        between = "," if suffix == "csv" else "\t"
        lines = [("nodes", "time_ms"), ("1", "8.5"), ("2", "4.25")]
        path.write_text("".join(f"{between.join(line)}\n" for line in lines))
    database = opened(tmp_path, {"runs": path.name})
    assert database.problems == {}
    assert database.ask("select nodes, time_ms, file from runs").rows == [
        (1, 8.5, path.name),
        (2, 4.25, path.name),
    ]


def test_files_of_several_kinds_are_one_table(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "a.csv").write_text("nodes,time_s\n1,8\n")
    (tmp_path / "b.json").write_text('[{"nodes": 2, "loss": 2.5}]')
    (tmp_path / "c.jsonl").write_text('{"nodes": 4, "time_s": 2}\n')
    database = opened(tmp_path, {"runs": "*.*"})
    rows = database.ask("select file, nodes, time_s, loss from runs order by nodes").rows
    assert rows == [("a.csv", 1, 8, None), ("b.json", 2, None, 2.5), ("c.jsonl", 4, 2, None)]


def test_files_of_one_tool_have_one_unit(tmp_path: Path, fixtures: Path, opened: Open) -> None:
    """tinybench writes ms, and ns where its table was written."""
    for name in ("tinybench.json", "tinybench-table.json"):
        (tmp_path / name).write_bytes((fixtures / name).read_bytes())
    database = opened(tmp_path, {"runs": "*.json"})
    rows = database.ask("select round(latency_mean) from runs where name = 'sort'").rows
    assert rows == [(37509.0,), (37509.0,)]
