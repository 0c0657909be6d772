"""`update`: bound cells follow their results, and every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.rendering.updating import KEEP_ROWS, Updated, Wanted, update
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


def test_bold_moves_to_the_best_number(tmp_path: Path) -> None:
    report = bound(
        "| Threads | Time (s) |", "| 1 | 9.1 |", "| 2 | **4.0** |", "| 4 | 5.2 |", "| 8 | 6.3 |"
    )
    runs = [{"threads": n, "time_s": t} for n, t in ((1, 9.1), (2, 4.0), (4, 3.2), (8, 6.3))]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == bound(
        "| Threads | Time (s) |", "| 1 | 9.1 |", "| 2 | 4.0 |", "| 4 | **3.2** |", "| 8 | 6.3 |"
    )


def test_rows_are_matched_by_settings_never_by_position(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 8 | 1.0 |", "| 1 | 1.0 |")
    runs = [{"threads": 1, "time_s": 9.0}, {"threads": 8, "time_s": 2.0}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == bound("| Threads | Time (s) |", "| 8 | 2.0 |", "| 1 | 9.0 |")


def test_a_row_without_a_result_keeps_its_numbers_and_is_told(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 16 | 1.0 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 9.0}])
    assert (updated.source.text, updated.remarks) == (report, ("5: no result has threads = 16",))


def test_rows_that_nothing_tells_apart_keep_their_numbers(tmp_path: Path) -> None:
    report = bound("| Threads | Time (s) |", "| 1 | 9.0 |", "| 1 | 9.3 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 7.0}])
    assert updated.source.text == report
    assert updated.remarks == (
        "4: several rows have threads = 1",
        "5: several rows have threads = 1",
    )


def test_columns_that_may_show_the_same_result_are_left_alone(tmp_path: Path) -> None:
    report = bound("| Threads | Time before (s) | Time after (s) |", "| 1 | 9.0 | 5.0 |")
    updated = update_text(report, tmp_path, [{"threads": 1, "time_s": 7.0}])
    assert updated.source.text == report


def test_rows_for_other_results_are_added_in_order_with_what_follows(tmp_path: Path) -> None:
    runs = [*RUNS, {"model": "7B", "nodes": 6, "step_time_ms": 551.0, "tokens_per_s": 95109.9}]
    updated = update_text(FRESH, tmp_path, runs, Wanted(add_rows=True))
    lines = FRESH.splitlines(keepends=True)
    lines.insert(5, "|     6 |          0.55 |    95110 |   2.87× |\n")
    assert updated.source.text == "".join(lines)
    assert updated.changes == ("6: added |     6 |          0.55 |    95110 |   2.87× |",)


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
    assert updated.remarks == ("4: 3 results from 2.0 to 2.6 for threads = 1",)


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
    rows = [f"| {n} | {100 / n:.2f} | {n} |" for n in (1, 2, 4, 5, 8, 10)]
    report = bound("| Requests | Time (s) | Requests/s |", *rows)
    runs = [
        {"requests": n, "time_s": round(100 / n, 2), "requests_per_s": n}
        for n in (1, 2, 4, 5, 8, 10)
    ]
    assert update_text(report, tmp_path, runs).source.text == report


numbers = st.decimals(min_value="0.001", max_value="100000", places=4)


@pytest.mark.slow
@given(old=st.lists(numbers, min_size=1, max_size=6), new=st.data())
def test_a_second_update_changes_nothing_and_each_number_is_the_nearest(
    old: list[Decimal], new: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    places = new.draw(st.integers(0, 3), label="decimals")
    rows = [f"| {at} | {value:.{places}f} |" for at, value in enumerate(old)]
    values = [new.draw(numbers, label="result") for _ in old]
    runs = [{"threads": at, "time_s": float(value)} for at, value in enumerate(values)]
    report = bound("| Threads | Time (s) |", *rows)
    once = update_text(report, folder, runs)
    assert not once.problem
    assert update_text(once.source.text, folder, runs).source.text == once.source.text
    for line, value in zip(once.source.text.splitlines()[3:], values, strict=True):
        printed = Decimal(line.split("|")[2].strip())
        step = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        if not any(habit.endswith("0") for habit in (row.split()[3] for row in rows)):
            assert abs(printed - value) <= step / 2
    unchanged = [{"threads": at, "time_s": float(value)} for at, value in enumerate(old)]
    same = bound("| Threads | Time (s) |", *(f"| {n} | {v:.4f} |" for n, v in enumerate(old)))
    assert update_text(same, folder, unchanged).source.text == same
