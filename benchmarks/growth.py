"""How time and memory grow with the size of a table and with the number of files.

    python -m benchmarks.growth [--rows N] [--files N] [--tables] [--write docs/performance.md]

Generates longer and longer tables, in which 1 % of the rows are wrong and 1 % are empty, and
folders with more and more files. Each is linted and normalized by a new process, one at a time. The
CPU time includes child processes; the memory is that of the largest process. The exponent is the
slope of a line fitted to the logarithms: 1 is linear, 2 is quadratic. `--max-file-size` is raised,
and there is no `--timeout-per-file`.

Before that, and with `--tables` only that, tables with more and more columns or rows are linted in
this process. Their numbers are drawn at random, and two columns of five are computed from others.
The best of several runs counts. In tables with more than 40 columns of numbers, mdbench does not
look for columns that are computed from others, so the columns up to 40 and from 100 on are shown on
their own.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from handbook.regions import write_region
from mdbench.diagnosis.arithmetic.grid import MOST_LINES
from mdbench.linting.checker import check_context
from mdbench.rules.context import Context
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

ROWS, FILES = 1_000_000, 100_000
_STEP = 10**0.5
_SMALLEST = 1000
_WRONG, _EMPTY = 0.01, 0.01
_SHAPES = {
    "columns, 10 to 40": [(20, columns) for columns in (10, 20, 30, MOST_LINES)],
    "columns, 10 to 100": [(20, columns) for columns in (10, 20, 40, 60, 80, 100)],
    "columns, 100 to 1,000": [(20, columns) for columns in (100, 200, 500, 1000)],
    "rows, 100 to 3,000": [(rows, 10) for rows in (100, 300, 1000, 3000)],
}
"""The rows and columns of the tables that grow."""
_TITLES = ("Before {} (ms)", "After {} (ms)", "Speedup {}", "Sum {} (ms)", "Size {} (MB)")
_ROUNDS = 3
HEADER = (
    "| Run | Nodes | GPUs | GBS | Sec/it | Samples/s | Tokens/s |\n"
    "|-----|------:|-----:|----:|-------:|----------:|---------:|\n"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a run."""

    size: int
    seconds: float
    mebibytes: float


def make_rows(count: int, seed: int = 0) -> Iterator[str]:
    """The rows of a table. Most of them are consistent."""
    chance = random.Random(seed)
    for number in range(count):
        nodes, batch = 1 + number % 64, 64 * (1 + number % 16)
        time = round(chance.uniform(1, 9), 3)
        rate, fate = batch / time, chance.random()
        if fate < _WRONG:
            rate *= 10
        settings = f"| r{seed}-{number} | {nodes} | {nodes * 8} | {batch} |"
        if fate > 1 - _EMPTY:
            yield f"{settings} | | |\n"
        else:
            yield f"{settings} {time} | {rate:.2f} | {rate * 2048:.0f} |\n"


def write_table(folder: Path, rows: int) -> None:
    """One report with one long table."""
    with (folder / "report.md").open("w", encoding="utf-8") as file:
        file.write(f"# Runs\n\n- seq_len: 2048\n\n{HEADER}")
        file.writelines(make_rows(rows))


def write_files(folder: Path, files: int) -> None:
    """Many different reports with short tables."""
    for number in range(files):
        text = f"# Runs {number}\n\n- seq_len: 2048\n\n{HEADER}{''.join(make_rows(5, number))}"
        (folder / f"{number:06}.md").write_text(text, encoding="utf-8")


def run(command: str, folder: Path, size: int) -> Cost:
    """The cost of one command on a folder."""
    options = {
        "lint": ("--format", "concise", "--no-cache", "-o", os.devnull),
        "normalize": ("-o", os.devnull, "--format", "parquet"),
    }[command]
    limit = ("--max-file-size", "1GB", "--timeout-per-file", "0")
    asked = [sys.executable, "-m", "mdbench", command, "--quiet", *options, *limit, str(folder)]
    process = subprocess.Popen(asked, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(asked)}: exit code {process.returncode}")
    return Cost(size, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(command: str, make: Callable[[Path, int], None], most: int) -> Iterator[Cost]:
    """The cost of larger and larger inputs."""
    size = float(_SMALLEST)
    while round(size) <= most:
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), round(size))
            cost = run(command, Path(folder), round(size))
        print(f"  {command} {cost.size:>9,}: {cost.seconds:8.1f} s {cost.mebibytes:8.0f} MiB")
        yield cost
        size *= _STEP


