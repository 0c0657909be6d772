"""Dates in the forms that reports use, and powers, which look like other numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mdbench.numerals.cell import read_cell
from mdbench.numerals.durations import read_date, scan_date
from mdbench.numerals.units import parse_unit


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024/5/6", "2024-05-06"),
        ("2024-05-06 12:30", "2024-05-06"),
        ("2024-05", "2024-05"),
        ("6 May 2024", "2024-05-06"),
        ("May 6, 2024", "2024-05-06"),
        ("6.5.2024", "2024-05-06"),
        ("25.12.2024", "2024-12-25"),
        ("5/6/2024", "2024-05-06"),
        ("25/12/2024", "2024-12-25"),
        ("4/22", "--04-22"),
        ("22/4", "--04-22"),
        ("12-31", "--12-31"),
        ("2-15", "--02-15"),
        ("2024-13-01", None),
        ("2024-00-10", None),
        ("2024-05-32", None),
        ("13-32", None),
        ("May 2024", None),
        ("1234-05-06", None),
        ("", None),
    ],
)
def test_a_date_is_read_to_the_day_it_names(text: str, iso: str | None) -> None:
    assert read_date(text) == iso


def test_only_padded_days_are_dates_where_none_are_expected() -> None:
    found = {text: scan_date(text, loose=False) for text in ("02-15", "2-15", "12-15", "4/22")}
    assert [text for text, date in found.items() if date is not None] == ["02-15"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("10**6", 10**6), ("2**20", 2**20), ("10^6", 10**6), ("2^10", 1024), ("10^-2", "0.01")],
)
def test_powers_of_ten_and_two_are_exact(text: str, value: int | str) -> None:
    (numeral,) = read_cell(text)
    assert numeral.value == Decimal(value)


@pytest.mark.parametrize("text", ["10^400", "2^-3", "2 * 3"])
def test_other_products_and_powers_stay_text(text: str) -> None:
    assert [one.value for one in read_cell(text)] == [None]


def test_devices_are_held_for_seconds_or_longer() -> None:
    units = {text: parse_unit(text) for text in ("GPU hours", "GPU s", "GPU ms", "GB s", "ms s")}
    known = {text: unit.scale for text, unit in units.items() if unit is not None}
    assert known == {"GPU hours": 3600, "GPU s": 1}
