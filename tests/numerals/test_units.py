"""Dimension and exact scale of the units in reports."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.numerals.units import parse_unit

KNOWN = [
    ("B", None, None),
    ("kB", "byte", "1e3"),
    ("KB", "byte", "1e3"),
    ("mb", "byte", "1e6"),
    ("GB", "byte", "1e9"),
    ("Mib", "byte", 2**20),
    ("MiB", "byte", 2**20),
    ("GiB", "byte", 2**30),
    ("Gi", "byte", 2**30),
    ("GiBs", "byte", 2**30),
    ("MBs", "byte", "1e6"),
    ("Gbs", None, None),
    ("Bs", None, None),
    ("bit", "byte", "0.125"),
    ("Gbps", "byte/s", "125e6"),
    ("Gbit/s", "byte/s", "125e6"),
    ("Gb/s", "byte/s", "125e6"),
    ("GBps", "byte/s", "1e9"),
    ("gb/s", "byte/s", "1e9"),
    ("GB/GPU", "byte/device", "1e9"),
    ("B/op", "byte/op", 1),
    ("allocs/op", "alloc/op", 1),
    ("Mops/s", "op/s", "1e6"),
    ("M ops/s", "op/s", "1e6"),
    ("ns/op", "s/op", "1e-9"),
    ("ps", "s", "1e-12"),
    ("ps/iter", "s/step", "1e-12"),
    ("IOPS", "op/s", 1),
    ("kQPS", "sample/s", "1e3"),
    ("Melem/s", "item/s", "1e6"),
    ("cycles/byte", "cycle/byte", 1),
    ("GFLOPS/W", "flop/s/W", "1e9"),
    ("$/1M tokens", "usd/token", "1e-6"),
    ("$ per 1M tokens", "usd/token", "1e-6"),
    ("$/1K requests", "usd/sample", "1e-3"),
    ("μs", "s", "1e-6"),
    ("s", "s", 1),
    ("ms", "s", "1e-3"),
    ("µs", "s", "1e-6"),
    ("hours", "s", 3600),
    ("秒", "s", 1),
    ("小时", "s", 3600),
    ("s/it", "s/step", 1),
    ("ms/iter", "s/step", "1e-3"),
    ("seconds per iteration", "s/step", 1),
    ("ms/token", "s/token", "1e-3"),
    ("it/s", "step/s", 1),
    ("tokens/s/GPU", "token/s/device", 1),
    ("tok/gpu/s", "token/s/device", 1),
    ("TGS", "token/s/device", 1),
    ("t/s", "token/s", 1),
    ("k tokens/s", "token/s", 1000),
    ("Mtok/s", "token/s", "1e6"),
    ("Tokens Per Second", "token/s", 1),
    ("token(s)", "token", 1),
    ("img/sec", "sample/s", 1),
    ("sequences/s", "sample/s", 1),
    ("FPS", "sample/s", 1),
    ("TFLOPs", "flop/s", "1e12"),
    ("TFLOPs/s", "flop/s", "1e12"),
    ("PetaFLOPs", "flop/s", "1e15"),
    ("TFLOP/s/chip", "flop/s/device", "1e12"),
    ("TFLOPS/GPU", "flop/s/device", "1e12"),
    ("FLOPs/token", "flop/token", 1),
    ("GHz", "Hz", "1e9"),
    ("mW", "W", "1e-3"),
    ("MW", "W", "1e6"),
    ("kJ", "J", 1000),
    ("kWh", "J", 3600000),
    ("tokens/J", "token/J", 1),
    ("$", "usd", 1),
    ("k $", "usd", 1000),
    ("$/hour", "usd/h", 1),
    ("GPU hours", "device*s", 3600),
    ("node-days", "node*s", 86400),
    ("%", "ratio", "0.01"),
    ("x", "ratio", 1),
    ("×", "ratio", 1),
    ("卡", "device", 1),
    ("节点", "node", 1),
    ("B params", "param", "1e9"),
    ("/GPU", "1/device", 1),
    ("MB/vCPU", "byte/core", "1e6"),
    ("万条/s", "sample/s", "1e4"),
    ("千条/s", "sample/s", "1e3"),
    ("百万行/s", "item/s", "1e6"),
    ("만건/초", "item/s", "1e4"),
    ("тыс. запросов/сек", "sample/s", "1e3"),
    ("Mio. Zeilen/s", "item/s", "1e6"),
    ("每秒请求", "sample/s", 1),
    ("GPU-Std.", "device*s", 3600),
    ("€/GPU-Std.", "eur/h/device", 1),
]


@pytest.mark.parametrize(("text", "dimension", "scale"), KNOWN, ids=[row[0] for row in KNOWN])
def test_unit_has_dimension_and_scale(
    text: str, dimension: str | None, scale: str | int | None
) -> None:
    unit = parse_unit(text)
    if dimension is None or scale is None:
        assert unit is None
        return
    assert unit is not None
    assert (unit.text, unit.dimension, unit.scale) == (text, dimension, Decimal(scale))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "K",
        "M",
        "m",
        "G",
        "T",
        "万",
        "D",
        "A",
        "MA",
        "ma",
        "mixture",
        "XT",
        "T s",
        "B TFLOP/s",
        "GB/",
        "12",
    ],
)
def test_other_text_is_not_a_unit(text: str) -> None:
    assert parse_unit(text) is None


TOPS: dict[str, tuple[str, int | Decimal]] = {
    "tokens": ("token", 1),
    "ms": ("s", Decimal("1e-3")),
    "GiB": ("byte", 2**30),
    "images": ("sample", 1),
    "iterations": ("step", 1),
    "kJ": ("J", 1000),
}
BOTTOMS: dict[str, tuple[str, int | Decimal]] = {
    "s": ("s", 1),
    "GPU": ("device", 1),
    "node": ("node", 1),
    "step": ("step", 1),
    "ms": ("s", Decimal("1e-3")),
    "epoch": ("epoch", 1),
}


@pytest.mark.slow
@given(
    st.sampled_from(sorted(TOPS)),
    st.lists(st.sampled_from(sorted(BOTTOMS)), min_size=1, max_size=3, unique=True),
    st.sampled_from(["/", " / ", " per "]),
)
def test_compound_unit_has_the_product_of_its_scales(
    top: str, bottoms: list[str], slash: str
) -> None:
    unit = parse_unit(slash.join([top, *bottoms]))
    assert unit is not None
    scale = Decimal(TOPS[top][1])
    for bottom in bottoms:
        scale /= Decimal(BOTTOMS[bottom][1])
    assert unit.scale == scale
    numerator, *denominators = unit.dimension.split("/")
    assert numerator == TOPS[top][0]
    assert sorted(denominators) == sorted(BOTTOMS[bottom][0] for bottom in bottoms)


@given(st.text(max_size=80))
def test_any_text_gives_a_unit_or_none(text: str) -> None:
    unit = parse_unit(text)
    assert unit is None or (unit.scale > 0 and unit.dimension)
