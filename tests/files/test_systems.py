"""What Windows and macOS do otherwise: paths, encodings, line ends and processes, tried here."""

from __future__ import annotations

import concurrent.futures
import errno
import io
import json
import multiprocessing
import ntpath
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import mdbench
from mdbench.cli.main import COMMANDS, main
from mdbench.compare import versions
from mdbench.compare.revisions import Repository
from mdbench.files import workers, writing
from mdbench.files.discovery import find_reports
from mdbench.files.errors import ProblemError
from mdbench.files.gitignore import IgnoreFile
from mdbench.files.relative_paths import relative_path
from mdbench.linting.cache.signatures import Names
from mdbench.linting.checker import check
from mdbench.linting.results import Checked
from mdbench.output import FORMATS
from mdbench.rules.findings import portable_path
from mdbench.source import Source
from tests.conftest import Run

TABLE = "# Läufe\n\n| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Paths as on Windows; the current folder is C:\\work."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "path", ntpath)
        patch.setattr(os, "sep", "\\")
        patch.setattr(os, "getcwd", lambda: "C:\\work")
        yield


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("C:\\work\\reports\\a.md", "reports/a.md"),
        ("reports\\a.md", "reports/a.md"),
        ("c:\\WORK\\a.md", "a.md"),
        ("C:\\other\\a.md", "../other/a.md"),
        ("D:\\a.md", "D:/a.md"),
        ("\\\\server\\share\\a.md", "//server/share/a.md"),
    ],
)
def test_a_path_has_slashes_and_may_be_on_another_drive(path: str, shown: str) -> None:
    assert relative_path(path) == shown


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("path", "portable"),
    [
        ("a.md", "a.md"),
        ("C:/work/x/a.md", "x/a.md"),
        ("C:/else/a.md", "C:/else/a.md"),
        ("D:/a.md", "D:/a.md"),
    ],
)
def test_fingerprints_are_the_same_in_every_checkout(path: str, portable: str) -> None:
    assert portable_path(path) == portable


def test_a_whole_path_with_a_drive_is_a_uri(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("D:/my runs/a.md", TABLE)
    result = Checked(source, check(source))
    assert result.findings
    with monkeypatch.context() as patch:
        patch.setattr("mdbench.output.sarif.isabs", ntpath.isabs)
        patch.setattr("mdbench.output.sarif.splitdrive", ntpath.splitdrive)
        patch.setattr("mdbench.output.sarif.portable_path", lambda path: path)
        log = json.loads("".join(FORMATS["sarif"].write([result])))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "file:///D:/my%20runs/a.md"}


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("folder", "prefix"),
    [("C:/work", ""), ("C:/work/x", "x/"), ("D:/", "D:/"), ("D:/x", "D:/x/")],
)
def test_the_cache_names_files_by_their_place(folder: str, prefix: str) -> None:
    assert Names("C:\\work")._place(folder) == prefix  # noqa: SLF001 - needs no files


@pytest.mark.usefixtures("windows")
def test_patterns_hold_for_paths_with_backslashes() -> None:
    ignored = IgnoreFile.from_patterns("C:\\work", ["drafts/", "/a.md"])
    assert ignored.covers("C:\\work\\drafts\\b.md")
    assert ignored.covers("C:\\work\\a.md")
    assert not ignored.covers("C:\\work\\x\\a.md")
    assert not ignored.covers("D:\\work\\a.md")


@pytest.mark.usefixtures("windows")
def test_a_file_on_another_drive_is_not_in_the_repository() -> None:
    repository = Repository("C:\\work")
    assert versions._from_top(repository, "reports\\a.md") == "reports/a.md"  # noqa: SLF001
    with pytest.raises(ProblemError, match="is not in the repository"):
        versions._from_top(repository, "D:\\a.md")  # noqa: SLF001


