"""One input file: its bytes and the rows made from it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.cluster.datasets import read_rows
from mdbench.cluster.input_files import Found, find_place
from mdbench.cluster.job import FINDINGS, Job
from mdbench.cluster.pieces import Piece, Slice
from mdbench.files.limits import describe_too_large
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import source_rows
from mdbench.linting.checker import report_unreadable
from mdbench.linting.plan import Options, Plan
from mdbench.linting.runner import lint_source
from mdbench.output.json import as_object, dump
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
        if one.source.is_dataset:
            yield from _read_dataset(one, job)
        else:
            yield _read_report(one.source, job.limit)


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
        if size is None:
            yield FoundFile(name, b"", None, "has no content")
        elif size > job.limit:
            yield FoundFile(name, b"", size, describe_too_large(job.limit))
        else:
            yield FoundFile(name, content.as_py(), size)


def _read_report(one: Found, limit: int) -> FoundFile:
    content = b""
    try:
        if one.size <= limit:
            place = find_place(one.address)
            content = bytes(place.system.cat_file(place.path))
    except OSError as error:
        why = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
        return FoundFile(one.name, b"", None, f"cannot be read: {why}")
    size = len(content) or one.size
    if size > limit:
        return FoundFile(one.name, b"", size, describe_too_large(limit))
    return FoundFile(one.name, content, len(content))


def make_rows(entry: FoundFile, job: Job) -> Made:
    """The rows of one file; an error in it does not affect other files."""
    if job.table == FINDINGS:
        return _find(entry, job)
    vocabulary = extended_vocabulary(job.extensions)
    try:
        return Made(source_rows(_decode(entry), Shape(job.table), vocabulary))
    except SourceError as error:
        return Made((), str(error))


def _decode(entry: FoundFile) -> Source:
    if entry.problem:
        raise SourceError(entry.problem)
    return Source.from_bytes(entry.name, entry.content)


def _find(entry: FoundFile, job: Job) -> Made:
    selection = job.for_file(entry.name)
    try:
        source = _decode(entry)
        findings = lint_source(source, Plan(selection, extensions=job.extensions)).findings
        error = next((one.message for one in findings if one.code == _CRASHED), "")
    except SourceError as unreadable:
        source, error = Source(entry.name, ""), str(unreadable)
        findings = report_unreadable(error, Options(selection))
    objects = (as_object(source, one) for one in findings)
    rows = [
        one | {"evidence": dump(one["evidence"]), "fixes": dump(one["fixes"])} for one in objects
    ]
    return Made(rows, error)
