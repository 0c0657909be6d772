"""Numbers are written as precisely as those of their column."""

from __future__ import annotations

import pytest

from mdbench.numerals.cell import read_cell
from mdbench.numerals.precision import find_precision


@pytest.mark.parametrize(
    ("printed", "value", "expected"),
    [
        pytest.param(("0.86", "12.50"), 3.14159, "3.14", id="as many decimals as the column"),
        pytest.param(("0.001", "0.05", "2"), 0.0525, "0.05", id="as many significant digits"),
        pytest.param(("185", "166"), 171.6, "172", id="whole numbers"),
        pytest.param(("0.25", "0.75"), 0.125, "0.13", id="half is rounded up"),
        pytest.param(("0.5", "0.7"), 0.0042, "0.004", id="never only zeros"),
        pytest.param(("5 GB", "7 GB"), 6.2, "6 GB", id="the unit of the others"),
    ],
)
def test_a_computed_number_has_the_precision_of_its_column(
    printed: tuple[str, ...], value: float, expected: str
) -> None:
    precision = find_precision([read_cell(text)[0] for text in printed])
    assert precision is not None
    assert precision.write(value) == expected


def test_a_column_without_numbers_or_with_mixed_units_has_no_precision() -> None:
    assert find_precision([]) is None
    assert find_precision([read_cell(text)[0] for text in ("5 GB", "7 MB")]) is None


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_what_is_no_amount_is_not_written(value: float) -> None:
    precision = find_precision([read_cell("0.5")[0]])
    assert precision is not None
    assert precision.write(value) is None


def test_the_place_of_the_last_digit() -> None:
    by_decimals, by_digits = (
        find_precision([read_cell(text)[0] for text in column])
        for column in (("0.86", "12.50"), ("0.001", "0.05", "2"))
    )
    assert by_decimals is not None
    assert by_digits is not None
    assert (by_decimals.decimals, by_decimals.digits) == (2, 2)
    assert (by_digits.decimals, by_digits.digits) == (None, 1)
    assert [by_decimals.quantum(value) for value in (3.0, 0.0042)] == [0.01, 0.001]
    assert [by_digits.quantum(value) for value in (300.0, 0.0525)] == [100.0, 0.01]