def test_a_console_of_windows_shows_every_help(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [["--help"], ["help"], ["rules"], ["explain", "MB301"], ["config"]]
    for words in (*asked, *([command, "--help"] for command in COMMANDS)):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252"))
        try:
            code = main(words)
        except SystemExit as ended:
            code = int(ended.code or 0)
        sys.stdout.flush()
        assert code == 0
        assert raw.getvalue()


def test_output_is_utf_8_whatever_the_console_has(tmp_path: Path) -> None:
    (tmp_path / "Läufe.md").write_text(TABLE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mdbench", "lint", "--verbose", "Läufe.md", "日本.md"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Läufe.md:6:1 MB103" in done.stdout.decode("utf-8")
    # Messages are for the console: what it cannot show is escaped.
    assert "\\u65e5\\u672c.md: no such file" in done.stderr.decode("cp1252")


def test_no_file_is_read_in_the_encoding_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    (tmp_path / "mdbench.toml").write_text('ignore = ["MB102"] # ä\n', encoding="utf-8")
    code = (
        "import sys, warnings\n"
        "from mdbench.cli.main import main\n"
        "warnings.filterwarnings('error', category=EncodingWarning)\n"
        "for words in ('lint a.md', 'lint a.md --write-baseline', 'lint a.md', 'config',\n"
        "              'lint a.md --no-baseline --fix --unsafe-fixes', 'render a.md -w',\n"
        "              'explain MB301', 'help fixes', 'diff a.md a.md', 'clean'):\n"
        "    main(words.split())\n"
        "print('done')\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.endswith("done\n"), done.stderr


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_stay_as_they_are(end: str, run: Run) -> None:
    text = TABLE.replace("\n", end)
    Path("a.md").write_bytes(text.encode())
    assert run("lint", "a.md", "--fix", "--unsafe-fixes").code == 0
    fixed = Path("a.md").read_bytes()
    assert fixed == text.removesuffix(f"| 2 | 47.1 |{end}").encode()
    assert [one.code for one in mdbench.lint(text)] == [one.code for one in mdbench.lint(TABLE)]


def test_a_closed_pipe_of_windows_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.BytesIO):
        def flush(self) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

    closed = SimpleNamespace(buffer=Closed())
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", closed)
        patch.setattr(writing, "_give_up_standard", lambda: None)
        with pytest.raises(ProblemError), writing.open_output(None):
            pass
        patch.setattr(sys, "platform", "win32")
        with pytest.raises(BrokenPipeError), writing.open_output(None):
            pass


def test_windows_gets_no_more_processes_than_it_can_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert workers._limit_jobs(200) == 200  # noqa: SLF001
    monkeypatch.setattr(sys, "platform", "win32")
    assert workers._limit_jobs(200) == 61  # noqa: SLF001
    assert workers._limit_jobs(4) == 4  # noqa: SLF001


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_processes_need_no_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    started: list[str] = []

    real = concurrent.futures.ProcessPoolExecutor

    def make_pool(jobs: int, context: multiprocessing.context.BaseContext, **more: Any) -> Any:
        started.append(context.get_start_method())
        return real(jobs, context, **more)

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", make_pool)
    paths = [str(tmp_path / f"{at}.md") for at in range(80)]
    assert list(workers.map_files(os.path.basename, paths, jobs=2)) == [
        f"{at}.md" for at in range(80)
    ]
    assert started == ["spawn"]


def test_names_that_macos_decomposes_are_found(tmp_path: Path) -> None:
    # The same letter, as HFS+ stores it and as people type it.
    for name in ("u\u0308ber.md", "\u00fcber.md"):
        (tmp_path / name).write_text(TABLE, encoding="utf-8")
    found = list(find_reports([str(tmp_path)]))
    assert {Path(path).name for path in found} == set(os.listdir(tmp_path))


def test_nothing_of_the_package_needs_dev_or_proc() -> None:
    package = Path(mdbench.__file__).parent
    users = [
        path.name
        for path in package.rglob("*.py")
        if any(place in path.read_text(encoding="utf-8") for place in ('"/dev/', '"/proc/'))
    ]
    assert users == []
