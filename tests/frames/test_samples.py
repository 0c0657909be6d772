"""The frames of the five sample reports, cell by cell, as a careful reader expects them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.frames.frame_columns import Shape, TidyRow, Value, fields
from mdbench.frames.rows import tidy_rows
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import Role, standard_vocabulary

STANDARD = standard_vocabulary()

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
RUNS = {
    "nanotron-nemo": 8,
    "fugaku-1.3b": 17,
    "bigscience-1b3": 35,
    "fugaku-30b": 16,
    "fmengine": 3,
}
PLAIN, DECORATED, MEASURED = 520, 71, 165

# Numbers are recognized independently of the reader under test.
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DATE = re.compile(r"\d{1,2}[-/]\d{1,2}")


@pytest.fixture(params=["reports", "seeds"])
def folder(request: pytest.FixtureRequest) -> Path:
    """Our reports, and the samples they were made from."""
    if request.param == "reports":
        return REPORTS
    seeds: Path = request.getfixturevalue("seeds")
    return seeds


def read(folder: Path, name: str) -> Report:
    path = folder / f"{name}.md"
    return read_report(Source(path.name, path.read_text(encoding="utf-8")), STANDARD)


def read_runs(folder: Path, name: str) -> list[TidyRow]:
    return list(tidy_rows(read(folder, name), Shape.RUNS))


def read_cells(folder: Path, name: str) -> list[TidyRow]:
    return list(tidy_rows(read(folder, name), Shape.CELLS))


def cells_of_tables(folder: Path) -> list[TidyRow]:
    """The first reading of every table cell of the five reports, without facts and prose."""
    rows = [row for name in RUNS for row in read_cells(folder, name) if row["row"] is not None]
    firsts = {(row["report"], row["line"], row["column"]): row for row in reversed(rows)}
    return list(firsts.values())


def is_numeric(raw: object) -> bool:
    return re.match(r"\d", str(raw)) is not None and DATE.fullmatch(str(raw)) is None


def test_every_numeric_cell_has_a_value(folder: Path) -> None:
    numeric = [row for row in cells_of_tables(folder) if is_numeric(row["raw"])]
    plain = [row for row in numeric if NUMBER.fullmatch(str(row["raw"]))]
    assert (len(plain), len(numeric) - len(plain)) == (PLAIN, DECORATED)
    assert [row["raw"] for row in numeric if row["value"] is None] == []


def test_a_plain_number_is_its_value(folder: Path) -> None:
    plain = [row for row in cells_of_tables(folder) if NUMBER.fullmatch(str(row["raw"]))]
    assert [row["value"] for row in plain] == [float(str(row["raw"])) for row in plain]


def test_no_other_cell_has_a_value(folder: Path) -> None:
    others = [row for row in cells_of_tables(folder) if not is_numeric(row["raw"])]
    assert {row["raw"] for row in others if row["value"] is not None} == set()


def test_every_measured_cell_has_a_measured_quantity(folder: Path) -> None:
    measured = {one.name for one in STANDARD.quantities.values() if one.role is Role.MEASUREMENT}
    rows = [row for row in cells_of_tables(folder) if is_numeric(row["raw"])]
    assert sum(row["quantity"] in measured for row in rows) == MEASURED


@pytest.mark.parametrize(("name", "count"), RUNS.items())
def test_the_number_of_runs_of_a_report(folder: Path, name: str, count: int) -> None:
    assert len(read_runs(folder, name)) == count


EXPECTED: list[tuple[str, int, TidyRow]] = [
    (
        "fugaku-1.3b",
        46,
        {
            "nodes": 64,
            "dp": 64,
            "tp": 1,
            "pp": 1,
            "micro_batch": 1,
            "global_batch": 1024,
            "memory_mib": 28828.5,
            "step_time_s": 210.0,
            "tflops_per_device": 0.86,
            "pflops_total": 0.05,
            "seq_len": 1024,
            "activation_checkpointing": True,
            "layers": 24,
            "hidden": 2048,
            "heads": 32,
            "params": 1.3e9,
            "date": "--02-15",
            "markers": ["^"],
            "status": "ok",
        },
    ),
    (
        "fugaku-1.3b",
        33,
        {
            "nodes": 4096,
            "notes": "2.2Hz",
            "status": "missing",
            "clock_ghz": None,
            "memory_mib": None,
            "step_time_s": None,
            "tflops_per_device": None,
        },
    ),
    (
        "fugaku-30b",
        24,
        {
            "memory_mib": 29138.6,
            "step_time_s": 17212.8,
            "clock_ghz": 2.0,
            "status": "oom",
            "notes": "OOM after first epoch",
            "date": "--04-22",
        },
    ),
    ("fugaku-30b", 32, {"step_time_s": 3534883.3, "notes": "1itrのみ実行", "status": "ok"}),
    (
        "bigscience-1b3",
        29,
        {
            "nodes": 2,
            "devices_per_node": 4,
            "tp": 1,
            "pp": 2,
            "dp": 4,
            "micro_batch": 16,
            "step_time_s": None,
            "tflops_per_device": None,
            "status": "oom",
        },
    ),
    (
        "bigscience-1b3",
        94,
        {
            "step_time_s": 29.0,
            "tflops_per_device": 47.0,
            "memory_mib": 16e9 / 2**20,
            "status": "ok",
            "notes": "borderline OOM",
        },
    ),
    (
        "nanotron-nemo",
        15,
        {
            "nodes": 2,
            "tflops_per_device": 185.0,
            "tokens_per_s_per_device": 4020.0,
            "tokens_per_s": 32200.0,
            "micro_batch": 2,
            "grad_accum": 16,
        },
    ),
    ("fmengine", 15, {"global_batch": 512, "micro_batch": 8, "seq_len": 2048}),
    ("fmengine", 29, {"global_batch": 1024, "micro_batch": 4, "seq_len": 4096}),
    (
        "fmengine",
        5,
        {
            "model": "llama-3b",
            "devices": 4,
            "device": "RTX 3090",
            "tokens_per_s": 6300.0,
            "source": "prose",
        },
    ),
]


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [pytest.param(*case, id=f"{case[0]}:{case[1]}") for case in EXPECTED],
)
def test_a_run_has_the_values_of_its_line(
    folder: Path, name: str, line: int, expected: TidyRow
) -> None:
    (run,) = (run for run in read_runs(folder, name) if run["line"] == line)
    assert {key: run[key] for key in expected} == expected


def test_a_mark_is_kept_on_each_of_its_cells(folder: Path) -> None:
    rows = [row for row in read_cells(folder, "fugaku-1.3b") if row["markers"] == ["^"]]
    assert [row["line"] for row in rows] == [42, 46, 46, 46, 46]


def test_a_condition_applies_to_its_rows_only(folder: Path) -> None:
    runs = {run["line"]: run["micro_batch"] for run in read_runs(folder, "nanotron-nemo")}
    assert (runs[33], runs[34], runs[55]) == (32, 8, 128)


def test_a_hypothetical_setting_is_ignored(folder: Path) -> None:
    runs = {run["line"]: run["global_batch"] for run in read_runs(folder, "nanotron-nemo")}
    assert (runs[15], runs[33], runs[34], runs[55]) == (None, 1024, 1024, 8096)


def test_a_one_liner_is_about_the_table_above_it(folder: Path) -> None:
    runs = {run["line"]: run for run in read_runs(folder, "bigscience-1b3")}
    assert [runs[line]["global_batch"] for line in (22, 44, 94)] == [512, 512, 512]
    assert [runs[line]["global_batch"] for line in (78, 135)] == [32, 32]


def test_a_removed_option_is_off_from_then_on(folder: Path) -> None:
    runs = {
        run["line"]: run["activation_checkpointing"] for run in read_runs(folder, "bigscience-1b3")
    }
    assert (runs[22], runs[44], runs[94]) == (None, False, None)


@pytest.mark.parametrize("name", RUNS)
def test_the_runs_of_a_report(name: str, file_regression: FileRegressionFixture) -> None:
    check(read_runs(REPORTS, name), Shape.RUNS, file_regression)


def test_the_cells_of_a_report(file_regression: FileRegressionFixture) -> None:
    check(read_cells(REPORTS, "fugaku-1.3b"), Shape.CELLS, file_regression)


def check(rows: list[TidyRow], shape: Shape, file_regression: FileRegressionFixture) -> None:
    """Compare with a readable table without empty columns."""
    names = [field.name for field in fields(shape, STANDARD)]
    used = [name for name in names if any(row[name] not in (None, [], {}) for row in rows)]
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(used)
    writer.writerows([show(row[name]) for name in used] for row in rows)
    file_regression.check(sink.getvalue(), extension=".csv", encoding="utf-8")


def show(value: Value) -> str:
    if isinstance(value, list):
        return " ".join(value)
    if isinstance(value, dict):
        return "; ".join(f"{name}={text}" for name, text in value.items())
    return "" if value is None else str(value)
