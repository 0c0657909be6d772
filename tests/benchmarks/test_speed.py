"""The speed benchmark: its reports are what they say, its tables are right, and it runs."""

from __future__ import annotations

import importlib
import random
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
FOLDER = PROJECT / "benchmarks"
REPORT = "# Runs\n\nAt 8 nodes.\n\n| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n| a100 | n/a |\n"
MARKERS = "before\n<!-- speed:start -->\nold\n<!-- speed:end -->\nafter\n"


def load(name: str) -> ModuleType:
    """A script as a module; scripts import each other by name, as scripts do."""
    sys.path.append(str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


copies, speed, stopwatch, tables = map(load, ("copies", "speed", "stopwatch", "speed_tables"))
Took = stopwatch.Took
CORPUS = tables.Corpus(Path("nowhere"), "copies", 1.25)
OTHER = tables.Corpus(Path("nowhere"), "others", 1.5)


def figures() -> object:
    """What two tools and the parser took for two sets of reports."""
    took = {
        (tables.ONE, "mdbench lint"): Took(0.25, 0.2, 20),
        (tables.ONE, "mdformat"): Took(0.5, 0.4, 30),
        (CORPUS.cold, "mdbench lint"): Took(2.0, 3.5, 40.4, 5),
        (CORPUS.cold, "mdbench normalize"): Took(4.0, 5.0, 120, 5),
        (CORPUS.cold, "mdformat"): Took(26.0, 25.5, 30, 2),
        (CORPUS.cold, "markdown-it-py"): Took(3.0, 2.9, 20, 5),
        (CORPUS.warm, "mdbench lint"): Took(0.125, 0.1, 20, 5),
        (tables.IMPORTS, tables.NO_IMPORT): Took(0.25, 0.2, 20),
        (tables.IMPORTS, "pandas"): Took(1.75, 1.2, 90),
    }
    return tables.Figures(took, "pandas")


def tools(*names: str) -> list[object]:
    peers = load("peers")
    return [peers.Tool(name, "something", "1.0", ()) for name in names]


def test_copies_differ_in_their_last_paragraph_only() -> None:
    texts = list(copies.copy_samples([REPORT, "Other\n"], 5))
    assert texts[2] == f"{REPORT}\nThis is copy 2.\n"
    assert texts[3] == "Other\n\nThis is copy 3.\n"
    assert len(texts) == 5


def test_a_changed_report_has_another_digit_in_a_number_of_a_row() -> None:
    before, after = REPORT.split("| 4 | 12.5 |")
    for seed in range(20):
        changed = copies.change_numbers(REPORT, random.Random(seed))
        row = changed.removeprefix(before).removesuffix(after)
        assert re.fullmatch(r"\| (4 \| 12\.[1-46-9]|[1-35-9] \| 12\.5) \|", row)


def test_no_two_reports_are_alike_and_the_first_are_as_they_are() -> None:
    reports = [REPORT, "# Nothing\n"]
    texts = list(copies.vary_reports(reports, 12))
    assert texts[:2] == reports
    assert len({*texts}) == 12
    assert texts == list(copies.vary_reports(reports, 12))


def test_the_same_files_are_made_again(tmp_path: Path) -> None:
    copies.write_files(tmp_path / "corpus", [REPORT, REPORT.replace("12.5", "9.75")])
    made = []
    for name in ("first", "second"):
        folder = tmp_path / name
        copies.make_corpora(folder, 15, tmp_path / "corpus")
        paths = sorted(folder.rglob("*.md"))
        made.append({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})
    assert made[0] == made[1]
    assert len({*made[0].values()}) == 18
    assert [name.partition("/")[0] for name in made[0]] == ["copies"] * 15 + ["different"] * 3


def test_without_other_reports_there_are_copies_only(tmp_path: Path) -> None:
    copies.make_corpora(tmp_path / "made", 5, tmp_path / "nowhere")
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["copies"]


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0"),
        (0.01234, "0.0123"),
        (0.9996, "1.00"),
        (9.996, "10.0"),
        (26.04, "26.0"),
        (123.4, "123"),
        (4567.0, "4570"),
    ],
)
def test_three_digits_count(number: float, shown: str) -> None:
    assert tables.round_off(number) == shown


