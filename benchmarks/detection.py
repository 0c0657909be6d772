"""How many mistakes in real tables mdbench detects, locates and fixes, beside outlier detection.

    python -m benchmarks.detection [--write docs/detection.md] [--summary README.md] [--show]
                                   [--kind KIND] [--without-forest] [PATH…]

The input is the consistent rows of reports/ and, if it exists, of ../shared/corpus: rows that at
least one relation confirms and that have no finding. One mistake at a time is inserted into the
text, the text is linted, and the new findings are scored. A mistake is

* detected, if a new error or warning is on its row (for a whole column: on its table),
* located, if the finding names the wrong cells: exactly, or for several cells with an overlap of
  more than half,
* fixed, if the first fix of the finding restores the numbers of the row; lost text and the rounding
  of recomputed numbers are not counted against it,
* a false alarm, if a new error or warning is elsewhere.

A mistake counts if a relation covers it: the relation holds for the row in the original report, at
least two other rows confirm its constant if the report does not state it, and the wrong numbers
contradict it by more than rounding. Other mistakes cannot be detected by arithmetic; they are
skipped and counted separately. Coverage is decided on the original report. Inferring the constants
again from the changed report is part of the task. Duplicate rows and rows with a missing or extra
cell need no relation.

The same mistakes are given to a robust z-score per column (median and MAD, above 3.5) and to
scikit-learn's IsolationForest over the numeric columns. Their false alarms are unchanged,
consistent rows that they mark.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from benchmarks.clean import Clean, overlap
from benchmarks.faults import Fault, Kind, Unseen, make_faults
from benchmarks.outliers import far_cells, isolated_rows, numeric_columns
from handbook.regions import write_region
from mdbench.files.discovery import find_reports
from mdbench.files.reading import read_source
from mdbench.linting.checker import check_context
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity
from mdbench.sheets.report import Report, read_report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, SourceError, Span
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

SEED = "2024"
MOST_PER_REPORT = 6
_NAMED = 0.5
_PROJECT = Path(__file__).resolve().parent.parent


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
    mdbench: Score = field(default_factory=Score)
    z_score: Score = field(default_factory=Score)
    forest: Score = field(default_factory=Score)
    unseen: Counter[Unseen] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.injected += other.injected
        self.mdbench.add(other.mdbench)
        self.z_score.add(other.z_score)
        self.forest.add(other.forest)
        self.unseen += other.unseen
        self.missed += other.missed


@dataclass(frozen=True)
class Task:
    """One report, the kinds and number of mistakes, and whether to run the forest."""

    path: str
    kinds: tuple[Kind, ...]
    most: int
    forest: bool


def run(tasks: Iterable[Task], jobs: int) -> dict[Kind, Tally]:
    """Insert mistakes into every report. The result does not depend on `jobs`."""
    totals: dict[Kind, Tally] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for tallies in pool.map(try_report, tasks):
            for kind, tally in tallies.items():
                totals.setdefault(kind, Tally()).add(tally)
    return totals


def try_report(task: Task) -> dict[Kind, Tally]:
    """Insert every kind of mistake into one report."""
    try:
        clean = Clean.read(read_source(task.path))
    except SourceError:
        return {}
    if not clean.rows:
        return {}
    return {kind: _try_kind(clean, kind, task) for kind in task.kinds}


def _try_kind(clean: Clean, kind: Kind, task: Task) -> Tally:
    name = Path(clean.source.path).name
    faults, unseen = make_faults(clean, kind, task.most, f"{SEED} {name}")
    tally = Tally(unseen=unseen)
    for fault in faults:
        context = Context(read_report(fault.source, STANDARD))
        found = check_context(context)
        score, new = judge(clean, fault, context.report, found)
        tally.injected += 1
        tally.mdbench.add(score)
        if not (score.detected and score.located and score.fixed) or score.alarms:
            tally.missed.append(_describe(fault, clean, score, new))
        sheet = context.sheets[fault.table]
        tally.z_score.add(_judge_cells(clean, fault, sheet))
        if task.forest:
            tally.forest.add(_judge_rows(clean, fault, sheet))
    return tally


def judge(
    clean: Clean, fault: Fault, faulty: Report, found: Sequence[Finding]
) -> tuple[Score, list[Finding]]:
    """Score the findings on a mistake. Also returns the new findings."""
    known = {_line(clean.source, fault, one) for one in clean.findings}
    new = [
        one
        for one in found
        if one.severity is not Severity.INFO and fault.source.line(one.span.start) not in known
    ]
    spans = _touched(fault, faulty)
    on_it = [one for one in new if any(overlap(span, cell) for cell in one.cells for span in spans)]
    score = Score(alarms=len(new) - len(on_it))
    if on_it:
        right = [one for one in on_it if _locates(one, fault, faulty)]
        best = right[0] if right else min(on_it, key=lambda one: -one.severity.rank)
        score.detected, score.located = 1, bool(right)
        score.fixed = _fixes(clean, fault, best)
    return score, new


def _line(source: Source, fault: Fault, one: Finding) -> int:
    """The line in the changed report of a finding in the original one."""
    line = source.line(one.span.start)
    return line + 1 if fault.added and line >= fault.added else line


def _touched(fault: Fault, faulty: Report) -> list[Span]:
    table = faulty.document.tables[fault.table]
    spans = [table.rows[at].span for at in fault.rows]
    return [*spans, table.header.span] if len(fault.rows) > 2 else spans


def _locates(one: Finding, fault: Fault, faulty: Report) -> bool:
    """Whether a finding names the wrong cells."""
    table = faulty.document.tables[fault.table]
    cells = {
        (at, column): cell.span
        for at, row in enumerate(table.rows)
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
    return len(named & fault.cells) > _NAMED * len(named | fault.cells)


def _fixes(clean: Clean, fault: Fault, one: Finding) -> bool:
    """Whether the first fix of a finding restores the original numbers."""
    if not one.fixes:
        return False
    repaired = read_report(fault.source.edited(one.fixes[0].edits), STANDARD)
    wanted = numbers_of(clean.context.sheets[fault.table])
    got = numbers_of(repaired.sheets[fault.table])
    if fault.added:
        return wanted == got
    for place in wanted.keys() | got.keys():
        if place[0] not in fault.rows or place in fault.lost:
            continue
        low, high = wanted.get(place, (0.0, 0.0))
        other = got.get(place, (0.0, 0.0))
        if other[0] > high * (1 + 1e-9) or low > other[1] * (1 + 1e-9):
            return False
    return True


def numbers_of(sheet: Sheet) -> dict[tuple[int, int], tuple[float, float]]:
    """The intervals of the numbers of a table, in base units."""
    columns = {
        cell.span: (row, column)
        for row, line in enumerate(sheet.table.rows)
        for column, cell in enumerate(line.cells)
    }
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for one in sheet.measurements:
        value, quantum, unit = one.numeral.value, one.numeral.quantum, 1.0
        if one.amount is not None:
            value, quantum = one.amount.value, one.amount.quantum
            unit = float(one.amount.unit.scale)
        if one.part == 0 and value is not None:
            half = float(quantum or 0) / 2
            ends = (float(value) - half) * unit, (float(value) + half) * unit
            found[columns[one.cell.span]] = ends
    return found


def _judge_cells(clean: Clean, fault: Fault, sheet: Sheet) -> Score:
    far = far_cells(numeric_columns(sheet))
    mine = {place for place in far if place[0] in fault.rows}
    rows = {row for row, _ in far} - fault.rows
    detected = bool(mine)
    located = detected and len(mine & fault.cells) > _NAMED * len(mine | fault.cells)
    return Score(detected, located, 0, len(rows & _holding(clean, fault)))


def _judge_rows(clean: Clean, fault: Fault, sheet: Sheet) -> Score:
    rows = isolated_rows(numeric_columns(sheet), sheet.layout.rows)
    return Score(bool(rows & fault.rows), 0, 0, len((rows - fault.rows) & _holding(clean, fault)))


def _holding(clean: Clean, fault: Fault) -> set[int]:
    table = clean.context.document.tables[fault.table]
    return {row.run.number for row in clean.rows if row.sheet.table is table}


def _describe(fault: Fault, clean: Clean, score: Score, new: Sequence[Finding]) -> str:
    table = read_report(fault.source, STANDARD).document.tables[fault.table]
    lines = "\n".join(
        f"    {fault.source.cut(table.rows[at].span)}" for at in sorted(fault.rows)[:2]
    )
    findings = "".join(
        f"\n    {one.code} {fault.source.position(one.span.start)} {one.message}"
        f" {[fix.title for fix in one.fixes]}"
        for one in new[:4]
    )
    line = fault.source.line(table.rows[min(fault.rows)].span.start)
    place = f"{Path(clean.source.path).name}:{line}"
    header = fault.source.cut(table.header.span)
    return f"{place} {score} cells {sorted(fault.cells)[:6]}\n    {header}\n{lines}{findings}"


def table_lines(totals: dict[Kind, Tally], *, forest: bool) -> Iterator[str]:
    """The figures as a Markdown table."""
    title = "| mistake | inserted | detected | right cell | first fix right | false alarms |"
    others = " z-score: detected | right cell | false alarms |"
    yield title + others + (" forest: detected | false alarms |" if forest else "")
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|" + ("--:|--:|" if forest else "")
    for name, tally in (*totals.items(), ("all", add_up(totals))):
        total = tally.injected
        one, two, three = tally.mdbench, tally.z_score, tally.forest
        cells = [str(name), str(total)]
        cells += [_share(part, total) for part in (one.detected, one.located, one.fixed)]
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
        f"Of {total:,} mistakes that arithmetic can detect, inserted into real reports one at a "
        f"time, mdbench detects "
        f"{_share(score.detected, total)} and names the right cell for "
        f"{_share(score.located, total)}, with {alarms}; a z-score per column detects "
        f"{_share(tally.z_score.detected, total)}, with {tally.z_score.alarms:,} false alarms."
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def skipped_lines(totals: dict[Kind, Tally]) -> Iterator[str]:
    """The mistakes that arithmetic cannot detect, by reason."""
    for kind, tally in totals.items():
        for reason, count in tally.unseen.most_common():
            yield f"{kind}: {count} skipped, {reason}"


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and update the pages."""
    parser = argparse.ArgumentParser(description="How many mistakes mdbench detects.")
    parser.add_argument("paths", nargs="*", help="reports or folders (default: reports, corpus)")
    parser.add_argument("--write", type=Path, help="page whose region `detection` is replaced")
    parser.add_argument("--summary", type=Path, help="page whose `detection summary` is replaced")
    parser.add_argument("--kind", default="", help="only this kind of mistake, such as `swap`")
    parser.add_argument(
        "--most", type=int, default=MOST_PER_REPORT, help="mistakes per kind and report"
    )
    parser.add_argument("--show", action="store_true", help="print every imperfect result")
    parser.add_argument("--without-forest", action="store_true", help="do not run scikit-learn")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    forest = not options.without_forest
    if forest and find_spec("sklearn") is None:
        print("scikit-learn is missing: pip install 'mdbench[bench]'", file=sys.stderr)
        print("or use --without-forest", file=sys.stderr)
        return 2
    corpus = _PROJECT.parent / "shared" / "corpus"
    folders = [str(_PROJECT / "reports"), *([str(corpus)] if corpus.is_dir() else [])]
    kinds = tuple(kind for kind in Kind if options.kind in ("", kind.name.lower()))
    paths = find_reports(options.paths or folders)
    totals = run([Task(path, kinds, options.most, forest) for path in paths], options.jobs)
    lines = list(table_lines(totals, forest=forest))
    print("\n".join((*lines, "", *skipped_lines(totals), "", summary_line(add_up(totals)))))
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
