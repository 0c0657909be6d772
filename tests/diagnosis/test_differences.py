"""Absolute differences against a column or a baseline row: `Δ (ms)`, `Saved (GB)`."""

from __future__ import annotations

import pytest

from mdbench.api import parse
from mdbench.linting.checker import check
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Safety
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def find(text: str) -> list[Finding]:
    """What is found of the arithmetic of a table."""
    return [one for one in check(Source("report.md", text)) if one.code.startswith("MB3")]


def told(text: str) -> list[tuple[str, str]]:
    """The code of each finding with the text it stands on."""
    source = Source("report.md", text)
    return [(one.code, source.cut(one.span)) for one in find(text)]


def fixed(text: str) -> str:
    """The text after the only fix of the only finding."""
    (finding,) = find(text)
    (fix,) = finding.fixes
    assert fix.safety is Safety.UNSAFE
    (edit,) = fix.edits
    return text[: edit.span.start] + edit.text + text[edit.span.end :]


def verified(text: str) -> list[str]:
    """The numbers that take part in something that holds."""
    source = Source("report.md", text)
    return [source.cut(span) for span in sorted(Context(parse(text)).diagnosis.verified)]


BEFORE_AND_AFTER = "Model | Base (ms) | New (ms) | Δ (ms)"
LATENCIES = "Method | Latency (ms) | Diff (ms)"
MEMORY = "Method | Peak memory | Saved"

CLEAN = [
    pytest.param(
        "Model | Top-1 | Top-5 | Top-1 (I) | Top-5 (I)",
        (
            "a | 84.474 | 96.956 | 84.034(-0.440) | 96.782(-0.174)",
            "b | 86.246 | 97.876 | 85.892(-0.354) | 97.822(-0.054)",
            "c | 87.246 | 98.248 | 86.916(-0.330) | 98.174(-0.074)",
        ),
        id="points of scores without a sign",
    ),
    pytest.param(
        BEFORE_AND_AFTER,
        ("a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | 3.5", "c | 230.2 | 201.9 | -28.3"),
        id="the new less the old",
    ),
    pytest.param(
        "Model | Old (GB) | New (GB) | Saved (GB)",
        ("a | 40.3 | 37.9 | 2.4", "b | 61.0 | 48.8 | 12.2", "c | 30.2 | 33.5 | -3.3"),
        id="the old less the new",
    ),
    pytest.param(
        LATENCIES,
        ("base | 101.3 | -", "b | 57.9 | -43.4", "c | 230.2 | +128.9", "d | 33.3 | -68.0"),
        id="a baseline row that has nothing there",
    ),
    pytest.param(
        MEMORY,
        (
            "base | 40.3 GB | 0",
            "b | 37.9 GB | 2.4 GB",
            "c | 30.2 GB | 10.1 GB",
            "d | 9.4 GB | 30.9 GB",
        ),
        id="what was saved of a baseline row that says 0",
    ),
    pytest.param(
        "Method | Latency | vs baseline",
        (
            "base | 101.3 ms | baseline",
            "b | 57.9 ms | -43.4 ms",
            "c | 0.2302 s | +128.9 ms",
            "d | 33.3 ms | -68.0 ms",
        ),
        id="a baseline row that says so, and two units",
    ),
    pytest.param(
        LATENCIES,
        (
            *("x | 101.3 | 0.0", "x2 | 57.9 | -43.4", "x3 | 33.3 | -68.0"),
            *("y | 412.5 | 0.0", "y2 | 300.1 | -112.4", "y3 | 290.7 | -121.8"),
        ),
        id="each group has its baseline",
    ),
    pytest.param(
        "Case | Before | After | Diff",
        ("a | 1013 | 881 | -132", "b | 579 | 614 | 35", "c | 2302 | 2019 | -283"),
        id="numbers of which nobody says what they are",
    ),
    pytest.param(
        "Case | Old (ms) | New (ms) | Diff (ms)",
        (
            "a | 101.3 | 88.1 | 13.2",
            "b | 57.9 | 61.4 | 3.5",
            "c | 230.2 | 201.9 | 28.3",
            "d | 9.1 | 55.5 | 46.4",
        ),
        id="without signs the smaller is taken from the larger",
    ),
    pytest.param(
        "Case | MFU before | MFU after | Δ",
        ("a | 33.4% | 38.8% | +5.4%", "b | 41.3% | 44.8% | +3.5%", "c | 29.9% | 41.9% | +12.0%"),
        id="points between shares",
    ),
]


