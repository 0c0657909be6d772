"""`update`: bound cells follow their results, and every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.rendering.update_remarks import Wanted
from mdbench.rendering.updating import KEEP_ROWS, Updated, update
from mdbench.results.database import Database, open_results
from mdbench.results.files import ResultFiles
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


@contextmanager
def open_runs(folder: Path, runs: Iterable[Mapping[str, object]]) -> Iterator[Database]:
    """A database with the table `runs`."""
    (folder / "runs.json").write_text(json.dumps(list(runs)), encoding="utf-8")
    with open_results(ResultFiles(str(folder), (("runs", "runs.json"),)), STANDARD) as database:
        yield database


def update_text(
    text: str, folder: Path, runs: Iterable[Mapping[str, object]], wanted: Wanted = KEEP_ROWS
) -> Updated:
    """A text in step with its runs."""
    with open_runs(folder, runs) as database:
        return update(Source("report.md", text), STANDARD, database, wanted)


RUNS = [
    {"model": "7B", "nodes": 2, "step_time_ms": 1583.2, "tokens_per_s": 33104.4},
    {"model": "7B", "nodes": 4, "step_time_ms": 820.4, "tokens_per_s": 63932.0},
    {"model": "7B", "nodes": 8, "step_time_ms": 423.1, "tokens_per_s": 123934.2},
    {"model": "13B", "nodes": 2, "step_time_ms": 3583.2, "tokens_per_s": 3310.0},
]
BOUND = "<!-- mdbench: from runs where model = '7B' -->\n"
STALE = (
    BOUND
    + """\
| Nodes | Step time (s) | Tokens/s | Speedup |
|------:|--------------:|---------:|--------:|
|     2 |          1.62 |    32210 |   1.00× |
|     4 |          0.82 |    63932 |   1.98× |
|     8 |      **0.42** |   123934 |   3.85× |
"""
)
FRESH = (
    BOUND
    + """\
