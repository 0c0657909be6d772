"""Quantities that can be measured or set, with their units, roles and names."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from mdbench.numerals.units import COUNT, RATIO, Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions, NewQuantity
from mdbench.vocabulary.loading import load_tables, read_unit
from mdbench.vocabulary.spellings import list_keys, squash

__all__ = [
    "COUNT",
    "RATIO",
    "Quantity",
    "Role",
    "Vocabulary",
    "extended_vocabulary",
    "quantity",
    "squash",
    "standard_vocabulary",
]

_OPTION = lazy(r"^[-$%{\s]+|(?<![=:}\s])[=:}\s]+$")


class Role(StrEnum):
    """The role of a column in its table."""

    SETTING = "setting"
    MEASUREMENT = "measurement"
    IDENTITY = "identity"
    NOTE = "note"
    SCORE = "score"


_UNIT_ENDINGS = frozenset("s ms ns h mib gb ghz w j c usd".split())


class Quantity(NamedTuple):
    """One column of the tidy frame, in one unit."""

    name: str
    unit: Unit
    role: Role
    text: bool = False
    """Its cells contain words."""
    flag: bool = False
    """Its cells contain yes or no."""
    integer: bool = False
    head: bool = False
    """Its name may follow other words: `mean training throughput`."""
    otherwise: bool = False
    """It is chosen if nothing else decides between it and its alternatives."""
    kilo: int = 1000
    """The meaning of K in its cells."""
    dimensions: frozenset[str] = frozenset()
    instead: Mapping[str, str] = MappingProxyType({})
    beside: Mapping[str, str] = MappingProxyType({})
    plausible: tuple[Decimal, Decimal] | None = None
    """Its smallest and largest possible value, in its unit."""
    if_words: str = ""
    if_numbers: str = ""
    if_fractions: str = ""
    if_sizes: str = ""
    spelled: str = ""
    """The headers that mean it, one per line; `spellings` splits them."""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def words(self) -> str:
        """Its name for people, without its unit: `step time`, `devices per node`."""
        stem, _, last = self.name.rpartition("_")
        return (stem if last in _UNIT_ENDINGS else self.name).replace("_", " ")

    @property
    def spellings(self) -> tuple[str, ...]:
        """The headers that mean it."""
        return tuple(self.spelled.split("\n")) if self.spelled else ()

    def fits(self, unit: Unit) -> bool:
        """Whether numbers of this quantity can have this unit."""
        return unit.dimension in self.dimensions

    def allows(self, value: Decimal, unit: Unit) -> bool:
        """Whether a value printed in `unit` is possible for this quantity."""
        if self.plausible is None:
            return True
        least, most = self.plausible
        return least <= self.convert(value, unit) <= most

    def convert(self, value: Decimal, unit: Unit) -> Decimal:
        """Convert a value printed in `unit` to the unit of the frame."""
        return value * unit.scale / self.unit.scale


class _Tables(NamedTuple):
    """What a vocabulary is made of."""

    quantities: Mapping[str, Quantity]
    spellings: Mapping[str, tuple[Quantity, ...]]
    heads: frozenset[str]
    """Spellings that may follow other words."""
    flags: Mapping[str, Quantity]
    dimensions: Mapping[str, tuple[Quantity, ...]]
    words: Mapping[str, frozenset[str]]
    units: Mapping[str, Unit] = MappingProxyType({})
    """The unit of bare numbers under a spelling, if a project sets it."""
    extensions: Extensions = NO_EXTENSIONS
    """The project's extensions; its headers and quantities are already in the other fields."""


