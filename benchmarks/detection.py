"""How many mistakes in real tables mdbench detects, locates and fixes, beside outlier detection.

    python -m benchmarks.detection [--write docs/detection.md] [--summary README.md] [--show]
                                   [--kind KIND] [--most N] [--without-forest] [PATH…]

The input is reports/, the tables of tests/tools and, where they exist, ../shared/truth,
../shared/truth/wide and ../shared/corpus. Any number in a sound row of any table may get a mistake:
of the truth, the rows that CLEAN.tsv lists; elsewhere, the rows without an error or warning. One
mistake at a time is inserted into the text, the text is linted, and the new findings are scored. A
mistake is

* in a relation, if a wrong cell takes part in one in the unchanged report; others can hardly be
  seen, and are counted all the same,
* detected, if a new error or warning is on its row (for a whole column: on its table),
* located, if the finding names the wrong cells: exactly, or for several cells with an overlap of
  more than half,
* fixed, if the first fix of the finding restores the numbers of the row; lost text and the rounding
  of recomputed numbers are not counted against it,
* a false alarm, if a new error or warning is elsewhere.

All shares are of all mistakes. The same mistakes are given to a robust z-score per column (median
and MAD, above 3.5) and to scikit-learn's IsolationForest over the numeric columns. Their false
alarms are unchanged, sound rows that they mark.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.clean import STANDARD, Clean, numbers_by_place, overlap, read_clean
from benchmarks.faults import Fault, make_faults
from benchmarks.outliers import far_cells, isolated_rows, numeric_columns
from benchmarks.wrong_numbers import Kind
from handbook.regions import write_region
from mdbench.files.discovery import find_reports
from mdbench.files.reading import read_source
from mdbench.linting.checker import check_context
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity
from mdbench.sheets.report import Report, read_report
from mdbench.sheets.sheet import Sheet
from mdbench.source import SourceError, Span

SEED = "2024"
MOST_PER_REPORT = 5
_NAMED = 0.5
_PROJECT = Path(__file__).resolve().parent.parent
_SHARED = _PROJECT.parent / "shared"


@dataclass(slots=True)
class Score:
    """How often a method was right."""

    detected: int = 0
    located: int = 0
    fixed: int = 0
    alarms: int = 0

    def add(self, other: Score) -> None:
        """Add another score."""
        self.detected += other.detected
        self.located += other.located
        self.fixed += other.fixed
        self.alarms += other.alarms


@dataclass(slots=True)
class Tally:
    """The results for one kind of mistake."""

    injected: int = 0
    covered: int = 0
    """Those in a relation."""
    mdbench: Score = field(default_factory=Score)
    z_score: Score = field(default_factory=Score)
    forest: Score = field(default_factory=Score)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.injected += other.injected
        self.covered += other.covered
        self.mdbench.add(other.mdbench)
        self.z_score.add(other.z_score)
        self.forest.add(other.forest)
        self.missed += other.missed


class Task(NamedTuple):
    """One report, the kinds and number of mistakes, and whether to run the forest."""

    path: str
    sound: frozenset[int] | None
    """The lines that are known to be sound; None if nobody has judged them."""
    kinds: tuple[Kind, ...]
    most: int
    forest: bool


def find_inputs(paths: Sequence[str]) -> Iterator[tuple[str, frozenset[int] | None]]:
    """The reports and their sound lines; of the standard collections if no path is given."""
    folders = [_PROJECT / "reports", _PROJECT / "tests" / "tools" / "reports", _SHARED / "corpus"]
    there = [str(folder) for folder in folders if folder.is_dir()]
    yield from ((path, None) for path in find_reports(paths or there))
    if paths:
        return
    for folder in (_SHARED / "truth", _SHARED / "truth" / "wide"):
        lines: dict[str, set[int]] = {}
        if (folder / "CLEAN.tsv").is_file():
            with (folder / "CLEAN.tsv").open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                    path = str(folder / "reports" / row["set"] / row["file"])
                    lines.setdefault(path, set()).add(int(row["line"]))
        yield from ((path, frozenset(sound)) for path, sound in sorted(lines.items()))


def run(tasks: Iterable[Task], jobs: int) -> dict[Kind, Tally]:
    """Insert mistakes into every report. The result does not depend on `jobs`."""
    totals = {kind: Tally() for kind in Kind}
    with ProcessPoolExecutor(jobs) as pool:
        for tallies in pool.map(try_report, tasks):
            for kind, tally in tallies.items():
                totals[kind].add(tally)
    return {kind: tally for kind, tally in totals.items() if tally.injected}


def try_report(task: Task) -> dict[Kind, Tally]:
    """Insert mistakes into one report."""
    try:
        clean = read_clean(read_source(task.path), task.sound)
    except SourceError:
        return {}
    tallies: dict[Kind, Tally] = {}
    seed = f"{SEED} {Path(task.path).name}"
    for fault in make_faults(clean, task.kinds, task.most, seed):
        tallies.setdefault(fault.kind, Tally()).add(try_fault(clean, fault, forest=task.forest))
    return tallies


def try_fault(clean: Clean, fault: Fault, *, forest: bool) -> Tally:
    """Score every method on one mistake."""
    context = Context(read_report(fault.source, STANDARD))
    score, new = judge(clean, fault, context.report, check_context(context))
    spans = wrong_spans(clean, fault)
    tally = Tally(1, any(span in clean.covered for span in spans), score)
    if not (score.detected and score.located and score.fixed) or score.alarms:
        tally.missed.append(_describe(fault, clean, score, new))
    sheet = find_sheet(clean, fault, context.report)
    if sheet is not None:
        tally.z_score = _judge_cells(clean, fault, sheet)
        if forest:
            tally.forest = _judge_rows(clean, fault, sheet)
    return tally


def wrong_spans(clean: Clean, fault: Fault) -> list[Span]:
    """Where the wrong cells are in the unchanged report."""
    return [
        cell.span
        for at, row in enumerate(clean.sheets[fault.table].table.rows)
        for column, cell in enumerate(row.cells)
        if (at, column) in fault.cells
    ]


def find_sheet(clean: Clean, fault: Fault, changed: Report) -> Sheet | None:
    """The table with the mistake; None if it is no longer read as the same table."""
    before, after = clean.sheets, changed.sheets
    if len(before) != len(after):
        return None
    sheet, rows = after[fault.table], len(before[fault.table].table.rows)
    return sheet if len(sheet.table.rows) == rows + bool(fault.added) else None


def judge(
    clean: Clean, fault: Fault, changed: Report, found: Sequence[Finding]
) -> tuple[Score, list[Finding]]:
    """Score the findings on a mistake. Also returns the new findings."""
    known = {_line(clean, fault, one.span) for one in clean.findings}
    line_of = fault.source.line
    new = [
        one
        for one in found
        if one.severity is not Severity.INFO and line_of(one.span.start) not in known
    ]
    table = clean.sheets[fault.table].table
    rows = [row.span for at, row in enumerate(table.rows) if at in fault.rows]
    wrong = {_line(clean, fault, span) for span in (*rows, *wrong_spans(clean, fault))}
    wrong.update({fault.added} - {0})
    if fault.is_column:
        wrong.update(range(*(clean.source.line(at) for at in table.span)))
    on_it = [
        one
        for one in new
        for spans in (one.cells or (one.span,),)
        if any(line_of(s.start) <= line <= line_of(s.end) for s in spans for line in wrong)
    ]
    score = Score(alarms=len(new) - len(on_it))
    sheet = find_sheet(clean, fault, changed)
    if on_it:
        score.detected = 1
        right = [one for one in on_it if sheet is not None and _locates(one, fault, sheet)]
        score.located = bool(right)
        best = right[0] if right else min(on_it, key=lambda one: -one.severity.rank)
        score.fixed = _fixes(clean, fault, best)
    return score, new


def _line(clean: Clean, fault: Fault, span: Span) -> int:
    """The line in the changed report of a place in the original one."""
    line = clean.source.line(span.start)
    return line + 1 if fault.added and line >= fault.added else line


def _locates(one: Finding, fault: Fault, sheet: Sheet) -> bool:
    """Whether a finding names the wrong cells, or the wrong columns."""
    table = sheet.table
    cells = {
        (at, column): cell.span
        for at, row in enumerate((table.header, *table.rows), -1)
        for column, cell in enumerate(row.cells)
        if cell.present
    }
    exact = set(cells.values())
    spans = [span for span in one.cells if span in exact] or [one.span]
    named = {
        place
        for place, cell in cells.items()
        if any(overlap(cell, span) or cell == span for span in spans)
    }
    if fault.is_column:
        columns = {at for _, at in named}
        wrong = {at for _, at in fault.cells}
        return len(columns & wrong) > _NAMED * len(columns | wrong)
    return len(named & fault.cells) > _NAMED * len(named | fault.cells)


def _fixes(clean: Clean, fault: Fault, one: Finding) -> bool:
    """Whether the first fix of a finding restores the original numbers."""
    if not one.fixes:
        return False
    repaired = read_report(fault.source.edited(one.fixes[0].edits), STANDARD).sheets
    if len(repaired) != len(clean.sheets):
        return False
    # Swapped columns may be swapped back by their headers or by their numbers.
    by_title = fault.kind is Kind.COLUMNS
    wanted = numbers_of(clean.sheets[fault.table], by_title=by_title)
    got = numbers_of(repaired[fault.table], by_title=by_title)
    if fault.added:
        return wanted == got
    for place in wanted.keys() | got.keys():
        if place[0] not in fault.rows or place in fault.lost:
            continue
        ends, other = wanted.get(place, (0.0, 0.0)), got.get(place, (0.0, 0.0))
        slack = 1e-9 * max(map(abs, (*ends, *other)))
        if other[0] > ends[1] + slack or ends[0] > other[1] + slack:
            return False
    return True


def numbers_of(
    sheet: Sheet, *, by_title: bool = False
) -> dict[tuple[int, int | str], tuple[float, float]]:
    """The intervals of the numbers of a table, in base units."""
    titles = sheet.table.titles
    found: dict[tuple[int, int | str], tuple[float, float]] = {}
    for (row, column), one in numbers_by_place(sheet).items():
        value, quantum, unit = one.numeral.value, one.numeral.quantum, 1.0
        if one.amount is not None:
            value, quantum = one.amount.value, one.amount.quantum
            unit = float(one.amount.unit.scale)
        if value is not None:
            half = float(quantum or 0) / 2
            ends = (float(value) - half) * unit, (float(value) + half) * unit
            found[row, titles[column] if by_title else column] = ends
    return found


def _judge_cells(clean: Clean, fault: Fault, sheet: Sheet) -> Score:
    far = far_cells(numeric_columns(sheet))
    mine = {place for place in far if place[0] in fault.rows}
    rows = {row for row, _ in far} - fault.rows
    detected = bool(mine)
    located = detected and len(mine & fault.cells) > _NAMED * len(mine | fault.cells)
    return Score(detected, located, 0, len(rows & clean.sound_rows(fault.table)))


def _judge_rows(clean: Clean, fault: Fault, sheet: Sheet) -> Score:
    rows = isolated_rows(numeric_columns(sheet), sheet.layout.rows)
    sound = clean.sound_rows(fault.table)
    return Score(bool(rows & fault.rows), 0, 0, len((rows - fault.rows) & sound))


def _describe(fault: Fault, clean: Clean, score: Score, new: Sequence[Finding]) -> str:
    table = clean.sheets[fault.table].table
    row = table.rows[min(fault.rows)].span
    line = clean.source.line(row.start)
    texts = [clean.source.cut(table.header.span), clean.source.cut(row)]
    texts.append(fault.source.text.splitlines()[line - 1])
    texts += (
        f"{one.code} {fault.source.position(one.span.start)} {one.message}"
        f" {[fix.title for fix in one.fixes]}"
        for one in new[:4]
    )
    title = f"{Path(clean.source.path).name}:{line} {score} cells {sorted(fault.cells)[:6]}"
    return "\n    ".join((title, *texts))


def table_lines(totals: dict[Kind, Tally], *, forest: bool) -> Iterator[str]:
    """The figures as a Markdown table."""
    title = "| mistake | inserted | in a relation | detected | right cell | first fix right |"
    others = " false alarms | z-score: detected | right cell | false alarms |"
    yield title + others + (" forest: detected | false alarms |" if forest else "")
    yield "|---|" + "--:|" * (11 if forest else 9)
    for name, tally in (*totals.items(), ("all", add_up(totals))):
        total = tally.injected
        one, two, three = tally.mdbench, tally.z_score, tally.forest
        parts = tally.covered, one.detected, one.located, one.fixed
        cells = [str(name), str(total), *(_share(part, total) for part in parts)]
        cells += [str(one.alarms), _share(two.detected, total), _share(two.located, total)]
        cells.append(str(two.alarms))
        if forest:
            cells += [_share(three.detected, total), str(three.alarms)]
        yield f"| {' | '.join(cells)} |"


def add_up(totals: dict[Kind, Tally]) -> Tally:
    """The results for all kinds of mistakes together."""
    everything = Tally()
    for tally in totals.values():
        everything.add(tally)
    return everything


def summary_line(tally: Tally) -> str:
    """The most important figures in a sentence."""
    total, score = tally.injected, tally.mdbench
    alarms = f"{score.alarms or 'no'} false alarm{'' if score.alarms == 1 else 's'}"
    return (
        f"Of {total:,} mistakes, each inserted into a number of a real table, "
        f"{_share(tally.covered, total)} are in a cell that can be recomputed. mdbench detects "
        f"{_share(score.detected, total)} of them and points to the right cell for "
        f"{_share(score.located, total)}, with {alarms}; a z-score per column detects "
        f"{_share(tally.z_score.detected, total)}, with {tally.z_score.alarms:,} false alarms."
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the pages."""
    parser = argparse.ArgumentParser(description="How many mistakes mdbench detects.")
    parser.add_argument("paths", nargs="*", help="reports or folders (default: all collections)")
    parser.add_argument("--write", type=Path, help="page whose region `detection` is replaced")
    parser.add_argument("--summary", type=Path, help="page whose `detection summary` is replaced")
    parser.add_argument("--kind", default="", help="only this kind of mistake, such as `swap`")
    parser.add_argument("--most", type=int, default=MOST_PER_REPORT, help="mistakes per report")
    parser.add_argument("--show", action="store_true", help="print every imperfect result")
    parser.add_argument("--without-forest", action="store_true", help="do not run scikit-learn")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    forest = not options.without_forest
    if forest and find_spec("sklearn") is None:
        print("scikit-learn is missing: pip install 'mdbench[bench]'", file=sys.stderr)
        print("or use --without-forest", file=sys.stderr)
        return 2
    kinds = tuple(kind for kind in Kind if options.kind in ("", kind.name.lower()))
    inputs = find_inputs(options.paths)
    tasks = [Task(path, sound, kinds, options.most, forest) for path, sound in inputs]
    totals = run(tasks, options.jobs)
    lines = list(table_lines(totals, forest=forest))
    print("\n".join((*lines, "", summary_line(add_up(totals)))))
    for kind, tally in totals.items():
        if options.show:
            print("\n".join(("", str(kind), *tally.missed)))
    if options.write is not None:
        write_region(options.write, "detection", lines)
    if options.summary is not None:
        write_region(options.summary, "detection summary", [summary_line(add_up(totals))])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
