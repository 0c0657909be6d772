"""What can be measured or set: every quantity with its unit, its role and its names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mdbench.dialect import Dialect, NewQuantity, in_force
from mdbench.units import Unit, parse_unit

RATIO = Unit("", "ratio", Decimal(1))
COUNT = Unit("", "count", Decimal(1))

_VOCABULARY = Path(__file__).with_name("vocabulary.toml")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PER = re.compile(r"\bper\b")
_GAP = re.compile(r"[^\w/%#$&+∆]+")
_OPTION = re.compile(r"^[-$%{\s]+|[=:}\s]+$")


class Role(StrEnum):
    """What a column does in its table."""

    SETTING = "setting"
    MEASUREMENT = "measurement"
    IDENTITY = "identity"
    NOTE = "note"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One column of the tidy frame, in one unit."""

    name: str
    unit: Unit
    role: Role
    text: bool = False
    """Its cells are words."""
    flag: bool = False
    """Its cells say yes or no."""
    integer: bool = False
    head: bool = False
    """Other words may stand before its name: `mean training throughput`."""
    otherwise: bool = False
    """It is the one meant where nothing decides between it and its rivals."""
    kilo: int = 1000
    """What K means in its cells."""
    dimensions: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict, hash=False)
    beside: Mapping[str, str] = field(default_factory=dict, hash=False)
    plausible: tuple[Decimal, Decimal] | None = None
    """The least and the most that it can be, in its unit."""
    if_words: str = ""
    if_numbers: str = ""
    if_fractions: str = ""
    if_sizes: str = ""
    spellings: tuple[str, ...] = field(default=(), hash=False, compare=False, repr=False)
    flags: tuple[str, ...] = field(default=(), hash=False, compare=False, repr=False)

    def fits(self, unit: Unit) -> bool:
        """Whether a number in this unit can be one of this quantity."""
        return unit.dimension in self.dimensions

    def allows(self, value: Decimal, unit: Unit) -> bool:
        """Whether a value printed in `unit` is one that the quantity can have at all."""
        if self.plausible is None:
            return True
        least, most = self.plausible
        return least <= self.convert(value, unit) <= most

    def convert(self, value: Decimal, unit: Unit) -> Decimal:
        """A value printed in `unit`, in the unit of the frame."""
        return value * unit.scale / self.unit.scale


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The quantities, and an index from squashed spellings to what they may mean."""

    quantities: Mapping[str, Quantity]
    spellings: Mapping[str, tuple[Quantity, ...]]
    heads: frozenset[str]
    """Spellings before which other words may stand."""
    flags: Mapping[str, Quantity]
    dimensions: Mapping[str, tuple[Quantity, ...]]
    words: Mapping[str, frozenset[str]]
    units: Mapping[str, Unit] = field(default_factory=dict)
    """The unit of bare numbers under a spelling, where a project states it."""

    def find(self, spelled: str) -> tuple[Quantity, ...]:
        """What a name may mean: nothing, one quantity, or the candidates."""
        return self.spellings.get(squash(spelled), ())

    def find_head(self, spelled: str) -> tuple[Quantity, ...]:
        """The same, of a name that further words may go before."""
        return self.find(spelled) if squash(spelled) in self.heads else ()


def quantities() -> Mapping[str, Quantity]:
    """Every quantity by its name, in the order of the vocabulary."""
    return vocabulary().quantities


def quantity(name: str) -> Quantity:
    """The quantity of this name; `KeyError` for a name that is none."""
    return vocabulary().quantities[name]


def lookup(name: str) -> Quantity | None:
    """What an option, a variable or a phrase names: `--num-layers`, `$gbs`, `micro batch size`."""
    return _lookup(name, vocabulary())


@lru_cache(maxsize=4096)
def _lookup(name: str, known: Vocabulary) -> Quantity | None:
    bare = _OPTION.sub("", name)
    for spelled in (bare, bare.rpartition(".")[2]):
        key = squash(spelled)
        named = known.flags.get(key)
        if named is not None:
            return named
        found = known.find(spelled)
        if len(found) == 1:
            return found[0]
    return None


def is_option(name: str) -> bool:
    """Whether options and variables of this name, however short, mean a quantity."""
    return squash(_OPTION.sub("", name)) in vocabulary().flags


def quantity_of_unit(text: str) -> Quantity | None:
    """What a number with this unit is, where nothing else says it: `16GB` is memory."""
    unit = parse_unit(text)
    found = vocabulary().dimensions.get(unit.dimension, ()) if unit is not None else ()
    return found[0] if found else None


@lru_cache(maxsize=8192)
def squash(text: str) -> str:
    """A spelling without case, gaps and dots: `Tokens/s  per GPU` and `tokens_s/GPU` are alike."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if "Per" in text:
        text = _CAMEL.sub(" ", text)
    folded = text.casefold().replace("_", " ")
    if "per" in folded:
        folded = _PER.sub("/", folded)
    return folded if folded.isalnum() else _GAP.sub("", folded)


