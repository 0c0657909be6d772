"""Unusual files: circular links, pipes, devices, endless files."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from mdbench.cli.main import main
from mdbench.files import reading
from mdbench.files.limits import MOST_BYTES
from tests.trust.guarded import run_guarded

GOOD = "| Nodes | Time (s) |\n| ----: | -------: |\n|     1 |        2 |\n"
LINT = ("lint", "--no-cache", "--jobs", "1", "--format", "concise")
_GROW = """
import sys

with open(sys.argv[1], "a", buffering=1) as file:
    print("ready", flush=True)
    while True:
        file.write("| 1 | 2 |\\n" * 100)
"""


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A folder with one valid report."""
    (tmp_path / "mdbench.toml").touch()
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "good.md").write_text(GOOD, encoding="utf-8")
    return folder


def read_all(folder: Path) -> str:
    """Check, read and render a folder; return what was read, one line per cell."""
    ended = run_guarded(
        folder.parent,
        (*LINT, folder.name),
        ("normalize", "--jobs", "1", "--shape", "cells", "--format", "csv", folder.name),
        ("render", folder.name, "-o", "clean"),
    )
    assert (ended.codes, ended.err) == ([0, 0, 0], "")
    assert [path.name for path in (folder.parent / "clean").rglob("*.md")] == ["good.md"]
    return ended.out


def link_in_circles(folder: Path) -> None:
    """Create links to themselves, to each other, to parents, and to the root."""
    (folder / "itself.md").symlink_to("itself.md")
    (folder / "one.md").symlink_to("two.md")
    (folder / "two.md").symlink_to("one.md")
    (folder / "up").symlink_to("..")
    (folder / "here.md").symlink_to(".")
    (folder / "top").symlink_to("/")
    deep = folder
    for _ in range(40):
        deep /= "deep"
        deep.mkdir()
        (deep / "back").symlink_to(folder)


def test_circular_links_are_not_followed(reports: Path) -> None:
    link_in_circles(reports)
    assert read_all(reports).count("good.md") == 2


def test_circular_links_from_an_archive_are_not_followed(reports: Path) -> None:
    link_in_circles(reports)
    archive = reports.parent / "reports.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(reports.rglob("*")):
            entry = zipfile.ZipInfo(str(path.relative_to(reports)))
            entry.external_attr = path.lstat().st_mode << 16
            if path.is_symlink():
                packed.writestr(entry, os.readlink(path))
            elif path.is_file():
                packed.writestr(entry, path.read_bytes())
    unpacked = reports.parent / "unpacked"
    unpack(archive, unpacked)
    assert (unpacked / "up").is_symlink()
    assert read_all(unpacked).count("good.md") == 2


def unpack(archive: Path, folder: Path) -> None:
    """Unpack like the tools of a shell: links stay links."""
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            path = folder / entry.filename
            path.parent.mkdir(parents=True, exist_ok=True)
            if entry.external_attr >> 16 & 0o170000 == 0o120000:
                path.symlink_to(packed.read(entry).decode())
            else:
                path.write_bytes(packed.read(entry))


def test_pipes_and_devices_among_reports_are_not_opened(reports: Path) -> None:
    os.mkfifo(reports / "pipe.md")
    os.mkfifo(reports / ".gitignore")
    (reports / "linked.md").symlink_to("pipe.md")
    for device in ("zero", "random", "tty", "stdin"):
        (reports / f"{device}.md").symlink_to(f"/dev/{device}")
    assert read_all(reports).count("good.md") == 2


def test_a_device_among_reports_is_not_opened(reports: Path) -> None:
    try:
        os.mknod(reports / "zero.md", stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device")
    assert read_all(reports).count("good.md") == 2


def test_a_file_above_the_limit_is_reported_and_not_read(reports: Path) -> None:
    with open(reports / "large.md", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    with open(reports / "vast.md", "wb") as file:
        file.truncate(1 << 40)
    ended = run_guarded(
        reports.parent,
        (*LINT, "reports"),
        ("normalize", "--jobs", "1", "--format", "csv", "-o", "runs.csv", "reports"),
        ("render", "reports", "-o", "clean"),
    )
    assert ended.codes == [1, 2, 2]
    told = "is larger than 20 MB; use --max-file-size to read larger files"
    assert (ended.out.count("MB001"), ended.out.count(told)) == (2, 2)
    assert ended.err.count(told) == 4
    (clean,) = (reports.parent / "clean").rglob("*.md")
    assert clean.read_text("utf-8") == GOOD


@pytest.mark.parametrize("command", ["lint", "normalize", "render", "update", "columns"])
def test_the_size_alone_tells_that_a_file_is_too_large(
    command: str, reports: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with open(reports / "large.md", "wb") as file:
        file.truncate(500_000_000)

    class Unreadable(io.FileIO):
        def read(self, *_: object) -> NoReturn:
            raise AssertionError("nothing of it has to be read")

    monkeypatch.setattr(reading, "open", Unreadable, raising=False)
    options = {"lint": ("--no-cache", "--format", "concise"), "normalize": ("--format", "csv")}
    code = main([command, *options.get(command, ()), str(reports / "large.md")])
    out, err = capfd.readouterr()
    told = "is larger than 20 MB; use --max-file-size to read larger files"
    assert [line for line in (out + err).splitlines() if "large.md" in line] == [
        f"{reports}/large.md:1:1 MB001 error: this file {told}"
        if command == "lint"
        else f"mdbench: {reports}/large.md: {told}"
    ]
    assert code == (1 if command == "lint" else 2)


def test_a_requested_device_is_too_large(reports: Path) -> None:
    ended = run_guarded(reports.parent, (*LINT, "/dev/zero"))
    assert ended.codes == [1]
    assert "is larger than 20 MB" in ended.out


@pytest.fixture
def growing(reports: Path) -> Iterator[Path]:
    """A report that another process extends as fast as possible."""
    path = reports / "growing.md"
    path.write_text("| Nodes | Time (s) |\n|--:|--:|\n", encoding="utf-8")
    command = [sys.executable, "-c", _GROW, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        yield path
        writer.kill()


def test_reading_a_growing_file_ends(reports: Path, growing: Path) -> None:
    limit = ("--max-file-size", "100kB")
    ended = run_guarded(reports.parent, (*LINT, *limit, "reports"), (*LINT, *limit, "reports"))
    assert growing.stat().st_size > 100_000
    assert set(ended.codes) <= {0, 1}
    assert ended.codes[-1] == 1
    assert "MB001" in ended.out
