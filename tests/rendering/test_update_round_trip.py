"""Reports bound to their own runs: nothing changes, and a changed number changes its cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.files.reading import read_source
from mdbench.frames.frame_columns import Shape, TidyRow, fields
from mdbench.frames.pandas import make_table, schema_of
from mdbench.frames.rows import tidy_rows
from mdbench.markdown.document import TableKind
from mdbench.rendering.updating import update
from mdbench.results.comparison import compare
from mdbench.results.database import Database, open_results
from mdbench.results.files import ResultFiles
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report, read_report
from mdbench.source import Edit, Source, SourceError, Span
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()
PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))
SHARED = PROJECT.parent / "shared"
REAL = [
    *sorted((SHARED / "corpus").glob("*.md")),
    # A third of them: all take minutes.
    *sorted((SHARED / "truth").rglob("reports/**/*.md"))[::3],
]
PARTS = 4


def runs_of(source: Source) -> list[TidyRow]:
    return [dict(row) for row in tidy_rows(read_report(source, STANDARD), Shape.RUNS)]


def bind_tables(source: Source) -> Source:
    """Bind each table to its own rows of `runs`, as `normalize` numbers them."""
    edits: list[Edit] = []
    for number, sheet in enumerate(read_report(source, STANDARD).sheets, 1):
        if sheet.table.kind is TableKind.PIPE:
            first = sheet.table.header.span.start
            start = source.line_starts[source.line(first) - 1]
            comment = f'<!-- mdbench: from runs where "table" = {number} -->\n'
            edits.append(Edit(Span(start, start), source.text[start:first] + comment))
    return source.edited(edits)


def bind_sentence(source: Source) -> Source:
    """Bind the speed that a sample states in a sentence."""
    query = "<!-- mdbench: = tokens_per_s from runs where source = 'prose' -->"
    return source._replace(
        text=source.text.replace("~6300 tokens", f"{query}~6300<!-- / --> tokens")
    )


@contextmanager
def open_runs(folder: Path, runs: Sequence[TidyRow]) -> Iterator[Database]:
    """The runs as `normalize` writes them, to be asked."""
    columns = schema_of(fields(Shape.RUNS, STANDARD), Shape.RUNS)
    pq.write_table(make_table(runs, columns), folder / "runs.parquet")
    files = ResultFiles(str(folder), (("runs", "runs.parquet"),))
    with open_results(files, STANDARD) as database:
        yield database


FASTER: dict[str, list[tuple[int | None, int | None]]] = {
    "bigscience-1b3": [(1, 2), (1, 5)],
    "fmengine": [(None, None)],
    "fugaku-1.3b": [(1, 2), (2, 7)],
    "fugaku-30b": [(1, 1), (1, 5), (2, 2)],
    "nanotron-nemo": [(1, 1), (1, 5), (2, 2)],
}
"""The table and the row of the runs of each sample that are run again; none for a sentence."""


def run_again(run: TidyRow) -> None:
    """A run that takes four fifths of the time."""
    for name, value in run.items():
        if isinstance(value, float) and ("_per_s" in name or "flops" in name):
            run[name] = 1.25 * value
        elif isinstance(value, float) and name == "step_time_s":
            run[name] = 0.8 * value


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_samples_follow_changed_results(
    path: Path, tmp_path: Path, file_regression: FileRegressionFixture
) -> None:
    source = read_source(str(path), "", 1_000_000)._replace(path=path.name)
    runs = runs_of(source)
    for place in FASTER[path.stem]:
        for run in runs:
            if (run.get("table"), run.get("row")) == place:
                run_again(run)
    bound = bind_sentence(bind_tables(source))
    with open_runs(tmp_path, runs) as database:
        updated = update(bound, STANDARD, database)
        assert update(updated.source, STANDARD, database).source == updated.source
    assert not updated.problem
    before, after = (one.text.splitlines() for one in (bound, updated.source))
    diff = unified_diff(before, after, path.name, path.name, n=0, lineterm="")
    file_regression.check("\n".join((*diff, "")), extension=".diff")


def read_real(path: Path) -> Source | None:
    """A report; None if it is not UTF-8."""
    try:
        return read_source(str(path), "", 10_000_000)
    except SourceError:
        return None


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="the reports are not beside this checkout")
@pytest.mark.parametrize("part", range(PARTS))
def test_real_reports_bound_to_their_own_runs_are_in_step(part: int, tmp_path: Path) -> None:
    tables = cells = 0
    for path in REAL[part::PARTS]:
        source = read_real(path)
        if source is None:
            continue
        bound = bind_tables(source)
        with open_runs(tmp_path, runs_of(source)) as database:
            compared = compare(read_report(bound, STANDARD), database)
        drifted = [one for table in compared.tables for one in table.cells if one.drifted]
        assert not drifted, path.name
        tables += sum(not one.problem for one in compared.tables)
        cells += sum(len(one.cells) for one in compared.tables)
    assert tables > 400 / PARTS
    assert cells > 3000 / PARTS


def place_of(cell: Measurement, report: Report) -> tuple[int, int]:
    """The table and the row that `normalize` gives to a run: it does not count a second header."""
    layout = report.sheets[cell.table].layout
    row = cell.run if layout.transposed else layout.rows.index(cell.run) + 1
    return cell.table + 1, row


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="the reports are not beside this checkout")
@pytest.mark.parametrize("part", range(PARTS))
def test_one_changed_result_changes_its_cell_and_what_follows(part: int, tmp_path: Path) -> None:
    tried = 0
    for path in REAL[part :: 4 * PARTS]:
        source = read_real(path)
        if source is None:
            continue
        bound, runs = bind_tables(source), runs_of(source)
        report = read_report(bound, STANDARD)
        with open_runs(tmp_path, runs) as database:
            compared = compare(report, database)
        cells = [one for table in compared.tables for one in table.cells]
        chosen = next((one for one in cells if one.value), None)
        if chosen is None or chosen.cell.quantity is None:
            continue
        name = chosen.cell.quantity.name
        for run in runs:
            value = run.get(name)
            if (run.get("table"), run.get("row")) == place_of(chosen.cell, report) and value:
                run[name] = 1.37 * float(str(value))
        with open_runs(tmp_path, runs) as database:
            updated = update(bound, STANDARD, database)
        if updated.problem:
            # Together with the numbers that did not change, it would be a contradiction.
            assert updated.source == bound
            continue
        tried += 1
        same = chosen.cell.table, chosen.cell.run, chosen.cell.quantity
        kept = {
            one.cell.key
            for one in cells
            if (one.cell.table, one.cell.run, one.cell.quantity) != same
        }
        after = read_report(updated.source, STANDARD)
        for old, new in zip(report.sheets, after.sheets, strict=True):
            for was, now in zip(old.runs, new.runs, strict=True):
                for one, other in zip(was.own, now.own, strict=True):
                    assert one.numeral.value == other.numeral.value or one.key not in kept
    assert tried > 8 / PARTS