| Nodes | Step time (s) | Tokens/s | Speedup |
|------:|--------------:|---------:|--------:|
|     2 |          1.58 |    33104 |   1.00× |
|     4 |          0.82 |    63932 |   1.93× |
|     8 |      **0.42** |   123934 |   3.74× |
"""
)


def test_bound_cells_follow_their_results_and_derived_cells_follow_them(tmp_path: Path) -> None:
    updated = update_text(STALE, tmp_path, RUNS)
    assert updated.source.text == FRESH
    assert updated.changes == (
        "4: Step time (s) 1.62 -> 1.58",
        "4: Tokens/s 32210 -> 33104",
        "5: Speedup 1.98× -> 1.93×",
        "6: Speedup 3.85× -> 3.74×",
    )
    assert update_text(FRESH, tmp_path, RUNS) == Updated(updated.source)


def bound(header: str, *rows: str, comment: str = "from runs") -> str:
    width = header.count("|") - 1
    return "\n".join((f"<!-- mdbench: {comment} -->", header, "|" + "---|" * width, *rows, ""))


CELLS = [
    pytest.param("| Time |", "1.20 s", {"time_s": 2.5}, "2.50 s", id="a unit in the cell"),
    pytest.param("| Time (ms) |", "12.0", {"time_s": 0.0375}, "37.5", id="another unit"),
    pytest.param("| Savings |", "-$4.20", {"savings": 3.1}, "$3.10", id="money with a sign"),
    pytest.param("| Memory |", "18870.0 MiB", {"memory_mib": 20123.46}, "20123.5 MiB", id="MiB"),
    pytest.param("| Tokens/s |", "32,200", {"tokens_per_s": 45678}, "45,678", id="separators"),
    pytest.param(
        "| Tokens/s |", "32\u202f200", {"tokens_per_s": 45678}, "45\u202f678", id="spaces"
    ),
    pytest.param("| TFLOPs |", "1.18^", {"tflops": 1.31}, "1.31^", id="a marker"),
    pytest.param("| Time (s) |", "~11", {"time_s": 14.2}, "~14", id="an estimate"),
    pytest.param("| Time (s) |", "9.5 (2 runs)", {"time_s": 8.25}, "8.2 (2 runs)", id="a note"),
    pytest.param("| Time (s) |", "`9.5`", {"time_s": 7.0}, "`7.0`", id="code"),
    pytest.param("| Tokens/s |", "32.2k", {"tokens_per_s": 45678}, "45.7k", id="a letter"),
    pytest.param("| Speed-up |", "1.98×", {"speedup": 2.254}, "2.25×", id="a sign of times"),
    pytest.param("| Memory (GB) |", "20.1", {"memory_mib": 20000}, "21.0", id="GB of MiB"),
    pytest.param("| Tokens/s |", "1.2e3", {"tokens_per_s": 999999}, "1.0e6", id="an exponent"),
    pytest.param("| Train time |", "3h 20m", {"train_time_h": 4.505}, "4h 30m", id="a duration"),
    pytest.param("| Train time |", "1:30:00", {"train_time_h": 2.02}, "2:01:12", id="a clock"),
    pytest.param("| Accuracy |", "81.2%", {"accuracy": 0.8333}, "83.3%", id="a share"),
    pytest.param("| Time (s) |", "[9.5](9.5.log)", {"time_s": 7}, "[7.0](9.5.log)", id="a link"),
    pytest.param("| Time (s) |", "1.3[^1]", {"time_s": 7}, "7.0[^1]", id="a footnote"),
    pytest.param("| Time (s) |", "<5", {"time_s": 6}, "<6", id="a bound that is broken"),
    pytest.param("| Time (s) |", "<5", {"time_s": 4}, "<5", id="a bound that holds"),
    pytest.param("| Time (s) |", "-", {"time_s": 4}, "-", id="no number to write like"),
]


@pytest.mark.parametrize(("header", "printed", "result", "expected"), CELLS)
def test_a_cell_keeps_how_it_is_written(
    header: str, printed: str, result: dict[str, float], expected: str, tmp_path: Path
) -> None:
    table = "| Nodes " + header, f"| 2 | {printed} |"
    updated = update_text(bound(*table), tmp_path, [{"nodes": 2, **result}])
    assert updated.source.text == bound(table[0], f"| 2 | {expected} |")


def test_a_spread_follows_too(tmp_path: Path) -> None:
    report = bound("| Command | Mean [ms] |", "| `sort` | 12.3 ± 0.4 |")
    runs = [{"command": "sort", "mean_s": 0.0157, "stddev_s": 0.0011, "median_s": 0.0155}]
    updated = update_text(report, tmp_path, runs)
    assert "| 15.7 ± 1.1 |" in updated.source.text


def test_the_spread_of_several_results_is_their_deviation(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 ± 0.5 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": t} for t in (8.0, 8.1, 8.3)])
    assert "| 8.1 ± 0.2 |" in updated.source.text


def test_negative_numbers_keep_the_sign_of_their_column(tmp_path: Path) -> None:
    report = bound("| Threads | Loss |", "| 1 | −0.5 |", "| 2 | 0.5 |")
    updated = update_text(report, tmp_path, [{"threads": n, "loss": 0.9 - n} for n in (1, 2)])
    assert updated.source.text == bound("| Threads | Loss |", "| 1 | −0.1 |", "| 2 | −1.1 |")


LAYOUTS = [
    pytest.param(
        ["| Nodes | 1 | 2 |", "|--|--|--|", "| Time (s) | 1.0 | 2.0 |", "| Loss | 1.5 | 1.5 |"],
        ["| Nodes | 1 | 2 |", "|--|--|--|", "| Time (s) | 5.0 | 3.0 |", "| Loss | 1.5 | 1.5 |"],
        id="a run in each column",
    ),
    pytest.param(
        ["| Model | 1 node | 2 nodes |", "|--|--|--|", "| 7B | 1.0 s | 2.0 s |"],
        ["| Model | 1 node | 2 nodes |", "|--|--|--|", "| 7B | 5.0 s | 3.0 s |"],
        id="a setting in each header",
    ),
    pytest.param(
        ["| Model | Nodes | Time (s) |", "|--|--|--|", "| 7B | 1 | 1.0 |", "| | 2 | 2.0 |"],
        ["| Model | Nodes | Time (s) |", "|--|--|--|", "| 7B | 1 | 5.0 |", "| | 2 | 3.0 |"],
        id="a setting of the row above",
    ),
    pytest.param(
        ["| | Time |", "|--|--|", "| Nodes | s |", "| 1 | 1.0 |", "| 2 | 2.0 |"],
        ["| | Time |", "|--|--|", "| Nodes | s |", "| 1 | 5.0 |", "| 2 | 3.0 |"],
        id="two lines of headers",
    ),
    pytest.param(
        ["<table>", "<tr><th>Nodes</th><th>Time (s)</th></tr>"]
        + [f"<tr><td>{n}</td><td><b>{n}.0</b></td></tr>" for n in (1, 2)]
        + ["</table>"],
        ["<table>", "<tr><th>Nodes</th><th>Time (s)</th></tr>"]
        + [f"<tr><td>{n}</td><td><b>{7 - 2 * n}.0</b></td></tr>" for n in (1, 2)]
        + ["</table>"],
        id="HTML",
    ),
]


@pytest.mark.parametrize(("stale", "fresh"), LAYOUTS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("prefix", ["", "> ", "  "])
def test_every_layout_of_a_table_is_bound(
    stale: list[str], fresh: list[str], prefix: str, ending: str, tmp_path: Path
) -> None:
    def report(lines: list[str]) -> str:
        comment = ["<!-- mdbench: from runs", "where nodes > 0 -- all of them", "-->"]
        return "".join(f"{prefix}{line}{ending}" for line in comment + lines)

    runs = [{"model": "7B", "nodes": n, "time_s": 7 - 2 * n, "loss": 1.5} for n in (1, 2)]
    assert update_text(report(stale), tmp_path, runs).source.text == report(fresh)


def test_two_columns_of_one_row_show_two_columns_of_one_result(tmp_path: Path) -> None:
    header = "| Benchmark | ours (ms) | theirs (ms) | Ratio |"
    report = bound(header, "| a | 10.0 | 20.0 | 2.00 |", "| b | 4.1 | 5.3 | 1.29 |")
    runs = [
        {"benchmark": "a", "ours_ms": 12, "theirs_ms": 30},
        {"benchmark": "b", "ours_ms": 4.1, "theirs_ms": 5.3},
    ]
    assert update_text(report, tmp_path, runs).source.text == bound(
        header, "| a | 12.0 | 30.0 | 2.50 |", "| b | 4.1 | 5.3 | 1.29 |"
    )


DERIVED = [
    pytest.param("Speedup", "1.00x", "1.60x", "3.20x", id="a speed-up in two rows"),
    pytest.param("vs 1 thread", "1.0x", "1.6x", "3.2x", id="against a named row"),
    pytest.param("Efficiency", "100%", "80%", "160%", id="an efficiency"),
    pytest.param("Δ %", "0%", "-37.5%", "-68.8%", id="a difference"),
]


@pytest.mark.parametrize(("title", "first", "old", "new"), DERIVED)
def test_derived_columns_need_no_data(
    title: str, first: str, old: str, new: str, tmp_path: Path
) -> None:
    def report(time: str, derived: str) -> str:
        rows = f"| 1 | 8.00 | {first} |", f"| 2 | {time} | {derived} |"
        return bound(f"| Threads | Time (s) | {title} |", *rows)

    runs = [{"threads": 1, "time_s": 8.0}, {"threads": 2, "time_s": 2.5}]
    updated = update_text(report("5.00", old), tmp_path, runs)
    assert updated.source.text == report("2.50", new)


def test_the_spread_of_a_ratio_follows(tmp_path: Path) -> None:
    def report(slow: str, relative: str) -> str:
        rows = "| `a` | 10.0 ± 0.2 | 1.00 |", f"| `b` | {slow} | {relative} |"
        return bound("| Command | Mean [ms] | Relative |", *rows)

    runs = [
        {"command": "a", "mean": 10.0, "stddev": 0.2},
        {"command": "b", "mean": 30.0, "stddev": 1.2},
    ]
    columns = 'columns: "Mean [ms]" = mean'
    old = report("20.0 ± 0.4", "2.00 ± 0.06").replace("from runs", f"from runs {columns}")
    updated = update_text(old, tmp_path, runs)
    new = report("30.0 ± 1.2", "3.00 ± 0.13").replace("from runs", f"from runs {columns}")
    assert updated.source.text == new


def test_a_column_that_two_others_may_give_is_told(tmp_path: Path) -> None:
    rows = "| x | 8.00 | 4.00 | 2.00 | 2.0x |", "| y | 9.00 | 3.00 | 1.00 | 3.0x |"
    report = bound("| Case | A (ms) | B (ms) | C (ms) | Speedup |", *rows)
    runs = [
        {"case": case, "a_ms": a, "b_ms": b, "c_ms": 1} for case, a, b in (("x", 8, 4), ("y", 9, 3))
    ]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report.replace("| 2.00 |", "| 1.00 |")
    assert updated.remarks[-1].startswith("2: Speedup: not all of its numbers follow")


def test_a_column_that_nothing_gives_is_told(tmp_path: Path) -> None:
    report = bound(
        "| Case | Time (s) | Speedup vs v1 |", "| x | 9.0 | 1.7x |", "| y | 8.0 | 2.2x |"
    )
    updated = update_text(
        report, tmp_path, [{"case": "x", "time_s": 9}, {"case": "y", "time_s": 5}]
    )
    assert updated.source.text == report.replace("8.0", "5.0")
    told = "2: Speedup vs v1: not all of its numbers follow from the results or from the other "
    advice = 'columns: check them, or bind it with `columns: "Speedup vs v1" = …` in the comment '
    assert updated.remarks == (f"{told}{advice}above the table",)
    assert updated.behind


UNSAID = [
    pytest.param("1.5", None, "the results have no value for threads = 1", id="no value"),
    pytest.param("1 234", 7.0, "it is no number, and the results say 7.0", id="no number"),
    pytest.param("1-3", 7.0, "the results say 7, and it cannot be rewritten", id="a range"),
]


@pytest.mark.parametrize(("printed", "value", "words"), UNSAID)
def test_a_cell_that_cannot_follow_is_told(
    printed: str, value: float | None, words: str, tmp_path: Path
) -> None:
    report = bound("| Threads | Time (s) |", f"| 1 | {printed} |", "| 2 | 4.0 |")
    runs: list[dict[str, object]] = [{"threads": 1, "time_s": value}, {"threads": 2, "time_s": 4}]
    updated = update_text(report, tmp_path, runs)
    assert (updated.source.text, updated.behind) == (report, True)
    assert words in updated.remarks[0]


def test_what_a_query_computes_has_no_unit_of_the_results(tmp_path: Path) -> None:
    comment = "select threads, 1000 * time_s as time_s from runs"
    report = bound("| Threads | time_s |", "| 1 | 9.0 |", comment=comment)
    assert "| 2000.0 |" in update_text(report, tmp_path, [{"threads": 1, "time_s": 2}]).source.text


UNITS = [
    # `a` is a word of no meaning: nothing in `a_ms` says that these are milliseconds.
    pytest.param("| A (ms) |", "1.0", {"a_ms": 8}, "8.0", id="named like the header"),
    pytest.param("| Foo |", "1.0 ms", {"foo": 8}, "1.0 ms", id="a unit in the cells only"),
    pytest.param("| Foo |", "1.0", {"foo": 8}, "8.0", id="no unit"),
    pytest.param("| Time (ms) |", "1.0", {"elapsed": 8}, "1.0", id="a time of another name"),
    pytest.param("| Time (ms) |", "1.0", {"time": 8}, "8.0", id="a time of the same name"),
    pytest.param("| Memory (GB) |", "1.0", {"memory": 8}, "8.0", id="memory of the same name"),
]


@pytest.mark.parametrize(("header", "printed", "result", "expected"), UNITS)
def test_a_unit_is_never_guessed(
    header: str, printed: str, result: dict[str, float], expected: str, tmp_path: Path
) -> None:
    table = "| Nodes " + header, f"| 2 | {printed} |", f"| 4 | {printed} |"
    runs: list[dict[str, object]] = [{"nodes": nodes, **result} for nodes in (2, 4)]
    updated = update_text(bound(*table), tmp_path, runs)
    assert updated.source.text == bound(table[0], f"| 2 | {expected} |", f"| 4 | {expected} |")


def test_bold_moves_to_the_best_number(tmp_path: Path) -> None:
    report = bound(
        "| Threads | Time (s) |", "| 1 | 9.1 |", "| 2 | **4.0** |", "| 4 | 5.2 |", "| 8 | 6.3 |"
    )
    runs = [{"threads": n, "time_s": t} for n, t in ((1, 9.1), (2, 4.0), (4, 3.2), (8, 6.3))]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == bound(
        "| Threads | Time (s) |", "| 1 | 9.1 |", "| 2 | 4.0 |", "| 4 | **3.2** |", "| 8 | 6.3 |"
    )


def test_columns_stay_aligned_where_bold_moves_and_numbers_get_longer(tmp_path: Path) -> None:
    head = """\
