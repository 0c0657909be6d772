"""Claims in the text about the tables of a report: sound ones, broken ones, and near misses."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.rules.findings import Severity
from mdbench.source import Source

SORTING = """# Sorting

| Algorithm | Baseline (ms) | Optimized (ms) | Speedup |
|---|---:|---:|---:|
| quicksort | 120.5 | 45.2 | 2.67x |
| mergesort | 210.0 | 61.3 | 3.43x |
| heapsort | 305.7 | 38.1 | 8.02x |
| radix | 88.4 | 52.6 | 1.68x |
| timsort | 97.3 | 40.9 | 2.38x |
"""
SERVING = """# Serving

| Engine | Throughput (req/s) | p50 (ms) | p99 (ms) | Memory (MB) |
|---|---:|---:|---:|---:|
| Nginx | 48200 | 1.9 | 8.4 | 112 |
| Caddy | 31500 | 2.8 | 14.1 | 184 |
| Envoy | 39800 | 2.2 | 10.7 | 226 |
| HAProxy | 52100 | 1.7 | 7.2 | 96 |
"""
TARGETS = """# Targets

| Check | Target | Actual | Status |
|---|---|---|---|
| API latency | < 50 ms | 42 ms | ✅ |
| DB query | < 10 ms | 12 ms | ❌ |
| Cache hit | > 90% | 94% | ✅ |
| Throughput | > 1000 req/s | 1240 req/s | ✅ |
| Memory | < 512 MB | 430 MB | ✅ |
| Startup | < 2 s | 1.4 s | ✅ |
"""
SUITES = """# Suites

| Suite | Requests | Errors | Duration (s) |
|---|---:|---:|---:|
| auth | 12000 | 3 | 41.2 |
| search | 25500 | 12 | 88.0 |
| cart | 8400 | 0 | 30.5 |
| admin | 3100 | 1 | 12.9 |
"""
MEMORY = """# Memory

