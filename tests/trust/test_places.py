"""Unwritable places: every way to write reports an error and keeps the existing file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli.commands import render
from mdbench.cli.main import main
from mdbench.files.writing import replace_file

Run = Callable[..., subprocess.CompletedProcess[str]]
CaptureText = pytest.CaptureFixture[str]

MDBENCH = (sys.executable, "-m", "mdbench")
PATIENCE_S = 120
REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
OLD = "| Nodes | TFLOPs |\n|--:|--:|\n| 2 | 47.0 |\n|  |  |\n"
IN_PLACE = {
    "lint --fix": ["lint", "--fix", "--no-cache"],
    "lint --add-ignores": ["lint", "--add-ignores", "--no-cache"],
    "render -w": ["render", "-w"],
}
# The report is added at the end, and the output path after `-o`.
ELSEWHERE = {
    "lint": ["lint", "--no-cache"],
    "lint --diff": ["lint", "--no-cache", "--diff"],
    "normalize": ["normalize", "--format", "csv"],
    "normalize to parquet": ["normalize", "--format", "parquet"],
    "query": ["query", "--format", "csv", "select * from cells"],
    "diff": ["diff", "other.md"],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(OLD, encoding="utf-8")
    (tmp_path / "other.md").write_text(OLD.replace("47.0", "46.0"), encoding="utf-8")
    return tmp_path


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("command", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_folder_is_not_overwritten(command: list[str], here: Path, capsys: CaptureText) -> None:
    (here / "taken").mkdir()
    (here / "taken" / "mine").touch()
    assert main([*command, "a.md", "-o", "taken"]) == 2
    assert capsys.readouterr().err == "mdbench: taken: cannot be written: Is a directory\n"
    assert list_names(here) == ["a.md", "other.md", "taken"]
    assert list_names(here / "taken") == ["mine"]


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_a_file_is_not_used_as_a_folder(kind: str, here: Path, capsys: CaptureText) -> None:
    (here / "taken").write_bytes(b"mine")
    assert main(["render", "a.md", "--format", kind, "-o", "taken"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written" in line
    assert (here / "taken").read_bytes() == b"mine"


@pytest.mark.parametrize("command", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_full_disk_leaves_the_old_output(
    command: list[str], small_disk: Path, use_up: Callable[[Path], None], capsys: CaptureText
) -> None:
    out = small_disk / "out"
    out.write_bytes(b"old")
    use_up(small_disk)
    assert main([*command, "a.md", "-o", str(out)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"mdbench: {out}: cannot be written: No space left on device"
    assert out.read_bytes() == b"old"
    assert list_names(small_disk) == ["filler", "out"]


@pytest.mark.parametrize("command", IN_PLACE.values(), ids=IN_PLACE)
@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_an_unwritable_disk_keeps_every_report(
    command: list[str],
    trouble: str,
    small_disk: Path,
    use_up: Callable[[Path], None],
    capsys: CaptureText,
) -> None:
    for name in ("a.md", "b.md"):
        (small_disk / name).write_text(OLD, encoding="utf-8")
    if trouble == "full":
        use_up(small_disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert main([*command, str(small_disk)]) == 2
    said = "No space left on device" if trouble == "full" else "Read-only file system"
    assert capsys.readouterr().err.count(f"cannot be written: {said}") == 2
    assert {(small_disk / name).read_text("utf-8") for name in ("a.md", "b.md")} == {OLD}
    assert list_names(small_disk)[:2] == ["a.md", "b.md"]
    assert list(small_disk.glob(".*")) == []


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_a_disk_too_small_for_all_reports_has_no_torn_ones(
    kind: str, small_disk: Path, use_up: Callable[[Path], None], capsys: CaptureText
) -> None:
    folder = small_disk / "out"
    assert main(["render", "a.md", "-o", str(folder)]) == 0
    before = {path: path.read_bytes() for path in folder.rglob("*")}
    use_up(small_disk)
    (small_disk / "a.md").unlink(missing_ok=True)
    asked = ["render", str(REPORTS), "other.md", "a.md", "--format", kind, "-o", str(folder)]
    assert main(asked) == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    assert list(small_disk.rglob(".mdbench-*")) == []


def test_a_full_disk_for_the_cache_does_not_stop_lint(
    small_disk: Path, use_up: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    out = here / "out"
    assert main(["lint", "a.md", "--no-cache", "-o", "out"]) == 1
    expected = out.read_bytes()
    use_up(small_disk)
    monkeypatch.setenv("MDBENCH_CACHE_DIR", str(small_disk / "cache"))
    for _ in "ab":
        assert main(["lint", "a.md", "-o", "out"]) == 1
        assert out.read_bytes() == expected


@pytest.mark.parametrize("command", IN_PLACE.values(), ids=IN_PLACE)
@pytest.mark.parametrize("protected", ["file", "folder"])
def test_a_read_only_report_is_reported_and_kept(
    command: list[str], protected: str, here: Path, run_as_anybody: Run
) -> None:
    folder = here / "inner"
    folder.mkdir()
    (folder / "a.md").write_text(OLD, encoding="utf-8")
    place = folder if protected == "folder" else folder / "a.md"
    place.chmod(0o555 if protected == "folder" else 0o444)
    done = run_as_anybody(*command, "inner")
    place.chmod(0o755)
    assert done.returncode == 2
    assert "mdbench: inner/a.md: cannot be written: Permission denied\n" in done.stderr
    assert (folder / "a.md").read_text(encoding="utf-8") == OLD
    assert list_names(folder) == ["a.md"]


@pytest.mark.parametrize("command", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize("protected", ["file", "folder"])
def test_a_read_only_output_is_reported_and_kept(
    command: list[str], protected: str, here: Path, run_as_anybody: Run
) -> None:
    folder = here / "inner"
    folder.mkdir()
    (folder / "out").write_bytes(b"old")
    place = folder if protected == "folder" else folder / "out"
    place.chmod(0o555 if protected == "folder" else 0o444)
    done = run_as_anybody(*command, "a.md", "-o", "inner/out")
    place.chmod(0o755)
    assert done.returncode == 2
    assert done.stderr == "mdbench: inner/out: cannot be written: Permission denied\n"
    assert (folder / "out").read_bytes() == b"old"
    assert list_names(folder) == ["out"]


# How to render into `inner`, and a file there that a second run would change.
RENDERS = {
    "a file": ("a.md -o inner/out.md", "out.md"),
    "a folder": ("a.md other.md -o inner", "a.md"),
    "pages": ("a.md --format html -o inner", "index.html"),
}


def render_old(command: str, here: Path) -> dict[Path, bytes]:
    """What a first run leaves in `inner`, before the report changes."""
    assert main(["render", *command.split()]) == 0
    (here / "a.md").write_text(OLD.replace("47.0", "48.5"), encoding="utf-8")
    return read_all(here)


def read_all(here: Path) -> dict[Path, bytes]:
    paths = (here / "inner").rglob("*")
    return {path: path.read_bytes() for path in paths if path.is_file()}


@pytest.mark.parametrize(("command", "name"), RENDERS.values(), ids=RENDERS)
@pytest.mark.parametrize("protected", ["file", "folder"])
def test_render_reports_and_keeps_a_read_only_target(
    command: str, name: str, protected: str, here: Path, run_as_anybody: Run
) -> None:
    (here / "inner").mkdir()
    before = render_old(command, here)
    place = here / "inner" / (name if protected == "file" else "")
    place.chmod(0o444 if protected == "file" else 0o555)
    done = run_as_anybody("render", *command.split())
    place.chmod(0o755)
    assert done.returncode == 2
    assert f"mdbench: inner/{name}: cannot be written: Permission denied\n" in done.stderr
    after = read_all(here)
    assert after.keys() == before.keys()
    assert after[here / "inner" / name] == before[here / "inner" / name]


@pytest.mark.parametrize("command", [one[0] for one in RENDERS.values()], ids=RENDERS)
def test_render_reports_a_read_only_disk(
    command: str, here: Path, small_disk: Path, capsys: CaptureText
) -> None:
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    (here / "inner").symlink_to(small_disk)
    before = render_old(command, here)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert main(["render", *command.split()]) == 2
    assert "cannot be written: Read-only file system\n" in capsys.readouterr().err
    assert read_all(here) == before


MEANWHILE: dict[str, tuple[Callable[[Path], object], str, list[str]]] = {
    "changed": (
        lambda one: one.write_text("mine"),
        "a.md: was changed by another process; unchanged",
        ["a.md", "other.md"],
    ),
    "removed": (
        Path.unlink,
        "a.md: cannot be written: No such file or directory",
        ["other.md"],
    ),
}


@pytest.mark.parametrize("case", MEANWHILE.values(), ids=MEANWHILE)
def test_a_report_changed_during_rendering_is_not_overwritten(
    case: tuple[Callable[[Path], object], str, list[str]],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: CaptureText,
) -> None:
    act, told, left = case

    def late(path: str, old: bytes, new: bytes) -> None:
        act(Path(path))
        replace_file(path, old, new)

    monkeypatch.setattr(render, "replace_file", late)
    assert main(["render", "-w", "a.md"]) == 2
    assert capsys.readouterr().err == f"mdbench: {told}\n"
    assert list_names(here) == left
    assert "a.md" not in left or (here / "a.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    "asked", [("render", "-w"), ("lint", "--add-ignores", "--no-cache")], ids=" ".join
)
def test_concurrent_rewrites_do_not_interfere(asked: tuple[str, ...], here: Path) -> None:
    paths = [here / f"{number:03}.md" for number in range(100)]
    for path in paths:
        path.write_text(OLD, encoding="utf-8")
    command = [*MDBENCH, *asked, "--jobs", "1", "."]
    both = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in "ab"
    ]
    for process in both:
        told = process.communicate(timeout=PATIENCE_S)[1].decode().splitlines()
        refused = [line for line in told if "by another process" in line]
        assert process.returncode == (2 if refused else 0)
        assert asked[0] == "lint" or refused == told
    texts = {path.read_text(encoding="utf-8") for path in paths}
    assert len(texts) == 1
    assert OLD not in texts
    assert list(here.glob(".mdbench-*")) == []


def test_two_renders_into_one_folder_leave_complete_files(here: Path) -> None:
    asked = [*MDBENCH, "render", "a.md", "other.md", "-o", "clean"]
    both = [subprocess.Popen(asked, stderr=subprocess.PIPE) for _ in "ab"]
    for process in both:
        assert (process.communicate(timeout=PATIENCE_S)[1], process.returncode) == (b"", 0)
    assert list_names(here / "clean") == ["a.md", "other.md"]
    for name, number in (("a.md", "47.0"), ("other.md", "46.0")):
        assert (here / "clean" / name).read_text("utf-8").splitlines()[2].endswith(f"{number} |")


def test_two_writers_of_one_output_leave_one_complete_file(here: Path) -> None:
    asked = [*MDBENCH, "normalize", "--format", "csv", "-o", "out.csv"]
    both = [
        subprocess.Popen([*asked, name], stderr=subprocess.PIPE) for name in ("a.md", "other.md")
    ]
    for process in both:
        assert process.communicate(timeout=PATIENCE_S)[1] == b""
        assert process.returncode == 0
    lines = (here / "out.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1
    assert len({line.split(",")[0] for line in lines[1:]}) == 1


PIPED = {
    "lint": "lint {}",
    "lint to JSON": "lint {} --format json",
    "lint to SARIF": "lint {} --format sarif",
    "lint --diff": "lint {} --diff --unsafe-fixes",
    "lint --statistics": "lint {} --statistics",
    "render": "render {}",
    "render --check": "render {} --check",
    "query": "query from+cells {}",
    "diff": "diff a.md other.md",
    "explain": "explain MB301",
    "rules": "rules",
    "config": "config",
    "help": "help exit-codes",
    "completion": "completion bash",
}


@pytest.mark.parametrize("asked", PIPED.values(), ids=PIPED)
def test_a_closed_pipe_ends_every_command_quietly(
    asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    ours, theirs = os.pipe()
    os.close(ours)
    words = [word.format(REPORTS).replace("+", " ") for word in asked.split()]
    done = subprocess.run([*MDBENCH, *words], stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")
