"""`mdbench update` and `mdbench table`: what they write, print and exit with."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.conftest import Run

RUNS = [
    {"threads": 1, "time_s": 9.04, "rows_per_s": 1106.2},
    {"threads": 2, "time_s": 4.61, "rows_per_s": 2169.2},
    {"threads": 4, "time_s": 2.46, "rows_per_s": 4065.0},
]
TABLE = """\
<!-- mdbench: from runs -->
| Threads | Time (s) |
|--------:|---------:|
|       1 |     9.04 |
|       2 |     {} |
"""
STALE, FRESH = TABLE.format("4.99"), TABLE.format("4.61")


@pytest.fixture(autouse=True)
def project(tmp_path: Path) -> Path:
    (tmp_path / "mdbench.toml").write_text('[results]\nruns = "runs.json"\n', encoding="utf-8")
    (tmp_path / "runs.json").write_text(json.dumps(RUNS), encoding="utf-8")
    (tmp_path / "a.md").write_text(STALE, encoding="utf-8")
    (tmp_path / "b.md").write_text("# No table\n", encoding="utf-8")
    return tmp_path


def test_update_writes_and_says_what(run: Run, tmp_path: Path) -> None:
    done = run("update", "a.md", "b.md")
    assert (done.code, done.err) == (0, "")
    assert done.out == "a.md:5: Time (s) 4.99 -> 4.61\n1 file rewritten, 1 unchanged\n"
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == FRESH
    assert run("update", "a.md", "b.md").out == "0 files rewritten, 2 unchanged\n"


def test_check_writes_nothing_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    done = run("update", "--check", "a.md")
    assert (done.code, done.err) == (1, "")
    assert done.out == "a.md:5: Time (s) 4.99 -> 4.61\n1 file would be rewritten, 0 unchanged\n"
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == STALE


def test_diff_can_be_applied(run: Run, tmp_path: Path) -> None:
    done = run("update", "--diff", "a.md")
    assert done.code == 1
    assert "-|       2 |     4.99 |\n+|       2 |     4.61 |\n" in done.out
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == STALE


def test_results_that_cannot_be_read_change_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text('[{"threads": 1,', encoding="utf-8")
    done = run("update", "a.md")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == STALE
    assert done.code == 1
    assert done.out.startswith("a.md:1: ")
    assert "runs.json" in done.out
    assert run("update", "--check", "a.md").code == 1


def test_lint_reports_drift_and_no_cache_hides_a_change(run: Run, tmp_path: Path) -> None:
    codes = [(line, code) for _, line, code in run("lint", "--format", "json", "a.md").findings]
    assert codes == [(1, "MB602"), (5, "MB601")]
    (tmp_path / "runs.json").write_text(
        json.dumps([RUNS[0], RUNS[1] | {"time_s": 4.99}]), encoding="utf-8"
    )
    assert run("lint", "--format", "json", "a.md").findings == []


def test_lint_fixes_drift_on_request(run: Run, tmp_path: Path) -> None:
    run("lint", "--fix", "--unsafe-fixes", "a.md")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == FRESH


def test_columns_shows_the_binding(run: Run) -> None:
    assert run("columns", "a.md").out.splitlines()[-3:] == [
        "  bound on line 1: from runs",
        "    Threads = threads (by meaning, tells rows apart)",
        "    Time (s) = time_s (by meaning, shown)",
    ]


def test_columns_says_what_is_not_bound_and_why(run: Run, tmp_path: Path) -> None:
    report = STALE.replace("Time (s)", "Peak MB ")
    (tmp_path / "a.md").write_text(report, encoding="utf-8")
    out = run("columns", "a.md").out
    assert "    Peak MB: not bound: no column of the results has its meaning or its name\n" in out


def test_table_is_bound_and_in_step(run: Run, tmp_path: Path) -> None:
    done = run("table", "runs")
    assert done.code == 0
    assert done.out == (
        "<!-- mdbench: from runs -->\n"
        "| Threads | Time (s) | Rows/s   |\n"
        "|--------:|---------:|---------:|\n"
        "|       1 |     9.04 |     1106 |\n"
        "|       2 |     4.61 |     2169 |\n"
        "|       4 | **2.46** | **4065** |\n"
    ).replace("Rows/s   |", "  Rows/s |")
    (tmp_path / "c.md").write_text(done.out, encoding="utf-8")
    assert run("update", "--check", "c.md").code == 0


def test_table_of_a_file_says_what_to_add_to_the_configuration(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(json.dumps(RUNS), encoding="utf-8")
    done = run("table", "other.json", "--columns", "time_s", "--by", "threads")
    assert done.out.startswith("<!-- mdbench: from other -->\n| Threads | Time (s) |\n")
    assert 'other = "other.json"' in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("walks",), "walks: no such file, and no table of results; the configuration names runs"),
        (("runs", "--columns", "speed"), "runs has no column speed; it has threads, time_s"),
    ],
)
def test_table_names_what_it_does_not_know(
    run: Run, arguments: tuple[str, ...], words: str
) -> None:
    done = run("table", *arguments)
    assert done.code == 2
    assert words in done.err


def test_a_template_is_fed_from_results_as_from_reports(run: Run, tmp_path: Path) -> None:
    done = run("render", "runs", "--template", "table")
    assert done.code == 0
    assert done.out.splitlines()[0].split() == "| threads | items_per_s | time_s |".split()
    report = run("render", "runs.json", "--template", "report")
    assert report.out.startswith("# runs\n")
    assert "Runs: 3. Errors: 0, warnings: 0, infos: 0." in report.out
    run("render", "runs", "a.md", "--template", "report", "-o", "made")
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["a.md", "runs.md"]


def test_only_lint_needs_to_know_where_the_results_are(run: Run) -> None:
    assert "MB60" not in run("render", "a.md", "--template", "report").out
    assert "MB60" not in run("render", "a.md", "--annotate").out
    assert "MB60" not in run("normalize", "a.md", "--format", "jsonl").out


def test_columns_shows_what_the_comment_says(run: Run, tmp_path: Path) -> None:
    comment = 'from runs columns: "Time (ms)" = 1000 * time_s'
    report = STALE.replace("from runs", comment).replace("Time (s)", "Time (ms)")
    (tmp_path / "a.md").write_text(report, encoding="utf-8")
    assert run("columns", "a.md").out.splitlines()[-1] == (
        "    Time (ms) = 1000 * time_s (the comment says so, shown)"
    )


def test_query_sees_results_beside_the_runs_of_reports(run: Run) -> None:
    sql = "select threads, r.time_s, q.time_s from runs r join results.runs q using (threads)"
    done = run("query", sql, "a.md", "--format", "csv")
    assert done.out.splitlines() == ["threads,time_s,time_s_2", "1,9.04,9.04", "2,4.99,4.61"]


def test_without_a_path_the_whole_folder_is_updated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "other.md").write_text("# Other\n", encoding="utf-8")
    done = run("update", "--check")
    assert done.code == 1
    assert done.out.endswith("1 file would be rewritten, 2 unchanged\n")


def test_a_ratio_that_cannot_be_verified_is_told_by_every_run(run: Run, tmp_path: Path) -> None:
    rows = "| 1 | 9.04 | 1.00 |\n| 2 | 4.99 | 2.81 |\n"
    table = f"| Threads | Time (s) | Speedup |\n|---|---|---|\n{rows}"
    report = tmp_path / "a.md"
    report.write_text(f"<!-- mdbench: from runs -->\n{table}", encoding="utf-8")
    first, again = run("update", "a.md"), run("update", "--check", "a.md")
    assert (first.code, again.code) == (1, 1)
    told = "a.md:2: Speedup: not all of its numbers follow"
    assert again.out.startswith(told)
    assert again.out.endswith("0 files would be rewritten, 1 unchanged; 1 cannot be verified\n")
    report.write_text(report.read_text("utf-8").replace("2.81", "1.96"), encoding="utf-8")
    assert (run("update", "--check", "a.md").code, first.out.count(told)) == (0, 1)


@pytest.mark.parametrize(
    ("file", "name"),
    [("two.json", "two"), ("2024-Größe.json", "runs_2024_gr_e"), ("a b.json", "a_b")],
)
def test_a_first_table_says_how_to_keep_it(run: Run, file: str, name: str, tmp_path: Path) -> None:
    config = tmp_path / "mdbench.toml"
    config.unlink()
    (tmp_path / file).write_text(json.dumps(RUNS), encoding="utf-8")
    done = run("table", file)
    told, _, lines = done.err.partition("\n")
    assert told == "mdbench: to update the table, add to mdbench.toml:"
    assert tomllib.loads(lines) == {"results": {name: file}}
    config.write_text(lines, encoding="utf-8")
    (tmp_path / "new.md").write_text(done.out, encoding="utf-8")
    assert run("update", "--check", "new.md").code == 0


def test_a_first_table_says_what_to_add_to_the_other_results(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.json").write_text(json.dumps(RUNS), encoding="utf-8")
    told = "mdbench: to update the table, add to [results] in mdbench.toml:"
    assert run("table", "two.json").err == f'{told}\ntwo = "two.json"\n'


def test_numbers_that_were_compared_with_results_were_checked(run: Run) -> None:
    done = run("lint", "a.md", "--statistics")
    assert "\n  2 more compared with results (50 %)\n  2 could not be checked (50 %):\n" in done.out
    assert "in 1 file; 2 of 4 numbers could be checked\n" in done.out
    assert run("lint", "a.md", "--statistics").out == done.out
    assert "compared" not in run("lint", "a.md", "--statistics", "--select", "MB301").out
