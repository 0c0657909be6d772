"""The arithmetic that tables show by themselves, and the numbers that contradict it."""

from __future__ import annotations

import pytest

from benchmarks.chance import believed_by_chance, find_laws, mistakes_found, wrong_cells
from mdbench.diagnosis.arithmetic.misnamed import find_misnamed
from mdbench.linting.checker import check
from mdbench.linting.fixer import fix
from mdbench.rules.findings import Finding, Safety, Severity
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    columns = header.count("|") + 1
    lines = [header, " | ".join(["---"] * columns), *rows]
    return "".join(f"| {line} |\n" for line in lines)


def find(text: str) -> list[Finding]:
    return [one for one in check(Source("a.md", text)) if one.code.startswith("MB3")]


TIMES = "Threads | Wall | Speedup"
MISTAKES = [
    pytest.param(
        table(TIMES, "1 | 81.0 | 1.00", "2 | 41.2 | 1.97", "4 | 21.1 | 3.84", "8 | 11.3 | «7.71»"),
        "7.17",
        id="a speed-up to the first row",
    ),
    pytest.param(
        table(
            "Library | Old | New | Gain",
            *("a | 81.0 | 40.2 | 2.01x", "b | 92.4 | 33.0 | 2.80x", "c | 14.7 | 12.1 | 1.21x"),
            "d | 63.1 | 20.9 | «3.20x»",
        ),
        "3.02x",
        id="a ratio of two columns that nobody knows",
    ),
    pytest.param(
        table(
            "Command | Mean [s] | Min [s] | Max [s] | Relative",
            *("a | 1.204 | 1.190 | 1.220 | 1.00", "b | 2.411 | 2.390 | 2.440 | 2.00"),
            "c | 3.612 | 3.580 | 3.650 | «3.10»",
        ),
        "3.00",
        id="one of three commands of hyperfine",
    ),
    pytest.param(
        table(
            "Codec | Original (MB) | Compressed (MB) | Ratio",
            *("zstd | 211.9 | 66.5 | 3.19", "lz4 | 211.9 | 100.9 | 2.10"),
            *("gzip | 211.9 | 68.2 | 3.11", "brotli | 211.9 | 49.8 | «4.52»"),
        ),
        "4.26",
        id="a ratio to a column whose unit is known, and not what it measures",
    ),
    pytest.param(
        table(
            "Command | Mean [ms] | Relative",
            *("a | 120.4 | 1.93", "b | 62.4 | 1.00", "c | 311.0 | 4.98", "d | 75.9 | «2.11»"),
        ),
        "1.22",
        id="relative to the fastest",
    ),
    pytest.param(
        table(
            "Size | Model A | Model B",
            *("x | 12.1 | 31.7", "y | 14.4 | 29.0", "z | 19.9 | 44.5", "Total | 46.4 | «115.2»"),
        ),
        "105.2",
        id="a total below the rows",
    ),
    pytest.param(
        table(
            "Model | Easy | Hard | Odd | Average",
            *("a | 61.2 | 40.1 | 55.3 | 52.20", "b | 70.0 | 48.8 | 59.1 | 59.30"),
            *("c | 66.6 | 47.0 | 51.4 | 55.00", "d | 71.9 | 50.2 | 60.1 | «62.73»"),
        ),
        "60.73",
        id="a mean of the columns",
    ),
    pytest.param(
        table(
            "Run | Duration | Widgets",
            *("a | 8.23 | 121,507", "b | 7.16 | 139,665", "c | 5.91 | 169,205"),
            *("d | 6.31 | 158,479", "e | 7.40 | «153,135»"),
        ),
        "135,135",
        id="a rate by a constant that nobody states",
    ),
    pytest.param(
        table(
            "Asset | Before (KB) | After (KB) | Saved",
            *("a | 1036 | 134 | 87%", "b | 512 | 301 | 41%", "c | 240 | 60 | 75%"),
            "d | 800 | 200 | «57%»",
        ),
        "75%",
        id="what was saved",
    ),
    pytest.param(
        table(
            "Method | Time | Speedup",
            *("Plain | 1159 ms | 1x (baseline)", "Clever | ~800 ms | 1.4x", "Fast | ~15 ms | 77x"),
            "Ours | 4.2 ms | «230x»",
        ),
        "276x",
        id="compared with times that are only about right",
    ),
    pytest.param(
        table(
            "Model | Score | Easy | Hard | Odd | Long",
            *(
                "a | 62.15 | 61.2% | 70.1% | 55.3% | 62.0%",
                "b | 59.25 | 70.0% | 48.8% | 59.1% | 59.1%",
            ),
            *(
                "c | 54.00 | 66.6% | 47.0% | 51.4% | 51.0%",
                "d | «42.05» | 71.9% | 50.2% | 60.1% | 66.0%",
            ),
        ),
        "62.05",
        id="points without the per cent of what they are the mean of",
    ),
    pytest.param(
        table(
            "Run | Real | Rate",
            *("a | 337.82 | «2,955.00 hashes/s»", "b | 22.60 | 44,247.79 hashes/s"),
            *("c | 15.60 | 64,102.56 hashes/s", "d | 16.24 | 61,576.35 hashes/s"),
            "e | 14.63 | 68,352.70 hashes/s",
        ),
        "2,960.16 hashes/s",
        id="nearly right, where all others are exact",
    ),
    pytest.param(
        table(
            "Case | Old | New | Speedup",
            *("a | 81.0 | 40.2 | 2.01", "b | 92.4 | 33.0 | 2.80", "c | 14.7 | 12.1 | 1.21"),
            "d | 157 | 50.0 | «3.4»",
        ),
        "3.14",
        id="with the digits of its column",
    ),
    pytest.param(
        table(
            "Piece | Cost (min ns) | % of full",
            *(
                "a | 1230 | 44 %",
                "b | 1148 | 41 %",
                "c | 123 | 4 %",
                "Sum of pieces | 2501 | «92 %»",
            ),
        ),
        "89 %",
        id="a sum that another column confirms",
    ),
]


