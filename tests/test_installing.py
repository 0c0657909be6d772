"""Hints name an extra, and the command that installs it as mdbench was installed."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from mdbench.installing import REPOSITORY, how_to_install

GIT = '{"url": "https://git.example/m", "vcs_info": {"vcs": "git", "requested_revision": "1.0"}}'
CHECKOUT = "in a checkout of mdbench: pip install '.[query]'"


@pytest.mark.parametrize(
    ("origin", "hint"),
    [
        ('{"url": "file:///somewhere", "dir_info": {"editable": true}}', CHECKOUT),
        ('{"url": "file:///somewhere", "dir_info": {}}', CHECKOUT),
        (GIT, "pip install 'mdbench[query] @ git+https://git.example/m@1.0'"),
        (
            '{"url": "https://x.example/m.whl", "archive_info": {}}',
            "pip install 'mdbench[query] @ https://x.example/m.whl'",
        ),
        (None, "pip install 'mdbench[query]'"),
        ("broken", CHECKOUT),
    ],
)
def test_the_hint_follows_the_installation(
    monkeypatch: pytest.MonkeyPatch, origin: str | None, hint: str
) -> None:
    installed = SimpleNamespace(read_text=lambda _: origin)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: installed)
    assert how_to_install("query") == hint


def pages(project: Path) -> list[Path]:
    found = [*(project / "docs").rglob("*.md"), *(project / "mdbench").rglob("*.md")]
    others = ("README.md", "action.yml", "pyproject.toml", "editors/vscode/README.md")
    return [*found, *(project / other for other in others)]


def test_nobody_is_sent_to_an_index(project: Path) -> None:
    sources = [path for path in (project / "mdbench").rglob("*.py") if path.name != "installing.py"]
    for path in (*pages(project), *sources):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(r"pip install '?mdbench(?!\[\w+\] @)", line), f"{path}: {line}"


def test_the_repository_has_one_name(project: Path) -> None:
    for path in pages(project):
        for address in re.findall(
            r"https://github\.com/[\w.-]+/mdbench\b", path.read_text("utf-8")
        ):
            assert address == REPOSITORY, path
