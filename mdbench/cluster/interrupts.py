"""What each worker of a cluster of ours loads first."""

from __future__ import annotations

import signal


def dask_setup(_worker: object) -> None:
    """Let the main process alone answer Ctrl-C, which a terminal sends to all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
