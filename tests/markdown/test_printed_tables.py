"""Tables and listings in code fences that have neither pipes nor strokes."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from mdbench.markdown.document import Table
from mdbench.markdown.parser import parse_document
from mdbench.source import Source


def read(content: str) -> list[Table]:
    text = f"```\n{content}\n```\n"
    tables = parse_document(Source("report.md", text)).tables
    for table in tables:
        for row in (table.header, *table.rows):
            assert all(text[slice(*cell.span)] == cell.raw for cell in row.cells)
    return list(tables)


def count_calls(content: str) -> int:
    """How many functions are called to read a fence: unlike the time, no other program matters."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    source = Source("report.md", f"```\n{content}\n```\n")
    sys.setprofile(count)
    try:
        parse_document(source)
    finally:
        sys.setprofile(None)
    return calls


def raws(table: Table) -> list[list[str]]:
    return [[cell.raw for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize(
    ("content", "titles", "rows"),
    [
        pytest.param(
            "Size   Time (ms)\n1 KiB        2.1\n64 KiB      40.0",
            ("Size", "Time (ms)"),
            [["1 KiB", "2.1"], ["64 KiB", "40.0"]],
            id="two columns",
        ),
        pytest.param(
            "------------\nName    Time\n------------\nfirst  12 ns\nsecond  8 ns\n------------",
            ("Name", "Time"),
            [["first", "12 ns"], ["second", "8 ns"]],
            id="rules of one piece",
        ),
        pytest.param(
            "name      t\n----  -----\na      1.50\nb     20.25",
            ("name", "t"),
            [["a", "1.50"], ["b", "20.25"]],
            id="a rule for each column",
        ),
        pytest.param(
            "          old   new\nparse    10.1   9.2\nrender    8.0   7.5",
            ("", "old", "new"),
            [["parse", "10.1", "9.2"], ["render", "8.0", "7.5"]],
            id="no title above the names",
        ),
        pytest.param(
            "Stat   Avg      Max\nLat    4.9ms 264.3ms\nReq    5.7k   13.9k",
            ("Stat", "Avg", "Max"),
            [["Lat", "4.9ms", "264.3ms"], ["Req", "5.7k", "13.9k"]],
            id="one blank between wide numbers",
        ),
        pytest.param(
            "Name    Min             Max\na       1.5 (1.0)     20.00 (1.0)\n"
            "b      15.0 (10.0)   200.00 (10.0)",
            ("Name", "Min", "Max"),
            [["a", "1.5 (1.0)", "20.00 (1.0)"], ["b", "15.0 (10.0)", "200.00 (10.0)"]],
            id="brackets belong to the number before them",
        ),
        pytest.param(
            "Case     Score   Error  Units\na       12.345 ± 0.678  ns/op\n"
            "b      987.654 ± 1.345  ns/op",
            ("Case", "Score", "Error", "Units"),
            [["a", "12.345", "0.678", "ns/op"], ["b", "987.654", "1.345", "ns/op"]],
            id="a sign between two columns",
        ),
        pytest.param(
            "Name   Time   Speed\na      1.5 s     10\nb      2.5 s",
            ("Name", "Time", "Speed"),
            [["a", "1.5 s", "10"], ["b", "2.5 s", ""]],
            id="a blank cell",
        ),
        pytest.param(
            "#              in        out\n#  size   time  rate   time  rate\n"
            "#   (B)   (us)         (us)\n"
            "      8   1.25  6.40   1.50  5.33\n     16   2.25  7.11   2.50  6.40",
            ("size (B)", "in time (us)", "in rate", "out time (us)", "out rate"),
            [["8", "1.25", "6.40", "1.50", "5.33"], ["16", "2.25", "7.11", "2.50", "6.40"]],
            id="header lines with a comment mark, and groups",
        ),
        pytest.param(
            "     │    old    │          new           │\n"
            "     │  sec/op   │  sec/op   vs base      │\n"
            "a-8    1.5µ ± 1%   1.2µ ± 1%  -20.00% (n=9)\n"
            "b-8    3.0µ ± 0%   3.1µ ± 2%        ~ (n=9)",
            ("", "old sec/op", "new sec/op", "new vs base"),
            [
                ["a-8", "1.5µ ± 1%", "1.2µ ± 1%", "-20.00% (n=9)"],
                ["b-8", "3.0µ ± 0%", "3.1µ ± 2%", "~ (n=9)"],
            ],
            id="strokes in the header only",
        ),
        pytest.param(
            "latency summary (msec):\n      avg       min       p99\n    0.455     0.064     2.007",
            (
                "latency summary (msec) avg",
                "latency summary (msec) min",
                "latency summary (msec) p99",
            ),
            [["0.455", "0.064", "2.007"]],
            id="one row whose numbers end where the titles end, and a caption",
        ),
        pytest.param(
            "group   after           base\n-----   -----           ----\n"
            "copy    1.11   26.2ns   1.00   23.6ns\nfib     1.01    2.1ns   1.00    2.1ns",
            ("group", "after", "after", "base", "base"),
            [
                ["copy", "1.11", "26.2ns", "1.00", "23.6ns"],
                ["fib", "1.01", "2.1ns", "1.00", "2.1ns"],
            ],
            id="titles above as many columns each",
        ),
    ],
)
def test_an_aligned_table_is_read(
    content: str, titles: tuple[str, ...], rows: list[list[str]]
) -> None:
    (table,) = read(content)
    assert (table.kind.value, table.titles, raws(table)) == ("fence", titles, rows)
    assert not table.is_editable


def test_a_row_under_two_titles_is_skipped() -> None:
    rows = "\n".join(f"case {at}   1{at}.5 ms   2{at}.5 ms" for at in range(4))
    (table,) = read(
        f"Name     Read      Write\n{rows}\n"
        "bad      crashed-at-once   9\ncase 9   19.5 ms   29.5 ms"
    )
    assert [row[0] for row in raws(table)] == ["case 0", "case 1", "case 2", "case 3", "case 9"]


@pytest.mark.parametrize(
    ("content", "titles", "rows"),
    [
        pytest.param(
            "Requests/sec:  11271.84\nTransfer/sec:      1.44MB",
            ("Metric", "Value"),
            [["Requests/sec", "11271.84"], ["Transfer/sec", "1.44MB"]],
            id="rates",
        ),
        pytest.param(
            "Total:     58.41 s\n-----Time to First Token-----\nMean latency (ms):   22.80\n\n"
            "Latency:\n  max  : 5.0",
            ("Metric", "Value"),
            [["Total", "58.41 s"], ["Mean latency (ms)", "22.80"], ["max", "5.0"]],
            id="titles and blank lines between the values",
        ),
        pytest.param(
            "number of clients: 4\nlatency average = 6.497 ms\n"
            "tps = 615.7 (without connection time)",
            ("Metric", "Value"),
            [
                ["number of clients", "4"],
                ["latency average", "6.497 ms"],
                ["tps", "615.7 (without connection time)"],
            ],
            id="equals signs",
        ),
        pytest.param(
            "req_time......: avg=1.73ms min=105.7µs p(90)=2.95ms\n"
            "iter_time.....: avg=52.61ms min=50.26ms p(90)=54.43ms",
            ("", "avg", "min", "p(90)"),
            [
                ["req_time", "1.73ms", "105.7µs", "2.95ms"],
                ["iter_time", "52.61ms", "50.26ms", "54.43ms"],
            ],
            id="named statistics",
        ),
        pytest.param(
            "  read: IOPS=9984, BW=39.0MiB/s (40.9MB/s)(195MiB/5001msec)",
            ("", "IOPS", "BW", "Total data", "Total time"),
            [["read", "9984", "39.0MiB/s", "195MiB", "5001msec"]],
            id="named rates",
        ),
        pytest.param(
            "reqs......: 1140   189.837/s\n  ✓ status is 200\n  HTTP\nsent......: 80 kB  13 kB/s",
            ("Metric", "Value"),
            [["reqs", "1140"], ["reqs", "189.837"], ["sent", "80 kB"], ["sent", "13 kB/s"]],
            id="totals with their rates",
        ),
        pytest.param(
            "  50000 requests completed in 1.75 seconds\n  20 parallel clients\n\nSummary:\n"
            "  throughput summary: 28636.88 requests per second",
            ("Metric", "Value"),
            [["requests", "50000"], ["in", "1.75 seconds"], ["requests per second", "28636.88"]],
            id="requests and further down their rate",
        ),
        pytest.param(
            "sort a        598.64 ns/iter 653.18 ns  ▃█▅\n"
            "      (476.22 ns … 1.18 µs) 735.85 ns  █▆▃\n"
            "      (  2.05 kb …  2.33 kb)  2.30 kb  ▆██\n\n"
            "sort b          1.20 µs/iter   1.24 µs  ▃█▅\n"
            "        (1.02 µs … 1.63 µs)   1.59 µs  █▆▃\n\n"
            "summary\n  sort a\n   2x faster than sort b",
            ("benchmark", "avg", "p75", "min", "max", "p99", "relative"),
            [
                ["sort a", "598.64 ns/iter", "653.18 ns", "476.22 ns", "1.18 µs", "735.85 ns", ""],
                ["sort b", "1.20 µs/iter", "1.24 µs", "1.02 µs", "1.63 µs", "1.59 µs", "2x"],
            ],
            id="benchmarks of several lines and their summary",
        ),
        pytest.param(
            "pkg: x\nBenchmarkA-2 \t 100\t 26.5 ns/op\t 8 B/op\n"
            "BenchmarkB-2 \t 50\t 64 ns/op\t 10.5 MB/s\t 0 B/op\nPASS",
            ("Benchmark", "Iterations", "ns/op", "B/op", "MB/s"),
            [
                ["BenchmarkA-2", "100", "26.5 ns/op", "8 B/op", ""],
                ["BenchmarkB-2", "50", "64 ns/op", "0 B/op", "10.5 MB/s"],
            ],
            id="values with their units",
        ),
        pytest.param(
            "a x b x 45,282 ops/sec ±3.83% (85 runs sampled)",
            ("Benchmark", "ops/sec", "runs sampled"),
            [["a x b", "45,282 ops/sec ±3.83%", "85"]],
            id="operations",
        ),
        pytest.param(
            "Benchmarking fib\nfib   time:   [1.2 ns 1.3 ns 1.4 ns]\nFound 2 outliers among 20\n"
            "a_function_with_a_long_name\n      time:   [2.2 ns 2.3 ns 2.4 ns]\n"
            "      thrpt:  [7.2 GiB/s 7.3 GiB/s 7.4 GiB/s]\n   change:\n"
            "      time:   [+1.0% +2.0% +3.0%] (p = 0.00 < 0.05)\n      Performance has regressed.",
            ("Benchmark", "time", "thrpt", "change time"),
            [
                ["fib", "[1.2 ns 1.3 ns 1.4 ns]", "", ""],
                [
                    "a_function_with_a_long_name",
                    "[2.2 ns 2.3 ns 2.4 ns]",
                    "[7.2 GiB/s 7.3 GiB/s 7.4 GiB/s]",
                    "[+1.0% +2.0% +3.0%]",
                ],
            ],
            id="intervals",
        ),
        pytest.param(
            "  Latency Distribution\n     50%    1.19ms\n     75%    3.38ms\n     99%  107.14ms",
            ("Percentile", "Latency Distribution"),
            [["50%", "1.19ms"], ["75%", "3.38ms"], ["99%", "107.14ms"]],
            id="percentiles",
        ),
    ],
)
def test_a_listing_is_read(content: str, titles: tuple[str, ...], rows: list[list[str]]) -> None:
    (table,) = read(content)
    assert (table.titles, raws(table)) == (titles, rows)
    assert not table.is_editable


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            "int a  = 5;   // the first\nint bc = 10;  // the second 2\nint d  = 7;   // 3",
            id="code",
        ),
        pytest.param("batch = 32\nlatency = 5.0\nthroughput = batch / latency", id="assignments"),
        pytest.param("def f(x):\n    latency: float = 1.0\n    return  2", id="annotations"),
        pytest.param(
            "optimizer:      adam\nlr:             0.001\nbatch:          32", id="settings"
        ),
        pytest.param(
            "nodes: 4\ngpus per node: 8\nglobal batch size: 512", id="settings without a gap"
        ),
        pytest.param('{\n  "latency": 5.2,\n  "throughput": 120\n}', id="JSON"),
        pytest.param(
            "total 48\ndrwxr-xr-x  2 user user 4096 Nov 17 22:31 docs\n"
            "-rw-r--r--  1 user user  368 Nov 17 22:31 a.md",
            id="a directory",
        ),
        pytest.param(
            "├── data     # 10 files\n│   └── a    # 2 GB\n└── src      # 30 files", id="a tree"
        ),
        pytest.param(
            "[12:00:01]  INFO   step  10  loss  2.31\n[12:00:02]  INFO   step  20  loss  2.11",
            id="a log",
        ),
        pytest.param(
            "step 10 throughput: 120.5\nstep 20 throughput: 121.0\nstep 30 throughput: 119.2",
            id="a log of rates",
        ),
        pytest.param(
            "epoch 1: loss=2.31, lr=0.001\nepoch 2: loss=2.11, lr=0.001", id="a log of pairs"
        ),
        pytest.param("  +--1--+   +--2--+\n  | CPU |---| GPU |\n  +-----+   +-----+", id="boxes"),
        pytest.param("   /\\_/\\\n  ( o.o )   1\n   > ^ <    2", id="a drawing"),
        pytest.param(
            "usage: bench [options]\n  -t, --threads N    number of threads (4)\n"
            "  -d, --duration S   10 seconds at least",
            id="usage",
        ),
        pytest.param(
            "GPU0   GPU1   CPU Affinity\nX      NV1    0-11,24-35\nNV1    X      12-23,36-47",
            id="lists of cores",
        ),
        pytest.param(
            "Name     Read   Write\na  12.5  13.5 ms apart  14\nb 1 2",
            id="columns that do not line up",
        ),
        pytest.param(
            "group   base\n-----   ----\na       1.00   26.2ns\nb       1.74   46.2ns",
            id="a column without a title",
        ),
        pytest.param("Name    Value\nalpha   1", id="one row of two columns"),
        pytest.param("@@ -1,3 +1,3 @@\n-  foo   10\n+  foo   12\n   bar   13", id="a diff"),
        pytest.param("0000000  7f45 4c46 0201\n0000010  0300 3e00 0100", id="a dump"),
        pytest.param(
            "50000 requests completed in 1.75 seconds\nnothing else", id="requests without a rate"
        ),
        pytest.param("sort   598.64 ns/iter 653.18 ns\nno interval", id="half a benchmark"),
        pytest.param("$ ls -l   # list\n$ nvidia-smi   -l 5\n$ sleep   10", id="commands"),
    ],
)
def test_other_text_is_not_a_table(content: str) -> None:
    assert read(content) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        *("key: value", "a   b", "x = 1", "Latency:", "a........", "a 1=", "50%  1ms", "k: a=1"),
        *("a..: 1  2/s", "1 requests completed in 1 seconds", "a  1 s/iter 2 s"),
        "a  1 s/iter 2 s\n  (1 s … 2 s) 3 s\nsummary\n  a\n   1x faster than a",
    ],
)
def test_the_work_grows_with_the_length_only(line: str) -> None:
    for joint in ("\n", ""):
        little, much = (count_calls(joint.join([line] * times)) for times in (250, 1000))
        assert much < 5 * little + 1000


def test_statistics_below_a_title_are_of_what_it_names() -> None:
    (table,) = read(
        "events per second:  3340.59\nLatency (ms):\n  min:  0.26\n  95th percentile: 4.33"
    )
    assert table.labels == (
        "events per second",
        "min Latency (ms)",
        "95th percentile Latency (ms)",
    )
