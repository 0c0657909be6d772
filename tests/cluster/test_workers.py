"""`--engine dask` with real workers: killed workers, files that kill workers, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from distributed import LocalCluster
from pyarrow import parquet

from mdbench.cli.main import main

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
SMALL = "| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n"
# Loaded by each Python that is started: a file with the marker kills the process that reads it.
POISON = """
import os, signal
import mdbench.sheets.report

def read(source, *rest, real=mdbench.sheets.report.read_report):
    if "POISON" in source.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(source, *rest)

mdbench.sheets.report.read_report = read
"""


# The same for a file that takes for ever.
ENDLESS = """
import mdbench.sheets.report

def read(source, *rest, real=mdbench.sheets.report.read_report):
    while "ENDLESS" in source.text:
        pass
    return real(source, *rest)

mdbench.sheets.report.read_report = read
"""


# The same for a file that kills a worker, and then takes for ever in a process of its own.
STUCK = """
import os, signal, sys
import mdbench.sheets.report

def read(source, *rest, real=mdbench.sheets.report.read_report):
    while "STUCK" in source.text:
        if "mdbench.cluster.isolation" not in sys.orig_argv:
            os.kill(os.getpid(), signal.SIGKILL)
    return real(source, *rest)

mdbench.sheets.report.read_report = read
"""


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A dataset with many copies of the sample reports, each on other lines."""
    reports = sorted(REPORTS.glob("*.md"))
    rows = [
        (f"{at}/{one.name}", b"\n" * at + one.read_bytes()) for at in range(4) for one in reports
    ]
    names, contents = zip(*rows, strict=True)
    path = tmp_path / "crawl.parquet"
    parquet.write_table(pa.table({"path": names, "content": contents}), path, row_group_size=7)
    return path


