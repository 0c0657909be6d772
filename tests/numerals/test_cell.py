"""Parsing cells in every notation of real reports."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.numerals.cell import (
    Form,
    Numeral,
    Status,
    Style,
    column_style,
    plain_text,
    read_cell,
    read_date,
    read_flag,
    read_number,
)
from mdbench.numerals.digits import shows_decimal_comma


def brief(numeral: Numeral) -> tuple[str, str, str]:
    """Form, value and unit of a numeral."""
    return numeral.form.value, str(numeral.value), numeral.unit


NUMBERS = [
    # cell, value, quantum, unit
    ("146", "146", "1", ""),
    ("-0.50", "-0.50", "0.01", ""),
    (".5", "0.5", "0.1", ""),
    ("18870.0 MiB", "18870.0", "0.1", "MiB"),
    ("11.29 G", "11.29", "0.01", "G"),
    ("90.5s", "90.5", "0.1", "s"),
    ("1.3B", "1.3", "0.1", "B"),
    ("0.125M", "0.125", "0.001", "M"),
    ("1.2k tokens/s", "1.2", "0.1", "k tokens/s"),
    ("3.2 GB/s", "3.2", "0.1", "GB/s"),
    ("56.7%", "56.7", "0.1", "%"),
    ("+20.0%", "20.0", "0.1", "%"),
    ("−13.8 %", "-13.8", "0.1", "%"),
    ("5,762", "5762", "1", ""),
    ("1,234,567.8", "1234567.8", "0.1", ""),
    ("17,89 ms", "17.89", "0.01", "ms"),
    ("0,52", "0.52", "0.01", ""),
    ("1.234,56", "1234.56", "0.01", ""),
    ("1_000_000", "1000000", "1", ""),
    ("1'234'567", "1234567", "1", ""),
    ("12\u202f345", "12345", "1", ""),
    ("\uff11\uff12\uff13\uff0e\uff14", "123.4", "0.1", ""),
    ("1.30E+02", "130", "1", ""),
    ("2.96198e+06", "2961980", "10", ""),
    ("1.19 x 10^7", "11900000", "100000", ""),
    ("1.2×10⁻³", "0.0012", "0.0001", ""),
    ("1.2x10<sup>5</sup>", "120000", "10000", ""),
    ("10^6", "1000000", "1", ""),
    ("2^20", "1048576", "1", ""),
    ("$0.7", "0.7", "0.1", "$"),
    ("$3.2/hour", "3.2", "0.1", "$/hour"),
    ("$5.4k", "5.4", "0.1", "k $"),
    ("-$48.47", "-48.47", "0.01", "$"),
    ("+€3.10", "3.10", "0.01", "€"),
    ("2.63 x", "2.63", "0.01", "x"),
    ("3.5X", "3.5", "0.1", "X"),
    ("x3.80", "3.80", "0.01", "x"),
    ("**1.62×**", "1.62", "0.01", "×"),
    ("***153***", "153", "1", ""),
    ("`+16.59%`", "16.59", "0.01", "%"),
    ("12&nbsp;GB", "12", "1", "GB"),
    ("<b>12.5</b> ms", "12.5", "0.1", "ms"),
    ("$1.2\\times$", "1.2", "0.1", "×"),
    ("~~12~~ 15", "15", "1", ""),
    ("18 token(s)", "18", "1", "tokens"),
    ("8 GPUs", "8", "1", "GPUs"),
    ("12 秒", "12", "1", "秒"),
    ("128卡", "128", "1", "卡"),
    ("1.2万", "1.2", "0.1", "万"),
    ("2.5억", "2.5", "0.1", "억"),
    ("12 Mio.", "12", "1", "Mio"),
    ("5 млн", "5", "1", "млн"),
    ("33 hr 13 min", "119580", "60", "s"),
    ("03:19:59", "11999", "1", "s"),
    ("0:06:48.60", "408.60", "0.01", "s"),
    ("1m03s", "63", "1", "s"),
    ("1d 2h", "93600", "3600", "s"),
    ("(12.5)", "12.5", "0.1", ""),
    ("656 B", "656", "1", "B"),
    ("7.8125 KB", "7.8125", "0.0001", "KB"),
    ("1,234.56 ns", "1234.56", "0.01", "ns"),
    ("1.2M ops/s", "1.2", "0.1", "M ops/s"),
    ("$3/1M tokens", "3", "1", "$/1M tokens"),
    ("$0.50 per 1M tokens", "0.50", "0.01", "$ per 1M tokens"),
    ("12k IOPS", "12", "1", "k IOPS"),
    ("1m23.456s", "83.456", "0.001", "s"),
    ("12h30m", "45000", "60", "s"),
    ("2:35.10", "155.10", "0.01", "s"),
]


@pytest.mark.parametrize(
    ("cell", "value", "quantum", "unit"), NUMBERS, ids=[row[0] for row in NUMBERS]
)
def test_cell_is_one_number(cell: str, value: str, quantum: str, unit: str) -> None:
    (numeral,) = read_cell(cell)
    assert numeral.form is Form.NUMBER
    assert numeral.value == Decimal(value)
    assert numeral.quantum == Decimal(quantum)
    assert numeral.unit == unit
    assert numeral.status is Status.OK
    assert not numeral.bound


BOUNDS = [
    ("~1281", "~"),
    ("≈1281", "~"),
    ("about 1281", "~"),
    ("约1281", "~"),
    ("约 1281", "~"),
    ("1281?", "~"),
    ("<1281", "<"),
    ("&lt;1281", "<"),
    ("less than 1281", "<"),
    ("under 1281", "<"),
    ("> 1281", ">"),
    ("over 1281", ">"),
    ("more than 1281", ">"),
    ("≤1281", "≤"),
    ("<= 1281", "≤"),
    ("up to 1281", "≤"),
    ("no more than 1281", "≤"),
    ("1281 or less", "≤"),
    ("≥1281", "≥"),
    (">=1281", "≥"),
    ("at least 1281", "≥"),
    ("1281+", "≥"),
    ("1281 or more", "≥"),
]


@pytest.mark.parametrize(("cell", "bound"), BOUNDS, ids=[row[0] for row in BOUNDS])
def test_a_number_that_is_not_exact_has_a_bound(cell: str, bound: str) -> None:
    (numeral,) = read_cell(cell)
    assert numeral.value == 1281
    assert numeral.bound == bound


@pytest.mark.parametrize("cell", [">80 GB", "up to 3.2x", "~$3", "<1%", "less than 2 s"])
def test_a_bound_has_a_unit_too(cell: str) -> None:
    (numeral,) = read_cell(cell)
    assert numeral.bound
    assert numeral.unit


SPREADS = [
    ("12.3 ± 5.6", "12.3", "", "5.6"),
    ("12.3 ± 5.6 ms", "12.3", "ms", "5.6"),
    ("12.3 ms ± 5.6 ms", "12.3", "ms", "5.6"),
    ("12.3 ms ± 450 µs", "12.3", "ms", "0.45"),
    ("12.3 ms +/- 2%", "12.3", "ms", "0.246"),
    ("12.3ms ±2%", "12.3", "ms", "0.246"),
    ("95.2% ± 0.3%", "95.2", "%", "0.3"),
    ("95.2 ± 0.3%", "95.2", "%", "0.3"),
    ("1.234µ ± 2%", "1.234", "µ", "0.02468"),
    ("12.3 (\u03c3 0.3)", "12.3", "", "0.3"),
    ("12.3 (± 0.4)", "12.3", "", "0.4"),
    ("12.3 (std 0.3)", "12.3", "", "0.3"),
    ("12.3 (sd=0.3)", "12.3", "", "0.3"),
    ("12.3 ms (±2%)", "12.3", "ms", "0.246"),
    ("12.3<sup>±0.4</sup>", "12.3", "", "0.4"),
]


@pytest.mark.parametrize(
    ("cell", "value", "unit", "spread"), SPREADS, ids=[row[0] for row in SPREADS]
)
def test_a_spread_is_in_the_unit_of_its_value(
    cell: str, value: str, unit: str, spread: str
) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.value, numeral.unit) == (Decimal(value), unit)
    assert numeral.spread == Decimal(spread)


def test_per_cent_after_a_number_that_is_no_share_are_of_the_number() -> None:
    (numeral,) = read_cell("12.3 ± 2%", Style(measures=True))
    assert (numeral.unit, numeral.spread) == ("", Decimal("0.246"))


def test_a_number_in_brackets_is_a_spread_only_below_a_header_that_names_one() -> None:
    assert read_cell("12.3 (0.4)")[0].spread is None
    assert read_cell("12.3 (0.4)", Style(spreads=True))[0].spread == Decimal("0.4")


SECONDS = [
    ("1.96 s (4.54 GB)", ("1.96", "s"), ("4.54", "GB")),
    ("2021 (70%)", ("2021", ""), ("70", "%")),
    ("49.7 hours ($5482)", ("49.7", "hours"), ("5482", "$")),
    ("82.5 (-0.3)", ("82.5", ""), ("-0.3", "")),
    ("82.5(+0.3)", ("82.5", ""), ("0.3", "")),
    ("1.23x (45 ms)", ("1.23", "x"), ("45", "ms")),
    ("120 ms / 3.4 GB", ("120", "ms"), ("3.4", "GB")),
    ("12.3 (1.0)", ("12.3", ""), ("1.0", "")),
]


@pytest.mark.parametrize(("cell", "main", "second"), SECONDS, ids=[row[0] for row in SECONDS])
def test_a_cell_of_two_quantities_is_about_the_first(
    cell: str, main: tuple[str, str], second: tuple[str, str]
) -> None:
    found = read_cell(cell)
    assert [(one.value, one.unit) for one in found] == [
        (Decimal(value), unit) for value, unit in (main, second)
    ]
    assert {one.form for one in found} == {Form.NUMBER}


@pytest.mark.parametrize("cell", ["2021 (3)", "2021 (a)", "2021 (n=3)", "2021 (v1.5)"])
def test_a_remark_in_brackets_is_no_second_quantity(cell: str) -> None:
    assert len(read_cell(cell)) == 1


def test_of_an_interval_around_an_estimate_the_estimate_is_the_value() -> None:
    middle, low, high = read_cell("[1.1 ms 1.2 ms 1.3 ms]")
    assert (middle.form, middle.value, middle.unit) == (Form.NUMBER, Decimal("1.2"), "ms")
    assert [end.form for end in (low, high)] == [Form.RANGE, Form.RANGE]
    assert [end.value for end in (low, high)] == [Decimal("1.1"), Decimal("1.3")]


MARKED = [
    ("1.18^", "1.18", ("^",)),
    ("1.36^/^^", "1.36", ("^", "^^")),
    ("28828.5 MiB^", "28828.5", ("^",)),
    ("†14.39", "14.39", ("†",)),
    ("14.39†", "14.39", ("†",)),
    ("8[^2273]", "8", ("[^2273]",)),
    ("~ 1024[^3]", "1024", ("[^3]",)),
    ("[797*](https://example.org/a_(b))", "797", ("*",)),
    ("12.3<sup>2</sup>", "12.3", ("2",)),
    ("10<sup>1</sup>", "10", ("1",)),
    ("12.5¹", "12.5", ("1",)),
    ("12.5\\*", "12.5", ("*",)),
    ("**12.5**\\*\\*", "12.5", ("**",)),
]


@pytest.mark.parametrize(("cell", "value", "markers"), MARKED, ids=[row[0] for row in MARKED])
def test_footnote_markers_are_kept_with_the_number(
    cell: str, value: str, markers: tuple[str, ...]
) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.value, numeral.markers) == (Decimal(value), markers)


NOTED = [
    ("25.12 (2 on GPU)", "25.12", "2 on GPU", Status.OK),
    ("**29.12** (72 on GPU)", "29.12", "72 on GPU", Status.OK),
    ("2 (GAS=4)", "2", "GAS=4", Status.OK),
    ("3534.8833(1itrのみ実行)", "3534.8833", "1itrのみ実行", Status.OK),
    ("29138.6 MiB (OOM after first epoch)", "29138.6", "OOM after first epoch", Status.OOM),
    ("29087.7 MiB (OOM)", "29087.7", "OOM", Status.OOM),
    ("16GB borderline OOM", "16", "borderline OOM", Status.OK),
    ("1G, theoretically", "1", "theoretically", Status.OK),
    ("1.5x faster", "1.5", "faster", Status.OK),
    ("80 GB HBM2e", "80", "HBM2e", Status.OK),
    ("12.3 (crashed)", "12.3", "crashed", Status.FAILED),
]


@pytest.mark.parametrize(("cell", "value", "note", "status"), NOTED, ids=[row[0] for row in NOTED])
def test_words_after_a_number_are_its_note(
    cell: str, value: str, note: str, status: Status
) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.value, numeral.note, numeral.status) == (Decimal(value), note, status)


@pytest.mark.parametrize(
    ("cell", "value", "spread", "unit"),
    [
        ("132.19 ± 0.55", "132.19", "0.55", ""),
        ("77.12 +/- 0.11", "77.12", "0.11", ""),
        ("39.7% (± 1.2%)", "39.7", "1.2", "%"),
        ("132.19 ms ± 0.55 ms", "132.19", "0.55", "ms"),
        ("85.3±0.2%", "85.3", "0.2", "%"),
        ("88.52 (± 0.198) %", "88.52", "0.198", "%"),
        ("39.7<sub>±1.2</sub>", "39.7", "1.2", ""),
    ],
)
def test_plus_minus_is_the_spread(cell: str, value: str, spread: str, unit: str) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.value, numeral.spread, numeral.unit) == (Decimal(value), Decimal(spread), unit)


SEVERAL = [
    ("4.50 GB (19.05%)", [("number", "4.50", "GB"), ("number", "19.05", "%")]),
    ("1.96 s (4.54gb VRAM)", [("number", "1.96", "s"), ("number", "4.54", "gb")]),
    ("49.7 hours ($5482)", [("number", "49.7", "hours"), ("number", "5482", "$")]),
    ("4096 (2.2Hz)", [("number", "4096", ""), ("number", "2.2", "Hz")]),
    ("1 (max-proc-per-node=4, 2.2Hz)", [("number", "1", ""), ("number", "2.2", "Hz")]),
    ("34692Mib / 40537MiB", [("pair", "34692", "Mib"), ("pair", "40537", "MiB")]),
    ("10240/5120", [("pair", "10240", ""), ("pair", "5120", "")]),
    ("6,3", [("pair", "6", ""), ("pair", "3", "")]),
    ("33, 41, 52", [("pair", "33", ""), ("pair", "41", ""), ("pair", "52", "")]),
    ("145 ms / 4.29 s", [("pair", "145", "ms"), ("pair", "4.29", "s")]),
    ("OOM / 66.5 s", [("nothing", "None", ""), ("pair", "66.5", "s")]),
    ("66.5 s / OOM", [("pair", "66.5", "s"), ("nothing", "None", "")]),
    ("256-512", [("range", "256", ""), ("range", "512", "")]),
    ("5 – 10 GB", [("range", "5", "GB"), ("range", "10", "GB")]),
    ("2 to 4", [("range", "2", ""), ("range", "4", "")]),
    ("4/22", [("pair", "4", ""), ("pair", "22", "")]),
    ("8x A100", [("count", "8", "x")]),
    ("4xRTX3090", [("count", "4", "x")]),
    ("8 x 80GB", [("count", "8", "x")]),
    (
        "<sup>[1]</sup>29171.69<sup>w/XLA</sup><br>24734.22",
        [("pair", "29171.69", ""), ("pair", "24734.22", "")],
    ),
]


@pytest.mark.parametrize(("cell", "readings"), SEVERAL, ids=[row[0] for row in SEVERAL])
def test_cell_with_several_quantities(cell: str, readings: list[tuple[str, str, str]]) -> None:
    assert [brief(numeral) for numeral in read_cell(cell)] == readings


NAMES = [
    "LLaMA-7B", "7B-chat", "8B Q4_K_M", "70b chat", "A100 80GB", "3090 24GB * 2", "6700 XT",
    "1.10.2", "v0.2.3", "10.0.0.1", "24e86cae7219b0f3ede1d5abdf5bf3ad515cccb8", "GPUs/32",
    "GPUs\\*6", "see table 3", "batch 32", "5-shot", "4-bit", "3D U-Net", "224x224", "int8",
    "bs=16", "Decoder 12", "0x10", "1st", "1:23", "5 762", "512-256", "12,34,567", "4 + 16/d",
    "1e999999", "9" * 50, "- int8", "#1", "16B TFLOP/sec/chip", "![plot 3](a.png)", "-02",
    "-02 and -funroll-loops",
]  # fmt: skip


@pytest.mark.parametrize("cell", NAMES)
def test_ambiguous_cell_is_text(cell: str) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.form, numeral.value, numeral.status) == (Form.TEXT, None, Status.OK)


NOTHING = [
    *[(cell, Status.MISSING) for cell in ["", "-", "—", "--", "N/A", "n.a.", "???", "TBD", "..."]],
    *[(cell, Status.MISSING) for cell in ["---*", "—†", "- ‡"]],
    *[(cell, Status.MISSING) for cell in ["- MiB", "-MiB", "GB", "\\-------", "&nbsp;", "xx.xx"]],
    *[(cell, Status.OOM) for cell in ["OOM", "oom", "32GB OOMs", "x", "xxxx", "Out of memory"]],
    *[(cell, Status.OOM) for cell in ["OOM in `loss.backward()`", "**OOM**", "CUDA OOM"]],
    *[(cell, Status.OOM) for cell in ["OutOfMemoryError", "torch.cuda.OutOfMemoryError"]],
    *[(cell, Status.OOM) for cell in ["CUDA out of memory", "out-of-mem", "O.O.M."]],
    *[(cell, Status.FAILED) for cell in ["nan", "#VALUE!", "failed", "timeout", "Error", "crash"]],
]


@pytest.mark.parametrize(("cell", "status"), NOTHING, ids=[row[0] or "empty" for row in NOTHING])
def test_cell_without_a_number_says_why(cell: str, status: Status) -> None:
    (numeral,) = read_cell(cell)
    assert (numeral.form, numeral.value, numeral.status) == (Form.NOTHING, None, status)


@pytest.mark.parametrize(
    "cell",
    ["メモリ不足のため量子化", "runs (no OOM)", "larger ones avoid OOM", "if bs=64 it is OOM"],
)
def test_mentioning_oom_is_not_an_oom(cell: str) -> None:
    assert read_cell(cell)[0].status is Status.OK


def test_missing_number_keeps_its_unit() -> None:
    assert read_cell("- MiB")[0].unit == "MiB"


@pytest.mark.parametrize(
    ("cell", "flag"), [("Yes", True), ("✓", True), ("TRUE", True), ("是", True), ("✗", False)]
)
def test_yes_and_no_are_flags(cell: str, *, flag: bool) -> None:
    (numeral,) = read_cell(cell)
    assert numeral.form is Form.FLAG
    assert read_flag(numeral.text) is flag


@pytest.mark.parametrize(
    ("cell", "dates", "iso", "note"),
    [
        ("02-15", False, "--02-15", ""),
        ("02-15, 21107938", False, "--02-15", "21107938"),
        ("2022-02-15", False, "2022-02-15", ""),
        ("2025/5/9", False, "2025-05-09", ""),
        ("May 5, 2023", False, "2023-05-05", ""),
        ("4/22", True, "--04-22", ""),
        ("12-15", True, "--12-15", ""),
    ],
)
def test_dates_are_dates(cell: str, iso: str, note: str, *, dates: bool) -> None:
    (numeral,) = read_cell(cell, Style(dates=dates))
    assert (numeral.form, numeral.note) == (Form.DATE, note)
    assert read_date(numeral.text) == iso


@pytest.mark.parametrize(
    ("column", "decimal_comma"),
    [
        (["5,762", "12,004", "998"], False),
        (["5,762", "1,234,567"], False),
        (["17,89 ms", "5,762 ms"], True),
        (["17,89", "21,40", "3,05"], True),
        (["6,3", "4,2", "8,8"], False),
        (["0,25", "1,5"], True),
        (["6,3 GPUs"], False),
    ],
)
def test_commas_are_decided_by_the_column(column: list[str], *, decimal_comma: bool) -> None:
    assert column_style(column).decimal_comma is decimal_comma


@pytest.mark.parametrize(
    ("table", "decimal_comma"),
    [
        (["3577,4", "17,89 ms"], True),
        (["3577,4", "97,2%"], True),
        (["17,89 ms", "1,234,567"], False),
        (["3577,4", "6,3"], None),
        (["12.5", "abc"], None),
    ],
)
def test_a_table_shows_whether_its_commas_are_decimal(
    table: list[str], *, decimal_comma: bool | None
) -> None:
    assert shows_decimal_comma(table) is decimal_comma


def test_a_star_before_a_number_multiplies_only_in_a_column_of_counts() -> None:
    (numeral,) = read_cell("*8", Style(counts=True))
    assert (numeral.value, numeral.unit) == (Decimal(8), "x")
    assert read_cell("*8")[0].value is None


def test_three_digits_after_a_comma_follow_the_column() -> None:
    assert read_cell("5,762")[0].value == 5762
    assert read_cell("5,762", Style(decimal_comma=True))[0].value == Decimal("5.762")


def test_a_date_in_the_column_makes_other_cells_dates() -> None:
    assert column_style(["02-15", "12-15", "OOM"]).dates
    assert not column_style(["12-15", "256-512"]).dates


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("**bold** and *italic*", "bold and italic"),
        ("`code` [link](https://example.org) ![alt](x.png)", "code link alt"),
        ("a<br>b<sup>1</sup>", "a b1"),
        ("R&amp;D \\| x\\_y", "R&D | x_y"),
        ("snake_case_name", "snake_case_name"),
        ("rows \\ columns", "rows \\ columns"),
        ("<batch_size, length>", "<batch_size, length>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("~~old~~", "old"),
    ],
)
def test_plain_text_has_no_markup(raw: str, text: str) -> None:
    assert plain_text(raw) == text


def test_a_whole_cell_in_small_print_is_a_number() -> None:
    assert read_cell("<sup>139154</sup>")[0].value == 139154


def test_read_number_requires_the_whole_text() -> None:
    number = read_number("1,024.50")
    assert number is not None
    assert (number.value, number.quantum) == (Decimal("1024.50"), Decimal("0.01"))
    assert read_number("12 GB") is None


decimals = st.decimals(-(10**9), 10**9, places=3, allow_nan=False) | st.decimals(
    -(10**12), 10**12, places=0, allow_nan=False
)
units = st.sampled_from(["", "MiB", " GB", "ms", " tokens/s", "%", " K", "B", "x"])
wrappings = st.sampled_from(["{}", "**{}**", "`{}`", "[{}](https://example.org)", "<b>{}</b>"])
marks = st.sampled_from(["", "^", "†", "[^1]"])


@given(decimals, units, wrappings, marks)
def test_printed_number_round_trips(number: Decimal, unit: str, wrapping: str, mark: str) -> None:
    cell = wrapping.format(f"{number:f}{unit}") + mark
    (numeral,) = read_cell(cell)
    assert numeral.value == number
    assert numeral.quantum == Decimal(1).scaleb(int(number.as_tuple().exponent))
    assert numeral.unit == unit.strip()
    assert numeral.markers == ((mark,) if mark else ())


@given(st.lists(st.integers(1000, 10**12), min_size=1, max_size=5))
def test_column_with_thousands_commas_round_trips(numbers: list[int]) -> None:
    cells = [f"{number:,}" for number in numbers]
    style = column_style(cells)
    assert [read_cell(cell, style)[0].value for cell in cells] == numbers


@given(st.lists(st.decimals(0, 10**6, places=2, allow_nan=False), min_size=1, max_size=5))
def test_column_with_decimal_commas_round_trips(numbers: list[Decimal]) -> None:
    cells = [f"{number:f} ms".replace(".", ",") for number in numbers]
    style = column_style(cells)
    assert [read_cell(cell, style)[0].value for cell in cells] == numbers


pieces = st.sampled_from(
    """1 2,5 3.4e5 ± ( ) [ ] / - – ~ x × ^ * ** ` | <br> <sup> </sup>
    OOM GB ms % $ 10^ 万 卡 : , . ? &""".split()
)


@given(st.text(max_size=60) | st.lists(pieces, max_size=14).map("".join))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for style in (Style(), Style(decimal_comma=True, dates=True)):
        readings = read_cell(text, style)
        assert readings
        for numeral in readings:
            assert (numeral.value is None) == (numeral.quantum is None)
            assert numeral.value is None or numeral.value.is_finite()
    plain_text(text)
    column_style([text])


@pytest.mark.parametrize(
    "unit",
    [
        "9",
        "1,",
        "1.",
        "1e",
        "(",
        "[a](",
        "*",
        "_",
        "$\\",
        "<",
        "<!--",
        "1/",
        "1 ",
        "x",
        "±1",
        "&",
        "~~a",
    ],
)
@pytest.mark.usefixtures("no_hang")
def test_long_text_is_read_to_its_end(unit: str) -> None:
    for text in (unit * 20_000, (unit * 400)[:400]):
        assert read_cell(text)


@pytest.mark.parametrize("text", ["'149.83 ± 1.47%'", '"149.83"'])
def test_quotes_around_a_number(text: str) -> None:
    assert read_cell(text)[0].value == Decimal("149.83")


@pytest.mark.parametrize("text", ["'join'", "'A100'", "5'", "'90s"])
def test_quotes_around_words(text: str) -> None:
    assert read_cell(text)[0].value is None


def test_the_ends_of_an_interval_may_have_signs() -> None:
    middle, low, high = read_cell("[-21.4% -12.2% +2.5%]")
    assert (low.value, middle.value, high.value) == (
        Decimal("-21.4"),
        Decimal("-12.2"),
        Decimal("2.5"),
    )


def test_an_unknown_rate_is_missing() -> None:
    assert read_cell("? ?/sec")[0].form is Form.NOTHING
