"""The costs in docs/scale.md follow from the rates on the same page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handbook.regions import find_regions

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "scale.md"
CRAWL = 100_000_000


@pytest.fixture(scope="module")
def figures() -> str:
    """The region that the benchmark wrote."""
    return find_regions(PAGE.read_text(encoding="utf-8"))["engine"] + "\n"


def read_tables(figures: str) -> list[list[dict[str, str]]]:
    tables = []
    for block in re.findall(r"(?:^\|.*\n)+", figures, re.MULTILINE):
        header, _, *rows = (
            [cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()
        )
        tables.append([dict(zip(header, row, strict=True)) for row in rows])
    return tables


def test_costs_follow_from_rates(figures: str) -> None:
    overheads, rates, costs = read_tables(figures)
    assert len(overheads) == len(rates) == len(costs) == 4
    for rate, cost in zip(rates, costs, strict=True):
        assert cost["100 million files"] == f"{rate['command']}, {rate['reports']}"
        hours = CRAWL / float(rate["files/s per core"]) / 3600
        assert int(cost["core hours"]) == round(hours)
        assert float(cost["hours on 1000 cores"]) == pytest.approx(hours / 1000, abs=0.06)
        (price,) = (re.search(r"at \$([\d.]+)", name) for name in cost if name.startswith("at"))
        assert price is not None
        paid = cost[price.string].removeprefix("$")
        assert float(paid) == pytest.approx(hours * float(price[1]), abs=0.6)


def test_the_overhead_follows_from_the_times(figures: str) -> None:
    for row in read_tables(figures)[0]:
        jobs, dask = (
            float(row[name].removesuffix(" s")) for name in ("CPU of `--jobs 2`", "CPU of dask")
        )
        more = float(row["more"].removesuffix(" %"))
        # Times are rounded to tenths of a second.
        slack = 100 * (dask + jobs) / jobs**2 * 0.05 + 1
        assert more == pytest.approx(100 * (dask / jobs - 1), abs=slack)
