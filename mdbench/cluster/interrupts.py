"""Preloaded by each worker of a local cluster."""

from __future__ import annotations

import signal


def dask_setup(_worker: object) -> None:
    """Ignore Ctrl-C in workers, since a terminal sends it to all processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
