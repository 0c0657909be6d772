"""Errors while files are written: each file is either the old or the new one, never torn."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.files.writing import replace_file
from mdbench.linting import runner as linter

MDBENCH = (sys.executable, "-m", "mdbench")
OLD = "| Nodes | TFLOPs |\n|------:|-------:|\n|     2 |   47.0 |\n|       |        |\n"
NEW = "| Nodes | TFLOPs |\n|------:|-------:|\n|     2 |   47.0 |\n"
UGLY = "| Nodes | TFLOPs |\n|--:|--:|\n| 2 | 47.0 |\n| 16 |46.5|\n"
PATIENCE_S = 120
REWRITES = {
    "lint --fix": (500, ("lint", "--fix", "--no-cache", "--jobs", "1"), OLD),
    "lint --add-ignores": (100, ("lint", "--add-ignores", "--no-cache", "--jobs", "1"), OLD),
    "render -w": (300, ("render", "-w", "--jobs", "1"), UGLY),
}


def fill(folder: Path, count: int, text: str) -> list[Path]:
    paths = [folder / f"{number:04}.md" for number in range(count)]
    for path in paths:
        path.write_text(text, encoding="utf-8")
    return paths


def count_new(paths: list[Path], old: str, new: str) -> int:
    """The number of new files; all others must be old."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    assert set(texts) <= {old, new}
    return texts.count(new)


@pytest.mark.parametrize(("count", "command", "old"), REWRITES.values(), ids=REWRITES)
def test_repeated_kills_during_many_rewrites(
    tmp_path: Path, count: int, command: tuple[str, ...], old: str
) -> None:
    (sample,) = fill(tmp_path, 1, old)
    assert main([*command, str(sample)]) == 0
    new = sample.read_text(encoding="utf-8")
    assert new != old
    paths = fill(tmp_path, count, old)
    chance = random.Random(command[0])
    done = kills = 0
    while done < len(paths) and kills < 20:
        goal = done + chance.randint(count // 10, count // 5)
        process = subprocess.Popen(
            [*MDBENCH, *command, str(tmp_path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        watched = paths[min(goal, len(paths)) - 1]
        until = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < until:
            if watched.read_text(encoding="utf-8") != old:
                process.kill()
                break
            time.sleep(0.004)
        process.communicate(timeout=PATIENCE_S)
        done, kills = count_new(paths, old, new), kills + 1
    assert kills >= 4
    finished = subprocess.run([*MDBENCH, *command, str(tmp_path)], capture_output=True, check=False)
    assert (finished.returncode, finished.stderr) == (0, b"")
    assert count_new(paths, old, new) == len(paths)


def test_a_full_disk_leaves_every_file_unchanged(
    small_disk: Path, use_up: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = fill(small_disk, 3, OLD)
    use_up(small_disk)
    assert main(["lint", "--fix", "--no-cache", str(small_disk)]) == 2
    assert capsys.readouterr().err.count("cannot be written: No space left on device") == 3
    assert count_new(paths, OLD, NEW) == 0
    assert sorted(path.name for path in small_disk.iterdir()) == [
        *(path.name for path in paths),
        "filler",
    ]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl"])
def test_a_full_disk_leaves_the_old_output(
    small_disk: Path,
    use_up: Callable[[Path], None],
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fill(tmp_path, 1, OLD)
    target = small_disk / name
    target.write_bytes(b"old")
    use_up(small_disk)
    assert main(["normalize", str(tmp_path / "0000.md"), "-o", str(target)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written: No space left on device" in line
    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in small_disk.iterdir()) == sorted(("filler", name))


def test_a_read_only_disk_is_reported_for_each_file(
    small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = fill(small_disk, 2, OLD)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert main(["lint", "--fix", "--no-cache", str(small_disk)]) == 2
    assert capsys.readouterr().err.count("cannot be written: Read-only file system") == 2
    assert count_new(paths, OLD, NEW) == 0


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = fill(tmp_path, 1, OLD)
    tmp_path.chmod(0o555)
    try:
        assert main(["lint", "--fix", "--no-cache", str(tmp_path)]) == 2
    finally:
        tmp_path.chmod(0o755)
    assert "cannot be written: Permission denied" in capsys.readouterr().err
    assert count_new(paths, OLD, NEW) == 0


def interfere(monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], object]) -> None:
    """Let another process change a file between reading and writing."""

    def late(path: str, old: bytes, new: bytes) -> None:
        act(Path(path))
        replace_file(path, old, new)

    monkeypatch.setattr(linter, "replace_file", late)


def test_a_file_changed_in_the_meantime_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = fill(tmp_path, 1, OLD)
    interfere(monkeypatch, lambda one: one.write_text("mine", encoding="utf-8"))
    assert main(["lint", "--fix", "--no-cache", str(path)]) == 2
    assert "was changed by another process; unchanged" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_file_deleted_in_the_meantime_stays_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = fill(tmp_path, 1, OLD)
    interfere(monkeypatch, Path.unlink)
    assert main(["lint", "--fix", "--no-cache", str(path)]) == 2
    assert "cannot be written: No such file or directory" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_concurrent_fixes_do_not_interfere(tmp_path: Path) -> None:
    paths = fill(tmp_path, 150, OLD)
    asked = [*MDBENCH, "lint", "--fix", "--jobs", "1", str(tmp_path)]
    both = [
        subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in "ab"
    ]
    told = [process.communicate(timeout=PATIENCE_S)[1].decode() for process in both]
    for process, lines in zip(both, told, strict=True):
        assert process.returncode in (0, 1, 2)
        assert (process.returncode == 2) is bool(lines)
        assert all("by another process" in line for line in lines.splitlines())
    assert count_new(paths, OLD, NEW) == len(paths)
    assert {path.suffix for path in tmp_path.iterdir() if path.is_file()} == {".md"}


def test_a_signal_leaves_no_partial_file(tmp_path: Path) -> None:
    paths = fill(tmp_path, 400, OLD)
    process = subprocess.Popen(
        [*MDBENCH, "lint", "--fix", "--no-cache", "--jobs", "1", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + PATIENCE_S
    while paths[20].read_text(encoding="utf-8") == OLD and time.monotonic() < until:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told) == (130, b"")
    assert 0 < count_new(paths, OLD, NEW) <= len(paths)
    assert {path.suffix for path in tmp_path.iterdir()} == {".md"}
