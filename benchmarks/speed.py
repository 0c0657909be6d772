"""How fast mdbench is, compared with other Markdown tools and with its parser alone.

    python -m benchmarks.speed [--runs N] [--peers FOLDER] [--only NAMES] [--without-peers]
                               [--write docs/performance.md] [--summary README.md]

Two things are measured. The first is one report from the start of the process to its end, for
mdbench and for other tools. The second is a folder of different reports, for mdbench and for a full
parse by markdown-it-py: ../shared/truth/reports if it exists, else ../shared/corpus, else reports/.

Commands take turns, so that other load on the machine affects all of them. The first round is not
counted: it fills the caches of the system, of Python and of mdbench. The best of the other rounds
counts, for wall-clock and CPU time separately. Ratios compare CPU time, including child processes,
because wall-clock time on a busy machine says more about the other programs.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.peers import PEERS, Tool, install_peers
from handbook.regions import write_region

_PROJECT = Path(__file__).resolve().parent.parent
_SHARED = _PROJECT.parent / "shared"
SOURCES = (_SHARED / "truth" / "reports", _SHARED / "corpus", _PROJECT / "reports")
_REPORT = "fugaku-1.3b.md"
_REPORTS = "reports"
_LINT, _MDFORMAT, _PARSER = "mdbench lint", "mdformat", "markdown-it-py"
_COLD, _COLD_TWO = "mdbench lint --no-cache --jobs 1", "mdbench lint --no-cache --jobs 2"
_WARM, _FRAME = "mdbench lint --jobs 1, warm cache", "mdbench normalize --jobs 1"
_PARSE = """
import pathlib, sys
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark").enable("table")
path = pathlib.Path(sys.argv[1])
for one in path.rglob("*.md") if path.is_dir() else [path]:
    parser.parse(one.read_text(encoding="utf-8"))
"""


class Took(NamedTuple):
    """Wall-clock and CPU seconds."""

    wall: float
    cpu: float


Times = Mapping[str, Took]


class Corpus(NamedTuple):
    """The different reports that are read together."""

    files: int
    megabytes: float


def list_tools(peers: Path, names: Collection[str]) -> Iterator[Tool]:
    """mdbench, its parser, and the other tools."""
    lint = (str(Path(sys.executable).with_name("mdbench")), "lint", "--no-cache")
    yield Tool(_LINT, "the numbers in tables", version("mdbench"), lint)
    parse = (sys.executable, "-c", _PARSE)
    yield Tool(_PARSER, "nothing, it only parses", version("markdown-it-py"), parse)
    if names:
        yield from install_peers(peers, names)


def list_commands(output: Path) -> dict[str, tuple[str, ...]]:
    """What is run on the folder of different reports."""
    script = str(Path(sys.executable).with_name("mdbench"))
    return {
        _PARSER: (sys.executable, "-c", _PARSE, _REPORTS),
        _COLD: (script, "lint", "--no-cache", "--jobs", "1", _REPORTS),
        _COLD_TWO: (script, "lint", "--no-cache", "--jobs", "2", _REPORTS),
        _WARM: (script, "lint", "--jobs", "1", _REPORTS),
        _FRAME: (script, "normalize", "--jobs", "1", "-o", str(output), _REPORTS),
    }


def copy_reports(folder: Path) -> Corpus:
    """Copy the different reports, without duplicates."""
    source = next(path for path in SOURCES if path.is_dir())
    texts = {path.read_bytes(): path for path in sorted(source.rglob("*.md"))}
    for path in texts.values():
        target = folder / _REPORTS / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return Corpus(len(texts), sum(map(len, texts)) / 1e6)


def find_best(commands: Mapping[str, Sequence[str]], folder: Path, runs: int) -> dict[str, Took]:
    """The best times of each command. Commands that fail are skipped."""
    best = dict.fromkeys(commands, Took(math.inf, math.inf))
    for number in range(runs + 1):
        for name in list(best):
            took = run_command(commands[name], folder)
            if took is None:
                print(f"skipping {name}, it fails: {' '.join(commands[name])}", flush=True)
                del best[name]
                continue
            print(f"  run {number}: {took.wall:8.3f} s, CPU {took.cpu:8.3f} s  {name}", flush=True)
            if number:
                best[name] = Took(*map(min, best[name], took))
    return best


def run_command(command: Sequence[str], folder: Path) -> Took | None:
    """The times of one run, or None if it fails. Exit code 1 means findings, not failure."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    # The code of this checkout is measured, wherever mdbench is installed from.
    environment = {**kept, "PYTHONPATH": str(_PROJECT), "MDBENCH_CACHE_DIR": ".mdbench_cache"}
    started, used = time.perf_counter(), _child_seconds()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    took = Took(time.perf_counter() - started, _child_seconds() - used)
    return took if done.returncode in (0, 1) else None


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def round_off(number: float) -> str:
    """Three significant digits, without an exponent."""
    rounded = float(f"{number:.3g}")
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"