@pytest.mark.parametrize(("header", "rows"), CLEAN)
def test_what_adds_up_is_verified_and_silent(header: str, rows: tuple[str, ...]) -> None:
    text = table(header, *rows)
    assert told(text) == []
    numbers = [
        cell.strip()
        for row in rows
        for cell in row.split("|")
        if any(map(str.isdigit, cell)) and cell.strip()[0] in "+-0123456789"
    ]
    neutral = {"0", "0.0"}
    assert verified(text) == [one for one in numbers if one not in neutral]


@pytest.mark.parametrize(
    ("header", "rows", "wrong", "right"),
    [
        pytest.param(
            BEFORE_AND_AFTER,
            ("a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | 3.5", "d | 9.1 | 30.2 | 21.1"),
            "c | 230.2 | 201.9 | «-25.7»",
            "-28.3",
            id="less than nothing",
        ),
        pytest.param(
            BEFORE_AND_AFTER,
            ("a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | +3.5", "d | 9.1 | 30.2 | +21.1"),
            "c | 230.2 | 201.9 | «+28.3»",
            "-28.3",
            id="the wrong sign",
        ),
        pytest.param(
            BEFORE_AND_AFTER,
            ("a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | +3.5", "d | 9.1 | 30.2 | +21.1"),
            "c | 211.2 | 230.2 | «-19.0»",
            "+19.0",
            id="the wrong sign, the other way round",
        ),
        pytest.param(
            BEFORE_AND_AFTER,
            ("a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | +3.5", "d | 9.1 | 30.2 | +21.1"),
            "c | 230.2 | 201.9 | «0.0»",
            "-28.3",
            id="nothing where there is something",
        ),
        pytest.param(
            "Model | Old (GB) | New (GB) | Saved (GB)",
            ("a | 40.3 | 37.9 | 2.4", "b | 61.0 | 48.8 | 12.2", "c | 30.2 | 25.5 | 4.7"),
            "d | 55.1 | 42.0 | «11.3»",
            "13.1",
            id="saved",
        ),
        pytest.param(
            LATENCIES,
            ("base | 101.3 | -", "b | 57.9 | -43.4", "c | 230.2 | +128.9", "e | 90.0 | -11.3"),
            "d | 33.3 | «-86.0»",
            "-68.0",
            id="against a baseline row",
        ),
        pytest.param(
            MEMORY,
            (
                "base | 40.3 GB | -",
                "b | 37.9 GB | 2.4 GB",
                "c | 30.2 GB | 10.1 GB",
                "e | 9.4 GB | 30.9 GB",
            ),
            "d | 20.0 GB | «30.2 GB»",
            "20.3 GB",
            id="saved of a baseline row, with units",
        ),
        pytest.param(
            "Case | Before | After | Diff",
            ("a | 1013 | 881 | -132", "b | 579 | 614 | 35", "c | 2302 | 2019 | -283"),
            "d | 1444 | 1111 | «-222»",
            "-333",
            id="plain numbers",
        ),
    ],
)
def test_a_wrong_difference_is_found_and_fixed(
    header: str, rows: tuple[str, ...], wrong: str, right: str
) -> None:
    typed = wrong.partition("«")[2].strip("»")
    text = table(header, *rows, wrong.replace("«", "").replace("»", ""))
    assert told(text) == [("MB301", typed)]
    repaired = fixed(text)
    assert repaired == right.join(text.rsplit(typed, 1))
    assert told(repaired) == []


@pytest.mark.parametrize(
    ("header", "rows", "wrong", "right"),
    [
        pytest.param(
            "Model | Base (ms) | New (ms) | Δ (ms) | Speedup",
            (
                *("a | 101.3 | 88.1 | -13.2 | 1.15x", "b | 57.9 | 61.4 | +3.5 | 0.943x"),
                *("c | 230.2 | «210.9» | -28.3 | 1.14x", "d | 33.3 | 30.1 | -3.2 | 1.11x"),
            ),
            "210.9",
            "201.9",
            id="two things follow from it",
        ),
    ],
)
def test_a_wrong_operand_is_named_where_the_rest_says_so(
    header: str, rows: tuple[str, ...], wrong: str, right: str
) -> None:
    text = table(header, *(row.replace("«", "").replace("»", "") for row in rows))
    assert told(text) == [("MB301", wrong)]
    assert fixed(text) == text.replace(wrong, right)


