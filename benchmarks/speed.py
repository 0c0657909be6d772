"""How fast mdbench is, beside other tools that read Markdown and beside the parser alone.

    python benchmarks/speed.py [--files N] [--runs N] [--peers FOLDER | --without-peers]
                               [--write docs/performance.md] [--short README.md]

Commands run as anybody runs them, with two cores, one at a time and in turn, and the best of some
runs counts: other programs only make it slower. `benchmarks/copies.py` says which reports they
read, `benchmarks/peers.py` how each tool is called, `benchmarks/stopwatch.py` what is counted.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from figures import put_figures
from peers import FILES, Tool, compile_code, install_peers, list_own
from speed_tables import (
    IMPORTS,
    NO_IMPORT,
    ONE,
    Corpus,
    Figures,
    collect_figures,
    page_lines,
    short_lines,
)
from stopwatch import Task, run_in_turn

_PROJECT = Path(__file__).resolve().parent.parent
_DOCS = "docs"
# The third of the sample reports, which has three tables.
_REPORT = f"{_DOCS}/00002.md"
_LOADED = """
import contextlib, sys
from mdbench.cli.main import main
with contextlib.suppress(SystemExit):
    main(["normalize", sys.argv[1], "-o", sys.argv[2]])
print(*[name for name in ("pyarrow.parquet", "pandas") if name in sys.modules])
"""


def make_corpora(folder: Path, files: int) -> list[Corpus]:
    """The reports to read, made by a process of its own: this one is to stay small."""
    script = Path(__file__).with_name("copies.py")
    subprocess.run((sys.executable, script, folder, "--files", str(files)), check=True)
    titles = {"copies": "{:,} copies of five reports", "different": "{:,} reports, no two alike"}
    corpora = []
    for name, title in titles.items():
        sizes = [path.stat().st_size for path in (folder / name / _DOCS).glob("*.md")]
        if sizes:
            corpora.append(Corpus(folder / name, title.format(len(sizes)), sum(sizes) / 1e6))
    return corpora


def list_tasks(tools: Sequence[Tool], corpora: Sequence[Corpus]) -> Iterator[Task]:
    """All that is to be measured."""
    first = corpora[0].folder
    for tool in tools:
        yield Task(ONE, tool.name, _point(tool.one or tool.cold, _REPORT), first, prepared=True)
    for corpus in corpora:
        for tool in tools:
            yield Task(corpus.cold, tool.name, _point(tool.cold, _DOCS), corpus.folder)
        for tool in tools:
            if tool.warm:
                command = _point(tool.warm, _DOCS)
                yield Task(corpus.warm, tool.name, command, corpus.folder, prepared=True)


def _point(command: Sequence[str], path: str) -> tuple[str, ...]:
    return tuple(path if word == FILES else word for word in command)


def find_packages(folder: Path, output: Path) -> list[str]:
    """The packages that `normalize` loads to write parquet."""
    ask = (sys.executable, "-c", _LOADED, str(folder / _REPORT), str(output))
    return subprocess.run(ask, check=True, capture_output=True, text=True).stdout.split()


def list_imports(packages: Sequence[str], folder: Path) -> Iterator[Task]:
    """Python alone, and Python with some packages."""
    codes = {NO_IMPORT: "pass", " and ".join(packages): f"import {', '.join(packages)}"}
    for name, code in codes.items():
        yield Task(IMPORTS, name, (sys.executable, "-c", code), folder, prepared=True)


def describe_machine(load: float) -> str:
    """What the figures depend on besides the tools."""
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()} on "
        f"{platform.machine()}; load before the first run: {load:.1f}."
    )


def measure(
    tools: Sequence[Tool], files: int, rounds: int, folder: Path
) -> tuple[Figures, Sequence[Corpus]]:
    """Run everything."""
    corpora = make_corpora(folder, files)
    for corpus in corpora:
        print(f"{corpus.title}: {corpus.megabytes:.1f} MB")
    packages = find_packages(corpora[0].folder, folder / "runs.parquet")
    tasks = [*list_tasks(tools, corpora), *list_imports(packages, folder)]
    return collect_figures(run_in_turn(tasks, rounds), " and ".join(packages)), corpora


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description="How fast mdbench is beside other tools.")
    parser.add_argument("--files", type=int, default=2000, help="copies (default: 2000)")
    parser.add_argument("--runs", type=int, default=5, help="the best of so many (default: 5)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--peers", type=Path, help="a folder to install the other tools into")
    which.add_argument("--without-peers", action="store_true", help="mdbench and its parser only")
    parser.add_argument("--write", type=Path, help="a page to put the figures into")
    parser.add_argument("--short", type=Path, help="a page to put the most important ones into")
    options = parser.parse_args(arguments)
    if options.files < 3 or options.runs < 1:
        parser.error("it takes 3 files and 1 run at least")
    return options


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and write if that is asked for."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory(prefix="mdbench-speed-") as name:
        folder = Path(name)
        peers = (options.peers or folder / "peers").absolute()
        tools = list(list_own(folder / "runs.parquet"))
        if not options.without_peers:
            tools += install_peers(peers)
        compile_code([_PROJECT / "mdbench", *peers.glob("lib")])
        machine = describe_machine(os.getloadavg()[0])
        print(machine)
        figures, corpora = measure(tools, options.files, options.runs, folder)
    lines = [machine, "", *page_lines(figures, tools, corpora)]
    print("", *lines, sep="\n")
    if options.write is not None:
        put_figures(options.write, "speed", lines)
    if options.short is not None:
        put_figures(options.short, "speed", list(short_lines(figures, tools, corpora)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
