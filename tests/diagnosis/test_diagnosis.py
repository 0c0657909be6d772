"""Which relations the rows follow, on which constants they agree, and who is blamed."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from mdbench.api import parse
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.constants import agree, agree_on_whole
from mdbench.linting.checker import check, check_context
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.source import Source

ARITHMETIC = ("MB301", "MB302", "MB303")


def diagnose(text: str) -> Diagnosis:
    return Context(parse(text)).diagnosis


def find(text: str, *codes: str) -> list[tuple[str, str]]:
    """The code of each finding with the text it stands on."""
    source = Source("report.md", text)
    return [(one.code, source.cut(one.span)) for one in check(source) if one.code in codes]


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        pytest.param([(1.0, 2.0), (1.5, 3.0), (9.0, 9.5)], (1.5, 2.0), id="where most overlap"),
        pytest.param([(1.0, 2.0), (3.0, 4.0)], None, id="a tie is nothing"),
        pytest.param([], None, id="nothing of nothing"),
    ],
)
def test_rows_agree_on(
    intervals: list[tuple[float, float]], expected: tuple[float, float] | None
) -> None:
    agreed = agree(intervals)
    assert (None if agreed is None else (agreed.low, agreed.high)) == expected


def test_a_whole_constant_is_the_one_number_that_most_rows_allow() -> None:
    agreed = agree_on_whole([(3.9, 4.1), (3.5, 4.5), (3.8, 8.2)])
    assert agreed is not None
    assert (agreed.low, agreed.support) == (4, 3)
    assert agree_on_whole([(2.0, 2.0), (3.0, 3.0)]) is None


def test_devices_per_node_are_inferred_from_the_rows_that_agree() -> None:
    rows = ("2 | 4020 | 32160", "4 | 3900 | 62400", "8 | 3760 | 120320", "16 | 3700 | 136800")
    text = table("Nodes | Tokens/s per GPU | Tokens/s", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "136800")]
    (finding,) = (one for one in check(Source("a", text)) if one.code == "MB301")
    assert finding.message.endswith("(4 devices per node, as in 3 other rows)")
    assert finding.evidence[1].span is not None


def test_without_agreement_there_is_no_finding() -> None:
    rows = ("2 | 4020 | 32160", "4 | 3900 | 52400", "8 | 3760 | 90000")
    assert find(table("Nodes | Tokens/s per GPU | Tokens/s", *rows), *ARITHMETIC) == []


def test_a_cell_of_a_relation_that_holds_is_not_blamed() -> None:
    # Samples/s agrees with Tokens/s, so it is Iter/s that is wrong.
    rows = ("512 | 597504 | 1167 | 1.14 | 1024", "512 | 524288 | 1024 | 1.50 | 1024")
    text = table("seqlen | Tokens/s | Samples/s | Iter/s | Global bsz", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "1.50")]


def test_a_table_that_counts_in_another_way_is_left_alone() -> None:
    follows = table("GBS | Sec/it | Samples/s", "64 | 2.0 | 32.0", "128 | 3.2 | 40.0")
    other = table("GBS | Sec/it | Samples/s", "64 | 2.0 | 5.0", "128 | 3.2 | 7.0")
    assert find(f"{follows}\n\nElsewhere\n\n{other}", *ARITHMETIC) == []


def test_a_lone_row_is_judged_by_the_other_tables() -> None:
    follows = table("GBS | Sec/it | Samples/s", "64 | 2.0 | 32.0", "128 | 3.2 | 40.0")
    lone = table("GBS | Sec/it | Samples/s", "256 | 4.0 | 46.0")
    assert find(f"{follows}\n\nElsewhere\n\n{lone}", *ARITHMETIC) == [("MB301", "46.0")]


def test_a_speedup_is_recomputed_against_its_baseline_row() -> None:
    rows = (
        "bf16 | 8307.5 | -",
        "a | 9969.0 | +20.0%",
        "b | 9642.0 | +16.1%",
        "c | 10417.0 | +26.4%",
    )
    text = table("Method | Median tokens/s | Speedup over bf16", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "+26.4%")]


def test_a_wrong_baseline_is_found_once_and_not_in_every_row() -> None:
    rows = (
        "bf16 | 8037.5 | -",
        "a | 9969.0 | +20.0%",
        "b | 9642.0 | +16.1%",
        "c | 10417.0 | +25.4%",
    )
    text = table("Method | Median tokens/s | Speedup over bf16", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "8037.5")]


def test_a_total_is_the_sum_of_its_parts() -> None:
    rows = (
        "0.108 | 3.079 | 3.187",
        "0.198 | 5.029 | 5.227",
        "0.373 | 6.878 | 7.251",
        "1.5 | 8.4 | 9.09",
    )
    text = table("Load (s) | Run (s) | Total (s)", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "9.09")]


def test_powers_of_two_are_no_sum() -> None:
    rows = ("2 | 1 | 1", "4 | 2 | 2", "8 | 4 | 4", "16 | 8 | 4")
    assert find(table("MBS | TP | PP", *rows), *ARITHMETIC) == []


def test_of_several_times_the_one_that_the_rate_follows_is_taken() -> None:
    rows = (
        "2.230 | 2.229 | 22.43",
        "1.729 | 1.728 | 28.94",
        "1.567 | 1.562 | 32.02",
        "1.354 | 1.354 | 63.93",
    )
    text = table("mean (s) | median (s) | speed (it/s)", *rows)
    assert find(text, *ARITHMETIC) == [("MB301", "63.93")]


def test_averages_need_not_multiply_to_the_last_digit() -> None:
    rows = ("100.0 | 300.0 | 30000", "110.0 | 290.0 | 31990", "120.0 | 280.0 | 33500")
    assert find(table("Time (s) | Power (W) | Energy (J)", *rows), *ARITHMETIC) == []


def test_settings_hold_for_columns_of_the_same_title() -> None:
    sizes = ("World Size | 8 | 24", "Sequence Length | 8192 | 8192", "Epoch | 1.0 | 2.24")
    rates = (
        "steps/sec | 0.245 | 0.334",
        "samples/sec | 1.958 | 8.021",
        "tokens/sec | 2005.0 | 2738.0",
    )
    setting, measured = table("CONFIG | Big | Small", *sizes), table("RATES | Big | Small", *rates)
    assert [code for code, _ in find(f"{setting}\n{measured}", *ARITHMETIC)] == ["MB303"]


def test_the_report_lacks_what_would_let_it_be_recomputed() -> None:
    text = table("Samples/s | Tokens/s", "12 | 24576", "14 | 28672")
    (lack,) = diagnose(text).lacking
    assert (lack.setting, lack.cells) == ("seq_len", 4)
    assert lack.relations == ("tokens_per_s = samples_per_s * seq_len",)
    assert diagnose(f"- seq_len=2048\n\n{text}").lacking == ()


def test_of_two_columns_the_one_that_needs_no_cutting_is_the_operand() -> None:
    rows = (
        "5.217 | 5.216 | 9.59",
        "5.136 | 5.137 | 9.73",
        "4.300 | 4.301 | 11.62",
        "4.150 | 4.149 | 12.05",
        "4.102 | 4.104 | 12.18",
    )
    assert find(table("mean (s) | median (s) | speed (it/s)", *rows), "MB304") == []


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [
        pytest.param("0.0132", [], id="follows"),
        pytest.param("0.0135", ["0.0135"], id="divided by 1000"),
        pytest.param("0.27", [], id="far from it: the formula is about something else"),
    ],
)
def test_a_formula_of_the_report_needs_no_second_row(printed: str, wrong: list[str]) -> None:
    formula = "- Aggr. PetaFLOPs = TFLOPs * Nodes / 1024\n\n"
    header = "Nodes | Sec/it | TFLOPs | Aggr. PetaFLOPs"
    source = Source("a.md", formula + table(header, f"20 | 81.5 | 0.675 | {printed}"))
    found = [one for one in check(source) if one.code == "MB301"]
    assert [source.cut(one.span) for one in found] == wrong


@pytest.mark.parametrize(
    ("wrong", "errors"),
    [
        ((), 0),
        ((5,), 1),
        ((4, 5), 2),
        pytest.param((2, 3, 4, 5), 0, id="most rows are something else"),
    ],
)
def test_a_name_without_a_header_is_the_column_that_follows(
    wrong: tuple[int, ...], errors: int
) -> None:
    times = (2.5, 4.0, 3.2, 6.25, 7.1, 8.3)
    rows = (
        f"{at + 3} | {time} | {1337 / time * (1.37 + at if at in wrong else 1):.1f}"
        for at, time in enumerate(times)
    )
    formula = "```\nperl -le '$w=1337; $x=2.5; print $w/$x'\n```\n"
    text = f"{table('Nodes | Sec/it | TFLOPs', *rows)}\n{formula}"
    assert len(find(text, *ARITHMETIC)) == errors


def test_the_empty_row_that_measurements_may_belong_to_is_not_marked() -> None:
    # The time may just as well be that of a quarter of the job.
    few = "8 | 2 | 4 | 512 | 640.0 | 1.00", "16 | 4 | 4 | 512 | 325.0 | 0.98"
    more = "32 | 8 | 4 | 512 | 164.0 | 0.98", "128 | 32 | 4 | 512 | 44.0 | 0.91"
    rows = *few, *more, "64 | 16 | 4 | 512 | 22.0 | 0.91"
    header = "Nodes | DP | TP | GBS | Sec/it | TFLOPs"
    source = Source("a.md", table(header, *rows, "256 | 64 | 4 | 512 | - | -"))
    (finding,) = [one for one in check(source) if one.code == "MB301"]
    assert "the measurements fit the row with Nodes 256" in finding.message
    assert source.line(finding.span.start) == source.line(finding.span.end) == 7


@pytest.mark.parametrize(
    ("last", "found"),
    [
        pytest.param("3.00 | 8.0 | 7.00", [], id="it holds"),
        pytest.param("3.00 | 8.0 | 9.40", [("MB301", "9.40")], id="the total is wrong"),
    ],
)
def test_a_formula_of_the_report_that_is_no_product(
    last: str, found: list[tuple[str, str]]
) -> None:
    rows = ("1.00 | 4.0 | 3.00", "2.00 | 6.0 | 5.00", last)
    formula = "- Total time = TTFT + Decode time / 2\n\n"
    text = formula + table("TTFT (s) | Decode time (s) | Total time (s)", *rows)
    assert find(text, *ARITHMETIC) == found


def test_verified_are_the_cells_of_what_holds() -> None:
    text = table(
        "GBS | Sec/it | Samples/s | Mem", "64 | 2.0 | 32.0 | 3 GB", "128 | 3.2 | 40.0 | 4 GB"
    )
    verified = {Source("a", text).cut(span) for span in diagnose(text).verified}
    assert verified == {"64", "2.0", "32.0", "128", "3.2", "40.0"}


def _wide_row(columns: int, wrong: bool) -> str:
    numbers = ["8", "4", "2", "65" if wrong else "64", *("1" for _ in range(columns))]
    return " | ".join(numbers)


def test_a_bad_row_of_many_columns_stays_cheap() -> None:
    header = " | ".join(("DP", "TP", "PP", "Nodes", *(f"Metric {n} (ms)" for n in range(200))))
    rows = [_wide_row(200, wrong=number == 5) for number in range(6)]
    found = diagnose(table(header, *rows))
    assert len(found.contradictions) == 1
    assert found.trials.tried.total() < 500


def _sized_rows(count: int) -> list[str]:
    sizes = [(2 ** (n % 5), 2 ** (n % 3), 2 ** (n % 2)) for n in range(count)]
    return [
        f"{dp} | {tp} | {pp} | {dp * tp * pp * (3 if n % 50 == 7 else 1)} | {n}.5"
        for n, (dp, tp, pp) in enumerate(sizes)
    ]


@pytest.mark.slow
def test_more_rows_cost_in_proportion() -> None:
    tried = []
    for count in (200, 400):
        found = diagnose(table("DP | TP | PP | Nodes | Sec/it", *_sized_rows(count)))
        assert len(found.contradictions) == count // 50
        tried.append(found.trials.tried.total())
    assert tried[1] < 2.2 * tried[0]


def test_evidence_points_at_rows_that_agree() -> None:
    rows = ("4 | 2533.0 | 0.86", "64 | 162.5 | 0.84", "128 | 81.0 | 0.84", "256 | 14.5 | 0.84")
    text = table("Nodes | Sec/it | TFLOPs", *rows)
    (finding,) = (one for one in check(Source("a", text)) if one.code == "MB301")
    lines = [Source("a", text).line(one.span.start) for one in finding.evidence if one.span]
    assert lines == [6, 6, 3, 4]


def test_no_finding_names_a_cell_twice(corpus_findings: list[Finding]) -> None:
    for finding in corpus_findings:
        assert len(set(finding.cells)) == len(finding.cells)


@pytest.fixture
def corpus_findings() -> list[Finding]:
    rows = ("8 | 8 | 1 | 1", "16 | 16 | 1 | 1", "32 | 1 | 32 | 1", "64 | 46 | 1 | 1")
    return list(check(Source("a", table("Nodes | DP | TP | PP", *rows))))


def speedups(rows: int, wanted: Callable[[int, float], str]) -> str:
    """A long table with what it says of each row instead of the right speed-up."""
    lines = []
    for at in range(rows):
        before, after = 100.0 + at, 50.0 + at * 0.7
        speedup = before / float(f"{after:.2f}")
        lines.append(f"r{at} | {before:.1f} | {after:.2f} | {wanted(at, speedup)}")
    return table("Run | Baseline (ms) | Optimized (ms) | Speedup", *lines)


@pytest.mark.parametrize("period", [4, 6])
def test_a_long_table_that_repeats_itself_is_sampled_all_the_same(period: int) -> None:
    text = speedups(150, lambda at, right: "9.000" if at % period == 0 else f"{right:.3f}")
    found = find(text, "MB301")
    assert len(found) == -(-150 // period)


@pytest.mark.parametrize("period", [2, 3])
def test_where_many_rows_do_not_follow_nobody_is_blamed(period: int) -> None:
    text = speedups(150, lambda at, right: "9.000" if at % period == 0 else f"{right:.3f}")
    assert find(text, *ARITHMETIC) == []


def test_numbers_that_any_count_of_devices_would_fit_are_no_scaled_column() -> None:
    header = "Nodes | Sec/it | TFLOPs | Aggr. PetaFLOPs"
    few = "1 (max-proc-per-node=4)"
    rows = (f"{few} | 613.2 | 1.36 | 0.001", f"{few} | 1233.7 | 0.68 | 0.0006")
    assert find(table(header, *rows), *ARITHMETIC) == []


@pytest.mark.parametrize("filled", [0, 1])
def test_every_other_row_of_a_scaled_column_is_enough(filled: int) -> None:
    text = speedups(120, lambda at, right: f"{right * 1000:.1f}" if at % 2 == filled else "-")
    assert [code for code, _ in find(text, *ARITHMETIC)] == ["MB303"]


def test_what_may_have_been_cut_to_nothing_breaks_no_rule() -> None:
    rows = ["a | 100.0 | 90.0 | -10%", "b | 200.0 | 160.0 | -20%", "c | 300.0 | 210.0 | -30%"]
    text = table("Run | Before (ms) | After (ms) | Change", *rows, "f | 1000.0 | 18.9 | -90%")
    assert find(text, "MB000") == []
    assert find(text, "MB301") == []


def test_a_report_leaves_nothing_for_the_garbage_collector() -> None:
    rows = ("2 | 4 | 8", "4 | 4 | 16", "8 | 4 | 32", "4 | 2 | 9", "2 | 2 | 4")
    text = table("DP | TP | GPUs", *rows)
    check_context(Context(parse(text)))  # What is kept for all reports stays.
    gc.collect()
    gc.disable()
    try:
        check_context(Context(parse(text)))
        assert gc.collect() == 0
    finally:
        gc.enable()


_ESTIMATED = "Model | GPUs | Tokens/s per GPU | Time to train for 10T tokens (days)"
_LARGE = ("A | 64 | 1659 | 68", "C | 64 | 1213 | 93", "D | 64 | 940 | 120")


@pytest.mark.parametrize(
    ("rows", "blamed"),
    [
        pytest.param(("B | 64 | 1444 | 78", "E | 8 | 11879 | 9.5"), False, id="untested"),
        pytest.param(("B | 32 | 2888 | 78", "E | 8 | 11879 | 9.5"), True, id="tested"),
        pytest.param(("B | 64 | 1444 | 78", "E | 8 | 11879 | 29.5"), True, id="wrong either way"),
    ],
)
def test_a_count_that_all_rows_share_does_not_show_that_it_belongs_to_a_law(
    rows: tuple[str, ...], blamed: bool
) -> None:
    assert bool(find(table(_ESTIMATED, *_LARGE, *rows), "MB301")) is blamed


def test_the_rows_that_agree_are_shown_with_what_they_agree_on() -> None:
    rows = (*_LARGE, "B | 32 | 2888 | 78", "E | 8 | 11879 | 9.5")
    (finding,) = check(Source("report.md", table(_ESTIMATED, *rows)))
    shown = "Tokens/s per GPU 1659 × GPUs 64 × Time to train…10T tokens (days) 68 is 7219968"
    assert shown in [one.label for one in finding.evidence]
