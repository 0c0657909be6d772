"""Records of any JSON, made flat: nested objects by dotted names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mdbench.results.files import UnreadableError
from mdbench.results.shapes.shape import Part, Record, is_number

_DEEPEST = 12
_MOST_COLUMNS = 2000
_WHOLE = range(-(2**63), 2**63)


class Typed(NamedTuple):
    """A column of records: its name in SQL, its key in the records and its type."""

    name: str
    key: str
    type: str

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.type in ("BIGINT", "DOUBLE")


def find_records(data: object) -> list[Record]:
    """The records of a list, of the longest list in an object, or the object itself."""
    if isinstance(data, list):
        return [flatten(one) for one in data if isinstance(one, dict)]
    if not isinstance(data, dict):
        return []
    path, listed = _longest_list(data)
    if not listed:
        return [flatten(data)] if data else []
    around = {
        name: value
        for name, value in flatten(_without(data, path)).items()
        if not isinstance(value, list)
    }
    return [{**flatten(one), **_new(around, one)} for one in listed]


def flatten(record: Record) -> Record:
    """The record with nested objects by dotted names; lists of plain values stay lists."""
    return dict(_flat_pairs(record, "", 0))


def type_columns(records: Sequence[Record]) -> list[Typed]:
    """The columns of all records, in the order in which they appear, with types for SQL."""
    kinds: dict[str, set[str]] = {}
    for record in records:
        for key, value in record.items():
            kinds.setdefault(key, set()).add(_kind(value))
    if len(kinds) > _MOST_COLUMNS:
        raise UnreadableError(f"has more than {_MOST_COLUMNS} columns")
    taken: set[str] = set()
    columns = []
    for key, found in kinds.items():
        # Names of columns differ by more than capitals.
        name = base = key or "column"
        count = 1
        while name.lower() in taken:
            count += 1
            name = f"{base}_{count}"
        taken.add(name.lower())
        columns.append(Typed(name, key, _join(found - {""})))
    return columns


def spell_records(records: Sequence[Record], columns: Sequence[Typed]) -> str:
    """The records as JSON, each value as the type of its column."""
    return json.dumps(
        [{one.name: _spell(record.get(one.key), one.type) for one in columns} for record in records]
    )


def make_part(data: object) -> Part | None:
    """The records in JSON of no known tool; None if there are none."""
    records = find_records(data)
    return Part(records, {}) if any(records) else None


def _longest_list(data: Record) -> tuple[tuple[str, ...], list[Record]]:
    """The longest list of objects in an object, or in an object in it."""
    found: tuple[tuple[str, ...], list[Record]] = ((), [])
    for key, value in data.items():
        inner = value.items() if isinstance(value, dict) else ()
        for path, one in (((key,), value), *(((key, name), held) for name, held in inner)):
            if not isinstance(one, list) or not one or not all(isinstance(i, dict) for i in one):
                continue
            if len(one) > len(found[1]):
                found = path, one
    return found


def _without(data: Record, path: tuple[str, ...]) -> Record:
    first, *rest = path
    kept = {key: value for key, value in data.items() if key != first}
    if rest:
        kept[first] = _without(data[first], tuple(rest))
    return kept


def _new(around: Record, record: Record) -> Record:
    return {name: value for name, value in around.items() if name.partition(".")[0] not in record}


def _flat_pairs(record: Record, prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _flat_pairs(value, f"{name}.", depth + 1)
        else:
            yield name, value


def _kind(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "BOOLEAN"
    if isinstance(value, int):
        return "BIGINT" if value in _WHOLE else "DOUBLE"
    if isinstance(value, float):
        return "DOUBLE"
    if isinstance(value, list) and value and all(is_number(one) for one in value):
        return "DOUBLE[]"
    return "VARCHAR"


def _join(kinds: set[str]) -> str:
    if kinds == {"BIGINT", "DOUBLE"}:
        return "DOUBLE"
    return kinds.pop() if len(kinds) == 1 else "VARCHAR"


def _spell(value: object, kind: str) -> object:
    if value is None or kind != "VARCHAR":
        return value
    if isinstance(value, str):
        # Half of a surrogate pair is not text for a database.
        return (
            value.encode("utf-8", "replace")
            .decode("utf-8")
            .replace("\0", "\N{REPLACEMENT CHARACTER}")
        )
    return json.dumps(value)
