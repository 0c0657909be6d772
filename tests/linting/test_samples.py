"""The findings that a careful reader expects in the sample reports, and no other errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.files.reading import read_source
from mdbench.linting.checker import check
from mdbench.rules.findings import Finding, Severity

NAMES = ("bigscience-1b3", "fmengine", "fugaku-1.3b", "fugaku-30b", "nanotron-nemo")
WRONG = {
    "bigscience-1b3": set[tuple[int, str]](),
    "fmengine": set[tuple[int, str]](),
    "fugaku-1.3b": {
        (12, "MB404"),
        (13, "MB404"),
        (29, "MB302"),
        (33, "MB204"),
        (34, "MB301"),
        (42, "MB207"),
        (45, "MB103"),
    },
    "fugaku-30b": {(30, "MB303"), *((line, "MB301") for line in (35, 36, 37, 38))},
    "nanotron-nemo": {(33, "MB301"), (49, "MB402"), (55, "MB301")},
}
REMARKABLE = {
    "bigscience-1b3": {(33, "MB102"), (101, "MB206"), (104, "MB206")},
    "fmengine": {(line, "MB106") for line in (19, 23, 33, 37)},
    "fugaku-1.3b": {(51, "MB403"), (56, "MB105")},
    "fugaku-30b": {(24, "MB209"), (27, "MB209"), (32, "MB209")},
    "nanotron-nemo": {(34, "MB304")},
}
MENDED = {
    ("fugaku-1.3b", 34): "8",
    ("fugaku-30b", 35): "6",
    ("fugaku-30b", 36): "8",
    ("fugaku-30b", 37): "16",
    ("fugaku-30b", 38): "32",
}


def findings(folder: Path, name: str) -> list[tuple[int, Finding]]:
    source = read_source(str(folder / f"{name}.md"))
    return [(source.line(found.span.start), found) for found in check(source)]


@pytest.fixture(params=["reports", "seeds"])
def folder(request: pytest.FixtureRequest, project: Path) -> Path:
    if request.param == "reports":
        return project / "reports"
    path: Path = request.getfixturevalue("seeds")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_the_errors_and_warnings_are_exactly_these(folder: Path, name: str) -> None:
    found = [
        (line, one.code) for line, one in findings(folder, name) if one.severity != Severity.INFO
    ]
    assert sorted(found) == sorted(WRONG[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_infos_are_reported(folder: Path, name: str) -> None:
    found = {
        (line, one.code) for line, one in findings(folder, name) if one.severity == Severity.INFO
    }
    assert REMARKABLE[name] <= found


@pytest.mark.parametrize(("name", "line"), MENDED)
def test_the_first_fix_is_the_one_the_authors_made(folder: Path, name: str, line: int) -> None:
    source = read_source(str(folder / f"{name}.md"))
    (found,) = [
        one for one in check(source) if source.line(one.span.start) == line and one.code == "MB301"
    ]
    fixed = source.edited(found.fixes[0].edits)
    before = [cell.strip() for cell in source.line_text(line).split("|")]
    after = [cell.strip() for cell in fixed.line_text(line).split("|")]
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [MENDED[name, line]]


def test_the_shifted_row_can_be_put_back_or_moved_to_the_empty_row(folder: Path) -> None:
    source = read_source(str(folder / "fugaku-1.3b.md"))
    (found,) = [one for one in check(source) if one.code == "MB302"]
    back, moved = (source.edited(fix.edits) for fix in found.fixes)
    cells = [cell.strip() for cell in back.line_text(29).split("|")]
    assert cells[8:12] == ["20033.7 MiB", "14.5", "0.59", "-"]
    cells = [cell.strip() for cell in moved.line_text(30).split("|")]
    assert cells[1] == "1024"
    assert cells[8:11] == ["20033.7 MiB", "14.5", "0.59"]


def test_the_column_in_milliseconds_is_fixed_digit_by_digit(folder: Path) -> None:
    source = read_source(str(folder / "fugaku-30b.md"))
    (found,) = [one for one in check(source) if one.code == "MB303"]
    fixed = source.edited(found.fixes[0].edits)
    assert fixed.line_text(35).split("|")[7].strip() == "701.6585"
    assert "3534.8833(1itrのみ実行)" in fixed.line_text(32)
