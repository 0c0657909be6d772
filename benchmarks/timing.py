"""Run commands in turns, and measure what each takes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_PROJECT = Path(__file__).resolve().parent.parent
_KIB_PER_MB = 1e6 / 1024
# A process begins with the peak memory of the one that starts it, so a small one starts it. The
# times include the processes that a command starts and waits for.
_MEASURE = """
import os, sys, time
silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
started = time.perf_counter()
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, used = os.wait4(process, 0)
wall = time.perf_counter() - started
code = os.waitstatus_to_exitcode(status)
print(code, wall, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Took(NamedTuple):
    """Wall-clock and CPU seconds, and the memory of the largest process in megabytes."""

    wall: float
    cpu: float
    memory: float


Times = Mapping[str, Took]


def find_best(
    commands: Mapping[str, Sequence[str]], folder: Path, runs: int, most_seconds: float = math.inf
) -> dict[str, Took]:
    """The least that each command takes. Commands that fail are skipped.

    The first round fills caches and is not counted. A command that takes longer than `most_seconds`
    in it is not run again: no cache makes much of a difference there.
    """
    best: dict[str, Took] = {}
    left = dict(commands)
    for number in range(runs + 1):
        for name, command in list(left.items()):
            took = run_command(command, folder)
            if took is None:
                print(f"skipping {name}, it fails: {' '.join(command)}", flush=True)
                best.pop(name, None)
                del left[name]
                continue
            print(
                f"  run {number}: {took.wall:8.3f} s, CPU {took.cpu:8.3f} s, "
                f"{took.memory:6.0f} MB  {name}",
                flush=True,
            )
            if took.wall > most_seconds:
                del left[name]
            if number or name not in left:
                best[name] = Took(*map(min, best.get(name, took), took))
    return {name: best[name] for name in commands if name in best}


def run_command(command: Sequence[str], folder: Path) -> Took | None:
    """What one run takes, or None if it fails. Exit code 1 means findings, not failure."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    # The code of this checkout is measured, wherever mdbench is installed from.
    environment = {**kept, "PYTHONPATH": str(_PROJECT), "MDBENCH_CACHE_DIR": ".mdbench_cache"}
    done = subprocess.run(
        (sys.executable, "-I", "-S", "-c", _MEASURE, *command),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    code, wall, cpu, memory = map(float, done.stdout.split())
    return Took(wall, cpu, memory / _KIB_PER_MB) if code in (0, 1) else None


def round_off(number: float) -> str:
    """Three significant digits, without an exponent."""
    rounded = float(f"{number:.3g}")
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"


def compare(times: Times, name: str, base: str) -> str:
    """The CPU time relative to another command, or a dash if that was not measured."""
    return round_off(times[name].cpu / times[base].cpu) if {name, base} <= times.keys() else "–"
