"""Ctrl-C at any moment ends every command soon, with exit code 130 and without a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.trust.test_load import wait_for_end, wait_for_workers

MDBENCH = (sys.executable, "-m", "mdbench")
# It takes a tenth of a second on an idle machine.
SOON_S = 10
# Interrupts itself when a module is imported.
_WHILE_IMPORTING = """
import runpy, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == awaited:
            signal.raise_signal(signal.SIGINT)

awaited = sys.argv.pop(1)
sys.meta_path.insert(0, Finder())
runpy.run_module("mdbench", run_name="__main__", alter_sys=True)
"""
MODULES = (
    "mdbench.cli.main",
    "mdbench.cli.options",
    "mdbench.cli.commands.lint",
    "mdbench.linting.runner",
)
AT_WORK = {
    "lint": "lint --no-cache --jobs 1 {}",
    "lint with two processes": "lint --no-cache --jobs 2 {}",
    "lint --fix": "lint --fix --jobs 1 {}",
    "lint --add-ignores": "lint --add-ignores --no-cache --jobs 1 {}",
    "lint --write-baseline": "lint --write-baseline --no-cache --jobs 1 {}",
    "normalize": "normalize --jobs 1 --format csv {}",
    "normalize with two processes": "normalize --jobs 2 -o out.parquet {}",
    "render -w": "render -w --jobs 1 {}",
    "render to HTML": "render --format html -o site --jobs 1 {}",
    "columns": "columns {}",
    "diff": "diff slow other",
    "table": "table many",
    "update, while duckdb works": "update bound.md",
    "lint, while duckdb works": "lint --no-cache bound.md",
}
SLOW_SQL = "count(*) from runs a, runs b, runs c where a.nodes * b.nodes % 7 = c.nodes"


@pytest.mark.parametrize("module", MODULES)
def test_an_interrupt_during_the_start_leaves_no_traceback(module: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("| Nodes |\n|--:|\n| 2 |\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _WHILE_IMPORTING, module, "lint", "--no-cache", "."],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with reports and a query that take long."""
    folder = tmp_path_factory.mktemp("place")
    for name in ("slow", "other"):
        (folder / name).mkdir()
    rows = [f"| {1 + at % 64} | {at % 7 / 4} |\n" for at in range(60_000)]
    for number in range(70):
        # After some short ones, other processes help with the long ones.
        shown = "".join(rows[: 2000 if number < 4 else None])
        text = f"# Run {number}\n\n| Nodes | Sec/it |\n|--:|--:|\n{shown}"
        (folder / "slow" / f"{number:02}.md").write_text(text, encoding="utf-8")
        changed = text.replace("| 0.25 |", "| 0.35 |")
        (folder / "other" / f"{number:02}.md").write_text(changed, encoding="utf-8")
    stated = '[results]\nruns = "runs.json"\nmany = "many.json"\n'
    (folder / "mdbench.toml").write_text(stated, encoding="utf-8")
    runs = [{"nodes": at} for at in range(1, 9000)]
    (folder / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    many = [{"name": f"r{at}", "nodes": at % 64, "time_s": at * 1.5} for at in range(9000)]
    (folder / "many.json").write_text(json.dumps(many), encoding="utf-8")
    bound = f"There are <!-- mdbench: = {SLOW_SQL} -->8<!-- / --> runs.\n"
    (folder / "bound.md").write_text(bound, encoding="utf-8")
    return folder


@pytest.mark.parametrize("asked", AT_WORK.values(), ids=AT_WORK)
def test_an_interrupt_ends_work_soon(asked: str, place: Path) -> None:
    process = subprocess.Popen(
        [*MDBENCH, *asked.format("slow").split(), "--verbose"],
        cwd=place,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    if asked.startswith(("diff", "table")):
        # They do not say when they have started.
        time.sleep(1)
    else:
        assert b"searched" in process.stderr.readline()
    assert "--jobs 2" not in asked or wait_for_workers(process)
    # Into the middle of the work, which takes much longer.
    time.sleep(0.5)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    try:
        _, told = process.communicate(timeout=SOON_S)
    finally:
        process.kill()
    assert process.returncode == 130
    assert all(line.startswith(b"mdbench: ") for line in told.splitlines()), told.decode()
    assert wait_for_end(process.pid) == []
    assert list(place.rglob("*.tmp")) == []
    written = ("out.parquet", "site", ".mdbench-baseline.json")
    assert not any((place / name).exists() for name in written)
