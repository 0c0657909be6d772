"""What an update cannot follow is told, and what it can is printed as the tool prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.rendering.update_remarks import Wanted
from mdbench.rendering.updating import Updated, leave
from mdbench.source import Source
from tests.rendering.test_update import bound, update_text

HEADER = "| Command | Mean [ms] | Relative |"
COLUMNS = 'from runs columns: "Mean [ms]" = mean'


def race(*rows: tuple[str, str], comment: str = COLUMNS) -> str:
    lines = (
        f"| `{name}` | {mean} | {ratio} |" for name, (mean, ratio) in zip("abc", rows, strict=True)
    )
    return bound(HEADER, *lines, comment=comment)


SIGNS = [
    pytest.param("", "", id="no unit"),
    pytest.param("x", "", id="a unit behind the number"),
    pytest.param("×", "×", id="a unit behind both"),
]


@pytest.mark.parametrize(("unit", "behind"), SIGNS)
def test_a_new_best_prints_no_spread_and_the_old_one_does(
    unit: str, behind: str, tmp_path: Path
) -> None:
    def ratio(value: str, spread: str) -> str:
        return f"{value}{unit} ± {spread}{behind}"

    runs = [
        {"command": "a", "mean": 35.2, "stddev": 1.0},
        {"command": "b", "mean": 20.0, "stddev": 2.0},
        {"command": "c", "mean": 30.1, "stddev": 3.0},
    ]
    old = race(
        ("14.3 ± 2.1", f"1.00{unit}"),
        ("24.6 ± 5.1", ratio("1.72", "0.44")),
        ("35.8 ± 6.5", ratio("2.51", "0.59")),
    )
    new = race(
        ("35.2 ± 1.0", ratio("1.76", "0.18")),
        ("20.0 ± 2.0", f"1.00{unit}"),
        ("30.1 ± 3.0", ratio("1.50", "0.21")),
    )
    assert update_text(old, tmp_path, runs).source.text == new
    again = update_text(new, tmp_path, runs)
    assert (again.source.text, again.remarks) == (new, ())


def test_a_best_that_prints_its_spread_keeps_doing_so(tmp_path: Path) -> None:
    runs = [
        {"command": "a", "mean": 30.0, "stddev": 3.0},
        {"command": "b", "mean": 20.0, "stddev": 2.0},
        {"command": "c", "mean": 40.0, "stddev": 4.0},
    ]
    old = race(
        ("10.0 ± 1.0", "1.00 ± 0.00"), ("20.0 ± 2.0", "2.00 ± 0.28"), ("40.0 ± 4.0", "4.00 ± 0.57")
    )
    new = race(
        ("30.0 ± 3.0", "1.50 ± 0.21"), ("20.0 ± 2.0", "1.00 ± 0.00"), ("40.0 ± 4.0", "2.00 ± 0.28")
    )
    assert update_text(old, tmp_path, runs).source.text == new


def test_a_spread_that_the_results_lack_is_told(tmp_path: Path) -> None:
    report = bound("| Case | Time (s) |", "| x | 9.0 ± 0.5 |", "| y | 8.0 ± 0.4 |")
    runs = [{"case": "x", "time_s": 7}, {"case": "y", "time_s": 8}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report.replace("9.0", "7.0")
    assert updated.behind
    told = "4: Time (s): the results have no spread for it, so the number after ± stays as it is"
    assert updated.remarks == (f"{told}: check it",)


LEFT = [
    pytest.param("Share", "60%", True, id="a share of the whole"),
    pytest.param("% of total", "60", True, id="a share in other words"),
    pytest.param("Speedup", "4.1x", True, id="a ratio"),
    pytest.param("Memory (MB)", "60", False, id="another measurement"),
]


@pytest.mark.parametrize(("title", "printed", "stale"), LEFT)
def test_numbers_that_stay_beside_new_ones_are_told(
    title: str, printed: str, stale: bool, tmp_path: Path
) -> None:
    rows = (
        f"| x | 9.0 | {printed} |",
        f"| y | 8.0 | {printed.replace('6', '7').replace('4', '3')} |",
    )
    report = bound(f"| Case | Time (s) | {title} |", *rows)
    runs = [{"case": "x", "time_s": 9}, {"case": "y", "time_s": 5}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report.replace("8.0", "5.0")
    assert [remark.startswith(f"2: {title}") for remark in updated.remarks] == [True]
    assert updated.behind is stale
    # What may be out of date is told until somebody has seen to it.
    again = update_text(updated.source.text, tmp_path, runs)
    assert (again.remarks, again.behind) == (updated.remarks if stale else (), stale)


def test_a_ratio_that_is_right_after_the_update_is_not_asked_about(tmp_path: Path) -> None:
    rows = "| x | 9.0 | 1.00x |", "| y | 8.0 | 1.80x |", "| z | 3.0 | 2.25x |"
    report = bound("| Case | Time (s) | Speedup |", *rows)
    runs = [{"case": "x", "time_s": 9}, {"case": "y", "time_s": 5}, {"case": "z", "time_s": 4}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report.replace("8.0", "5.0").replace("3.0", "4.0")
    assert (updated.remarks, updated.behind) == ((), False)
    wrong = update_text(report.replace("2.25x", "2.52x"), tmp_path, runs)
    assert [remark.startswith("2: Speedup: not all") for remark in wrong.remarks] == [True]
    again = update_text(wrong.source.text, tmp_path, runs)
    assert (again.changes, again.remarks, again.behind) == ((), wrong.remarks, True)


@pytest.mark.parametrize("title", ["vs. batch 8", "Speedup"])
@pytest.mark.parametrize("alike", ["1.19x", "1.18x"])
def test_ratios_to_the_first_row_of_each_group_follow(
    title: str, alike: str, tmp_path: Path
) -> None:
    header = f"| Model | Batch size | Throughput (samples/s) | {title} |"
    rates = {("base", 8): 726, ("base", 32): 801, ("large", 8): 228, ("large", 32): 269}
    runs = [
        {"model": model, "batch_size": size, "throughput": rate}
        for (model, size), rate in rates.items()
    ]
    old = bound(
        header,
        "| base | 8 | 726 | 1.00x |",
        f"| base | 32 | {'864' if alike == '1.19x' else '857'} | {alike} |",
        "| large | 8 | 228 | 1.00x |",
        "| large | 32 | 269 | 1.18x |",
    )
    new = old.replace("| 864 | 1.19x |", "| 801 | 1.10x |")
    new = new.replace("| 857 | 1.18x |", "| 801 | 1.10x |")
    updated = update_text(old, tmp_path, runs)
    assert (updated.source.text, updated.remarks, updated.behind) == (new, (), False)
    assert update_text(new, tmp_path, runs) == Updated(Source("report.md", new))
    # Somebody else wrote the rates, and not the ratios.
    stale = update_text(new.replace("1.10x", alike), tmp_path, runs)
    assert (stale.changes, stale.behind) == ((), True)
    assert [remark.startswith(f"2: {title}: not all") for remark in stale.remarks] == [True]


def test_ratios_that_several_columns_explain_are_right(tmp_path: Path) -> None:
    rows = "| x | 8.0 | 100 | 1.00x |", "| y | 4.0 | 200 | 2.00x |"
    report = bound("| Case | Time (s) | Requests/s | Speedup |", *rows)
    runs = [
        {"case": "x", "time_s": 8.0, "requests_per_s": 100},
        {"case": "y", "time_s": 4.0, "requests_per_s": 200},
    ]
    assert update_text(report, tmp_path, runs) == Updated(Source("report.md", report))


def test_what_is_told_is_in_the_order_of_the_lines(tmp_path: Path) -> None:
    first = "Best: <!-- mdbench: = min(time_s) from runs -->9.0 s<!-- / -->.\n\n"
    report = first + bound("| Case | Time (s) | Share |", "| x | 9.0 | 60% |", "| y | 8.0 | 40% |")
    runs = [{"case": "x", "time_s": 6.0}, {"case": "y", "time_s": 5.0}]
    told = update_text(report, tmp_path, runs).told
    assert [line.partition(":")[0] for line in told] == ["1", "4", "6", "7"]


def test_a_row_without_a_result_says_what_follows_in_it(tmp_path: Path) -> None:
    rows = "| x | 9.0 | 1.00x |", "| y | 8.0 | 1.12x |", "| old | 3.0 | 3.00x |"
    report = bound("| Case | Time (s) | Speedup |", *rows)
    runs = [{"case": "x", "time_s": 6}, {"case": "y", "time_s": 5}]
    updated = update_text(report, tmp_path, runs)
    assert "6: Speedup 3.00x -> 2.00x" in updated.changes
    lacking = "6: no result has case = old: its numbers stay as they are"
    assert updated.remarks == (f"{lacking}, except Speedup, which is recomputed",)
    again = update_text(updated.source.text, tmp_path, runs)
    assert again.remarks == (lacking,)


def test_settings_beside_new_numbers_are_no_news(tmp_path: Path) -> None:
    report = bound("| Case | Nodes | Time (s) |", "| x | 2 | 9.0 |", "| y | 2 | 8.0 |")
    runs = [{"case": "x", "time_s": 9}, {"case": "y", "time_s": 5}]
    assert update_text(report, tmp_path, runs).remarks == ()


def test_no_table_is_emptied(tmp_path: Path) -> None:
    report = bound("| Case | Time (s) |", "| x | 9.0 |", "| y | 8.0 |")
    updated = update_text(report, tmp_path, [{"case": "z", "time_s": 7}], Wanted(prune=True))
    assert updated.source.text == report
    assert updated.behind
    assert updated.remarks == (
        "1: no row is removed, because none of them has a result: check the comment",
        "4: no result has case = x: its numbers stay as they are",
        "5: no result has case = y: its numbers stay as they are",
    )


MISTYPED = [
    pytest.param("<!-- mdbench: form runs -->", "did you mean `from`?", id="letters swapped"),
    pytest.param("<!-- mdbench: selct * from r -->", "did you mean `select`?", id="a letter lost"),
    pytest.param("<!-- mdbench: form runs where a > 1 -->", "did you mean `from`?", id="with a >"),
    pytest.param("<!-- mdbench: bind runs -->", "known are ", id="another word"),
    pytest.param("<!-- mdbench from runs -->", "needs a colon", id="no colon"),
]


@pytest.mark.parametrize(("comment", "advice"), MISTYPED)
def test_a_comment_with_a_mistake_is_told(comment: str, advice: str) -> None:
    table = "\n| Case | Time (s) |\n|---|---|\n| x | 9.0 |\n"
    left = leave(Source("report.md", f"Times\n\n{comment}{table}"))
    assert left.source.text == f"Times\n\n{comment}{table}"
    if advice:
        assert left.behind
        assert [remark.startswith("3: nothing is bound here: `") for remark in left.remarks] == [
            True
        ]
        assert advice in left.remarks[0]


@pytest.mark.parametrize(
    "text",
    [
        "`<!-- mdbench: form runs -->`\n",
        "<!-- mdbench: ignore MB301 -->\n",
        "<!-- mdbench: ignroe -->\n",
        "<!-- mdbench: disable MB301 -->\n",
        "<!-- mdbench is fine -->\n",
    ],
)
def test_other_comments_are_no_mistakes_of_a_binding(text: str) -> None:
    assert leave(Source("report.md", text)) == Updated(Source("report.md", text))


def test_a_number_in_a_sentence_is_converted_if_the_name_of_its_column_has_a_unit(
    tmp_path: Path,
) -> None:
    report = "It takes <!-- mdbench: = min(time_ms) from runs -->0.51 s<!-- / -->.\n"
    updated = update_text(report, tmp_path, [{"time_ms": 623.4}])
    assert updated.source.text == report.replace("0.51 s", "0.62 s")


def test_headers_are_the_only_names_that_the_results_have(tmp_path: Path) -> None:
    report = bound("| Metric | a | b |", "| Time (ms) | 1.0 | 2.0 |", "| Tokens/s | 10 | 20 |")
    runs = [
        {"name": "b", "time_ms": 4.0, "tokens_per_s": 40},
        {"name": "a", "time_ms": 3.0, "tokens_per_s": 30},
    ]
    assert update_text(report, tmp_path, runs).source.text == bound(
        "| Metric | a | b |", "| Time (ms) | 3.0 | 4.0 |", "| Tokens/s | 30 | 40 |"
    )


def test_ratios_to_a_row_that_is_removed_are_told(tmp_path: Path) -> None:
    rows = "| a | 2.0 | 1.00 |", "| b | 3.0 | 1.50 |", "| c | 5.0 | 2.50 |"
    report = bound("| Case | Time (s) | Relative |", *rows)
    runs = [{"case": "b", "time_s": 3}, {"case": "c", "time_s": 5}]
    updated = update_text(report, tmp_path, runs, Wanted(prune=True))
    assert updated.source.text == report.replace(f"{rows[0]}\n", "")
    assert updated.behind
    told = "is relative to a row that is removed, and stays as it is: check it"
    assert updated.remarks == (f"1: Relative {told}",)
    kept = update_text(report, tmp_path, [{"case": "a", "time_s": 2}, runs[0]], Wanted(prune=True))
    assert kept.remarks == ()
