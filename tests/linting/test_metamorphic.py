"""Changes of a report that change nothing it says leave its errors as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import mdbench
from mdbench.markdown.document import TableKind
from mdbench.markdown.parser import parse_document
from mdbench.rules.findings import Severity
from mdbench.source import Source

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT.parent / "shared" / "truth"
SAMPLES = sorted((ROOT / "reports").glob("*.md"))
REAL = sorted([*TRUTH.glob("reports/current/*.md"), *TRUTH.glob("wide/reports/*/*.md")])[::15]

Row = list[str]

GROUPS = """
| GPUs | Batch | Images/s | Scaling |
|-----:|------:|---------:|--------:|
| 1 | 128 | 377.18 | 100% |
| 4 | 128 | 1493.13 | 396% |
| 8 | 128 | 2967.23 | 787% |
| 1 | 64 | 364.27 | 100% |
| 4 | 64 | 1432.73 | 393% |
| 8 | 64 | 2838.76 | 779% |
| 1 | 32 | 322.81 | 100% |
| 4 | 32 | 1238.27 | 384% |
| 8 | 32 | 2520.50 | 881% |
"""
DEVICES = """
| Batch | T4 Latency (ms) | T4 Images/s | V100 Latency (ms) | V100 Images/s | V100x7 Images/s |
|------:|------:|------:|------:|------:|------:|
| 1 | 1.84 | 543 | 1.58 | 632 | 4929 |
| 8 | 2.10 | 3809 | 1.63 | 4907 | 28000 |
| 16 | 4.93 | 3245 | 2.99 | 5351 | 10707 |
| 32 | 4.89 | 6544 | 3.00 | 10667 | 42585 |
| 64 | 17.32 | 3695 | 8.05 | 7950 | 13650 |
"""


def _errors(text: str) -> Counter[tuple[str, str]]:
    """The errors on single cells, with what is printed there."""
    found = mdbench.lint(text)
    texts = ((one.code, text[one.span.start : one.span.end]) for one in found if _is_error(one))
    return Counter(one for one in texts if "|" not in one[1] and "\n" not in one[1])


def _is_error(finding: mdbench.Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.code[:3] in ("MB3", "MB2")


def _change_tables(text: str, change: Callable[[Sequence[Row]], Sequence[Row] | None]) -> str:
    """A text with its pipe tables changed, those left out whose lines are not plain."""
    for table in reversed(parse_document(Source("report.md", text)).tables):
        lines = text[table.span.start : table.span.end].split("\n")
        if table.kind is not TableKind.PIPE or not all(map(_is_plain, lines)):
            continue
        rows = [line.rstrip()[1:-1].split("|") for line in lines]
        changed = change(rows) if len({len(row) for row in rows}) == 1 else None
        if changed is not None:
            written = "\n".join(f"|{'|'.join(row)}|" for row in changed)
            text = text[: table.span.start] + written + text[table.span.end :]
    return text


def _is_plain(line: str) -> bool:
    return line.startswith("|") and line.rstrip().endswith("|") and not {"\\", "`"} & {*line}


def _reverse_rows(rows: Sequence[Row]) -> Sequence[Row] | None:
    """The rows from the last to the first, where none continues the one above."""
    body = rows[2:]
    return [*rows[:2], *reversed(body)] if all(row[0].strip() for row in body) else None


def _move_column(rows: Sequence[Row]) -> Sequence[Row]:
    return [[row[0], row[-1], *row[1:-1]] if len(row) > 2 else row for row in rows]


def _add_column(rows: Sequence[Row]) -> Sequence[Row]:
    """One more column, which says the same of all rows."""
    added = [" Site ", "---", *([" north "] * (len(rows) - 2))]
    return [[*row, one] for row, one in zip(rows, added, strict=True)]


CHANGES: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "a blank line": lambda text: f"\n{text}",
    "rows reversed": lambda text: _change_tables(text, _reverse_rows),
    "a column moved": lambda text: _change_tables(text, _move_column),
    "a column added": lambda text: _change_tables(text, _add_column),
}
# In a table that is read by rows, another order of the rows is another order of operands.
ORDERED = ("CRLF", "a blank line", "a column added")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", [GROUPS, DEVICES], ids=["groups", "devices"])
def test_a_change_of_layout_keeps_the_errors(text: str, change: str) -> None:
    assert _errors(CHANGES[change](text)) == _errors(text)


def test_the_baseline_of_a_group_is_the_one_with_the_fewest_devices() -> None:
    assert _errors(GROUPS) == {("MB301", "881%"): 1}


def test_a_column_that_no_row_explains_is_not_blamed() -> None:
    assert _errors(CHANGES["a column moved"](DEVICES)) == {}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_change_of_layout_keeps_the_errors_of_a_sample(path: Path, change: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert _errors(CHANGES[change](text)) == _errors(text)


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem[-40:])
def test_a_change_of_layout_keeps_the_errors_of_a_real_report(path: Path) -> None:
    text = Source.from_bytes(path.name, path.read_bytes()).text
    before = _errors(text)
    for change in ORDERED:
        assert _errors(CHANGES[change](text)) == before, change
