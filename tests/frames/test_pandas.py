"""The frames as data: all readers of Parquet and Arrow get the same, with units and a version."""

from __future__ import annotations

import io
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

import mdbench
from mdbench.files.discovery import find_reports
from mdbench.frames import pandas as frames
from mdbench.frames.frame_columns import ColumnType, Shape, TidyRow, Value, fields
from mdbench.frames.rows import read_rows
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
FUGAKU = REPORTS / "fugaku-30b.md"

# Nodes and TFLOPs of the rows of fugaku-30b.md with MP 4, in the order of the report.
TP_4 = [
    (192, 1.10),
    (3072, 0.82),
    (192, 1.16),
    (384, 1.115),
    (768, 1.045),
    (1152, 0.975),
    (1536, 0.92),
    (3072, 0.725),
    (6144, 0.505),
]


def read_all(path: Path, shape: Shape) -> list[TidyRow]:
    return [row for report in find_reports([str(path)]) for row in read_rows(report, shape)]


def write(path: Path, shape: Shape) -> Path:
    rows = read_all(REPORTS, shape)
    with path.open("wb") as sink:
        write_format = frames.write_parquet if path.suffix == ".parquet" else frames.write_arrow
        write_format(rows, frames.schema(shape, STANDARD), sink)
    return path


def ask(sql: str) -> list[tuple[Any, ...]]:
    return duckdb.execute(sql).fetchall()


@pytest.fixture(scope="module", params=list(Shape))
def shape(request: pytest.FixtureRequest) -> Shape:
    return Shape(request.param)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("runs") / "runs.parquet", Shape.RUNS)


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("cells") / "cells.parquet", Shape.CELLS)


def test_duckdb_queries_the_runs(runs: Path) -> None:
    found = ask(
        f"select nodes, tflops_per_device from '{runs}' "
        "where tp = 4 and report like '%fugaku-30b.md' order by line"
    )
    assert found == TP_4


def test_duckdb_queries_the_cells(cells: Path) -> None:
    found = ask(
        f"select line, value, unit, note from '{cells}' "
        "where quantity = 'memory_mib' and raw like '%OOM%' and report like '%fugaku-30b.md' "
        "order by line"
    )
    assert found == [(24, 29138.6, "MiB", "OOM after first epoch"), (27, 29087.7, "MiB", "OOM")]


def test_duckdb_queries_extra(tmp_path: Path) -> None:
    report = tmp_path / "a.md"
    report.write_text("| Nodes | Sec/it | Colour |\n|--|--|--|\n| 4 | 12.5 | red |\n")
    with (tmp_path / "runs.parquet").open("wb") as sink:
        frames.write_parquet(
            read_all(report, Shape.RUNS), frames.schema(Shape.RUNS, STANDARD), sink
        )
    found = ask(f"select extra['Colour'] from '{tmp_path}/runs.parquet'")
    assert found in [[("red",)], [(["red"],)]]  # a map gives a list before duckdb 1.3


def test_polars_reads_the_same_from_parquet(runs: Path) -> None:
    frame = pl.read_parquet(runs).filter(
        (pl.col("tp") == 4) & pl.col("report").str.ends_with("fugaku-30b.md")
    )
    assert frame.select("nodes", "tflops_per_device").rows() == TP_4


def test_polars_reads_the_same_from_arrow(tmp_path: Path) -> None:
    path = write(tmp_path / "runs.arrow", Shape.RUNS)
    frame = pl.read_ipc(path).filter(
        (pl.col("tp") == 4) & pl.col("report").str.ends_with("fugaku-30b.md")
    )
    assert frame.select("nodes", "tflops_per_device").rows() == TP_4


def test_pandas_reads_the_same(runs: Path) -> None:
    frame = pd.read_parquet(runs)
    found = frame[(frame["tp"] == 4) & frame["report"].str.endswith("fugaku-30b.md")]
    assert list(zip(found["nodes"], found["tflops_per_device"], strict=True)) == TP_4


def test_pyarrow_reads_parquet_and_arrow_alike(tmp_path: Path, shape: Shape) -> None:
    from_parquet = parquet.read_table(write(tmp_path / "a.parquet", shape))
    with ipc.open_file(write(tmp_path / "a.arrow", shape)) as file:
        from_arrow = file.read_all()
    assert from_parquet.num_rows > 0
    assert from_arrow.equals(from_parquet, check_metadata=False)


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_the_schema_has_its_version_and_every_unit(
    tmp_path: Path, shape: Shape, suffix: str
) -> None:
    path = write(tmp_path / f"a.{suffix}", shape)
    schema = parquet.read_schema(path) if suffix == "parquet" else ipc.open_file(path).schema
    assert schema.metadata[b"mdbench.schema_version"] == frames.SCHEMA_VERSION.encode()
    assert schema.metadata[b"mdbench.shape"] == shape.value.encode()
    units = {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in schema}
    assert units == {field.name: field.unit for field in fields(shape, STANDARD)}