def vocabulary() -> Vocabulary:
    """The vocabulary, read when it is first needed, with what the dialect in force adds to it."""
    return _extended(in_force())


@lru_cache(maxsize=8)
def _extended(dialect: Dialect) -> Vocabulary:
    base = _base_vocabulary()
    if not dialect.quantities and not dialect.columns:
        return base
    known = dict(base.quantities)
    spellings, units = dict(base.spellings), dict(base.units)
    flags = dict(base.flags)
    for new in dialect.quantities:
        one = _make_quantity(new)
        known[one.name] = flags[squash(one.name)] = one
        for key in _keys(one.spellings):
            spellings[key] = (one,)
            units[key] = one.unit
    for column in dialect.columns:
        meant = known[column.quantity]
        # What somebody states is not for the cells or the columns beside it to overrule.
        firm = replace(meant, beside={}, if_words="", if_numbers="", if_fractions="")
        for key in _keys((column.header,)):
            spellings[key] = (firm,)
            units[key] = (parse_unit(column.unit) if column.unit else None) or meant.unit
    return replace(
        base,
        quantities=MappingProxyType(known),
        spellings=MappingProxyType(spellings),
        flags=MappingProxyType(flags),
        units=MappingProxyType(units),
    )


def _make_quantity(new: NewQuantity) -> Quantity:
    unit = _read_unit(new.unit)
    return Quantity(
        name=new.name,
        unit=unit,
        role=Role(new.role),
        text=not new.unit and new.role in (Role.IDENTITY, Role.NOTE),
        integer=new.integer,
        dimensions=frozenset((unit.dimension,)),
        spellings=(new.name, *new.spellings),
    )


@cache
def _base_vocabulary() -> Vocabulary:
    import tomllib  # noqa: PLC0415 - the parser is loaded only where a header is read

    with _VOCABULARY.open("rb") as file:
        tables = tomllib.load(file)
    known = {name: _read_quantity(name, entry) for name, entry in tables["quantity"].items()}
    spellings, heads = _index(known, tables["ambiguous"])
    return Vocabulary(
        MappingProxyType(known),
        MappingProxyType(spellings),
        frozenset(heads),
        MappingProxyType({squash(flag): one for one in known.values() for flag in one.flags}),
        MappingProxyType(
            {
                dimension: tuple(known[name] for name in names)
                for dimension, names in tables["dimensions"].items()
            }
        ),
        MappingProxyType({name: frozenset(_split(text)) for name, text in tables["words"].items()}),
    )


def _read_quantity(name: str, entry: Mapping[str, Any]) -> Quantity:
    unit = _read_unit(entry["unit"])
    return Quantity(
        name=name,
        unit=unit,
        role=Role(entry["role"]),
        text=entry.get("text", False),
        flag=entry.get("flag", False),
        integer=entry.get("integer", False),
        head=entry.get("head", False),
        otherwise=entry.get("otherwise", False),
        kilo=entry.get("kilo", 1000),
        dimensions=frozenset((unit.dimension, *entry.get("fits", ()))),
        instead=entry.get("instead", {}),
        beside=entry.get("beside", {}),
        plausible=_read_bounds(entry.get("plausible")),
        if_words=entry.get("if_words", ""),
        if_numbers=entry.get("if_numbers", ""),
        if_fractions=entry.get("if_fractions", ""),
        if_sizes=entry.get("if_sizes", ""),
        spellings=tuple(_split(entry["spellings"])),
        flags=tuple(_split(entry.get("flags", ""))),
    )


def _read_bounds(bounds: Sequence[str] | None) -> tuple[Decimal, Decimal] | None:
    return None if bounds is None else (Decimal(bounds[0]), Decimal(bounds[1]))


def _read_unit(text: str) -> Unit:
    if not text:
        return COUNT
    if text == "ratio":
        return RATIO
    unit = parse_unit(text)
    if unit is None:
        raise ValueError(f"vocabulary.toml: {text!r} is not a unit")
    return unit


def _index(
    known: Mapping[str, Quantity], ambiguous: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, tuple[Quantity, ...]], set[str]]:
    index: dict[str, tuple[Quantity, ...]] = {}
    heads: set[str] = set()
    groups: list[tuple[Iterable[str], tuple[Quantity, ...], bool]] = [
        *((one.spellings, (one,), one.head) for one in known.values()),
        *(
            (
                _split(entry["spellings"]),
                tuple(known[name] for name in entry["candidates"]),
                entry.get("head", False),
            )
            for entry in ambiguous.values()
        ),
    ]
    for spellings, meaning, head in groups:
        for key in _keys(spellings):
            index.setdefault(key, meaning)
            if head:
                heads.add(key)
    return index, heads


def _keys(spellings: Iterable[str]) -> Iterator[str]:
    for spelling in spellings:
        key = squash(spelling)
        yield key
        if "/" in key:
            # Where the words run together nothing shows that `per` is one of them.
            yield key.replace("/", "per")


def _split(text: str) -> Iterator[str]:
    return (stripped for part in text.split(";") if (stripped := part.strip()))