class Vocabulary(_Tables):
    """The quantities, and an index from squashed spellings to possible meanings.

    Two vocabularies are equal only if they are the same object: lookups are cached by vocabulary.
    """

    __slots__ = ()

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def find(self, spelled: str) -> tuple[Quantity, ...]:
        """The possible meanings of a name: none, one quantity, or several candidates."""
        return self.spellings.get(squash(spelled), ())

    def find_head(self, spelled: str) -> tuple[Quantity, ...]:
        """The same for a name that may follow other words."""
        key = squash(spelled)
        return self.spellings.get(key, ()) if key in self.heads and len(key) > 1 else ()

    def lookup(self, name: str) -> Quantity | None:
        """The quantity of an option or phrase: `--num-layers`, `$gbs`, `micro batch size`."""
        return _lookup(name, self)

    def knows(self, name: str) -> bool:
        """Whether an option or phrase names a quantity."""
        return _lookup(name, self) is not None

    def is_option(self, name: str) -> bool:
        """Whether options and variables of this name mean a quantity, however short it is."""
        return squash(_OPTION.sub("", name)) in self.flags

    def quantity_of_unit(self, text: str) -> Quantity | None:
        """The quantity of a number with this unit, if there is no other hint: `16GB` is memory."""
        unit = parse_unit(text)
        found = self.dimensions.get(unit.dimension, ()) if unit is not None else ()
        return found[0] if found else None


def quantity(name: str) -> Quantity:
    """Return a built-in quantity; `KeyError` for any other name."""
    return standard_vocabulary().quantities[name]


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


@lru_cache(maxsize=8)
def extended_vocabulary(extensions: Extensions) -> Vocabulary:
    """The built-in vocabulary with the extensions of a project."""
    base = standard_vocabulary()
    if extensions == NO_EXTENSIONS:
        return base
    known = dict(base.quantities)
    spellings, units = dict(base.spellings), dict(base.units)
    flags = dict(base.flags)
    for new in extensions.quantities:
        one = _make_quantity(new)
        known[one.name] = flags[squash(one.name)] = one
        for key in list_keys(one.spellings):
            spellings[key] = (one,)
            units[key] = one.unit
    for column in extensions.columns:
        meant = known[column.quantity]
        # Cells and neighbouring columns must not overrule the project.
        firm = meant._replace(beside={}, if_words="", if_numbers="", if_fractions="")
        for key in list_keys((column.header,)):
            spellings[key] = (firm,)
            units[key] = (parse_unit(column.unit) if column.unit else None) or meant.unit
    return base._replace(
        quantities=MappingProxyType(known),
        spellings=MappingProxyType(spellings),
        flags=MappingProxyType(flags),
        units=MappingProxyType(units),
        extensions=extensions,
    )


def _make_quantity(new: NewQuantity) -> Quantity:
    unit = read_unit(new.unit)
    return Quantity(
        name=new.name,
        unit=unit,
        role=Role(new.role),
        text=not new.unit and new.role in (Role.IDENTITY, Role.NOTE),
        integer=new.integer,
        dimensions=frozenset((unit.dimension,)),
        spelled="\n".join((new.name, *new.spellings)),
    )


@cache
def standard_vocabulary() -> Vocabulary:
    """The built-in vocabulary, loaded on first use."""
    tables = load_tables()
    units = {
        spelled: Unit(text, dimension, Decimal(scale))
        for spelled, (text, dimension, scale) in tables["units"].items()
    }
    known = {
        name: _read_quantity(name, units, **said) for name, said in tables["quantities"].items()
    }
    spellings: dict[str, tuple[Quantity, ...]] = {}
    for names, keys in tables["meanings"]:
        spellings.update(dict.fromkeys(keys.split(), tuple(known[name] for name in names)))
    flags: dict[str, Quantity] = {}
    for name, keys in tables["options"].items():
        flags.update(dict.fromkeys(keys.split(), known[name]))
    return Vocabulary(
        MappingProxyType(known),
        MappingProxyType(spellings),
        frozenset(tables["heads"].split()),
        MappingProxyType(flags),
        MappingProxyType(
            {
                dimension: tuple(known[name] for name in names)
                for dimension, names in tables["dimensions"].items()
            }
        ),
        MappingProxyType({name: frozenset(words) for name, words in tables["words"].items()}),
    )


def _read_quantity(name: str, units: Mapping[str, Unit], **said: Any) -> Quantity:
    unit, role, dimensions = (said.pop(key) for key in ("unit", "role", "dimensions"))
    if "plausible" in said:
        least, most = said.pop("plausible")
        said["plausible"] = Decimal(least), Decimal(most)
    return Quantity(name, units[unit], Role(role), dimensions=frozenset(dimensions), **said)