| Model | FP16 (GB) | INT8 (GB) | Reduction |
|---|---:|---:|---:|
| small | 2.4 | 1.4 | 41.7% |
| base | 6.8 | 3.9 | 42.6% |
| large | 13.5 | 7.2 | 46.7% |
| xl | 26.1 | 13.8 | 47.1% |
"""


def find(table: str, sentence: str) -> list[str]:
    found = check(Source("report.md", f"{table}\n{sentence}\n"))
    assert not [one for one in found if one.code == "MB000"]
    claims = [one for one in found if one.code == "MB404"]
    assert all(one.severity is Severity.WARNING and one.confidence >= 0.6 for one in claims)
    return [one.message for one in claims]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (SORTING, "The largest win is heapsort with 8.03x."),
        (SORTING, "The biggest speedup is 3.43x."),
        (SORTING, "The biggest improvement was for mergesort (3.43x)."),
        (SORTING, "Optimized code is up to 8.5x faster."),
        (SORTING, "We see speedups of up to 3.43x."),
        (SORTING, "- **Average speedup:** 4.1x"),
        (SORTING, "On average, the optimized version is 4.2x faster."),
        (SORTING, "All algorithms are at least 2x faster."),
        (SORTING, "Every algorithm is more than twice as fast."),
        (SORTING, "Speedups range from 1.68x to 9.02x."),
        (SORTING, "heapsort went from 305.7 ms to 38.1 ms, a 9.0x speedup."),
        (SORTING, "Heapsort drops from 305.7 ms to 38.1 ms (78.5% reduction)."),
        (SORTING, "heapsort is 8.2x faster after optimization."),
        (SORTING, "heapsort achieves an 8.20x speedup."),
        (SORTING, "- mergesort: 3.34x faster"),
        (SORTING, "- **mergesort** (3.34x)"),
        (SORTING, "3 of 5 algorithms are more than 2x faster."),
        (SORTING, "## 8.2x faster heapsort"),
        (SORTING, "radix shows the smallest gain (1.86x)."),
        (SORTING, "timsort benefits least, with a 1.68x speedup."),
        (SORTING, "heapsort takes 31.8 ms when optimized."),
        (SERVING, "HAProxy handles 1.9x more requests per second than Caddy."),
        (SERVING, "HAProxy delivers 45% higher throughput than Caddy."),
        (SERVING, "HAProxy uses 58% less memory than Caddy."),
        (SERVING, "Nginx has the lowest p99 latency."),
        (SERVING, "HAProxy has the lowest p99 latency (7.8 ms)."),
        (SERVING, "**Winner:** Nginx with 48200 req/s"),
        (SERVING, "The winner is Nginx, with the highest throughput."),
        (SERVING, "Nginx wins on throughput."),
        (SERVING, "Envoy uses the least memory."),
        (SERVING, "HAProxy reached 51200 req/s."),
        (SERVING, "Envoy has a p99 of 17.0 ms."),
        (SERVING, "p99 latency stays below 12 ms for all engines."),
        (SERVING, "All engines keep p99 below 12 ms."),
        (SERVING, "All engines use less than 200 MB of memory."),
        (SERVING, "Throughput ranges from 35100 to 52100 req/s."),
        (SERVING, "Envoy is the slowest engine."),
        (SERVING, "Compared to Caddy, HAProxy has a 59% lower p99."),
        (SERVING, "HAProxy (52100 req/s) is 1.3x faster than Caddy (31500 req/s)."),
        (TARGETS, "4 of 6 targets are met."),
        (TARGETS, "All 6 targets are met."),
        (TARGETS, "**Result: 6/6 targets met**"),
        (TARGETS, "All targets met ✅"),
        (SUITES, "A total of 94,000 requests were sent."),
        (SUITES, "In total, 48,000 requests were sent."),
        (SUITES, "- **Total requests:** 49,900"),
        (SUITES, "- **Total duration:** 127.6 s"),
        (SUITES, "There were 18 errors in total."),
        (SUITES, "The average duration is 34.2 s."),
        (SUITES, "The longest suite is search at 80.0 s."),
        (MEMORY, "INT8 saves between 40 and 45% of memory for all models."),
        (MEMORY, "INT8 reduces memory by up to 42.6%."),
        (MEMORY, "INT8 reduces memory by an average of 54.5%."),
        (MEMORY, "The xl model shrinks from 26.1 GB to 13.8 GB (41.7%)."),
        (MEMORY, "The xl model shrinks by 41.7%, from 26.1 GB to 13.8 GB."),
        (MEMORY, "41.7% less memory (26.1 GB → 13.8 GB)"),
        (MEMORY, "2.9x smaller (26.1 GB vs 13.8 GB)"),
        (MEMORY, "The large model needs only 8.2 GB in INT8."),
    ],
)
def test_a_claim_that_no_reading_of_the_table_explains(table: str, sentence: str) -> None:
    assert len(find(table, sentence)) == 1


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (SORTING, "The largest win is heapsort with 8.02x."),
        (SORTING, "The biggest improvement was for heapsort (8.0x)."),
        (SORTING, "Optimized code is up to 8.02x faster."),
        (SORTING, "Optimized code is up to 8x faster."),
        (SORTING, "- **Average speedup:** 3.6x"),
        (SORTING, "- **Average speedup**: 3.64x across all algorithms"),
        (SORTING, "On average, the optimized version is 3.6x faster."),
        (SORTING, "All algorithms are at least 1.6x faster."),
        (SORTING, "Speedups range from 1.68x to 8.02x."),
        (SORTING, "Speedups range from 1.7x to 8x."),
        (SORTING, "Speedups of 2.4–8.0x were observed."),
        (SORTING, "heapsort went from 305.7 ms to 38.1 ms, an 8.0x speedup."),
        (SORTING, "Heapsort drops from 305.7 ms to 38.1 ms (87.5% reduction)."),
        (SORTING, "heapsort achieves an 8.02x speedup."),
        (SORTING, "- mergesort: 3.43x faster"),
        (SORTING, "4 of 5 algorithms are more than 2x faster."),
        (SORTING, "radix shows the smallest gain (1.68x)."),
        (SORTING, "heapsort takes 38.1 ms when optimized."),
        (SERVING, "HAProxy is 1.65x faster than Caddy."),
        (SERVING, "HAProxy handles 1.65x more requests than Caddy."),
        (SERVING, "HAProxy delivers 65% higher throughput than Caddy."),
        (SERVING, "HAProxy uses 48% less memory than Caddy."),
        (SERVING, "HAProxy uses 96 MB of memory, 48% less than Caddy."),
        (SERVING, "HAProxy has the lowest p99 latency."),
        (SERVING, "HAProxy has the lowest p99 latency (7.2 ms)."),
        (SERVING, "**Winner:** HAProxy with 52100 req/s"),
        (SERVING, "HAProxy wins on throughput."),
        (SERVING, "HAProxy uses the least memory."),
        (SERVING, "HAProxy reached 52100 req/s."),
        (SERVING, "HAProxy reached 52,100 req/s."),
        (SERVING, "HAProxy reached 52k req/s."),
        (SERVING, "Envoy has a p99 of 10.7 ms."),
        (SERVING, "p99 latency stays below 15 ms for all engines."),
        (SERVING, "All engines keep p99 below 15 ms."),
        (SERVING, "All engines use less than 250 MB of memory."),
        (SERVING, "Throughput ranges from 31500 to 52100 req/s."),
        (SERVING, "HAProxy outperforms Nginx by 8%."),
        (SERVING, "Caddy is the slowest engine."),
        (SERVING, "HAProxy beats every other engine in throughput and memory."),
        (SERVING, "Compared to Caddy, HAProxy has a 49% lower p99."),
        (SERVING, "HAProxy (52100 req/s) is 1.65x faster than Caddy (31500 req/s)."),
        (TARGETS, "5 of 6 targets are met."),
        (TARGETS, "5 out of 6 checks pass."),
        (TARGETS, "**Result: 5/6 targets met**"),
        (SUITES, "A total of 49,000 requests were sent."),
        (SORTING, "The input takes 290 ms in total to write."),
        (SUITES, "- **Total requests:** 49,000"),
        (SUITES, "- **Total duration:** 172.6 s"),
        (SUITES, "There were 16 errors in total."),
        (SUITES, "The average duration is 43.2 s."),
        (SUITES, "The longest suite is search at 88.0 s."),
        (SUITES, "The whole run took 172.6 s."),
        (MEMORY, "INT8 saves between 40 and 50% of memory for all models."),
        (MEMORY, "INT8 reduces memory by up to 47.1%."),
        (MEMORY, "INT8 reduces memory by 40–47% across all models."),
        (MEMORY, "INT8 reduces memory by an average of 44.5%."),
        (MEMORY, "The xl model shrinks from 26.1 GB to 13.8 GB (47.1%)."),
        (MEMORY, "The xl model shrinks by 47.1%, from 26.1 GB to 13.8 GB."),
        (MEMORY, "47.1% less memory (26.1 GB → 13.8 GB)"),
        (MEMORY, "1.9x smaller (26.1 GB vs 13.8 GB)"),
        (MEMORY, "The large model needs only 7.2 GB in INT8."),
    ],
)
def test_a_claim_that_the_table_confirms_or_may_not_be_about(table: str, sentence: str) -> None:
    assert find(table, sentence) == []
