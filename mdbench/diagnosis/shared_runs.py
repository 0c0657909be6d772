"""Runs that several rows tell of: `Sort.merge` and below it `Sort.merge:gc.alloc.rate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.markdown.inline import plain_text
from mdbench.vocabulary.quantities import Role

_MARK = ":"
_Name = tuple[int, tuple[str, ...]]


def join_rows(rows: Sequence[RunNumbers]) -> Iterator[RunNumbers]:
    """The rows, each with what other rows of its table measure of the same benchmark."""
    # Nearly all tables have none.
    sheets = {row.sheet.number for row in rows if _MARK in _first_text(row)}
    if not sheets:
        yield from rows
        return
    names = {row.key: _name(row) for row in rows if row.sheet.number in sheets}
    more: dict[_Name, dict[str, Number]] = {}
    for row in rows:
        sheet, words = names.get(row.key, (-1, ()))
        stem, mark, _ = words[0].partition(_MARK) if words else ("", "", "")
        if mark and stem:
            of_stem = more.setdefault((sheet, (stem, *words[1:])), {})
            for name, one in _measured(row).items():
                of_stem.setdefault(name, one)
    for row in rows:
        found = more.get(names[row.key]) if more and row.key in names else None
        if found is None:
            yield row
            continue
        new = {name: one for name, one in found.items() if name not in row.variables}
        yield row._replace(variables={**row.variables, **new}, stated={**row.stated, **new})


def _first_text(row: RunNumbers) -> str:
    if row.sheet.layout.transposed or not row.run.measurements:
        return ""
    return row.run.measurements[0].cell.raw


def _name(row: RunNumbers) -> _Name:
    """The words that tell a row from the others of its table."""
    return row.sheet.number, tuple(
        plain_text(one.cell.raw)
        for one in row.run.measurements
        if one.part == 0
        and one.quantity is not None
        and one.quantity.role in (Role.IDENTITY, Role.SETTING)
    )


def _measured(row: RunNumbers) -> Mapping[str, Number]:
    return {
        name: one
        for name, one in row.variables.items()
        if one.measurement is not None and one.quantity.role is Role.MEASUREMENT
    }
