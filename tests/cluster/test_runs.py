"""`--engine dask`: datasets and patterns in, partitions of parquet out, for any content.

Runs that write to `memory://` use threads of this process, which start quickly. Real workers are in
test_workers.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset, parquet

from mdbench import __version__
from mdbench.cli.main import main
from mdbench.cluster import partitions as parts
from mdbench.cluster.datasets import Columns
from mdbench.cluster.file_rows import FoundFile, Made, make_rows
from mdbench.cluster.input_files import Found, find_place, look_at
from mdbench.cluster.job import Job
from mdbench.cluster.partitions import make_part
from mdbench.cluster.pieces import Piece, Slice
from mdbench.cluster.store import Store
from mdbench.frames import pandas as frames
from mdbench.frames.frame_columns import Shape
from mdbench.linting.plan import Plan
from mdbench.vocabulary.quantities import standard_vocabulary

RUNS = "## Batch {}\n\n| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n| 8 | - |\n"
FAULTY = (
    "| Nodes | GPUs/node | GPUs |\n|--:|--:|--:|\n| 2 | 8 | 16 |\n| 4 | 8 | 32 |\n| 8 | 8 | {} |\n"
)
OUT = "memory://out"

Rows = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder without settings, and an empty memory file system."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    fsspec.filesystem("memory").rm("/", recursive=True)


@pytest.fixture
def texts() -> dict[str, bytes]:
    """Reports by path: some with runs, some with errors, some with neither."""
    found = {f"crawl/{at:02}/README.md": RUNS.format(at).encode() for at in range(9)}
    found["crawl/09/README.md"] = FAULTY.format(61).encode()
    found["crawl/10/README.md"] = b"# Nothing to measure\n"
    return found


def write_dataset(texts: dict[str, bytes], path: str = "crawl.parquet", **options: Any) -> None:
    table = pa.table({"path": list(texts), "content": list(texts.values())})
    parquet.write_table(table, path, **options)


def write_files(texts: dict[str, bytes]) -> None:
    for name, content in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)


def read_parts(output: str = OUT) -> pa.Table:
    """All partitions in the order of their names; they have the same columns."""
    system, path = fsspec.core.url_to_fs(output)
    names = sorted(system.glob(f"{path}/part-*.parquet"))
    tables = [parquet.read_table(name, filesystem=system, partitioning=None) for name in names]
    assert all(one.schema.equals(tables[0].schema, check_metadata=True) for one in tables)
    return pa.concat_tables(tables)


def read_rows(output: str = OUT) -> Rows:
    rows: Rows = read_parts(output).to_pylist()
    return rows


def read_errors(output: str = OUT) -> dict[str, str | None]:
    return {row["path"]: row["error"] for row in read_rows(f"{output}/_files")}


def ask(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


def engine(*arguments: str) -> int:
    return main([*arguments, "--engine", "dask"])


@pytest.mark.parametrize("shape", list(Shape))
def test_a_dataset_gives_the_same_rows_as_a_single_process(
    shape: Shape, texts: dict[str, bytes]
) -> None:
    write_files(texts)
    write_dataset(texts)
    assert main(["normalize", "crawl", "--shape", shape, "-o", "one.parquet"]) == 0
    size = ["--partition-size", "3"]
    assert engine("normalize", "crawl.parquet", "--shape", shape, "-o", OUT, *size) == 0
    one = parquet.read_table("one.parquet")
    assert read_parts().equals(one, check_metadata=True)
    assert one.num_rows > len(texts)


def test_findings_are_the_same_as_in_a_single_process(texts: dict[str, bytes]) -> None:
    write_files(texts)
    write_dataset(texts)
    assert main(["lint", "crawl", "--format", "json", "-o", "one.json"]) == 1
    assert engine("lint", "crawl.parquet", "-o", OUT, "--partition-size", "4") == 1
    found = read_rows()
    for row in found:
        row |= {name: json.loads(row[name]) for name in ("evidence", "fixes")}
    assert found == json.loads(Path("one.json").read_text())
    assert any(row["code"] == "MB301" for row in found)


def test_the_error_of_a_file_is_in_its_row(
    texts: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {"latin.md": b"# Caf\xe9\n", "null.md": None, "nul.md": b"a\0b"}
    write_dataset({**bad, **texts})  # type: ignore[dict-item]
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    errors = read_errors()
    assert list(errors) == [*bad, *texts]
    assert errors["latin.md"] == "is not UTF-8 (byte 0xe9 on line 1); save it as UTF-8"
    assert errors["null.md"] == "has no content"
    assert errors["nul.md"] == "has a NUL byte on line 1; it is not a text file"
    assert all(errors[name] is None for name in texts)
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == [
        f"14 files, {len(read_rows())} rows",
        "3 errors: see the column `error` of memory://out/_files",
    ]


def test_an_unreadable_file_is_a_finding_too() -> None:
    write_dataset({"latin.md": b"\xff", "fine.md": RUNS.encode()})
    assert engine("lint", "crawl.parquet", "-o", OUT) == 1
    assert [(row["path"], row["code"]) for row in read_rows()] == [("latin.md", "MB001")]
    files = read_rows(f"{OUT}/_files")
    assert [(row["path"], row["rows"], bool(row["error"])) for row in files] == [
        ("latin.md", 1, True),
        ("fine.md", 0, False),
    ]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
    ids=str,
)
def test_content_can_be_text_or_bytes(kind: pa.DataType, texts: dict[str, bytes]) -> None:
    contents = pa.array([text.decode() for text in texts.values()]).cast(kind)
    parquet.write_table(pa.table({"path": list(texts), "content": contents}), "crawl.parquet")
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    assert [row["report"] for row in read_rows()[::2]][:9] == list(texts)[:9]


def test_invalid_utf8_in_a_text_column_is_reported() -> None:
    broken = pa.array([b"\xff\xfe\xfa", b"# Fine\n"]).cast(pa.string(), safe=False)
    parquet.write_table(pa.table({"path": ["a", "b"], "content": broken}), "crawl.parquet")
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    assert read_errors() == {"a": "is UTF-16, not UTF-8; save it as UTF-8", "b": None}


@pytest.mark.parametrize(
    ("columns", "options", "names"),
    [
        pytest.param(["FileName", "Text"], [], ["a", "b"], id="guessed"),
        pytest.param(
            ["x", "y"], ["--path-column", "x", "--content-column", "y"], ["a", "b"], id="named"
        ),
        pytest.param(
            ["repo", "content", "path"],
            ["--path-column", "repo,path"],
            ["a/R.md", "b/R.md"],
            id="several",
        ),
    ],
)
def test_columns_are_found(columns: Sequence[str], options: list[str], names: list[str]) -> None:
    values = [["a", "b"], [RUNS, RUNS], ["R.md", "R.md"]][: len(columns)]
    parquet.write_table(pa.table(dict(zip(columns, values, strict=True))), "crawl.parquet")
    assert engine("normalize", "crawl.parquet", "-o", OUT, *options) == 0
    assert list(read_errors()) == names


def test_a_file_without_a_name_is_named_after_its_row() -> None:
    table = pa.table({"path": pa.array([None, "b"]), "content": [RUNS, RUNS]})
    parquet.write_table(table, "crawl.parquet")
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    assert list(read_errors()) == ["crawl.parquet#0", "b"]


@pytest.mark.parametrize("asked", ["crawl", "crawl/*/*.md", "crawl/**/*.md"])
def test_reports_are_read_too(asked: str, texts: dict[str, bytes]) -> None:
    write_files(texts)
    assert main(["normalize", "crawl", "-o", "one.parquet"]) == 0
    assert engine("normalize", asked, "-o", OUT, "--partition-size", "5") == 0
    assert read_parts().equals(parquet.read_table("one.parquet"))


def test_reports_at_any_address_are_read(texts: dict[str, bytes]) -> None:
    memory = fsspec.filesystem("memory")
    for name, content in texts.items():
        memory.pipe_file(f"/{name}", content)
    assert engine("normalize", "memory://crawl/*/README.md", "-o", OUT) == 0
    assert list(read_errors()) == [f"memory:///{name}" for name in texts]
    assert engine("normalize", "memory://crawl", "-o", "memory://again") == 0
    assert read_rows("memory://again") == read_rows()


def test_a_file_above_the_limit_is_not_read() -> None:
    texts = {"small.md": b"# A\n", "large.md": b"x" * 2001}
    write_dataset(texts)
    write_files(texts)
    reports = [Slice(look_at(find_place(name), name), 9) for name in texts]
    rows = Slice(look_at(find_place("crawl.parquet"), "crawl.parquet"), 9, rows=range(2))
    job = Job("findings", Plan(most_bytes=2000), columns=Columns(("path",), "content"))
    for number, slices in enumerate((reports, [rows])):
        make_part(Piece(number, tuple(slices)), job, Store(find_place(OUT), OUT, 2), apart=False)
    files = [(row["path"], row["bytes"], row["error"]) for row in read_rows(f"{OUT}/_files")]
    told = "is larger than 2 kB; use --max-file-size to read larger files"
    assert files == [("small.md", 4, None), ("large.md", 2001, told)] * 2
    unreadable = [row["path"] for row in read_rows() if row["code"] == "MB001"]
    assert unreadable == ["large.md", "large.md"]


def test_a_deleted_report_does_not_stop_the_others(folder: Path) -> None:
    write_files({"there.md": RUNS.encode()})
    names = "gone.md", "there.md"
    found = (Found(name, str(folder / name), 9, "") for name in names)
    piece = Piece(0, tuple(Slice(one, 9) for one in found))
    counts = make_part(
        piece, Job("runs", Plan(most_bytes=1000)), Store(find_place(OUT), OUT, 1), apart=False
    )
    assert (counts["files"], counts["errors"]) == (2, 1)
    assert read_errors() == {
        "gone.md": "cannot be read: No such file or directory",
        "there.md": None,
    }
    assert [row["report"] for row in read_rows()] == ["there.md", "there.md"]


def test_a_row_that_cannot_be_stored_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    write_dataset({"a.md": RUNS.encode(), "b.md": RUNS.encode()})

    def make(entry: FoundFile, job: Job) -> Made:
        made = make_rows(entry, job)
        return Made([{"row": 2**64}]) if entry.name == "a.md" else made

    monkeypatch.setattr(parts, "make_rows", make)
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    errors = read_errors()
    assert (errors["a.md"] or "").startswith("cannot be stored, a bug in mdbench: ")
    assert errors["b.md"] is None
    assert {row["report"] for row in read_rows()} == {"b.md"}


def test_rows_are_split_by_number_and_by_bytes(texts: dict[str, bytes]) -> None:
    write_dataset(texts, row_group_size=4, compression="none")
    memory = fsspec.filesystem("memory")
    assert engine("normalize", "crawl.parquet", "-o", OUT, "--partition-size", "2") == 0
    parts = sorted(memory.glob("/out/part-*.parquet"))
    assert parts == [f"/out/part-{at:05}.parquet" for at in range(6)]
    assert engine("normalize", "crawl.parquet", "-o", "memory://b", "--partition-size", "300B") == 0
    assert 1 < len(memory.glob("/b/part-*.parquet")) < 11
    assert read_rows("memory://b") == read_rows()


def test_finished_partitions_are_reused(
    texts: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(texts)
    command = ("normalize", "crawl.parquet", "-o", OUT, "--partition-size", "3")
    assert engine(*command) == 0
    assert "4 partitions in memory://out: 4 made, 0 reused" in capsys.readouterr().err
    whole = read_rows()
    memory = fsspec.filesystem("memory")
    memory.rm_file("/out/part-00000.parquet")
    memory.pipe_file("/out/part-00001.parquet", memory.cat_file("/out/part-00001.parquet")[:-9])
    memory.pipe_file("/out/_done/part-00002.json", b'{"key": "')
    assert engine(*command) == 0
    told = capsys.readouterr().err
    assert "4 partitions in memory://out: 3 made, 1 reused" in told
    assert f"11 files, {len(whole)} rows" in told
    assert read_rows() == whole
    assert json.loads(memory.cat_file("/out/_mdbench.json"))["complete"] is True


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda _: write_dataset({"a": b"# A\n", "b": b"# B\n"}), id="input"),
        pytest.param(
            lambda _: Path("mdbench.toml").write_text('[quantities]\nqueue_time_s = "s"\n'),
            id="settings",
        ),
        pytest.param(
            lambda patch: patch.setattr("mdbench.cluster.job.Job.fingerprint", "another version"),
            id="version",
        ),
    ],
)
def test_partitions_of_another_run_are_made_again(
    change: Callable[[pytest.MonkeyPatch], object],
    texts: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_dataset(texts)
    assert engine("normalize", "crawl.parquet", "-o", OUT, "--partition-size", "3") == 0
    change(monkeypatch)
    assert engine("normalize", "crawl.parquet", "-o", OUT, "--partition-size", "3") == 0
    assert " made, 0 reused" in capsys.readouterr().err.splitlines()[-1]
    # Nothing is left of the earlier run.
    names = parquet.read_table("crawl.parquet")["path"].to_pylist()
    assert list(read_errors()) == names
    assert {row["report"] for row in read_rows()} <= set(names)


def test_only_a_folder_with_the_same_table_is_written(
    texts: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(texts)
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    assert engine("lint", "crawl.parquet", "-o", OUT) == 2
    assert "memory://out: contains runs, not findings" in capsys.readouterr().err
    Path("mine").mkdir()
    Path("mine/part-00000.parquet").write_text("precious")
    assert engine("normalize", "crawl.parquet", "-o", "mine") == 2
    assert "mine: is not empty and was not written by --engine dask" in capsys.readouterr().err
    assert Path("mine/part-00000.parquet").read_text() == "precious"


def test_settings_reach_the_workers(texts: dict[str, bytes]) -> None:
    write_dataset({"a.md": b"| Warteschlange |\n|--:|\n| 3 |\n", **texts})
    Path("mdbench.toml").write_text(
        '[quantities]\nqueue_time_s = "s"\n[columns]\nWarteschlange = "queue_time_s"\n'
        '[per-file-ignores]\n"crawl/09/*" = ["MB3"]\n'
    )
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    assert read_rows()[0]["queue_time_s"] == 3.0
    assert engine("lint", "crawl.parquet", "-o", "memory://found") == 0
    assert [row for row in read_rows("memory://found") if row["code"].startswith("MB3")] == []


def test_other_tools_read_the_output(texts: dict[str, bytes], folder: Path) -> None:
    write_files(texts)
    assert engine("lint", "crawl", "-o", OUT) == 1
    fsspec.filesystem("memory").get("/out", "found", recursive=True)
    rows = read_rows("found")
    asked = ask("select path, line, code, evidence from 'found/*.parquet'")
    assert asked == [
        tuple(row[name] for name in ("path", "line", "code", "evidence")) for row in rows
    ]
    frame = pl.read_parquet("found/*.parquet")
    assert frame.to_dicts() == rows
    assert frame.schema["line"] == pl.Int64
    files = ask("select count(*), count(error) from 'found/_files/*.parquet'")
    assert files == [(len(texts), 0)]
    # The folder is one dataset, and the files next to the rows are not part of it.
    schema = dataset.dataset(folder / "found").schema
    assert schema.metadata == {b"mdbench.schema_version": b"1", b"mdbench.table": b"findings"}
    assert dataset.dataset(folder / "found").to_table().to_pylist() == rows
    manifest = json.loads((folder / "found" / "_mdbench.json").read_text())
    assert (manifest["mdbench"], manifest["files"]) == (__version__, len(texts))


def test_no_input_is_an_empty_table() -> None:
    write_dataset({})
    assert engine("normalize", "crawl.parquet", "-o", OUT) == 0
    found, expected = read_parts(), frames.schema(Shape.RUNS, standard_vocabulary())
    assert (found.num_rows, found.schema.names) == (0, expected.names)
    assert found.schema.metadata == expected.metadata


def test_the_output_is_not_read(texts: dict[str, bytes]) -> None:
    write_dataset(texts)
    fsspec.filesystem("memory").put_file("crawl.parquet", "/all/crawl.parquet")
    for _ in range(2):
        assert engine("normalize", "memory://all", "-o", "memory://all/runs") == 0
    assert list(read_errors("memory://all/runs")) == list(texts)
