"""What a project adds to what is known, from its settings, each name in them looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from mdbench.config.kinds import WrongValueError, hint, quote
from mdbench.frames.columns import Shape, fields
from mdbench.numerals.units import parse_unit
from mdbench.relations.user import EquationError, parse_relation
from mdbench.vocabulary.extensions import Column, Dialect, Given, NewQuantity, Peak, speaking
from mdbench.vocabulary.quantities import Quantity, Role, quantities

# Names that mean something else in relations.
_TAKEN = frozenset({"world", "parts", "number"})


def make_dialect(stated: Mapping[str, Any]) -> Dialect:
    """The dialect of a file whose values are of the right kinds."""
    dialect = Dialect(
        quantities=tuple(_read_quantities(stated.get("quantities", {}))),
        peaks=tuple(_read_peaks(stated.get("peaks", {}))),
    )
    with speaking(dialect):
        dialect = replace(
            dialect,
            columns=tuple(_read_columns(stated.get("columns", {}))),
            constants=tuple(_read_constants(stated.get("constants", {}))),
        )
    with speaking(dialect):
        relations = tuple(_read_relations(stated.get("relations", [])))
    return replace(dialect, relations=relations)


def _read_quantities(table: Mapping[str, Any]) -> Iterator[NewQuantity]:
    taken = {field.name for field in fields(Shape.RUNS)}
    for name, entry in table.items():
        said = entry if isinstance(entry, dict) else {"unit": entry}
        key = f"quantities.{name}"
        if name in quantities() or name in taken or name in _TAKEN:
            raise WrongValueError("there is one already; choose another name", key)
        _check_unit(said["unit"], key)
        spellings = tuple(said.get("spellings", ()))
        role = said.get("role", Role.MEASUREMENT.value)
        yield NewQuantity(name, said["unit"], role, said.get("integer", False), spellings)


def _check_unit(text: str, key: str) -> None:
    if text in ("", "ratio") or parse_unit(text) is not None:
        return
    known = dict.fromkeys(one.unit.text for one in quantities().values() if one.unit.text)
    told = f"{text!r} is not a unit; allowed are units as 'ms' or 'tokens/s', 'ratio', and ''"
    raise WrongValueError(told + hint(text, known), key)


def _read_columns(table: Mapping[str, Any]) -> Iterator[Column]:
    for header, entry in table.items():
        said = entry if isinstance(entry, dict) else {"quantity": entry}
        key = f"columns.{quote(header)}"
        known = _find(said["quantity"], key)
        unit = said.get("unit", "")
        if unit:
            _check_unit(unit, key)
            parsed = parse_unit(unit)
            if parsed is not None and not known.fits(parsed):
                told = f"{unit!r} is no unit of {known.name}, which is in {known.unit.text!r}"
                raise WrongValueError(told, key)
        yield Column(header, known.name, unit)


def _find(name: str, key: str) -> Quantity:
    known = quantities()
    if name in known:
        return known[name]
    told = f"{name!r} is not a quantity; `mdbench columns` lists them"
    raise WrongValueError(told + hint(name, known), key)


def _read_constants(table: Mapping[str, Any]) -> Iterator[Given]:
    for name, value in table.items():
        key = f"constants.{quote(name)}"
        known = _find(name, key)
        if known.role is not Role.SETTING or known.text or known.flag:
            raise WrongValueError(f"{name} is not a setting with a number", key)
        if known.integer and value != int(value):
            raise WrongValueError(f"{value} is not a whole number", key)
        yield Given(name, Decimal(str(value)))


def _read_relations(lines: list[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        try:
            parse_relation(line)
        except EquationError as error:
            near = hint(error.name, quantities()) if error.name else ""
            raise WrongValueError(f"{error}{near}", f"relations[{at}]") from error
        yield line


def _read_peaks(table: Mapping[str, Any]) -> Iterator[Peak]:
    for device, entry in table.items():
        by_precision = entry if isinstance(entry, dict) else {"": entry}
        for precision, tflops in by_precision.items():
            yield Peak(device, precision, Decimal(str(tflops)))
