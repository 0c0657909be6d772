"""Whole crawls, beyond one machine. The only door to dask, distributed and fsspec."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdbench.files.console import Console
from mdbench.files.errors import ProblemError
from mdbench.files.limits import read_size

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

PARTITION_SIZE = "8MB"
_REQUIRED = ("dask", "distributed", "fsspec", "pyarrow")


class Size(NamedTuple):
    """The size of a partition: a number of files or of bytes; only one of them is limited."""

    files: int | None = None
    bytes: int | None = None

    def parts(self, files: int, weight: int) -> int:
        """The number of parts to split this many files and bytes into."""
        amount, most = (weight, self.bytes) if self.files is None else (files, self.files)
        return max(1, -(-amount // most)) if most else 1


def read_amount(text: str) -> Size:
    """Parse a size: a bare number counts files, one with a unit bytes; or `ValueError`."""
    amount = read_size(text)
    if not amount:
        raise ValueError(f"{text!r} is not a size, such as 5000 for files or 8MB for bytes")
    return Size(files=amount) if text.strip().isdecimal() else Size(bytes=amount)


class ClusterOptions(NamedTuple):
    """Whether to use a cluster, and how."""

    engine: str
    scheduler: str | None
    path_column: str | None
    content_column: str | None
    partition_size: Size | None

    @property
    def is_wanted(self) -> bool:
        """Whether to use dask; raises `ProblemError` for options that require it."""
        if self.engine == "dask":
            return True
        for name, value in zip(self._fields[1:], self[1:], strict=True):
            if value is not None:
                raise ProblemError(f"--{name.replace('_', '-')} requires --engine dask")
        return False


class Task(NamedTuple):
    """What to do on a cluster."""

    table: str
    """What to write: `runs`, `cells` or `findings`."""
    paths: Sequence[str]
    output: str | None
    jobs: int | None
    options: ClusterOptions
    console: Console


def run_on_cluster(task: Task, settings: "Settings") -> int:
    """Run on a cluster and return the exit code; `ProblemError` says why that is impossible."""
    from importlib.util import find_spec  # noqa: PLC0415 - not needed by a local run

    from mdbench.installing import how_to_install  # noqa: PLC0415

    missing = [name for name in _REQUIRED if find_spec(name) is None]
    if missing:
        raise ProblemError(
            f"--engine dask requires {' and '.join(missing)}, not installed here; "
            f"{how_to_install('dask')}"
        )
    if task.output is None:
        raise ProblemError("--engine dask requires -o FOLDER, for partitions of parquet")
    from mdbench.cluster.running import run  # noqa: PLC0415 - imports what was looked for

    return run(task, task.output, settings)
