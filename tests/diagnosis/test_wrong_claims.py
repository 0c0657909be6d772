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
PROXIES = """# Proxies

| Proxy | ops/s | vs direct |
|---|---:|---:|
| direct | 182,400 | 100 % |
| twemproxy | 141,300 | 77.5 % |
| haproxy | 150,900 | 82.7 % |
| predixy | 133,600 | 73.2 % |
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

REWRITE = """# API rewrite

## Results

| Metric | Before | After | Change |
|---|---|---|---|
| p50 latency | 42 ms | 18 ms | -57% |
| p99 latency | 310 ms | 95 ms | -69% |
| Throughput | 1,200 req/s | 3,450 req/s | +188% |
| Memory (RSS) | 512 MB | 340 MB | -34% |
| Cold start | 1.8 s | 0.6 s | -67% |
"""
SCALING = """# Strong scaling

| Nodes | Time (s) | Speedup | Efficiency |
|---:|---:|---:|---:|
| 1 | 840.0 | 1.00 | 100% |
| 2 | 431.2 | 1.95 | 97% |
| 4 | 224.6 | 3.74 | 94% |
| 8 | 121.3 | 6.93 | 87% |
| 16 | 71.8 | 11.70 | 73% |
"""
EVALUATION = """# Evaluation

| Model | MMLU | GSM8K | HumanEval | Average |
|---|---:|---:|---:|---:|
| Base-7B | 45.3 | 14.6 | 12.8 | 24.2 |
| Chat-7B | 47.1 | 26.3 | 14.0 | 29.1 |
| Base-13B | 54.8 | 28.7 | 18.3 | 33.9 |
| Ours-7B | 58.2 | 41.5 | 30.5 | 43.4 |
"""
PARSERS = """# JSON libraries

Parse time for a 1 MB document, lower is better.

| Library | Parse (ms) | Serialize (ms) | Peak mem (MB) |
|---|---:|---:|---:|
| simdjson | 1.2 | 2.9 | 4.1 |
| rapidjson | 3.8 | 4.4 | 6.3 |
| nlohmann | 14.6 | 11.2 | 18.9 |
| jsoncpp | 21.5 | 24.0 | 22.4 |
"""
COSTS = """# Cost comparison

| Provider | Instances | Hourly | Monthly |
|---|---:|---:|---:|
| AWS | 6 | $2.04 | $1,489.20 |
| GCP | 6 | $1.86 | $1,357.80 |
| Azure | 6 | $2.22 | $1,620.60 |
| Hetzner | 8 | $0.72 | $525.60 |
"""
CODECS = """# Compression

| Codec | Ratio | Compress (MB/s) | Decompress (MB/s) |
|---|---:|---:|---:|
| lz4 | 2.10 | 740 | 4530 |
| zstd -1 | 2.88 | 510 | 1550 |
| zstd -19 | 3.42 | 8 | 1400 |
| brotli -11 | 3.60 | 1 | 420 |
| gzip -9 | 2.74 | 32 | 390 |
"""
CONFORMANCE = """# Conformance

