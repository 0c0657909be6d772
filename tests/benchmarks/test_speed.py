"""The speed benchmark: its tables are right, and it runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from benchmarks import speed
from benchmarks.peers import Tool
from benchmarks.speed import Took
from handbook.regions import find_regions

PROJECT = Path(__file__).resolve().parent.parent.parent
CORPUS = speed.Corpus(193, 4.04)
ONE = {
    "mdbench lint": Took(0.3, 0.25),
    "markdown-it-py": Took(0.2, 0.1),
    "mdformat": Took(0.4, 0.5),
}
MANY = {
    "markdown-it-py": Took(3.5, 3.0),
    "mdbench lint --no-cache --jobs 1": Took(13.0, 12.0),
    "mdbench lint --jobs 1, warm cache": Took(0.07, 0.06),
}


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.01234, "0.0123"), (0.9996, "1.00"), (9.996, "10.0"), (123.4, "123"), (4567.0, "4570")],
)
def test_numbers_have_three_significant_digits(number: float, shown: str) -> None:
    assert speed.round_off(number) == shown


def test_tables_compare_with_mdformat_and_the_parser() -> None:
    tools = [Tool(name, "style", "1.0", ()) for name in (*ONE, "failed")]
    lines = list(speed.page_lines(tools, ONE, CORPUS, MANY))
    assert lines[4:7] == [
        "| mdbench lint | 1.0 | style | 0.300 | 0.250 | 0.500 |",
        "| markdown-it-py | 1.0 | style | 0.200 | 0.100 | 0.200 |",
        "| mdformat | 1.0 | style | 0.400 | 0.500 | 1.00 |",
    ]
    assert lines[8] == "**193 different reports (4.0 MB)**"
    assert lines[13:] == [
        "| mdbench lint --no-cache --jobs 1 | 13.0 | 12.0 | 4.00 |",
        "| mdbench lint --jobs 1, warm cache | 0.0700 | 0.0600 | 0.0200 |",
    ]


def test_the_summary_has_the_main_figures() -> None:
    assert speed.summary_line(ONE, CORPUS, MANY) == (
        "`mdbench lint` takes 0.250 s of CPU time for one report (mdformat: 0.500 s). "
        "For 193 different reports it takes 12.0 s, 4.00 times as long as parsing them "
        "with markdown-it-py, and 0.0600 s with a warm cache."
    )


def test_commands_take_turns_and_the_best_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def run(command: list[str], _: Path) -> Took:
        runs.append(command[0])
        return Took(9.0 - len(runs), float(len(runs)))

    monkeypatch.setattr(speed, "run_command", run)
    best = speed.find_best({"one": ["a"], "two": ["b"]}, Path(), 2)
    assert runs == ["a", "b"] * 3
    assert best == {"one": Took(4.0, 3.0), "two": Took(3.0, 4.0)}


def test_failing_commands_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    commands = {
        name: (sys.executable, "-c", f"raise SystemExit({code})")
        for name, code in {"broken": 3, "findings": 1}.items()
    }
    assert list(speed.find_best(commands, PROJECT, 1)) == ["findings"]
    assert "skipping broken" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--runs", "0"], ["--only", "shoelint"]])
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
    asked = ["--runs", "1", "--without-peers", "--write", str(page), "--summary", str(page)]
    assert speed.main(asked) == 0
    assert "skipping" not in capsys.readouterr().out
    regions = find_regions(page.read_text(encoding="utf-8"))
    assert re.search(r"^\| mdbench lint \| [\d.]+ \|", regions["speed"], re.MULTILINE)
    assert "**5 different reports" in regions["speed"]
    assert "For 5 different reports" in regions["speed summary"]