def start_mdbench(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "mdbench", *arguments, "--engine", "dask"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, told = process.communicate(timeout=120)
    return process.returncode, told.decode()


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait until a condition is true, which must happen before the process ends."""
    while not ready():
        assert process.poll() is None, process.communicate()[1].decode()
        time.sleep(0.02)


def count_done(output: Path) -> int:
    return len(list((output / "_done").glob("*.json")))


def count_alive(group: int) -> int:
    """The number of running processes in a group, without zombies."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, check=True)
    processes = (line.split() for line in listed.stdout.decode().splitlines())
    return sum(int(number) == group and not state.startswith("Z") for number, state in processes)


def expect_none_alive(group: int) -> None:
    patience = time.monotonic() + 30
    while count_alive(group) and time.monotonic() < patience:
        time.sleep(0.1)
    assert count_alive(group) == 0


def read_parts(output: Path) -> pa.Table:
    return pa.concat_tables(map(parquet.read_table, sorted(output.glob("part-*.parquet"))))


def normalize_alone(crawl: Path) -> pa.Table:
    """The rows that a single process makes of the same texts."""
    for row in parquet.read_table(crawl).to_pylist():
        path = Path(row["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(row["content"])
    assert main(["normalize", ".", "--jobs", "1", "-o", "alone.parquet"]) == 0
    return parquet.read_table("alone.parquet")


def test_a_killed_worker_changes_nothing(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "runs"
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        silence_logs=50,
    ) as workers:
        address = workers.scheduler_address
        command = ["normalize", str(crawl), "-o", str(output), "--partition-size", "2"]
        process = start_mdbench(*command, "--scheduler", address)
        wait_for(lambda: count_done(output) > 0, process)
        victim = workers.workers[0].pid
        os.kill(victim, signal.SIGKILL)
        left = count_done(output)
        code, told = finish(process)
        assert workers.workers[0].pid != victim
    partitions = len(list(output.glob("part-*.parquet")))
    assert (code, told.splitlines()[-1]) == (
        0,
        f"{partitions} partitions in {output}: {partitions} made, 0 reused",
    )
    assert left < partitions
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    assert read_parts(output).equals(normalize_alone(crawl))


def test_a_file_that_kills_its_process_is_an_error_in_its_row(tmp_path: Path) -> None:
    names = [f"{at}.md" for at in range(8)]
    texts = [SMALL] * 8
    texts[5] = "POISON"
    table = pa.table({"path": names, "content": texts})
    parquet.write_table(table, tmp_path / "crawl.parquet")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "sitecustomize.py").write_text(POISON)
    process = start_mdbench(
        *("normalize", "crawl.parquet", "-o", "runs", "--jobs", "2", "--partition-size", "4"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "start")},
    )
    code, told = finish(process)
    assert (code, told.splitlines()[0]) == (0, "8 files, 7 rows")
    files = pa.concat_tables(
        parquet.read_table(path) for path in sorted((tmp_path / "runs" / "_files").iterdir())
    ).to_pylist()
    assert [row["path"] for row in files] == names
    assert {row["path"]: row["error"] for row in files if row["error"]} == {
        "5.md": "crashed the process that read it (SIGKILL)"
    }


@pytest.mark.parametrize("command", ["normalize", "lint"])
def test_a_file_that_takes_too_long_is_given_up_as_in_a_single_process(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "sitecustomize.py").write_text(ENDLESS)
    (tmp_path / "reports").mkdir()
    for at in range(8):
        text = "ENDLESS" if at == 5 else SMALL + "| | |\n"
        (tmp_path / "reports" / f"{at}.md").write_text(text)
    options: dict[str, Any] = {
        "cwd": tmp_path,
        "env": {**os.environ, "PYTHONPATH": str(tmp_path / "start")},
    }
    limit = ("--timeout-per-file", "1.5")
    alone = [sys.executable, "-m", "mdbench", command, "reports", *limit]
    alone += ["-o", "alone.parquet"] if command == "normalize" else ["--format", "json"]
    expected = subprocess.run(alone, capture_output=True, check=False, **options)
    parts = ("-o", "found", "--jobs", "2", "--partition-size", "4")
    code, told = finish(start_mdbench(command, "reports", *limit, *parts, **options))
    assert (code, told.splitlines()[1][:9]) == (command == "lint", "1 error: ")
    folder = tmp_path / "found" / "_files"
    files = pa.concat_tables(map(parquet.read_table, sorted(folder.iterdir()))).to_pylist()
    errors = {row["path"]: row["error"] for row in files if row["error"]}
    assert list(errors) == ["reports/5.md"]
    rows = read_parts(tmp_path / "found")
    if command == "normalize":
        shown = expected.stderr.decode().splitlines()
        assert shown[0] == f"mdbench: reports/5.md: {errors['reports/5.md']}"
        assert rows.equals(parquet.read_table(tmp_path / "alone.parquet"))
    else:
        assert [
            {name: one[name] for name in ("path", "line", "code", "message")}
            for one in json.loads(expected.stdout)
        ] == rows.select(["path", "line", "code", "message"]).to_pylist()


def test_a_full_disk_ends_the_run_and_the_next_one_continues(crawl: Path, small_disk: Path) -> None:
    output = small_disk / "runs"
    command = ["normalize", crawl.name, "-o", str(output), "--jobs", "2", "--partition-size", "2"]
    subprocess.run(["mount", "-o", "remount,size=512k", str(small_disk)], check=True)
    code, told = finish(start_mdbench(*command, cwd=crawl.parent))
    (line,) = told.splitlines()
    assert (code, line.startswith(f"mdbench: {output}/")) == (2, True)
    assert line.endswith(": cannot be written: No space left on device")
    there = count_done(output)
    assert 0 < there < len(parquet.read_table(crawl)) / 2
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    code, told = finish(start_mdbench(*command, cwd=crawl.parent))
    assert (code, f", {there} reused" in told) == (0, True)
    alone = crawl.parent / "alone"
    assert finish(start_mdbench(*command[:2], "-o", str(alone), cwd=crawl.parent))[0] == 0
    assert read_parts(output).equals(read_parts(alone))


@pytest.mark.parametrize("later_s", [0.0, 0.1, 0.3, 0.5, 1.0])
def test_an_interrupt_while_workers_start_ends_them_at_once(
    later_s: float, crawl: Path, tmp_path: Path
) -> None:
    command = ["lint", crawl.name, "-o", "found", "--jobs", "2"]
    process = start_mdbench(*command, cwd=tmp_path, start_new_session=True)
    # Beside it, there is one process that looks after what all of them share.
    wait_for(lambda: count_alive(process.pid) > 2, process)
    time.sleep(later_s)
    os.killpg(process.pid, signal.SIGINT)
    started = time.monotonic()
    assert finish(process) == (130, "")
    # Half a second on an idle machine; that of other tests is not idle.
    assert time.monotonic() - started < 3
    expect_none_alive(process.pid)


def test_an_interrupt_ends_a_process_that_reads_a_file_apart(tmp_path: Path) -> None:
    table = pa.table({"path": ["0.md"], "content": ["STUCK"]})
    parquet.write_table(table, tmp_path / "crawl.parquet")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "sitecustomize.py").write_text(STUCK)
    process = start_mdbench(
        *("normalize", "crawl.parquet", "-o", "runs", "--jobs", "1", "--timeout-per-file", "0"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "start")},
        start_new_session=True,
    )

    def is_apart() -> bool:
        listed = subprocess.run(["ps", "-A", "-o", "pgid=,args="], capture_output=True, check=True)
        lines = (line.split() for line in listed.stdout.decode().splitlines())
        return any(one[0] == str(process.pid) and one[-1].endswith("isolation") for one in lines)

    wait_for(is_apart, process)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    assert finish(process) == (130, "")
    expect_none_alive(process.pid)


def test_an_interrupt_ends_all_workers_and_the_next_run_continues(
    crawl: Path, tmp_path: Path
) -> None:
    output = tmp_path / "found"
    command = ["lint", crawl.name, "-o", "found", "--jobs", "2", "--partition-size", "1"]
    process = start_mdbench(*command, cwd=tmp_path, start_new_session=True)
    wait_for(lambda: count_done(output) > 0, process)
    # Like a terminal: also to the workers.
    os.killpg(process.pid, signal.SIGINT)
    assert finish(process) == (130, "")
    expect_none_alive(process.pid)
    assert json.loads((output / "_mdbench.json").read_text())["complete"] is False
    there = count_done(output)
    code, told = finish(start_mdbench(*command, cwd=tmp_path))
    made = len(parquet.read_table(crawl)) - there
    assert (code, told.splitlines()[-1].partition(": ")[2]) == (1, f"{made} made, {there} reused")
