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
_VERSION = re.compile(r"\d+\.\d+[\w.]*")


class Tool(NamedTuple):
    """An installed tool. The paths to check are appended to its command."""

    name: str
    checks: str
    version: str
    command: tuple[str, ...]


class Peer(NamedTuple):
    """A tool that can be installed."""

    name: str
    checks: str
    packages: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    version: str = "--version"
    node: bool = False


PEERS = (
    Peer("rumdl", _STYLE, ("rumdl",), ("check", "--no-cache")),
    Peer("markdownlint-cli2", _STYLE, ("markdownlint-cli2",), node=True),
    Peer("pymarkdown", _STYLE, ("pymarkdownlnt",), ("scan",), "version"),
    Peer("mdformat", _LAYOUT, ("mdformat", "mdformat-gfm"), ("--check",)),
    Peer("prettier", _LAYOUT, ("prettier",), ("--check",), node=True),
)


def install_peers(folder: Path, names: Collection[str]) -> Iterator[Tool]:
    """Install the named tools into a folder, if they are not there yet."""
    if not (folder / "bin" / "python").exists():
        _run(sys.executable, "-m", "venv", str(folder))
    for peer in PEERS:
        if peer.name not in names:
            continue
        path = folder / ("node_modules/.bin" if peer.node else "bin") / peer.name
        output = "" if path.exists() else _install(peer, folder)
        if not path.exists():
            reason = (output.strip().splitlines() or ["unknown error"])[-1]
            print(f"skipping {peer.name}, it cannot be installed: {reason}", flush=True)
            continue
        version = _VERSION.search(_run(str(path), peer.version))
        command = str(path), *peer.arguments
        yield Tool(peer.name, peer.checks, version[0] if version else "unknown", command)


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
