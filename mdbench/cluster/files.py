"""One file of the input: its bytes, and the rows that come of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.cluster.datasets import Row, read_rows
from mdbench.cluster.job import Job, Table
from mdbench.cluster.places import find_place
from mdbench.cluster.slices import Piece, Slice
from mdbench.files.limits import describe_too_large
from mdbench.frames.columns import Shape, TidyRow
from mdbench.frames.rows import judged_rows
from mdbench.linting.checker import report_unreadable
from mdbench.linting.plan import Options, Plan
from mdbench.linting.runner import lint_source
from mdbench.output.json import as_object, dump
from mdbench.rules.findings import Finding
from mdbench.sheets.reading import understand
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import extended_vocabulary

_CRASHED = "MB000"


class Entry(NamedTuple):
    """A file: its name and content, or why it has none."""

    name: str
    content: bytes
    size: int | None
    problem: str = ""


class Made(NamedTuple):
    """What came of a file: its rows, and why there are none."""

    rows: Sequence[TidyRow]
    error: str = ""
    severities: tuple[str, ...] = ()
    """Of its findings."""


class InputError(Exception):
    """A dataset cannot be read: which one, and why."""


def read_entries(piece: Piece, job: Job) -> Iterator[Entry]:
    """The files of a piece, in their order."""
    for one in piece.slices:
        if one.is_dataset:
            yield from _read_dataset(one, job)
        else:
            yield _read_report(one, job)


def _read_dataset(one: Slice, job: Job) -> Iterator[Entry]:
    if job.columns is None:
        raise InputError(f"{one.source.name}: nobody chose its columns")
    try:
        for row in read_rows(one.source.address, one.start, one.stop, job.columns, job.limit):
            yield _take_row(row, one, job)
    except GeneratorExit:
        raise
    except Exception as error:
        # Each file system and codec has errors of its own.
        rows = f"rows {one.start} to {one.stop - 1}"
        raise InputError(f"{one.source.name}: {rows} cannot be read: {error}") from error


def _take_row(row: Row, one: Slice, job: Job) -> Entry:
    name = row.name or f"{one.source.name}#{row.number}"
    if row.size is None:
        return Entry(name, b"", None, "has no content")
    if row.content is None:
        return Entry(name, b"", row.size, describe_too_large(job.limit))
    return Entry(name, row.content, row.size)


def _read_report(one: Slice, job: Job) -> Entry:
    name, address, size, _ = one.source
    if size > job.limit:
        return Entry(name, b"", size, describe_too_large(job.limit))
    place = find_place(address)
    try:
        content = bytes(place.system.cat_file(place.path))
    except OSError as error:
        why = error.strerror or (os.strerror(error.errno) if error.errno else str(error))
        return Entry(name, b"", None, f"cannot be read: {why}")
    if len(content) > job.limit:
        return Entry(name, b"", len(content), describe_too_large(job.limit))
    return Entry(name, content, len(content))


def make_rows(entry: Entry, job: Job) -> Made:
    """The rows of one file; what is wrong with it does not concern the others."""
    if job.table is Table.FINDINGS:
        return _find(entry, job)
    try:
        rows = _tidy(_decode(entry), job)
    except SourceError as error:
        return Made((), str(error))
    return Made(rows)


def _decode(entry: Entry) -> Source:
    if entry.problem:
        raise SourceError(entry.problem)
    return Source.from_bytes(entry.name, entry.content)


def _tidy(source: Source, job: Job) -> list[TidyRow]:
    make = partial(judged_rows, shape=Shape(job.table.value))
    return understand(source, make, extended_vocabulary(job.extensions))


def _find(entry: Entry, job: Job) -> Made:
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
