"""`update`, baselines and caches: killed, on a full or read-only disk, and by two at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli.main import main

Run = Callable[..., subprocess.CompletedProcess[str]]
CaptureText = pytest.CaptureFixture[str]

MDBENCH = (sys.executable, "-m", "mdbench")
PATIENCE_S = 120
TABLE = """\
<!-- mdbench: from runs -->
| Threads | Time (s) |
|--------:|---------:|
|       1 |     9.04 |
|       2 |     {} |
"""
STALE, FRESH = TABLE.format("4.99"), TABLE.format("4.61")
BLANK = "| Nodes | TFLOPs |\n|--:|--:|\n| 2 | 47.0 |\n|  |  |\n"
UPDATE = ("update", "inner")
BASELINE = ("lint", "--no-cache", "--write-baseline", "--baseline", "inner/known.json", "blank.md")
# Each writes one file into `inner`.
WRITERS = {"update": (UPDATE, "a.md"), "--write-baseline": (BASELINE, "known.json")}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mdbench.toml").write_text('[results]\nruns = "runs.json"\n', encoding="utf-8")
    runs = [{"threads": 1, "time_s": 9.04}, {"threads": 2, "time_s": 4.61}]
    (tmp_path / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    (tmp_path / "blank.md").write_text(BLANK, encoding="utf-8")
    return tmp_path


def prepare(folder: Path) -> dict[str, bytes]:
    """A folder `inner` with a report that has drifted and an old baseline; what it holds."""
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_text(STALE, encoding="utf-8")
    assert main([*BASELINE[:-1], "inner"]) == 0
    return read_all(folder)


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "filler"}


def test_repeated_kills_during_many_updates(project: Path) -> None:
    paths = [project / "inner" / f"{number:03}.md" for number in range(80)]
    paths[0].parent.mkdir()
    for path in paths:
        path.write_text(STALE, encoding="utf-8")
    done = kills = 0
    while done < len(paths) and kills < 4:
        process = subprocess.Popen(
            [*MDBENCH, *UPDATE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        watched = paths[min(done + 20, len(paths) - 1)]
        until = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < until:
            if watched.read_text(encoding="utf-8") == FRESH:
                process.kill()
                break
            time.sleep(0.002)
        process.communicate(timeout=PATIENCE_S)
        texts = [path.read_text(encoding="utf-8") for path in paths]
        assert set(texts) <= {STALE, FRESH}
        done, kills = texts.count(FRESH), kills + 1
    assert kills >= 2
    # What a killed run has left disturbs no other.
    (paths[0].parent / ".mdbench-0123456789ab.tmp").write_text(STALE[:40], encoding="utf-8")
    finished = subprocess.run([*MDBENCH, *UPDATE], capture_output=True, check=False)
    assert (finished.returncode, finished.stderr) == (0, b"")
    assert {path.read_text(encoding="utf-8") for path in paths} == {FRESH}


@pytest.mark.parametrize(("command", "name"), WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_an_unwritable_disk_keeps_the_file(  # noqa: PLR0917
    command: tuple[str, ...],
    name: str,
    trouble: str,
    small_disk: Path,
    use_up: Callable[[Path], None],
    capsys: CaptureText,
) -> None:
    (small_disk.parent / "inner").symlink_to(small_disk)
    before = prepare(small_disk)
    if trouble == "full":
        use_up(small_disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    capsys.readouterr()
    assert main(command) == 2
    said = "No space left on device" if trouble == "full" else "Read-only file system"
    assert capsys.readouterr().err == f"mdbench: inner/{name}: cannot be written: {said}\n"
    assert read_all(small_disk) == before


@pytest.mark.parametrize(("command", "name"), WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("protected", ["file", "folder"])
def test_a_read_only_place_is_reported_and_kept(
    command: tuple[str, ...], name: str, protected: str, project: Path, run_as_anybody: Run
) -> None:
    folder = project / "inner"
    before = prepare(folder)
    place = folder if protected == "folder" else folder / name
    place.chmod(0o555 if protected == "folder" else 0o444)
    done = run_as_anybody(*command)
    place.chmod(0o755)
    assert done.returncode == 2
    assert done.stderr == f"mdbench: inner/{name}: cannot be written: Permission denied\n"
    assert read_all(folder) == before


def run_both(*command: str) -> list[tuple[int, str]]:
    both = [
        subprocess.Popen([*MDBENCH, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in "ab"
    ]
    told = [process.communicate(timeout=PATIENCE_S)[1].decode() for process in both]
    return [(process.returncode, text) for process, text in zip(both, told, strict=True)]


def test_concurrent_updates_do_not_interfere(project: Path) -> None:
    paths = [project / "inner" / f"{number:03}.md" for number in range(40)]
    paths[0].parent.mkdir()
    for path in paths:
        path.write_text(STALE, encoding="utf-8")
    for code, told in run_both(*UPDATE):
        assert code == (2 if told else 0)
        assert all("by another process" in line for line in told.splitlines())
    assert {path.read_text(encoding="utf-8") for path in paths} == {FRESH}
    assert len(list(paths[0].parent.iterdir())) == len(paths)


def test_concurrent_baselines_leave_one_complete_file(project: Path) -> None:
    (project / "inner").mkdir()
    for code, told in run_both(*BASELINE):
        assert (code, "recorded 1 finding in 1 file" in told) == (0, True)
    assert os.listdir(project / "inner") == ["known.json"]
    assert main(["lint", "--no-cache", "--baseline", "inner/known.json", "blank.md"]) == 0


def test_drafts_that_a_killed_run_left_in_the_cache_disturb_no_other(
    project: Path, capsys: CaptureText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MDBENCH_CACHE_DIR", raising=False)
    assert main(["lint", "blank.md"]) == 1
    expected = capsys.readouterr().out
    cache = project / ".mdbench_cache"
    (index,) = cache.glob("*.index")
    for name in (f"{index.name}.0123456789ab.tmp", "CACHEDIR.TAG.0123456789ab.tmp"):
        (cache / name).write_bytes(index.read_bytes()[:100])
    assert main(["lint", "blank.md"]) == 1
    assert capsys.readouterr().out == expected
    assert main(["clean"]) == 0
    assert not cache.exists()
