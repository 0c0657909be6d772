"""The mistakes that the detection benchmark inserts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.clean import read_clean
from benchmarks.detection import Tally, try_fault
from benchmarks.faults import Fault, make_faults
from benchmarks.wrong_numbers import Kind
from mdbench.source import Source

TABLE = """\
| Case | Before (ms) | After (ms) | Speedup | Share (%) |
|---|--:|--:|--:|--:|
| a | 812.4 | 203.1 | 4.00 | 10.6 |
| b | 991.2 | 310.8 | 3.19 | 12.9 |
| c | 655.0 | 421.9 | 1.55 | 8.5 |
| d | 871.3 | 118.6 | 7.35 | 11.3 |
| e | 4345.1 | 2017.0 | 2.15 | 56.6 |
| Total | 7675.0 | 3071.4 | 2.50 | 99.9 |
"""
UNRELATED = """\
| Case | Alpha | Beta |
|---|--:|--:|
| a | 812.4 | 31.7 |
| b | 991.2 | 74.2 |
| c | 655.0 | 99.3 |
"""


def faults(text: str, *kinds: Kind, sound: set[int] | None = None) -> Iterator[Fault]:
    clean = read_clean(Source("report.md", text), sound)
    return make_faults(clean, kinds, 200, "seed")


def changes(fault: Fault) -> set[tuple[str, str]]:
    """The cells that a mistake has changed."""
    pairs = zip(TABLE.splitlines(), fault.source.text.splitlines(), strict=True)
    return {
        (old, new)
        for before, after in pairs
        for old, new in zip(before.split(" | "), after.split(" | "), strict=True)
        if old != new
    }


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (Kind.INVERTED, ("3.19", "0.31")),
        (Kind.PERCENT, ("12.9 |", "0.129 |")),
        (Kind.SUM, ("7675.0", "6862.6")),
        (Kind.UNCONVERTED, ("310.8", "0.3108")),
        (Kind.TENFOLD, ("310.8", "3108")),
        (Kind.COPIED, ("310.8", "203.1")),
        (Kind.BASELINE, ("3.19", "0.80")),
    ],
)
def test_a_wrong_number_is_what_people_would_write(kind: Kind, wanted: tuple[str, str]) -> None:
    assert wanted in {change for fault in faults(TABLE, kind) for change in changes(fault)}


def test_ratios_are_inverted_only_where_the_header_says_so() -> None:
    assert {at for one in faults(TABLE, Kind.INVERTED) for _, at in one.cells} == {3}
    assert not list(faults(UNRELATED, Kind.INVERTED, Kind.SUM, Kind.PERCENT))


def test_two_columns_are_swapped_by_their_headers() -> None:
    fault = next(faults(TABLE, Kind.COLUMNS))
    before, after = TABLE.splitlines(), fault.source.text.splitlines()
    assert before[1:] == after[1:]
    assert sorted(before[0].split("|")) == sorted(after[0].split("|"))


def test_any_number_may_get_a_mistake() -> None:
    places = {place for one in faults(UNRELATED, Kind.SLIPPED) for place in one.cells}
    assert places == {(row, column) for row in range(3) for column in (1, 2)}


def test_only_sound_lines_get_a_mistake() -> None:
    assert {row for one in faults(TABLE, Kind.SLIPPED, sound={4}) for row in one.rows} == {1}


def test_mistakes_that_nothing_can_show_are_counted() -> None:
    clean = read_clean(Source("report.md", UNRELATED))
    (fault,) = make_faults(clean, (Kind.TENFOLD,), 1, "seed")
    tally = try_fault(clean, fault, forest=False)
    assert (tally.injected, tally.covered, tally.mdbench.detected) == (1, 0, 0)


def test_a_wrong_ratio_is_detected_located_and_fixed() -> None:
    clean = read_clean(Source("report.md", TABLE))
    total = Tally()
    for fault in make_faults(clean, (Kind.INVERTED,), 5, "seed"):
        total.add(try_fault(clean, fault, forest=False))
    score = total.mdbench
    assert total.injected == total.covered == score.detected == score.located == score.fixed
    assert (total.injected, score.alarms) == (5, 0)


def test_the_seed_decides() -> None:
    seeds = [str(Random(7).random())] * 2 + ["other"]
    clean = read_clean(Source("report.md", TABLE))
    one, same, other = (list(make_faults(clean, tuple(Kind), 9, seed)) for seed in seeds)
    assert one == same
    assert one != other
