"""`lint --watch`: a change is one run, and Ctrl-C ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdbench.cli.watching import look_at_files, watch
from mdbench.config.loading import read_settings
from mdbench.files.console import Console
from mdbench.files.errors import ProblemError
from tests.conftest import Run

TABLE = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"
QUIET = Console(quiet=True)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text(TABLE, encoding="utf-8")
    (tmp_path / "bench.json").write_text("[]", encoding="utf-8")
    settings = '[results]\nruns = "bench.json"\n'
    (tmp_path / "mdbench.toml").write_text(settings, encoding="utf-8")
    return tmp_path


def test_a_burst_of_changes_is_one_run() -> None:
    looks = iter([frozenset({(text, 0, 0, 0)}) for text in "aaabcdddd"])

    def look() -> frozenset[tuple[str, int, int, int]]:
        try:
            return next(looks)
        except StopIteration:
            raise KeyboardInterrupt from None

    runs: list[int] = []

    def run() -> int:
        runs.append(1)
        if len(runs) == 1:
            raise ProblemError("a broken configuration does not end it")
        return 1

    assert watch(run, look, QUIET, pause=0) == 0
    assert len(runs) == 2


@pytest.mark.parametrize(("count", "files"), [(1, "1 file"), (3, "3 files")])
def test_it_says_how_many_files_it_watches(
    count: int, files: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = frozenset((str(at), 0, 0, 0) for at in range(count))
    looks = iter([seen])

    def look() -> frozenset[tuple[str, int, int, int]]:
        try:
            return next(looks)
        except StopIteration:
            raise KeyboardInterrupt from None

    assert watch(lambda: 0, look, Console(), pause=0) == 0
    assert capsys.readouterr().err == f"watching {files}; press Ctrl-C to stop\n"


@pytest.mark.parametrize(
    "path", ["sub/a.md", "sub/new.md", "mdbench.toml", "sub/mdbench.toml", "bench.json"]
)
def test_what_is_watched(path: str) -> None:
    before = look_at_files((), read_settings)
    assert look_at_files((), read_settings) == before
    Path(path).write_text("changed = [\n", encoding="utf-8")
    assert look_at_files((), read_settings) != before


def test_a_file_that_does_not_count_is_not_watched() -> None:
    before = look_at_files((), read_settings)
    Path("notes.txt").write_text("x", encoding="utf-8")
    assert look_at_files((), read_settings) == before


def test_what_it_cannot_be_used_with(run: Run) -> None:
    assert run("lint", "--watch", "--fix").code == 2


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    yield from iter(process.stdout.readline, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_it_lints_again_and_ends_cleanly(project: Path) -> None:
    command = [sys.executable, "-u", "-m", "mdbench", "lint", "--watch", "--format", "concise"]
    process = subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        told = lines(process)
        assert any("MB103" in line for line in told)
        assert any("press Ctrl-C to stop" in line for line in told)
        (project / "sub" / "a.md").write_text("Text.\n", encoding="utf-8")
        assert any("no findings" in line for line in told)
        assert any("press Ctrl-C to stop" in line for line in told)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert list(told) == []
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.communicate()
