"""Wrong numbers in tables that say in their own way what is computed from what."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.linting.fixer import fix
from mdbench.rules.findings import Safety
from mdbench.source import Source

MISTAKES = [
    pytest.param(
        """
        | Host | run 1 | run 2 | run 3 | avg Mbit/s |
        |------|------:|------:|------:|-----------:|
        | a    |  37.8 |  36.1 |  38.9 |       37.6 |
        | b    |  45.3 |  46.6 |  44.0 |     «37.6» |
        | c    |   331 |   328 |   334 |      331.0 |
        | d    |   941 |   941 |   940 |      940.7 |
        | e    |   941 |   942 |   941 |      941.3 |
        """,
        "45.3",
        id="an average of runs whose headers have no unit",
    ),
    pytest.param(
        """
        | Model | P     | R     | F1    | Δ F1 vs Base |
        |-------|------:|------:|------:|-------------:|
        | Small | 84.10 | 80.33 | 82.17 |      «-6.86» |
        | Base  | 87.95 | 86.20 | 87.07 |            — |
        | Large | 89.71 | 88.36 | 89.02 |        +1.96 |
        | Huge  | 91.40 | 89.72 | 90.55 |        +3.49 |
        | Tiny  | 71.88 | 78.94 | 75.24 |       -11.82 |
        """,
        "-4.90",
        id="a difference of scores to a row without one",
    ),
    pytest.param(
        """
        | Model | top 1  | top 1 (INT8)     |
        |-------|-------:|-----------------:|
        | a     | 81.182 | 80.748 (-0.434)  |
        | b     | 83.214 | 82.904 («-0.288») |
        | c     | 83.424 | 83.070 (-0.354)  |
        | d     | 84.474 | 84.034 (-0.440)  |
        | e     | 86.246 | 85.892 (-0.354)  |
        | f     | 87.246 | 86.916 (-0.330)  |
        """,
        "-0.310",
        id="a difference behind what it is of",
    ),
    pytest.param(
        """
        | Nodes | Time [s] | Speed-up | MLUPS |
        |------:|---------:|---------:|------:|
        |     1 |   1892.4 |     1.00 |    71 |
        |     2 |    958.7 |     1.97 |   140 |
        |     4 |    489.9 |     3.86 |   274 |
        |     8 |  «245.6» |     7.43 |   527 |
        |    16 |    137.2 |    13.79 |   978 |
        |    32 |     80.3 |    23.57 |  1671 |
        """,
        "254.6",
        id="a time whose speed-up also follows from a rate",
    ),
    pytest.param(
        """
        | Chunk     | Old (kB) | New (kB) | Old gzip (kB) | New gzip (kB) |
        |-----------|---------:|---------:|--------------:|--------------:|
        | react     |   141.62 |   141.62 |         45.49 |         45.49 |
        | lodash    |    71.77 |    17.25 |         25.31 |          6.52 |
        | app       |   388.41 |   391.07 |        104.70 |        105.92 |
        | polyfills |    33.48 |        — |         11.75 |             — |
        | Total     |   635.28 | «583.42» |        187.25 |        157.93 |
        """,
        "549.94",
        id="a total of rows that lack numbers",
    ),
    pytest.param(
        """
        | Method | N    | Mean       | Error    | StdDev   | Ratio |
        |--------|-----:|-----------:|---------:|---------:|------:|
        | Plain  |  100 | 131.842 μs | 1.131 μs | 1.203 μs |  1.00 |
        | Fast   |  100 |  71.507 μs | 0.574 μs | 0.611 μs |  0.54 |
        | Faster |  100 |  58.314 μs | 0.378 μs | 0.402 μs |  0.44 |
        | Best   |  100 |  22.906 μs | 0.146 μs | 0.155 μs |  0.17 |
        | Plain  | 1000 | «1.349» μs | 1.402 μs | 1.492 μs |  1.00 |
        | Fast   | 1000 | 724.135 μs | 5.650 μs | 6.011 μs |  0.54 |
        | Faster | 1000 | 596.022 μs | 4.811 μs | 5.118 μs |  0.44 |
        | Best   | 1000 | 229.741 μs | 1.602 μs | 1.704 μs |  0.17 |
        """,
        "1349.000",
        id="a baseline in another unit, which all rows that are compared with it contradict",
    ),
    pytest.param(
        """
        Normalised by me (per string, and against `builder`):

        | variant | ns/string (n=10) | vs builder | ns/string (n=100) | vs builder |
        |---------|-----------------:|-----------:|------------------:|-----------:|
        | plus    |             3.81 |       0.91 |             22.12 |       5.51 |
        | builder |             4.19 |       1.00 |              4.01 |       1.00 |
        | sized   |             3.65 |       0.87 |              3.30 |       0.82 |
        | join    |             6.67 |     «1.75» |              5.88 |       1.47 |
        | format  |            61.24 |      14.61 |             60.36 |      15.04 |
        """,
        "1.59",
        id="ratios of columns with a unit that nobody knows, below a text that compares",
    ),
    pytest.param(
        """
        | # | Start        | End          | Duration |
        |---|--------------|--------------|---------:|
        | 1 | 04 Oct 02:11 | 04 Oct 02:38 |   27 min |
        | 2 | 13 Oct 17:50 | 13 Oct 19:02 |   72 min |
        | 3 | 27 Oct 08:05 | 27 Oct 08:19 |   14 min |
        |   |              | Total        | «103» min |
        """,
        "113",
        id="a total of a single column with a wrong digit",
    ),
    pytest.param(
        """
        | Item     | Cost  |
        |----------|------:|
        | Frontend | 12.31 |
        | Search   |  2.64 |
        | Mailer   | 31.56 |
        | Reports  |  0.50 |
        | Total    | «46.51» |
        """,
        "47.01",
        id="a total of a single column without its last row",
    ),
    pytest.param(
        """
        | Gateway | requests | failed | error rate | p50  |
        |---------|---------:|-------:|-----------:|-----:|
        | one     |  402,114 |  3,870 |    0.962 % | 44.1 |
        | two     |  599,871 |     61 |    0.010 % | 14.2 |
        | three   |  599,802 |    120 |    0.020 % | 12.3 |
        | four    |  511,990 |  1,044 |  «0.002 %» | 29.5 |
        | five    |  599,940 |     24 |    0.004 % |  9.1 |
        """,
        "0.204 %",
        id="a rate in per cent",
    ),
    pytest.param(
        """
        | Index | recall | mem GB | mem × |
        |-------|-------:|-------:|------:|
        | flat  |  1.000 |   30.7 |  1.00 |
        | hnsw  |  0.931 |   32.9 |  1.07 |
        | ivf   |  0.979 |   31.0 |  1.01 |
        | pq    |  0.996 |    1.2 |  0.04 |
        | disk  |  0.912 |    3.8 |  0.12 |
        | sq    |  0.974 |   11.8 | «2.60» |
        """,
        "0.38",
        id="how many times as much it is",
    ),
    pytest.param(
        """
        | Method | trained (M) | % of params | weights | gradients | activations | sum  | tok/s |
        |--------|------------:|------------:|--------:|----------:|------------:|-----:|------:|
        | full   |       8,030 |    100.00 % |   16.06 |     16.06 |         3.1 | 35.2 | 2,310 |
        | r=64   |       167.8 |      2.09 % |   16.06 |      6.34 |         3.4 | 25.8 | 3,480 |
        | r=16   |        41.9 |      0.52 % |   16.06 |      2.08 |         3.4 | 21.5 | 3,545 |
        | q+v    |         6.8 |      0.08 % |   16.06 |      1.01 |         3.2 | 20.3 | 3,890 |
        | 4 bit  |       167.8 |      2.09 % |    5.21 |      0.34 |         3.4 | «19.8» | 2,475 |
        """,
        "9.0",
        id="a sum of the columns since some others",
    ),
    pytest.param(
        """
        |                 | A     | B     | C       |
        |-----------------|------:|------:|--------:|
        | Installer (MB)  |  82.6 |   4.1 |     6.3 |
        | Installed (MB)  | 264.0 |   9.9 |    11.7 |
        | **Memory (MB)** |       |       |         |
        | – main process  |  61.4 |   9.8 |    14.9 |
        | – renderer      | 118.9 |  64.2 |    63.8 |
        | – GPU process   |  92.3 |  58.8 |    59.1 |
        | – total         | 272.6 | 132.8 | «173.8» |
        """,
        "137.8",
        id="a total of a group of rows",
    ),
    pytest.param(
        """
        | Proxy  | ops/s   | p50 (ms) | vs direct |
        |--------|--------:|---------:|----------:|
        | direct | 182,400 |     0.31 |     100 % |
        | one    | 141,300 |     0.44 |    77.5 % |
        | two    |  98,700 |     0.66 |    54.1 % |
        | three  | 150,900 |     0.41 |  «87.2 %» |
        | four   | 133,600 |     0.47 |    73.2 % |
        """,
        "82.7 %",
        id="digits that changed places across the decimal point",
    ),
]


@pytest.mark.parametrize(("marked", "right"), MISTAKES)
def test_a_wrong_number_is_found_and_fixed(marked: str, right: str) -> None:
    lines = [line.strip() for line in marked.replace("«", "").replace("»", "").splitlines()]
    text = "\n".join(lines)
    (finding,) = [one for one in mdbench.lint(text) if one.code.startswith("MB3")]
    assert f" should be {right}" in finding.message
    assert any(f" {right}" in one.title for one in finding.fixes)
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    before, after = marked[: marked.index("«")], marked[marked.index("»") + 1 :]
    assert fixed.split() == f"{before}{right}{after}".split()


@pytest.mark.parametrize("total", ["150", "95", "38"])
def test_a_lone_total_that_no_mistake_explains_is_something_else(total: str) -> None:
    rows = "".join(f"| {name} | {time} |\n" for name, time in (("a", 27), ("b", 72), ("c", 14)))
    assert mdbench.lint(f"| Step | Time |\n|---|---|\n{rows}| Total | {total} |\n") == ()
