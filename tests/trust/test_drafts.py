"""Files are written as drafts first: what happens to the draft and to the target."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.files.writing import open_output

MDBENCH = (sys.executable, "-m", "mdbench")
PATIENCE_S = 120
DAY_S = 24 * 3600
OLD = "| Nodes | TFLOPs |\n|--:|--:|\n| 2 | 47.0 |\n|  |  |\n"
WRITERS = {
    "lint --fix": ["lint", "--fix", "--no-cache"],
    "render -w": ["render", "-w"],
}


def find_drafts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.tmp"))


def make_reports(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        rows = "".join(f"| {nodes} | {number + 1 / nodes:.3f} |\n" for nodes in range(1, 20))
        text = f"# Run {number}\n\n| Nodes | Sec/it |\n|--:|--:|\n{rows}"
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")
    return folder


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.002)
    return False


@pytest.mark.parametrize("command", ["normalize", "lint"])
def test_a_kill_while_writing_keeps_the_old_output(command: str, tmp_path: Path) -> None:
    reports = make_reports(tmp_path / "reports", 300)
    out = tmp_path / "out.json"
    out.write_bytes(b"old")
    kind = ["--format", "jsonl"] if command == "normalize" else ["--format", "json", "--no-cache"]
    asked = [*MDBENCH, command, "--jobs", "1", *kind, "-o", str(out), str(reports)]
    chance = random.Random(command)
    for _ in range(5):
        process = subprocess.Popen(asked, stderr=subprocess.PIPE)
        assert wait_for(lambda: find_drafts(tmp_path), process)
        time.sleep(chance.random() / 10)
        process.kill()
        process.communicate(timeout=PATIENCE_S)
        # If it was faster than the signal, the new file is complete.
        assert out.read_bytes() == b"old" or json_lines(out) > 0
        for draft in find_drafts(tmp_path):
            draft.unlink()
    done = subprocess.run(asked, capture_output=True, check=False)
    assert (done.returncode in (0, 1), done.stderr) == (True, b"")
    assert json_lines(out) > 0
    assert find_drafts(tmp_path) == []


def json_lines(path: Path) -> int:
    """The number of values in a file with one value, or one per line."""
    text = path.read_text(encoding="utf-8")
    if text.startswith("["):
        return len(json.loads(text)) + 1
    return len([json.loads(line) for line in text.splitlines()])


def test_a_termination_keeps_the_old_output_and_leaves_no_draft(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_bytes(b"old")
    os.mkfifo(tmp_path / "slow.md")
    asked = [*MDBENCH, "normalize", str(tmp_path / "slow.md"), "-o", str(out)]
    # Opening blocks until mdbench has opened its side, and so has started to work.
    with (
        subprocess.Popen(asked, stderr=subprocess.PIPE) as process,
        (tmp_path / "slow.md").open("wb"),
    ):
        assert find_drafts(tmp_path)
        process.terminate()
        _, told = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told) == (128 + signal.SIGTERM, b"")
    assert out.read_bytes() == b"old"
    assert find_drafts(tmp_path) == []


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_termination_between_two_files_leaves_no_torn_file(
    command: list[str], tmp_path: Path
) -> None:
    paths = [tmp_path / f"{number:03}.md" for number in range(400)]
    for path in paths:
        path.write_text(OLD, encoding="utf-8")
    assert main([*command, str(paths[0])]) == 0
    new = paths[0].read_text(encoding="utf-8")
    assert new != OLD
    process = subprocess.Popen(
        [*MDBENCH, *command, "--jobs", "1", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert wait_for(lambda: paths[20].read_text(encoding="utf-8") != OLD, process)
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    texts = [path.read_text(encoding="utf-8") for path in paths]
    assert set(texts) <= {OLD, new}
    ended = process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    assert ended or (process.returncode == 0 and OLD not in texts)
    assert find_drafts(tmp_path) == []


def test_a_leftover_draft_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(OLD, encoding="utf-8")
    (tmp_path / ".mdbench-0123456789ab.tmp").write_text(OLD, encoding="utf-8")
    assert main(["lint", "--no-cache", "--format", "json", str(tmp_path)]) == 1
    paths = {Path(one["path"]).name for one in json.loads(capsys.readouterr().out)}
    assert paths == {"a.md"}


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_an_old_leftover_draft_is_removed(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(OLD, encoding="utf-8")
    ages = {".mdbench-old.tmp": 2 * DAY_S, ".mdbench-new.tmp": 60, "mine.tmp": 9 * DAY_S}
    for name, age in ages.items():
        (tmp_path / name).write_text("half", encoding="utf-8")
        then = time.time() - age
        os.utime(tmp_path / name, (then, then))
    assert main([*command, str(tmp_path)]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".mdbench-new.tmp", "a.md", "mine.tmp"]


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_link_stays_a_link_and_a_file_keeps_its_mode(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "target.md"
    target.write_text(OLD, encoding="utf-8")
    target.chmod(0o640)
    link = tmp_path / "link.md"
    link.symlink_to("elsewhere/target.md")
    assert main([*command, str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") != OLD
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in target.parent.iterdir()] == ["target.md"]


@pytest.mark.parametrize("old", [None, 0o600, 0o644])
def test_other_users_cannot_read_a_draft(old: int | None, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    if old is not None:
        path.touch()
        path.chmod(old)
    mask = os.umask(0o027)
    try:
        with open_output(str(path)):
            (draft,) = tmp_path.glob(".mdbench-*")
            assert stat.S_IMODE(draft.stat().st_mode) == 0o600
    finally:
        assert os.umask(mask) == 0o027
    assert stat.S_IMODE(path.stat().st_mode) == (0o640 if old is None else old)


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_file_with_the_longest_possible_name_can_be_written(
    command: list[str], tmp_path: Path
) -> None:
    path = tmp_path / f"{'x' * 252}.md"
    path.write_text(OLD, encoding="utf-8")
    assert main([*command, str(path)]) == 0
    assert path.read_text(encoding="utf-8") != OLD
