"""Reference tables: the columns of the data frames, and the relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from mdbench.frames.frame_columns import IN_RUNS, ColumnType, Field, Shape, fields
from mdbench.relations.catalogue import REST, Constant, Relation, catalogue
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
    """The columns of `runs`: the run itself first, then each group of quantities."""
    known = {field.name: field for field in fields(Shape.RUNS, STANDARD)}
    grouped = {name for group in grouped_meanings().values() for name in group if _has_column(name)}
    lines = ["### The run", ""]
    lines += _plain_table(field for field in known.values() if field.name not in grouped)
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
    """The quantities without a column in `runs`; in `cells` they are values of `quantity`."""
    rows = [
        (f"`{name}`", meaning)
        for group in grouped_meanings().values()
        for name, meaning in group.items()
        if not _has_column(name)
    ]
    lines = ["| quantity | description |", "|---|---|"]
    return "\n".join((*lines, *(f"| {name} | {meaning} |" for name, meaning in rows)))


def show_relations() -> str:
    """The built-in relations, with one row for each variant."""
    lines = ["| relation | equation | `k` |", "|---|---|---|"]
    for name, group in groupby(catalogue(), key=lambda one: one.name):
        for number, one in enumerate(group):
            # GitHub and the site escape a pipe in code differently; this works in both.
            equation = one.equation.replace("|", "&#124;")
            title = "" if number else name
            lines.append(f"| {title} | <code>{equation}</code> | {_describe_constant(one)} |")
    return "\n".join(lines)


def _describe_constant(one: Relation) -> str:
    parts = [str(one.constant)] if one.constant is not Constant.ONE else []
    if one.same:
        parts.append(f"the same where {' and '.join(map(_same_setting, one.same))}")
    if one.slack:
        parts.append(f"within {100 * one.slack:g} %")
    return ", ".join(parts)


def _same_setting(name: str) -> str:
    return "all other settings are equal" if name == REST else f"`{name}` is equal"


def _has_column(name: str) -> bool:
    return quantity(name).role in IN_RUNS


def _is_measure(field: Field) -> bool:
    return bool(field.unit) or name_unit(field.name) == _SHARE


def _plain_table(columns: Iterable[Field]) -> Iterator[str]:
    yield from ("| column | type | description |", "|---|---|---|")
    for one in columns:
        yield f"| `{one.name}` | {_TYPES[one.kind]} | {column_meanings()[one.name]} |"


def _row(field: Field, unit: str, meaning: str) -> tuple[str, ...]:
    return f"`{field.name}`", unit, _TYPES[field.kind], meaning


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| column | unit | type | description |"
    yield "|---|---|---|---|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
