"""`mdbench normalize`: shapes and formats, to standard output or a file, always the same bytes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from mdbench.cli.main import main
from mdbench.frames import rows as reader
from mdbench.frames.frame_columns import ColumnType, Shape, fields
from mdbench.sheets.report_files import Reading
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
FORMATS = ("parquet", "arrow", "csv", "jsonl", "table")
SMALL = "## Batch {}\n\n| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n| 8 | - |\n"

Read = Callable[[bytes], list[dict[str, Any]]]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """More reports than are read by one process."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(70):
        (folder / f"{number:02}.md").write_text(SMALL.format(number))
    return folder


def run_mdbench(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mdbench", *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)


def read_table(table: pa.Table) -> list[dict[str, Any]]:
    maps = [field.name for field in table.schema if pa.types.is_map(field.type)]
    rows: list[dict[str, Any]] = table.to_pylist()
    return [row | {name: dict(row[name] or {}) for name in maps} for row in rows]


def read_parquet(content: bytes) -> list[dict[str, Any]]:
    return read_table(parquet.read_table(pa.BufferReader(content)))


def read_arrow(content: bytes) -> list[dict[str, Any]]:
    return read_table(ipc.open_file(content).read_all())


def read_jsonl(content: bytes) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in content.decode().split("\n")[:-1]]
    return [row | ({"extra": row["extra"] or {}} if "extra" in row else {}) for row in rows]


def read_csv(content: bytes) -> list[dict[str, Any]]:
    kinds = {field.name: field.kind for shape in Shape for field in fields(shape, STANDARD)}
    from_text: dict[ColumnType, Callable[[str], object]] = {
        ColumnType.TEXT: str,
        ColumnType.WHOLE: int,
        ColumnType.NUMBER: float,
        ColumnType.FLAG: {"true": True, "false": False}.__getitem__,
        ColumnType.TEXTS: json.loads,
        ColumnType.MAP: json.loads,
    }
    lines = csv.DictReader(io.StringIO(content.decode(), newline=""))
    return [
        {name: from_text[kinds[name]](text) if text else None for name, text in line.items()}
        for line in lines
    ]


def blank_as_none(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """csv has one way to write what is not there: an empty text, list and map are the same."""
    empty: tuple[object, ...] = ("", [], {})
    return [
        {name: None if value in empty else value for name, value in row.items()} for row in rows
    ]


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("kind", FORMATS)
def test_standard_output_and_a_file_get_the_same_bytes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], shape: str, kind: str
) -> None:
    arguments = ("normalize", str(REPORTS), "--shape", shape, "--format", kind)
    assert main(arguments) == 0
    shown = capsysbinary.readouterr()
    assert main((*arguments, "-o", str(tmp_path / "out"))) == 0
    written = capsysbinary.readouterr()
    assert (shown.err, written.err, written.out) == (b"", b"", b"")
    assert (tmp_path / "out").read_bytes() == shown.out
    assert len(shown.out) > 1000


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize(("kind", "read"), [("arrow", read_arrow), ("jsonl", read_jsonl)])
def test_every_format_says_what_parquet_says(
    capsysbinary: pytest.CaptureFixture[bytes], shape: str, kind: str, read: Read
) -> None:
    contents = []
    for wanted in ("parquet", kind):
        assert main(["normalize", str(REPORTS), "--shape", shape, "--format", wanted]) == 0
        contents.append(capsysbinary.readouterr().out)
    expected = read_parquet(contents[0])
    assert len(expected) >= 79
    assert read(contents[1]) == expected