@pytest.mark.parametrize(("marked", "right"), MISTAKES)
def test_a_wrong_number_is_found_and_fixed(marked: str, right: str) -> None:
    typed = marked[marked.index("«") + 1 : marked.index("»")]
    text = marked.replace("«", "").replace("»", "")
    assert wrong_cells(text) == [typed]
    (finding,) = find(text)
    assert finding.message.partition(" should be ")[2].startswith(f"{right}: ")
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    assert fixed == right.join(text.rsplit(typed, 1))
    assert find(fixed) == []


def test_the_message_has_the_calculation_and_who_agrees() -> None:
    rows = "a | 81.0 s | 40.2 s | 2.01", "b | 92.4 s | 33.0 s | 2.80", "c | 14.7 s | 12.1 s | 1.21"
    (finding,) = find(table("Case | Old | New | Speedup", *rows, "d | 63.1 s | 20.9 s | 3.20"))
    assert finding.message == "Speedup 3.20 should be 3.02: 63.1 s / 20.9 s (3 other rows agree)"
    assert [one.label for one in finding.evidence] == ["Old 63.1 s", "New 20.9 s"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            table("Case | Best | Average", *(f"{a} | {a}.1 | {a}.4" for a in range(3, 9))),
            id="statistics that are near each other",
        ),
        pytest.param(
            table(
                "Nodes | GPUs | Batch",
                *("1 | 8 | 64", "2 | 16 | 128", "4 | 32 | 256", "8 | 64 | 256", "16 | 128 | 512"),
            ),
            id="powers of two",
        ),
        pytest.param(
            table(
                "Case | Old | New | Speedup",
                *("a | 10.0 | 5.0 | 2.0", "b | 30.0 | 10.0 | 5.1", "c | 12.0 | 4.0 | 6.6"),
                "d | 8.0 | 2.0 | 9.9",
            ),
            id="a speed-up of something else",
        ),
    ],
)
def test_nobody_is_blamed_by_chance(text: str) -> None:
    assert wrong_cells(text) == []