@pytest.mark.parametrize(
    ("column", "unit"),
    [("memory_mib", "MiB"), ("step_time_s", "s"), ("latency_ms", "ms"), ("clock_ghz", "GHz")],
)
def test_a_column_is_in_the_unit_of_its_name(column: str, unit: str) -> None:
    assert frames.schema(Shape.RUNS, STANDARD).field(column).metadata == {b"unit": unit.encode()}
    assert STANDARD.quantities[column].unit.text == unit


class WatchedRow(dict[str, Value]):
    """A row that can be tracked until it is garbage-collected."""


@pytest.mark.parametrize("write_format", [frames.write_parquet, frames.write_arrow])
def test_no_more_than_two_batches_are_in_memory(
    monkeypatch: pytest.MonkeyPatch, write_format: Callable[..., None]
) -> None:
    monkeypatch.setattr(frames, "BATCH_ROWS", 10)
    gone: list[object] = []
    alive: list[int] = []
    watches: list[object] = []

    def make_rows() -> Iterator[TidyRow]:
        for line in range(1, 1001):
            row = WatchedRow(report="a.md", line=line)
            watches.append(weakref.ref(row, gone.append))
            alive.append(line - len(gone))
            yield row

    write_format(make_rows(), frames.schema(Shape.RUNS, STANDARD), io.BytesIO())
    assert len(alive) == 1000
    assert 10 <= max(alive) <= 21


def test_batches_are_written_while_rows_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "BATCH_ROWS", 10)
    sink = io.BytesIO()
    sizes: list[int] = []

    def make_rows() -> Iterator[TidyRow]:
        for line in range(50):
            sizes.append(sink.tell())
            yield {"report": f"{line}.md", "line": line}

    frames.write_parquet(make_rows(), frames.schema(Shape.CELLS, STANDARD), sink)
    assert sizes[0] < sizes[11] < sizes[21] < sizes[31]


def test_an_empty_frame_has_every_column(shape: Shape) -> None:
    sink = io.BytesIO()
    frames.write_parquet([], frames.schema(shape, STANDARD), sink)
    table = parquet.read_table(pa.BufferReader(sink.getvalue()))
    assert table.num_rows == 0
    assert table.column_names == [field.name for field in fields(shape, STANDARD)]


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(str(FUGAKU), id="one string"),
        pytest.param(FUGAKU, id="one Path"),
        pytest.param([FUGAKU], id="a list of Paths"),
        pytest.param((str(FUGAKU), FUGAKU), id="the same file twice"),
        pytest.param(iter([FUGAKU]), id="an iterator"),
    ],
)
def test_normalize_accepts(paths: list[Path]) -> None:
    frame = mdbench.normalize(paths)
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 16
    assert list(frame.columns) == [field.name for field in fields(Shape.RUNS, STANDARD)]


def test_normalize_searches_folders() -> None:
    names = mdbench.normalize(REPORTS)["report"].map(lambda path: Path(path).name)
    assert names.value_counts(sort=False).to_dict() == {
        "bigscience-1b3.md": 35,
        "fmengine.md": 3,
        "fugaku-1.3b.md": 17,
        "fugaku-30b.md": 16,
        "nanotron-nemo.md": 8,
    }


def test_normalize_returns_cells_with_position_and_raw_text() -> None:
    cells = mdbench.normalize(FUGAKU, shape="cells")
    text = FUGAKU.read_text(encoding="utf-8").splitlines()
    inside = cells[cells["row"].notna()].to_dict(orient="records")
    assert len(inside) > 100
    for cell in inside:
        assert text[cell["line"] - 1][cell["column"] - 1 : cell["end_column"] - 1] == cell["raw"]


def test_normalize_without_paths_is_an_empty_frame() -> None:
    frame = mdbench.normalize([])
    assert len(frame) == 0
    assert "step_time_s" in frame.columns


DTYPES = {
    ColumnType.TEXT: "string",
    ColumnType.WHOLE: "Int64",
    ColumnType.NUMBER: "float64",
    ColumnType.FLAG: "boolean",
    ColumnType.TEXTS: "object",
    ColumnType.MAP: "object",
}
MIXES = [
    pytest.param([], id="no file"),
    pytest.param(["no table"], id="no rows"),
    pytest.param(["| Nodes | Sec/it |\n|--|--|\n| 4 | 12.5 |"], id="whole numbers"),
    pytest.param(["| Nodes | Sec/it |\n|--|--|\n| 4 | 12 |\n| - | 3 |"], id="a missing number"),
    pytest.param(["| Nodes | Sec/it |\n|--|--|\n| 4.5 | - |"], id="a fraction of a node"),
    pytest.param(["| Nodes | ZeRO-1 | Colour |\n|--|--|--|\n| 4 | yes | red |"], id="a flag"),
    pytest.param(
        ["| Model | MFU |\n|--|--|\n| A | 40% |", "| TP | Memory |\n|--|--|\n| 2 | OOM |"],
        id="two reports",
    ),
]