@pytest.mark.parametrize("shape", list(Shape))
def test_csv_says_what_parquet_says(capsysbinary: pytest.CaptureFixture[bytes], shape: str) -> None:
    contents = []
    for wanted in (("parquet",), ("csv", "--exact-csv")):
        assert main(["normalize", str(REPORTS), "--shape", shape, "--format", *wanted]) == 0
        contents.append(capsysbinary.readouterr().out)
    assert read_csv(contents[1]) == blank_as_none(read_parquet(contents[0]))


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.parquet", b"PAR1"),
        ("out.arrow", b"ARROW1"),
        ("out.feather", b"ARROW1"),
        ("out.csv", b"report,section,"),
        ("out.CSV", b"report,section,"),
        ("out.jsonl", b'{"report":'),
        ("out.ndjson", b'{"report":'),
        ("out.txt", b"reports/bigscience-1b3.md\n"),
    ],
)
def test_the_name_of_the_file_decides_the_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, begins: bytes
) -> None:
    monkeypatch.chdir(REPORTS.parent)
    assert main(["normalize", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_an_asked_format_beats_the_name_of_the_file(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert main(["normalize", str(REPORTS), "--format", "jsonl", "-o", str(out)]) == 0
    assert len(read_jsonl(out.read_bytes())) == 79


def test_standard_output_is_parquet_unless_said_otherwise() -> None:
    assert len(read_parquet(run_mdbench("normalize", str(REPORTS)).stdout)) == 79


def run_on_terminal(*arguments: str) -> tuple[int, bytes]:
    """The exit code and what a user at a terminal sees."""
    pty = pytest.importorskip("pty", reason="Windows has nothing like it")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mdbench", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        # Linux ends the reading of a closed terminal with an error.
        while chunk := read_terminal(ours):
            seen += chunk
    os.close(ours)
    return process.returncode, seen


def read_terminal(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_terminal_gets_a_hint_and_nothing_binary(kind: str) -> None:
    code, seen = run_on_terminal("normalize", str(REPORTS), "--format", kind)
    assert code == 2
    assert seen.decode() == (
        f"mdbench: {kind} is binary and this is a terminal; use -o FILE, or --format table\r\n"
    )


def test_a_terminal_gets_tables_to_read() -> None:
    code, seen = run_on_terminal("normalize", str(REPORTS / "fmengine.md"), "--format", "table")
    assert code == 0
    assert b"tokens_per_s" in seen
    assert b"6300" in seen


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("kind", FORMATS)
def test_many_processes_write_the_same_bytes_as_one(many: Path, tmp_path: Path, kind: str) -> None:
    outs = [tmp_path / f"jobs-{jobs}" for jobs in (1, 2)]
    for jobs, out in enumerate(outs, 1):
        asked = ["normalize", str(many), "--format", kind, "--jobs", str(jobs), "-o", str(out)]
        assert main(asked) == 0
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert outs[0].stat().st_size > 1000


def test_little_work_is_done_by_this_process_alone(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mdbench.files.workers._TRIAL_S", 600.0)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", None)
    assert main(["normalize", str(many), "--jobs", "2", "-o", str(tmp_path / "out.csv")]) == 0


def test_files_are_read_one_after_the_other_as_their_rows_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []

    def read_file(path: str, **_: object) -> reader.FileRows:
        begun.append(path)
        return reader.FileRows(path, [])

    monkeypatch.setattr(reader, "_read_file", read_file)
    names = [f"{number}.md" for number in range(1000)]
    files = reader.read_files(names, Shape.RUNS, Reading(), jobs=1)
    assert [next(files).name for _ in range(3)] == names[:3]
    assert begun == names[:3]


@pytest.mark.usefixtures("at_once")
def test_processes_are_never_far_ahead_of_what_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    class InlinePool:
        """Does at once what is submitted, as the fastest of processes would."""

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def submit(
            self, _call: object, _work: object, paths: Sequence[str]
        ) -> Future[list[reader.FileRows]]:
            begun.extend(paths)
            future: Future[list[reader.FileRows]] = Future()
            future.set_result([reader.FileRows(path, []) for path in paths])
            return future

        def shutdown(self, **_: object) -> None:
            pass

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", InlinePool)
    names = [f"{number}.md" for number in range(5000)]
    ahead = [
        len(begun) - taken
        for taken, _ in enumerate(reader.read_files(names, Shape.RUNS, Reading(), jobs=2), 1)
    ]
    assert begun == names
    assert max(ahead) <= 80


def peak_of_normalizing(folder: Path, out: Path) -> int:
    tracemalloc.start()
    try:
        assert main(["normalize", str(folder), "--jobs", "1", "-o", str(out)]) == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_ten_times_the_files_do_not_take_more_memory(tmp_path: Path) -> None:
    for count in (30, 300):
        (tmp_path / str(count)).mkdir()
        for number in range(count):
            (tmp_path / str(count) / f"{number:03}.md").write_text(SMALL)
    out = tmp_path / "out.csv"
    peak_of_normalizing(tmp_path / "30", out)  # what is read once and kept is read here
    few, lots = (peak_of_normalizing(tmp_path / count, out) for count in ("30", "300"))
    # The names of the files are all that is kept; their rows would take ten times as much.
    assert lots - few < 270 * 1500


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("parquet", read_parquet),
        ("arrow", read_arrow),
        ("jsonl", read_jsonl),
        ("csv", read_csv),
    ],
)
def test_empty_columns_are_left_out_of_every_format(tmp_path: Path, kind: str, read: Read) -> None:
    (tmp_path / "a.md").write_text(SMALL)
    (tmp_path / "b.md").write_text("| TP | Sec/it |\n|--|--|\n| 2 | 4 |\n")
    contents = []
    for more in ((), ("--drop-empty",)):
        out = tmp_path / "out"
        asked = ["normalize", str(tmp_path), "--format", kind, "-o", str(out), *more]
        assert main(asked) == 0
        contents.append(blank_as_none(read(out.read_bytes())))
    whole, short = contents
    assert [name for name in whole[0] if any(row[name] is not None for row in whole)] == [*short[0]]
    assert short == [{name: row[name] for name in short[0]} for row in whole]
    assert [row["nodes"] for row in short] == [4, 8, None]
    assert "dp" not in short[0]


def test_empty_columns_cannot_be_left_out_of_partitions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["normalize", str(REPORTS), "--drop-empty", "--engine", "dask", "-o", str(tmp_path)]
    assert main(asked) == 2
    assert capsys.readouterr().err == (
        "mdbench: --drop-empty cannot be used with --engine dask, "
        "whose parts must all have the same columns\n"
    )


def test_standard_input_is_a_report() -> None:
    done = run_mdbench("normalize", "-", "--format", "jsonl", input=SMALL.encode())
    rows = read_jsonl(done.stdout)
    assert done.returncode == 0
    assert [(row["report"], row["nodes"], row["step_time_s"]) for row in rows] == [
        ("<stdin>", 4, 12.5),
        ("<stdin>", 8, None),
    ]


def test_standard_input_has_the_name_that_it_is_given() -> None:
    done = run_mdbench(
        "normalize", "-", "--stdin-filename", "a/b.md", "--format", "jsonl", input=SMALL.encode()
    )
    assert {row["report"] for row in read_jsonl(done.stdout)} == {"a/b.md"}


def test_reports_are_read_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "here.md").write_text(SMALL)
    here = run_mdbench("normalize", "--format", "jsonl", cwd=tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "there.md").write_text(SMALL)
    there = run_mdbench("normalize", "--format", "jsonl", cwd=tmp_path)
    assert {row["report"] for row in read_jsonl(here.stdout)} == {"here.md"}
    assert {row["report"] for row in read_jsonl(there.stdout)} == {"reports/there.md"}


def test_nothing_found_is_an_empty_frame_and_one_line_that_says_where(tmp_path: Path) -> None:
    done = run_mdbench("normalize", ".", "--format", "csv", cwd=tmp_path)
    assert done.returncode == 0
    assert read_csv(done.stdout) == []
    assert done.stdout.startswith(b"report,section,")
    assert done.stderr == b"mdbench: no reports (.md, .markdown, .mdx) in .\n"


def test_an_empty_file_is_a_report_without_runs(tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    done = run_mdbench("normalize", ".", "--format", "jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_version_is_that_of_the_package() -> None:
    import mdbench  # noqa: PLC0415

    assert run_mdbench("--version").stdout == f"mdbench {mdbench.__version__}\n".encode()


def test_on_a_terminal_a_command_says_how_many_rows_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "runs.csv"
    assert main(["normalize", str(REPORTS), "-o", str(output)]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["normalize", str(REPORTS), "-o", str(output)]) == 0
    count = len(output.read_text(encoding="utf-8").splitlines()) - 1
    assert capsys.readouterr().err == f"{output}: {count} rows written\n"
    assert main(["normalize", str(REPORTS), "-q", "-o", str(output)]) == 0
    assert capsys.readouterr().err == ""
