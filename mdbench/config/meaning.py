"""What a project adds to what is known, from its settings, each name in them looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from mdbench.config.kinds import ALIKE, WrongValueError, quote
from mdbench.files.nearest import find_nearest
from mdbench.frames.frame_columns import Shape, fields
from mdbench.numerals.units import parse_unit
from mdbench.relations.user import EquationError, parse_relation
from mdbench.vocabulary.extensions import CustomColumn, Extensions, Given, NewQuantity, Peak
from mdbench.vocabulary.quantities import (
    Quantity,
    Role,
    Vocabulary,
    extended_vocabulary,
    standard_vocabulary,
)

# Names that mean something else in relations.
_TAKEN = frozenset({"world", "parts", "number"})
_UNITS_ALIKE = 0.8
_OWN_UNIT = "; for any other unit, write '' and name the unit in the header: CO2 (kg)"


def make_extensions(stated: Mapping[str, Any]) -> Extensions:
    """What a file adds, whose values are of the right kinds."""
    added = Extensions(
        quantities=tuple(_read_quantities(stated.get("quantities", {}))),
        peaks=tuple(_read_peaks(stated.get("peaks", {}))),
    )
    known = extended_vocabulary(added)
    added = added._replace(
        columns=tuple(_read_columns(stated.get("columns", {}), known)),
        constants=tuple(_read_constants(stated.get("constants", {}), known)),
    )
    known = extended_vocabulary(added)
    return added._replace(relations=tuple(_read_relations(stated.get("relations", []), known)))


def _read_quantities(table: Mapping[str, Any]) -> Iterator[NewQuantity]:
    standard = standard_vocabulary()
    taken = {field.name for field in fields(Shape.RUNS, standard)}
    for name, entry in table.items():
        said = entry if isinstance(entry, dict) else {"unit": entry}
        key = f"quantities.{name}"
        if name in standard.quantities or name in taken or name in _TAKEN:
            raise WrongValueError("it already exists; choose another name", key)
        _check_unit(said["unit"], key, standard, _OWN_UNIT)
        spellings = tuple(said.get("spellings", ()))
        role = said.get("role", Role.MEASUREMENT.value)
        yield NewQuantity(name, said["unit"], role, said.get("integer", False), spellings)


def _check_unit(text: str, key: str, vocabulary: Vocabulary, advice: str = "") -> None:
    if text in ("", "ratio") or parse_unit(text) is not None:
        return
    units = (one.unit.text for one in vocabulary.quantities.values())
    # Short units are all alike: who writes kg does not mean GB.
    nearest = find_nearest(text, filter(None, units), _UNITS_ALIKE)
    told = f"{text!r} is not a unit; allowed are units such as 'ms' or 'tokens/s', 'ratio', and ''"
    raise WrongValueError(told + (f"; did you mean {nearest!r}?" if nearest else advice), key)


def _read_columns(table: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[CustomColumn]:
    for header, entry in table.items():
        said = entry if isinstance(entry, dict) else {"quantity": entry}
        key = f"columns.{quote(header)}"
        known = _find(said["quantity"], key, vocabulary)
        unit = said.get("unit", "")
        if unit:
            _check_unit(unit, key, vocabulary)
            parsed = parse_unit(unit)
            if parsed is not None and not known.fits(parsed):
                told = f"{unit!r} is not a unit of {known.name}, which is in {known.unit.text!r}"
                raise WrongValueError(told, key)
        yield CustomColumn(header, known.name, unit)


def _find(name: str, key: str, vocabulary: Vocabulary) -> Quantity:
    known = vocabulary.quantities
    if name in known:
        return known[name]
    told = f"{name!r} is not a quantity; `mdbench columns` lists them"
    raise WrongValueError(told + _hint_quantity(name, known), key)


def _hint_quantity(written: str, known: Mapping[str, Quantity]) -> str:
    """The nearest quantity with its unit: what is meant may be in another one, as `energy_kwh`."""
    nearest = find_nearest(written, known, ALIKE)
    if not nearest:
        return ""
    unit = known[nearest].unit.text
    return f"; did you mean {nearest!r}{f' (in {unit})' if unit else ''}?"


def _read_constants(table: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[Given]:
    for name, value in table.items():
        key = f"constants.{quote(name)}"
        known = _find(name, key, vocabulary)
        if known.role is not Role.SETTING or known.text or known.flag:
            raise WrongValueError(f"{name} is not a setting with a number", key)
        if known.integer and value != int(value):
            raise WrongValueError(f"{value} is not a whole number", key)
        yield Given(name, Decimal(str(value)))


def _read_relations(lines: list[str], vocabulary: Vocabulary) -> Iterator[str]:
    for at, line in enumerate(lines):
        try:
            parse_relation(line, vocabulary)
        except EquationError as error:
            near = _hint_quantity(error.name, vocabulary.quantities) if error.name else ""
            raise WrongValueError(f"{error}{near}", f"relations[{at}]") from error
        yield line


def _read_peaks(table: Mapping[str, Any]) -> Iterator[Peak]:
    for device, entry in table.items():
        by_precision = entry if isinstance(entry, dict) else {"": entry}
        for precision, tflops in by_precision.items():
            yield Peak(device, precision, Decimal(str(tflops)))
