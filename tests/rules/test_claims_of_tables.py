"""What sentences say about the tables of their section."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

THREADS = """# Scaling

| Threads | Time (s) | Speedup |
|--------:|---------:|--------:|
| 1 | 16.85 | 1.00 |
| 7 | 2.97 | 5.67 |
| 8 | 2.76 | 6.11 |
| 16 | 2.02 | 8.34 |
"""
NODES = """
| Nodes | Tokens/s |
|------:|---------:|
| 1 | 16,200 |
| 16 | 243,000 |
| 32 | 459,800 |
"""
POOLS = """
| Method | Time (ms) | Peak memory (MB) |
|--------|----------:|-----------------:|
| Pool | 12.5 | 301 |
| DLL | 32.4 | 502 |
"""


def find(text: str) -> list[tuple[str, str]]:
    source = Source("report.md", text)
    return [(source.cut(one.span), one.message) for one in check(source) if one.code == "MB404"]


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("The speedup with 7 threads is 6.11.", "6.11"),
        ("We measured a 6.11x speedup on 7 threads.", "6.11x"),
        ("The run with 16 threads took 2.12 s.", "2.12 s"),
        ("The single-thread run took 18.65 s.", "18.65 s"),
        ("The highest speedup is 6.11.", "6.11"),
        ("The best speedup is 6.11.", "6.11"),
        ("The best time (s) is 2.97 s.", "2.97 s"),
        ("The average speedup is 4.9.", "4.9"),
    ],
)
def test_a_number_that_the_table_does_not_have(sentence: str, place: str) -> None:
    assert [one for one, _ in find(f"{THREADS}\n{sentence}\n")] == [place]


@pytest.mark.parametrize(
    "sentence",
    [
        "The speedup with 8 threads is 6.11.",
        "We measured a 6.1x speedup on 8 threads.",
        "The run with 16 threads took about 2.1 s.",
        "The single-thread run took 17 s.",
        "The highest speedup is 8.34.",
        "The average speedup is 5.28.",
        "The best speedup is 8.3.",
        "The best time (s) is 2.0 s.",
        "With 4 threads, it took 4.5 s.",
        "With 16 threads, a run took 900 s.",
        "With 16 threads, it would take 2.2 s.",
        "From 7 to 16 threads, we gain a 2.5x speedup.",
        "With 7 threads, the speedup is up to 6.11.",
    ],
)
def test_a_number_that_the_table_has_or_that_is_about_something_else(sentence: str) -> None:
    assert find(f"{THREADS}\n{sentence}\n") == []


def test_what_is_wrong_is_said_in_the_words_of_the_report() -> None:
    assert find(f"{THREADS}\nThe speedup with 7 threads is 6.11.\n") == [
        ("6.11", "6.11 should be 5.67: Threads 7 has that, 6.11 is that of Threads 8")
    ]
    assert find(f"{NODES}\nThe best result is 462,000 tokens/s at 32 nodes.\n") == [
        ("462,000 tokens/s", "462,000 tokens/s should be 459,800: Nodes 32 has that")
    ]


def test_two_tables_that_may_be_meant_are_not_guessed_at() -> None:
    again = THREADS.partition("\n")[2]
    assert find(f"{THREADS}{again}\nThe speedup with 7 threads is 6.11.\n") == []
    later = "\n## Conclusion\n\nThe speedup with 7 threads is 6.11.\n"
    assert len(find(THREADS + later)) == 1


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Pool is 2.6x faster than DLL.", 0),
        ("DLL is 2.6 times slower than Pool.", 0),
        ("Pool is **3.6x faster** than DLL.", 1),
        ("Pool uses 40% less memory than DLL.", 0),
        ("Pool uses 30% less memory than DLL.", 1),
        ("Pool is 3.6x faster than malloc.", 0),
        ("Pool uses 30% less power than DLL.", 0),
    ],
)
def test_two_rows_are_compared(sentence: str, count: int) -> None:
    rows = (
        POOLS
        if "memory" in sentence
        else POOLS.replace(" Peak memory (MB) |", "")
        .replace("-----------------:|\n", "\n")
        .replace(" 301 |", "")
        .replace(" 502 |", "")
    )
    assert len(find(f"{rows}\n{sentence}\n")) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("403ms → 902ms (124% increase)", 0),
        ("403ms → 902ms (142% increase)", 1),
        ("Reduced from **170 µs → 30 µs** (32-dim, ~5.7× faster).", 0),
        ("Latency fell from 1.93 ms to 1.60 ms, a 21% reduction.", 1),
        ("Latency fell from 1.93 ms to 1.60 ms, a 17% reduction.", 0),
        ("Accuracy rose from 51.6% to 60.1% (8.5% gain)", 0),
        ("from 2 to 4 GPUs (30% faster)", 0),
        # What changed may be said first, and the two numbers only be compared.
        ("65% less memory (3.25 GB → 1.13 GB)", 0),
        ("55% less memory (3.25 GB → 1.13 GB)", 1),
        ("**1.9x smaller** (26.1 GB vs 13.8 GB)", 0),
        ("**2.9x smaller** (26.1 GB vs 13.8 GB)", 1),
        ("The p99 latency is reduced by 62%, from 120 ms to 45 ms.", 0),
        ("The p99 latency is reduced by 72%, from 120 ms to 45 ms.", 1),
        ("Pool's p99 (105 ms) vs DLL (395 ms) = 3.8x faster", 0),
        ("Pool's p99 (105 ms) vs DLL (395 ms) = 2.8x faster", 1),
        ("From 12 ms to 9 ms, a 25% latency improvement.", 0),
        ("From 12 ms to 9 ms, a 15% latency improvement.", 1),
        ("Up to 55% less memory (3.25 GB → 1.13 GB)", 0),
        ("About 60% less memory (3.25 GB → 1.13 GB)", 0),
        ("2x the users at the same latency (12 ms → 14 ms)", 0),
        ("100% of all runs (12 ms vs 14 ms)", 0),
        ("3x faster (12 ms vs 36 ms vs 40 ms)", 0),
        ("From 4 to 8 threads, a 1.9x speedup", 0),
    ],
)
def test_a_change_is_worked_out(text: str, count: int) -> None:
    assert len(find(f"- {text}\n")) == count
