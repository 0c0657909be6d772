"""Properties of the commands for any file: how they end, and what they print."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree as ET
from zlib import crc32

from mdbench.cli.main import main
from mdbench.source import Source, SourceError
from tests.fuzz.shows import read_json

_FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
_JSON = frozenset(("json", "sarif", "gitlab"))
_FILE = "report.md"
_BUG = "bug of mdbench"


class Ended(NamedTuple):
    """The result of a command."""

    code: int
    out: bytes
    err: str


def run(*arguments: str) -> Ended:
    """Run a command in this process."""
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8", newline=""), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    out.flush()
    written = out.buffer
    assert isinstance(written, BytesIO)
    return Ended(code, written.getvalue(), err.getvalue())


def hold_lint_command(data: bytes) -> None:
    """`lint` exits with 0 or 1, and its output is the same without a cache and twice with one."""
    kind = _choose(_FORMATS, data)
    with _folder(data):
        asked = ("lint", "--jobs", "1", "--format", kind, _FILE)
        plain = run(*asked, "--no-cache")
        assert plain.code in (0, 1), plain
        assert run(*asked) == plain
        assert run(*asked) == plain
    if kind in _JSON:
        read_json(plain.out.decode())
    elif kind == "junit":
        ET.fromstring(plain.out)


def hold_fix_command(data: bytes) -> None:
    """`lint --fix` exits with 0 or 1, and leaves nothing to fix in the file."""
    asked = ("lint", "--jobs", "1", "--format", "concise", "--unsafe-fixes", _FILE)
    with _folder(data) as file:
        shown = run(*asked, "--diff")
        assert shown.code in (0, 1), shown
        assert file.read_bytes() == data
        first = run(*asked, "--fix")
        assert first.code in (0, 1), first
        assert (file.read_bytes() != data) == (shown.code == 1)
        again = run(*asked, "--diff")
        assert (again.code, again.out) == (0, b""), again


def hold_other_commands(data: bytes) -> None:
    """The others exit with 0 if the file is text, else with 2; they never crash."""
    expected = 0 if _is_text(data) else 2
    with _folder(data):
        shape = _choose(("runs", "cells"), data)
        kind = _choose(("jsonl", "csv", "table", "parquet", "arrow"), data)
        for asked in (
            ("normalize", "--jobs", "1", "--shape", shape, "--format", kind, _FILE),
            ("render", _FILE),
            ("render", "--template", _choose(("report", "table"), data), _FILE),
            ("columns", _FILE),
        ):
            ended = run(*asked)
            assert _BUG not in ended.err, ended.err
            assert ended.code == expected, (asked, ended)
        assert run("render", "--check", _FILE).code in (expected, 1)
        # Equal bytes are equal reports, even if they are not text.
        assert run("diff", _FILE, _FILE).code == 0


def _is_text(data: bytes) -> bool:
    try:
        Source.from_bytes(_FILE, data)
    except SourceError:
        return False
    return True


def _choose(options: Sequence[str], data: bytes) -> str:
    """Choose one of several, always the same for the same bytes."""
    return options[crc32(data) % len(options)]


@contextmanager
def _folder(data: bytes) -> Iterator[Path]:
    """Change to a folder with a report and its own settings."""
    before = os.getcwd()
    with TemporaryDirectory() as folder:
        file = Path(folder, _FILE)
        file.write_bytes(data)
        Path(folder, "mdbench.toml").touch()
        os.chdir(folder)
        try:
            yield file
        finally:
            os.chdir(before)
