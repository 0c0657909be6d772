"""How fast mdbench is, compared with other Markdown tools and with its parser alone.

    python -m benchmarks.speed [--runs N] [--peers FOLDER] [--only NAMES] [--without-peers]
                               [--files N] [--write docs/performance.md] [--summary README.md]

Three things are measured: one report from the start of the process to its end; a folder of
different reports (../shared/truth/reports if it exists, else ../shared/corpus, else reports/); and
generated reports no two of which share a table (`benchmarks.generated`).

Commands take turns, so that other load on the machine affects all of them. The first round is not
counted: it fills the caches of the system, of Python and of the tools. The best of the other rounds
counts, for wall-clock time, CPU time and memory separately. A command that takes more than a minute
runs once. Ratios compare CPU time, including child processes, because wall-clock time on a busy
machine says more about the other programs.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.generated import write_reports
from benchmarks.peers import PEERS, Tool, install_peers
from benchmarks.timing import Times, compare, find_best, round_off
from handbook.regions import write_region

_PROJECT = Path(__file__).resolve().parent.parent
_SHARED = _PROJECT.parent / "shared"
SOURCES = (_SHARED / "truth" / "reports", _SHARED / "corpus", _PROJECT / "reports")
_REPORT = "fugaku-1.3b.md"
_REAL, _GENERATED = "reports", "generated"
_FILES = 2000
_MOST_SECONDS = 60
LINT, NORMALIZE, PARSER = "mdbench lint", "mdbench normalize", "markdown-it-py"
_TWO, _WARM, _WARM_TWO = f"{LINT}, two processes", f"{LINT}, warm cache", f"{LINT}, warm cache, two"
_MDFORMAT, _RUMDL, _RUMDL_WARM = "mdformat", "rumdl", "rumdl, warm cache"
_PARSE = """
import pathlib, sys
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark").enable("table")
path = pathlib.Path(sys.argv[1])
for one in path.rglob("*.md") if path.is_dir() else [path]:
    parser.parse(one.read_text(encoding="utf-8"))
