"""The image: the Dockerfile has no known mistakes, and what it copies is enough to install."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mdbench.files.gitignore import IgnoreFile

PROJECT = Path(__file__).resolve().parent.parent
LINES = (PROJECT / "Dockerfile").read_text(encoding="utf-8").splitlines()
COPIED = [
    name
    for line in LINES
    if line.startswith("COPY ") and "--from" not in line
    for name in line.split()[1:-1]
]
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent))
ENTRY = PROJECT / "docker-entrypoint.sh"

needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not made for this system")
def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run(
        [str(HADOLINT), "--no-color", PROJECT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_it_is_slim_and_its_user_is_not_root() -> None:
    bases = [line.split()[1] for line in LINES if line.startswith("FROM ")]
    assert all(base.endswith("-slim") for base in bases)
    last = max(at for at, line in enumerate(LINES) if line.startswith("FROM "))
    users = [line.split()[1] for line in LINES[last:] if line.startswith("USER ")]
    assert [user for user in users if int(user) > 0] == users != []


def test_what_is_copied_is_not_ignored_and_little_else_is_sent() -> None:
    ignored = IgnoreFile.from_patterns(
        str(PROJECT), (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    )
    kept = [
        line[1:]
        for line in (PROJECT / ".dockerignore").read_text("utf-8").split()
        if line[0] == "!"
    ]
    assert sorted(kept) == sorted(COPIED)
    assert ignored.excludes(str(PROJECT / ".git"), True)
    assert ignored.excludes(str(PROJECT / "mdbench" / "__pycache__"), True)
    assert not ignored.excludes(str(PROJECT / "mdbench"), True)


@pytest.mark.slow
def test_what_is_copied_makes_the_same_wheel(tmp_path: Path) -> None:
    def build(folder: Path) -> set[str]:
        target = tmp_path / f"wheel of {folder.name}"
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        (wheel,) = target.glob("*.whl")
        listed = subprocess.run(
            [sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, check=True
        )
        return {line.split()[0] for line in listed.stdout.decode().splitlines()}

    source = tmp_path / "source"
    for name in COPIED:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(PROJECT / name, target)
    assert build(source) == build(PROJECT)


@needs_shell
@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["lint", "a b.md"], 0, id="lint"),
        pytest.param(["update", "--check"], 0, id="update"),
        pytest.param(["--version"], 0, id="version"),
        pytest.param(["render", "-w"], 2, id="render"),
        pytest.param(["sh", "-c", "id"], 2, id="shell"),
        pytest.param([], 2, id="nothing"),
    ],
)
def test_the_image_has_only_lint_and_update(words: list[str], code: int, tmp_path: Path) -> None:
    # The program only says how it is called.
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    entry = ENTRY.read_text(encoding="utf-8")
    assert entry.count("/opt/mdbench/bin/mdbench") == 1
    script = tmp_path / "entry.sh"
    script.write_text(entry.replace("/opt/mdbench/bin/mdbench", str(program)), encoding="utf-8")
    done = subprocess.run(
        ["sh", script, *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == code
    assert done.stdout.splitlines() == (words if code == 0 else [])
    assert ("only lint and update" in done.stderr) is (code == 2)


def test_the_workflow_builds_it() -> None:
    workflow = (PROJECT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.search(r"docker build .*\.$", workflow, re.MULTILINE)
