"""Findings as text, for people and for programs.

A format is a module here with `write(results, options)`, and an entry in `FORMATS`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from mdbench.linting.fail_on import FailOn
from mdbench.linting.results import FileResult
from mdbench.output.terminal import PLAIN, Palette

WriteFile = Callable[[FileResult], str]
"""Writes the findings of one file, independent of all others."""


def write_each(results: Iterable[FileResult], _look: str, write: WriteFile) -> Iterator[str]:
    """What `write` makes of each file."""
    return map(write, results)


class OutputOptions(NamedTuple):
    """How to write findings."""

    palette: Palette = PLAIN
    fail_on: FailOn = FailOn()
    """Which findings count as failures."""
    write_each: Callable[[Iterable[FileResult], str, WriteFile], Iterator[str]] = write_each
    """Writes files one by one; a cache may return what it knows to look the same."""


DEFAULT = OutputOptions()


class Format(NamedTuple):
    """One format of `lint`."""

    module: str
    has_summary: bool = False
    """Whether a summary may follow the findings: it is read by people."""
    has_suppressed: bool = False
    """Whether it lists suppressed findings too, as such."""

    def write(
        self, results: Iterable[FileResult], options: OutputOptions = DEFAULT
    ) -> Iterator[str]:
        """Write findings; the module is loaded only now."""
        write: Callable[[Iterable[FileResult], OutputOptions], Iterator[str]]
        write = import_module(self.module).write
        return write(results, options)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "full": Format("mdbench.output.full", has_summary=True),
        "concise": Format("mdbench.output.concise", has_summary=True),
        "json": Format("mdbench.output.json"),
        "sarif": Format("mdbench.output.sarif", has_suppressed=True),
        "github": Format("mdbench.output.github"),
        "gitlab": Format("mdbench.output.gitlab"),
        "junit": Format("mdbench.output.junit"),
    }
)