def make_table(rows: int, columns: int) -> str:
    """A table of random numbers, some of them computed from others."""
    chance = random.Random(f"{rows} {columns}")
    titles = [_TITLES[at % len(_TITLES)].format(at // len(_TITLES)) for at in range(columns - 1)]
    lines = [("Case", *titles), ("---",) * columns]
    for number in range(rows):
        values: list[float] = []
        while len(values) < columns - 1:
            before, after = (round(chance.uniform(1, 1000), 2) for _ in range(2))
            values += before, after, round(before / after, 3), round(before + after, 2)
            values.append(round(chance.uniform(1, 1000), 2))
        lines.append((f"r{number}", *map(str, values[: columns - 1])))
    return "# Runs\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def time_lint(rows: int, columns: int) -> float:
    """The CPU seconds to lint a table in this process."""
    source, vocabulary = Source("table.md", make_table(rows, columns)), standard_vocabulary()
    took = []
    for _ in range(_ROUNDS):
        started = time.process_time()
        check_context(Context(read_report(source, vocabulary)))
        took.append(time.process_time() - started)
    return min(took)


def table_lines() -> Iterator[str]:
    """The time for each shape of a table, and how it grows."""
    time_lint(10, 10)  # loads the modules
    yield "| growing | rows × columns: CPU time | exponent |"
    yield "|---|---|--:|"
    for what, shapes in _SHAPES.items():
        at = what.startswith("columns")
        costs = [Cost(shape[at], time_lint(*shape), 0) for shape in shapes]
        times = ", ".join(
            f"{rows:,} × {columns}: {1000 * one.seconds:,.0f} ms"
            for (rows, columns), one in zip(shapes, costs, strict=True)
        )
        yield f"| {what} | {times} | {fit_exponent(costs, 0):.2f} |"


def fit_exponent(costs: Sequence[Cost], start: float) -> float:
    """The slope of log time over log size, without the start-up time."""
    points = [(math.log(one.size), math.log(max(one.seconds - start, 1e-3))) for one in costs]
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    over = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return over / sum((x - middle_x) ** 2 for x, _ in points)


def run_nothing() -> float:
    """The CPU seconds for an empty report."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "report.md").touch()
        return run("lint", Path(folder), 0).seconds


def tabulate(title: str, costs: Sequence[Cost]) -> str:
    """A line of the table."""
    last = costs[-1]
    rate = last.size / last.seconds
    return (
        f"| {title} | {last.size:,} | {last.seconds:.0f} s | {rate:,.0f}/s "
        f"| {last.mebibytes:,.0f} MiB | {fit_exponent(costs, run_nothing()):.2f} |"
    )


def main() -> None:
    """Measure, print, and update the page."""
    parser = argparse.ArgumentParser(description="How time and memory grow.")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of the longest table")
    parser.add_argument("--files", type=int, default=FILES, help="files in the largest folder")
    parser.add_argument("--tables", action="store_true", help="only tables that grow both ways")
    parser.add_argument("--write", type=Path, help="page whose regions are replaced")
    arguments = parser.parse_args()
    shown = list(table_lines())
    print("\n".join(shown))
    if arguments.write:
        write_region(arguments.write, "table growth", shown)
    if arguments.tables:
        return
    lines = [
        "| input | largest | CPU time | rate | memory | exponent |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for command in ("lint", "normalize"):
        for what, make, most in (
            ("rows of one table", write_table, arguments.rows),
            ("files", write_files, arguments.files),
        ):
            costs = list(measure(command, make, most))
            lines.append(tabulate(f"{command}: {what}", costs))
    print("\n".join(lines))
    if arguments.write:
        write_region(arguments.write, "growth", lines)


if __name__ == "__main__":
    main()
