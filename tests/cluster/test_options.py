"""`--engine dask` on the command line: errors are one line, with exit code 2."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path

import pyarrow as pa
import pytest
from distributed import Client
from pyarrow import parquet

from mdbench.cli.main import main
from mdbench.cluster import Size, read_amount
from mdbench.cluster import dask_workers as cluster

DASK = ["--engine", "dask", "-o", "out"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a dataset, reports, and a folder with both."""
    monkeypatch.chdir(tmp_path)
    for name in ("reports", "both", "neither"):
        Path(name).mkdir()
    Path("reports/a.md").write_text("# A\n")
    Path("both/a.md").write_text("# A\n")
    for path in ("crawl.parquet", "both/crawl.parquet"):
        parquet.write_table(pa.table({"where": ["a"], "what": ["# A\n"], "year": [2.5]}), path)
    Path("broken.parquet").write_text("not parquet")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["normalize", "--engine", "dask"], "--engine dask requires -o FOLDER"),
        (["normalize", *DASK, "-"], "--engine dask cannot read standard input"),
        (["normalize", *DASK, "--format", "csv"], "writes parquet, not --format csv"),
        (["lint", *DASK, "--format", "sarif"], "writes parquet, not --format sarif"),
        (["lint", *DASK, "--fix"], "--fix cannot be used with --engine dask"),
        (["lint", *DASK, "--write-baseline"], "--write-baseline cannot be used with --engine dask"),
        (["lint", "--scheduler", "tcp://a:1"], "--scheduler requires --engine dask"),
        (["normalize", "--path-column", "x"], "--path-column requires --engine dask"),
        (["normalize", *DASK, "gone.md"], "gone.md: no such file or folder"),
        (["normalize", *DASK, "gone/*.md"], "gone/*.md: no file matches this pattern"),
        (["normalize", *DASK, "both"], "both: contains both parquet files and reports"),
        (["normalize", *DASK, "neither"], "neither: contains neither parquet files nor reports"),
        (["normalize", *DASK, "nowhere://a/b"], "nowhere://a/b: Protocol not known: nowhere"),
        (["normalize", *DASK, "broken.parquet"], "broken.parquet: is not a readable parquet file"),
        (
            ["normalize", *DASK, "crawl.parquet"],
            "crawl.parquet: has no column 'path'; available: where, what, year; use --path-column",
        ),
        (
            ["normalize", *DASK, "crawl.parquet", "--path-column", "where"],
            "has no column 'content'; available: where, what, year; use --content-column",
        ),
        (
            ["lint", *DASK, "crawl.parquet", "--path-column", "x", "--content-column", "what"],
            "crawl.parquet: has no column 'x'; available: where, what, year",
        ),
        (
            ["lint", *DASK, "crawl.parquet", "--path-column", "where", "--content-column", "year"],
            "crawl.parquet: the column 'year' is double, neither text nor bytes",
        ),
        (
            ["normalize", "reports", "--engine", "dask", "-o", "reports/a.md"],
            "reports/a.md: is a file; --engine dask writes a folder",
        ),
        (
            ["normalize", "reports", *DASK, "--scheduler", "nowhere"],
            "--scheduler nowhere: cannot be reached",
        ),
        (
            ["normalize", "reports", *DASK, "--scheduler", "tcp://127.0.0.1:1"],
            "--scheduler tcp://127.0.0.1:1: cannot be reached",
        ),
        (
            ["lint", "reports", "--engine", "dask", "-o", "memory://o", "--scheduler", "tcp://a:1"],
            "memory:///o: is in this process only; --scheduler cannot reach it",
        ),
    ],
)
def test_unsupported_options_are_reported_in_one_line(
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", "1s")
    assert main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("mdbench: ")
    assert told in lines[0]


def test_a_scheduler_that_cannot_be_reached_leaves_no_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", "100ms")
    gc.collect()
    gc.disable()
    try:
        assert main(["lint", "reports", *DASK, "--scheduler", "tcp://127.0.0.1:1"]) == 2
        assert not any(isinstance(one, Client) for one in gc.get_objects())
    finally:
        gc.enable()


def test_without_dask_the_error_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    lacking = ("dask", "distributed")
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in lacking else find(name)
    )
    assert main(["lint", "reports", *DASK]) == 2
    assert capsys.readouterr().err == (
        "mdbench: --engine dask requires dask and distributed, not installed here; "
        "in a checkout of mdbench: pip install '.[dask]'\n"
    )


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("5000", Size(files=5000)),
        ("64MB", Size(bytes=64_000_000)),
        ("2 MiB", Size(bytes=2_097_152)),
        ("2k", Size(bytes=2000)),
    ],
)
def test_sizes_are_files_or_bytes(text: str, size: Size) -> None:
    assert read_amount(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "3 files", "8MBs"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        read_amount(text)
