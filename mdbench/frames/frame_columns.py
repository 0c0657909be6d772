"""The columns of the two tidy frames, with their types and units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

Value = str | int | float | bool | list[str] | dict[str, str] | None
TidyRow = dict[str, Value]


class Shape(StrEnum):
    """The two tidy frames."""

    RUNS = "runs"
    CELLS = "cells"


class ColumnType(StrEnum):
    """The type of a column."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    FLAG = "yes or no"
    TEXTS = "list of texts"
    MAP = "map of texts"


class Field(NamedTuple):
    """One column of a frame. `unit` is empty if it has none."""

    name: str
    kind: ColumnType
    unit: str = ""


IN_RUNS = frozenset((Role.SETTING, Role.IDENTITY, Role.MEASUREMENT))
"""The roles of the quantities that have a column in `runs`."""

_ORIGIN = (
    Field("report", ColumnType.TEXT),
    Field("section", ColumnType.TEXT),
    Field("table", ColumnType.WHOLE),
    Field("row", ColumnType.WHOLE),
    Field("line", ColumnType.WHOLE),
)
_CELLS = (
    *_ORIGIN,
    Field("column", ColumnType.WHOLE),
    Field("end_column", ColumnType.WHOLE),
    Field("header", ColumnType.TEXT),
    Field("quantity", ColumnType.TEXT),
    Field("statistic", ColumnType.TEXT),
    Field("raw", ColumnType.TEXT),
    Field("value", ColumnType.NUMBER),
    Field("low", ColumnType.NUMBER),
    Field("high", ColumnType.NUMBER),
    Field("bound", ColumnType.TEXT),
    Field("spread", ColumnType.NUMBER),
    Field("unit", ColumnType.TEXT),
    Field("status", ColumnType.TEXT),
    Field("markers", ColumnType.TEXTS),
    Field("note", ColumnType.TEXT),
    Field("verified", ColumnType.FLAG),
    Field("findings", ColumnType.TEXTS),
)


def fields(shape: Shape, vocabulary: Vocabulary) -> tuple[Field, ...]:
    """The columns of a frame. They are the same for every report."""
    return _run_fields(vocabulary) if shape is Shape.RUNS else _CELLS


def is_empty(value: Value) -> bool:
    """Whether nothing is in a field of a row."""
    return value is None or value in ("", [], {})


def drop_empty(
    rows: Iterable[TidyRow], columns: Sequence[Field]
) -> tuple[list[TidyRow], tuple[Field, ...]]:
    """The rows, and the columns with a value in some row; all columns if there are no rows."""
    kept: list[TidyRow] = []
    used: set[str] = set()
    for row in rows:
        # All rows are held at once, and most of their fields are empty.
        kept.append({name: value for name, value in row.items() if value is not None})
        used.update(name for name, value in kept[-1].items() if not is_empty(value))
    return kept, tuple(one for one in columns if not kept or one.name in used)


def _run_fields(vocabulary: Vocabulary) -> tuple[Field, ...]:
    return (
        *_ORIGIN,
        Field("source", ColumnType.TEXT),
        Field("status", ColumnType.TEXT),
        Field("markers", ColumnType.TEXTS),
        Field("notes", ColumnType.TEXT),
        Field("findings", ColumnType.TEXTS),
        Field("date", ColumnType.TEXT),
        *(
            Field(one.name, _kind(one), one.unit.text)
            for one in vocabulary.quantities.values()
            if one.role in IN_RUNS
        ),
        Field("extra", ColumnType.MAP),
    )


def _kind(quantity: Quantity) -> ColumnType:
    if quantity.text:
        return ColumnType.TEXT
    if quantity.flag:
        return ColumnType.FLAG
    return ColumnType.WHOLE if quantity.integer else ColumnType.NUMBER
