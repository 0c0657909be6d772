"""Load vocabulary.toml as plain tables.

Parsing it and squashing thousands of spellings takes longer than checking most reports. So the
tables are stored as Python in `tables.py`, which `python -m mdbench.vocabulary.loading` writes. If
they are outdated because vocabulary.toml was edited, they are built again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from mdbench.numerals.units import COUNT, RATIO, Unit, parse_unit
from mdbench.vocabulary.spellings import list_keys, split, squash

Tables = dict[str, Any]

_FOLDER = os.path.dirname(__file__)
_SOURCE = os.path.join(_FOLDER, "vocabulary.toml")
_MADE = os.path.join(_FOLDER, "tables.py")
_REWRITTEN = ("fits", "sister", "spellings", "flags", "instead", "plausible")


def load_tables() -> Tables:
    """Return the stored tables, or build them if they are outdated."""
    from mdbench.vocabulary.tables import CHECKSUM, TABLES  # noqa: PLC0415

    text = _read()
    return TABLES if crc32(text) == CHECKSUM else make_tables(text)


def make_tables(text: bytes) -> Tables:
    """Build the data of `Vocabulary`."""
    import tomllib  # noqa: PLC0415  (only needed if the tables are outdated)

    read = tomllib.loads(text.decode())
    entries = read["quantity"]
    units = {entry["unit"]: read_unit(entry["unit"]) for entry in entries.values()}
    return {
        "units": {
            spelled: (one.text, one.dimension, str(one.scale)) for spelled, one in units.items()
        },
        "quantities": {name: _read_entry(entry, units, entries) for name, entry in entries.items()},
        **_index(entries, read["ambiguous"]),
        "dimensions": {dimension: tuple(names) for dimension, names in read["dimensions"].items()},
        "words": {name: tuple(split(words)) for name, words in read["words"].items()},
    }


def _read() -> bytes:
    with open(_SOURCE, "rb") as file:
        # Line endings differ if git checks it out on Windows.
        return file.read().replace(b"\r\n", b"\n")


def read_unit(text: str) -> Unit:
    """Parse the unit of a quantity in the vocabulary: none for plain counts and words."""
    if not text:
        return COUNT
    if text == "ratio":
        return RATIO
    unit = parse_unit(text)
    if unit is None:
        raise ValueError(f"vocabulary.toml: {text!r} is not a unit")
    return unit


def _read_entry(entry: Mapping[str, Any], units: Mapping[str, Unit], entries: Tables) -> Tables:
    """The properties of a quantity, without defaults."""
    sister = entry.get("sister", "")
    hers = entries[sister]["fits"] if sister else ()
    read = {
        **{key: value for key, value in entry.items() if key not in _REWRITTEN},
        "dimensions": sorted({units[entry["unit"]].dimension, *entry.get("fits", ())}),
        "instead": {**dict.fromkeys(hers, sister), **entry.get("instead", {})},
        "plausible": tuple(entry.get("plausible", ())),
        "spelled": "\n".join(split(entry["spellings"])),
    }
    return {key: value for key, value in read.items() if value not in ((), {})}


def _index(entries: Tables, ambiguous: Tables) -> Tables:
    """Map each squashed spelling to the quantities that it may mean; the first one counts."""
    groups: dict[tuple[str, ...], list[str]] = {}
    heads: dict[str, None] = {}
    seen: set[str] = set()
    said = (
        *(((name,), entry) for name, entry in entries.items()),
        *((tuple(entry["candidates"]), entry) for entry in ambiguous.values()),
    )
    for names, entry in said:
        for key in list_keys(split(entry["spellings"])):
            if key not in seen:
                seen.add(key)
                groups.setdefault(names, []).append(key)
            if entry.get("head", False):
                heads[key] = None
    return {
        "meanings": tuple((names, " ".join(keys)) for names, keys in groups.items()),
        "heads": " ".join(heads),
        "options": {
            name: " ".join(map(squash, split(entry["flags"])))
            for name, entry in entries.items()
            if "flags" in entry
        },
    }


def write_tables() -> str:
    """The source of `tables.py`, with one line per entry."""
    text = _read()
    lines = [
        '"""Made from vocabulary.toml by `python -m mdbench.vocabulary.loading`; change that."""',
        "",
        "# ruff: noqa: E501, RUF001",
        "# fmt: off",
        f"CHECKSUM = {crc32(text)}",
        "TABLES = {",
    ]
    for name, table in make_tables(text).items():
        lines += [f"{name!r}:", *_show(table)]
    return "\n".join((*lines, "}", ""))


def _show(table: Any) -> tuple[str, ...]:
    if isinstance(table, dict):
        return ("{", *(f"{name!r}: {entry!r}," for name, entry in table.items()), "},")
    if isinstance(table, tuple):
        return ("(", *(f"{entry!r}," for entry in table), "),")
    return (f"{table!r},",)


if __name__ == "__main__":
    text = write_tables()
    with open(_MADE, "w", encoding="utf-8", newline="\n") as made:
        made.write(text)
