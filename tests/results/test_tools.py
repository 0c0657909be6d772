"""Real tools are run, and what they write is read; skipped where a tool cannot be had."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mdbench.rendering.first_table import write_first_table
from mdbench.rendering.updating import update
from mdbench.results.comparison import compare
from mdbench.results.database import Database
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary
from tests.results.conftest import Open

_PATIENCE_S = 240
_GAP = re.compile(r"\s{2,}")
_BENCHMARKS = """
import google_benchmark as benchmark

@benchmark.register
@benchmark.option.arg(1000)
@benchmark.option.unit(benchmark.kMicrosecond)
def sort(state):
    while state:
        sorted(range(state.range(0), 0, -1))

@benchmark.register
def add(state):
    while state:
        1 + 1

benchmark.main()
"""
_TESTS = """
import pytest

@pytest.mark.parametrize("n", [10, 1000])
def test_sum(benchmark, n):
    benchmark(lambda: sum(range(n)))
"""
_MITATA = """
import { run, bench } from 'mitata';
import { writeFileSync } from 'fs';
const numbers = Array.from({ length: 1000 }, (_, i) => 1000 - i);
bench('sort', () => numbers.slice().sort((x, y) => x - y));
bench('reverse', () => numbers.slice().reverse());
let table = '';
const found = await run({ format: 'markdown', print: line => { table += line + '\\n'; } });
for (const one of found.benchmarks) for (const run of one.runs) { run.stats.samples = null; }
writeFileSync('mitata.json', JSON.stringify(found));
writeFileSync('mitata.md', table);
"""
_TINYBENCH = """
import { Bench } from 'tinybench';
import { writeFileSync } from 'fs';
const numbers = Array.from({ length: 1000 }, (_, i) => 1000 - i);
const bench = new Bench({ time: 50 });
bench.add('sort', () => { numbers.slice().sort((x, y) => x - y); });
await bench.run();
const tasks = bench.tasks.map(task => ({ name: task.name, result: task.result }));
writeFileSync('tinybench.json', JSON.stringify(tasks));
writeFileSync('tinybench-table.json', JSON.stringify(bench.table()));
"""


def _run(folder: Path, *command: str) -> str:
    # In a worker of pytest-xdist, pytest-benchmark measures nothing.
    env = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
        env=env,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _need(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def _install(folder: Path, *command: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=_PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{command[-1]} cannot be installed in {_PATIENCE_S} s")
    if done.returncode:
        reason = done.stderr.decode().strip().rpartition("\n")[2]
        pytest.skip(f"{command[-1]} cannot be installed: {reason}")


def _environment(folder: Path, *packages: str) -> str:
    """A Python of its own: these packages would change how the tests of the project run."""
    _run(folder, sys.executable, "-m", "venv", "--without-pip", "venv")
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check")
    _install(folder, *pip, "install", "--quiet", *packages)
    return str(python)


def _lay_out(lines: Iterable[Sequence[object]]) -> str:
    """What a tool prints in columns, as a table in Markdown."""
    header, *rows = lines
    laid = (header, ["---"] * len(header), *rows)
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in laid)


def _count_in_step(table: str, database: Database, comment: str = "from t") -> int:
    """How many cells of the tool's own table are bound; all of them show what the results say."""
    source = Source("README.md", f"<!-- mdbench: {comment} -->\n{table}")
    updated = update(source, standard_vocabulary(), database)
    assert (updated.changes, updated.remarks, updated.problem) == ((), (), "")
    (found,) = compare(read_report(source, standard_vocabulary()), database).tables
    assert not any(cell.drifted for cell in found.cells)
    return len(found.cells)


def test_hyperfine(tmp_path: Path, opened: Open) -> None:
    hyperfine = _need("hyperfine")
    export = ("--export-json", "t.json", "--export-markdown", "t.md")
    commands = ("-L", "n", "1,200000", "seq {n}")
    # Without a shell, whose time is subtracted: a command of 0 s has no relative speed.
    _run(tmp_path, hyperfine, "-N", "--runs", "4", "--style", "none", *export, *commands)
    database = opened(tmp_path, {"t": "t.json"})
    data = json.loads((tmp_path / "t.json").read_text())["results"]
    asked = database.ask("select command, n, mean, stddev, min, max, runs from t").rows
    keys = ("mean", "stddev", "min", "max")
    assert asked == [
        (f"seq {n}", n, *(one[key] for key in keys), 4)
        for n, one in zip((1, 200000), data, strict=True)
    ]
    # The mean with its spread, the minimum and the maximum of both commands.
    assert _count_in_step((tmp_path / "t.md").read_text(), database) == 6


