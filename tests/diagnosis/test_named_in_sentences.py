"""Sentences that count rows, name them by a part of their label, or misprint one of their cells."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.rules.findings import Severity
from mdbench.source import Source

BODIES = """# N-body

| Program | Mean [s] | Peak (MB) | QPS |
|---|---:|---:|---:|
| C 17 | 2.11 | 31 | 712,400 |
| Rust 1.80 | 2.09 | 33 | 698,100 |
| Zig 0.13 | 2.13 | 37 | 655,900 |
| Go 1.22 | 2.93 | 48 | 588,300 |
| Java 21 | 3.64 | 112 | 492,700 |
| Python 3.12 | 45.2 | 61 | 21,900 |
"""
CHANGES = """# Ablation

| Change | loss | ppl | Δ loss |
|---|---:|---:|---:|
| baseline | 3.214 | 24.88 | |
| SwiGLU | 3.187 | 24.22 | -0.027 |
| no bias | 3.225 | 25.15 | +0.011 |
| RMSNorm | 3.209 | 24.75 | -0.005 |
| QK-norm | 3.203 | 24.60 | -0.011 |
| Muon | 3.140 | 23.11 | -0.074 |
"""
SHAPES = """# GEMM

| Shape | cuBLAS (µs) | ours (µs) | % cuBLAS |
|---|---:|---:|---:|
| wide | 18.2 | 20.8 | 87.5 |
| square | 95.6 | 114.7 | 83.3 |
| deep | 2295.6 | 2282.9 | 100.6 |
| tall | 47.5 | 36.0 | 131.9 |
| thin | 120.2 | 95.6 | 125.7 |
| small | 44.2 | 41.8 | 105.7 |
"""
QUEUES = """# Queues

| Queue | Throughput (MB/s) | P50 (ms) | P99 (ms) | Price ($/month) |
|---|---:|---:|---:|---:|
| Kafka 3.6 | 835.0 | 4.1 | 18.7 | 310 |
| Pulsar 3.1 | 591.1 | 5.6 | 31.2 | 295 |
| RocketMQ 5.1 | 400.2 | 3.2 | 22.9 | 240 |
| NATS JetStream 2.10 | 228.3 | 2.7 | 14.3 | 262 |
"""
QUEUES_ZH = """# 消息队列

| 队列 | 吞吐(MB/s) | P50 延迟(ms) | P99 延迟(ms) |
|---|---:|---:|---:|
| Kafka 3.6 | 835.0 | 4.1 | 18.7 |
| Pulsar 3.1 | 591.1 | 5.6 | 31.2 |
| RocketMQ 5.1 | 400.2 | 3.2 | 22.9 |
| NATS JetStream 2.10 | 228.3 | 2.7 | 14.3 |
"""
DISKS = """# IOR

| Nodes | Write (GiB/s) | Read (GiB/s) |
|---:|---:|---:|
| 4 | 38.5 | 41.8 |
| 8 | 64.7 | 71.5 |
| 16 | 71.2 | 89.1 |
| 32 | 69.8 | 91.2 |
"""
FORMATS = """# Formats

| Format | Weights (GB) | Output tok/s | ITL (ms) |
|---|---:|---:|---:|
| FP16 | 14.5 | 331.5 | 47.4 |
| AWQ int4 | 4.2 | 508.7 | 30.9 |
| GPTQ int4 | 4.2 | 471.9 | 33.3 |
| FP8 (W8A16) | 7.6 | 418.0 | 37.5 |
"""
RATES = """# Load

| rate | req/s | output tok/s | TTFT (ms) |
|---:|---:|---:|---:|
| 1 | 0.99 | 196 | 38.2 |
| 4 | 3.89 | 1,774 | 147.3 |
| 8 | 7.53 | 2,496 | 243.1 |
| 16 | 11.87 | 3,359 | 1,187 |
"""
HEAPS = """# Allocators

