"""The speed and memory of `--engine dask` on a generated crawl, and the cost of a larger one.

    python -m benchmarks.crawl [--files N] [--minutes N] [--write docs/scale.md]

Generates a Parquet dataset, with a README in each row: a few sentences, a list, and a code block,
and in one of ten a benchmark table with a number that may be wrong. No two files are equal. Then
`mdbench lint --engine dask` checks them with two processes. If that takes longer than the limit, it
is ended, and the complete partitions count. Memory is sampled twice a second. The CPU time
includes the start-up, the scheduler and the workers.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil
import pyarrow as pa
from pyarrow import parquet

from benchmarks.engine import CRAWL, PRICE_USD, QUIET, WORKERS, describe_busy
from benchmarks.growth import HEADER, make_rows
from handbook.regions import write_region

FILES = 1_000_000
_GROUP = 5000
_TABLES = 0.1
_ROWS = 4
_SAMPLE_S = 0.5
_WORDS = (
    "a the this that server client cache table index batch model queue driver plugin parser reads "
    "writes sends keeps returns builds loads runs needs supports fast small simple remote local "
    "typed lazy when after before with without for each request file buffer value node worker"
).split()


class Sample(NamedTuple):
    """The number of complete files, and the memory of the main process and the largest worker."""

    files: int
    main: float
    worker: float


class Run(NamedTuple):
    """The cost of a run."""

    files: int
    seconds: float
    cores: float
    samples: list[Sample]


def make_file(number: int) -> str:
    """A README."""
    chance = random.Random(number)
    lines = [f"# {chance.choice(_WORDS)}-{number}", ""]
    for _ in range(chance.randrange(1, 4)):
        words = " ".join(chance.choices(_WORDS, k=chance.randrange(20, 60)))
        lines += (f"{words.capitalize()}.", "")
    lines += (f"- {' '.join(chance.choices(_WORDS, k=6))}" for _ in range(chance.randrange(5)))
    lines += ("", "```sh", f"run --{chance.choice(_WORDS)} {number}", "```", "")
    text = "\n".join(lines)
    if chance.random() < _TABLES:
        text += f"## Results\n\n- seq_len: 2048\n\n{HEADER}{''.join(make_rows(_ROWS, number))}"
    return text


def write_crawl(path: Path, files: int) -> int:
    """Write a dataset, and return the size of its texts."""
    schema = pa.schema({"path": pa.string(), "content": pa.string()})
    size = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, files, _GROUP):
            numbers = range(start, min(start + _GROUP, files))
            texts = [make_file(number) for number in numbers]
            names = [f"{number // 1000:04}/{number:07}/README.md" for number in numbers]
            writer.write_table(pa.table([names, texts], schema=schema))
            size += sum(map(len, texts))
    return size


def time_crawl(folder: Path, limit: float) -> Run:
    """Lint the dataset in a folder until it is complete or the time is up."""
    command = (sys.executable, "-m", "mdbench", "lint", "crawl.parquet", "--engine", "dask")
    options = "--jobs", str(WORKERS), "--partition-size", str(_GROUP), "-o", "found", "-q"
    # A shell lets processes in the background ignore Ctrl-C, and those that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started, used = time.perf_counter(), _used()
    process = subprocess.Popen([*command, *options], cwd=folder)
    samples: list[Sample] = []
    while process.poll() is None:
        if time.perf_counter() - started > limit:
            process.send_signal(signal.SIGINT)
            process.wait()
            break
        samples += _take_sample(process.pid, folder)
        time.sleep(_SAMPLE_S)
    if process.returncode not in (0, 1, 130):
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    seconds = time.perf_counter() - started
    return Run(_count_files(folder), seconds, _used() - used, samples)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _count_files(folder: Path) -> int:
    marks = (folder / "found" / "_done").glob("part-*.json")
    return sum(json.loads(mark.read_text())["counts"]["files"] for mark in marks)


def _take_sample(pid: int, folder: Path) -> Iterator[Sample]:
    try:
        main = psutil.Process(pid)
        workers = [one.memory_info().rss for one in main.children(recursive=True)]
        done = len(list((folder / "found" / "_done").glob("part-*.json"))) * _GROUP
        yield Sample(done, main.memory_info().rss / 2**20, max(workers, default=0) / 2**20)
    except psutil.NoSuchProcess:
        return


def page_lines(run: Run, files: int, size: int, price: float) -> Iterator[str]:
    """The tables for the page."""
    share = "all" if run.files == files else f"{run.files:,}"
    yield (
        f"{files:,} generated files, {size / files:.0f} bytes each on average, of which one in ten "
        f"has a benchmark table. {WORKERS} workers checked {share} of them in "
        f"{run.seconds / 60:.0f} minutes and {run.cores:.0f} s of CPU time: "
        f"{run.files / run.seconds:.0f} files/s, {run.files / run.cores:.1f} files/s per core."
    )
    cores = run.cores / run.seconds / WORKERS
    if cores < QUIET:
        yield f"{describe_busy(cores)} Without other programs, it takes less time."
    yield from ("", "The most memory until then:", "")
    yield "| complete files | main process | largest worker |"
    yield "|--:|--:|--:|"
    for part in (0.1, 0.5, 1):
        there = [one for one in run.samples if one.files <= part * run.files]
        most = max(one.main for one in there), max(one.worker for one in there)
        yield f"| {part * run.files:,.0f} | {most[0]:.0f} MiB | {most[1]:.0f} MiB |"
    # Computed from the printed rate, so that readers can recompute it.
    hours = CRAWL / float(f"{run.files / run.cores:.1f}") / 3600
    yield ""
    yield (
        f"At this rate, {CRAWL // 10**6} million such files take {hours:.0f} core hours, which is "
        f"{hours / 64:.1f} hours on 64 cores, and cost ${hours * price:.0f} at ${price:g} per core "
        "hour."
    )


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the page."""
    parser = argparse.ArgumentParser(description="Speed, memory and cost of a crawl.")
    parser.add_argument("--files", type=int, default=FILES, help="the number of files")
    parser.add_argument("--minutes", type=float, default=35, help="the time limit")
    parser.add_argument("--price", type=float, default=PRICE_USD, help="of a core hour, in USD")
    parser.add_argument("--write", type=Path, help="page whose region `crawl` is replaced")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        size = write_crawl(Path(name) / "crawl.parquet", options.files)
        run = time_crawl(Path(name), 60 * options.minutes)
    lines = list(page_lines(run, options.files, size, options.price))
    print("\n".join(lines))
    if options.write is not None:
        write_region(options.write, "crawl", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
