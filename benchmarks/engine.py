"""The overhead of `--engine dask` over `--jobs 2`, its speed, and the cost of a whole crawl.

    python -m benchmarks.engine [--write docs/scale.md] [--copies N] [--rounds N] [PATH…]

The input is reports/ and, if it exists, ../shared/corpus, several times over. Each copy starts with
a different number of empty lines, so that no two files are equal. The files are used as they are
and without their tables, because most files of a crawl have none. Each command runs with two
processes: `--jobs 2` on the files, `--engine dask --jobs 2` on the same files, and on the same
texts in a parquet dataset. A partition has 16 files, as many as `--jobs` gives to a process at
once. Larger partitions have less overhead per file.

The time for 64 files of one line is the start-up, which is reported separately and subtracted.
Times are CPU seconds of all processes, and wall-clock seconds too if the machine is not busy. The
best of several rounds counts.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import parquet

from handbook.regions import write_region
from mdbench.files.discovery import find_reports
from mdbench.files.reading import read_source
from mdbench.markdown.parser import parse_document
from mdbench.source import Edit, Source, SourceError

WORKERS = 2
CRAWL = 100_000_000
PRICE_USD = 0.04
_CHUNK = 16
_TRIVIAL = 64
# Wall-clock times are reported only if the benchmark had this share of its cores.
QUIET = 0.7
_COMMANDS = ("lint", "normalize")
_PROJECT = Path(__file__).resolve().parent.parent

Texts = Mapping[str, bytes]


class Took(NamedTuple):
    """Wall-clock and CPU seconds."""

    clock: float
    cores: float

    def minus(self, other: Took) -> Took:
        """The difference to another time."""
        return Took(self.clock - other.clock, self.cores - other.cores)

    def over(self, other: Took) -> Took:
        """The relative difference to another time."""
        return Took(self.clock / other.clock - 1, self.cores / other.cores - 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """The times of a command on some texts, without the start-up."""

    command: str
    kind: str
    files: int
    megabytes: float
    jobs: Took
    dask: Took
    dataset: Took


def read_texts(paths: Sequence[str]) -> list[Source]:
    """The readable reports."""
    found = []
    for path in find_reports(paths):
        try:
            found.append(read_source(path))
        except SourceError as error:
            print(f"{path}: {error}", file=sys.stderr)
    return found


def cut_tables(source: Source) -> Source:
    """A text without its tables."""
    return source.edited(Edit(table.span, "") for table in parse_document(source).tables)


def copy_texts(sources: Sequence[Source], copies: int) -> Texts:
    """Each text several times, slightly different, with names that sort in this order."""
    return {
        f"{copy:03}/{at:05}.md": b"\n" * copy + source.to_bytes()
        for copy in range(copies)
        for at, source in enumerate(sources)
    }


def write_texts(folder: Path, texts: Texts) -> tuple[str, str]:
    """Write the texts as a folder of files and as a dataset."""
    files, dataset = folder / "files", folder / "crawl.parquet"
    for name, content in texts.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    table = pa.table({"path": list(texts), "content": list(texts.values())})
    parquet.write_table(table, dataset, compression="zstd")
    return str(files), str(dataset)


def time_command(command: str, path: str, *options: str) -> Took:
    """The time of a command, including its child processes."""
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/out" if "--engine" in options else f"{folder}/out.{_suffix(command)}"
        run = [sys.executable, "-m", "mdbench", command, path, "-o", output, "-q", *options]
        started, used = time.perf_counter(), _used()
        done = subprocess.run(run, cwd=folder, check=False, capture_output=True, text=True)
        took = Took(time.perf_counter() - started, _used() - used)
    if done.returncode > 1 or done.stderr:
        raise SystemExit(f"{' '.join(run)}: exit code {done.returncode}: {done.stderr}")
    return took


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _suffix(command: str) -> str:
    return "json" if command == "lint" else "parquet"


def options_of(engine: str, command: str) -> tuple[str, ...]:
    """The options that select an engine."""
    jobs = "--jobs", str(WORKERS)
    if engine != "jobs":
        return (*jobs, "--engine", "dask", "--partition-size", str(_CHUNK))
    return (*jobs, "--format", "json", "--no-cache") if command == "lint" else jobs


def measure(command: str, texts: Texts, rounds: int) -> dict[str, Took]:
    """The best time of each engine. The engines take turns."""
    with tempfile.TemporaryDirectory() as folder:
        files, dataset = write_texts(Path(folder), texts)
        inputs = {"jobs": files, "dask": files, "dataset": dataset}
        all_took: dict[str, list[Took]] = {engine: [] for engine in inputs}
        for _ in range(rounds):
            for engine, path in inputs.items():
                took = time_command(command, path, *options_of(engine, command))
                all_took[engine].append(took)
    return {engine: Took(*map(min, zip(*took, strict=True))) for engine, took in all_took.items()}


def measure_starts(rounds: int) -> dict[str, dict[str, Took]]:
    """The start-up time of each command, for each engine."""
    trivial = {f"{at:02}.md": b"# Nothing\n" for at in range(_TRIVIAL)}
    return {command: measure(command, trivial, rounds) for command in _COMMANDS}


def run(
    sources: Sequence[Source], starts: Mapping[str, Mapping[str, Took]], copies: int, rounds: int
) -> Iterator[Figures]:
    """Measure each command on each kind of text."""
    kinds = {
        "as they are": copy_texts(sources, copies),
        "without tables": copy_texts([cut_tables(one) for one in sources], copies),
    }
    for kind, texts in kinds.items():
        for command in _COMMANDS:
            took = measure(command, texts, rounds)
            work = {engine: took[engine].minus(starts[command][engine]) for engine in took}
            megabytes = sum(map(len, texts.values())) / 1e6
            yield Figures(command, kind, len(texts), megabytes, **work)


def free_share(figures: Sequence[Figures]) -> float:
    """The share of the cores that the benchmark had, beside other programs."""
    took = [one for each in figures for one in (each.jobs, each.dask, each.dataset)]
    return sum(one.cores for one in took) / sum(one.clock for one in took) / WORKERS


def describe_busy(share: float) -> str:
    """Which share of the cores the benchmark had."""
    return f"The machine was busy: the benchmark had {100 * share:.0f} % of {WORKERS} cores."


def overhead_lines(figures: Sequence[Figures], *, clock: bool) -> Iterator[str]:
    """The time of each engine on the same files."""
    names = [f"CPU of `--jobs {WORKERS}`", "CPU of dask", "more"]
    names += [f"time of `--jobs {WORKERS}`", "time of dask", "longer"] if clock else []
    yield f"| command | reports | files | MB | {' | '.join(names)} |"
    yield "|---|---|" + "--:|" * (2 + len(names))
    for one in figures:
        longer, more = one.dask.over(one.jobs)
        cells = [one.command, one.kind, str(one.files), f"{one.megabytes:.2f}"]
        cells += f"{one.jobs.cores:.1f} s", f"{one.dask.cores:.1f} s", f"{100 * more:+.0f} %"
        if clock:
            cells += f"{one.jobs.clock:.1f} s", f"{one.dask.clock:.1f} s", f"{100 * longer:+.0f} %"
        yield f"| {' | '.join(cells)} |"


def rate_lines(figures: Sequence[Figures], *, clock: bool) -> Iterator[str]:
    """The speed of the cluster on a dataset."""
    names = ["CPU", "files/s per core", "MB/s per core"]
    names += ["time", "files/s", "MB/s"] if clock else []
    yield f"| command | reports | {' | '.join(names)} |"
    yield "|---|---|" + "--:|" * len(names)
    for one in figures:
        shown = (one.dataset.cores, one.dataset.clock) if clock else (one.dataset.cores,)
        cells = [one.command, one.kind]
        for seconds in shown:
            rates = one.files / seconds, one.megabytes / seconds
            cells += f"{seconds:.1f} s", f"{rates[0]:.1f}", f"{rates[1]:.2f}"
        yield f"| {' | '.join(cells)} |"


def cost_lines(figures: Sequence[Figures], price: float) -> Iterator[str]:
    """The cost of a crawl of such files at these rates."""
    yield (
        f"| {CRAWL // 10**6} million files | core hours | days on 64 cores | hours on 1000 cores | "
        f"at ${price:g} per core hour |"
    )
    yield "|---|--:|--:|--:|--:|"
    for one in figures:
        # Computed from the printed rate, so that readers can recompute it.
        hours = CRAWL / float(f"{one.files / one.dataset.cores:.1f}") / 3600
        yield (
            f"| {one.command}, {one.kind} | {hours:.0f} | {hours / 64 / 24:.1f} | "
            f"{hours / 1000:.1f} | ${hours * price:.0f} |"
        )


def start_line(starts: Mapping[str, Took], *, clock: bool) -> str:
    """The start-up time of each engine."""
    jobs, dask = starts["jobs"], starts["dask"]
    text = (
        f"Start-up, not included in the table: {jobs.cores:.1f} s of CPU time for "
        f"`--jobs {WORKERS}`, {dask.cores:.1f} s for a cluster of {WORKERS} workers, including "
        "its shutdown"
    )
    wall = f"; {jobs.clock:.1f} s and {dask.clock:.1f} s of wall-clock time" if clock else ""
    return f"{text}{wall}."


def page_lines(
    starts: Mapping[str, Took], figures: Sequence[Figures], price: float
) -> Iterator[str]:
    """The tables for the page, with wall-clock times if the machine was not busy."""
    share = free_share(figures)
    clock = share >= QUIET
    yield from ("The same files, two workers:", "", *overhead_lines(figures, clock=clock), "")
    yield start_line(starts, clock=clock)
    if not clock:
        yield f"{describe_busy(share)} So only CPU times are given."
    yield from ("", "A dataset, two dask workers:", "", *rate_lines(figures, clock=clock))
    yield from ("", "Cost of a crawl of such files:", "", *cost_lines(figures, price))


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the page."""
    parser = argparse.ArgumentParser(description="Overhead, speed and cost of dask.")
    parser.add_argument("paths", nargs="*", help="reports or folders (default: reports, corpus)")
    parser.add_argument("--write", type=Path, help="page whose region `engine` is replaced")
    parser.add_argument("--copies", type=int, default=3, help="copies of each report")
    parser.add_argument("--rounds", type=int, default=3, help="the best of N counts")
    parser.add_argument("--price", type=float, default=PRICE_USD, help="of a core hour, in USD")
    options = parser.parse_args(arguments)
    corpus = _PROJECT.parent / "shared" / "corpus"
    folders = [str(_PROJECT / "reports"), *([str(corpus)] if corpus.is_dir() else [])]
    sources = read_texts(options.paths or folders)
    starts = measure_starts(options.rounds)
    figures = list(run(sources, starts, options.copies, options.rounds))
    lines = list(page_lines(starts[_COMMANDS[0]], figures, options.price))
    print("\n".join(lines))
    if options.write is not None:
        write_region(options.write, "engine", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
