"""What sentences say about all rows of a table: ranges, totals, and which row is the best."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Source

THREADS = """# Scaling

| Threads | Time (s) | Speedup | Efficiency |
|--------:|---------:|--------:|-----------:|
| 1 | 16.85 | 1.00 | 100% |
| 7 | 2.97 | 5.67 | 81% |
| 8 | 2.76 | 6.11 | 76% |
| 16 | 2.02 | 8.34 | 52% |
"""
CODECS = """# Codecs

| Codec | Latency (ms) | Ratio | Memory (MB) | Saved |
|-------|-------------:|------:|------------:|------:|
| lz4 | 12.5 | 2.10 | 16 | 31% |
| zstd | 32.4 | 2.88 | 40 | 24% |
| brotli | 80.1 | 3.05 | 64 | 22% |
| snappy | 11.9 | 2.05 | 12 | 37% |
"""


def find(table: str, sentence: str) -> list[Finding]:
    findings = check(Source("report.md", f"{table}\n{sentence}\n"))
    return [one for one in findings if one.code == "MB404"]


@pytest.mark.parametrize(
    ("table", "sentence", "message"),
    [
        (
            THREADS,
            "Efficiency is between 70 and 90% in every configuration.",
            "Efficiency is not between 70 and 90% in one row: Threads 16 has 52%",
        ),
        (
            THREADS,
            "In all runs, the efficiency is above 60%.",
            "Efficiency is not at least 60% in all rows: Threads 16 has 52%",
        ),
        (
            THREADS,
            "The time ranges from 2.5 s to 20 s depending on the number of threads.",
            "Time (s) is not between 2.5 s and 20 s in one row: Threads 16 has 2.02",
        ),
        (
            CODECS,
            "Compression saves between 20 and\n35 % of memory in all cases.",
            "Saved is not between 20 and 35 % in one row: snappy has 37%",
        ),
        (
            CODECS,
            "- **Latency** is always below 0.05 s.",
            "Latency (ms) is not at most 0.05 s in all rows: brotli has 80.1",
        ),
        (
            THREADS,
            "All runs took 28.6 s in total.",
            "28.6 s should be 24.6 s: the total Time (s) of 4 rows",
        ),
        (
            CODECS,
            "The total memory of all codecs is 122 MB.",
            "122 MB should be 132 MB: the total Memory (MB) of 4 rows",
        ),
        (
            THREADS,
            "The highest speedup is reached with 8 threads.",
            "Speedup 6.11 is not the highest: Threads 16 has 8.34",
        ),
        (
            CODECS,
            "**lz4** has the lowest latency.",
            "Latency (ms) 12.5 is not the lowest: snappy has 11.9",
        ),
        (
            CODECS,
            "Zstd is by far the slowest.",
            "Latency (ms) 32.4 is not the highest: brotli has 80.1",
        ),
    ],
)
def test_a_claim_that_the_rows_contradict(table: str, sentence: str, message: str) -> None:
    (finding,) = find(table, sentence)
    assert finding.message == message
    assert finding.severity is Severity.WARNING
    assert finding.evidence
    later = f"\n## Conclusion\n\n{sentence}"
    assert [one.message for one in find(table, later)] == [message]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        pytest.param(THREADS, sentence, id=sentence)
        for sentence in (
            "Efficiency is between 50 and 90% in every configuration.",
            "The time ranges from 2 s to 17 s.",
            "All runs took 24.6 s in total.",
            "All runs took 81 s in total.",
            "The highest speedup is reached with 16 threads.",
            "The highest speedup is reached with 32 threads.",
            # About how much, on other runs, or a plan.
            "Efficiency is roughly between 70 and 90% in every configuration.",
            "Efficiency should be between 70 and 90% in every configuration.",
            "Efficiency is between 70 and 90% in most configurations.",
            "Efficiency is between 70 and 90% in all small configurations.",
            "Except for 16 threads, efficiency is between 70 and 90% in all runs.",
            "Parallel efficiency is between 70 and 90% in every configuration.",
            "Efficiency is between 10 and 20% in every configuration.",
            "Efficiency is between 70 and 90 ms in every configuration.",
            "The time ranges from 2.5 h to 20 h.",
            "The p99 time is above 2.5 s in all runs.",
            "The target is that efficiency is above 60% in all runs.",
            "The highest speedup per watt is reached with 8 threads.",
            "The highest speedup was measured at 8 threads on the old machine.",
        )
    ]
    + [
        pytest.param(CODECS, sentence, id=sentence)
        for sentence in (
            "snappy has the lowest latency.",
            "gzip has the lowest latency.",
            "lz4 has the lowest latency among the codecs with a dictionary.",
            "lz4 has one of the lowest latencies.",
            "lz4 has the second lowest latency.",
            "lz4 has the lowest latency for small files.",
            "lz4 has the lowest jitter.",
            "lz4 has the best memory.",
            "Compression reduces power by 20 to 35 % in all cases.",
            "Compression saves 20 to 40 % in all cases.",
        )
    ],
)
def test_a_claim_that_holds_or_is_about_something_else(table: str, sentence: str) -> None:
    assert find(table, sentence) == []


def test_two_tables_that_may_be_meant_are_not_guessed_at() -> None:
    again = CODECS.partition("\n")[2]
    assert find(CODECS + again, "lz4 has the lowest latency.") == []
    assert find(f"{CODECS}\n# More\n{again}", "lz4 has the lowest latency.") != []


def test_rows_that_were_not_measured_are_not_the_best() -> None:
    ideal = CODECS + "| ideal | 1.0 | 9.00 | 1 | 50% |\n| Average | 34.2 | 2.52 | 33 | 29% |\n"
    assert find(ideal, "snappy has the lowest latency.") == []
    assert find(ideal, "brotli has the highest ratio.") == []
