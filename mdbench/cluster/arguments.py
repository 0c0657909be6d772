"""The command-line options for the engine."""

from __future__ import annotations

import argparse

from mdbench.cluster.sizes import read_amount
from mdbench.errors import ProblemError

PARTITION_SIZE = "8MB"
_ONLY_DASK = ("scheduler", "path_column", "content_column", "partition_size")


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add the options for running a command on a cluster."""
    group = command.add_argument_group("past one machine")
    group.add_argument(
        "--engine",
        choices=("local", "dask"),
        default="local",
        help="dask works on a cluster: PATH may also be a parquet dataset of files, or any address "
        "or pattern that fsspec knows; -o is a folder of parquet files, in which what is there "
        "already is not made again (default: local). Needs pip install 'mdbench[dask]'",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="the cluster, as tcp://host:8786 (default: one of --jobs processes, for this run)",
    )
    group.add_argument(
        "--path-column",
        metavar="NAME",
        help="the column of a dataset that names a file; several, as repo,path, are joined by / "
        "(default: path, or what seems to be it)",
    )
    group.add_argument(
        "--content-column",
        metavar="NAME",
        help="the column with its text (default: content, or what seems to be it)",
    )
    group.add_argument(
        "--partition-size",
        type=read_amount,
        metavar="SIZE",
        help="how much a partition reads: files, as 5000, or bytes, as 64MB "
        f"(default: {PARTITION_SIZE})",
    )


def wants_dask(arguments: argparse.Namespace) -> bool:
    """Whether to use a cluster; raise `ProblemError` if the options are inconsistent."""
    if arguments.engine == "dask":
        return True
    for name in _ONLY_DASK:
        if getattr(arguments, name) is not None:
            raise ProblemError(f"--{name.replace('_', '-')} requires --engine dask")
    return False
