"""Whether the confidence of findings is honest: of those at 0.9, how many are right?

    python -m benchmarks.calibration [--tables NUMBER] [--write docs/detection.md]

Invented tables of many kinds are linted: sound ones, ones with mistakes, unrelated numbers, and
sound ones that look as if something were wrong, because some rows are exceptions or all results
were measured by themselves. A finding is right if it is on a row with a mistake.

If ../shared/truth exists, the same is printed for its real reports: a finding is right on a line of
TRUTH.tsv, and wrong on one of CLEAN.tsv if it is about the numbers. Others are not counted, because
nobody has judged them. mdbench was developed with these reports, so they flatter it.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.invented import Invented, invent_table, invent_unrelated
from handbook.regions import write_region
from mdbench.files.reading import read_source
from mdbench.linting.checker import check
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Source, SourceError

_TABLES = 10_000
# The constants of the formula were chosen with other seeds.
_FIRST_SEED = 30_000_000
_PROJECT = Path(__file__).resolve().parent.parent
_TRUTH = _PROJECT.parent / "shared" / "truth"
_NUMBERS = ("MB3", "MB4")
# How often each sort is drawn. Nobody knows how many sound tables look wrong; so many make nine of
# ten findings right, which is what the errors of real reports have to reach.
_SHARES = {"mistakes": 55, "sound": 25, "unrelated": 12, "exceptions": 4, "noise": 4}
_MISTAKES = (1, 1, 1, 1, 2, 3)
_EXCEPTIONS = (1, 1, 2, 3, 4)
_NOISE = (0.002, 0.005, 0.01, 0.02)


class Judged(NamedTuple):
    """A finding's confidence, and whether it is right."""

    confidence: float
    right: bool


def invent(seed: int) -> Invented:
    """A table of a random sort."""
    draw = Random(seed)
    (sort,) = draw.choices([*_SHARES], [*_SHARES.values()])
    if sort == "unrelated":
        return invent_unrelated(draw)
    return invent_table(
        draw,
        mistakes=draw.choice(_MISTAKES) if sort == "mistakes" else 0,
        exceptions=draw.choice(_EXCEPTIONS) if sort == "exceptions" else 0,
        noise=draw.choice(_NOISE) if sort == "noise" else 0.0,
    )


def judge_invented(tables: int) -> Iterator[Judged]:
    """The findings of invented tables."""
    for seed in range(_FIRST_SEED, _FIRST_SEED + tables):
        text, wrong = invent(seed)
        source = Source("invented.md", text)
        for finding in _list_serious(source):
            yield Judged(finding.confidence, not wrong.isdisjoint(_lines(source, finding)))


def judge_reports(folder: Path) -> Iterator[Judged]:
    """The findings of real reports on lines that somebody has judged."""
    wrong, sound = _read_lines(folder / "TRUTH.tsv"), _read_lines(folder / "CLEAN.tsv")
    for key in sorted(wrong.keys() | sound.keys()):
        try:
            source = read_source(str(folder / "reports" / key[0] / key[1]))
        except SourceError:
            continue
        for finding in _list_serious(source):
            lines = _lines(source, finding)
            right = not wrong[key].isdisjoint(lines)
            alarm = finding.code.startswith(_NUMBERS) and not sound[key].isdisjoint(lines)
            if right or alarm:
                yield Judged(finding.confidence, right)


def _list_serious(source: Source) -> Iterator[Finding]:
    return (one for one in check(source) if one.severity is not Severity.INFO)


def _lines(source: Source, finding: Finding) -> range:
    last = max(finding.span.start, finding.span.end - 1)
    return range(source.line(finding.span.start), source.line(last) + 1)


def _read_lines(path: Path) -> defaultdict[tuple[str, str], set[int]]:
    """The lines of each report that a table names."""
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            lines = (row["line"], *(row.get("also") or "").split(","))
            found[row["set"], row["file"]].update(int(one) for one in lines if one)
    return found


def reliability_lines(judged: Iterable[Judged]) -> Iterator[str]:
    """The table: the findings at each confidence, and how many of them are right."""
    bins: defaultdict[int, list[Judged]] = defaultdict(list)
    for one in judged:
        bins[min(int(10 * one.confidence + 1e-9), 9)].append(one)
    yield "| confidence | findings | right | share | mean confidence |"
    yield "|:-----------|---------:|------:|------:|----------------:|"
    for place in sorted(bins, reverse=True):
        yield _row(f"{place / 10:.1f} to {(place + 1) / 10:.1f}", bins[place])
    everything = [one for members in bins.values() for one in members]
    if everything:
        yield _row("all", everything)


def _row(name: str, members: list[Judged]) -> str:
    count, right = len(members), sum(one.right for one in members)
    mean = sum(one.confidence for one in members) / count
    return f"| {name} | {count} | {right} | {100 * right / count:.0f} % | {mean:.2f} |"


def main(arguments: Sequence[str]) -> int:
    """Print the tables, and update the page."""
    parser = argparse.ArgumentParser(description="Whether the confidence of findings is honest.")
    parser.add_argument("--tables", type=int, default=_TABLES, help="how many tables to invent")
    parser.add_argument("--write", type=Path, help="page whose region `calibration` is replaced")
    options = parser.parse_args(arguments)
    lines = list(reliability_lines(judge_invented(options.tables)))
    print(f"{options.tables} invented tables\n")
    print("\n".join(lines))
    if options.write is not None:
        write_region(options.write, "calibration", lines)
    for folder in (_TRUTH, _TRUTH / "wide"):
        if (folder / "TRUTH.tsv").is_file():
            print(f"\n{folder.relative_to(_PROJECT.parent)}\n")
            print("\n".join(reliability_lines(judge_reports(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
