"""Parquet files whose rows are files: their columns, and ranges of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pyarrow as pa
from pyarrow import compute, dataset

from mdbench.cluster.input_files import Found, find_place
from mdbench.files.errors import ProblemError

# Common names, the most likely first.
_PATHS = (
    "path file_path filepath filename file_name file name max_stars_repo_path url uri key id"
).split()
_CONTENTS = "content contents text markdown readme body raw raw_content code data".split()
# Few enough rows that even long texts take little memory.
_BATCH = 128
_AT_ONCE = 16


Opened = Mapping[Found, dataset.ParquetFileFragment]
"""Datasets, of which only the metadata was read."""


class Columns(NamedTuple):
    """The columns to read; the path columns are joined by slashes to name a file."""

    path: tuple[str, ...] = ()
    content: str = ""


def open_datasets(found: Sequence[Found]) -> Opened:
    """Open several datasets at once."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(found, pool.map(_open, found), strict=True))


def _open(found: Found) -> dataset.ParquetFileFragment:
    try:
        place = find_place(found.address)
        opened = dataset.dataset(place.path, format="parquet", filesystem=place.system)
        (fragment,) = opened.get_fragments()
        fragment.ensure_complete_metadata()
    except Exception as error:
        # Each file system and codec raises its own errors.
        raise ProblemError(f"{found.name}: is not a readable parquet file: {error}") from error
    return fragment


def choose_columns(opened: Opened, path: str | None, content: str | None) -> Columns:
    """The columns that were asked for, or those with similar names; all datasets have them."""
    if not opened:
        return Columns()
    first, fragment = next(iter(opened.items()))
    schema = fragment.physical_schema
    paths: Sequence[str] = (path or _guess(schema, _PATHS, "--path-column", first.name),)
    if path is not None and path not in schema.names:
        # A name may contain a comma.
        paths = [part.strip() for part in path.split(",")]
    content = content or _guess(schema, _CONTENTS, "--content-column", first.name)
    for found, each in opened.items():
        for column in (*paths, content):
            _check(each.physical_schema, column, found.name, is_content=column == content)
    return Columns(tuple(paths), content)


def _check(schema: pa.Schema, column: str, name: str, *, is_content: bool) -> None:
    if column not in schema.names:
        raise ProblemError(f"{name}: has no column {column!r}; {_available(schema)}")
    kind = schema.field(column).type
    try:
        _to_bytes(pa.chunked_array([pa.nulls(1, kind)]))
        fits = not (is_content and pa.types.is_integer(kind))
    except pa.ArrowException:
        fits = False
    if not fits:
        needed = "not a file name; use --path-column"
        if is_content:
            needed = "neither text nor bytes; use --content-column"
        raise ProblemError(f"{name}: the column {column!r} is {kind}, {needed}")


def read_rows(
    found: Found, group: int, rows: range, columns: Columns
) -> Iterator[tuple[str, pa.Scalar, int | None]]:
    """The name, content and size of some rows of a row group; each may be missing."""
    table = _open(found).subset(row_group_ids=[group]).take(
        pa.array(rows, pa.int64()),
        columns=list({*columns.path, columns.content}),
        batch_size=_BATCH,
        batch_readahead=1,
        use_threads=False,
    )  # fmt: skip
    contents = _to_bytes(table[columns.content])
    names = zip(*(_to_bytes(table[name]).to_pylist() for name in columns.path), strict=True)
    sizes = compute.binary_length(contents).to_pylist()
    for parts, content, size in zip(names, contents, sizes, strict=True):
        yield (
            "/".join(one.decode("utf-8", "backslashreplace") for one in parts if one),
            content,
            size,
        )


def _to_bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values as bytes, also of a text column with invalid UTF-8, and of whole numbers."""
    if pa.types.is_integer(column.type):
        column = column.cast(pa.string())
    return column.cast(pa.large_binary())


def _guess(schema: pa.Schema, usual: Sequence[str], option: str, dataset_name: str) -> str:
    by_lower: dict[str, str] = {name.lower(): name for name in reversed(schema.names)}
    for name in usual:
        if name in by_lower:
            return by_lower[name]
    missing = f"has no column {usual[0]!r}; {_available(schema)}; use {option}"
    raise ProblemError(f"{dataset_name}: {missing}")


def _available(schema: pa.Schema) -> str:
    return f"available: {', '.join(schema.names)}" if schema.names else "no columns"
