"""Workers, of a local or an existing cluster, and pieces of work for them."""

from __future__ import annotations

import atexit
import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing import active_children, resource_tracker
from threading import Event, Thread
from time import sleep
from typing import Any

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed
from distributed.deploy.spec import close_clusters
from tornado.ioloop import IOLoop

from mdbench.cluster.pieces import Piece
from mdbench.cluster.store import Counts
from mdbench.files.errors import ProblemError, report_error
from mdbench.files.workers import interrupts_held

_PATIENCE = "10s"
# After this many dead workers a piece is suspect; in a separate process it can do no harm.
_DEATHS = 1
# Enough for thousands of workers, and no more than a scheduler handles well.
_MOST_WAITING = 4000
# A terminal sends Ctrl-C to all processes; only the one that started the workers answers it.
_PRELOAD = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
# How often, and how long after each other, to look for processes that were being started.
_ROUNDS, _PAUSE_S = 10, 0.02
# How long the loop may take to stop: whoever interrupts does not wait for it.
_MOMENT_S = 0.5
_LOCAL = {
    "threads_per_worker": 1,
    # No dashboard, and no port that another cluster may use.
    "dashboard_address": None,
    "worker_dashboard_address": None,
    "scheduler_kwargs": {"dashboard_address": "127.0.0.1:0", "allowed_failures": _DEATHS},
    "silence_logs": logging.CRITICAL,
}
_LOCAL_PROCESSES = {"host": "127.0.0.1", "preload": [_PRELOAD]}


@contextmanager
def open_cluster(scheduler: str | None, jobs: int, *, processes: bool) -> Iterator[Client]:
    """A client of an existing cluster, or of one that lives as long as this block."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    # Workers would profile themselves all the time, and nobody looks at the profiles.
    lean = {"distributed.worker.profile.enabled": False}
    with dask.config.set({"distributed.comm.timeouts.connect": _PATIENCE, **lean}):
        if scheduler is None:
            with _own_cluster(jobs, processes=processes) as client:
                yield client
            return
        client = _connect(scheduler)
        if client is None:
            # Collected later, while distributed starts another loop, it would wait for that.
            gc.collect()
            raise ProblemError(
                f"--scheduler {scheduler}: cannot be reached; use the address of a running "
                "scheduler, such as tcp://host:8786"
            )
        with client:
            if not client.nthreads():
                report_error(f"--scheduler {scheduler}: has no workers yet; waiting for some")
            yield client


def _connect(scheduler: str) -> Client | None:
    with suppress(OSError, TimeoutError, ValueError):
        return Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    return None


@contextmanager
def _own_cluster(jobs: int, *, processes: bool) -> Iterator[Client]:
    """A client of a new cluster, whose processes end with this one.

    An interrupt waits neither for its processes to start nor for it to close in order.
    """
    options = {**_LOCAL, **(_LOCAL_PROCESSES if processes else {})}
    try:
        with _running_loop() as loop, ExitStack() as closing:
            try:
                cluster = LocalCluster(n_workers=jobs, processes=processes, loop=loop, **options)
                closing.callback(cluster.close)
                with Client(cluster, timeout=_PATIENCE, set_as_default=False) as client:
                    yield client
            except (KeyboardInterrupt, GeneratorExit):
                closing.pop_all()
                raise
    except (KeyboardInterrupt, GeneratorExit):
        atexit.unregister(close_clusters)
        _end_processes()
        raise


def _end_processes() -> None:
    """End all processes, also those that are being started."""
    for _ in range(_ROUNDS):
        for one in active_children():
            one.terminate()
        sleep(_PAUSE_S)


@contextmanager
def _running_loop() -> Iterator[IOLoop]:
    """A loop in a thread of its own; whatever it starts never sees Ctrl-C."""
    loop = IOLoop(make_current=False)
    thread = Thread(target=loop.start, daemon=True)
    # The first to need it would start it, and let its thread and its processes see Ctrl-C again.
    resource_tracker.ensure_running()
    with interrupts_held():
        thread.start()
    started = Event()
    loop.add_callback(started.set)
    started.wait()
    try:
        yield loop
    finally:
        loop.add_callback(loop.stop)
        thread.join(_MOMENT_S)


def run_pieces(
    client: Client, work: Callable[..., Counts], pieces: Sequence[Piece]
) -> Iterator[tuple[Piece, Counts | Exception]]:
    """The counts of each piece, as completed, or an error; a `ProblemError` concerns all pieces.

    A piece that kills workers is made again, `apart`.
    """
    waiting = iter(pieces)
    sent: dict[Any, tuple[Piece, bool]] = {}
    done = as_completed([], loop=client.loop)

    def send(piece: Piece, *, apart: bool = False) -> None:
        future = client.submit(work, piece, apart=apart, pure=False)
        sent[future] = piece, apart
        done.add(future)

    try:
        for piece in islice(waiting, _MOST_WAITING):
            send(piece)
        for future in done:
            piece, apart = sent.pop(future)
            error = None if future.cancelled() else future.exception()
            if isinstance(error, KilledWorker) and not apart:
                send(piece, apart=True)
                continue
            yield piece, _explain(error) if error or future.cancelled() else future.result()
            for following in islice(waiting, 1):
                send(following)
    finally:
        if sent:
            with suppress(Exception):
                client.cancel(list(sent), force=True)


def _explain(error: Exception | None) -> Exception:
    if error is None:
        return ProblemError("lost the cluster; run the same command again to continue")
    if isinstance(error, ImportError):
        return ProblemError(
            f"a worker cannot load mdbench ({error}); install the same version there"
        )
    if isinstance(error, KilledWorker):
        return RuntimeError("repeatedly killed its workers")
    return error