"""


class Group(NamedTuple):
    """Reports that are read together, and what each command takes for them."""

    title: str
    files: int
    times: Times


def list_tools(peers: Path, names: Collection[str]) -> Iterator[Tool]:
    """mdbench, its parser, and the other tools."""
    script, own = str(Path(sys.executable).with_name("mdbench")), version("mdbench")
    lint = (script, "lint", "--no-cache", "--jobs", "1")
    yield Tool(LINT, "the numbers in tables", own, lint)
    frame = (script, "normalize", "--jobs", "1", "-o", "runs.parquet")
    yield Tool(NORMALIZE, "nothing, it reads tables", own, frame)
    parse = (sys.executable, "-c", _PARSE)
    yield Tool(PARSER, "nothing, it only parses", version("markdown-it-py"), parse)
    if names:
        yield from install_peers(peers, names)


def list_commands(tools: Sequence[Tool], folder: str) -> dict[str, tuple[str, ...]]:
    """What is run on a folder of reports."""
    commands = {tool.name: tool.on_folder(folder) for tool in tools}
    script = str(Path(sys.executable).with_name("mdbench"))
    commands[_TWO] = (script, "lint", "--no-cache", "--jobs", "2", folder)
    commands[_WARM] = (script, "lint", "--jobs", "1", folder)
    commands[_WARM_TWO] = (script, "lint", "--jobs", "2", folder)
    if _RUMDL in commands:
        cold = commands[_RUMDL]
        commands[_RUMDL_WARM] = tuple(word for word in cold if word != "--no-cache")
    return commands


def copy_reports(folder: Path) -> int:
    """Copy the different reports, without duplicates; returns how many there are."""
    source = next(path for path in SOURCES if path.is_dir())
    texts = {path.read_bytes(): path for path in sorted(source.rglob("*.md"))}
    for path in texts.values():
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return len(texts)


def measure(folder: Path, tools: Sequence[Tool], runs: int, generated: int) -> Iterator[Group]:
    """One report, the different reports and the generated ones."""
    shutil.copyfile(_PROJECT / "reports" / _REPORT, folder / _REPORT)
    one = {tool.name: (*tool.command, _REPORT) for tool in tools}
    yield Group("One report, the whole process", 1, find_best(one, folder, runs, _MOST_SECONDS))
    files = {_REAL: copy_reports(folder / _REAL), _GENERATED: generated}
    write_reports(folder / _GENERATED, generated)
    for name, count in files.items():
        size = sum(path.stat().st_size for path in (folder / name).rglob("*.md")) / 1e6
        what = "different reports" if name == _REAL else "generated reports"
        times = find_best(list_commands(tools, name), folder, runs, _MOST_SECONDS)
        yield Group(f"{count:,} {what} ({size:.1f} MB)", count, times)


def page_lines(tools: Sequence[Tool], groups: Sequence[Group]) -> Iterator[str]:
    """The tables for the page on performance."""
    yield from ("| tool | version | what it checks |", "|---|---|---|")
    yield from (f"| {tool.name} | {tool.version} | {tool.checks} |" for tool in tools)
    for group in groups:
        base = _MDFORMAT if group.files == 1 else PARSER
        yield from ("", f"**{group.title}**", "")
        yield f"| command | time (s) | CPU (s) | memory (MB) | CPU × {base} |"
        yield "|---|--:|--:|--:|--:|"
        for name, took in group.times.items():
            cells = (name, *map(round_off, took), compare(group.times, name, base))
            yield f"| {' | '.join(cells)} |"
    yield from ("", "**Ratios of CPU time**", "", "| reports | ratio | × |", "|---|---|--:|")
    for group in groups:
        for ratio, number in ratios(group.times, groups[0].times):
            yield f"| {group.title.partition(' (')[0]} | {ratio} | {number} |"


def ratios(times: Times, one: Times) -> Iterator[tuple[str, str]]:
    """What the times of some reports are compared with, and the ratio."""
    if times is one:
        pairs = [(LINT, _MDFORMAT)]
    else:
        pairs = [(LINT, PARSER), (_WARM, _RUMDL_WARM), (_WARM_TWO, _RUMDL_WARM)]
    for name, base in pairs:
        if {name, base} <= times.keys():
            yield f"{name} / {base}", compare(times, name, base)
    names = {LINT, NORMALIZE}
    if times is not one and names <= times.keys() and names <= one.keys():
        # One report takes hardly more than the start and the imports.
        lint, frame = (times[name].cpu - one[name].cpu for name in (LINT, NORMALIZE))
        if min(lint, frame) > 0:
            yield f"{NORMALIZE} / {LINT}, both without one report's time", round_off(frame / lint)


def summary_line(groups: Sequence[Group]) -> str:
    """The most important figures in a sentence or two."""
    one, many = groups[0].times, groups[1].times
    other = f" ({_MDFORMAT}: {round_off(one[_MDFORMAT].cpu)} s)" if _MDFORMAT in one else ""
    return (
        f"`mdbench lint` takes {round_off(one[LINT].cpu)} s of CPU time for one report{other}. "
        f"For {groups[1].files} different reports it takes {round_off(many[LINT].cpu)} s, "
        f"{compare(many, LINT, PARSER)} times as long as parsing them with {PARSER}, "
        f"and {round_off(many[_WARM].cpu)} s with a warm cache."
    )


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    known = ",".join(peer.name for peer in PEERS)
    parser = argparse.ArgumentParser(description="How fast mdbench is, beside other tools.")
    parser.add_argument("--runs", type=int, default=5, help="the best of N (default: 5)")
    parser.add_argument("--files", type=int, default=_FILES, help="how many reports to generate")
    parser.add_argument("--peers", type=Path, help="folder to install other tools into")
    parser.add_argument("--only", default=known, metavar="NAMES", help=f"tools (default: {known})")
    parser.add_argument("--without-peers", action="store_true", help="only mdbench and its parser")
    parser.add_argument("--write", type=Path, help="page whose region `speed` is replaced")
    parser.add_argument("--summary", type=Path, help="page whose `speed summary` is replaced")
    options = parser.parse_args(arguments)
    options.names = [] if options.without_peers else options.only.split(",")
    unknown = {*options.names} - {peer.name for peer in PEERS}
    if unknown or min(options.runs, options.files) < 1:
        parser.error(f"unknown tools: {', '.join(unknown)}" if unknown else "N must be >= 1")
    return options


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the pages."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory(prefix="mdbench-speed-") as name:
        folder = Path(name)
        tools = list(list_tools((options.peers or folder / "peers").absolute(), options.names))
        before = os.getloadavg()[0]
        groups = list(measure(folder, tools, options.runs, options.files))
    machine = (
        f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}, "
        f"{os.cpu_count()} cores; best of {options.runs} runs; load average {before:.1f} before "
        f"the first run and {os.getloadavg()[0]:.1f} after the last."
    )
    lines = [machine, "", *page_lines(tools, groups)]
    summary = summary_line(groups)
    print("", *lines, "", summary, sep="\n")
    if options.write is not None:
        write_region(options.write, "speed", lines)
    if options.summary is not None:
        write_region(options.summary, "speed summary", [summary])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
