"""Properties of lint: what must not change a result, and what must never be reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

from hypothesis import given
from hypothesis import strategies as st

from mdbench.linting.checker import check
from mdbench.source import Source

Row = tuple[str, ...]
_COUNTS = st.sampled_from([8, 16, 24, 64, 96, 512, 1024, 1536])
_TIMES = st.decimals(min_value="0.05", max_value="900", places=6, allow_nan=False)


@dataclass(frozen=True)
class Print:
    """How numbers are printed: the number of digits, and whether they are truncated."""

    digits: int
    cut: bool

    def write(self, number: Decimal) -> str:
        place = number.adjusted() - self.digits + 1
        rounding = ROUND_DOWN if self.cut else ROUND_HALF_EVEN
        written = number.quantize(Decimal(1).scaleb(min(place, 0)), rounding)
        if place > 0:
            written = (number.scaleb(-place)).quantize(Decimal(1), rounding).scaleb(place)
        return f"{written:f}"


PRINTS = st.builds(Print, st.integers(1, 6), st.booleans())


def table(header: Row, rows: Sequence[Row]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def errors(text: str) -> list[tuple[str, str, str]]:
    """The arithmetic errors: code, line and message."""
    source = Source("report.md", text)
    return [
        (one.code, source.line_text(source.line(one.span.start)), one.message)
        for one in check(source)
        if one.code.startswith("MB3") and one.severity != "info"
    ]


@given(st.lists(st.tuples(_COUNTS, _TIMES), min_size=2, max_size=7), PRINTS, PRINTS)
def test_rates_and_times_of_any_precision_have_no_findings(
    runs: list[tuple[int, Decimal]], times: Print, rates: Print
) -> None:
    rows = [(str(gbs), times.write(time), rates.write(gbs / time)) for gbs, time in runs]
    assert errors(table(("GBS", "Sec/it", "Samples/s"), rows)) == []


@given(
    st.lists(st.tuples(_COUNTS, _TIMES), min_size=2, max_size=6),
    st.sampled_from([2, 4, 8]),
    PRINTS,
    PRINTS,
)
def test_totals_of_devices_of_any_precision_have_no_findings(
    runs: list[tuple[int, Decimal]], each: int, single: Print, total: Print
) -> None:
    rows = [
        (str(nodes), single.write(rate * 100), total.write(rate * 100 * nodes * each))
        for nodes, rate in runs
    ]
    assert errors(table(("Nodes", "Tokens/s per GPU", "Tokens/s"), rows)) == []


@given(st.lists(st.tuples(_TIMES, _TIMES), min_size=3, max_size=6), PRINTS, PRINTS)
def test_speedups_of_any_precision_have_no_findings(
    runs: list[tuple[Decimal, Decimal]], times: Print, ratios: Print
) -> None:
    rows = [
        (f"m{at}", times.write(old), times.write(new), ratios.write(old / new) + "x")
        for at, (old, new) in enumerate(runs)
    ]
    header = ("Model", "FP16 latency (ms)", "INT4 latency (ms)", "Speedup")
    assert errors(table(header, rows)) == []


def _sizes(number: int, factor: int) -> Row:
    dp, tp, pp = 2 ** (number % 5 + 1), 2 ** (number % 3), 2 ** (number % 2)
    return str(dp * tp * pp * factor), str(dp), str(tp), str(pp), f"{number}.5"


@given(st.permutations([_sizes(number, 3 if number == 5 else 1) for number in range(8)]))
def test_the_order_of_rows_does_not_matter(rows: list[Row]) -> None:
    header = ("Nodes", "DP", "TP", "PP", "Sec/it")
    usual = [_sizes(number, 3 if number == 5 else 1) for number in range(8)]
    assert sorted(errors(table(header, rows))) == sorted(errors(table(header, usual)))
    assert len(errors(table(header, rows))) == 1


@given(
    st.lists(st.tuples(_COUNTS, st.integers(10, 900_000)), min_size=3, max_size=6),
    st.sampled_from([None, 0, 1, 2]),
)
def test_seconds_or_milliseconds_make_no_difference(
    runs: list[tuple[int, int]], wrong: int | None
) -> None:
    def blame(unit: str, places: int) -> set[str]:
        rows = []
        for at, (gbs, tenths) in enumerate(runs):
            rate = Decimal(gbs * 10_000) / tenths * (2 if at == wrong else 1)
            time = Decimal(tenths).scaleb(-places)  # trailing zeros count behind a point only
            rows.append((str(gbs), f"{time:f}", f"{rate:.4f}"))
        text = table(("GBS", f"Step time ({unit})", "Samples/s"), rows)
        # The explanation may differ, such as a swap of two cells, but the error is still reported.
        return {line.split("|")[-2] for _, line, _ in errors(text)}

    assert blame("s", 4) == blame("ms", 1)
