"""What mdbench makes of the output of benchmark tools, as people paste it into reports."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pytest_regressions.file_regression import FileRegressionFixture

import mdbench

REPORTS = Path(__file__).resolve().parent / "reports"
TOOLS = sorted(path.stem for path in REPORTS.glob("*.md"))

# The columns and rows that the tool computed from others that it prints as well. Where a column
# has other numbers too, the quantity or the statistic of those that are meant comes after `: `.
DERIVED = {
    "autocannon": ("Req/Sec: mean", "Bytes/Sec"),
    "benchmarkdotnet": ("Ratio", "Alloc Ratio", "Op/s"),
    "benchstat": ("new.txt vs base",),
    "bombardier": ("Reqs/sec: mean", "Latency: mean"),
    "critcmp": (
        "after: relative",
        "after: bandwidth_gb_per_s",
        "base: relative",
        "base: bandwidth_gb_per_s",
    ),
    "criterion": ("thrpt", "change thrpt"),
    "fio": ("IOPS", "BW"),
    "go-test": ("MB/s",),
    "google-benchmark": ("UserCounters...",),
    "hyperfine": ("Relative",),
    "jmh": ("Score: bandwidth_gb_per_s",),
    "k6": ("checks_total/s", "http_reqs/s", "iterations/s", "data_received/s", "data_sent/s"),
    "lm-evaluation-harness": ("Value: perplexity",),
    "mitata": ("relative",),
    "mlperf": ("QPS w/o loadgen overhead",),
    "nccl-tests": (
        "count (elements)",
        "out-of-place algbw (GB/s)",
        "out-of-place busbw (GB/s)",
        "in-place algbw (GB/s)",
        "in-place busbw (GB/s)",
    ),
    "oha": ("Requests/sec", "Size/sec", "Total data"),
    "pgbench": ("tps", "latency average"),
    "pytest-benchmark": ("OPS (Kops/s)",),
    "redis-benchmark": ("Requests/sec",),
    "sglang-serving": (
        "Request throughput (req/s)",
        "Input token throughput (tok/s)",
        "Output token throughput (tok/s)",
        "Total token throughput (tok/s)",
        "Concurrency",
    ),
    "sysbench": ("events per second",),
    "tinybench": ("Throughput med (ops/s)",),
    "wrk": ("Requests/sec", "Transfer/sec"),
    "vllm-serving": (
        "Request throughput (req/s)",
        "Output token throughput (tok/s)",
        "Total Token throughput (tok/s)",
    ),
}
# What prints nothing that follows from its other numbers, and why.
UNDERIVED = {
    "benchmark-js": "rates with their errors, and the durations of the runs are not printed",
    "llama-bench": "rates with their deviations, and neither times nor the bits of a weight",
}
SHOWN = (
    "table",
    "row",
    "header",
    "quantity",
    "statistic",
    "raw",
    "value",
    "unit",
    "spread",
    "bound",
)


@cache
def read_cells(tool: str) -> list[dict[Hashable, Any]]:
    frame = mdbench.normalize(REPORTS / f"{tool}.md", "cells")
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_tool_printed_is_silent(tool: str) -> None:
    findings = mdbench.lint((REPORTS / f"{tool}.md").read_text(encoding="utf-8"))
    assert [(one.code, one.message) for one in findings] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_the_frame_is_what_a_person_expects(
    tool: str, file_regression: FileRegressionFixture
) -> None:
    lines = [
        " | ".join("" if cell[name] is None else str(cell[name]) for name in SHOWN)
        for cell in read_cells(tool)
    ]
    text = "\n".join([" | ".join(SHOWN), *lines, ""])
    file_regression.check(text, encoding="utf-8")


def is_meant(cell: dict[Hashable, Any], name: str) -> bool:
    header, _, which = name.partition(": ")
    return cell["header"] == header and which in ("", cell["quantity"], cell["statistic"])


def test_every_tool_has_derived_numbers_or_a_reason_to_have_none() -> None:
    assert sorted((*DERIVED, *UNDERIVED)) == TOOLS


@pytest.mark.parametrize("tool", UNDERIVED)
def test_nothing_is_verified_where_nothing_is_derived(tool: str) -> None:
    assert [cell for cell in read_cells(tool) if cell["verified"] is True] == []


@pytest.mark.parametrize("tool", DERIVED)
def test_half_of_the_derived_numbers_are_verified(tool: str) -> None:
    found = [
        [cell for cell in read_cells(tool) if is_meant(cell, name) and cell["value"] is not None]
        for name in DERIVED[tool]
    ]
    assert all(found)
    derived = [cell for cells in found for cell in cells]
    assert sum(cell["verified"] is True for cell in derived) >= len(derived) / 2


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_tool_printed_in_a_fence_stays_as_it_is(tool: str) -> None:
    text = (REPORTS / f"{tool}.md").read_text(encoding="utf-8")
    rendered = mdbench.render(text)
    assert text.split("```")[1::2] == rendered.split("```")[1::2]


def test_every_report_says_who_printed_it() -> None:
    readme = (REPORTS.parent / "README.md").read_text(encoding="utf-8")
    listed = [line.split("|")[1].strip() for line in readme.splitlines() if line.startswith("| ")]
    assert listed[1:] == TOOLS
