"""Parquet files whose rows are files: how many there are, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import compute, parquet

from mdbench.cluster.addresses import find_place
from mdbench.cluster.dataset_columns import Columns
from mdbench.errors import ProblemError

# So few rows at once that even long texts take little memory.
_BATCH = 128


class Group(NamedTuple):
    """Rows that are stored together: how many, and about how many bytes of text."""

    rows: int
    weight: int


class Footer(NamedTuple):
    """What a parquet file says of itself."""

    schema: pa.Schema
    groups: tuple[Any, ...]

    def measure(self, content: str) -> list[Group]:
        """The groups of rows, by the size of one column."""
        found = []
        for group in self.groups:
            columns = (group.column(at) for at in range(group.num_columns))
            weight = sum(
                one.total_uncompressed_size for one in columns if one.path_in_schema == content
            )
            found.append(Group(group.num_rows, weight))
        return found


class DatasetRow(NamedTuple):
    """One file of a dataset; its content is None where there is none or it is too long."""

    number: int
    """Which row of its parquet file it is, counted from 0."""
    name: str
    """Empty where it has none."""
    content: bytes | None
    size: int | None


def read_footer(address: str, name: str) -> Footer:
    """What is known of a dataset without reading its rows."""
    place = find_place(address)
    try:
        with place.system.open(place.path, "rb") as file:
            opened = parquet.ParquetFile(file)
            found = opened.metadata
            groups = tuple(found.row_group(at) for at in range(found.num_row_groups))
            return Footer(opened.schema_arrow, groups)
    except Exception as error:
        # Each file system and codec has errors of its own.
        raise ProblemError(f"{name}: is no parquet file that can be read: {error}") from error


def read_rows(
    address: str, start: int, stop: int, columns: Columns, most: int
) -> Iterator[DatasetRow]:
    """The rows from one to another; what is longer than `most` bytes is not taken out."""
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
    """The groups that hold some rows, and how many rows stand before them."""
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
    # As bytes: what is stored as text may still not be UTF-8, and is to be told as for a file.
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
