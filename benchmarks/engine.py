"""What `--engine dask` costs beside `--jobs 2`, how fast it is, and what a whole crawl would cost.

    python benchmarks/engine.py [--write docs/scale.md] [--copies N] [--rounds N] [PATH…]

The texts are those of reports/ and, where it is there, of ../shared/corpus, several times over;
each copy begins with another number of empty lines, so that no two are the same. They are taken as
they are, and with their tables cut out, since most files of a crawl have none. Each command is run
as anybody runs it, by two processes: `--jobs 2` over the files, `--engine dask --jobs 2` over the
same files, and over the same texts in a parquet dataset. A partition has as many files as `--jobs`
gives to a process at once, which is few: larger ones have less to do for each file.

What a command takes over 64 files of one line is its start-up, and is shown apart; the work is
what it takes longer. Both are told in seconds of processors, all processes of a command together,
and by the clock too where the machine does little else. The best of some rounds counts, since
other programs only make it slower.
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
from figures import put_figures
from pyarrow import parquet

from mdbench.files.discovery import find_reports
from mdbench.files.reading import read_source
from mdbench.markdown.parser import parse_document
from mdbench.source import Edit, Source, SourceError

WORKERS = 2
CRAWL = 100_000_000
PRICE_USD = 0.04
_CHUNK = 16
_TRIVIAL = 64
# The share of its cores that a program must have for the clock to tell how long it takes.
_QUIET = 0.7
_COMMANDS = ("lint", "normalize")
_PROJECT = Path(__file__).resolve().parent.parent

Texts = Mapping[str, bytes]


class Took(NamedTuple):
    """How long something took, in seconds: by the clock, and of processors."""

    clock: float
    cores: float

    def minus(self, other: Took) -> Took:
        """What is left without something else."""
        return Took(self.clock - other.clock, self.cores - other.cores)

    def over(self, other: Took) -> Took:
        """How much longer than something else, as shares of that."""
        return Took(self.clock / other.clock - 1, self.cores / other.cores - 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """What a command took over some texts, start-ups left out."""

    command: str
    kind: str
    files: int
    megabytes: float
    jobs: Took
    dask: Took
    dataset: Took


def read_texts(paths: Sequence[str]) -> list[Source]:
    """The reports that can be read."""
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
    """Each text several times, never the same, under names that sort as they stand here."""
    return {
        f"{copy:03}/{at:05}.md": b"\n" * copy + source.to_bytes()
        for copy in range(copies)
        for at, source in enumerate(sources)
    }


def write_texts(folder: Path, texts: Texts) -> tuple[str, str]:
    """The texts as a folder of files, and as a dataset."""
    files, dataset = folder / "files", folder / "crawl.parquet"
    for name, content in texts.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    table = pa.table({"path": list(texts), "content": list(texts.values())})
    parquet.write_table(table, dataset, compression="zstd")
    return str(files), str(dataset)


def time_command(command: str, path: str, *options: str) -> Took:
    """What a command takes, from its start to its end, with all processes that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/out" if "--engine" in options else f"{folder}/out.{_suffix(command)}"
        run = [sys.executable, "-m", "mdbench", command, path, "-o", output, "-q", *options]
        started, used = time.perf_counter(), _used()
        done = subprocess.run(run, cwd=folder, check=False, capture_output=True, text=True)
        took = Took(time.perf_counter() - started, _used() - used)
    if done.returncode > 1 or done.stderr:
        raise SystemExit(f"{' '.join(run)} ends with {done.returncode}: {done.stderr}")
    return took


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _suffix(command: str) -> str:
    return "json" if command == "lint" else "parquet"


def options_of(engine: str, command: str) -> tuple[str, ...]:
    """The options that make a command use an engine."""
    jobs = "--jobs", str(WORKERS)
    if engine != "jobs":
        return (*jobs, "--engine", "dask", "--partition-size", str(_CHUNK))
    return (*jobs, "--format", "json", "--no-cache") if command == "lint" else jobs


def measure(command: str, texts: Texts, rounds: int) -> dict[str, Took]:
    """What each engine takes, the best of some rounds that they take turns in."""
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
    """What each command takes before it works, for each engine."""
    trivial = {f"{at:02}.md": b"# Nothing\n" for at in range(_TRIVIAL)}
    return {command: measure(command, trivial, rounds) for command in _COMMANDS}


def run(
    sources: Sequence[Source], starts: Mapping[str, Mapping[str, Took]], copies: int, rounds: int
) -> Iterator[Figures]:
    """The figures of each command and kind of text."""
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
    """How much of its cores the work had, while other programs wanted them too."""
    took = [one for each in figures for one in (each.jobs, each.dask, each.dataset)]
    return sum(one.cores for one in took) / sum(one.clock for one in took) / WORKERS


def overhead_lines(figures: Sequence[Figures], *, clock: bool) -> Iterator[str]:
    """How long each engine worked on the same files."""
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
    """How fast the cluster was over a dataset."""
    names = ["CPU", "files/s a core", "MB/s a core"]
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
    """What a crawl of such files would cost at these rates."""
    yield (
        f"| {CRAWL // 10**6} million files | core hours | days on 64 cores | hours on 1000 cores | "
        f"at ${price:g} a core hour |"
    )
    yield "|---|--:|--:|--:|--:|"
    for one in figures:
        # From the rate as it is printed, so that anybody can recompute it.
        hours = CRAWL / float(f"{one.files / one.dataset.cores:.1f}") / 3600
        yield (
            f"| {one.command}, {one.kind} | {hours:.0f} | {hours / 64 / 24:.1f} | "
            f"{hours / 1000:.1f} | ${hours * price:.0f} |"
        )


def start_line(starts: Mapping[str, Took], *, clock: bool) -> str:
    """What each engine takes before it works."""
    jobs, dask = starts["jobs"], starts["dask"]
    told = (
        f"Start-up, not in the table: {jobs.cores:.1f} s of CPU of `--jobs {WORKERS}`, "
        f"{dask.cores:.1f} s of a cluster of {WORKERS} workers, its end included"
    )
    return told + (f"; by the clock {jobs.clock:.1f} s and {dask.clock:.1f} s." if clock else ".")


def page_lines(
    starts: Mapping[str, Took], figures: Sequence[Figures], price: float
) -> Iterator[str]:
    """All that there is to say; by the clock only where the machine had little else to do."""
    share = free_share(figures)
    clock = share >= _QUIET
    yield from ("The same files, by two workers:", "", *overhead_lines(figures, clock=clock), "")
    yield start_line(starts, clock=clock)
    if not clock:
        yield (
            f"The machine had other work, which left {100 * share:.0f} % of {WORKERS} cores for "
            "this; so only the seconds of processors are told."
        )
    yield from ("", "A dataset, by two workers of dask:", "", *rate_lines(figures, clock=clock))
    yield from ("", "So much for a crawl of such files:", "", *cost_lines(figures, price))


def main(arguments: Sequence[str]) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="The engine: overhead, rates and costs.")
    parser.add_argument("paths", nargs="*", help="reports or folders (default: reports, corpus)")
    parser.add_argument("--write", type=Path, help="a page to put the figures into")
    parser.add_argument("--copies", type=int, default=3, help="how often each report is taken")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts")
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
        put_figures(options.write, "engine", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
