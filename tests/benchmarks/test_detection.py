"""The detection benchmark: its figures are reproducible, and count every mistake."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.wrong_numbers import Kind

PROJECT = Path(__file__).resolve().parent.parent.parent
FIGURES = re.compile(r"\| (?P<kind>[^|]+) \| (\d+) \|" + r" ([\d.]+) % \|" * 4 + r" (\d+) \|")
MARKERS = "before\n<!-- begin: detection -->\nold\n<!-- end: detection -->\nafter\n"


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    module = (sys.executable, "-m", "benchmarks.detection", "--without-forest", "--most", "10")
    return subprocess.run(
        [*module, *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def output() -> str:
    done = run_script(str(PROJECT / "reports"), str(PROJECT / "tests" / "tools" / "reports"))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_kind_of_mistake_is_tried(output: str) -> None:
    kinds = re.findall(r"^\| ([^|]+) \| \d+ \|", output, re.MULTILINE)
    # None of these tables has a total.
    assert kinds == [*(kind for kind in Kind if kind is not Kind.SUM), "all"]


def test_shares_are_of_all_mistakes(output: str) -> None:
    (total,) = [match for match in FIGURES.finditer(output) if match["kind"] == "all"]
    inserted, covered, detected, located, fixed, alarms = map(float, total.groups()[1:])
    assert inserted >= 250
    assert 100 > covered > 35
    assert covered > detected >= located > 12
    assert fixed > 10
    assert alarms < 0.03 * inserted


def test_figures_are_reproducible() -> None:
    first, second = (run_script("--kind", "tenfold", str(PROJECT / "reports")) for _ in range(2))
    assert first.stdout == second.stdout
    assert "value × 10" in first.stdout


def test_figures_are_written_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(MARKERS, encoding="utf-8")
    report = str(PROJECT / "reports" / "nanotron-nemo.md")
    done = run_script("--kind", "duplicate", "--write", str(page), report)
    assert done.returncode == 0
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["before", "<!-- begin: detection -->"]
    assert lines[-2:] == ["<!-- end: detection -->", "after"]
    assert any(line.startswith("| duplicated row | ") for line in lines)
    assert "old" not in lines


def test_a_page_without_markers_is_not_changed(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("nothing here\n", encoding="utf-8")
    report = str(PROJECT / "reports" / "nanotron-nemo.md")
    done = run_script("--kind", "duplicate", "--write", str(page), report)
    assert done.returncode != 0
    assert "begin: detection" in done.stderr
    assert page.read_text(encoding="utf-8") == "nothing here\n"
