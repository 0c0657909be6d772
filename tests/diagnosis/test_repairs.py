"""Repairs: what is offered for which mistake, and that carrying it out fixes the report."""

from __future__ import annotations

import pytest

from mdbench.diagnosis.slips import move_point, typed_slips
from mdbench.diagnosis.wording import shorten
from mdbench.linting.checker import check
from mdbench.rules.findings import Finding
from mdbench.source import Source

ARITHMETIC = ("MB301", "MB302", "MB303")
GOOD = """\
| Nodes | DP | TP | PP | GBS | Mem | Sec/it | Samples/s | Notes |
|---|---|---|---|---|---|---|---|---|
| 8 | 8 | 1 | 1 | 1024 | 18870.0 MiB | 251.0 | 4.080 | 02-14 |
| 16 | 16 | 1 | 1 | 1024 | 18502.5 MiB | 126.4 | 8.101 | 02-14 |
| 32 | 16 | 2 | 1 | 1024 | 18502.5 MiB | 64.2 | 15.950 | 02-15 |
| 64 | 16 | 4 | 1 | 2048 | 17320.0 MiB | 63.9 | 32.050 | 02-15 |
| 128 | 32 | 4 | 1 | 2048 | 16100.0 MiB | 33.7 | 60.772 | 02-16 |
"""


def lint(text: str) -> list[Finding]:
    return [one for one in check(Source("report.md", text)) if one.code in ARITHMETIC]


def fix(text: str) -> str:
    """The report after the first fix of its only finding."""
    (finding,) = lint(text)
    return Source("report.md", text).edited(finding.fixes[0].edits).text


def test_the_good_report_is_silent() -> None:
    assert lint(GOOD) == []


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        pytest.param("| 64 | 16 | 4 |", "| 64 | 61 | 4 |", "MB301", id="two digits transposed"),
        pytest.param("| 32.050 |", "| 320.50 |", "MB301", id="a value times ten"),
        pytest.param("| 15.950 |", "| 15.50 |", "MB301", id="a digit dropped"),
        pytest.param("| 60.772 |", "| 660.772 |", "MB301", id="a digit doubled"),
        pytest.param(
            "| 18870.0 MiB | 251.0 |", "| 251.0 | 18870.0 MiB |", "MB302", id="units tell a swap"
        ),
        pytest.param("| 2048 | 17320.0", "| 2048 |  | 17320.0", "MB302", id="a pipe too many"),
        pytest.param(
            "| 2048 | 17320.0 MiB | 63.9 |",
            "| 2048 |  | 17320.0 MiB | 63.9 | 63.9 |",
            "MB302",
            id="a pipe too many and a cell twice",
        ),
    ],
)
def test_a_mistake_is_undone(right: str, wrong: str, code: str) -> None:
    assert right in GOOD
    bad = GOOD.replace(right, wrong)
    assert [one.code for one in lint(bad)] == [code]
    assert fix(bad) == GOOD


def test_a_missing_cell_is_left_blank_and_the_others_stand_right_again() -> None:
    fixed = fix(GOOD.replace("| 17320.0 MiB | 63.9 |", "| 63.9 |"))
    assert "| 2048 | - | 63.9 | 32.050 | 02-15 |" in fixed


def test_a_missing_setting_is_the_one_that_all_other_rows_have() -> None:
    head = "| Nodes | DP | GBS | Mem | Sec/it |\n|--|--|--|--|--|\n"
    rows = [f"| {n} | {n} | 1024 | {9 + n}.5 MiB | {400 / n:.1f} |\n" for n in (2, 4, 8, 16)]
    short = "| 32 | 32 | 41.5 MiB | 12.5 |\n"
    assert fix(head + "".join(rows) + short).endswith("| 32 | 32 | 1024 | 41.5 MiB | 12.5 |\n")


def test_a_column_in_another_unit_is_one_finding() -> None:
    bad = GOOD
    for seconds in ("251.0", "126.4", "64.2", "63.9", "33.7"):
        bad = bad.replace(f"| {seconds} |", f"| {move_point(seconds, 3)} |")
    (finding,) = lint(bad)
    assert finding.code == "MB303"
    fixed = Source("report.md", bad).edited(finding.fixes[0].edits).text
    assert lint(fixed) == []


def test_measurements_in_the_row_of_another_run_are_moved() -> None:
    results = "16100.0 MiB | 33.7 | 60.772"
    bad = GOOD.replace(results, "- | - | -") + f"| 256 | 64 | 4 | 1 | 4096 | {results} | 02-16 |\n"
    (finding,) = lint(bad)
    assert finding.code == "MB302"
    fixed = Source("report.md", bad).edited(finding.fixes[0].edits).text
    assert GOOD.splitlines()[-1] in fixed


