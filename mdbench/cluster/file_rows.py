"""One input file: its bytes and the rows made from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.cluster.datasets import read_rows
from mdbench.cluster.input_files import find_place
from mdbench.cluster.job import FINDINGS, Job
from mdbench.cluster.pieces import Piece, Slice
from mdbench.files.limits import describe_too_large
from mdbench.files.timeouts import run_within
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import source_rows
from mdbench.linting.checker import report_unreadable
from mdbench.linting.runner import lint_source
from mdbench.output.json import as_object, dump
from mdbench.rules.findings import Finding
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import extended_vocabulary

_CRASHED = "MB000"


class FoundFile(NamedTuple):
    """A file: its name and content, or an error."""

    name: str
    content: bytes
    size: int | None
    problem: str = ""


class Made(NamedTuple):
    """The result for a file: its rows, or an error."""

    rows: Sequence[TidyRow]
    error: str = ""


class InputError(Exception):
    """A dataset cannot be read; the message says which one and why."""


def read_entries(piece: Piece, job: Job) -> Iterator[FoundFile]:
    """The files of a piece, in order."""
    for one in piece.slices:
        read = _read_dataset if one.source.is_dataset else _read_report
        for found in read(one, job):
            most = job.plan.most_bytes
            is_large = found.size is not None and found.size > most
            told = describe_too_large(most)
            yield found._replace(content=b"", problem=told) if is_large else found


def _read_dataset(one: Slice, job: Job) -> Iterator[FoundFile]:
    try:
        read = list(read_rows(one.source, one.group, one.rows, job.columns))
    except Exception as error:
        # Each file system and codec raises its own errors.
        first, last = one.before + one.rows[0], one.before + one.rows[-1]
        message = f"{one.source.name}: rows {first} to {last} cannot be read: {error}"
        raise InputError(message) from error
    for number, (name, content, size) in zip(one.rows, read, strict=True):
        name = name or f"{one.source.name}#{one.before + number}"  # noqa: PLW2901
        problem = "has no content" if size is None else ""
        # A large content is left where it is.
        is_read = size is not None and size <= job.plan.most_bytes
        yield FoundFile(name, content.as_py() if is_read else b"", size, problem)


def _read_report(one: Slice, job: Job) -> Iterator[FoundFile]:
    name, address, size, _ = one.source
    content, problem = b"", ""
    try:
        if size <= job.plan.most_bytes:
            system, path = find_place(address)
            content = bytes(system.cat_file(path))
            size = len(content)
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
    yield FoundFile(name, content, None if problem else size, problem)


def make_rows(entry: FoundFile, job: Job) -> Made:
    """The rows of one file; an error in it does not affect other files."""
    plan = job.for_file(entry.name)
    try:
        source = _decode(entry)
        if job.table != FINDINGS:
            vocabulary = extended_vocabulary(plan.extensions)
            read = partial(source_rows, source, Shape(job.table), vocabulary)
            return Made(run_within(plan.most_seconds, read))
        check = partial(lint_source, source, plan)
        findings = run_within(plan.most_seconds, check).findings
        error = next((one.message for one in findings if one.code == _CRASHED), "")
    except SourceError as unreadable:
        source, error = Source(entry.name, ""), str(unreadable)
        findings = report_unreadable(error, plan.options) if job.table == FINDINGS else ()
    return Made([_make_row(source, one) for one in findings], error)


def _decode(entry: FoundFile) -> Source:
    if entry.problem:
        raise SourceError(entry.problem)
    return Source.from_bytes(entry.name, entry.content)


def _make_row(source: Source, finding: Finding) -> TidyRow:
    row = as_object(source, finding)
    return row | {name: dump(row[name]) for name in ("evidence", "fixes")}
