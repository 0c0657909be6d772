"""How a process begins and ends: as quickly as can be, and without losing anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
PLAIN = str(REPORTS / "fugaku-1.3b.md")
SCRIPT = "import sys; from mdbench.__main__ import run_and_end; run_and_end()"


def start(*arguments: str, code: str = SCRIPT) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint", "--no-cache", PLAIN),
        ("lint", "--no-cache", "--format", "json", PLAIN),
        ("lint", "--no-cache", "--select", "MB901", PLAIN),
        ("lint", "no-such.md"),
        ("normalize", PLAIN, "--format", "csv"),
        ("rules",),
        ("lint", "--no-such-option"),
    ],
    ids=lambda arguments: " ".join(arguments).replace(PLAIN, "report.md"),
)
def test_the_script_says_what_the_module_says(arguments: tuple[str, ...]) -> None:
    done = start(*arguments)
    module = [sys.executable, "-m", "mdbench", *arguments]
    same = subprocess.run(module, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (same.returncode, same.stdout)
    assert done.stderr == same.stderr
    assert done.stdout or done.stderr


def test_the_module_leaves_the_process_to_whoever_started_it(tmp_path: Path) -> None:
    code = (
        "import runpy, sys; sys.argv = ['mdbench', 'rules']\n"
        "try: runpy.run_module('mdbench', run_name='__main__')\n"
        "except SystemExit as end: print('came back', end.code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout.endswith(b"came back 0" + os.linesep.encode())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
def test_what_cannot_be_written_at_the_end_is_no_success() -> None:
    late = "import sys; from mdbench import cli, __main__ as start\n"
    late += "cli.main = lambda: print('late') or 0\nstart.run_and_end()"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", late], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode != 0
    assert b"No space left on device" in done.stderr
