"""Full disks, and users without full permissions."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2


@pytest.fixture
def use_up() -> Callable[[Path], None]:
    """Fill up a disk."""

    def fill(disk: Path) -> None:
        with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)

    return fill


@pytest.fixture
def run_as_anybody(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run mdbench as a user who is subject to permissions, even if root runs the tests."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mdbench", *arguments],
            cwd=tmp_path,
            preexec_fn=_give_up_power if os.getuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
        )

    if os.getuid() == 0 and not sys.platform.startswith("linux"):
        pytest.skip("root may write everywhere")
    return run


def _give_up_power() -> None:
    """Drop the capabilities that let root override permissions, for the next program."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        if prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "a capability cannot be given up")
