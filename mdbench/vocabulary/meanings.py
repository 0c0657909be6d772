"""Descriptions of the columns of the tidy frames, read from meanings.toml on demand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from textwrap import fill

from mdbench.vocabulary.quantities import quantity

_FILE = Path(__file__).with_name("meanings.toml")
_COLUMNS = "columns"

Meanings = Mapping[str, str]


def column_meanings() -> Meanings:
    """The columns that are not quantities: the origin and status of a row."""
    return _read()[_COLUMNS]


def grouped_meanings() -> Mapping[str, Meanings]:
    """The quantities by group."""
    return {title: group for title, group in _read().items() if title != _COLUMNS}


def describe_quantity(name: str) -> str | None:
    """A page about a quantity; None if there is no quantity of that name."""
    for group in grouped_meanings().values():
        if name in group:
            spelled = fill("; ".join(quantity(name).spellings), 100)
            return f"# {name}\n\n{group[name]}\n\nUnit: {name_unit(name)}\n\nHeaders: {spelled}\n"
    return None


def name_unit(name: str) -> str:
    """The unit of a quantity in words."""
    one = quantity(name)
    if one.flag:
        return "yes or no, or a name" if one.text else "yes or no"
    if one.text:
        return "words"
    return one.unit.text or ("a share of 1" if one.unit.dimension == "ratio" else "a number")


@cache
def _read() -> Mapping[str, Meanings]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)
