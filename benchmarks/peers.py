"""Other tools that read Markdown: how they are installed and called, and what they do.

Those written in Python go into a virtual environment, the others beside it into `node_modules`.
What is there already stays as it is; what cannot be had is told, and left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from stopwatch import clean_environment

FILES = "FILES"
"""Stands in a command for a report, or for a folder of reports."""
_STYLE = "style of Markdown: headings, lists, line length; reads no number"
_LAYOUT = "layout: formats, and says which files would change; reads no number"
_PARSE = (
    "import sys, pathlib, markdown_it\n"
    "parser = markdown_it.MarkdownIt('commonmark').enable('table')\n"
    "asked = pathlib.Path(sys.argv[1])\n"
    "for path in asked.glob('*.md') if asked.is_dir() else [asked]:\n"
    "    parser.parse(path.read_text(encoding='utf-8'))\n"
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, and how it is called without a cache and with one."""

    name: str
    does: str
    version: str
    cold: tuple[str, ...]
    warm: tuple[str, ...] = ()
    one: tuple[str, ...] = ()
    """How it is called for a single report, where that is different."""


@dataclass(frozen=True, slots=True)
class _Peer:
    name: str
    does: str
    packages: tuple[str, ...]
    cold: tuple[str, ...]
    warm: tuple[str, ...] = ()
    node: bool = False


_PEERS = (
    _Peer(
        "rumdl",
        _STYLE,
        ("rumdl",),
        ("rumdl", "check", "--no-cache", FILES),
        ("rumdl", "check", FILES),
    ),
    _Peer(
        "markdownlint-cli2", _STYLE, ("markdownlint-cli2",), ("markdownlint-cli2", FILES), node=True
    ),
    _Peer("pymarkdown", _STYLE, ("pymarkdownlnt",), ("pymarkdown", "scan", FILES)),
    _Peer("mdformat", _LAYOUT, ("mdformat", "mdformat-gfm"), ("mdformat", "--check", FILES)),
    _Peer("prettier", _LAYOUT, ("prettier",), ("prettier", "--check", FILES), node=True),
)


def list_own(output: Path) -> Iterator[Tool]:
    """mdbench, and the parser that it is built on."""
    script = str(Path(sys.executable).with_name("mdbench"))
    lint, normalize = (script, "lint"), (script, "normalize")
    yield Tool(
        "mdbench lint",
        "numbers: recomputes them and says which are wrong; no style, no layout",
        version("mdbench"),
        (*lint, "--jobs", "2", "--no-cache", FILES),
        (*lint, "--jobs", "2", FILES),
        (*lint, "--no-cache", FILES),
    )
    yield Tool(
        "mdbench normalize",
        "numbers: one table of all runs, as parquet",
        version("mdbench"),
        (*normalize, "--jobs", "2", "-o", str(output), FILES),
    )
    yield Tool(
        "markdown-it-py",
        "parses, all in one process, and does nothing with it",
        version("markdown-it-py"),
        (sys.executable, "-c", _PARSE, FILES),
    )


def install_peers(folder: Path) -> Iterator[Tool]:
    """The others, installed where they are not."""
    if not (folder / "bin" / "python").exists():
        _call(sys.executable, "-m", "venv", str(folder))
    for peer in _PEERS:
        programs = folder / "node_modules" / ".bin" if peer.node else folder / "bin"
        program, *arguments = peer.cold
        if not (programs / program).exists():
            trouble = _install(peer, folder)
            if trouble:
                print(f"{peer.name} left out, it cannot be had: {trouble}", flush=True)
                continue
        path = str(programs / program)
        yield Tool(
            peer.name,
            peer.does,
            ", ".join(_read_versions(peer, folder)),
            (path, *arguments),
            (path, *peer.warm[1:]) if peer.warm else (),
        )


def _install(peer: _Peer, folder: Path) -> str:
    """Install a tool; what went wrong, if anything did."""
    if peer.node:
        return _call(
            "npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *peer.packages
        )
    return _call(str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *peer.packages)


def _call(*command: str) -> str:
    """Run a command; the last line of its complaints if it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=clean_environment()
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    lines = done.stderr.strip().splitlines() or [f"{command[0]} ends with {done.returncode}"]
    return lines[-1] if done.returncode else ""


def _read_versions(peer: _Peer, folder: Path) -> Iterator[str]:
    for package in peer.packages:
        if peer.node:
            described = folder / "node_modules" / package / "package.json"
            found = json.loads(described.read_text(encoding="utf-8"))["version"]
        else:
            ask = f"import importlib.metadata as m; print(m.version({package!r}))"
            found = subprocess.check_output(
                (folder / "bin" / "python", "-c", ask), text=True
            ).strip()
        yield found if package == peer.packages[0] else f"{package} {found}"


def compile_code(folders: Sequence[Path]) -> None:
    """Compile what Python is to run, so that no measured start has to."""
    _call(sys.executable, "-m", "compileall", "-q", *map(str, folders))
