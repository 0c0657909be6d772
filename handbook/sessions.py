"""Runs the examples of a page.

A `console` block is one session in a new folder; in an `sh` block each line is a session of its
own. The folder contains `reports/` and the files shown by earlier blocks with a title, in the same
section or before the first section.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from handbook.pages import PROJECT, Fence, find_fences

_PROMPT = "$ "
_SHELLS = ("console", "sh")
_PYTHONS = ("python", "pycon")
RUN = (*_SHELLS, *_PYTHONS)
_TRANSCRIPT = Path(__file__).with_name("transcript.py")
# A page must never show a crash of mdbench, whatever the exit code is.
_DEFECTS = ("defect of mdbench", "bug of mdbench", "bug in mdbench")
_ADA = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-01-01T00:00:00Z"}


@dataclass(frozen=True, slots=True)
class Step:
    """A command with its output and exit code."""

    command: str
    output: str
    code: int = 0


def needs_running(fence: Fence) -> bool:
    """Whether the commands of a block are to be run."""
    return fence.language in RUN and "not run" not in fence.remarks


def run_fence(text: str, fence: Fence) -> list[Step]:
    """Run the commands of a block, in one session or, for `sh`, each in its own."""
    if fence.language == "sh":
        return [step for one in read_commands(fence) for step in _run_session(text, fence, [one])]
    return _run_session(text, fence, read_commands(fence))


def _run_session(text: str, fence: Fence, commands: Sequence[str]) -> list[Step]:
    with _folder(text, fence) as folder:
        if "setup" in fence.remarks:
            done = _run_shell(fence.remarks["setup"], folder)
            if done.code:
                raise ValueError(f"line {fence.line}: the setup failed: {done.output}")
        if fence.language in _PYTHONS:
            return _run_python(fence, folder)
        return [_run_shell(command, folder) for command in commands]


def read_commands(fence: Fence) -> list[str]:
    """The shell commands of a block. A backslash continues a command on the next line."""
    lines = fence.body.replace("\\\n", "\\\0").splitlines()
    if fence.language == "console":
        lines = [line.removeprefix(_PROMPT) for line in lines if line.startswith(_PROMPT)]
    kept = (line for line in lines if line.strip() and not line.startswith("#"))
    return [line.replace("\0", "\n") for line in kept]


def expected_codes(fence: Fence, count: int) -> list[int]:
    """The expected exit codes of a block: 0 unless the page says otherwise."""
    stated = [int(code) for code in fence.remarks.get("exit", "0").split()]
    return stated * count if len(stated) == 1 else stated


def check_codes(fence: Fence, steps: Sequence[Step]) -> None:
    """Raise `ValueError` if a command crashes or its exit code is not the expected one."""
    expected = expected_codes(fence, len(steps))
    for step, code in zip(steps, expected, strict=True):
        if step.code != code or any(words in step.output for words in _DEFECTS):
            codes = f"exit code {step.code}, expected {code}"
            output = step.output.strip()[-300:]
            raise ValueError(f"line {fence.line}: `{step.command.strip()}`: {codes}: {output}")


def write_body(fence: Fence, steps: Sequence[Step]) -> str:
    """The body of a block with its new output. Blocks without output stay as they are."""
    if fence.language == "console":
        return "".join(f"{_PROMPT}{step.command}\n{step.output}" for step in steps)
    if fence.language == "pycon":
        return "".join(f"{step.command}{step.output}" for step in steps)
    return fence.body


def refresh(text: str) -> str:
    """A page with the current output of all its commands."""
    pieces: list[str] = []
    done = 0
    for fence in find_fences(text):
        if not needs_running(fence):
            continue
        steps = run_fence(text, fence)
        check_codes(fence, steps)
        pieces += text[done : fence.start], write_body(fence, steps)
        done = fence.end
    return "".join((*pieces, text[done:]))


@contextmanager
def _folder(text: str, fence: Fence) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(PROJECT / "reports", folder / "reports")
        for path, body in _shown_files(text, fence):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body, encoding="utf-8")
        yield folder


def _shown_files(text: str, fence: Fence) -> Iterator[tuple[str, str]]:
    for other in find_fences(text):
        near = other.section in (0, fence.section) and other.start < fence.start
        if near and other.title and other.language not in _SHELLS:
            yield other.title, other.body


def _run_shell(command: str, folder: Path) -> Step:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    lines = done.stdout.decode().splitlines()
    return Step(command, "".join(f"{line.rstrip()}\n" for line in lines), done.returncode)


def _run_python(fence: Fence, folder: Path) -> list[Step]:
    done = subprocess.run(
        [sys.executable, _TRANSCRIPT, fence.language],
        cwd=folder,
        env=_environment(),
        input=fence.body.encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        return [Step(fence.body, done.stderr.decode(), done.returncode)]
    return [Step(command, output) for command, output in json.loads(done.stdout)]


def _environment() -> dict[str, str]:
    """The same terminal width, language and git author on every machine."""
    git = {f"GIT_{who}_{key}": one for who in ("AUTHOR", "COMMITTER") for key, one in _ADA.items()}
    return {
        **os.environ,
        **git,
        "COLUMNS": "100",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "LC_ALL": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUTF8": "1",
    }
