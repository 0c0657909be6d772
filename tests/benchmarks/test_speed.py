"""The speed benchmark: its tables are right, and it runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from benchmarks import speed, timing
from benchmarks.generated import write_reports
from benchmarks.peers import Tool
from benchmarks.speed import Group
from benchmarks.timing import Took
from handbook.regions import find_regions
from mdbench import lint

PROJECT = Path(__file__).resolve().parent.parent.parent
ONE = {
    "mdbench lint": Took(0.3, 0.25, 30),
    "mdbench normalize": Took(0.5, 0.45, 90),
    "markdown-it-py": Took(0.2, 0.1, 20),
    "mdformat": Took(0.4, 0.5, 40),
}
MANY = {
    "mdbench lint": Took(13.0, 12.25, 60),
    "mdbench normalize": Took(16.0, 15.45, 160),
    "markdown-it-py": Took(3.5, 3.0, 50),
    "mdbench lint, warm cache": Took(0.07, 0.06, 25),
    "rumdl, warm cache": Took(0.05, 0.04, 15),
}
GROUPS = [
    Group("One report, the whole process", 1, ONE),
    Group("193 different reports (4.0 MB)", 193, MANY),
]


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.01234, "0.0123"), (0.9996, "1.00"), (9.996, "10.0"), (123.4, "123"), (4567.0, "4570")],
)
def test_numbers_have_three_significant_digits(number: float, shown: str) -> None:
    assert timing.round_off(number) == shown


def test_tables_compare_with_mdformat_and_the_parser() -> None:
    lines = list(speed.page_lines([Tool("mdformat", "formatting", "1.0", ())], GROUPS))
    assert lines[2] == "| mdformat | 1.0 | formatting |"
    assert lines[4] == "**One report, the whole process**"
    assert lines[8:12] == [
        "| mdbench lint | 0.300 | 0.250 | 30.0 | 0.500 |",
        "| mdbench normalize | 0.500 | 0.450 | 90.0 | 0.900 |",
        "| markdown-it-py | 0.200 | 0.100 | 20.0 | 0.200 |",
        "| mdformat | 0.400 | 0.500 | 40.0 | 1.00 |",
    ]
    assert lines[13] == "**193 different reports (4.0 MB)**"
    assert lines[17] == "| mdbench lint | 13.0 | 12.2 | 60.0 | 4.08 |"
    assert lines[20] == "| mdbench lint, warm cache | 0.0700 | 0.0600 | 25.0 | 0.0200 |"


def test_ratios_are_those_of_the_goals() -> None:
    lines = list(speed.page_lines([], GROUPS))
    assert lines[lines.index("**Ratios of CPU time**") + 4 :] == [
        "| One report, the whole process | mdbench lint / mdformat | 0.500 |",
        "| 193 different reports | mdbench lint / markdown-it-py | 4.08 |",
        "| 193 different reports | mdbench lint, warm cache / rumdl, warm cache | 1.50 |",
        (
            "| 193 different reports | mdbench normalize / mdbench lint, "
            "both without one report's time | 1.25 |"
        ),
    ]


def test_the_summary_has_the_main_figures() -> None:
    assert speed.summary_line(GROUPS) == (
        "`mdbench lint` takes 0.250 s of CPU time for one report (mdformat: 0.500 s). "
        "For 193 different reports it takes 12.2 s, 4.08 times as long as parsing them "
        "with markdown-it-py, and 0.0600 s with a warm cache."
    )


def test_a_folder_is_checked_as_each_tool_wants_it() -> None:
    tools = [
        Tool("rumdl", "style", "1.0", ("rumdl", "check", "--no-cache")),
        Tool("markdownlint-cli2", "style", "1.0", ("markdownlint-cli2",), ("{}/**/*.md",)),
    ]
    commands = speed.list_commands(tools, "folder")
    assert commands["rumdl"] == ("rumdl", "check", "--no-cache", "folder")
    assert commands["rumdl, warm cache"] == ("rumdl", "check", "folder")
    assert commands["markdownlint-cli2"] == ("markdownlint-cli2", "folder/**/*.md")
    assert "--no-cache" not in commands["mdbench lint, warm cache"]


def test_generated_reports_share_no_table(tmp_path: Path) -> None:
    write_reports(tmp_path, 60)
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob("*.md"))]
    tables = [table for text in texts for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    assert len(texts) == 60 < len(tables) == len(set(tables))
    headers = {table.partition("\n")[0] for table in tables}
    assert len(headers) > 40
    findings = [[one.code for one in lint(text)] for text in texts]
    assert 5 < sum("MB301" in codes for codes in findings) < 30


def test_commands_take_turns_and_the_best_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def run(command: list[str], _: Path) -> Took:
        runs.append(command[0])
        return Took(9.0 - len(runs), float(len(runs)), 10.0 * len(runs))

    monkeypatch.setattr(timing, "run_command", run)
    best = timing.find_best({"one": ["a"], "two": ["b"]}, Path(), 2)
    assert runs == ["a", "b"] * 3
    assert best == {"one": Took(4.0, 3.0, 30.0), "two": Took(3.0, 4.0, 40.0)}


def test_a_slow_command_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def run(command: list[str], _: Path) -> Took:
        runs.append(command[0])
        return Took(90.0 if command == ["slow"] else 1.0, 1.0, 1.0)

    monkeypatch.setattr(timing, "run_command", run)
    best = timing.find_best({"slow": ["slow"], "fast": ["fast"]}, Path(), 2, most_seconds=60)
    assert runs == ["slow", "fast", "fast", "fast"]
    assert list(best) == ["slow", "fast"]


def test_a_run_is_measured_with_the_memory_of_its_largest_process() -> None:
    large = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'b\"x\" * 200_000_000'])"
    took = timing.run_command((sys.executable, "-c", large), PROJECT)
    assert took is not None
    assert 200 < took.memory < 400
    assert 0 < took.cpu < 60
    small = timing.run_command((sys.executable, "-I", "-S", "-c", ""), PROJECT)
    assert small is not None
    assert small.memory < 30


def test_failing_commands_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    commands = {
        name: (sys.executable, "-c", f"raise SystemExit({code})")
        for name, code in {"broken": 3, "findings": 1}.items()
    }
    assert list(timing.find_best(commands, PROJECT, 1)) == ["findings"]
    assert "skipping broken" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--runs", "0"], ["--files", "0"], ["--only", "shoelint"]])
def test_invalid_options_are_rejected(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        speed.read_options(words)


def test_it_runs_on_the_samples_and_updates_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    names = "speed", "speed summary"
    page.write_text("".join(f"<!-- begin: {one} -->\n<!-- end: {one} -->\n" for one in names))
    # Only the samples: the other reports take minutes.
    monkeypatch.setattr(speed, "SOURCES", (PROJECT / "reports",))
    asked = [
        "--runs",
        "1",
        "--files",
        "3",
        "--without-peers",
        "--write",
        str(page),
        "--summary",
        str(page),
    ]
    assert speed.main(asked) == 0
    assert "skipping" not in capsys.readouterr().out
    regions = find_regions(page.read_text(encoding="utf-8"))
    assert re.search(r"^\| mdbench lint \| [\d.]+ \| [\d.]+ \|", regions["speed"], re.MULTILINE)
    assert "**5 different reports" in regions["speed"]
    assert "**3 generated reports" in regions["speed"]
    assert "For 5 different reports" in regions["speed summary"]
