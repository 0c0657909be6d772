"""Other Markdown tools to compare with: how to install and run them.

Python tools are installed into a virtual environment, Node.js tools into `node_modules` next to it.
Tools that are already there are not upgraded. Tools that cannot be installed are skipped.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

_STYLE = "style: headings, lists, line length"
_LAYOUT = "formatting"
_RENDER = """
import pathlib, sys
import cmarkgfm
path = pathlib.Path(sys.argv[1])
for one in path.rglob("*.md") if path.is_dir() else [path]:
    cmarkgfm.github_flavored_markdown_to_html(one.read_text(encoding="utf-8"))
"""
_PRINT_VERSION = """
from importlib.metadata import PackageNotFoundError, version
try:
    print(version("cmarkgfm"))
except PackageNotFoundError:
    pass
"""
_VERSION = re.compile(r"\d+\.\d+[\w.]*")


class Tool(NamedTuple):
    """An installed tool. The file to check is appended to its command."""

    name: str
    checks: str
    version: str
    command: tuple[str, ...]
    folder: tuple[str, ...] = ("{}",)
    """What is appended to check a folder, whose name replaces `{}`."""

    def on_folder(self, name: str) -> tuple[str, ...]:
        """The command that checks the reports in a folder."""
        return (*self.command, *(word.format(name) for word in self.folder))


class Peer(NamedTuple):
    """A tool that can be installed."""

    name: str
    checks: str
    packages: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    version: tuple[str, ...] = ("--version",)
    node: bool = False
    folder: tuple[str, ...] = ("{}",)
    program: str = ""
    """The program to run, if it is not called like the tool."""


PEERS = (
    Peer("rumdl", _STYLE, ("rumdl",), ("check", "--no-cache")),
    Peer("markdownlint-cli2", _STYLE, ("markdownlint-cli2",), node=True, folder=("{}/**/*.md",)),
    Peer(
        *("pymarkdown", _STYLE, ("pymarkdownlnt",), ("scan",), ("version",)),
        folder=("--recurse", "{}"),
    ),
    Peer("mdformat", _LAYOUT, ("mdformat", "mdformat-gfm"), ("--check",)),
    Peer("prettier", _LAYOUT, ("prettier",), ("--check",), node=True),
    Peer(
        *("cmarkgfm", "nothing, it only renders", ("cmarkgfm",), ("-c", _RENDER)),
        ("-c", _PRINT_VERSION),
        program="python",
    ),
)


def install_peers(folder: Path, names: Collection[str]) -> Iterator[Tool]:
    """Install the named tools into a folder, if they are not there yet."""
    if not (folder / "bin" / "python").exists():
        _run(sys.executable, "-m", "venv", str(folder))
    for peer in PEERS:
        if peer.name not in names:
            continue
        path = folder / ("node_modules/.bin" if peer.node else "bin") / (peer.program or peer.name)
        version = _find_version(path, peer)
        output = _install(peer, folder) if version is None else ""
        version = version or _find_version(path, peer)
        if version is None:
            reason = (output.strip().splitlines() or ["unknown error"])[-1]
            print(f"skipping {peer.name}, it cannot be installed: {reason}", flush=True)
            continue
        yield Tool(peer.name, peer.checks, version, (str(path), *peer.arguments), peer.folder)


def _find_version(path: Path, peer: Peer) -> str | None:
    """The version of a tool; None if it is not installed."""
    if not path.exists():
        return None
    version = _VERSION.search(_run(str(path), *peer.version))
    if version is None:
        return None if peer.program else "unknown"
    return version[0]


def _install(peer: Peer, folder: Path) -> str:
    if peer.node:
        npm = ("npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder))
        return _run(*npm, *peer.packages)
    return _run(str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *peer.packages)


def _run(*command: str) -> str:
    """Run a command. Returns everything it prints, or why it cannot be started."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return done.stdout
