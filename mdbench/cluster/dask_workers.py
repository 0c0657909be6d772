"""Workers, of a local or an existing cluster, and pieces of work for them."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import dask
from dask.utils import parse_timedelta
from distributed import Client, KilledWorker, LocalCluster, as_completed

from mdbench.cluster.partitions import PieceResult
from mdbench.cluster.slices import Piece
from mdbench.files.errors import ProblemError, report_error

Work = Callable[..., PieceResult]
"""Makes a piece; `apart` if it may kill a process."""

_PATIENCE = "10s"
_SCHEDULER_PORT = 8786
# Workers would profile themselves all the time, and nobody looks at the profiles.
_LEAN = {"distributed.worker.profile.enabled": False}
# After this many dead workers a piece is suspect; in a separate process it can do no harm.
_DEATHS = 1
# Enough for a cluster that scales with its queue, and no more than a scheduler handles well.
_LEAST_WAITING, _WAITING_A_WORKER = 64, 4
_LOST = "lost the cluster; run the same command again to continue"


@contextmanager
def open_cluster(scheduler: str | None, jobs: int, *, processes: bool) -> Iterator[Client]:
    """A client of an existing cluster, or of one that lives as long as this block."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set({"distributed.comm.timeouts.connect": _PATIENCE, **_LEAN}):
        if scheduler is not None:
            with _connect(scheduler) as client:
                yield client
            return
        with _start(jobs, processes=processes) as cluster, _client(cluster) as client:
            yield client


def _knock(scheduler: str) -> None:
    """Raise unless something listens there: a client starts threads before it finds out."""
    address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    if address.scheme in ("tcp", "tls"):
        place = (address.hostname or "", address.port or _SCHEDULER_PORT)
        socket.create_connection(place, timeout=parse_timedelta(_PATIENCE)).close()


@contextmanager
def _connect(scheduler: str) -> Iterator[Client]:
    try:
        _knock(scheduler)
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ProblemError(
            f"--scheduler {scheduler}: cannot be reached; use the address of a running "
            "scheduler, such as tcp://host:8786"
        ) from error
    with client:
        if not client.nthreads():
            report_error(f"--scheduler {scheduler}: has no workers yet; waiting for some")
        yield client


def _start(jobs: int, *, processes: bool) -> LocalCluster:
    return LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        processes=processes,
        host="127.0.0.1" if processes else None,
        # No dashboard, and no port that another cluster may use.
        dashboard_address=None,
        worker_dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0", "allowed_failures": _DEATHS},
        silence_logs=logging.CRITICAL,
        **({"preload": ["mdbench.cluster.interrupts"]} if processes else {}),
    )


def _client(cluster: LocalCluster) -> Client:
    return Client(cluster, set_as_default=False)


def run_pieces(client: Client, work: Work, pieces: Sequence[Piece]) -> Iterator[PieceResult]:
    """The result of each piece, as completed; a piece that kills workers is made separately."""
    run = os.urandom(6).hex()
    waiting = iter(pieces)
    sent: dict[Any, tuple[Piece, bool]] = {}
    done = as_completed([], loop=client.loop)

    def send(piece: Piece, *, apart: bool = False) -> None:
        key = f"mdbench-{run}-{piece.number}{'-apart' if apart else ''}"
        future = client.submit(partial(work, apart=apart), piece, key=key, pure=False)
        sent[future] = piece, apart
        done.add(future)

    try:
        for piece in islice(waiting, _room(client)):
            send(piece)
        for future in done:
            piece, apart = sent.pop(future)
            outcome = _settle(future, piece, apart=apart)
            if outcome is None:
                send(piece, apart=True)
                continue
            yield outcome
            for other in islice(waiting, max(0, _room(client) - len(sent))):
                send(other)
    finally:
        if sent:
            with suppress(Exception):
                client.cancel(list(sent), force=True)


def _room(client: Client) -> int:
    threads = int(sum(client.nthreads().values()))
    return max(_LEAST_WAITING, _WAITING_A_WORKER * threads)


def _settle(future: Any, piece: Piece, *, apart: bool) -> PieceResult | None:
    """The result of a piece; None if workers died and it was not made separately yet."""
    if future.status in ("cancelled", "lost"):
        return PieceResult(piece.number, problem=_LOST, is_fatal=True)
    error = future.exception()
    if error is None:
        outcome: PieceResult = future.result()
        return outcome
    if isinstance(error, KilledWorker):
        if not apart:
            return None
        message = f"partition {piece.number}: repeatedly killed its workers"
        return PieceResult(piece.number, problem=message)
    if isinstance(error, ImportError):
        message = f"a worker cannot load mdbench ({error}); install the same version there"
        return PieceResult(piece.number, problem=message, is_fatal=True)
    message = f"partition {piece.number}: {type(error).__name__}: {error}"
    return PieceResult(piece.number, problem=message)
