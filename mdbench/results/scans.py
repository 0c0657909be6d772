"""SQL that scans files, with nested objects by dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mdbench.regex import lazy
from mdbench.results.contents import Format, Scanned
from mdbench.results.files import UnreadableError

FILE = "file"
"""The column that says from which file a row is."""

_SAMPLED_BYTES = 16_000_000
_PATTERN = lazy(r"[*?\[\]{}]")
_CALLS = {
    Format.CSV: "read_csv({}, union_by_name = true, filename = '{}'{})",
    Format.TSV: "read_csv({}, delim = '\t', union_by_name = true, filename = '{}'{})",
    Format.LINES: (
        "read_json({}, format = 'newline_delimited', union_by_name = true, filename = '{}'{})"
    ),
    Format.JSON: "read_json({}, format = 'array', union_by_name = true, filename = '{}'{})",
    Format.PARQUET: "read_parquet({}, union_by_name = true, filename = '{}')",
}
_PLACE = "mdbench place of the file"
_NUMBERS = frozenset(
    "tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint "
    "float double decimal bignum".split()
)


class SqlColumn(NamedTuple):
    """A column of a scan: the SQL of its value, and its name."""

    value: str
    name: str


def quote_name(name: str) -> str:
    """A name as SQL spells it."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """A text as SQL spells it."""
    return "'" + text.replace("'", "''") + "'"


def is_number_type(kind: Any) -> bool:
    """Whether a type of duckdb is one of numbers."""
    return str(kind.id) in _NUMBERS


def scan_files(kind: Format, files: Sequence[Scanned]) -> str:
    """The call that scans files of one format."""
    for one in files:
        if _PATTERN.search(one.file.real):
            raise UnreadableError(f"{one.file.shown}: the path has a wildcard in it; rename it")
    listed = f"[{', '.join(quote_text(one.file.real) for one in files)}]"
    small = sum(one.file.stamp.size for one in files) <= _SAMPLED_BYTES
    return _CALLS[kind].format(listed, _PLACE, ", sample_size = -1" if small else "")


def select_flat(scan: str, names: Sequence[str], types: Sequence[Any], home: str) -> str:
    """The query of a scan: flat columns, and the file of each row below the folder `home`."""
    columns = list(_tell_apart(_flat(names, types)))
    if FILE not in {column.name.lower() for column in columns} and _PLACE in names:
        below = f"substr({quote_name(_PLACE)}, {len(home) + 2})"
        columns.append(SqlColumn(f"replace({below}, '\\', '/')", FILE))
    chosen = ", ".join(f"{column.value} as {quote_name(column.name)}" for column in columns)
    return f"select {chosen} from {scan}"


def _flat(names: Sequence[str], types: Sequence[Any]) -> Iterator[SqlColumn]:
    for name, kind in zip(names, types, strict=True):
        if name != _PLACE:
            yield from _flat_column(quote_name(name), name, kind)


def _flat_column(value: str, name: str, kind: Any) -> Iterator[SqlColumn]:
    if kind.id != "struct":
        yield SqlColumn(value, name)
        return
    for inner, inner_kind in kind.children:
        yield from _flat_column(f"{value}.{quote_name(inner)}", f"{name}.{inner}", inner_kind)


def _tell_apart(columns: Iterable[SqlColumn]) -> Iterator[SqlColumn]:
    taken: set[str] = set()
    for column in columns:
        name, count = column.name, 1
        while name.lower() in taken:
            count += 1
            name = f"{column.name}_{count}"
        taken.add(name.lower())
        yield SqlColumn(column.value, name)
