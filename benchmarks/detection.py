"""How many faults in real tables mdbench finds, names and mends, beside outlier detection.

    python benchmarks/detection.py [--write README.md] [--show KIND] [--without-forest] [PATH…]

It takes the rows of reports/ and, where it is there, of ../shared/corpus that hold: at least one
relation confirms them, and nothing is found on them. One fault at a time goes into the text, the
text is linted, and what is new is looked at. A fault is

* caught, if a new error or warning stands on its row (for a whole column: on its table),
* named, if the cells that the finding names are the faulty ones: exactly, or for a run of cells
  more than half of all that either names,
* mended, if the first fix of that finding gives the row the numbers back that it had; cells whose
  text is gone do not count, nor does what rounding of a recomputed number leaves open,
* a false alarm, if a new error or warning stands elsewhere.

A fault counts where a relation covers it: one that holds for the row in the clean report, whose
constant, if nobody states it, at least two other rows confirm, and which the faulty numbers
contradict by more than the printed digits leave open. What no relation can see is left out and
counted: a swap after which everything holds as before, a change within the rounding, a column
times 1000 where nothing but that column tells the constant. Where a cell is covered is decided
from the clean report; that the constants have to be inferred again from the faulty one is part of
the task. A duplicated row needs no relation, and a row with a cell too many or too few neither.

The same faults go to a robust z-score of each column (median and MAD, above 3.5) and to
scikit-learn's IsolationForest over the numeric columns (`pip install scikit-learn`). Their false
alarms are untouched rows that hold and are set apart all the same.
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

from clean import Clean, overlap
from faults import Fault, Kind, Unseen, make_faults
from figures import put_figures
from outliers import far_cells, isolated_rows, numeric_columns

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

    caught: int = 0
    named: int = 0
    mended: int = 0
    alarms: int = 0

    def add(self, other: Score) -> None:
        """Count another score in."""
        self.caught += other.caught
        self.named += other.named
        self.mended += other.mended
        self.alarms += other.alarms


@dataclass(slots=True)
class Tally:
    """What came of the faults of one kind."""

    injected: int = 0
    mdbench: Score = field(default_factory=Score)
    z_score: Score = field(default_factory=Score)
    forest: Score = field(default_factory=Score)
    unseen: Counter[Unseen] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.injected += other.injected
        self.mdbench.add(other.mdbench)
        self.z_score.add(other.z_score)
        self.forest.add(other.forest)
        self.unseen += other.unseen
        self.missed += other.missed


@dataclass(frozen=True)
class Task:
    """One report, what to do to it how often, and whether to ask the forest too."""

    path: str
    kinds: tuple[Kind, ...]
    most: int
    forest: bool


def run(tasks: Iterable[Task], jobs: int) -> dict[Kind, Tally]:
    """Put faults into every report; the result does not depend on `jobs`."""
    totals: dict[Kind, Tally] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for tallies in pool.map(try_report, tasks):
            for kind, tally in tallies.items():
                totals.setdefault(kind, Tally()).add(tally)
    return totals


def try_report(task: Task) -> dict[Kind, Tally]:
    """Every kind of fault in one report."""
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
        score, said = judge(clean, fault, context.report, found)
        tally.injected += 1
        tally.mdbench.add(score)
        if not (score.caught and score.named and score.mended) or score.alarms:
            tally.missed.append(_describe(fault, clean, score, said))
        sheet = context.sheets[fault.table]
        tally.z_score.add(_judge_cells(clean, fault, sheet))
        if task.forest:
            tally.forest.add(_judge_rows(clean, fault, sheet))
    return tally


def judge(
    clean: Clean, fault: Fault, faulty: Report, found: Sequence[Finding]
) -> tuple[Score, list[Finding]]:
    """What mdbench made of a fault, and what it said that it had not said before."""
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
        right = [one for one in on_it if _names(one, fault, faulty)]
        best = right[0] if right else min(on_it, key=lambda one: -one.severity.rank)
        score.caught, score.named = 1, bool(right)
        score.mended = _mends(clean, fault, best)
    return score, new


def _line(source: Source, fault: Fault, one: Finding) -> int:
    """The line that a finding of the clean report has in the faulty one."""
    line = source.line(one.span.start)
    return line + 1 if fault.added and line >= fault.added else line


def _touched(fault: Fault, faulty: Report) -> list[Span]:
    table = faulty.document.tables[fault.table]
    spans = [table.rows[at].span for at in fault.rows]
    return [*spans, table.header.span] if len(fault.rows) > 2 else spans


def _names(one: Finding, fault: Fault, faulty: Report) -> bool:
    """Whether the cells that a finding names are the faulty ones."""
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


def _mends(clean: Clean, fault: Fault, one: Finding) -> bool:
    """Whether the first fix of a finding gives back the numbers that there were."""
    if not one.fixes:
        return False
    mended = read_report(fault.source.edited(one.fixes[0].edits), STANDARD)
    wanted = numbers_of(clean.context.sheets[fault.table])
    got = numbers_of(mended.sheets[fault.table])
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
    """Where the numbers of a table lie, in base units, one more or less in their last digit."""
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
    caught = bool(mine)
    named = caught and len(mine & fault.cells) > _NAMED * len(mine | fault.cells)
    return Score(caught, named, 0, len(rows & _holding(clean, fault)))


def _judge_rows(clean: Clean, fault: Fault, sheet: Sheet) -> Score:
    rows = isolated_rows(numeric_columns(sheet), sheet.layout.rows)
    return Score(bool(rows & fault.rows), 0, 0, len((rows - fault.rows) & _holding(clean, fault)))


def _holding(clean: Clean, fault: Fault) -> set[int]:
    table = clean.context.document.tables[fault.table]
    return {row.run.number for row in clean.rows if row.sheet.table is table}


def _describe(fault: Fault, clean: Clean, score: Score, said: Sequence[Finding]) -> str:
    table = read_report(fault.source, STANDARD).document.tables[fault.table]
    lines = "\n".join(
        f"    {fault.source.cut(table.rows[at].span)}" for at in sorted(fault.rows)[:2]
    )
    findings = "".join(
        f"\n    {one.code} {fault.source.position(one.span.start)} {one.message}"
        f" {[fix.title for fix in one.fixes]}"
        for one in said[:4]
    )
    line = fault.source.line(table.rows[min(fault.rows)].span.start)
    place = f"{Path(clean.source.path).name}:{line}"
    header = fault.source.cut(table.header.span)
    return f"{place} {score} cells {sorted(fault.cells)[:6]}\n    {header}\n{lines}{findings}"


def table_lines(totals: dict[Kind, Tally], *, forest: bool) -> Iterator[str]:
    """The figures as a Markdown table."""
    title = "| fault | injected | caught | right cell | first repair right | false alarms |"
    others = " z-score: caught | right cell | false alarms |"
    yield title + others + (" forest: caught | false alarms |" if forest else "")
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|" + ("--:|--:|" if forest else "")
    everything = Tally()
    for tally in totals.values():
        everything.add(tally)
    for name, tally in (*totals.items(), ("all", everything)):
        total = tally.injected
        one, two, three = tally.mdbench, tally.z_score, tally.forest
        cells = [str(name), str(total)]
        cells += [_share(part, total) for part in (one.caught, one.named, one.mended)]
        cells += [str(one.alarms), _share(two.caught, total), _share(two.named, total)]
        cells.append(str(two.alarms))
        if forest:
            cells += [_share(three.caught, total), str(three.alarms)]
        yield f"| {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def left_out_lines(totals: dict[Kind, Tally]) -> Iterator[str]:
    """What no relation can see, by the reason."""
    for kind, tally in totals.items():
        for reason, count in tally.unseen.most_common():
            yield f"{kind}: {count} left out, {reason}"


def main(arguments: Sequence[str]) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Faults in real tables: found, named, mended.")
    parser.add_argument("paths", nargs="*", help="reports or folders (default: reports, corpus)")
    parser.add_argument("--write", type=Path, help="a file to put the figures into")
    parser.add_argument("--kind", default="", help="only this kind of fault, as `swap`")
    parser.add_argument(
        "--most", type=int, default=MOST_PER_REPORT, help="faults a kind and report"
    )
    parser.add_argument("--show", action="store_true", help="print what was not fully handled")
    parser.add_argument("--without-forest", action="store_true", help="leave scikit-learn out")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    forest = not options.without_forest
    if forest and find_spec("sklearn") is None:
        print("the forest needs scikit-learn: pip install 'mdbench[bench]'", file=sys.stderr)
        print("or leave it out: --without-forest", file=sys.stderr)
        return 2
    corpus = _PROJECT.parent / "shared" / "corpus"
    folders = [str(_PROJECT / "reports"), *([str(corpus)] if corpus.is_dir() else [])]
    kinds = tuple(kind for kind in Kind if options.kind in ("", kind.name.lower()))
    paths = find_reports(options.paths or folders)
    totals = run([Task(path, kinds, options.most, forest) for path in paths], options.jobs)
    lines = list(table_lines(totals, forest=forest))
    print("\n".join((*lines, "", *left_out_lines(totals))))
    for kind, tally in totals.items():
        if options.show:
            print("\n".join(("", str(kind), *tally.missed)))
    if options.write is not None:
        put_figures(options.write, "detection", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
