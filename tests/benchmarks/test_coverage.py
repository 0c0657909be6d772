"""The coverage benchmark: most of real reports is read, and numeric cells are counted fairly."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.coverage import looks_numeric

PROJECT = Path(__file__).resolve().parent.parent.parent
SHARES = re.compile(r"cells +([\d.]+) % of +(\d+)  headers +([\d.]+) % of +(\d+)  (.+)")


def run_script(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.coverage", *map(str, arguments)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def shares_of(output: str, name: str) -> tuple[float, int, float, int]:
    (found,) = [match for match in SHARES.finditer(output) if match[5].endswith(name)]
    return float(found[1]), int(found[2]), float(found[3]), int(found[4])


def test_the_samples_are_read() -> None:
    output = run_script("--reports", PROJECT / "reports")
    cells, numeric, headers, _ = shares_of(output, "all")
    assert cells == 100
    assert numeric > 500
    assert headers >= 95
    for report in (PROJECT / "reports").glob("*.md"):
        shares_of(output, report.name)


def test_each_path_has_a_line_and_all_together_the_sum(tmp_path: Path) -> None:
    for name, header in (("a", "Gadget"), ("b", "Nodes"), ("c", "p99")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.md").write_text(f"| {header} | Sec/it |\n|--|--|\n| 4 | 2.5 |\n")
    output = run_script(*(tmp_path / name for name in "abc"))
    assert shares_of(output, f"{tmp_path}/a") == (100, 2, 50, 2)
    assert shares_of(output, f"{tmp_path}/b") == (100, 2, 100, 2)
    # A statistic is a meaning too.
    assert shares_of(output, f"{tmp_path}/c") == (100, 2, 100, 2)
    assert shares_of(output, "all") == (100, 6, 83.3, 6)
    assert "x.md" not in output


def test_the_corpus_is_read(corpus: Path) -> None:
    output = run_script(corpus)
    cells, numeric, headers, total = shares_of(output, "all")
    assert cells >= 98
    assert headers >= 75
    assert (numeric > 10_000, total > 1000) == (True, True)


def test_unread_headers_are_listed_by_frequency(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "| Model | Gadget |\n|--|--|\n| 7b | red |\n| 7b | red |\n| 13b | red |\n"
    )
    listed = run_script(tmp_path).splitlines()
    assert listed[listed.index("unread headers, the 50 most common:") + 1].split() == [
        "1",
        "Gadget",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "4",
        "0.86",
        "-13.8 %",
        "−13.8 %",
        "16225243136",
        "1,234.5",
        "10 240",
        ".5",
        "1.30E+02",
        "2.4 x 10^7",
        "~6300",
        "$5.2",
        "18870.0 MiB",
        "16GB",
        "6.7G",
        "0.86^",
        "1.3B",
        "7b",
        "350 ms/iter",
        "270.32 tokens/s",
        "3.3 ± 0.1",
        "3.3016 +/- 0.0168",
        "29592MiB / 40537MiB",
        "55.2G / 36.0s/it",
        "256-512",
        "0:06:48.60",
        "33 hours",
        "8 GPUs",
        "1.8x",
        "1024 (2.2 GHz)",
        "12.5 [1]",
        "8 卡",
        "3.5 秒",
    ],
)
def test_numeric_cells(text: str) -> None:
    assert looks_numeric(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "OOM",
        "BF16",
        "A100",
        "8 * A100",
        "1x v5p-2048",
        "2023-09-05",
        "02-15",
        "4/23",
        "2.6.0",
        "23.11.30",
        "1963fc8",
        "3080 10GB",
        "6700 XT",
        "3D U-Net",
        "5-shot",
        "224x224",
        "72B + vLLM",
        "8B F16",
        "256 Chips, BF16, SL=8192",
        "4096 is the context size",
        "Llama 2",
        "batch size of 9 fails",
        "1.",
        "(4)",
    ],
)
def test_cells_that_are_not_numeric(text: str) -> None:
    assert not looks_numeric(text)