def test_equal_repairs_are_all_shown() -> None:
    text = """\
| MFU | TFLOP/s/chip |
|---|---|
| 40.0% | 110.0 |
| 44.0% | 121.0 |
| 48.0% | 132.0 |
| 42.0% | 126.0 |
"""
    (finding,) = lint(text)
    assert {fix.title for fix in finding.fixes} == {
        "change to MFU 45.8%",
        "change to TFLOP/s/chip 115.5",
    }


def test_a_cell_whose_unit_is_not_its_columns_gets_that_unit() -> None:
    text = """\
| GPUs | Runtime | Cost |
|---|---|---|
| 8 | 50.0 min | $25.0 |
| 8 | 60.0 min | $30.0 |
| 8 | 70.0 min | $35.0 |
| 8 | 80.0 h | $40.0 |
"""
    assert "| 80.0 min |" in fix(text)


def test_cells_that_ran_over_the_end_of_the_row_cannot_be_put_back() -> None:
    text = """\
| total duration | load duration | eval count | eval duration | eval rate |
|---|---|---|---|---|
| 18 token(s) | 61.14ms | 294.38 tokens/s | 9.63s | 7.85ms |
| 7.9s | 12.14ms | 28 token(s) | 9.63s | 294.38 tokens/s |
"""
    source = Source("report.md", text)
    (finding,) = (one for one in check(source) if one.code == "MB302")
    assert "2 columns too far left" in finding.message
    assert finding.fixes == ()


@pytest.mark.parametrize(
    ("text", "places", "expected"),
    [
        pytest.param("701658.5", -3, "701.6585", id="digits are kept"),
        pytest.param("0.76", 1, "7.6", id="no zero is left in front"),
        pytest.param("1,024", -3, "1.024", id="separators go"),
        pytest.param("5", -2, "0.05", id="zeros are put in front"),
        pytest.param("64", 3, "64000", id="zeros are put behind"),
    ],
)
def test_the_point_is_moved(text: str, places: int, expected: str) -> None:
    assert move_point(text, places) == expected


def test_no_slip_begins_with_a_zero_that_nobody_writes() -> None:
    texts = [slip.text for text in ("10", "2.5", "0.5") for slip in typed_slips(text, 1)]
    assert texts
    assert not [text for text in texts if text[0] == "0" and text[1:2].isdigit()]


MESH = """\
NHIDDEN=13824 / NLAYERS=80

| Nodes | Size | DP | TP | PP | MBS | GBS |
|--:|--:|--:|--:|--:|--:|--:|
| 40 | 187B | 4 | 8 | 10 | 4 | 2048 |
| 44 | 187B | 4 | 8 | 11 | 4 | 2048 |
| 24 | 187B | 3 | 8 | 8 | 4 | 2040 |
| 48 | 187B | {} | 8 | 12 | 4 | 2048 |
"""


def test_the_count_that_follows_from_the_others_is_always_among_the_fixes() -> None:
    assert lint(MESH.format(4)) == []
    (finding,) = lint(MESH.format(8))
    assert "change to DP 4" in [fix.title for fix in finding.fixes]
    assert len(finding.fixes) <= 3


BATCHES = """\
BS=1024

| Nodes | Sec/it | TFLOPs |
|--|--|--|
| 8 | 251.0 | 20.40 |
| 16 | 126.4 | 20.25 |
| 32 | 64.2 | 19.94 |
| 64 | 33.1 | {} |

## Tuned

BS=2048

| Nodes | Sec/it | TFLOPs |
|--|--|--|
| 32 | 127.9 | 20.02 |
"""


def test_a_stated_setting_may_explain_a_row() -> None:
    assert lint(BATCHES.format("19.34")) == []
    assert [one.code for one in lint(BATCHES.format("27.50"))] == ["MB301"]
    assert lint(BATCHES.replace("BS", "GBS").format("38.68")) == []


def _priced(*others: str) -> str:
    hours = (10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0)
    rows = [f"| m{at} | 1xA | {one} h | ${2 * one:.1f} |" for at, one in enumerate(hours)]
    rows += [f"| n{at} | 2xA | {one} h | ${4 * one:.1f} |" for at, one in enumerate(hours)]
    header = "| Model | Machine | Training time | Cost |\n|---|---|---|---|\n"
    return header + "".join(f"{row}\n" for row in (*rows, *others))