def test_the_evidence_shows_the_subtraction() -> None:
    rows = "a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | 3.5", "c | 9.1 | 30.2 | 21.1"
    text = table(BEFORE_AND_AFTER, *rows, "d | 230.2 | 201.9 | -25.3")
    (finding,) = find(text)
    assert finding.message == "Δ (ms) -25.3 should be -28.3: 201.9 - 230.2 (3 other rows agree)"
    labels = [evidence.label for evidence in finding.evidence]
    assert labels == ["New (ms) 201.9", "Base (ms) 230.2"]


def test_a_cut_difference_is_no_error() -> None:
    rows = "a | 101.34 | 88.15 | -13.1", "b | 57.95 | 61.42 | 3.4", "c | 230.20 | 201.90 | -28.3"
    assert told(table(BEFORE_AND_AFTER, *rows)) == []


def test_what_one_table_shows_counts_for_the_next() -> None:
    rows = "a | 101.3 | 88.1 | -13.2", "b | 57.9 | 61.4 | 3.5", "c | 230.2 | 201.9 | -28.3"
    text = (
        table(BEFORE_AND_AFTER, *rows) + "\n" + table(BEFORE_AND_AFTER, "d | 90.0 | 60.0 | -31.0")
    )
    assert told(text) == [("MB301", "-31.0")]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        pytest.param(
            "Case | Old (ms) | New (ms) | Δ (ms)",
            ("a | 5 | 3 | 2", "b | 7 | 4 | 3", "c | 9 | 5 | 4", "d | 8 | 2 | 5"),
            id="small numbers add up by chance",
        ),
        pytest.param(
            "Case | Old (ms) | New (ms) | Overhead (ms)",
            ("a | 101.3 | 88.1 | 7.1", "b | 57.9 | 61.4 | 3.5", "c | 230.2 | 201.9 | 9.9"),
            id="one row that agrees is none",
        ),
        pytest.param(
            "Case | Old (ms) | New (ms) | Δ (ms)",
            (
                "a | 10.3 | 10.4 | 0.1",
                "b | 20.5 | 20.4 | -0.1",
                "c | 7.7 | 7.8 | 0.1",
                "d | 8.1 | 8.2 | 0.4",
            ),
            id="differences as fine as the rounding",
        ),
        pytest.param(
            "Method | Latency (ms) | Δ (ms)",
            (
                "a | 57.9 | -43.4",
                "b | 99.9 | -",
                "c | 230.2 | +128.9",
                "d | 33.3 | -68.0",
                "e | 90.0 | -11.3",
            ),
            id="a row that has nothing there need not be the baseline",
        ),
        pytest.param(
            "Model | Base (ms) | New (GB) | Δ (W)",
            (
                "a | 101.3 | 88.1 | -13.2",
                "b | 57.9 | 61.4 | 3.5",
                "c | 230.2 | 201.9 | -28.3",
                "d | 9 | 5 | 1",
            ),
            id="seconds and bytes have no difference",
        ),
        pytest.param(
            "Case | Acc old | Acc new | Δ",
            (
                "a | 98.2% | 99.1% | +0.92%",
                "b | 97.0% | 99.2% | +2.27%",
                "c | 96.1% | 98.8% | +2.81%",
                "d | 60.0% | 75.0% | +25.0%",
            ),
            id="per cent of a share are no points",
        ),
        pytest.param(
            "Run | p50 (ms) | p99 (ms) | Δ (ms)",
            (
                "a | 10.13 | 18.81 | 8.68",
                "b | 15.79 | 26.14 | 10.35",
                "c | 23.02 | 42.50 | 19.01",
                "d | 31.1 | 55.5 | 20.2",
            ),
            id="as many rows do not follow as do",
        ),
    ],
)
def test_what_merely_looks_alike_is_silent(header: str, rows: tuple[str, ...]) -> None:
    assert told(table(header, *rows)) == []