| Allocator | Time (s) | Ops/s | Peak (MiB) |
|---|---:|---:|---:|
| glibc 2.39 | 148.3 | 67,431 | 1,812 |
| jemalloc 5.3 | 101.5 | 98,522 | 1,406 |
| mimalloc 2.1 | 89.1 | 112,233 | 1,375 |
| tcmalloc 2.15 | 92.7 | 107,875 | 1,590 |
"""

COUNTS = [
    (BODIES, "{} programs finish in under 3 seconds.", "Three", "Four"),
    (BODIES, "{} programs exceed 600k QPS.", "Four", "Three"),
    (BODIES, "{} of the six programs exceed 600k QPS.", "Four", "Three"),
    (BODIES, "Below 3 s are {} of them.", "five", "four"),
    (BODIES, "Above 600k QPS: {} programs.", "two", "three"),
    (BODIES, "{} programs need less than 60 MB.", "Five", "Four"),
    (BODIES, "{} programs are above 650,000 QPS.", "2", "3"),
    (BODIES, "{} of 6 programs take more than 3 s.", "3", "2"),
    (BODIES, "{} programs stay below 40 MB.", "Four", "Three"),
    (CHANGES, "{} of the five changes lower the loss.", "Three", "Four"),
    (CHANGES, "{} of the five changes reduce the ppl.", "Three", "Four"),
    (CHANGES, "{} of the five changes raise the loss.", "Two", "One"),
    (SHAPES, "We beat cuBLAS on {} of the six shapes.", "three", "four"),
    (SHAPES, "ours is faster than cuBLAS on {} of 6 shapes.", "5", "4"),
    (SHAPES, "ours outperforms cuBLAS in {} out of six shapes.", "five", "four"),
]
BESTS = [
    (QUEUES, "{} has the lowest P50.", "RocketMQ", "NATS JetStream"),
    (QUEUES, "{} has the lowest latency, P50 and P99.", "RocketMQ", "NATS"),
    (QUEUES, "The lowest latency has {}, P50 and P99.", "RocketMQ", "JetStream"),
    (QUEUES, "Highest throughput: {}.", "Pulsar", "Kafka"),
    (QUEUES, "{} has the highest throughput of all.", "Pulsar", "Kafka"),
    (QUEUES, "{} is best in throughput.", "NATS", "Kafka"),
    (QUEUES, "The slowest P99 is that of {}.", "RocketMQ", "Pulsar"),
    (QUEUES, "{} has the lowest price.", "Kafka", "RocketMQ"),
    (QUEUES_ZH, "延迟最低的是 {},P50 和 P99 都是第一。", "RocketMQ", "NATS JetStream"),
    (QUEUES_ZH, "吞吐最高的是 {}。", "Pulsar", "Kafka"),
    (QUEUES_ZH, "{} 的吞吐最高。", "RocketMQ", "Kafka"),
    (DISKS, "The maximum of write is reached with {} nodes.", "32", "16"),
    (DISKS, "Read is highest on {} nodes.", "16", "32"),
    (DISKS, "The fastest write is on {} nodes.", "8", "16"),
    (HEAPS, "{} has the lowest peak.", "jemalloc", "mimalloc"),
]
COMPARISONS = [
    (FORMATS, "AWQ is {} faster than FP16 here and needs less memory.", "1.63×", "1.53×"),
    (FORMATS, "AWQ is {} as fast as FP16.", "1.8x", "1.5x"),
    (FORMATS, "GPTQ is {} faster than FP16, and FP8 comes next.", "1.24x", "1.42x"),
    (FORMATS, "The output tok/s of AWQ is {} higher than that of FP8.", "32%", "22%"),
    (FORMATS, "The ITL of AWQ is {} lower than that of FP16.", "45%", "35%"),
    (HEAPS, "mimalloc is {} faster than glibc.", "1.86x", "1.66x"),
    (HEAPS, "mimalloc is {} as fast as glibc.", "1.9x", "1.7x"),
    (HEAPS, "jemalloc is {} faster than glibc, so we keep it.", "1.64x", "1.46x"),
    (HEAPS, "Compared to glibc, jemalloc has a {} lower peak.", "32%", "22%"),
    (HEAPS, "mimalloc uses {} less memory than glibc.", "34%", "24%"),
    (QUEUES, "Kafka has {} higher throughput than Pulsar.", "61%", "41%"),
    (QUEUES, "Kafka is {} faster than RocketMQ in throughput.", "2.5x", "2.1x"),
    (QUEUES, "The P99 of NATS is {} lower than that of Kafka.", "34%", "24%"),
    (QUEUES, "RocketMQ is {} cheaper than Kafka.", "33%", "23%"),
    (BODIES, "Java is {} slower than Rust.", "1.47x", "1.74x"),
    (HEAPS, "mimalloc is {} times faster than glibc.", "1.86", "1.66"),
    (HEAPS, "tcmalloc is {} times as fast as glibc.", "1.8", "1.6"),
    # What is larger by 61 % is the other one.
    (HEAPS, "The time (s) of mimalloc is {} lower than that of glibc.", "66%", "40%"),
    (HEAPS, "mimalloc uses {} less memory than glibc.", "32%", "24%"),
    (QUEUES_ZH, "Kafka 的吞吐比 Pulsar 高 {} 倍。", "1.61", "1.41"),
    (QUEUES_ZH, "NATS JetStream 的 P99 延迟比 Kafka 低 {}。", "31%", "24%"),
]
MISPRINTS = [
    (RATES, "At a rate of 16 it still delivers {} tok/s, but nobody likes it.", "3,539", "3,359"),
    (RATES, "At an offered rate of 8 we see {} output tokens.", "2,946", "2,496"),
    (RATES, "With rate=4 it is {} tok/s.", "1,747", "1,774"),
    (RATES, "Rate 16 gives {} tok/s although it could be more.", "3,395", "3,359"),
    (RATES, "At a rate of 16 the TTFT is {} ms, which is bad.", "1,817", "1,187"),
    (HEAPS, "glibc manages {} ops/s with its many arenas.", "67,341", "67,431"),
    (HEAPS, "mimalloc has {} ops/s in the end.", "112,323", "112,233"),
    (HEAPS, "With jemalloc the peak is {} MiB, which is not bad.", "1,046", "1,406"),
    (HEAPS, "tcmalloc would do {} ops/s.", "107,785", "107,875"),
    (HEAPS, "We saw {} MiB with mimalloc in spite of its pages.", "1,735", "1,375"),
    (BODIES, "Java gets {} QPS after its warm-up.", "492,070", "492,700"),
    (BODIES, "Rust gets {} QPS if you ask nicely.", "689,100", "698,100"),
    (BODIES, "Zig gets {} QPS without any tuning.", "6,559,900", "655,900"),
    (BODIES, "Go 1.22 gets {} QPS, others more.", "583,800", "588,300"),
    (BODIES, "C 17 gets {} QPS, as expected.", "721,400", "712,400"),
]


def find(table: str, sentence: str) -> list[str]:
    found = check(Source("report.md", f"{table}\n{sentence}\n"))
    claims = [one for one in found if one.code in ("MB404", "MB000")]
    assert all(one.severity is Severity.WARNING for one in claims)
    return [one.message for one in claims]


@pytest.mark.parametrize(
    ("table", "text", "wrong", "right"), COUNTS + BESTS + COMPARISONS + MISPRINTS
)
def test_a_claim_is_wrong_or_right(table: str, text: str, wrong: str, right: str) -> None:
    assert len(find(table, text.format(wrong))) == 1
    assert find(table, text.format(right)) == []


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (BODIES, "At least two programs exceed 600k QPS."),
        (BODIES, "The first two programs exceed 600k QPS."),
        (BODIES, "The other two programs exceed 600k QPS."),
        (BODIES, "Two programs finish in under 3 seconds on ARM."),
        (BODIES, "Two compiled programs finish in under 3 seconds."),
        (BODIES, "Nine programs exceed 600k QPS."),
        (BODIES, "Two runs of Zig take more than 3 s."),
        (CHANGES, "Three of the seven changes lower the loss."),
        (CHANGES, "Three of the five changes lower the cost."),
        (SHAPES, "We beat MKL on three of the six shapes."),
        (QUEUES, "RocketMQ has the lowest latency on ARM."),
        (QUEUES, "RocketMQ has the lowest latency of the Java queues."),
        (QUEUES, "RocketMQ has the lowest latency, if the queue is empty."),
        (QUEUES_ZH, "在 ARM 上吞吐最高的是 Pulsar。"),
        (QUEUES_ZH, "小消息吞吐最高的是 Pulsar。"),
        (QUEUES_ZH, "理论吞吐最高的是 Pulsar。"),
        (DISKS, "The maximum of metadata is reached with 16 nodes."),
        (FORMATS, "int4 is 1.9x faster than FP16."),
        (FORMATS, "AWQ is 1.63x faster than FP16 with 64 users."),
        (FORMATS, "With 64 users, AWQ is 1.63x faster than FP16 and needs less memory."),
        (FORMATS, "AWQ is 53% faster than FP16."),
        (FORMATS, "AWQ is 35% faster than FP16."),
        (FORMATS, "AWQ needs 3.45x less memory than FP16."),
        (HEAPS, "mimalloc is 40% faster than glibc."),
        (HEAPS, "mimalloc is 6% faster than malloc."),
        (RATES, "At a rate of 16 it delivers 2,936 tok/s."),
        (RATES, "At a rate of 8 it delivers 3,539 tok/s."),
        (RATES, "At a rate of 12 it delivers 3,539 tok/s."),
        (RATES, "At a rate of 16 it delivers about 3,539 tok/s."),
        (RATES, "At a rate of 16 it delivers 3,459 tok/s."),
    ],
)
def test_a_sentence_that_may_be_about_something_else(table: str, sentence: str) -> None:
    assert find(table, sentence) == []
