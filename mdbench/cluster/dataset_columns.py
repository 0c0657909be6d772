"""Find the columns of a dataset with the name and the text of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from mdbench.files.errors import ProblemError

# Common names, the most likely first.
_PATHS = (
    "path file_path filepath filename file_name file name max_stars_repo_path url uri key id"
).split()
_CONTENTS = "content contents text markdown readme body raw raw_content code data".split()


class Columns(NamedTuple):
    """The columns to read; the path columns are joined by slashes to name a file."""

    path: tuple[str, ...]
    content: str


def choose_columns(
    schema: pa.Schema, path: str | None, content: str | None, dataset: str
) -> Columns:
    """The columns that were asked for, or those with similar names."""
    names = schema.names
    chosen = Columns(
        _read_paths(names, path) or (_guess(names, _PATHS, "--path-column", dataset),),
        content or _guess(names, _CONTENTS, "--content-column", dataset),
    )
    check_columns(schema, chosen, dataset)
    return chosen


def check_columns(schema: pa.Schema, columns: Columns, dataset: str) -> None:
    """Raise `ProblemError` if a dataset does not have these columns, or not with these types."""
    for name in (*columns.path, columns.content):
        if name not in schema.names:
            raise ProblemError(f"{dataset}: has no column {name!r}; {_list(schema.names)}")
    kind = _value_type(schema.field(columns.content).type)
    if not _is_text(kind):
        raise ProblemError(
            f"{dataset}: the column {columns.content!r} is {kind}, neither text nor bytes; "
            "use --content-column"
        )
    for name in columns.path:
        kind = _value_type(schema.field(name).type)
        if not _is_text(kind) and not pa.types.is_integer(kind):
            raise ProblemError(
                f"{dataset}: the column {name!r} is {kind}, not a file name; use --path-column"
            )


def _read_paths(names: Sequence[str], asked: str | None) -> tuple[str, ...]:
    if asked is None:
        return ()
    # A name may contain a comma.
    return (asked,) if asked in names else tuple(name.strip() for name in asked.split(","))


def _guess(names: Sequence[str], usual: Sequence[str], option: str, dataset: str) -> str:
    by_lower = {name.lower(): name for name in reversed(names)}
    for name in usual:
        if name in by_lower:
            return by_lower[name]
    raise ProblemError(f"{dataset}: has no column {usual[0]!r}; {_list(names)}; use {option}")


def _list(names: Sequence[str]) -> str:
    return f"available: {', '.join(names)}" if names else "no columns"


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    kinds = pa.types
    return any(
        fits(kind)
        for fits in (
            kinds.is_string,
            kinds.is_large_string,
            kinds.is_string_view,
            kinds.is_binary,
            kinds.is_large_binary,
            kinds.is_binary_view,
            kinds.is_fixed_size_binary,
            kinds.is_null,
        )
    )