def test_rows_that_fail_alike_are_reported_if_they_share_nothing_of_their_own() -> None:
    rows = (
        "| x | 1xA | 13.7 h | $68.5 |",
        "| y | 1xA | 17.3 h | $86.5 |",
        "| z | 1xA | 4.1 h | $20.5 |",
    )
    source = Source("a.md", _priced(*rows))
    found = [one for one in check(source) if one.code == "MB301"]
    assert [source.text.count("\n", 0, one.span.start) for one in found] == [18, 19, 20]


def test_rows_that_fail_alike_and_share_a_name_are_of_another_kind() -> None:
    rows = (
        "| x | 4xB | 13.7 h | $68.5 |",
        "| y | 4xB | 17.3 h | $86.5 |",
        "| z | 4xB | 4.1 h | $20.5 |",
    )
    assert not [one for one in check(Source("a.md", _priced(*rows))) if one.code == "MB301"]


def test_a_repair_keeps_the_order_of_the_rows() -> None:
    sizes = ((4, 1, 4), (64, 16, 4), (1024, 256, 4), (4096, 1024, 4), (8192, 1024, 8))
    rows = (*sizes, ("8192 (2.2Hz)", 1024, 4))
    lines = "".join(f"| {nodes} | {dp} | {tp} | 1 |\n" for nodes, dp, tp in rows)
    (finding,) = lint("| Nodes | DP | TP | PP |\n|--|--|--|--|\n" + lines)
    assert [one.title for one in finding.fixes] == ["change to DP 2048", "change to TP 8"]


def test_a_number_that_a_constant_product_confirms_is_not_blamed() -> None:
    report = """\
| # GPUs | Images/s | Images/s/GPU | Time (h) |
|--|--|--|--|
| 8 | 858 | 107.0 | 809 |
| 32 | 3056 | 95.5 | 227 |
| 8 | 219 | 27.4 | 3170 |
| 32 | 795 | 24.8 | 873 |
| 128 | 2934 | 22.9 | 236 |
| 8 | 674 | 84.3 | 1030 |
| 8 | 678 | 84.8 | 1024 |
| 8 | 194 | 24.3 | 3580 |
"""
    (finding,) = lint(report)
    assert [one.title for one in finding.fixes] == ["change to Images/s/GPU 107.3"]


def test_a_number_that_the_formula_of_the_report_gives_is_not_blamed() -> None:
    report = """\
- PFLOPS = TFLOPS * Nodes / 1000

| Nodes | Sec/it | TFLOPS | PFLOPS |
|--|--|--|--|
| 10 | 100.3 | 4.0 | 0.040 |
| 25 | 61.7 | 2.6 | 0.065 |
| 50 | 32.0 | 2.5 | 0.125 |
| 100 | 16.5 | 2.4 | 0.242 |
| 200 | 12.21 | 1.6 | 0.328 |
| 400 | 10.55 | 0.9 | 0.379 |
| 400 | 10.10 | 1.0 | 0.385 |
| 500 | 7.05 | 1.1 | 0.567 |
| 600 | 6.0 | 1.1 | 0.667 |
| 800 | 4.6 | 1.1 | 0.870 |
"""
    found = lint(report)
    assert [fix.title for one in found for fix in one.fixes] == ["change to Sec/it 10.39"]


def test_an_input_with_one_other_digit_is_as_likely_as_the_result() -> None:
    report = "| GBS | Sec/it | Samples/s |\n|--|--|--|\n| 1024 | 79 | {} |\n| 1024 | 64 | 16.0 |\n"
    fixes = [[fix.title for fix in one.fixes] for one in lint(report.format("11.5"))]
    assert fixes == [["change to Samples/s 13.0", "change to Sec/it 89"]]
    fixes = [[fix.title for fix in one.fixes] for one in lint(report.format("11.7"))]
    assert fixes == [["change to Samples/s 13.0"]]


def test_a_contradiction_is_said_as_an_equation() -> None:
    report = (
        "| GBS | Sec/it | Samples/s |\n|--|--|--|\n| 1024 | 79 | 11.5 |\n| 1024 | 64 | 16.0 |\n"
    )
    (finding,) = lint(report)
    assert finding.message == (
        "GBS 1024 / Sec/it 79 = 13.0, but Samples/s is 11.5; "
        "Samples/s 13.0 or Sec/it 89 would fix it"
    )


def test_a_shortened_header_has_whole_words() -> None:
    assert (
        shorten("Throughput speedup (TF32 to mixed precision)") == "Throughput…to mixed precision)"
    )
    assert shorten("Weak scaling - mixed precision") == "Weak scaling - mixed precision"
    assert shorten("Generalizationgap overallmeasurements") == (
        "Generalizationgap…overallmeasurements"
    )