@pytest.mark.parametrize("texts", MIXES)
def test_dtypes_do_not_depend_on_the_reports(
    tmp_path: Path, shape: Shape, texts: list[str]
) -> None:
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.md").write_text(f"{text}\n")
    frame = mdbench.normalize(tmp_path if texts else [], shape.value)
    expected = {field.name: DTYPES[field.kind] for field in fields(shape, STANDARD)}
    assert {name: dtype.name for name, dtype in frame.dtypes.items()} == expected


@pytest.mark.parametrize("texts", MIXES)
def test_pandas_reads_the_same_dtypes_from_parquet(
    tmp_path: Path, shape: Shape, texts: list[str]
) -> None:
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.md").write_text(f"{text}\n")
    rows = read_all(tmp_path, shape) if texts else []
    with (tmp_path / "a.parquet").open("wb") as sink:
        frames.write_parquet(rows, frames.schema(shape, STANDARD), sink)
    expected = {field.name: DTYPES[field.kind] for field in fields(shape, STANDARD)}
    found = pd.read_parquet(tmp_path / "a.parquet")
    assert {name: dtype.name for name, dtype in found.dtypes.items()} == expected


def test_extra_is_a_dict_and_codes_are_a_list(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "| Nodes | Sec/it | Colour |\n|--|--|--|\n| 4 | 12.5^ | red |\n| 8 | 7 | |\n"
    )
    frame = mdbench.normalize(tmp_path)
    assert frame["extra"].tolist() == [{"Colour": "red"}, {}]
    assert frame["markers"].tolist() == [["^"], []]
    assert frame["findings"].tolist() == [["MB207"], []]


def test_the_frame_knows_the_units_of_its_columns(shape: Shape) -> None:
    frame = mdbench.normalize(FUGAKU, shape.value)
    units = {field.name: field.unit for field in fields(shape, STANDARD) if field.unit}
    assert frame.attrs["units"] == units


def test_a_fraction_in_a_column_of_whole_numbers_is_kept_in_extra(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "- Micro batch size: 2.5\n\n| Nodes | Sec/it |\n|--|--|\n| 1.5 | 3 |\n| 2 | 4 |\n"
    )
    frame = mdbench.normalize(tmp_path)
    assert frame["nodes"].isna().tolist() == [True, False]
    assert frame["micro_batch"].isna().all()
    assert frame["extra"].tolist() == [
        {"Nodes": "1.5", "micro_batch": "2.5"},
        {"micro_batch": "2.5"},
    ]
    cells = mdbench.normalize(tmp_path, "cells").set_index("raw")
    assert cells.loc["1.5", "value"] == 1.5


def test_empty_columns_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("| Nodes | Sec/it |\n|--|--|\n| 4 | 12.5 |\n")
    (tmp_path / "b.md").write_text("| TP | Sec/it | Colour |\n|--|--|--|\n| 4 | 12 | red |\n")
    frame = mdbench.normalize(tmp_path, drop_empty=True)
    assert list(frame.columns) == [
        *("report", "table", "row", "line", "source", "status"),
        *("nodes", "tp", "step_time_s", "extra"),
    ]
    assert frame.attrs["units"] == {"nodes": "node", "step_time_s": "s"}
    whole = mdbench.normalize(tmp_path)
    pd.testing.assert_frame_equal(frame, whole[frame.columns])


def test_a_frame_without_rows_keeps_its_columns(shape: Shape) -> None:
    frame = mdbench.normalize([], shape.value, drop_empty=True)
    assert list(frame.columns) == [field.name for field in fields(shape, STANDARD)]


def test_normalize_rejects_other_shapes() -> None:
    with pytest.raises(ValueError, match="rows"):
        mdbench.normalize(FUGAKU, shape="rows")


def test_normalize_reports_the_missing_path(tmp_path: Path) -> None:
    with pytest.raises(mdbench.ProblemError, match=r"gone\.md: no such file or folder"):
        mdbench.normalize([FUGAKU, tmp_path / "gone.md"])


def test_normalize_reports_the_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    with pytest.raises(mdbench.ProblemError, match=r"latin\.md: is not UTF-8"):
        mdbench.normalize(tmp_path)


def test_parse_reads_a_text() -> None:
    report = mdbench.parse("# Runs\n\n| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n")
    (sheet,) = report.sheets
    names = [one.header.quantity.name for one in sheet.columns if one.header.quantity is not None]
    assert names == ["nodes", "step_time_s"]


def test_the_package_exports_only_existing_names() -> None:
    assert {"ProblemError", "normalize", "parse", "__version__"} <= set(dir(mdbench))
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = mdbench.nothing_like_it
