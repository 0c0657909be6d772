"""Wrong numbers where the words or units of headers, or the text, say what is computed."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.linting.fixer import fix
from mdbench.rules.findings import Safety
from mdbench.source import Source

MISTAKES = [
    pytest.param(
        """
        | nodes | ranks | time [s] | speedup | ideal | efficiency |
        |------:|------:|---------:|--------:|------:|-----------:|
        |     1 |    64 |   1892.4 |    1.00 |     1 |    100.0 % |
        |     2 |   128 |    958.7 |    1.97 |     2 |     98.7 % |
        |     4 |   256 |    489.9 |    3.86 |     4 |     96.6 % |
        |     8 |   512 |    254.6 |    7.43 |     8 |     92.9 % |
        |    16 |  1024 |    137.2 |   13.79 |    16 |   «87.3 %» |
        |    32 |  2048 |     80.3 |   23.57 |    32 |     73.6 % |
        """,
        "86.2 %",
        id="an efficiency by the nodes, beside ranks and a rounded ideal",
    ),
    pytest.param(
        """
        | File   |     Bytes |      KiB |
        |--------|----------:|---------:|
        | a.json |   631,515 |    616.7 |
        | b.json | 1,727,204 |   1686.7 |
        | c.json | 2,251,051 |   2198.3 |
        | d.json | 3,327,831 | «3327.8» |
        | e.json |   150,124 |    146.6 |
        """,
        "3249.8",
        id="one size under two headers that are units",
    ),
    pytest.param(
        """
        | System | firmware | loader | kernel | initrd | total     |
        |--------|---------:|-------:|-------:|-------:|----------:|
        | a      |    5.912 |  3.204 |  1.871 |      - |    10.987 |
        | b      |    5.934 |  1.402 |  1.290 |  2.877 |    11.503 |
        | c      |    5.907 |  2.118 |  1.402 |      - | «12.741»  |
        | d      |    5.921 |  0.311 |  0.988 |  1.204 |     8.424 |
        | e      |    5.915 |  0.104 |  0.641 |      - |     6.660 |
        """,
        "9.427",
        id="a total of columns of which one has dashes",
    ),
    pytest.param(
        """
        | Name (time in us) | Min    | Mean     | Median | OPS (Kops/s) | Rounds |
        |-------------------|-------:|---------:|-------:|-------------:|-------:|
        | a                 |  11.91 |  12.7316 |  12.40 |      78.5447 |  61240 |
        | b                 |  19.27 |  20.8842 |  20.41 |      47.8831 |  41006 |
        | c                 |  23.84 |  25.5190 |  24.62 |      39.1865 |  30411 |
        | d                 |  84.10 |  90.2271 |  88.02 |   «17.0831» |   9876 |
        | e                 | 120.66 | 134.5903 | 133.70 |       7.4300 |    702 |
        """,
        "11.0831",
        id="operations a second beside the times that the corner speaks of",
    ),
    pytest.param(
        """
        | Entity   |     P |     R |      F1 |
        |----------|------:|------:|--------:|
        | problem  | 91.42 | 89.75 |   90.58 |
        | drug     | 90.11 | 88.02 |   89.05 |
        | test     | 92.86 | 91.30 | «93.07» |
        | dosage   | 95.20 | 96.77 |   95.98 |
        | duration | 81.65 | 76.39 |   78.93 |
        """,
        "92.07",
        id="an F1 score of P and R",
    ),
    pytest.param(
        """
        | method  |    GB |     s |   GB/s |
        |---------|------:|------:|-------:|
        | one     | 182.3 | 291.4 |   0.63 |
        | sharded | 182.3 |  38.7 |   4.71 |
        | direct  | 182.3 |  31.9 |   5.71 |
        | striped | 182.3 |  19.6 | «0.93» |
        """,
        "9.30",
        id="a rate whose unit is that of its neighbours",
    ),
    pytest.param(
        """
        | kind | vCPU | max rps | rps/vCPU |
        |------|-----:|--------:|---------:|
        | a    |    4 |  14,270 |  «1,784» |
        | b    |    4 |  13,820 |    3,455 |
        | c    |    4 |  13,040 |    3,260 |
        | d    |    8 |  33,390 |    4,174 |
        | e    |    2 |   8,111 |    4,056 |
        """,
        "3,568",
        id="a header that is made of two others",
    ),
    pytest.param(
        """
        | users | requests | errors | err %     |
        |------:|---------:|-------:|----------:|
        |    50 |   28,740 |     12 |    0.042% |
        |   100 |   57,180 |    303 |    0.530% |
        |   200 |  111,960 |  1,941 | «0.0173%» |
        |   400 |  180,720 |  2,893 |    1.601% |
        |   800 |  190,111 |  7,103 |    3.736% |
        """,
        "1.7337%",
        id="a share of what it is called after",
    ),
    pytest.param(
        """
        | run | change   |   loss |         Δ |   ppl |
        |-----|----------|-------:|----------:|------:|
        | 00  | baseline | 3.2140 |         — | 24.88 |
        | 01  | a        | 3.1873 |   -0.0267 | 24.23 |
        | 02  | b        | 3.2151 |   +0.0011 | 24.91 |
        | 03  | c        | 3.2029 |   -0.0111 | 24.60 |
        | 04  | d        | 3.2318 | «-0.0178» | 25.33 |
        | 05  | e        | 3.1402 |   -0.0738 | 23.11 |
        """,
        "+0.0178",
        id="a difference of losses, beside a column of nearly the same changes",
    ),
    pytest.param(
        """
        The file of the second benchmark has 2,251,051 B, that of the first 631,515 B.

        | parser |    ms |    MB/s |
        |--------|------:|--------:|
        | a      | 4.176 |     539 |
        | b      | 8.224 |     274 |
        | c      | 3.850 |     585 |
        | d      | 3.419 |     658 |
        | e      | 5.232 | «340.2» |
        """,
        "430.2",
        id="a size in bytes that the text states",
    ),
    pytest.param(
        """
        | Modell | Vorher (s) | Nachher (s) | Speedup |
        |--------|-----------:|------------:|--------:|
        | a      |      12,10 |        4,05 |    2,99 |
        | b      |       9,31 |        4,21 |    2,21 |
        | c      |       7,77 |        3,02 |  «2,75» |
        | d      |      21,40 |        8,90 |    2,40 |
        | e      |      30,60 |        4,10 |    7,46 |
        """,
        "2,57",
        id="a number with a decimal comma",
    ),
    pytest.param(
        """
        |              | cold build | warm build | cold vs webpack |
        |--------------|-----------:|-----------:|----------------:|
        | webpack      |       68.3 |       21.7 |            1.0× |
        | webpack, swc |       35.5 |       14.7 |          «1.5×» |
        | rspack       |        7.1 |        5.9 |            9.6× |
        | vite         |       24.8 |       24.0 |            2.8× |
        | esbuild      |        1.2 |        1.2 |           56.9× |
        | parcel       |       29.1 |        3.4 |            2.3× |
        """,
        "1.9×",
        id="a header that says which numbers are compared with which row",
    ),
    pytest.param(
        """
        | library | enc (ns) | bytes | size vs ours |
        |---------|---------:|------:|-------------:|
        | ours    |      414 | 1,184 |         1.00 |
        | a       |    1,040 | 1,391 |         1.17 |
        | b       |    1,275 | 2,208 |         1.86 |
        | c       |      603 | 2,352 |         1.99 |
        | d       |      951 | 1,896 |         1.60 |
        | e       |    3,063 | 4,327 |       «0.27» |
        """,
        "3.65",
        id="a comparison of sizes",
    ),
    pytest.param(
        """
        | run | records/s |  MB/s |
        |-----|----------:|------:|
        | a   |   413,136 |  82.6 |
        | b   |   653,272 | 130.7 |
        | c   |   723,966 | 144.8 |
        | d   | 1,106,990 | 221.4 |
        | e   |   973,198 | 194.6 |
        | f   | 1,424,425 | 284.9 |
        | g   | 1,204,881 | 241.0 |

        Then as many as can be read:

        | run | records/s |  MB/s |
        |-----|----------:|------:|
        | one |   597,991 | 119.6 |
        | two |   887,229 | «277.4» |
        | six |   945,596 | 189.1 |
        | all |   797,942 | 159.6 |
        """,
        "177.4",
        id="a constant that another table has too",
    ),
    pytest.param(
        """
        | library | enc (ns) | dec (ns) | enc+dec | kmsg/s |
        |---------|---------:|---------:|--------:|-------:|
        | ours    |      414 |      384 |     798 |  1,253 |
        | a       |    1,040 |    1,395 |   2,435 |    411 |
        | b       |      879 |      911 |   1,790 |    559 |
        | c       |      951 |    2,108 | «2,059» |    327 |
        | d       |    3,063 |    4,439 |   7,502 |    133 |
        """,
        "3,059",
        id="a header that adds two others",
    ),
    pytest.param(
        """
        | tool   |    min | min+gzip | gzip/min |
        |--------|-------:|---------:|---------:|
        | a      | 1412.6 |    396.9 |   28.1 % |
        | b      | 1388.1 |    387.3 |   27.9 % |
        | c      | 1451.0 |    415.0 |   28.6 % |
        | d      | 1420.3 |   «40.2» |   28.3 % |
        | e      | 1463.8 |    421.6 |   28.8 % |
        """,
        "401.9",
        id="a share whose header is made of two others",
    ),
    pytest.param(
        """
        | variant | GB solved | passed  | pass % |
        |---------|----------:|--------:|-------:|
        | a       |      13.5 | 129/164 |   78.7 |
        | b       |       7.2 | 121/164 |   73.8 |
        | c       |       3.9 | 126/164 | «78.6» |
        | d       |       3.9 | 125/164 |   76.2 |
        | e       |       3.7 | 119/164 |   72.6 |
        """,
        "76.8",
        id="a part and its whole in a cell",
    ),
    pytest.param(
        """
        | what      | bytes |       GiB | GiB/GPU |
        |-----------|------:|----------:|--------:|
        | weights   |     2 |     12.55 |    1.57 |
        | gradients |     2 | «13.48» |    1.57 |
        | copy      |     4 |     25.10 |    3.14 |
        | m         |     4 |     25.10 |    3.14 |
        | v         |     4 |     25.10 |    3.14 |
        | total     |    16 |    100.40 |   12.55 |
        """,
        "12.55",
        id="a part of a total, beside a column with the same shares",
    ),
    pytest.param(
        """
        | board | load W | time s | Wh / build | builds / h |
        |-------|-------:|-------:|-----------:|-----------:|
        | a     |    6.5 |  3,364 |     «5.21» |       1.07 |
        | b     |    9.9 |  1,290 |       3.55 |       2.79 |
        | c     |   12.1 |    898 |       3.02 |       4.01 |
        | d     |   11.0 |    944 |       2.88 |       3.81 |
        | e     |    5.5 |  6,088 |       9.30 |       0.59 |
        | f     |   21.7 |    608 |       3.66 |       5.92 |
        """,
        "6.07",
        id="an energy beside rates that are computed from the same time",
    ),
    pytest.param(
        """
        | provider | n  | €/GPU·h | duration (h) | GPU·h | cost (€) |
        |----------|---:|--------:|-------------:|------:|---------:|
        | a        |  8 |    3.29 |         8.03 |  64.2 |    211.2 |
        | b        |  8 |    1.79 |        17.06 | 136.5 |    244.3 |
        | c        |  4 |    2.45 |        21.58 |  86.3 |    211.4 |
        | d        | 16 |    2.99 |       «8.14» |  65.1 |    194.6 |
        | e        |  8 |    1.29 |        19.65 | 157.2 |    202.8 |
        """,
        "4.07",
        id="hours of devices, beside hours and a count without a name",
    ),
]


@pytest.mark.parametrize(("marked", "right"), MISTAKES)
def test_a_wrong_number_is_found_and_fixed(marked: str, right: str) -> None:
    lines = [line.strip() for line in marked.replace("«", "").replace("»", "").splitlines()]
    text = "\n".join(lines)
    (finding,) = [one for one in mdbench.lint(text) if one.code.startswith("MB3")]
    assert f" should be {right}" in finding.message
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    before, after = marked[: marked.index("«")], marked[marked.index("»") + 1 :]
    assert fixed.split() == f"{before}{right}{after}".split()


SOUND = [
    pytest.param(
        """
        | Model | batch | latency ms |  FPS |
        |-------|------:|-----------:|-----:|
        | a     |     1 |       9.41 |  106 |
        | a     |     1 |       4.62 |  216 |
        | a     |     1 |       3.38 |  296 |
        | a     |     8 |       19.9 |  402 |
        | b     |     1 |       19.8 | 50.5 |
        | b     |     1 |       8.55 |  117 |
        | b     |     8 |       34.6 |  231 |
        """,
        id="images a second of several images at once",
    ),
    pytest.param(
        """
        | GPU | batch | 20 steps | img/min |
        |-----|------:|---------:|--------:|
        | a   |     1 |   0.51 s |   117.6 |
        | b   |     1 |   0.50 s |   120.0 |
        | b   |     8 |   2.94 s |   163.3 |
        | c   |     1 |   0.94 s |    63.8 |
        | d   |     1 |   2.01 s |    29.9 |
        | d   |     4 |   8.63 s |    27.8 |
        | e   |     1 |   1.02 s |    58.8 |
        | f   |     1 |   1.88 s |    31.9 |
        """,
        id="images a minute of several images at once",
    ),
    pytest.param(
        """
        | rate | req/s | duration (s) |
        |-----:|------:|-------------:|
        |    1 |  0.99 |       1013.1 |
        |    2 |  1.97 |        508.1 |
        |    4 |  3.89 |        256.8 |
        |    8 |  7.53 |        132.8 |
        |   16 | 11.87 |         84.2 |
        """,
        id="a rate that is offered, and cannot be held in the end",
    ),
    pytest.param(
        """
        | source |  lat avg | IOPS  | QD |
        |--------|---------:|------:|---:|
        | a      |     78.7 | 12.7k |  1 |
        | a      |    329.0 | 97.3k | 32 |
        | b      | 14.68 ms |   545 |  8 |
        | b      | 16.05 ms |   499 |  8 |
        """,
        id="numbers without a unit beside others that carry one",
    ),
    pytest.param(
        """
        | server | req/s   | avg ms | p50  |
        |--------|--------:|-------:|-----:|
        | a      | 332,661 |   0.20 | 0.17 |
        | b      | 365,983 |   0.18 | 0.15 |
        | c      | 323,557 |   0.20 | 0.18 |
        | d      | 152,441 |   0.42 | 0.39 |
        | e      | 100,628 |   0.66 | 0.61 |
        | f      | 294,628 |   0.23 | 0.21 |
        | g      |  49,731 |   1.36 | 1.23 |
        """,
        id="rates and mean times of requests",
    ),
    pytest.param(
        """
        | clock | time (s) | power (W) | energy (J) |
        |------:|---------:|----------:|-----------:|
        |  1100 |     92.1 |     160.8 |      14821 |
        |  1200 |    102.1 |     109.9 |      11221 |
        |  1500 |     97.5 |     112.3 |      10949 |
        |  1800 |    102.0 |     114.0 |      11628 |
        |  2100 |     95.6 |     117.8 |      11222 |
        |  2500 |     93.3 |     128.8 |      12017 |
        """,
        id="a power, a time and an energy that were all measured",
    ),
]


@pytest.mark.parametrize("table", SOUND)
def test_what_is_sound_is_not_blamed(table: str) -> None:
    text = "\n".join(line.strip() for line in table.splitlines())
    assert [one.message for one in mdbench.lint(text) if one.code.startswith("MB3")] == []


def test_ratios_to_the_baseline_of_each_group_are_not_those_of_the_first_group() -> None:
    text = """
    | Method | Runtime |   Rows |      Mean |    Error | Ratio |
    |--------|---------|-------:|----------:|---------:|------:|
    | Old    | 6.0     |    100 |   61.6 μs |  1.05 μs |  1.00 |
    | New    | 6.0     |    100 |   31.6 μs |  1.05 μs |  0.51 |
    | Pooled | 6.0     |    100 |   29.1 μs |  1.05 μs |  0.47 |
    | Old    | 6.0     | 10,000 | 6208.3 μs |  1.05 μs |  1.00 |
    | New    | 6.0     | 10,000 | 3003.4 μs |  1.05 μs |  0.48 |
    | Pooled | 6.0     | 10,000 | 2799.9 μs |  1.05 μs |  0.45 |
    | Old    | 8.0     |    100 |   44.4 μs |  1.05 μs |  1.00 |
    | New    | 8.0     |    100 |   22.1 μs |  1.05 μs |  0.36 |
    | Pooled | 8.0     |    100 |   20.3 μs |  1.05 μs |  0.46 |
    | Old    | 8.0     | 10,000 | 4488.0 μs |  1.05 μs |  1.00 |
    | New    | 8.0     | 10,000 | 2101.7 μs |  1.05 μs |  0.47 |
    | Pooled | 8.0     | 10,000 | 1957.8 μs |  1.05 μs |  0.44 |
    """
    found = mdbench.lint("\n".join(line.strip() for line in text.splitlines()))
    assert [one.message.partition(" should")[0] for one in found] == ["Ratio 0.36"]
