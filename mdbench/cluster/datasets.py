"""Parquet files whose rows are files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import compute, parquet

from mdbench.cluster.addresses import find_place
from mdbench.cluster.dataset_columns import Columns
from mdbench.files.errors import ProblemError

# Few enough rows that even long texts take little memory.
_BATCH = 128


class Group(NamedTuple):
    """A row group: its number of rows, and roughly how many bytes of text."""

    rows: int
    weight: int


class Footer(NamedTuple):
    """The metadata of a parquet file."""

    schema: pa.Schema
    groups: tuple[Any, ...]

    def measure(self, content: str) -> list[Group]:
        """The row groups, by the size of one column."""
        found = []
        for group in self.groups:
            columns = (group.column(at) for at in range(group.num_columns))
            weight = sum(
                one.total_uncompressed_size for one in columns if one.path_in_schema == content
            )
            found.append(Group(group.num_rows, weight))
        return found


class DatasetRow(NamedTuple):
    """One file of a dataset; the content is None if it is missing or too long."""

    number: int
    """Its row in the parquet file, counted from 0."""
    name: str
    """Empty if it has none."""
    content: bytes | None
    size: int | None


def read_footer(address: str, name: str) -> Footer:
    """Read the metadata of a dataset without its rows."""
    place = find_place(address)
    try:
        with place.system.open(place.path, "rb") as file:
            opened = parquet.ParquetFile(file)
            found = opened.metadata
            groups = tuple(found.row_group(at) for at in range(found.num_row_groups))
            return Footer(opened.schema_arrow, groups)
    except Exception as error:
        # Each file system and codec raises its own errors.
        raise ProblemError(f"{name}: is not a readable parquet file: {error}") from error


def read_rows(
    address: str, start: int, stop: int, columns: Columns, most: int
) -> Iterator[DatasetRow]:
    """Read a range of rows; content longer than `most` bytes is skipped."""
    place = find_place(address)
    with place.system.open(place.path, "rb") as file:
        opened = parquet.ParquetFile(file)
        groups, skipped = _find_groups(opened.metadata, start, stop)
        batches = opened.iter_batches(
            _BATCH, groups, list({*columns.path, columns.content}), use_threads=False
        )
        at = skipped
        for batch in batches:
            first, last = max(start - at, 0), min(stop - at, batch.num_rows)
            if first < last:
                cut = batch.slice(first, last - first)
                yield from _read_batch(cut, at + first, columns, most)
            at += batch.num_rows
            if at >= stop:
                return


def _find_groups(found: Any, start: int, stop: int) -> tuple[list[int], int]:
    """The groups that contain some rows, and the number of rows before them."""
    groups: list[int] = []
    before = skipped = 0
    for at in range(found.num_row_groups):
        rows = found.row_group(at).num_rows
        if before + rows <= start:
            skipped += rows
        elif before < stop:
            groups.append(at)
        before += rows
    return groups, skipped


def _read_batch(
    batch: pa.RecordBatch, first: int, columns: Columns, most: int
) -> Iterator[DatasetRow]:
    # As bytes: a text column may contain invalid UTF-8, which is reported as for a file.
    contents = _to_bytes(batch.column(columns.content))
    sizes = compute.binary_length(contents).to_pylist()
    names = zip(*(_to_texts(batch.column(name)) for name in columns.path), strict=True)
    for at, (parts, size) in enumerate(zip(names, sizes, strict=True)):
        content = contents[at].as_py() if size is not None and size <= most else None
        yield DatasetRow(first + at, "/".join(filter(None, parts)), content, size)


def _to_bytes(array: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return array.cast(pa.large_binary())


def _to_texts(array: pa.Array) -> list[str]:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_integer(array.type):
        return ["" if value is None else str(value) for value in array.to_pylist()]
    values = _to_bytes(array).to_pylist()
    return ["" if value is None else value.decode("utf-8", "backslashreplace") for value in values]
