"""Changes in percent: increases and savings."""

from __future__ import annotations

import pytest

from mdbench.api import parse
from mdbench.linting.checker import check
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def find(text: str) -> list[Finding]:
    """The arithmetic findings of a table."""
    return [one for one in check(Source("report.md", text)) if one.code.startswith("MB3")]


def verified(text: str) -> set[str]:
    """The verified numbers of a table."""
    source = Source("report.md", text)
    return {source.cut(span) for span in Context(parse(text)).diagnosis.verified}


COLUMNS = "Command | Baseline (ms) | Current (ms) | Improvement (%)"
ROWS = (
    "a | 1379.61 | 612.29 | 55.62",
    "b | 1329.89 | 1210.75 | 8.96",
    "c | 3037.70 | 2668.56 | 12.15",
)


@pytest.mark.parametrize(
    ("header", "rows", "derived"),
    [
        pytest.param(COLUMNS, ROWS, {"55.62", "8.96", "12.15"}, id="of another column"),
        pytest.param(
            "Strategy | Memory (GB) | Savings (%)",
            (
                "base | 20000 | 0.00%",
                "b | 10464 | 47.68%",
                "c | 9125 | 54.38%",
                "d | 20808 | -4.04%",
            ),
            {"47.68%", "54.38%", "-4.04%"},
            id="of a baseline row",
        ),
    ],
)
def test_savings_are_verified(header: str, rows: tuple[str, ...], derived: set[str]) -> None:
    text = table(header, *rows)
    assert find(text) == []
    assert derived <= verified(text)


@pytest.mark.parametrize(
    ("header", "rows", "wrong", "right"),
    [
        pytest.param(COLUMNS, ROWS, "d | 500.17 | 464.87 | 7.60", "7.06", id="saved"),
        pytest.param(
            "Mode | Time (s) | Delta Time",
            ("base | 281.0 | -", "b | 212.7 | -24.3%", "c | 199.2 | -29.1%", "d | 230.1 | -18.1%"),
            "e | 251.9 | -31.7%",
            "-10.4%",
            id="negative",
        ),
        pytest.param(
            "Mode | Time (s) | Delta Time",
            ("base | 281.0 | -", "b | 212.7 | -24.3%", "c | 299.2 | +6.5%", "d | 230.1 | -18.1%"),
            "e | 251.9 | +10.4%",
            "-10.4%",
            id="the wrong sign",
        ),
    ],
)
def test_a_wrong_change_is_reported_and_fixed(
    header: str, rows: tuple[str, ...], wrong: str, right: str
) -> None:
    title, typed = header.rsplit(" | ", maxsplit=1)[-1], wrong.rsplit(" | ", maxsplit=1)[-1]
    (finding,) = find(table(header, *rows, wrong))
    assert finding.message.startswith(f"{title} {typed} should be {right}: ")


def test_columns_with_the_same_title_have_their_own_operands() -> None:
    header = "Format | Out A (s) | Out B (s) | Diff (%) | All A (s) | All B (s) | Diff (%)"
    rows = (
        "a | 371.15 | 351.12 | -5.40% | 371.17 | 351.14 | -5.40%",
        "b | 303.94 | 355.69 | +17.03% | 303.95 | 355.70 | +17.03%",
        "c | 337.19 | 306.91 | -8.98% | 337.23 | 306.93 | -8.98%",
        "d | 339.95 | 328.35 | -3.41% | 339.99 | 328.44 | -3.40%",
    )
    assert find(table(header, *rows)) == []


def test_unrelated_bare_numbers_are_ignored() -> None:
    rows = "a | 0.050 | 0.05 | 0.000", "b | 0.050 | 0.05 | 0.000", "c | 0.050 | 0.05 | 0.000"
    assert (
        find(table("Model | Old (ms) | New (ms) | Diff", *rows, "d | 0.050 | 0.06 | 0.005")) == []
    )
