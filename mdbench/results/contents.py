"""What is in a file: rows that duckdb scans, or the records of a tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from mdbench.results.files import FoundFile, UnreadableError
from mdbench.results.records import make_part
from mdbench.results.shapes import Content, Part, read_shape

SMALL_BYTES = 64_000_000
"""The largest file that is read whole; the rows of larger ones are scanned."""

_HEAD_BYTES = 65_536


class Format(StrEnum):
    """What a file is scanned as."""

    CSV = "csv"
    TSV = "tsv"
    LINES = "jsonl"
    JSON = "json"
    PARQUET = "parquet"
    ARROW = "arrow"


_SUFFIXES = {
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".jsonl": Format.LINES,
    ".ndjson": Format.LINES,
    ".json": Format.JSON,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".arrow": Format.ARROW,
    ".feather": Format.ARROW,
    ".ipc": Format.ARROW,
}
_BINARY = {b"PAR1": Format.PARQUET, b"ARROW1": Format.ARROW, b"FEA1": Format.ARROW}


class Scanned(NamedTuple):
    """A file whose rows duckdb scans."""

    file: FoundFile
    format: Format


class Loaded(NamedTuple):
    """A file whose records were read."""

    file: FoundFile
    parts: tuple[Part, ...]


def read_content(file: FoundFile) -> Scanned | Loaded:
    """What is in a file; `UnreadableError` says in one line what is wrong with it."""
    if not file.stamp.size:
        raise UnreadableError(f"{file.shown}: is empty")
    said = _SUFFIXES.get(file.suffix)
    head = _read_bytes(file, _HEAD_BYTES)
    found = next((kind for magic, kind in _BINARY.items() if head.startswith(magic)), None)
    if found is not said and (found is not None or said in (Format.PARQUET, Format.ARROW)):
        raise UnreadableError(f"{file.shown}: is not what its suffix says")
    if found is not None:
        return Scanned(file, found)
    _check_text(file, head)
    if said in (Format.CSV, Format.TSV, Format.LINES):
        return _read_rows(file, said, head)
    if file.stamp.size > SMALL_BYTES:
        if said is not Format.JSON:
            raise UnreadableError(f"{file.shown}: is too large for the output of a tool")
        return Scanned(file, Format.JSON)
    return Loaded(file, tuple(_read_whole(file, said)))


def _check_text(file: FoundFile, head: bytes) -> None:
    whole = len(head) < _HEAD_BYTES
    # A character may be cut at the end of the head.
    text = head if whole else head[: head.rfind(b"\n") + 1] or head[:-4]
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{file.shown}: is not UTF-8 text") from error
    if "\0" in decoded:
        raise UnreadableError(f"{file.shown}: is not text")
    if not decoded.strip():
        raise UnreadableError(f"{file.shown}: is empty")


def _read_rows(file: FoundFile, said: Format, head: bytes) -> Scanned | Loaded:
    """Rows are scanned, unless the first ones are those of a known tool."""
    if said is Format.LINES:
        _check_last_line(file)
    if file.stamp.size <= SMALL_BYTES:
        text = head.decode("utf-8-sig", "ignore")
        first = list(_parse_lines(text.splitlines()[:1])) if said is Format.LINES else None
        if read_shape(Content(file.below, text, first or None)):
            content = _open(file, lines=said is Format.LINES)
            parts = read_shape(content)
            if parts:
                return Loaded(file, tuple(parts))
    return Scanned(file, said)


def _check_last_line(file: FoundFile) -> None:
    tail = _read_bytes(file, _HEAD_BYTES, from_end=True)
    last = tail.rstrip().rpartition(b"\n")[2]
    if len(last) < len(tail.rstrip()) or file.stamp.size <= _HEAD_BYTES:
        try:
            json.loads(last)
        except (ValueError, RecursionError) as error:
            raise UnreadableError(f"{file.shown}: its last line is incomplete") from error


def _read_whole(file: FoundFile, said: Format | None) -> Iterator[Part]:
    content = _open(file, lines=False)
    if content.data is None and said is Format.JSON:
        raise UnreadableError(f"{file.shown}: {_json_error(content.text)}")
    parts = read_shape(content)
    if not parts:
        part = make_part(content.data)
        if part is None:
            what = "has no records" if content.data is not None else "is of no known format"
            raise UnreadableError(f"{file.shown}: {what}")
        parts = [part]
    yield from parts


def _open(file: FoundFile, *, lines: bool) -> Content:
    raw = _read_bytes(file, SMALL_BYTES + 1)
    file.check_unchanged()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{file.shown}: is not UTF-8 text") from error
    return Content(file.below, text, None if _starts_otherwise(text) else _parse(text, lines))


def _starts_otherwise(text: str) -> bool:
    return text.lstrip()[:1] not in ("{", "[")


def _parse(text: str, lines: bool) -> Any:
    if not lines:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    try:
        return list(_parse_lines(text.splitlines()))
    except (ValueError, RecursionError):
        return None


def _parse_lines(lines: list[str]) -> Iterator[Any]:
    for line in lines:
        if line.strip():
            yield json.loads(line)


def _json_error(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            return "ends in the middle: the file is incomplete"
        return f"is not JSON: {error.msg} in line {error.lineno}"
    except (ValueError, RecursionError):
        return "is not JSON that can be read"
    return "has no records"


def _read_bytes(file: FoundFile, most: int, *, from_end: bool = False) -> bytes:
    try:
        with open(file.real, "rb") as stream:
            if from_end:
                stream.seek(max(0, file.stamp.size - most))
            return stream.read(most)
    except OSError as error:
        raise UnreadableError(f"{file.shown}: {error.strerror}") from error
