"""Preloaded by each worker of a local cluster: a terminal sends Ctrl-C to all processes."""

import signal


def dask_setup(_: object) -> None:
    """Leave Ctrl-C to the process that started the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
