"""`update --add-rows`: new rows are written as the others, and what follows from them follows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mdbench.rendering.update_remarks import Wanted
from tests.rendering.test_update import bound, update_text

ADD = Wanted(add_rows=True)


def squeeze(text: str) -> str:
    """A text without padding: new rows are as wide as their neighbours."""
    return re.sub(" +", " ", text)


RUNS = [
    {"command": "sort", "mean": 14.3, "stddev": 2.1},
    {"command": "uniq", "mean": 24.6, "stddev": 5.1},
    {"command": "awk", "mean": 10.1, "stddev": 0.5},
]


def test_a_new_row_that_is_the_best_changes_the_ratios_of_the_others(tmp_path: Path) -> None:
    header = "| Command | Mean [ms] | Relative |"
    comment = 'from runs columns: "Mean [ms]" = mean'
    first = "| `sort` | 14.3 ± 2.1 | **1.00** |", "| `uniq` | 24.6 ± 5.1 | 1.72 ± 0.44 |"
    updated = update_text(bound(header, *first, comment=comment), tmp_path, RUNS, ADD)
    new = bound(
        header,
        "| `sort` | 14.3 ± 2.1 | 1.42 ± 0.22 |",
        "| `uniq` | 24.6 ± 5.1 | 2.44 ± 0.52 |",
        "| `awk` | 10.1 ± 0.5 | **1.00** |",
        comment=comment,
    )
    assert squeeze(updated.source.text) == new
    assert tuple(map(squeeze, updated.changes)) == (
        "4: Relative **1.00** -> 1.42 ± 0.22",
        "5: Relative 1.72 ± 0.44 -> 2.44 ± 0.52",
        "6: added | `awk` | 10.1 ± 0.5 | **1.00** |",
    )
    assert update_text(new, tmp_path, RUNS, ADD).changes == ()


NAMES = [
    pytest.param(("`a`", "`b`"), "c | d", r"`c \| d`", id="code"),
    pytest.param(("**a**", "**b**"), "c", "**c**", id="bold"),
    pytest.param(("**`a`**", "**`b`**"), "c", "**`c`**", id="code in bold"),
    pytest.param(("`a`", "b"), "c", "c", id="no habit"),
    pytest.param(("`a`", "`b`"), "c`d", "`` c`d ``", id="a backtick in code"),
    pytest.param(("[a](x)", "[b](y)"), "c", "c", id="links lead nowhere new"),
]


@pytest.mark.parametrize(("names", "name", "expected"), NAMES)
def test_a_name_has_the_markup_of_its_column(
    names: tuple[str, str], name: str, expected: str, tmp_path: Path
) -> None:
    report = bound("| Case | Time (s) |", *(f"| {one} | 5.0 |" for one in names))
    runs = [{"case": one, "time_s": 5.0} for one in ("a", "b", name)]
    updated = update_text(report, tmp_path, runs, ADD)
    assert squeeze(updated.source.text) == f"{report}| {expected} | 5.0 |\n"
    assert update_text(updated.source.text, tmp_path, runs, ADD).changes == ()


def test_what_is_said_of_one_row_is_not_said_of_a_new_one(tmp_path: Path) -> None:
    report = bound("| Case | Time (s) |", "| a | 5.0 |", "| b | ~6.0 (2 runs)[^1] |")
    runs = [{"case": case, "time_s": time} for case, time in (("a", 5), ("b", 6), ("c", 7))]
    assert update_text(report, tmp_path, runs, ADD).source.text == f"{report}| c | 7.0 |\n"


def test_what_nothing_gives_is_empty_and_told(tmp_path: Path) -> None:
    report = bound("| Case | Time (s) | Memory (MB) |", "| a | 5.0 | 17 |", "| b | 6.0 | 19 |")
    runs = [{"case": case, "time_s": time} for case, time in (("a", 5), ("b", 6), ("c", 7))]
    updated = update_text(report, tmp_path, runs, ADD)
    assert squeeze(updated.source.text) == f"{report}| c | 7.0 | |\n"
    assert updated.remarks == (
        "2: Memory (MB) is empty in a new row: the results do not have it; fill it in",
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_rows_go_to_their_places_and_no_line_ending_changes(
    ending: str, last: bool, tmp_path: Path
) -> None:
    lines = [
        "<!-- mdbench: from runs -->",
        "| Nodes | Time (s) |",
        "|--:|--:|",
        "{}",
        "| 4 | 3.0 |",
    ]
    new = ["| 1 | 9.0 |", "| 2 | 5.0 |"]
    behind = "" if last else f"{ending}{ending}And so on.{ending}"
    old = ending.join(lines).replace(f"{{}}{ending}", "") + behind
    runs = [{"nodes": n, "time_s": t} for n, t in ((1, 9), (2, 5), (4, 3), (8, 2))]
    expected = ending.join([*lines[:3], *new, lines[4], "| 8 | 2.0 |"]) + behind
    assert update_text(old, tmp_path, runs, ADD).source.text == expected