def test_a_measure_shows_each_tool_beside_the_others() -> None:
    asked = tools("mdbench lint", "rumdl", "mdformat", "markdown-it-py")
    lines = list(tables.measure_lines(figures(), asked, CORPUS.cold, CORPUS.cold))
    assert lines[0].endswith("| × rumdl | × mdformat | × markdown-it-py | runs |")
    assert lines[2:] == [
        "| mdbench lint | 2.00 | 3.50 | 40 | – | 0.0769 | 0.667 | 5 |",
        "| mdformat | 26.0 | 25.5 | 30 | – | 1.00 | 8.67 | 2 |",
        "| markdown-it-py | 3.00 | 2.90 | 20 | – | 0.115 | 1.00 | 5 |",
    ]


def test_who_has_no_cache_is_taken_without() -> None:
    lines = list(tables.measure_lines(figures(), tools("mdbench lint"), CORPUS.warm, CORPUS.cold))
    assert lines[2:] == ["| mdbench lint | 0.125 | 0.100 | 20 | – | 0.00481 | 0.0417 | 5 |"]


def test_goals_are_met_or_not_or_not_known() -> None:
    lines = [*tables.goal_lines(figures(), [CORPUS, OTHER])]
    assert lines[0] == "| goal | copies | others |"
    assert [line.partition(" | ")[2] for line in lines[2:]] == [
        "met: 0.500 |  |",
        "not met: 0.667 | – |",
        "met: 13.0 | – |",
        "– | – |",
        "met: 1.25 | – |",
    ]


def test_the_short_table_has_times_of_all_but_normalize() -> None:
    asked = tools("mdbench lint", "mdbench normalize", "mdformat")
    assert list(tables.short_lines(figures(), asked, [CORPUS, OTHER])) == [
        "| seconds | one report | copies, no cache | others, no cache | copies, warm cache |",
        "|---|--:|--:|--:|--:|",
        "| mdbench lint | 0.250 | 2.00 | – | 0.125 |",
        "| mdformat | 0.500 | 26.0 | – | – |",
    ]


def test_what_takes_turns_is_run_until_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick = (stopwatch.Task("all", name, (), Path()) for name in ("slow", "quick"))
    order = []

    def run(task: object) -> object:
        order.append(task)
        return Took(40.0 if task is slow else 1.0, 2.0, len(order))

    monkeypatch.setattr(stopwatch, "run", run)
    took = stopwatch.run_in_turn([slow, quick], 4)
    assert order == [slow, quick, slow, quick, quick, quick]
    assert took == {slow: Took(40.0, 2.0, 3, 2), quick: Took(1.0, 2.0, 6, 4)}


def test_a_command_that_fails_is_told_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    codes = {"broken": 3, "finding": 1}
    tasks = [
        stopwatch.Task("all", name, (sys.executable, "-c", f"raise SystemExit({code})"), PROJECT)
        for name, code in codes.items()
    ]
    took = stopwatch.run_in_turn(tasks, 1)
    assert [task.tool for task in took] == ["finding"]
    assert "broken left out" in capsys.readouterr().out


def test_options_have_defaults() -> None:
    options = speed.read_options([])
    assert (options.files, options.runs, options.peers, options.write) == (2000, 5, None, None)


@pytest.mark.parametrize(
    "words", [["--files", "2"], ["--runs", "0"], ["--peers", "x", "--without-peers"]]
)
def test_options_that_make_no_sense_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        speed.read_options(words)


def test_it_runs_and_writes_its_figures(tmp_path: Path) -> None:
    page, short = tmp_path / "performance.md", tmp_path / "README.md"
    for path in (page, short):
        path.write_text(MARKERS, encoding="utf-8")
    asked = ("--files", "10", "--runs", "1", "--without-peers")
    done = subprocess.run(
        [sys.executable, FOLDER / "speed.py", *asked, "--write", page, "--short", short],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "left out" not in done.stdout
    full, few = (path.read_text(encoding="utf-8") for path in (page, short))
    assert all("old" not in text and text.endswith("end -->\nafter\n") for text in (full, few))
    measured = re.findall(r"^\| mdbench lint \| [\d.]+ \| [\d.]+ \| \d+ \|", full, re.MULTILINE)
    # One report, and each set of reports without a cache and with one.
    assert len(measured) == len(re.findall(r"^\*\*.+\*\*$", full, re.MULTILINE))
    assert len(measured) in (3, 5)
    assert re.search(r"^\| mdbench lint \| [\d.]+ \| [\d.]+ \|", few, re.MULTILINE)
