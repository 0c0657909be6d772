"""One input file: its bytes and the rows made from it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.cluster.addresses import find_place
from mdbench.cluster.datasets import DatasetRow, read_rows
from mdbench.cluster.job import Job, OutputTable
from mdbench.cluster.slices import Piece, Slice
from mdbench.files.limits import describe_too_large
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import judged_rows
from mdbench.linting.checker import report_unreadable
from mdbench.linting.plan import Options, Plan
from mdbench.linting.runner import lint_source
from mdbench.output.json import as_object, dump
from mdbench.rules.findings import Finding
from mdbench.sheets.report_files import understand
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
    severities: tuple[str, ...] = ()
    """The severities of its findings."""


class InputError(Exception):
    """A dataset cannot be read; the message says which one and why."""


def read_entries(piece: Piece, job: Job) -> Iterator[FoundFile]:
    """The files of a piece, in order."""
    for one in piece.slices:
        if one.is_dataset:
            yield from _read_dataset(one, job)
        else:
            yield _read_report(one, job)


def _read_dataset(one: Slice, job: Job) -> Iterator[FoundFile]:
    if job.columns is None:
        raise InputError(f"{one.source.name}: its columns were not chosen")
    try:
        for row in read_rows(one.source.address, one.start, one.stop, job.columns, job.limit):
            yield _take_row(row, one, job)
    except GeneratorExit:
        raise
    except Exception as error:
        # Each file system and codec raises its own errors.
        rows = f"rows {one.start} to {one.stop - 1}"
        raise InputError(f"{one.source.name}: {rows} cannot be read: {error}") from error


def _take_row(row: DatasetRow, one: Slice, job: Job) -> FoundFile:
    name = row.name or f"{one.source.name}#{row.number}"
    if row.size is None:
        return FoundFile(name, b"", None, "has no content")
    if row.content is None:
        return FoundFile(name, b"", row.size, describe_too_large(job.limit))
    return FoundFile(name, row.content, row.size)


def _read_report(one: Slice, job: Job) -> FoundFile:
    name, address, size, _ = one.source
    if size > job.limit:
        return FoundFile(name, b"", size, describe_too_large(job.limit))
    place = find_place(address)
    try:
        content = bytes(place.system.cat_file(place.path))
    except OSError as error:
        why = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
        return FoundFile(name, b"", None, f"cannot be read: {why}")
    if len(content) > job.limit:
        return FoundFile(name, b"", len(content), describe_too_large(job.limit))
    return FoundFile(name, content, len(content))


def make_rows(entry: FoundFile, job: Job) -> Made:
    """The rows of one file; an error in it does not affect other files."""
    if job.table is OutputTable.FINDINGS:
        return _find(entry, job)
    try:
        rows = _tidy(_decode(entry), job)
    except SourceError as error:
        return Made((), str(error))
    return Made(rows)


def _decode(entry: FoundFile) -> Source:
    if entry.problem:
        raise SourceError(entry.problem)
    return Source.from_bytes(entry.name, entry.content)


def _tidy(source: Source, job: Job) -> list[TidyRow]:
    make = partial(judged_rows, shape=Shape(job.table.value))
    return understand(source, make, extended_vocabulary(job.extensions))


def _find(entry: FoundFile, job: Job) -> Made:
    selection = job.for_file(entry.name)
    try:
        source = _decode(entry)
    except SourceError as error:
        findings = report_unreadable(str(error), Options(selection))
        return _make_findings(Source(entry.name, ""), findings, str(error))
    findings = lint_source(source, Plan(selection, extensions=job.extensions)).findings
    crashed = (one.message for one in findings if one.code == _CRASHED)
    return _make_findings(source, findings, next(crashed, ""))


def _make_findings(source: Source, findings: Sequence[Finding], error: str) -> Made:
    objects = (as_object(source, one) for one in findings)
    rows = [
        one | {"evidence": dump(one["evidence"]), "fixes": dump(one["fixes"])} for one in objects
    ]
    return Made(rows, error, tuple(str(one.severity) for one in findings))
