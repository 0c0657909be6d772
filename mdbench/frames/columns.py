"""The columns of the two tidy frames, with their types and units."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

Value = str | int | float | bool | list[str] | dict[str, str] | None
TidyRow = dict[str, Value]


class Shape(StrEnum):
    """The two tidy frames."""

    RUNS = "runs"
    CELLS = "cells"


class Kind(StrEnum):
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
    kind: Kind
    unit: str = ""


IN_RUNS = frozenset((Role.SETTING, Role.IDENTITY, Role.MEASUREMENT))
"""The roles of the quantities that have a column in `runs`."""

_ORIGIN = (
    Field("report", Kind.TEXT),
    Field("section", Kind.TEXT),
    Field("table", Kind.WHOLE),
    Field("row", Kind.WHOLE),
    Field("line", Kind.WHOLE),
)
_CELLS = (
    *_ORIGIN,
    Field("column", Kind.WHOLE),
    Field("end_column", Kind.WHOLE),
    Field("header", Kind.TEXT),
    Field("quantity", Kind.TEXT),
    Field("raw", Kind.TEXT),
    Field("value", Kind.NUMBER),
    Field("low", Kind.NUMBER),
    Field("high", Kind.NUMBER),
    Field("unit", Kind.TEXT),
    Field("status", Kind.TEXT),
    Field("markers", Kind.TEXTS),
    Field("note", Kind.TEXT),
    Field("verified", Kind.FLAG),
    Field("findings", Kind.TEXTS),
)


def fields(shape: Shape, vocabulary: Vocabulary) -> tuple[Field, ...]:
    """The columns of a frame. They are the same for every report."""
    return _run_fields(vocabulary) if shape is Shape.RUNS else _CELLS


def _run_fields(vocabulary: Vocabulary) -> tuple[Field, ...]:
    return (
        *_ORIGIN,
        Field("source", Kind.TEXT),
        Field("status", Kind.TEXT),
        Field("markers", Kind.TEXTS),
        Field("notes", Kind.TEXT),
        Field("findings", Kind.TEXTS),
        Field("date", Kind.TEXT),
        *(
            Field(one.name, _kind(one), one.unit.text)
            for one in vocabulary.quantities.values()
            if one.role in IN_RUNS
        ),
        Field("extra", Kind.MAP),
    )


def _kind(quantity: Quantity) -> Kind:
    if quantity.text:
        return Kind.TEXT
    if quantity.flag:
        return Kind.FLAG
    return Kind.WHOLE if quantity.integer else Kind.NUMBER
