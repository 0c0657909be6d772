"""Long runs: memory stays flat, and no processes are left behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mdbench.linting.plan import Plan
from mdbench.linting.runner import lint_source
from mdbench.source import Source
from tests.trust.test_files import NEW, OLD, count_new, fill

MDBENCH = (sys.executable, "-m", "mdbench")
PATIENCE_S = 120
SOON_S = 30
PROJECT = Path(__file__).resolve().parent.parent.parent
MOMENT_S = 10


def make_report(number: int) -> str:
    """A unique report with a wrong row."""
    rows = "".join(
        f"| {nodes} | {nodes * 64} | {number % 89 + nodes / 7:.3f} "
        f"| {nodes * 64 / (number % 89 + nodes / 7) * (10 if nodes == 4 else 1):.2f} |\n"
        for nodes in range(1, 7)
    )
    head = "| Nodes | GBS | Sec/it | Samples/s |\n|--:|--:|--:|--:|\n"
    return f"# Run {number}\n\nRun {number} of many.\n\n{head}{rows}"


def check_many(numbers: range) -> float:
    """The peak memory of this process, in MiB, after it has checked this many reports."""
    for number in numbers:
        lint_source(Source(f"{number}.md", make_report(number)), Plan())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_memory_stays_flat_over_many_files() -> None:
    # In a separate process: the peak of earlier tests would hide this one.
    code = (
        "from tests.trust.test_load import check_many\n"
        "print(check_many(range(200)), check_many(range(200, 800)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    before, after = map(float, done.stdout.split())
    assert after - before < 12, "MiB more after three times as many files"


def children_of(pid: int) -> list[int]:
    """The running children of a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_for_end(leader: int) -> list[int]:
    """The processes of a session that still run shortly after its leader has ended."""
    until = time.monotonic() + MOMENT_S
    while (left := session_of(leader)) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def session_of(leader: int) -> list[int]:
    """The running processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.fixture
def many(tmp_path: Path) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(2400):
        (folder / f"{number:04}.md").write_text(make_report(number), encoding="utf-8")
    return folder


def wait_for_workers(process: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        if len(children_of(process.pid)) >= 2:
            return True
        time.sleep(0.01)
    return False


def test_an_interrupt_ends_all_workers_immediately(many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_bytes(b"old")
    asked = [*MDBENCH, "lint", "--no-cache", "--jobs", "2", "--format", "json", "-o", str(out)]
    process = subprocess.Popen([*asked, str(many)], start_new_session=True, stderr=subprocess.PIPE)
    assert wait_for_workers(process)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told) == (130, b"")
    assert wait_for_end(process.pid) == []
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many", "out.json"]


def test_an_interrupt_does_not_wait_for_slow_files(tmp_path: Path) -> None:
    row = "| {} | 8 | 2.5 | {} |\n"
    rows = "".join(row.format(1 + at % 64, "9.9" if at % 9 else "3.2") for at in range(12000))
    text = f"| Nodes | GBS | Sec/it | Samples/s |\n|--:|--:|--:|--:|\n{rows}"
    for number in range(64):
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    asked = [*MDBENCH, "lint", "--no-cache", "--jobs", "2", "-o", os.devnull, str(tmp_path)]
    process = subprocess.Popen(asked, start_new_session=True, stderr=subprocess.PIPE)
    assert wait_for_workers(process)
    # Wait until they are in the middle of their work.
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    # A worker has thirty more of them, which take minutes: they are too long for the cache.
    _, told = process.communicate(timeout=SOON_S)
    assert (process.returncode, told) == (130, b"")
    assert wait_for_end(process.pid) == []


def test_an_interrupt_of_writing_workers_leaves_no_torn_file(tmp_path: Path) -> None:
    paths = fill(tmp_path, 4000, OLD)
    asked = [*MDBENCH, "lint", "--fix", "--no-cache", "--jobs", "2", "--quiet", str(tmp_path)]
    process = subprocess.Popen(asked, start_new_session=True, stdout=subprocess.DEVNULL)
    assert wait_for_workers(process)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert wait_for_end(process.pid) == []
    assert 0 < count_new(paths, OLD, NEW) < len(paths)
    assert {path.suffix for path in tmp_path.iterdir()} == {".md"}


def test_nothing_is_left_behind(many: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    asked = [*MDBENCH, "lint", "--no-cache", "--jobs", "2", "--format", "concise", str(many)]
    process = subprocess.Popen(
        asked,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    _, told = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told) == (1, b"")
    assert wait_for_end(process.pid) == []
    assert list(scratch.iterdir()) == []
    assert {path.suffix for path in many.iterdir()} == {".md"}
