"""Commands that take turns, and what each of them took: the best of some rounds.

Memory is that of the largest process of a command, those that it starts included: more cannot be
learned from the system afterwards. It is never less than what the process takes that asks for it,
so whoever measures keeps small and loads no package.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# A command that has worked for so long in all is not run again.
_ENOUGH_S = 60.0


@dataclass(frozen=True, slots=True)
class Took:
    """What a command took."""

    clock: float
    cpu: float
    mebibytes: float
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Task:
    """A command to be measured."""

    measure: str
    tool: str
    command: tuple[str, ...]
    folder: Path
    prepared: bool = False
    """Whether it is run once before it is measured."""


class FailedError(Exception):
    """A command could not do its work."""


def run(task: Task) -> Took:
    """What one run takes, from its start to its end. Findings, exit code 1, are no failure."""
    started = time.perf_counter()
    process = subprocess.Popen(
        task.command,
        cwd=task.folder,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise FailedError(f"`{' '.join(task.command)}` ends with {process.returncode}")
    return Took(clock, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def clean_environment() -> Mapping[str, str]:
    """The environment without what makes Python another than it is for most."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def run_in_turn(tasks: Sequence[Task], rounds: int) -> dict[Task, Took]:
    """What each task took at best; what fails is told, and left out."""
    all_took: dict[Task, list[Took]] = {task: [] for task in tasks}
    for number in range(rounds):
        for task, took in list(all_took.items()):
            if sum(one.clock for one in took) > _ENOUGH_S:
                continue
            try:
                if task.prepared and number == 0:
                    run(task)
                took.append(run(task))
            except FailedError as error:
                print(f"{task.tool} left out: {error}", flush=True)
                del all_took[task]
                continue
            print(
                f"  {number + 1}: {took[-1].clock:8.2f} s  {task.measure}: {task.tool}", flush=True
            )
    return {task: choose_best(took) for task, took in all_took.items()}


def choose_best(took: Sequence[Took]) -> Took:
    """The shortest times, and the most memory."""
    return Took(
        min(one.clock for one in took),
        min(one.cpu for one in took),
        max(one.mebibytes for one in took),
        len(took),
    )