def compare(times: Times, name: str, base: str) -> str:
    """The CPU time relative to another command, or a dash if that was not measured."""
    return round_off(times[name].cpu / times[base].cpu) if {name, base} <= times.keys() else "–"


def page_lines(tools: Sequence[Tool], one: Times, corpus: Corpus, many: Times) -> Iterator[str]:
    """The tables for the page on performance."""
    yield from ("**One report, the whole process**", "")
    yield f"| tool | version | what it checks | time (s) | CPU (s) | CPU × {_MDFORMAT} |"
    yield "|---|---|---|--:|--:|--:|"
    for tool in tools:
        if tool.name in one:
            shown = (*map(round_off, one[tool.name]), compare(one, tool.name, _MDFORMAT))
            yield f"| {' | '.join((tool.name, tool.version, tool.checks, *shown))} |"
    yield from ("", f"**{corpus.files} different reports ({corpus.megabytes:.1f} MB)**", "")
    yield from (f"| command | time (s) | CPU (s) | CPU × {_PARSER} |", "|---|--:|--:|--:|")
    for name, took in many.items():
        cells = (name, *map(round_off, took), compare(many, name, _PARSER))
        yield f"| {' | '.join(cells)} |"


def summary_line(one: Times, corpus: Corpus, many: Times) -> str:
    """The most important figures in a sentence or two."""
    other = f" ({_MDFORMAT}: {round_off(one[_MDFORMAT].cpu)} s)" if _MDFORMAT in one else ""
    return (
        f"`mdbench lint` takes {round_off(one[_LINT].cpu)} s of CPU time for one report{other}. "
        f"For {corpus.files} different reports it takes {round_off(many[_COLD].cpu)} s, "
        f"{compare(many, _COLD, _PARSER)} times as long as parsing them with {_PARSER}, "
        f"and {round_off(many[_WARM].cpu)} s with a warm cache."
    )


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    known = ",".join(peer.name for peer in PEERS)
    parser = argparse.ArgumentParser(description="How fast mdbench is, beside other tools.")
    parser.add_argument("--runs", type=int, default=5, help="the best of N (default: 5)")
    parser.add_argument("--peers", type=Path, help="folder to install other tools into")
    parser.add_argument("--only", default=known, metavar="NAMES", help=f"tools (default: {known})")
    parser.add_argument("--without-peers", action="store_true", help="only mdbench and its parser")
    parser.add_argument("--write", type=Path, help="page whose region `speed` is replaced")
    parser.add_argument("--summary", type=Path, help="page whose `speed summary` is replaced")
    options = parser.parse_args(arguments)
    options.names = [] if options.without_peers else options.only.split(",")
    unknown = {*options.names} - {peer.name for peer in PEERS}
    if unknown or options.runs < 1:
        parser.error(f"unknown tools: {', '.join(unknown)}" if unknown else "--runs must be >= 1")
    return options


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the pages."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory(prefix="mdbench-speed-") as name:
        folder = Path(name)
        tools = list(list_tools((options.peers or folder / "peers").absolute(), options.names))
        corpus = copy_reports(folder)
        shutil.copyfile(_PROJECT / "reports" / _REPORT, folder / _REPORT)
        before = os.getloadavg()[0]
        single = {tool.name: (*tool.command, _REPORT) for tool in tools}
        one = find_best(single, folder, options.runs)
        many = find_best(list_commands(folder / "runs.parquet"), folder, options.runs)
    machine = (
        f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}, "
        f"{os.cpu_count()} cores; best of {options.runs} runs; load average {before:.1f} before "
        f"the first run and {os.getloadavg()[0]:.1f} after the last."
    )
    lines = [machine, "", *page_lines(tools, one, corpus, many)]
    summary = summary_line(one, corpus, many)
    print("", *lines, "", summary, sep="\n")
    if options.write is not None:
        write_region(options.write, "speed", lines)
    if options.summary is not None:
        write_region(options.summary, "speed summary", [summary])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
