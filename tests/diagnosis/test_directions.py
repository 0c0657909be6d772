"""A speed-up from one thing to another that is computed the other way round."""

from __future__ import annotations

import pytest

import mdbench

ROWS = (("a", 20.0, 10.0), ("b", 33.0, 15.0), ("c", 30.1, 12.5), ("d", 22.4, 9.1))
FASTER = tuple((name, after, before) for name, before, after in ROWS)


@pytest.mark.parametrize(
    ("unit", "rows", "turned", "wrong"),
    [
        pytest.param("s", ROWS, False, False, id="times"),
        pytest.param("s", ROWS, True, True, id="times, upside down"),
        pytest.param("img/s", FASTER, True, False, id="rates"),
        pytest.param("img/s", FASTER, False, True, id="rates, upside down"),
        pytest.param("s", FASTER, False, False, id="times that became longer"),
        pytest.param("img/s", ROWS, True, False, id="rates that became lower"),
    ],
)
def test_the_direction_of_a_speedup_is_that_of_its_header(
    unit: str, rows: tuple[tuple[str, float, float], ...], turned: bool, wrong: bool
) -> None:
    lines = [f"| Model | CPU ({unit}) | GPU ({unit}) | Speedup (CPU to GPU) |", "|---|--:|--:|--:|"]
    for name, cpu, gpu in rows:
        ratio = gpu / cpu if turned else cpu / gpu
        lines.append(f"| {name} | {cpu} | {gpu} | {ratio:.3f} |")
    found = mdbench.lint("\n".join((*lines, "")), select=["MB301"])
    assert ["upside down" in one.message for one in found] == ([True] if wrong else [])
