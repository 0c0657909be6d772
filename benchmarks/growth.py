"""How time and memory grow with the rows of a table and with the number of files.

    python -m benchmarks.growth [--rows N] [--files N] [--write docs/performance.md]

Generates longer and longer tables, in which 1 % of the rows are wrong and 1 % are empty, and
folders with more and more files. Each is linted and normalized by a new process, one at a time. The
CPU time includes child processes; the memory is that of the largest process. The exponent is the
slope of a line fitted to the logarithms: 1 is linear, 2 is quadratic. `--max-file-size` is raised.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from handbook.regions import write_region

ROWS, FILES = 1_000_000, 100_000
_STEP = 10**0.5
_SMALLEST = 1000
_WRONG, _EMPTY = 0.01, 0.01
_HEADER = (
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
        file.write(f"# Runs\n\n- seq_len: 2048\n\n{_HEADER}")
        file.writelines(make_rows(rows))


def write_files(folder: Path, files: int) -> None:
    """Many different reports with short tables."""
    for number in range(files):
        text = f"# Runs {number}\n\n- seq_len: 2048\n\n{_HEADER}{''.join(make_rows(5, number))}"
        (folder / f"{number:06}.md").write_text(text, encoding="utf-8")


def run(command: str, folder: Path, size: int) -> Cost:
    """The cost of one command on a folder."""
    options = {
        "lint": ("--format", "concise", "--no-cache", "-o", os.devnull),
        "normalize": ("-o", os.devnull, "--format", "parquet"),
    }[command]
    limit = ("--max-file-size", "1GB")
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


def fit_exponent(costs: Sequence[Cost]) -> float:
    """The slope of log time over log size, without the start-up time."""
    start = run_nothing()
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
        f"| {last.mebibytes:,.0f} MiB | {fit_exponent(costs):.2f} |"
    )


def main() -> None:
    """Measure, print, and update the page."""
    parser = argparse.ArgumentParser(description="How time and memory grow.")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of the longest table")
    parser.add_argument("--files", type=int, default=FILES, help="files in the largest folder")
    parser.add_argument("--write", type=Path, help="page whose region `growth` is replaced")
    arguments = parser.parse_args()
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
