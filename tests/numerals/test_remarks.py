"""What stands behind a number: brackets, raised marks, spreads and words."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mdbench.numerals.cell import read_cell
from mdbench.numerals.units import parse_unit

NOTES = [
    ("12 (a (b) c)", "12", "a (b) c"),
    ("12 (a (b) c) d", "12", "a (b) c; d"),
    ("12 (a", "12", "a"),
    ("12<sup>see note</sup>", "12", "see note"),
    ("12<sub>0.4</sub>", "12", "0.4"),
    ("12 (5 layers)", "12", "5 layers"),
    ("5 MB (KB)", "5", "KB"),
    ("3の例", "3", "の例"),
    ("3ミリ", "3", "ミリ"),
    ("3中", "3", "中"),
    ("12 ★", "12", ""),
    ("12<sup>", "12", ""),
]


@pytest.mark.parametrize(("cell", "value", "note"), NOTES, ids=[row[0] for row in NOTES])
def test_words_in_any_brackets_are_a_note(cell: str, value: str, note: str) -> None:
    numeral = read_cell(cell)[0]
    assert (numeral.value, numeral.note, numeral.markers) == (Decimal(value), note, ())


@pytest.mark.parametrize("cell", ["12 [a [b] c] 3", "3한", "3é", "12x3", "12_a", "12.a"])
def test_letters_and_digits_behind_a_number_make_it_text(cell: str) -> None:
    assert [one.value for one in read_cell(cell)] == [None]


@pytest.mark.parametrize(
    ("cell", "marker", "unit"),
    [
        ("12<sup>a</sup>", "a", ""),
        ("12 ms<sup>a</sup>", "a", "ms"),
        ("12 [†]", "†", ""),
        ("12 (†)", "†", ""),
        ("12 ms (†)", "†", "ms"),
    ],
)
def test_a_short_mark_in_brackets_or_raised_is_a_marker(cell: str, marker: str, unit: str) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.value, numeral.markers, numeral.unit) == (Decimal(12), (marker,), unit)
    assert numeral.note == ""


@pytest.mark.parametrize(
    ("cell", "spread", "unit"),
    [
        ("12 ± 0.4 ms", "0.4", "ms"),
        ("12 ms ± 4%", "0.48", "ms"),
        ("12% ± 4%", "4", "%"),
        ("-12 ms ± 5%", "0.60", "ms"),
        ("12<sup>±0.4</sup>", "0.4", ""),
        ("12 ±5", "5", ""),
        ("12 (±5)", "5", ""),
    ],
)
def test_a_spread_is_in_the_unit_of_its_number(cell: str, spread: str, unit: str) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.spread, numeral.unit, numeral.note) == (Decimal(spread), unit, "")


def test_a_unit_in_brackets_is_that_of_a_number_without_one() -> None:
    assert [(one.unit, one.note) for one in read_cell("12 (KB)")] == [("KB", "")]
    assert [(one.unit, one.note) for one in read_cell("12 (ms) x")] == [("ms", "x")]


@pytest.mark.parametrize(
    ("text", "fraction"),
    [("2", False), ("2.0", False), ("2.5", True), ("-0.5", True), ("OOM", False), ("1e3", False)],
)
def test_a_number_that_is_not_whole_has_a_fraction(text: str, *, fraction: bool) -> None:
    assert read_cell(text)[0].has_fraction is fraction


def test_a_single_capital_letter_is_no_unit_of_time_or_size() -> None:
    assert [parse_unit(text) for text in ("S", "D", "H", "B", "b", "Bs", "H/s")] == [None] * 7
    scales = {text: unit.scale for text in ("s", "d", "h") if (unit := parse_unit(text))}
    assert scales == {"s": 1, "d": 86_400, "h": 3_600}


def test_the_case_of_a_prefix_counts_where_both_are_usual() -> None:
    scales = {text: unit.scale for text in ("mJ", "MJ", "mW", "MW") if (unit := parse_unit(text))}
    milli, mega = Decimal("0.001"), 10**6
    assert scales == {"mJ": milli, "MJ": mega, "mW": milli, "MW": mega}
