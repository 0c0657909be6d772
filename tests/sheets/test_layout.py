"""Which rows of a table are headers, separators, titles or data, and which way the table runs."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.sheets.layout import Layout


def table(*rows: str) -> str:
    """A table whose cells are given row by row, parted by bars."""
    first, *others = (f"| {row} |" for row in rows)
    bars = "|".join("---" for _ in rows[0].split("|"))
    return "\n".join((first, f"|{bars}|", *others, ""))


def layout(*rows: str) -> Layout:
    return mdbench.parse(table(*rows)).sheets[0].layout


def read_runs(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.RUNS))


def read_words(text: str) -> list[tuple[str, int | None]]:
    """The texts in `cells`, and their rows."""
    rows = tidy_rows(mdbench.parse(text), Shape.CELLS)
    return [(str(row["raw"]), row["row"]) for row in rows]  # type: ignore[misc]


@pytest.mark.parametrize(
    "separator",
    [
        pytest.param(" | | ", id="blank"),
        pytest.param("&nbsp; | | ", id="a space as an entity"),
        pytest.param("---- | ---- | ----", id="drawn with dashes"),
        pytest.param(r"\---------- | | ", id="drawn with escaped dashes"),
        pytest.param("=== | === | ===", id="drawn with equals signs"),
    ],
)
def test_a_separator_is_neither_a_run_nor_a_cell(separator: str) -> None:
    text = table("Nodes | TP | TFLOPs", "2 | 1 | 47.0", separator, "4 | 1 | 45.0")
    assert [run["nodes"] for run in read_runs(text)] == [2, 4]
    assert [run["row"] for run in read_runs(text)] == [1, 2]
    raws = [raw for raw, _ in read_words(text)]
    assert raws == ["2", "1", "47.0", "4", "1", "45.0"]


def test_a_row_of_missing_values_is_no_separator() -> None:
    assert layout("TP | TFLOPs | Mem", "- | - | -").rows == (0,)


def test_a_repeated_header_is_no_run_but_its_words_are_kept() -> None:
    text = table("Nodes | TFLOPs", "2 | 47.0", "**Nodes** | TFLOPs", "4 | 45.0")
    assert [run["nodes"] for run in read_runs(text)] == [2, 4]
    rows = [row for row in tidy_rows(mdbench.parse(text), Shape.CELLS) if row["row"] is None]
    assert [(row["raw"], row["quantity"], row["value"]) for row in rows] == [
        ("**Nodes**", None, None),
        ("TFLOPs", None, None),
    ]


def test_a_title_of_a_group_is_no_run_but_its_words_are_kept() -> None:
    text = table("Model | TP | TFLOPs", "**Small models** | | ", "a | 1 | 47.0", "b | 1 | 45.0")
    assert [run["model"] for run in read_runs(text)] == ["a", "b"]
    assert ("**Small models**", None) in read_words(text)


def test_a_run_that_was_not_measured_is_no_title() -> None:
    text = table("Model | TP | TFLOPs", "small | | ", "a | 1 | 47.0")
    assert [run["status"] for run in read_runs(text)] == ["missing", "ok"]


def test_a_second_header_line_of_units_extends_the_header() -> None:
    found = layout("Nodes | Memory | Time", " | (GB) | ms", "2 | 40 | 3.5", "4 | 30 | 2.5")
    assert found.titles == ("Nodes", "Memory (GB)", "Time ms")
    assert (found.rows, found.asides) == ((1, 2), (0,))


def test_a_second_header_line_names_columns_that_have_none() -> None:
    found = layout(
        " | A100 | H100", " | Tokens/s | Tokens/s", "llama | 100 | 200", "gpt | 90 | 180"
    )
    assert found.titles == ("", "A100 Tokens/s", "H100 Tokens/s")


def test_two_further_header_lines_that_tell_runs_apart_extend_the_header() -> None:
    rows = ("x | TensorRT(ms) | TensorRT(ms)", "x | T4 | A100", "x | fp32 | fp16")
    found = layout(*rows, "r18 | 3.5 | 1.5", "r50 | 4.1 | 2.2")
    assert found.titles == ("x", "TensorRT(ms) T4 fp32", "TensorRT(ms) A100 fp16")
    assert (found.rows, found.asides) == ((2, 3), (0, 1))


@pytest.mark.parametrize("label", ["", "Model"])
def test_words_over_all_columns_of_numbers_are_a_header_line_beside_no_label(label: str) -> None:
    rows = ("Model | Foo | Bar", f"{label} | 5-shot | 8-shot", "a | 46.5 | 32.5", "b | 40.5 | 30.5")
    assert layout(*rows).titles == ("Model", "Foo 5-shot", "Bar 8-shot")
    assert layout(*(row.replace("5-shot", "OOM") for row in rows)).titles == ("Model", "Foo", "Bar")


def test_words_over_columns_of_numbers_beside_a_label_are_data() -> None:
    rows = ("Model | Foo | Bar", "x | diverged early | see text", "a | 46.5 | 32.5", "b | 4 | 3")
    assert layout(*rows).rows == (0, 1, 2)


def test_the_words_of_a_second_header_line_are_kept_in_cells() -> None:
    text = table("Nodes | Memory", " | (GB)", "2 | 40", "4 | 30")
    assert read_words(text)[0] == ("(GB)", None)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("2 | 40", id="numbers"),
        pytest.param("- | -", id="nothing"),
        pytest.param("x | OOM", id="a run out of memory"),
        pytest.param("small | tiny", id="words that say nothing of the column"),
    ],
)
def test_a_first_row_of_data_stays_data(first: str) -> None:
    assert layout("Nodes | Memory (GB)", first, "4 | 30", "8 | 20").rows == (0, 1, 2)


METRICS = (
    "Metric | Baseline run | Our run",
    "Tokens/s | 1000 | 1200",
    "MFU | 30.5 % | 25.5 %",
    "Step time | 1.5 s | 1.8 s",
)


def test_a_metric_in_each_row_is_read_column_by_column() -> None:
    first, second = read_runs(table(*METRICS))
    assert (first["tokens_per_s"], first["mfu"], first["step_time_s"]) == (1000.0, 0.305, 1.5)
    assert (second["tokens_per_s"], second["mfu"], second["step_time_s"]) == (1200.0, 0.255, 1.8)
    assert first["extra"] == {"Metric": "Baseline run"}


def test_the_header_of_a_transposed_table_is_kept_in_cells() -> None:
    assert read_words(table(*METRICS))[:3] == [
        ("Metric", None),
        ("Baseline run", None),
        ("Our run", None),
    ]


def test_the_top_of_a_transposed_table_states_settings() -> None:
    rows = ("Metric | 8xA100 | FP16", "Tokens/s | 1000 | 1200", "MFU | 33 % | 28 %")
    first, second = read_runs(table(*rows))
    assert (first["devices"], first["device"], second["precision"]) == (8, "A100", "FP16")


def test_a_column_of_differences_in_a_transposed_table_is_no_run() -> None:
    rows = [
        f"{row} | {more}"
        for row, more in zip(METRICS, ("Δ", "+20 %", "-5 %", "+16 %"), strict=True)
    ]
    runs = read_runs(table(*rows))
    assert [run["tokens_per_s"] for run in runs] == [1000.0, 1200.0]
    assert ("+20 %", 1) in read_words(table(*rows))


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(METRICS, id="under the word metric"),
        pytest.param((" | Theirs | Ours", *METRICS[1:]), id="under an empty corner"),
        pytest.param(
            ("Config | Theirs | Ours", "Nodes | 2 | 4", "TP | 1 | 2", "PP | 1 | 1"), id="settings"
        ),
        pytest.param(("项目 | 值", "节点数 | 2", "卡数 | 8", "TP | 4"), id="names and values"),
        pytest.param(
            (
                " | Theirs | Ours",
                "Batch size | 1 | 2",
                "Throughput | 5 img/s | 7 img/s",
                "MFU | 3 % | 4 %",
            ),
            id="names that do not decide alone",
        ),
    ],
)
def test_transposed(rows: tuple[str, ...]) -> None:
    assert layout(*rows).transposed


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("Nodes | TFLOPs", "2 | 47", "4 | 45"), id="headers that are quantities"),
        pytest.param(
            ("Model | MFU | TP", "TP | 3 % | 1", "PP | 4 % | 2"), id="headers know better"
        ),
        pytest.param(
            ("Model | Theirs | Ours", "llama | 1 | 2", "gpt | 3 | 4"), id="rows that are models"
        ),
        pytest.param(
            (" | Theirs | Ours", "MFU | 3 % | 4 %", "x | 1 | 2", "y | 1 | 2"), id="one metric only"
        ),
        pytest.param(
            ("Method | Theirs | Ours", "FSDP | 10.5 | 11.5", "TP | 9.5 | 8.5"),
            id="methods named like settings, with numbers that those cannot have",
        ),
        pytest.param(("x | y", "TP | 2"), id="one row"),
    ],
)
def test_not_transposed(rows: tuple[str, ...]) -> None:
    assert not layout(*rows).transposed
