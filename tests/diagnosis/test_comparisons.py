"""Comparisons in forms that people use: sound ones are verified, wrong ones are found."""

from __future__ import annotations

import pytest

from mdbench.diagnosis.diagnosis import diagnose
from mdbench.linting.checker import check
from mdbench.linting.fixer import fix
from mdbench.rules.findings import Safety
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


METRICS = (
    "Throughput | 1204 req/s | 1866 req/s | +55.0 %",
    "Latency p99 | 41.2 ms | 28.9 ms | 1.43x",
    "Memory | 812 MB | 655 MB | -157 MB",
    "Startup time | 3.11 s | 2.02 s | 35.0 % less",
)
SOUND = {
    "each metric in a way of its own": table("Metric | Before | After | Change", *METRICS),
    "a word for a change in another language": table(
        "指标 | 基线 | 新版 | 变化",
        *("吞吐量 | 1204 req/s | 1866 req/s | +55.0%", "平均延迟 | 41.2 ms | 28.9 ms | -29.9%"),
        *("内存 | 812 MB | 655 MB | -19.3%", "启动时间 | 3.11 s | 2.02 s | -35.0%"),
    ),
    "differences of scores without a unit": table(
        "Class | Score | Score (int8) | Delta",
        *("a | 0.750 | 0.333 | -0.417", "b | 0.818 | 0.818 | 0.000"),
        *("c | 0.675 | 0.575 | -0.100", "d | 0.864 | 0.780 | -0.084"),
    ),
    "efficiencies by threads that count up": table(
        "Threads | Speedup | Efficiency",
        *("1 | 1.0000 | 1.0000", "2 | 1.9105 | 0.9553", "3 | 2.0215 | 0.6738"),
        *("4 | 2.1481 | 0.5370", "5 | 2.0537 | 0.4107"),
    ),
    "changes of which half are none": table(
        "Trace | Cycles A | Cycles B | Cycles diff (%)",
        *("a | 46820 | 46720 | +0.21%", "b | 91780 | 92150 | -0.40%", "c | 49120 | 47800 | +2.69%"),
        *("d | 17742 | 17742 | +0.00%", "e | 23290 | 23290 | +0.00%", "f | 8812 | 8812 | +0.00%"),
    ),
    "a speed-up of averages": table(
        "BS | Old avg (ms) | Old p99 (ms) | New avg (ms) | New p99 (ms) | New/Old speedup avg",
        *("1 | 20.45 | 24.42 | 10.31 | 12.51 | 1.98", "4 | 37.69 | 45.80 | 18.42 | 21.62 | 2.05"),
        *("8 | 68.70 | 74.59 | 31.30 | 38.73 | 2.19", "16 | 158.82 | 171.4 | 67.44 | 75.68 | 2.35"),
    ),
    "a coefficient of variation": table(
        "Variant | min | mean | max | sd | CV %",
        *("a | 2583 | 2599 | 2624 | 22.5 | 0.87", "b | 1394 | 1418 | 1476 | 36.7 | 2.59"),
        *("c | 1435 | 1443 | 1476 | 18.3 | 1.27", "d | 1599 | 1648 | 1681 | 34.3 | 2.08"),
    ),
    "a header with the words that tell two columns apart": table(
        "N | Time A-B-C (ms) | Time A-C-B (ms) | Time C-A-B (ms) | Speedup (A-B-C vs A-C-B)",
        *("128 | 2 | 1 | 1 | 2.00", "256 | 13 | 7 | 8 | 1.86", "512 | 252 | 42 | 63 | 6.00"),
        *("1024 | 2340 | 216 | 343 | 10.83", "2048 | 9454 | 3221 | 4539 | 2.94"),
    ),
}
WRONG = {
    "each metric in a way of its own": ("+55.0 %", "+65.0 %"),
    "a word for a change in another language": ("-19.3%", "-13.9%"),
    "differences of scores without a unit": ("-0.084", "-0.048"),
    "efficiencies by threads that count up": ("0.6738", "0.7638"),
    "changes of which half are none": ("+2.69%", "+2.96%"),
    "a speed-up of averages": ("2.19", "2.91"),
    "a coefficient of variation": ("2.59", "2.95"),
    "a header with the words that tell two columns apart": ("10.83", "18.03"),
}


def blamed(text: str) -> list[str]:
    """The cells that are said to be wrong."""
    source = Source("report.md", text)
    return [source.cut(one.span) for one in check(source) if one.code[:3] in ("MB3", "MB4")]


def verified(text: str) -> set[str]:
    """The texts of the cells that a relation confirms."""
    source = Source("report.md", text)
    spans = diagnose(read_report(source, standard_vocabulary())).verified
    return {source.cut(span) for span in spans}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_comparison_is_verified(name: str) -> None:
    text = SOUND[name]
    assert blamed(text) == []
    assert WRONG[name][0] in verified(text)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_comparison_is_found_and_fixed(name: str) -> None:
    right, typed = WRONG[name]
    text = SOUND[name].replace(right, typed)
    assert blamed(text) == [typed]
    assert fix(Source("report.md", text), allowed=Safety.UNSAFE).source.text == SOUND[name]


def test_an_improvement_may_be_less_of_one_metric_and_more_of_another() -> None:
    rows = "Throughput | 1204 req/s | 1866 req/s | 55 %", "Memory | 812 MB | 655 MB | 24 %"
    more = "Latency | 41.2 ms | 28.9 ms | 30 %", "Requests | 3118 | 2024 | 54 %"
    assert blamed(table("Metric | Before | After | Improvement", *rows, *more)) == []


def test_columns_that_compare_something_else_blame_nobody() -> None:
    rows = "Throughput | 1204 req/s | 1866 req/s | +12 %", "Memory | 812 MB | 655 MB | +31 %"
    more = "Latency | 41.2 ms | 28.9 ms | -4 %", "Time | 3.11 s | 2.02 s | -35 %"
    assert blamed(table("Metric | A | B | Change", *rows, *more)) == []
