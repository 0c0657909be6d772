"""Process whole crawls on a cluster. The only package that imports dask, distributed and fsspec."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mdbench.errors import ProblemError

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_NEEDED = ("dask", "distributed", "fsspec", "pyarrow")


def run_engine(arguments: argparse.Namespace, settings: Settings) -> int:
    """Run a command on a cluster; raise `ProblemError` if that is impossible."""
    from importlib.util import find_spec  # noqa: PLC0415 - start-up time counts

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ProblemError(
            f"--engine dask needs {' and '.join(missing)} (not installed): "
            "pip install 'mdbench[dask]'"
        )
    from mdbench.cluster.running import run  # noqa: PLC0415 - needs what was looked for

    return run(arguments, settings)