def test_columns_that_follow_from_what_the_other_names_are_swapped() -> None:
    rows = "1 | 10.0 | 20.0 | 1.00 | 1.00", "2 | 19.1 | 37.0 | 1.85 | 1.91"
    more = "4 | 36.0 | 69.8 | 3.49 | 3.60", "8 | 66.0 | 139.9 | 7.00 | 6.60"
    header = "GPUs | Rate FP32 | Rate FP16 | Scaling FP32 | Scaling FP16"
    (misnamed,) = find_misnamed(find_laws(table(header, *rows, *more)))
    assert "Scaling FP32 and Scaling FP16 are swapped" in misnamed.message


def test_a_table_that_disagrees_with_its_sisters_is_one_mistake() -> None:
    header = "Case | Old | New | Speedup"
    sound = [
        table(header, *(f"c{a} | {(a + k) * a}.0 | {a}.0 | {a + k:.2f}" for a in range(3, 7)))
        for k in (2, 3, 5)
    ]
    stale = table(
        header, "x | 40.0 | 11.0 | 2.22", "y | 50.0 | 12.0 | 3.33", "z | 61.0 | 14.0 | 1.9"
    )
    (finding,) = find("\n\n".join((*sound, stale)))
    assert "in none of the 3 rows of this table" in finding.message


SCORES = (
    (73.7, 56.58, 60.29, 79.71),
    (74.07, 56.84, 59.43, 80.42),
    (73.83, 58.33, 58.96, 80.29),
    (70.5, 56.24, 57.85, 81.25),
    (75.6, 59.46, 62.89, 83.14),
    (69.96, 57.36, 59.5, 81.13),
    (72.24, 55.16, 55.31, 68.38),
    (69.92, 53.35, 48.71, 70.61),
)


def averages(*wrong: float) -> str:
    """A table of scores whose first averages are off by some percentages."""
    off = [*wrong, *([0.0] * (len(SCORES) - len(wrong)))]
    rows = (
        f"m{at} | {sum(row) / 4 * (1 + more / 100):.2f} | {' | '.join(map(str, row))}"
        for at, (row, more) in enumerate(zip(SCORES, off, strict=True))
    )
    return table("Model | Average | Task A | Task B | Task C | Task D", *rows)


