"""Process many files in several processes, with the results in the order of the files."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from time import monotonic
from typing import TypeVar

from mdbench.files.errors import ProblemError

_Result = TypeVar("_Result")
_CHUNK = 16
_WORTH_PROCESSES = 64
# How long one process works before it asks for help, and how much must be left to do then: a new
# process takes a third of a second to be of use.
_TRIAL_S = 0.25
_WORTH_S = 1.5
_MOST_ON_WINDOWS = 61


def map_files(
    work: Callable[[str], _Result], paths: Sequence[str], *, jobs: int
) -> Iterator[_Result]:
    """What `work` makes of each path; however many there are, few results wait in memory.

    It starts in this process, and starts others once they would be worth it.
    """
    if jobs == 1 or len(paths) < _WORTH_PROCESSES:
        yield from map(work, paths)
        return
    started = monotonic()
    for done, path in enumerate(paths):
        spent = monotonic() - started
        if spent > _TRIAL_S and spent / max(done, 1) * (len(paths) - done) > _WORTH_S:
            yield from _map_with_processes(work, paths[done:], jobs)
            return
        yield work(path)


def _map_with_processes(
    work: Callable[[str], _Result], paths: Sequence[str], jobs: int
) -> Iterator[_Result]:
    # Loaded only for work that is worth several processes.
    from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    chunks = (paths[at : at + _CHUNK] for at in range(0, len(paths), _CHUNK))
    # Spawned, not forked: threads of a library may hold locks that a fork never sees released.
    pool = ProcessPoolExecutor(_limit_jobs(jobs), get_context("spawn"), initializer=_begin_worker)
    waiting: deque[Future[list[_Result]]] = deque()
    finished = False
    try:
        with interrupts_held():
            for chunk in islice(chunks, 2 * jobs):
                waiting.append(pool.submit(_work_through, work, chunk))
        while waiting:
            yield from waiting.popleft().result()
            for chunk in islice(chunks, 1):
                waiting.append(pool.submit(_work_through, work, chunk))
        finished = True
    except BrokenExecutor as error:
        raise ProblemError(
            "a process that read files was killed, possibly out of memory; try --jobs 1"
        ) from error
    finally:
        if not finished:
            # Nobody waits for their results; a file that one is writing stays as it was.
            for worker in active_children():
                worker.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: what they inherit, they never see."""
    import signal  # noqa: PLC0415

    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Let the main process alone answer Ctrl-C, which a terminal sends to all, and end with it."""
    import signal  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the main one is gone, which cannot report that it was killed."""
    from multiprocessing import parent_process  # noqa: PLC0415

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work_through(work: Callable[[str], _Result], paths: Sequence[str]) -> list[_Result]:
    return [work(path) for path in paths]


def default_jobs() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limit_jobs(jobs: int) -> int:
    """At most as many processes as a pool can have."""
    return min(jobs, _MOST_ON_WINDOWS) if sys.platform == "win32" else jobs
