"""What cannot be done is said in one clear line, and everything else is done all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from mdbench.cli import tables
from mdbench.cli.main import main
from mdbench.files import reading as reader
from mdbench.files import workers as pool
from mdbench.frames.rows import FileRows
from mdbench.sheets import report_files as sheets

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
GOOD = b"| Nodes | Sec/it |\n|--:|--:|\n| 4 | 12.5 |\n"

CaptureBytes = pytest.CaptureFixture[bytes]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # What is buffered fails later than what is not.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    (tmp_path / "good.md").write_bytes(GOOD)
    return tmp_path


def run_mdbench(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command_line = [sys.executable, "-m", "mdbench", *arguments]
    return subprocess.run(command_line, stderr=subprocess.PIPE, check=False, **options)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            b"a\nb\xff\n", "is not UTF-8 (byte 0xff on line 2); save it as UTF-8", id="not UTF-8"
        ),
        pytest.param("a".encode("utf-16"), "is UTF-16, not UTF-8; save it as UTF-8", id="UTF-16"),
        pytest.param(
            b"a\n\n\0", "has a NUL byte on line 3; it is not a text file", id="a NUL byte"
        ),
    ],
)
@pytest.mark.parametrize("run", ["normalize --format csv", "columns"])
def test_a_file_that_is_no_text_is_named_and_the_others_are_read(
    capsysbinary: CaptureBytes, folder: Path, content: bytes, message: str, run: str
) -> None:
    (folder / "bad.md").write_bytes(content)
    assert main([*run.split(), "bad.md", "good.md"]) == 2
    out, err = capsysbinary.readouterr()
    assert err.decode() == f"mdbench: bad.md: {message}\n"
    assert b"good.md" in out


@pytest.mark.parametrize("run", ["normalize --format csv", "columns"])
def test_a_path_that_is_not_there_is_named_and_the_others_are_read(
    capsysbinary: CaptureBytes, run: str
) -> None:
    assert main([*run.split(), "gone.md", "good.md"]) == 2
    out, err = capsysbinary.readouterr()
    assert err == b"mdbench: gone.md: no such file or folder\n"
    assert b"good.md" in out


def test_nothing_is_written_where_every_path_is_a_mistake(
    capsysbinary: CaptureBytes, folder: Path
) -> None:
    (folder / "out.csv").write_bytes(b"old")
    assert main(["normalize", "gone", "-o", "out.csv"]) == 2
    out, err = capsysbinary.readouterr()
    assert err == b"mdbench: gone: no such file or folder\nmdbench: no files to read\n"
    assert (out, (folder / "out.csv").read_bytes()) == (b"", b"old")


def test_a_file_that_may_not_be_opened_is_named(
    capsysbinary: CaptureBytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "locked.md").touch()

    def refuse(path: str, mode: str) -> object:
        if path == "locked.md":
            raise PermissionError(13, "Permission denied", path)
        return open(path, mode)

    monkeypatch.setattr(reader, "open", refuse, raising=False)
    assert main(["normalize", ".", "--format", "csv"]) == 2
    out, err = capsysbinary.readouterr()
    assert err == b"mdbench: locked.md: cannot be read: Permission denied\n"
    assert b"good.md" in out


def test_a_folder_that_may_not_be_looked_into_is_named(
    capsysbinary: CaptureBytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "locked").mkdir()
    scandir = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert main(["normalize", ".", "--format", "csv"]) == 2
    out, err = capsysbinary.readouterr()
    assert err == b"mdbench: locked: cannot be read: Permission denied\n"
    assert b"good.md" in out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bug_that_one_file_brings_out_is_told_in_a_line(
    capsysbinary: CaptureBytes, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    def crash(*_: object) -> NoReturn:
        raise KeyError("unforeseen\nkey")

    monkeypatch.setattr(sheets, "read_report", crash)
    assert main(["normalize", "good.md", "--format", "csv", "--jobs", jobs]) == 2
    (line,) = capsysbinary.readouterr().err.decode().splitlines()
    assert line.startswith("mdbench: good.md: cannot be understood, a bug of mdbench: test_errors")
    assert "KeyError" in line


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("gone/out.csv", "gone/out.csv: cannot be written: No such file or directory"),
        ("taken.csv", "taken.csv: cannot be written: Is a directory"),
        ("good.md/out.csv", "good.md/out.csv: cannot be written: Not a directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_named(
    capsysbinary: CaptureBytes, folder: Path, output: str, message: str
) -> None:
    (folder / "taken.csv").mkdir()
    assert main(["normalize", "good.md", "-o", output]) == 2
    assert capsysbinary.readouterr().err.decode() == f"mdbench: {message}\n"
    assert sorted(path.name for path in folder.iterdir()) == ["good.md", "taken.csv"]


@pytest.mark.parametrize("output", ["out.xlsx", "out"])
def test_a_name_that_tells_no_format_is_refused_with_those_that_do(
    capsysbinary: CaptureBytes, folder: Path, output: str
) -> None:
    assert main(["normalize", "good.md", "-o", output]) == 2
    (line,) = capsysbinary.readouterr().err.decode().splitlines()
    assert line.startswith(f"mdbench: {output}: no format has the suffix ")
    assert ".parquet" in line
    assert line.endswith("use --format")
    assert not (folder / output).exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize(
    "run", ["normalize good.md --format csv", "normalize good.md --format parquet", "columns"]
)
def test_a_full_device_is_named(run: str) -> None:
    with open("/dev/full", "wb") as full:
        done = run_mdbench(*run.split(), stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"mdbench: standard output: cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    "run",
    [
        "normalize good.md --format csv",
        "normalize good.md",
        "columns",
        "lint good.md",
        "lint good.md --format json",
        "diff good.md good.md",
    ],
)
@pytest.mark.unix
def test_a_closed_standard_output_is_named(run: str) -> None:
    done = run_mdbench(*run.split(), preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert done.stderr == b"mdbench: standard output: cannot be written: it is closed\n"


@pytest.mark.unix
def test_a_closed_standard_input_is_named() -> None:
    done = run_mdbench("normalize", "-", "--format", "csv", preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert done.stderr == b"mdbench: <stdin>: cannot be read: standard input is closed\n"


@pytest.mark.parametrize(
    "run",
    [
        "normalize {} --format csv --shape cells",
        "normalize {} --format jsonl",
        "normalize {} --format table",
        "normalize {} --format parquet",
        "normalize {} --format arrow",
        "columns",
        "columns {}",
    ],
)
def test_a_reader_that_has_seen_enough_ends_the_work_quietly(run: str) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = run_mdbench(*run.format(REPORTS).split(), stdout=theirs)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.unix
def test_an_interrupt_ends_the_work_quietly_and_leaves_the_old_file(folder: Path) -> None:
    (folder / "out.csv").write_bytes(b"old")
    os.mkfifo(folder / "slow.md")
    command_line = [sys.executable, "-m", "mdbench", "normalize", "slow.md", "-o", "out.csv"]
    # Opening waits until mdbench has opened its side, and so has begun to work.
    with (
        subprocess.Popen(command_line, stderr=subprocess.PIPE) as process,
        open(folder / "slow.md", "wb"),
    ):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
    assert (folder / "out.csv").read_bytes() == b"old"
    assert sorted(path.name for path in folder.iterdir()) == ["good.md", "out.csv", "slow.md"]


class DiesWhenReceived:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Callable[[int], NoReturn], tuple[int]]:
        return os._exit, (9,)


@pytest.mark.usefixtures("at_once")
def test_a_process_that_is_killed_is_told_in_a_line(
    capsysbinary: CaptureBytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(70):
        (folder / f"{number}.md").write_bytes(GOOD)
    (folder / "out.csv").write_bytes(b"old")
    monkeypatch.setattr(pool, "_work_through", DiesWhenReceived())
    assert main(["normalize", ".", "--jobs", "2", "-o", "out.csv"]) == 2
    assert capsysbinary.readouterr().err == (
        b"mdbench: a process that read files was killed, possibly out of memory; try --jobs 1\n"
    )
    assert (folder / "out.csv").read_bytes() == b"old"


def test_an_interrupt_between_files_leaves_no_draft(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> Iterator[FileRows]:
        yield FileRows("good.md", [])
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "read_files", interrupt)
    assert main(["normalize", "good.md", "-o", "out.csv"]) == 130
    assert [path.name for path in folder.iterdir()] == ["good.md"]


def test_what_a_terminal_would_obey_is_spelled_out(capsysbinary: CaptureBytes) -> None:
    assert main(["normalize", "\x1b[2J\n.md", "good.md", "--format", "csv"]) == 2
    err = capsysbinary.readouterr().err
    assert err == b"mdbench: \\x1b[2J\\n.md: no such file or folder\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
@pytest.mark.parametrize("kind", ["parquet", "arrow", "csv", "jsonl", "table"])
def test_a_file_name_that_is_not_utf_8_is_spelled_out(
    capsysbinary: CaptureBytes, folder: Path, kind: str
) -> None:
    (folder / os.fsdecode(b"caf\xe9.md")).write_bytes(GOOD)
    assert main(["normalize", ".", "--format", kind]) == 0
    assert b"xe9.md" in capsysbinary.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["--jobs", "0"], ["--jobs", "many"], ["--shape", "rows"], ["--format", "xlsx"], ["--what"]],
)
def test_an_option_that_makes_no_sense_is_refused(arguments: list[str]) -> None:
    done = run_mdbench("normalize", "good.md", *arguments, stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert b"mdbench" in done.stderr.splitlines()[-1]
    assert b"Traceback" not in done.stderr