| Group | Total | Passed | Failed | Pass rate |
|---|---:|---:|---:|---:|
| Parser | 120 | 118 | 2 | 98.3% |
| Types | 86 | 86 | 0 | 100% |
| Runtime | 240 | 228 | 12 | 95.0% |
| FFI | 34 | 31 | 3 | 91.2% |
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
        (REWRITE, "p99 latency fell by 59%, from 310 ms to 95 ms."),
        (REWRITE, "- Throughput increased by 288%."),
        (REWRITE, "- **Throughput** rose to 3,540 req/s."),
        (REWRITE, "The rewrite cuts p50 latency by 67%."),
        (REWRITE, "Memory usage dropped by 43%."),
        (REWRITE, "Throughput improved 3.9x."),
        (REWRITE, "p99 latency is now 85 ms."),
        (SCALING, "At 16 nodes we reach a 13.7x speedup."),
        (SCALING, "Efficiency drops to 63% at 16 nodes."),
        (SCALING, "On 8 nodes the run takes 112.3 s, 6.9x faster than on a single node."),
        (SCALING, "Runtime decreases from 840 s on 1 node to 78.1 s on 16 nodes."),
        (SCALING, "The maximum speedup is 11.7x on 8 nodes."),
        (EVALUATION, "Ours-7B achieves the best average of 44.3."),
        (EVALUATION, "Ours-7B scores 52.8 on MMLU."),
        (EVALUATION, "Chat-7B has the lowest HumanEval score."),
        (PARSERS, "simdjson is 5.2x faster than rapidjson at parsing."),
        (PARSERS, "simdjson parses in 1.2 ms, 28x faster than jsoncpp."),
        (PARSERS, "nlohmann needs 19.8 MB of memory at peak."),
        (PARSERS, "rapidjson is the fastest parser."),
        (PARSERS, "The slowest library is nlohmann (14.6 ms)."),
        (PARSERS, "simdjson uses 58% less memory than nlohmann."),
        (PARSERS, "All libraries parse the document in under 20 ms."),
        (COSTS, "Hetzner is the cheapest provider at $552.60 per month."),
        (COSTS, "GCP is the cheapest at $1,357.80 per month."),
        (COSTS, "Azure costs $1,260.60 per month."),
        (COSTS, "Moving from AWS to Hetzner saves $936.60 per month."),
        (COSTS, "Hetzner is 75% cheaper than AWS."),
        (CODECS, "zstd -19 has the best ratio (3.42)."),
        (CODECS, "lz4 decompresses at 4350 MB/s."),
        (CODECS, "lz4 decompresses 3.9x faster than zstd -1."),
        (CODECS, "zstd -1 compresses 26x faster than gzip -9."),
        (CODECS, "The fastest decompression is 5430 MB/s (lz4)."),
        (CONFORMANCE, "Overall, 453 of 480 tests pass."),
        (CONFORMANCE, "19 tests fail in total."),
        (CONFORMANCE, "FFI has the lowest pass rate at 92.1%."),
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
        (PROXIES, "haproxy is the fastest proxy with 150,900 ops/s."),
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
        (REWRITE, "p99 latency fell by 69%, from 310 ms to 95 ms."),
        (REWRITE, "- Throughput increased by 188%."),
        (REWRITE, "- **Throughput** rose to 3,450 req/s."),
        (REWRITE, "The rewrite cuts p50 latency by 57%."),
        (REWRITE, "Memory usage dropped by 34%."),
        (REWRITE, "Throughput improved 2.9x."),
        (REWRITE, "p99 latency is now 95 ms."),
        (REWRITE, "The biggest improvement is in throughput (+188%)."),
        (REWRITE, "Cold start is 3x faster."),
        (SCALING, "At 16 nodes we reach an 11.7x speedup."),
        (SCALING, "Efficiency drops to 73% at 16 nodes."),
        (SCALING, "Efficiency stays above 85% up to 8 nodes."),
        (SCALING, "Parallel efficiency remains above 70% at all node counts."),
        (SCALING, "On 8 nodes the run takes 121.3 s, 6.9x faster than on a single node."),
        (SCALING, "Runtime decreases from 840 s on 1 node to 71.8 s on 16 nodes."),
        (SCALING, "The maximum speedup is 11.7x on 16 nodes."),
        (SCALING, "Scaling is near-linear up to 4 nodes (94% efficiency)."),
        (EVALUATION, "Ours-7B achieves the best average of 43.4."),
        (EVALUATION, "Ours-7B scores 58.2 on MMLU."),
        (EVALUATION, "Ours-7B outperforms Base-13B by 9.5 points on average."),
        (EVALUATION, "On GSM8K, Ours-7B improves over Chat-7B by 15.2 points."),
        (EVALUATION, "Base-7B has the lowest HumanEval score."),
        (EVALUATION, "Ours-7B is the best model on all benchmarks."),
        (PARSERS, "simdjson is 3.2x faster than rapidjson at parsing."),
        (PARSERS, "simdjson parses in 1.2 ms, 18x faster than jsoncpp."),
        (PARSERS, "nlohmann needs 18.9 MB of memory at peak."),
        (PARSERS, "simdjson is the fastest parser."),
        (PARSERS, "The slowest library is jsoncpp (21.5 ms)."),
        (PARSERS, "simdjson uses 78% less memory than nlohmann."),
        (PARSERS, "All libraries parse the document in under 25 ms."),
        (PARSERS, "Serialization takes between 2.9 and 24.0 ms."),
        (COSTS, "Hetzner is the cheapest provider at $525.60 per month."),
        (COSTS, "Azure costs $1,620.60 per month."),
        (COSTS, "Moving from AWS to Hetzner saves $963.60 per month."),
        (COSTS, "Hetzner is 65% cheaper than AWS."),
        (COSTS, "GCP is 9% cheaper than AWS."),
        (CODECS, "brotli -11 has the best ratio (3.60)."),
        (CODECS, "lz4 decompresses at 4530 MB/s."),
        (CODECS, "lz4 decompresses 2.9x faster than zstd -1."),
        (CODECS, "zstd -1 compresses 16x faster than gzip -9."),
        (CODECS, "The fastest decompression is 4530 MB/s (lz4)."),
        (CONFORMANCE, "Overall, 463 of 480 tests pass."),
        (CONFORMANCE, "**Total: 480 tests, 463 passed, 17 failed**"),
        (CONFORMANCE, "The overall pass rate is 96.5%."),
        (CONFORMANCE, "17 tests fail in total."),
        (CONFORMANCE, "Runtime has the most failures (12)."),
        (CONFORMANCE, "Types is the only group with a 100% pass rate."),
        (CONFORMANCE, "FFI has the lowest pass rate at 91.2%."),
        (SORTING, "heapsort is about 8x faster."),
        (SORTING, "heapsort is nearly 8.1x faster."),
        (SORTING, "heapsort is over 8x faster."),
        (SORTING, "heapsort is more than 7x faster."),
        (SORTING, "For small arrays, the largest win is mergesort with 3.43x."),
        (SORTING, "Among the stable algorithms, the biggest speedup is 3.43x."),
        (SORTING, "Excluding heapsort, speedups reach up to 3.43x."),
        (SORTING, "On ARM, heapsort is 6.5x faster."),
        (SORTING, "With 8 threads, heapsort is 12.1x faster."),
        (SORTING, "In version 2.0, heapsort was 7.1x faster."),
        (SORTING, "heapsort should become 9x faster."),
        (SORTING, "heapsort took 41.2 ms in the previous release."),
        (SORTING, "heapsort takes 0.038 s."),
        (SORTING, "heapsort takes 0.0381 s when optimized."),
        (SORTING, "heapsort takes 38 ms when optimized."),
        (SORTING, "heapsort saves 267.6 ms."),
        (SORTING, "heapsort is 267.6 ms faster."),
        (SORTING, "heapsort improves by 87.5%."),
        (SORTING, "heapsort is 702% faster."),
        (SORTING, "heapsort gains 7x."),
        (SORTING, "Most algorithms are at least 2x faster."),
        (SORTING, "All algorithms except radix are at least 2x faster."),
        (SORTING, "All comparison sorts are at least 2x faster."),
        (SORTING, "All algorithms become at least 30% faster."),
        (SORTING, "The median speedup is 2.67x."),
        (SORTING, "The average speedup is about 3.5x."),
        (SORTING, "The geometric mean speedup is 3.04x."),
        (SORTING, "heapsort beats radix by 4.8x in speedup."),
        (SORTING, "quicksort and timsort gain 2.67x and 2.38x."),
        (SORTING, "The optimized quicksort runs in 45 ms and mergesort in 61 ms."),
        (SORTING, "1. heapsort: 8.02x"),
        (SORTING, "Run 3 of 5 shows a 3.1x speedup."),
        (SORTING, "See the 2.4x claim in issue 12 for radix."),
        (SORTING, "The largest array has 8,000,000 elements."),
        (SORTING, "Each run was repeated 10 times."),
        (SORTING, "All runs used at least 16 GB of RAM."),
        (SORTING, "All tests pass."),
        (SERVING, "HAProxy handles about 50k req/s."),
        (SERVING, "HAProxy is 1.08x faster than Nginx."),
        (SERVING, "HAProxy is 8% faster than Nginx."),
        (SERVING, "HAProxy has 14% lower p99 latency than Nginx."),
        (SERVING, "With TLS, HAProxy reaches 44,100 req/s."),
        (SERVING, "HAProxy reached 49,300 req/s in a second run."),
        (SERVING, "Nginx has the lowest p99 latency under load."),
        (SERVING, "Nginx is the fastest open-source web server."),
        (SERVING, "Nginx wins on ease of use."),
        (SERVING, "Nginx is the most popular engine."),
        (SERVING, "HAProxy peaks at 55,000 req/s."),
        (SERVING, "Envoy uses the most memory (226 MB)."),
        (SERVING, "Caddy has the worst p99 (14.1 ms), Envoy 10.7 ms."),
        (SERVING, "p99 latency stays below 20 ms in all runs."),
        (SERVING, "p50 stays below 3 ms for all engines."),
        (SERVING, "The best p50 is 1.7 ms."),
        (SERVING, "Throughput ranges from 30k to 50k req/s."),
        (SERVING, "Throughput ranges from about 32k to 52k req/s."),
        (SERVING, "Throughput varies by up to 1.65x between engines."),
        (SERVING, "HAProxy uses 16 MB less memory than Nginx."),
        (SERVING, "The average throughput is 42,900 req/s."),
        (SERVING, "On average, memory is 154.5 MB."),
        (TARGETS, "5 of the 6 targets are met."),
        (TARGETS, "1 of 6 checks fails."),
        (TARGETS, "6 of 8 services pass."),
        (TARGETS, "All services passed the security review."),
        (TARGETS, "All 24 unit tests pass."),
        (TARGETS, "API latency is 42 ms (target 50 ms)."),
        (TARGETS, "Startup takes 1.4 s, well under the 2 s target."),
        (SUITES, "The load test sent 49k requests."),
        (SUITES, "Over 49,000 requests were sent."),
        (SUITES, "Nearly 50,000 requests were sent in total."),
        (SUITES, "All suites finished within 90 s."),
        (SUITES, "search and cart together took 118.5 s in total."),
        (SUITES, "The total time budget is 300 s."),
        (SUITES, "In total, 4 suites with 49,000 requests ran."),
        (SUITES, "Error rate: 0.03% overall."),
        (MEMORY, "INT8 needs about half the memory."),
        (MEMORY, "INT8 is up to 1.9x smaller."),
        (MEMORY, "INT8 cuts memory nearly in half (47.1% for xl)."),
        (MEMORY, "INT8 reduces memory by 40-50% in all cases."),
        (MEMORY, "The small model fits in 2 GB with INT8."),
        (MEMORY, "The base model drops from 6.8 to 3.9 GB."),
        (REWRITE, "p99 latency dropped 69%."),
        (REWRITE, "p99 latency is 3.3x lower."),
        (REWRITE, "Cold start went from 1.8 s to 0.6 s."),
        (REWRITE, "Throughput nearly tripled."),
        (REWRITE, "Throughput is up 188% to 3,450 req/s."),
        (REWRITE, "Memory (RSS) fell below 350 MB."),
        (REWRITE, "Memory (RSS) peaked at 390 MB during warmup."),
        (REWRITE, "The p50 latency target is 20 ms."),
        (REWRITE, "Throughput per core is 431 req/s."),
        (SCALING, "With 32 nodes, efficiency falls to 60%."),
        (SCALING, "From 8 to 16 nodes, the speedup grows by 1.69x."),
        (SCALING, "Between 1 and 4 nodes, efficiency stays above 90%."),
        (SCALING, "16 nodes are 11.7x faster than 1 node."),
        (SCALING, "Ideal speedup on 16 nodes is 16x."),
        (SCALING, "The 8-node run took 121 s."),
        (SCALING, "Communication takes 15% of the time at 16 nodes."),
        (SCALING, "Weak scaling efficiency is 92% at 16 nodes."),
        (EVALUATION, "Ours-7B gains 3.4 points on MMLU over Base-13B."),
        (EVALUATION, "Ours-7B beats Chat-7B by 14.3 points on average."),
        (EVALUATION, "The original paper reports 45.9 on MMLU for Base-7B."),
        (EVALUATION, "Ours-7B reaches 61.0 on MMLU with majority voting."),
        (EVALUATION, "Ours-7B improves GSM8K by 58%."),
        (EVALUATION, "Ours-7B was trained for 3 epochs on 2.1M samples."),
        (PARSERS, "simdjson is 12x faster than nlohmann."),
        (PARSERS, "simdjson parses 2.5 GB/s."),
        (PARSERS, "Parsing a 10 MB file takes 12 ms with simdjson."),
        (PARSERS, "simdjson is the fastest library."),
        (PARSERS, "simdjson needs the least memory."),
        (PARSERS, "jsoncpp takes 24 ms to serialize."),
        (PARSERS, "rapidjson and simdjson differ by 2.6 ms in parsing."),
        (COSTS, "Hetzner saves 61% compared to GCP."),
        (COSTS, "AWS costs $17,870 per year."),
        (COSTS, "Switching from AWS to GCP saves $131.40 monthly."),
        (COSTS, "Azure is the most expensive."),
        (COSTS, "With reserved instances, AWS costs $938.20 per month."),
        (COSTS, "All providers cost less than $1,700 per month."),
        (CODECS, "lz4 is the fastest."),
        (CODECS, "zstd -19 has the best ratio among the fast decompressors."),
        (CODECS, "brotli -11 is 740x slower than lz4."),
        (CODECS, "zstd compresses at 510 MB/s at level 1."),
        (CODECS, "Ratios range from 2.1 to 3.6."),
        (CONFORMANCE, "463 of 480 tests passed."),
        (CONFORMANCE, "Overall pass rate: 96.5%"),
        (CONFORMANCE, "The mean pass rate is 96.1%."),
        (CONFORMANCE, "All groups have a pass rate above 90%."),
        (CONFORMANCE, "12 of 240 Runtime tests fail."),
        (CONFORMANCE, "Parser: 118/120 passed."),
        (CONFORMANCE, "Types passed all 86 tests."),
    ],
)
def test_a_claim_that_the_table_confirms_or_may_not_be_about(table: str, sentence: str) -> None:
    assert find(table, sentence) == []