<!-- mdbench: from runs -->
| Command |        Mean (ms) | Min (ms) | Relative |
|---------|-----------------:|---------:|---------:|
"""
    old = """\
| a       | **61.74 ± 2.41** |     66.7 | **1.00** |
| b       |     74.81 ± 1.04 |     68.4 |     1.21 |
| c       |    270.83 ± 1.93 |     68.3 |     4.39 |
"""
    new = """\
| a       |   179.74 ± 12.41 |     66.7 |     2.54 |
| b       |    74.81 ± 11.04 |     68.4 |     1.06 |
| c       | **70.83 ± 1.93** |     68.3 | **1.00** |
"""
    times = {"a": (179.74, 12.41, 66.7), "b": (74.81, 11.04, 68.4), "c": (70.83, 1.93, 68.3)}
    runs = [
        {"command": name, "mean_ms": mean, "std_ms": spread, "min_ms": least}
        for name, (mean, spread, least) in times.items()
    ]
    assert update_text(head + old, tmp_path, runs).source.text == head + new


def test_rows_are_matched_by_settings_never_by_position(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 8 | 1.0 |", "| 1 | 1.0 |")
    runs = [{"threads": 1, "time_s": 9.0}, {"threads": 8, "time_s": 2.0}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == bound("| Threads | Time (s) |", "| 8 | 2.0 |", "| 1 | 9.0 |")


def test_a_row_without_a_result_keeps_its_numbers_and_is_told(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 16 | 1.0 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 9.0}])
    assert (updated.source.text, updated.remarks) == (
        report,
        ("5: no result has threads = 16: its numbers stay as they are",),
    )
    assert not updated.behind


def test_a_table_without_any_result_is_not_in_step(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 16 | 1.0 |")
    assert update_text(report, tmp_path, [{"threads": 2, "time_s": 9.0}]).behind


def test_rows_that_nothing_tells_apart_keep_their_numbers(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 1 | 9.3 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 7.0}])
    assert updated.source.text == report
    assert updated.remarks == (
        "4: several rows have threads = 1: add a column that tells them apart",
        "5: several rows have threads = 1: add a column that tells them apart",
    )


def test_columns_that_may_show_the_same_result_are_left_alone(tmp_path: Path) -> None:
    report = bound("| Threads | Time before (s) | Time after (s) |", "| 1 | 9.0 | 5.0 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 7.0}])
    assert updated.source.text == report


def test_a_remark_in_a_header_is_no_unit(tmp_path: Path) -> None:
    header = "| Threads | Speedup (mixed to TF32) | Speedup (weak scaling) |"
    report = bound(header, "| 1 | 1.8 | 1.0 |", "| 2 | 1.9 | 2.0 |")
    runs = [{"threads": 1, "speedup": 1.0}, {"threads": 2, "speedup": 1.7}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report


def test_rows_for_other_results_are_added_in_order_with_what_follows(tmp_path: Path) -> None:
    runs = [*RUNS, {"model": "7B", "nodes": 6, "step_time_ms": 551.0, "tokens_per_s": 95109.9}]
    updated = update_text(FRESH, tmp_path, runs, Wanted(add_rows=True))
    lines = FRESH.splitlines(keepends=True)
    lines.insert(5, "|     6 |          0.55 |    95110 |   2.87× |\n")
    assert updated.source.text == "".join(lines)
    assert updated.changes == ("6: added |     6 |          0.55 |    95110 |   2.87× |",)


def test_bold_moves_to_a_row_that_is_added(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 2 | **5.0** |")
    runs = [{"threads": n, "time_s": t} for n, t in ((1, 9.0), (2, 5.0), (4, 3.0))]
    updated = update_text(report, tmp_path, runs, Wanted(add_rows=True))
    assert updated.source.text == bound(
        "| Threads | Time (s) |", "| 1 | 9.0 |", "| 2 | 5.0 |", "| 4 | **3.0** |"
    )
    assert updated.changes == (
        "5: Time (s) **5.0** -> 5.0",
        "6: added | 4 | **3.0** |",
    )


ORDERS = [
    pytest.param([("x", 1.0), ("y", 3.0), ("z", 5.0)], ("a", 2.0), 1, id="by what is measured"),
    pytest.param([("a", 9.0), ("c", 3.0), ("d", 5.0)], ("b", 2.0), 1, id="by name"),
    pytest.param([("d", 9.0), ("a", 3.0), ("c", 5.0)], ("b", 2.0), 3, id="by nothing"),
]


@pytest.mark.parametrize(("shown", "new", "place"), ORDERS)
def test_a_row_is_added_in_the_order_of_the_table(
    shown: list[tuple[str, float]], new: tuple[str, float], place: int, tmp_path: Path
) -> None:
    def report(rows: list[tuple[str, float]]) -> str:
        return bound("| Name | Time (s) |", *(f"| {name} | {time} |" for name, time in rows))

    runs = [{"name": name, "time_s": time} for name, time in (*shown, new)]
    updated = update_text(report(shown), tmp_path, runs, Wanted(add_rows=True))
    assert updated.source.text == report([*shown[:place], new, *shown[place:]])


def test_a_row_is_added_to_the_rows_that_share_its_first_setting(tmp_path: Path) -> None:
    rows = [f"| {model} | {nodes} | 5.0 |" for model in ("b", "a") for nodes in (1, 4)]
    report = bound("| Model | Nodes | Time (s) |", *rows)
    runs = [{"model": m, "nodes": n, "time_s": 5.0} for m in ("a", "b") for n in (1, 4)]
    runs.append({"model": "b", "nodes": 2, "time_s": 3.0})
    updated = update_text(report, tmp_path, runs, Wanted(add_rows=True))
    rows.insert(1, "| b | 2 | 3.0 |")
    assert updated.source.text == bound("| Model | Nodes | Time (s) |", *rows)


@pytest.mark.parametrize("wanted", [Wanted(add_rows=True), Wanted(prune=True)])
def test_no_row_is_added_or_removed_where_another_sums_them_up(
    wanted: Wanted, tmp_path: Path
) -> None:
    rows = "| a | 10.0 |", "| b | 20.0 |", "| Total | 30.0 |"
    report = bound("| Part | Time (s) |", *rows)
    runs = [{"part": "a", "time_s": 10.0}, {"part": "c", "time_s": 5.0}]
    updated = update_text(report, tmp_path, runs, wanted)
    assert updated.source.text == report
    assert "1: no row is added or removed, because one of its rows sums up the others" in (
        updated.remarks
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("prefix", ["", "> ", "  "])
def test_added_rows_are_lines_of_the_table(prefix: str, ending: str, tmp_path: Path) -> None:
    lines = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 2 | 5.0 |").splitlines()
    report = "".join(f"{prefix}{line}{ending}" for line in lines)
    runs = [{"threads": n, "time_s": 10.0 - n} for n in (1, 2, 3)]
    updated = update_text(report, tmp_path, runs, Wanted(add_rows=True))
    expected = report.replace("5.0", "8.0") + f"{prefix}| 3 | 7.0 |{ending}"
    assert updated.source.text == expected


def test_rows_without_a_result_are_removed_on_request(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 16 | 1.0 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 9.0}], Wanted(prune=True))
    assert updated.source.text == bound("| Threads | Time (s) |", "| 1 | 9.0 |")
    assert updated.changes == ("5: removed | 16 | 1.0 |",)


SEVERAL = [{"threads": 1, "time_s": time} for time in (2.0, 2.1, 2.6)]


def test_several_results_become_their_median_or_what_the_comment_says(tmp_path: Path) -> None:
    def time(comment: str, runs: list[dict[str, Any]]) -> str:
        report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", comment=comment)
        return update_text(report, tmp_path, runs).source.text.rstrip(" |\n").rpartition(" ")[2]

    near = [{"threads": 1, "time_s": time} for time in (2.0, 2.1, 2.15)]
    assert time("from runs", near) == "2.1"
    assert time("from runs aggregate: min", SEVERAL) == "2.0"
    assert time("from runs aggregate: mean", SEVERAL) == "2.2"


def test_results_that_disagree_beyond_their_spread_change_nothing(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |")
    updated = update_text(report, tmp_path, SEVERAL)
    assert updated.source.text == report
    told = "4: 3 results from 2.0 to 2.6 for threads = 1: narrow them with `where`, or name an "
    assert updated.remarks == (f"{told}aggregate, such as `aggregate: median`",)
    assert updated.behind


def test_a_comment_may_name_columns_or_be_a_whole_select(tmp_path: Path) -> None:
    runs = [{"n": 1, "wall": 9000}, {"n": 2, "wall": 5000}]
    for comment in (
        'from runs columns: "Threads" = n, "Wall (s)" = wall / 1000',
        'select n as threads, wall / 1000.0 as "Wall (s)" from runs',
    ):
        report = bound("| Threads | Wall (s) |", "| 1 | 1.00 |", "| 2 | 1.00 |", comment=comment)
        updated = update_text(report, tmp_path, runs)
        assert updated.source.text == report.replace("| 1 | 1.00", "| 1 | 9.00").replace(
            "| 2 | 1.00", "| 2 | 5.00"
        )


def test_a_header_with_an_expression_is_no_column_of_the_results(tmp_path: Path) -> None:
    # To SQL, `Wall` and `wall` are one name.
    comment = 'from runs columns: "Wall" = wall / 1000'
    report = bound("| Threads | Wall |", "| 1 | 1.00 |", "| 2 | 1.00 |", comment=comment)
    runs = [{"threads": 1, "wall": 9000}, {"threads": 2, "wall": 5000}]
    assert update_text(report, tmp_path, runs).source.text == report.replace(
        "| 1 | 1.00", "| 1 | 9.00"
    ).replace("| 2 | 1.00", "| 2 | 5.00")


def test_a_count_of_repetitions_tells_no_rows_apart_that_have_names(tmp_path: Path) -> None:
    report = bound("| Name | Time (s) | Rounds |", "| a | 1.0 | 10 |", "| b | 2.0 | 10 |")
    runs = [{"name": name, "time_s": 3.0, "rounds": 12} for name in "ab"]
    assert update_text(report, tmp_path, runs).source.text == bound(
        "| Name | Time (s) | Rounds |", "| a | 3.0 | 12 |", "| b | 3.0 | 12 |"
    )


def test_a_spread_in_percent_and_one_of_a_median_are_no_deviation(tmp_path: Path) -> None:
    header = "| Name | Mean (s) | Median (s) |"
    report = bound(header, "| a | 1.0 ± 0.65% | 1.0 ± 0.3 |")
    runs = [{"name": "a", "mean_s": 2.0, "median_s": 3.0, "stddev_s": 0.2}]
    assert update_text(report, tmp_path, runs).source.text == bound(
        header, "| a | 2.0 ± 0.65% | 3.0 ± 0.3 |"
    )


NUMBERS = [
    pytest.param("462,000", "= max(tokens_per_s) from runs", "124,000", id="rounded to thousands"),
    pytest.param("462,123", "= max(tokens_per_s) from runs", "123,934", id="all digits"),
    pytest.param("1.50 s", "= min(step_time_ms) from runs", "0.42 s", id="another unit"),
    pytest.param("**3**", "= count(*) from runs", "**4**", id="bold"),
    pytest.param(
        "2.10x",
        "= max(step_time_ms) / min(step_time_ms) from runs where model = '7B'",
        "3.74x",
        id="a ratio",
    ),
]


@pytest.mark.parametrize(("printed", "query", "expected"), NUMBERS)
def test_a_number_in_a_sentence_follows(
    printed: str, query: str, expected: str, tmp_path: Path
) -> None:
    report = f"We reach <!-- mdbench: {query} -->{printed}<!-- / --> here, not 7.\n"
    updated = update_text(report, tmp_path, RUNS)
    assert updated.source.text == report.replace(printed, expected)
    assert updated.changes == (f"1: {printed} -> {expected}",)


PROBLEMS = [
    pytest.param("from walks", "walks", id="no such table"),
    pytest.param("from runs where speed = 1", "speed", id="no such column"),
    pytest.param("from runs; drop table runs", "syntax error", id="two queries"),
    pytest.param("from read_csv('/etc/passwd')", "", id="another file"),
    pytest.param("from runs aggregate: mode", "no aggregate", id="an unknown aggregate"),
]


@pytest.mark.parametrize(("comment", "words"), PROBLEMS)
def test_a_query_that_fails_leaves_the_report_alone(
    comment: str, words: str, tmp_path: Path
) -> None:
    report = bound("| Nodes | Step time (s) |", "| 2 | 1.62 |", comment=comment)
    updated = update_text(report, tmp_path, RUNS)
    assert updated.source.text == report
    (remark,) = updated.remarks
    assert remark.startswith("1: ")
    assert words in remark


def test_an_update_that_would_make_lint_fail_is_refused(tmp_path: Path) -> None:
    ways = [(1, 117.3), (2, 61.8), (4, 33.7), (8, 18.9), (16, 10.1)]
    rows = [f"| {n} | {time} | {117.3 / time:.2f} |" for n, time in ways]
    report = bound("| Threads | Time (s) | Speedup |", *rows)
    # The results have a speed-up of their own, which is not what their times say.
    runs = [{"threads": n, "time_s": time, "speedup": 117.3 / time} for n, time in ways]
    runs[3]["time_s"] = 28.9
    updated = update_text(report, tmp_path, runs)
    assert (updated.source.text, updated.behind) == (report, True)
    assert updated.problem.startswith("it would contradict itself: line 7: ")
    assert updated.problem.endswith("(MB301)")


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
numbers = st.decimals(min_value="0.001", max_value="100000", places=4)
LOOKS = ("{}", "{} s", "**{}**", "~{}", "`{}`", "{} (cold)", "{}^", "[{}](run.md)")
tables = st.lists(st.tuples(numbers, numbers, st.sampled_from(LOOKS)), min_size=1, max_size=6)


def write_times(times: Iterable[tuple[str, str]]) -> str:
    rows = (f"| {at} | {look.format(time)} |" for at, (time, look) in enumerate(times))
    return bound("| Threads | Time (s) |", *rows)


@pytest.mark.slow
@given(rows=tables, places=st.integers(0, 3), comma=st.sampled_from(("", ",")))
def test_any_results_are_printed_once_and_to_the_nearest_digit(
    rows: list[tuple[Decimal, Decimal, str]],
    places: int,
    comma: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("any")
    report = write_times((f"{old:{comma}.{places}f}", look) for old, _, look in rows)
    was = [{"threads": at, "time_s": float(old)} for at, (old, _, _) in enumerate(rows)]
    assert update_text(report, folder, was).source.text == report
    runs = [{"threads": at, "time_s": float(new)} for at, (_, new, _) in enumerate(rows)]
    once = update_text(report, folder, runs)
    assert not once.problem
    assert update_text(once.source.text, folder, runs).source.text == once.source.text
    for line, (_, time, _) in zip(once.source.text.splitlines()[3:], rows, strict=True):
        printed = NUMBER.findall(line)[1].replace(",", "")
        digits = len(printed.partition(".")[2])
        # Zeros at the end of whole numbers may be rounded ones.
        zeros = 0 if digits else len(printed) - len(printed.rstrip("0"))
        assert 2 * abs(Decimal(printed) - time) <= Decimal(1).scaleb(zeros - digits)


SORTS = [
    {"command": "old", "mean_s": 1.104, "stddev_s": 0.003, "min_s": 1.101, "max_s": 1.108},
    {"command": "new", "mean_s": 0.062, "stddev_s": 0.002, "min_s": 0.061, "max_s": 0.064},
    {"command": "fast", "mean_s": 0.053, "stddev_s": 0.001, "min_s": 0.051, "max_s": 0.054},
]


def test_ratios_to_the_best_follow_if_another_is_the_best(tmp_path: Path) -> None:
    header = "| Command | Mean [s] | Min [s] | Max [s] | Relative |"
    old = bound(
        header,
        "| old | 1.102 | 1.101 | 1.102 | 25.63 |",
        "| new | 0.043 | 0.042 | 0.044 | 1.00 |",
        "| fast | 0.072 | 0.072 | 0.072 | 1.67 |",
    )
    new = bound(
        header,
        "| old | 1.104 | 1.101 | 1.108 | 20.83 |",
        "| new | 0.062 | 0.061 | 0.064 | 1.17 |",
        "| fast | 0.053 | 0.051 | 0.054 | 1.00 |",
    )
    assert update_text(old, tmp_path, SORTS).source.text == new


def test_a_column_of_the_results_that_the_comment_names_keeps_its_unit(tmp_path: Path) -> None:
    comment = 'from runs columns: "Best (ms)" = min_s'
    header = "| Command | Mean (s) | Best (ms) |"
    rows = "| old | 1.104 | {} |", "| new | 0.062 | {} |"
    old, new = (
        bound(header, *(row.format(best) for row, best in zip(rows, told, strict=True)),
              comment=comment)
        for told in (("1,199", "43"), ("1,101", "61"))
    )  # fmt: skip
    assert update_text(old, tmp_path, SORTS).source.text == new


def test_a_difference_may_change_its_sign(tmp_path: Path) -> None:
    def report(mean: str, gap: str) -> str:
        rows = "| a | 200.0 | 0.0 |", f"| b | {mean} | {gap} |", "| c | 500.0 | 300.0 |"
        return bound("| Command | Mean (ms) | Diff to a (ms) |", *rows)

    runs = [{"command": name, "mean_ms": at} for name, at in (("a", 200), ("b", 150), ("c", 500))]
    updated = update_text(report("300.0", "100.0"), tmp_path, runs)
    assert updated.source.text == report("150.0", "-50.0")


def test_several_rows_with_spreads_are_added(tmp_path: Path) -> None:
    header, first = "| Command | Mean (s) |", "| old | 1.104 ± 0.003 |"
    added = "| new | 0.062 ± 0.002 |", "| fast | 0.053 ± 0.001 |"
    updated = update_text(bound(header, first), tmp_path, SORTS, Wanted(add_rows=True))
    assert not updated.problem
    assert sorted(updated.source.text.splitlines()) == sorted(
        bound(header, first, *added).splitlines()
    )


def test_rows_are_added_where_no_row_has_a_result(tmp_path: Path) -> None:
    header, first = "| Command | Mean (s) |", "| other | 1.204 |"
    updated = update_text(bound(header, first), tmp_path, SORTS, Wanted(add_rows=True))
    assert len(updated.source.text.splitlines()) == len(bound(header, first).splitlines()) + 3


def test_a_column_that_the_comment_gives_is_no_candidate_for_another(tmp_path: Path) -> None:
    comment = 'from runs columns: "Best (s)" = 1 * min_s, "Worst (s)" = 1 * max_s'
    header = "| Command | Wall time (s) | Best (s) | Worst (s) |"
    old = bound(header, "| old | 9.999 | 1.101 | 1.108 |", comment=comment)
    assert update_text(old, tmp_path, SORTS).source.text == old.replace("9.999", "1.104")


def test_the_spread_of_a_ratio_is_that_of_the_results_not_of_the_cells(tmp_path: Path) -> None:
    runs = [
        {"command": "old", "mean_s": 1.1044, "stddev_s": 0.001},
        {"command": "fast", "mean_s": 0.05257, "stddev_s": 0.0017},
    ]

    def report(slow: str, relative: str, fast: str) -> str:
        rows = f"| old | {slow} | {relative} |", f"| fast | {fast} | 1.00 |"
        return bound("| Command | Mean [s] | Relative |", *rows)

    old = report("1.102 ± 0.001", "25.63 ± 0.60", "0.043 ± 0.001")
    new = report("1.104 ± 0.001", "21.01 ± 0.68", "0.053 ± 0.002")
    assert update_text(old, tmp_path, runs).source.text == new
