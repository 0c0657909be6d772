"""MB204: a number without the decimal point that all others of its column have."""

from __future__ import annotations

import pytest

import mdbench

TIMES = ("4.883", "4.908", "4.943", "2.664", "2.612", "2.792")


def found(times: tuple[str, ...], header: str = "s/step") -> list[str]:
    rows = "".join(f"| v{at} | {time} |\n" for at, time in enumerate(times))
    text = f"| slice | {header} |\n|---|---|\n{rows}"
    return [one.message for one in mdbench.lint(text, select=["MB204"])]


def test_a_number_that_is_one_of_the_others_with_their_point() -> None:
    said = (
        "s/step 2708 is a thousand times as large as all others of its column; did you mean 2.708?"
    )
    assert found((*TIMES, "2708")) == [said]


@pytest.mark.parametrize(
    "times",
    [
        (*TIMES, "270.8"),
        (*TIMES, "2708.0"),
        (*TIMES, "27081"),
        (*TIMES, "2708", "2612"),
        (*TIMES[:3], "2708"),
        ("4.883", "4.91", "4.9", "2.664", "2.612", "2708"),
    ],
)
def test_a_number_of_another_form_may_be_right(times: tuple[str, ...]) -> None:
    assert found(times) == []


def test_a_number_without_a_unit_may_be_anything() -> None:
    assert found((*TIMES, "2708"), "score") == []
