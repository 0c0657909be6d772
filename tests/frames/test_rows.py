"""The two frames as rows: their fields, how cells are converted, and properties for any text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mdbench
from mdbench.frames.frame_columns import ColumnType, Shape, TidyRow, fields
from mdbench.frames.rows import tidy_rows
from mdbench.vocabulary.quantities import Role, standard_vocabulary

STANDARD = standard_vocabulary()


def read_cells(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.CELLS))


def read_runs(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.RUNS))


def one_column(title: str, cell: str) -> str:
    return f"| {title} | TFLOPs |\n|---|---|\n| {cell} | 1 |\n"


def test_runs_have_a_column_for_each_setting_identity_and_measurement() -> None:
    names = [field.name for field in fields(Shape.RUNS, STANDARD)]
    assert names[:11] == (
        "report section table row line source status markers notes findings date".split()
    )
    assert names[-1] == "extra"
    scores = {one.name for one in STANDARD.quantities.values() if one.role is Role.SCORE}
    assert scores
    assert not scores & set(names)
    design = """nodes devices devices_per_node dp tp pp cp ep micro_batch global_batch grad_accum
    seq_len params layers hidden heads vocab precision activation_checkpointing clock_ghz model
    device framework memory_mib step_time_s steps_per_s samples_per_s tokens_per_s
    tokens_per_s_per_device tflops_per_device pflops_total mfu hfu latency_ms train_time_h speedup
    efficiency power_w energy_j"""
    assert set(design.split()) <= set(names)


def test_cells_have_the_columns_of_the_design() -> None:
    assert [field.name for field in fields(Shape.CELLS, STANDARD)] == (
        "report section table row line column end_column header quantity statistic raw value low "
        "high bound spread unit status markers note verified findings".split()
    )


def test_a_bound_is_open_on_its_side() -> None:
    text = (
        "| Step | Memory (GB) |\n|---|---|\n| 1 | >80 |\n| 2 | <80 |\n| 3 | ~80 |\n| 4 | 80 ± 2 |\n"
    )
    cells = [row for row in read_cells(text) if row["header"] == "Memory (GB)"]
    assert [
        [row[name] for name in ("value", "low", "high", "bound", "spread")] for row in cells
    ] == [
        [80, 80, None, ">", None],
        [80, None, 80, "<", None],
        [80, 64, 96, "~", None],
        [80, 79.5, 80.5, None, 2],
    ]


@pytest.mark.parametrize(
    ("header", "cell", "value", "spread"),
    [
        ("Time (ms)", "12.0 ± 5%", 12.0, 0.6),
        ("Time (ms, ± std)", "12.0 (0.4)", 12.0, 0.4),
        ("Time (ms)", "12.0 (0.4)", 12.0, None),
        ("Accuracy", "95.2 ± 0.3%", 95.2, 0.3),
        ("Params", "1.5B ± 0.1B", 1.5e9, 1e8),
        ("Step time (s)", "1.5m ± 2%", 0.0015, 0.00003),
    ],
)
def test_a_spread_is_in_the_unit_of_the_cell(
    header: str, cell: str, value: float, spread: float | None
) -> None:
    row = read_cells(one_column(header, cell))[0]
    assert row["value"] == value
    assert row["spread"] == spread


def test_a_field_has_a_type_and_a_unit() -> None:
    kinds = {field.name: (field.kind, field.unit) for field in fields(Shape.RUNS, STANDARD)}
    assert kinds["memory_mib"] == (ColumnType.NUMBER, "MiB")
    assert kinds["tp"] == (ColumnType.WHOLE, "")
    assert kinds["model"] == (ColumnType.TEXT, "")
    assert kinds["activation_checkpointing"] == (ColumnType.FLAG, "")


@pytest.mark.parametrize(
    ("title", "cell", "name", "value"),
    [
        pytest.param("Mem", "18870.0 MiB", "memory_mib", 18870.0, id="its own unit"),
        pytest.param("Mem (GiB)", "2", "memory_mib", 2048.0, id="the unit of the header"),
        pytest.param("ms/iter", "1500", "step_time_s", 1.5, id="milliseconds"),
        pytest.param("Size", "1.3B", "params", 1.3e9, id="suffixes multiplied out"),
        pytest.param("Seq len", "4K", "seq_len", 4096, id="K is 1024 in a length"),
        pytest.param("MFU", "56.7%", "mfu", 0.567, id="percent as a fraction"),
        pytest.param("Freq", "2.0GHz", "clock_ghz", 2.0, id="a clock"),
        pytest.param("AC", "Yes", "activation_checkpointing", True, id="yes"),
        pytest.param("Nodes", "64", "nodes", 64, id="a whole number"),
        pytest.param("Model", "**llama**", "model", "llama", id="words without markup"),
        pytest.param("Nodes", "2.5", "nodes", None, id="half a node"),
        pytest.param("Mem", "- MiB", "memory_mib", None, id="a unit without a number"),
        pytest.param("Mem", "1048576 B", "memory_mib", 1.0, id="bytes"),
        pytest.param("Params", "3 B", "params", 3e9, id="billions"),
        pytest.param("Mem", "10 GB (50%)", "memory_share", 0.5, id="a share in brackets"),
        pytest.param("Training time", "2 hours ($54)", "cost_usd", 54.0, id="money in brackets"),
        pytest.param("Mem", "1.3B", "memory_mib", None, id="a suffix that is not a unit of memory"),
    ],
)
def test_a_value_is_in_the_unit_of_its_column(
    title: str, cell: str, name: str, value: object
) -> None:
    (run,) = read_runs(one_column(title, cell))
    assert run[name] == value


@pytest.mark.parametrize(
    ("cell", "value", "low", "high", "unit"),
    [
        ("0.86", 0.86, 0.855, 0.865, "MiB"),
        ("18870.0 GB", 18870.0, 18869.95, 18870.05, "GB"),
        ("1024 MiB", 1024.0, 1023.5, 1024.5, "MiB"),
        ("- MiB", None, None, None, None),
    ],
)
def test_a_cell_has_its_value_as_printed_and_the_bounds_of_its_digits(
    cell: str, value: float | None, low: float | None, high: float | None, unit: str | None
) -> None:
    row = read_cells(one_column("Mem (MiB)", cell))[0]
    assert (row["value"], row["low"], row["high"]) == (value, low, high)
    assert value is None or row["unit"] == unit


def test_a_cell_with_two_quantities_has_two_rows() -> None:
    rows = read_cells(one_column("Memory", "4.50 GB (19.05%)"))
    assert [(row["raw"], row["value"], row["unit"]) for row in rows[:2]] == [
        ("4.50 GB (19.05%)", 4.5, "GB"),
        ("4.50 GB (19.05%)", 19.05, "%"),
    ]


def test_a_cell_has_its_position() -> None:
    row = read_cells("# R\n\n| Nodes | TFLOPs |\n|---|---|\n|  16  | 1 |\n")[0]
    assert (row["section"], row["table"], row["row"]) == ("R", 1, 1)
    assert (row["line"], row["column"], row["end_column"]) == (5, 4, 6)
    assert (row["header"], row["quantity"], row["raw"]) == ("Nodes", "nodes", "16")


def test_the_missing_cell_of_a_short_row_is_missing() -> None:
    rows = read_cells("| Nodes | TFLOPs |\n|---|---|\n| 2 |\n")
    assert [(row["raw"], row["status"]) for row in rows] == [("2", "ok"), ("", "missing")]


def test_the_surplus_cell_of_a_long_row_is_kept() -> None:
    text = "| Nodes | TFLOPs |\n|---|---|\n| 2 | 47 | surplus |\n"
    assert [row["raw"] for row in read_cells(text)] == ["2", "47", "surplus"]
    assert read_runs(text)[0]["extra"] == {"": "surplus"}


def test_an_unknown_column_is_kept_under_its_own_header() -> None:
    text = "| Nodes | Colour | Colour |\n|---|---|---|\n| 2 | red | blue |\n"
    assert read_runs(text)[0]["extra"] == {"Colour": "red", "Colour (2)": "blue"}


def test_a_date_without_a_year_is_marked() -> None:
    text = "| Nodes | Notes |\n|---|---|\n| 2 | 02-15 |\n| 2 | 2024-02-15 |\n| 2 | - |\n"
    assert [run["date"] for run in read_runs(text)] == ["--02-15", "2024-02-15", None]


def test_words_in_a_device_column_are_not_repeated_as_a_note() -> None:
    (run,) = read_runs(one_column("Hardware", "8x A100"))
    assert (run["device"], run["notes"]) == ("8x A100", None)


# ---- properties ---------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    [
        *("|", "---", "\n", "| Nodes | Mem |\n|---|---|\n", "| 2 | 18870.0 MiB |\n", "# ", "- "),
        *("```\n", "tp=4", "`bs=2`", "^", "[^1]: ", "OOM", "512", "1.3B", "Sequence Length 512"),
        *("| Metric | A |\n|-|-|\n", "| MFU | 3% |\n", "<table><tr><td>", "</td></tr></table>"),
        *(
            " when ",
            "with ",
            "--num-layers 24",
            "\t",
            "  ",
            "\r\n",
            "> ",
            "\\",
            "（GB）",
            "512|1024",
        ),
        *("llama-3b on 4x RTX 3090: ~6300 tokens per second", "**", "&nbsp;", "±", "-", "/"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(st.one_of(FRAGMENTS, st.text(max_size=5))).map("".join))


@given(TEXTS)
def test_any_text_gives_rows_with_the_declared_fields(text: str) -> None:
    report = mdbench.parse(text)
    for shape in Shape:
        names = [field.name for field in fields(shape, STANDARD)]
        for row in tidy_rows(report, shape):
            assert sorted(row) == sorted(names)


@given(TEXTS)
def test_the_position_of_a_cell_is_that_of_its_raw_text(text: str) -> None:
    report = mdbench.parse(text)
    for sheet in report.sheets:
        for one in sheet.measurements:
            assert report.source.cut(one.cell.span) == one.cell.raw


@given(TEXTS)
def test_every_cell_with_words_is_in_the_cells_frame(text: str) -> None:
    report = mdbench.parse(text)
    rows = list(tidy_rows(report, Shape.CELLS))
    for number, sheet in enumerate(report.sheets, 1):
        places = {
            (row["line"], row["column"]) for row in rows if row["table"] == number and row["raw"]
        }
        first = 1 if sheet.layout.transposed else 0
        for at in (*sheet.layout.rows, *sheet.layout.asides):
            for cell in sheet.table.rows[at].cells[first if at in sheet.layout.rows else 0 :]:
                position = report.source.position(cell.span.start)
                assert not cell.raw or (position.line, position.column) in places


ROWS = st.lists(
    st.tuples(
        st.integers(1, 4096),
        st.sampled_from(["1.3B", "30B"]),
        st.sampled_from(["18870.0 MiB", "- MiB", "4.50 GB (19.05%)", "OOM", ""]),
        st.sampled_from(["0.86", "1.18^", "-", "x", ""]),
    ),
    min_size=1,
    max_size=8,
)


def write_table(rows: list[tuple[int, str, str, str]]) -> str:
    lines = (" | ".join(map(str, row)) for row in rows)
    return "| Nodes | Size | Mem | TFLOPs |\n|--|--|--|--|\n" + "".join(f"| {x} |\n" for x in lines)


@given(ROWS)
def test_a_table_has_a_row_for_each_cell_and_each_additional_reading(
    rows: list[tuple[int, str, str, str]],
) -> None:
    report = mdbench.parse(write_table(rows))
    further = sum(one.part > 0 for one in report.sheets[0].measurements)
    assert further == sum("(" in row[2] for row in rows)
    assert len(list(tidy_rows(report, Shape.CELLS))) == 4 * len(rows) + further


@given(st.data())
def test_permuting_the_rows_of_a_table_permutes_its_runs(data: st.DataObject) -> None:
    rows = data.draw(ROWS)
    shuffled = data.draw(st.permutations(range(len(rows))))
    runs = [strip_place(run) for run in read_runs(write_table(rows))]
    again = [strip_place(run) for run in read_runs(write_table([rows[at] for at in shuffled]))]
    assert again == [runs[at] for at in shuffled]


def strip_place(run: TidyRow) -> TidyRow:
    return {name: value for name, value in run.items() if name not in ("row", "line")}


# ---- size ---------------------------------------------------------------------------------------


def many_rows(size: int) -> str:
    return write_table([(at + 1, "1.3B", "18870.0 MiB", "0.86^") for at in range(size)])


def many_columns(size: int) -> str:
    titles = "|".join(f"bs={at}" for at in range(size))
    return f"|Model|{titles}|\n|{'-|' * (size + 1)}\n|a|{'|'.join(['5 GB'] * size)}|\n"


def many_tables(size: int) -> str:
    part = "\n- `tp=2` and `vocab={}`\n\n| Nodes | TFLOPs |\n|---|---|\n| 2 | 1^ |\n\n^ note {}\n"
    return "# R\n" + "".join(part.format(at, at) for at in range(size))


def many_sections(size: int) -> str:
    part = "\n## S{0}, seq_len={0}\n\n`tp=2`\n\n| Nodes | TFLOPs |\n|---|---|\n| 2 | 1 |\n"
    return "# R\n" + "".join(part.format(at) for at in range(1, size + 1))


@pytest.mark.usefixtures("no_hang")
@pytest.mark.parametrize(
    ("make", "size"),
    [
        pytest.param(many_rows, 100, id="rows"),
        pytest.param(many_columns, 60, id="columns"),
        pytest.param(many_tables, 30, id="tables"),
        pytest.param(many_sections, 30, id="sections"),
    ],
)
def test_a_large_report_is_read_completely(make: Callable[[int], str], size: int) -> None:
    report = mdbench.parse(make(40 * size))
    for shape in Shape:
        assert sum(1 for _ in tidy_rows(report, shape)) >= 40 * size