def test_means_that_few_rows_follow_and_all_others_come_near_to_are_stale() -> None:
    text = averages(1.3, -2.1, 0.9, 3.0, 1.6)
    (finding,) = find(text)
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "Average follows from the other numbers in 3 rows, but not in 5: 68.45 should be 67.57, "
        "the mean of 73.7, 56.58, 60.29 and 79.71"
    )
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    assert fixed == averages()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(averages(1.3, -2.1, 0.9, 3.0, 1.6, 1.1), id="two rows show nothing"),
        pytest.param(averages(1.3, -2.1, 0.9, 30.0, 1.6), id="one row is far from it"),
    ],
)
def test_means_that_may_be_something_else_are_not_stale(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(("between", "blamed"), [("", 0), ("## Others\n\n", 1)])
def test_a_law_that_most_rows_of_a_section_contradict_blames_none_of_them(
    between: str, blamed: int
) -> None:
    head, line, *rows = averages(12, -15, 20, 9, 0, 0, 0, 14).splitlines()
    parts = "\n".join((*rows[:5],)), "\n".join(rows[5:])
    cut = f"\n\n{between}".join(f"{head}\n{line}\n{part}" for part in parts)
    text = f"## Sound\n\n{averages()}\n## Cut\n\n{cut}\n"
    assert len(find(text)) == blamed


def test_tables_of_other_number_formats_have_the_same_columns() -> None:
    header = "GPUs | Throughput - {0} | Weak scaling - {0}"
    sound = table(
        header.format("FP32"),
        *("1 | 732.22 | 1.00", "2 | 1432.9 | 1.96", "4 | 2801.4 | 3.83", "8 | 5588.2 | 7.63"),
    )
    other = table(header.format("TF32"), "1 | 797.37 | 1.00", "8 | 6246.95 | 8.04")
    found = find(f"# V100\n\n{sound}\n# A100\n\n{other}")
    assert [one.message for one in found] == [
        "Weak scaling - TF32 8.04 should be 7.83: 6246.95 / 797.37 (3 other rows agree)"
    ]


def test_who_rounds_all_others_has_not_cut_several_numbers_of_one_row() -> None:
    pairs = (3.4, 0.21), (9.11, 0.62), (15.4, 1.3), (2.6, 0.47), (5.5, 0.92), (4.1, 0.33)
    more = (8.3, 0.71), (6.2, 0.39), (7.1, 0.54), (12.9, 0.88), (1.9, 0.26), (2.2, 0.67)
    rows = [f"c | {old} | {new} | {old / new:.1f}" for old, new in (*pairs, *more)]
    stale = "d | 7.8 | 0.28 | 26"
    assert wrong_cells(table("Case | Old | New | Ratio", *rows, stale)) == ["26"]


def titles(text: str) -> list[str]:
    (finding,) = find(text)
    return [one.title for one in finding.fixes]


def test_what_two_calculations_give_is_one_fix_each() -> None:
    rows = "O0 | 0.9993 | 0.2686 | 1", "O1 | 0.3424 | 0.7840 | 2.92", "O2 | 0.3291 | 0.8157 | 3.04"
    text = table(
        "Level | Time (s) | GFlop/s | Speedup",
        *rows,
        *("O3 | 0.0514 | 5.2175 | 19.09", "fast | 0.0393 | 6.8361 | 25.45"),
    )
    assert titles(text) == ["change to Speedup 19.42", "change to Speedup 19.44"]


@pytest.mark.parametrize(
    ("rates", "right"),
    [
        pytest.param(("51255", "81632", "118764", "133868"), "120918", id="cut"),
        pytest.param(("51256", "81633", "118765", "133869"), "120919", id="rounded"),
    ],
)
def test_a_fix_is_cut_where_its_column_is(rates: tuple[str, ...], right: str) -> None:
    times = "19.51", "12.25", "8.42", "7.47"
    rows = [f"a | {time} | {rate}" for time, rate in zip(times, rates, strict=True)]
    text = table("Program | Time (s) | Rate (hashes/s)", *rows, "b | 8.27 | 123918")
    assert titles(text)[0] == f"change to Rate (hashes/s) {right}"


def test_two_rows_are_enough_where_the_headers_say_what_is_compared() -> None:
    rows = "a | 1,036 KB | 134 KB | 88% smaller", "b | 2.4 MB | 1.2 MB | 50% smaller"
    header = "What | Before | After | Improvement"
    (finding,) = find(table(header, *rows, "c | 64 KB | 11 KB | 83% smaller"))
    assert finding.message == (
        "Improvement 88% should be 87%: 1 - 134 KB / 1,036 KB (2 other rows agree)"
    )


def test_means_that_were_divided_by_one_too_many_are_found() -> None:
    columns = [(0.2, 0.4, 0.3, 0.5), (0.31, 0.42, 0.53, 0.9), (0.1, 0.7, 0.3, 0.5)]
    right, wrong = [sum(one) / 4 for one in columns], [sum(one) / 5 for one in columns]
    printed = [*right, *wrong]
    rows = [
        "r{} | {}".format(at, " | ".join(f"{one[at]:.3f}" for one in columns * 2))
        for at in range(4)
    ]
    last = "Average | " + " | ".join(f"{one:.3f}" for one in printed)
    text = table("Set | A | B | C | D | E | F", *rows, last)
    assert wrong_cells(text) == [f"{one:.3f}" for one in wrong]


def test_an_efficiency_that_is_no_speedup_by_threads_is_one_warning() -> None:
    rows = "1 | 2.079 | 1.00x | -", "2 | 1.328 | 1.57x | 88.7%", "4 | 0.828 | 2.51x | 81.2%"
    text = table("Threads | Time (s) | Speedup | Efficiency", *rows, "8 | 0.806 | 2.58x | 79.4%")
    (finding,) = find(text)
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "Efficiency is Speedup / Threads in none of 3 rows: 1.57x / 2 is 78.5%, not 88.7%"
    )
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    assert find(fixed) == []