def test_pytest_benchmark(tmp_path: Path, opened: Open) -> None:
    python = _environment(tmp_path, "pytest-benchmark")
    (tmp_path / "test_sum.py").write_text(_TESTS)
    columns = "--benchmark-columns=min,mean,stddev,median,ops,rounds"
    options = ("--benchmark-json=t.json", "--benchmark-max-time=0.05", "-q", columns)
    text = _run(tmp_path, python, "-m", "pytest", "test_sum.py", *options)
    database = opened(tmp_path, {"t": "t.json"})
    data = json.loads((tmp_path / "t.json").read_text())["benchmarks"]
    assert database.ask("select name, n, mean, ops from t").rows == [
        (one["name"], n, one["stats"]["mean"], one["stats"]["ops"])
        for n, one in zip((10, 1000), data, strict=True)
    ]
    lines = [line for line in text.splitlines() if line.startswith(("Name", "test_sum"))]
    table = [_GAP.split(line.strip()) for line in lines]
    # The unit of all columns stands in the header of the first one.
    per_s = {"ns": "1e9", "us": "1e6", "ms": "1e3"}[table[0][0].removesuffix(")")[-2:]]
    times = (f'"{one}" = {one} * {per_s}' for one in ("Min", "Mean", "StdDev", "Median"))
    comment = f'from t columns: "{table[0][0]}" = name, {", ".join(times)}'
    assert _count_in_step(_lay_out(table), database, comment) == 12


def test_google_benchmark(tmp_path: Path, opened: Open) -> None:
    python = _environment(tmp_path, "google-benchmark")
    (tmp_path / "bench.py").write_text(_BENCHMARKS)
    options = ("--benchmark_out=t.json", "--benchmark_min_time=0.01s")
    text = _run(tmp_path, python, "bench.py", *options)
    database = opened(tmp_path, {"t": "t.json"})
    data = json.loads((tmp_path / "t.json").read_text())["benchmarks"]
    units = {"ns": 1, "us": 1000}
    first = units[data[0]["time_unit"]]
    for (name, time), one in zip(
        database.ask("select name, real_time from t").rows, data, strict=True
    ):
        assert name == one["name"]
        assert time == pytest.approx(one["real_time"] * units[one["time_unit"]] / first)
    lines = [line for line in text.splitlines() if line and not line.startswith("-")]
    assert _count_in_step(_lay_out(_GAP.split(line) for line in lines), database) == 6


def test_mitata(tmp_path: Path, opened: Open) -> None:
    node, npm = _need("node"), _need("npm")
    _install(tmp_path, npm, "install", "--no-audit", "--no-fund", "mitata")
    (tmp_path / "bench.mjs").write_text(_MITATA)
    _run(tmp_path, node, "bench.mjs")
    database = opened(tmp_path, {"t": "mitata.json"})
    data = json.loads((tmp_path / "mitata.json").read_text())["benchmarks"]
    assert database.ask("select name, avg, p99 from t").rows == [
        (one["alias"], one["runs"][0]["stats"]["avg"], one["runs"][0]["stats"]["p99"])
        for one in data
    ]
    lines = (tmp_path / "mitata.md").read_text().splitlines(keepends=True)
    table = "".join(line for line in lines if line.startswith("|"))
    assert _count_in_step(table, database) == 10


def test_tinybench(tmp_path: Path, opened: Open) -> None:
    node, npm = _need("node"), _need("npm")
    _install(tmp_path, npm, "install", "--no-audit", "--no-fund", "tinybench")
    (tmp_path / "bench.mjs").write_text(_TINYBENCH)
    _run(tmp_path, node, "bench.mjs")
    database = opened(tmp_path, {"t": "tinybench.json", "printed": "tinybench-table.json"})
    ((name, mean, samples),) = database.ask("select name, latency_mean, samples from t").rows
    ((printed, nanoseconds),) = database.ask("select name, latency_mean from printed").rows
    assert (name, printed) == ("sort", "sort")
    assert samples > 0
    assert nanoseconds == pytest.approx(mean * 1e6, rel=0.01)
    rows = json.loads((tmp_path / "tinybench-table.json").read_text())
    assert _count_in_step(_lay_out([[*rows[0]], *(list(row.values()) for row in rows)]), database)


class _Hello(BaseHTTPRequestHandler):
    """Answers any request with a word."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def _serving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hello)
    worker = threading.Thread(target=server.serve_forever, daemon=True)
    worker.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        worker.join()


def test_wrk(tmp_path: Path, opened: Open) -> None:
    wrk = _need("wrk")
    with _serving() as url:
        text = _run(tmp_path, wrk, "-t", "1", "-c", "2", "-d", "1s", "--latency", url)
    (tmp_path / "t.txt").write_text(text)
    database = opened(tmp_path, {"t": "t.txt"})
    assert database.problems == {}
    ((asked, threads, connections, rate, median, high),) = database.ask(
        "select url, threads, connections, requests_per_s, latency_p50, latency_p99 from t"
    ).rows
    assert (asked, threads, connections) == (url, 1, 2)
    assert f"{rate:.2f}" in text.partition("Requests/sec:")[2]
    assert 0 < median <= high
    # wrk prints no table: the first one of `mdbench table` is in step.
    table = write_first_table(database, "t", standard_vocabulary()).partition("\n")[2]
    assert _count_in_step(table, database) > 3
