"""What the page about `mdbench diff` shows is what it does."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from mdbench.cli import main

PROJECT = Path(__file__).resolve().parent.parent
PAGE = (PROJECT / "docs" / "diff.md").read_text(encoding="utf-8")
HEAD = "# Training\n\n| Nodes | Step time (s) | TFLOPs |\n|---|---|---|\n"
OLD = f"{HEAD}| 8 | 1.62 | 47.1 |\n"
NEW = f"{HEAD}| 8 | 1.53 | 49.9 |\n| 16 | 0.81 | 47.0 |\n"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where all that the page names is there, in a repository with two commits."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for name in ("results-may", "results-june", "reports"):
        (tmp_path / name).mkdir()
    git("init")
    for text in (OLD, NEW):
        (tmp_path / "reports" / "a.md").write_text(text, encoding="utf-8")
        git("add", "--all")
        git("commit", "--message", "a report")
    for path, text in (
        ("old.md", OLD),
        ("new.md", NEW),
        ("results-may/a.md", OLD),
        ("results-june/a.md", NEW),
    ):
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def git(*arguments: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def shown_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "line", [one for block in shown_blocks("sh") for one in block.splitlines()]
)
def test_the_commands_shown_find_what_changed(line: str) -> None:
    words = shlex.split(line, comments=True)
    assert words[:2] == ["mdbench", "diff"]
    # The files here are as they were committed last.
    assert main(words[1:]) == (0 if words[2:] == [] else 1)


def test_the_output_shown_is_what_is_printed(capsys: Capture) -> None:
    (block,) = shown_blocks("console")
    command, _, shown = block.partition("\n")
    main(shlex.split(command)[2:])
    assert capsys.readouterr().out == shown


def test_the_python_shown_runs(capsys: Capture) -> None:
    (block,) = shown_blocks("python")
    exec(compile(block, "diff.md", "exec"), {})
    assert capsys.readouterr().out.startswith("changed nodes 8 step_time_s -5.5")
