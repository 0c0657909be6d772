"""The detection benchmark: its faults are what they say, its figures are steady and good enough."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
SCRIPT = PROJECT / "benchmarks" / "detection.py"
FIGURES = re.compile(
    r"\| (?P<kind>[^|]+) \| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| (\d+) \|"
)
MARKERS = "before\n<!-- detection:start -->\nold\n<!-- detection:end -->\nafter\n"


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--without-forest", "--most", "2", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


@pytest.fixture(scope="module")
def output() -> str:
    done = run_script(str(PROJECT / "reports"))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_kind_of_fault_is_tried(output: str) -> None:
    kinds = re.findall(r"^\| ([^|]+) \| \d+ \|", output, re.MULTILINE)
    assert len(kinds) == 11
    assert kinds[-1] == "all"


def test_the_goals_are_met_on_the_samples(output: str) -> None:
    (total,) = [match for match in FIGURES.finditer(output) if match["kind"] == "all"]
    injected, caught, named, fixed, alarms = map(float, total.groups()[1:])
    assert injected >= 50
    assert caught >= 95
    assert named >= 80
    assert fixed >= 70
    assert alarms == 0


def test_what_no_relation_sees_is_counted(output: str) -> None:
    assert re.search(r"^column × 1000: \d+ left out, ", output, re.MULTILINE)


def test_two_runs_give_the_same_figures() -> None:
    first, second = (run_script("--kind", "tenfold", str(PROJECT / "reports")) for _ in range(2))
    assert first.stdout == second.stdout
    assert "value × 10" in first.stdout


def test_the_figures_go_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(MARKERS, encoding="utf-8")
    report = str(PROJECT / "reports" / "nanotron-nemo.md")
    done = run_script("--kind", "duplicate", "--write", str(page), report)
    assert done.returncode == 0
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["before", "<!-- detection:start -->"]
    assert lines[-2:] == ["<!-- detection:end -->", "after"]
    assert any(line.startswith("| duplicated row | ") for line in lines)
    assert "old" not in lines


def test_a_page_without_markers_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("nothing here\n", encoding="utf-8")
    report = str(PROJECT / "reports" / "nanotron-nemo.md")
    done = run_script("--kind", "duplicate", "--write", str(page), report)
    assert done.returncode != 0
    assert "detection:start" in done.stderr
    assert page.read_text(encoding="utf-8") == "nothing here\n"
