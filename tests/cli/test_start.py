"""How a process begins and ends: as quickly as can be, and without losing anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
PLAIN = str(REPORTS / "fugaku-1.3b.md")
SCRIPT = "import sys; from mdbench.__main__ import run; run()"


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
def test_what_cannot_be_written_at_the_end_is_no_success() -> None:
    late = "from mdbench import __main__ as start\nfrom mdbench.cli import main as cli\n"
    late += "cli.main = lambda: print('late') or 0\nstart.run()"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", late], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode != 0
    assert b"No space left on device" in done.stderr
