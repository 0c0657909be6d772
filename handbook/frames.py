"""The columns of the tidy frames as tables: name, unit, type and meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.frames.frame_columns import IN_RUNS, ColumnType, Field, Shape, fields
from mdbench.vocabulary.meanings import column_meanings, grouped_meanings, name_unit
from mdbench.vocabulary.quantities import quantity, standard_vocabulary

STANDARD = standard_vocabulary()

_TYPES = {
    ColumnType.TEXT: "text",
    ColumnType.WHOLE: "int",
    ColumnType.NUMBER: "float",
    ColumnType.FLAG: "bool",
    ColumnType.TEXTS: "list of text",
    ColumnType.MAP: "map of text",
}
_SHARE = "a share of 1"


def show_cells() -> str:
    """The columns of `cells`."""
    return "\n".join(_plain_table(fields(Shape.CELLS, STANDARD)))


def show_runs() -> str:
    """The columns of `runs`: those about the run itself, then each group of quantities."""
    known = {field.name: field for field in fields(Shape.RUNS, STANDARD)}
    told = {name for group in grouped_meanings().values() for name in group if _has_column(name)}
    lines = ["### The run", ""]
    lines += _plain_table(field for field in known.values() if field.name not in told)
    for title, group in grouped_meanings().items():
        rows = [
            _row(known[name], name_unit(name) if _is_measure(known[name]) else "", meaning)
            for name, meaning in group.items()
            if _has_column(name)
        ]
        if rows:
            lines += "", f"### {title}", "", *_table(rows)
    return "\n".join(lines)


def show_others() -> str:
    """The quantities that only `cells` knows, as values of its column `quantity`."""
    rows = [
        (f"`{name}`", meaning)
        for group in grouped_meanings().values()
        for name, meaning in group.items()
        if not _has_column(name)
    ]
    lines = ["| quantity | what it is |", "|---|---|"]
    return "\n".join((*lines, *(f"| {name} | {meaning} |" for name, meaning in rows)))


def _has_column(name: str) -> bool:
    return quantity(name).role in IN_RUNS


def _is_measure(field: Field) -> bool:
    return bool(field.unit) or name_unit(field.name) == _SHARE


def _plain_table(columns: Iterable[Field]) -> Iterator[str]:
    yield from ("| column | type | what it holds |", "|---|---|---|")
    for one in columns:
        yield f"| `{one.name}` | {_TYPES[one.kind]} | {column_meanings()[one.name]} |"


def _row(field: Field, unit: str, meaning: str) -> tuple[str, ...]:
    return f"`{field.name}`", unit, _TYPES[field.kind], meaning


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| column | unit | type | what it holds |"
    yield "|---|---|---|---|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
