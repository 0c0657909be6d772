"""Tables of very many rows, which are read in parts: the same findings and rows as at once."""

from __future__ import annotations

import gc
import re
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.growth import HEADER, make_rows
from mdbench.cli.main import main
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import source_rows
from mdbench.linting.plan import Plan
from mdbench.linting.results import Checked
from mdbench.linting.runner import lint_source
from mdbench.markdown import long_tables
from mdbench.markdown.long_tables import each_part, split_long_tables
from mdbench.rules.findings import Finding
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary

ROWS = 240
BEFORE = "# Runs\n\n- seq_len: 2048\n\nFirst 2 * 16 * 32 = 1000 samples.\n\n"
BETWEEN = (
    "\n## More\n\n| Nodes | GPUs/node | GPUs |\n|--:|--:|--:|\n| 2 | 8 | 16 |\n| 4 | 8 | 33 |\n\n"
)
AFTER = "\nIn all, 3 * 5 = 16 runs.\n"


@pytest.fixture(params=["\n", "\r\n"], ids=["LF", "CRLF"])
def source(request: pytest.FixtureRequest) -> Source:
    """A report with two long tables, a short one between them, and prose with mistakes."""
    tables = (HEADER + "".join(make_rows(ROWS, seed)) for seed in (1, 2))
    text = BEFORE + BETWEEN.join(tables) + AFTER
    return Source("long.md", text.replace("\n", request.param))


def shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts have few rows."""
    monkeypatch.setattr(long_tables, "LONG", 60)
    monkeypatch.setattr(long_tables, "HEAD", 102)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few rows."""
    shorten(monkeypatch)


def lint(source: Source) -> Checked:
    return lint_source(source, Plan())


def read(source: Source, shape: Shape) -> list[TidyRow]:
    return source_rows(source, shape, standard_vocabulary())


@pytest.mark.usefixtures("short")
def test_parts_hold_every_row_once(source: Source) -> None:
    parts = split_long_tables(source)
    assert len(parts) == 6
    for part in parts:
        whole = part.whole_span(part.rows)
        assert source.cut(whole) == part.source.cut(part.rows)
        assert part.source.text.count("## More") == 1
        assert len(re.findall(r"(?m)^\| r", part.source.text)) <= 2 * 101 + 60
    owned = [part.whole_span(part.rows) for part in parts]
    for first, second in pairwise(owned):
        between = source.text[first.end : second.start]
        assert between.count("| r") in (0, 101)
    assert sum(source.cut(span).count("| r") for span in owned) == 2 * (ROWS - 101)


@pytest.mark.usefixtures("short")
def test_places_in_a_part_are_found_in_the_report(source: Source) -> None:
    for part in split_long_tables(source):
        for match in re.finditer(r"\| r\d-\d+ \||seq_len|3 \* 5 = 16|## More", part.source.text):
            whole = part.whole_span(Span(*match.span()))
            assert source.cut(whole) == match[0]


def _place(source: Source, finding: Finding) -> tuple[str, str, int]:
    return finding.code, finding.severity, source.line(finding.span.start)


def test_the_same_rows_are_wrong_in_parts(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    once = lint(source)
    shorten(monkeypatch)
    parts = lint(source)
    assert {one.code for one in once.findings} == {"MB301", "MB401"}
    # Which cell of a row is blamed also depends on the rows that it is seen with.
    assert [_place(source, one) for one in parts.findings] == [
        _place(source, one) for one in once.findings
    ]
    for finding in parts.findings:
        (edit,) = finding.fixes[0].edits if finding.fixes else (Edit(finding.span, ""),)
        assert finding.span.start <= edit.span.start <= finding.span.end
    assert parts.reach.numbers == once.reach.numbers
    assert 0 < parts.reach.checked < (parts.reach.numbers or 0)


def _without_laws(row: TidyRow) -> TidyRow:
    """A row without what depends on the rows that it is seen with."""
    return {name: value for name, value in row.items() if name not in ("verified", "findings")}


@pytest.mark.parametrize("shape", list(Shape))
def test_rows_are_the_same_in_parts(
    source: Source, shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = read(source, shape)
    shorten(monkeypatch)
    assert [_without_laws(row) for row in read(source, shape)] == [*map(_without_laws, once)]


@pytest.mark.usefixtures("short")
def test_a_total_and_a_claim_are_about_all_rows() -> None:
    rows = "".join(f"| r{at} | {at % 7 + 1} | {at % 5 + 2}.5 |\n" for at in range(ROWS))
    total = sum(at % 7 + 1 for at in range(ROWS))
    seconds = sum(at % 5 + 2.5 for at in range(ROWS))
    text = f"| Case | Runs | Time (s) |\n|---|--:|--:|\n{rows}| Total | {total} | {seconds} |\n"
    assert lint(Source("total.md", text)).findings == ()


@pytest.mark.usefixtures("short")
def test_a_part_does_not_start_in_a_group() -> None:
    rows = "".join(f"| {f'm{at}' if at % 40 == 0 else ' '} | {at} |\n" for at in range(ROWS))
    source = Source("groups.md", f"| Model | Runs |\n|---|--:|\n{rows}")
    parts = split_long_tables(source)
    assert len(parts) == 2
    assert all(part.source.cut(part.rows).startswith("| m") for part in parts[1:])


@pytest.mark.usefixtures("short")
def test_garbage_is_searched_for_again_afterwards(source: Source) -> None:
    during = [gc.isenabled() for _ in each_part(split_long_tables(source))]
    assert during
    assert not any(during)
    assert gc.isenabled()


@pytest.mark.usefixtures("short")
def test_only_long_tables_are_split() -> None:
    lines = "".join(f"| {at} |\n" for at in range(ROWS))
    assert split_long_tables(Source("a.md", f"| Runs |\n{lines}")) == []
    assert split_long_tables(Source("a.md", "| Runs |\n|---|\n" + "| 1 |\n" * 60)) == []
    assert split_long_tables(Source("a.md", "text\n" * ROWS)) == []


def test_a_file_above_the_limit_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.md"
    with path.open("wb") as file:
        # Takes no space on the disk.
        file.truncate(500_000_000)
    told = "is larger than 20 MB; use --max-file-size to read larger files"
    assert main(["lint", str(path), "--format", "concise", "-q"]) == 1
    assert capsys.readouterr().out.splitlines() == [f"{path}:1:1 MB001 error: this file {told}"]
    assert main(["normalize", str(path), "-o", str(tmp_path / "runs.csv")]) == 2
    assert f"mdbench: {path}: {told}" in capsys.readouterr().err.splitlines()