def test_an_efficiency_without_a_percent_sign_may_be_above_one() -> None:
    rows = "1 | 42.5 | 2.56 | 2.56", "2 | 16.48 | 6.62 | 3.31", "4 | 8.7 | 12.53 | 3.13"
    header = "Threads | Time (ms) | Speedup | Efficiency"
    assert find(table(header, *rows, "8 | 9.21 | 11.83 | 1.48")) == []


@pytest.mark.parametrize("printed", ["45.8%", "84.5%", "1.85x", "-45.8%", "54.2%"])
def test_an_improvement_may_be_meant_in_many_ways(printed: str) -> None:
    header = "Device | Baseline | Optimized | Improvement"
    assert find(table(header, f"x | 7.27 s | 3.94 s | {printed}")) == []


def test_an_improvement_that_follows_in_no_way_is_a_warning() -> None:
    header = "Device | Baseline | Optimized | Improvement"
    (finding,) = find(table(header, "x | 7.27 s | 3.94 s | 35.9%"))
    assert finding.message == (
        "Improvement 35.9% does not follow from 7.27 s and 3.94 s: it is 45.8% less"
    )


@pytest.mark.slow
def test_laws_are_hardly_ever_believed_by_chance() -> None:
    assert believed_by_chance(1000) == 0


@pytest.mark.slow
def test_nearly_every_wrong_number_is_found() -> None:
    assert sum(mistakes_found(60)) >= 57


def test_a_law_counts_in_a_table_that_has_its_columns_and_no_others() -> None:
    header = "Memory (GB) | Tokens/s | Speedup over BF16"
    dense = table(
        f"Method | {header}",
        *("bf16 | 33.7 | 8307.5 | -", "fp8 | 33.9 | 9969.0 | +20.0%"),
        *("mx | 33.9 | 9642.0 | +16.1%", "tensorwise | 33.4 | 10417.0 | +25.4%"),
    )
    sparse = table(
        "Method | Tokens/s | Speedup over BF16", "bf16 | 6169 | -", "fp8 | 7401 | +20.3%"
    )
    found = find(f"{dense}\n{sparse}")
    assert [one.message for one in found] == [
        "Speedup over BF16 +20.3% should be +20.0%: 7401 / 6169 - 1 (3 other rows agree)"
    ]
    assert not find(sparse)


SHARES = "A | 1204 | 37.6%", "B | 914 | 28.5%", "C | 611 | 19.1%", "D | 331 | 10.3%"


@pytest.mark.parametrize("total", [(), ("Total | 3204 | 100%",)], ids=["not printed", "printed"])
def test_a_share_of_a_total_that_may_not_be_printed(total: tuple[str, ...]) -> None:
    (found,) = find(table("Group | Samples | Share", *SHARES, "E | 144 | 5.4%", *total))
    others = 5 if total else 4
    wanted = f"Share 5.4% should be 4.5%: Samples 144 / 3,204 ({others} other rows agree)"
    assert found.message == wanted
    assert not find(table("Group | Samples | Share", *SHARES, "E | 144 | 4.5%", *total))


def test_percentages_of_different_numbers_do_not_add_up() -> None:
    assert not find(
        table(
            "Kernel | Before (us) | After (us) | Delta | %",
            *("layernorm | 41.2 | 30.9 | -10.3 | -25.0%", "softmax | 66.0 | 48.1 | -17.9 | -27.1%"),
            *("gelu | 25.5 | 24.0 | -1.5 | -5.9%", "total | 132.7 | 103.0 | -29.7 | -22.4%"),
        )
    )
