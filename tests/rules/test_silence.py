"""What the rules about results and their comparison do not report, and when they do."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

SPEEDUPS = (
    "| Old | New | Speedup |\n|--|--|--|\n| 202.00 ms | 102.00 ms | 1.98 |\n"
    "| 389.00 ms | 112.00 ms | 3.47 |\n| 517.00 ms | 103.00 ms | 5.02 |\n"
    "| 607.00 ms | 109.00 ms | 5.57 |\n| 157.00 ms | 121.00 ms | 1.30 |\n"
)
SILENT: dict[str, tuple[str, str]] = {
    "MB101: a column that half of the rows leave blank": (
        "MB101",
        "| A | B | C |\n|--|--|--|\n| 2 | 1 | |\n| 4 | 1 | x |\n| 8 | 2 |\n",
    ),
    "MB102: a blank row at the end of every table": (
        "MB102",
        "| A | B |\n|--|--|\n| 2 | 1 |\n| | |\n\n| C | D |\n|--|--|\n| 2 | 1 |\n| | |\n",
    ),
    "MB105: comments at the end": (
        "MB105",
        "# Runs\n\n## Results\n\nNone yet.\n\n## Comments\n",
    ),
    "MB201: a row that measures something else": (
        "MB201",
        (
            "| Part | Latency p50 | Latency p99 |\n|--|--|--|\n| Engine | 50 ns | 200 ns |\n"
            "| Disk | 50 us | 55 us |\n| Power | 100 W | 90 W |\n"
        ),
    ),
    "MB203: a planned run": (
        "MB203",
        "| Nodes | Sec/it | Mem |\n|--|--|--|\n| 4 | 29.1 | 18.5 MiB |\n| 8 | - | - MiB |\n",
    ),
    "MB206: two markers, several times each": (
        "MB206",
        (
            "| Crate | Read (ns) | Update (ns) |\n|--|--|--|\n| a | 1.1 | n/a |\n"
            "| b | 1.2 | --- |\n| c | 1.3 | 4.1 |\n| d | 1.4 | n/a |\n| e | 1.5 | --- |\n"
        ),
    ),
    "MB206: a cell that was not filled in": (
        "MB206",
        (
            "| Model | Tokens/s |\n|--|--|\n| a | 11.2 |\n| b | N/A |\n| c | N/A |\n| d |  |\n"
            "| e | 9.1 |\n"
        ),
    ),
    "MB209: several remarks that have nowhere else to go": (
        "MB209",
        (
            "| Run | Time (s) |\n|--|--|\n| a | 2.1 |\n| b | 2.4 (static) |\n| c | 2.2 |\n"
            "| d | 2.8 (static) |\n| e | 2.9 (dynamic) |\n| f | 2.9 |\n| g | 2.7 |\n| h | 2.6 |\n"
        ),
    ),
    "MB209: a remark that has nowhere else to go": (
        "MB209",
        "| Run | Time (s) |\n|--|--|\n| a | 2.1 |\n| b | 2.4 (two walls) |\n| c | 2.2 |\n",
    ),
    "MB301: a mean of rates beside a mean latency with a long tail": (
        "MB301",
        (
            "| Batch | Throughput Avg (img/s) | Latency Avg (ms) | Latency 99% (ms) |\n|-|-|-|-|\n"
            "| 1 | 100 | 10.00 | 10.1 |\n| 2 | 200 | 10.00 | 10.2 |\n| 4 | 400 | 10.00 | 10.1 |\n"
            "| 8 | 860 | 10.00 | 22.9 |\n"
        ),
    ),
    "MB301: rows with a rate of their own": (
        "MB301",
        (
            "| Model | Time (min) | Cost |\n|--|--|--|\n| a | 20.00 | $0.6 |\n"
            "| b | 31.00 | $0.9 |\n| c | 40.00 | $1.2 |\n| d | 50.00 | $1.5 |\n"
            "| e | 60.00 | $1.8 |\n| f | 70.00 | $2.1 |\n| g | 80.00 | $2.4 |\n"
            "| h | 90.00 | $2.7 |\n| i | 95.00 | $2.9 |\n| j | 99.00 | $3.0 |\n"
            "| k | 8.31 | $0.8 |\n| l | 14.89 | $1.4 |\n| m | 6.20 | $0.6 |\n"
        ),
    ),
    "MB304: a measured time": (
        "MB304",
        (
            "| Files | Time (s) | Files/s |\n|--|--|--|\n| 36120 | 151 | 238.0 |\n"
            "| 36120 | 123 | 293.6 |\n| 36120 | 99 | 364.8 |\n| 36120 | 213 | 169.6 |\n"
        ),
    ),
    "MB304: a column that is truncated throughout": (
        "MB304",
        (
            "| Old | New | Speedup |\n|--|--|--|\n| 157.00 ms | 121.00 ms | 1.29 |\n"
            "| 149.70 ms | 107.00 ms | 1.39 |\n| 128.40 ms | 107.10 ms | 1.19 |\n"
            "| 113.00 ms | 102.00 ms | 1.10 |\n"
        ),
    ),
    "MB403: runs of different days": (
        "MB403",
        (
            "| Nodes | TP | DP | Sec/it | Date |\n|-|-|-|-|-|\n| 4 | 4 | 1 | 2533.0 | 05-25 |\n"
            "| 4 | 4 | 1 | 2857.8 | 05-26 |\n"
        ),
    ),
    "MB403: below different headings, one level up": (
        "MB403",
        (
            "# Release 1\n\n## Training\n\n| Nodes | TP | DP | Sec/it |\n|--|--|--|--|\n"
            "| 4 | 4 | 1 | 2533.0 |\n\n# Release 2\n\n## Training\n\n"
            "| Nodes | TP | DP | Sec/it |\n|--|--|--|--|\n| 4 | 4 | 1 | 2857.8 |\n"
        ),
    ),
    "MB501: more devices in each node": (
        "MB501",
        (
            "| num_nodes | gpu_num_per_node | throughput |\n|--|--|--|\n| 1 | 1 | 140.4 |\n"
            "| 2 | 8 | 2115.3 |\n"
        ),
    ),
    "MB501: another batch for each device": (
        "MB501",
        "| GPUs | Batch / GPU | Tokens/s |\n|--|--|--|\n| 1 | 8 | 14497 |\n| 2 | 16 | 40222 |\n",
    ),
    "MB502: what all devices of a run reach": (
        "MB502",
        "| Device | GPUs | TFLOPs |\n|--|--|--|\n| A100 | 8 | 731.4 |\n| A100 | 1 | 97.1 |\n",
    ),
}


def lines_of(text: str, code: str) -> list[int]:
    source = Source("case.md", text)
    return [source.line(one.span.start) for one in check(source) if one.code == code]


@pytest.mark.parametrize(("code", "text"), SILENT.values(), ids=SILENT.keys())
def test_not_found(code: str, text: str) -> None:
    assert lines_of(text, code) == []


def test_a_number_that_was_truncated_among_rounded_ones_is_found() -> None:
    assert lines_of(SPEEDUPS.replace("1.30", "1.29"), "MB304") == [7]


def test_a_round_number_is_not_truncated() -> None:
    text = (
        "| Rate | Time | Items |\n|--|--|--|\n| 10/s | 27.81 s | 270 |\n| 10/s | 31.00 s | 310 |\n"
    )
    assert lines_of(text, "MB304") == []


def test_a_rate_per_device_is_compared_with_the_peak_of_one() -> None:
    text = "| Device | GPUs | TFLOPs/GPU |\n|--|--|--|\n| A100 | 8 | 731.4 |\n| A100 | 1 | 97.1 |\n"
    assert lines_of(text, "MB502") == [3]


@pytest.mark.parametrize(("devices", "lines"), [(8, [3]), (32, [])])
def test_there_are_no_more_replicas_than_devices(devices: int, lines: list[int]) -> None:
    text = f"| #GPUs | Data Parallel | Samples/s |\n|--|--|--|\n| {devices} | 32 | 7200.3 |\n"
    assert lines_of(text, "MB305") == lines


def test_runs_of_the_same_day_and_settings_are_compared() -> None:
    code, text = SILENT["MB403: runs of different days"]
    assert lines_of(text.replace("05-26", "05-25"), code) == [4]


def test_runs_below_the_same_headings_are_compared() -> None:
    code, text = SILENT["MB403: below different headings, one level up"]
    assert lines_of(text.replace("Release 2", "Release 1"), code) == [15]


def test_a_rate_that_no_tail_explains_is_reported() -> None:
    text = SILENT["MB301: a mean of rates beside a mean latency with a long tail"][1]
    (finding,) = [
        one for one in check(Source("a.md", text.replace("22.9", "10.2"))) if one.code == "MB301"
    ]
    assert "860" in finding.message