@pytest.mark.parametrize(
    ("table", "sentence", "message"),
    [
        (
            SORTING,
            "The largest win is heapsort with 8.03x.",
            "8.03x should be 8.02x: heapsort has that",
        ),
        (
            SERVING,
            "HAProxy uses 58% less memory than Caddy.",
            "58% does not follow from the table: Memory (MB) 184 / 96 is 47.8 % less",
        ),
        (TARGETS, "All 6 targets are met.", "5 of 6 rows pass, not 6"),
        (
            COSTS,
            "Moving from AWS to Hetzner saves $936.60 per month.",
            "$936.60 does not follow from the table: Monthly $1,489.20 - $525.60 is 963.6",
        ),
    ],
)
def test_what_a_claim_should_say(table: str, sentence: str, message: str) -> None:
    assert find(table, sentence) == [message]


def test_what_another_table_confirms_is_about_that_one() -> None:
    again = SORTING.replace("8.02x", "9.04x").replace("# Sorting", "# On ARM")
    conclusion = "\n# Conclusion\n\nThe largest win is heapsort with 9.04x.\n"
    assert find(SORTING, "The largest win is heapsort with 9.04x.") != []
    assert find(f"{SORTING}\nThe largest win is heapsort with 9.04x.\n", again) == []
    assert find(f"{SORTING}\n{again}", conclusion) == []
