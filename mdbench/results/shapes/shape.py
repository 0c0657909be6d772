"""What a shape is given of a file, and what it makes of it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeGuard

from mdbench.results.tables import Meaning, Meanings

Record = dict[str, Any]

# The percentiles of a latency that are quantities of their own.
_LATENCIES = {
    "median": "latency_p50_ms",
    "p50": "latency_p50_ms",
    "p90": "latency_p90_ms",
    "p95": "latency_p95_ms",
    "p99": "latency_p99_ms",
    "min": "latency_min_ms",
    "max": "latency_max_ms",
    "std": "latency_std_ms",
}


class Content(NamedTuple):
    """The content of one file."""

    path: str
    """Its path below the part of the pattern that has no wildcards."""
    text: str
    data: Any = None
    """The text as JSON; a list of the lines if each is JSON; None if it is something else."""


class Part(NamedTuple):
    """Flat records, with the meanings of their columns as far as the tool defines them."""

    records: Sequence[Record]
    meanings: Meanings


class Shape(NamedTuple):
    """The output of one tool. `read` gives None for any other."""

    tool: str
    read: Callable[[Content], list[Part] | None]


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_number(text: object) -> Any:
    """The number that a short text is; anything else as it is."""
    if not isinstance(text, str) or not text[:1].isascii() or len(text) > 30:
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def member(value: object, *keys: str) -> Any:
    """What an object holds, however deep; None if it does not."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def records_of(data: object, key: str = "") -> list[Record]:
    """The records in a list, or in a list of an object; empty if not all of it are records."""
    found = member(data, key) if key else data
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        return []
    return found


def rows_of(content: Content, *columns: str) -> list[Record]:
    """The rows of a CSV file that has these columns, numbers as such; empty for any other."""
    if content.data is not None:
        return []
    head, *lines = content.text.splitlines() or [""]
    try:
        names = next(csv.reader([head]), [])
        if not set(columns) <= set(names):
            return []
        rows = list(csv.reader(lines))
    except csv.Error:
        return []
    whole = (row for row in rows if len(row) == len(names))
    return [dict(zip(names, map(_read_field, row), strict=True)) for row in whole]


def header_of(content: Content) -> list[str]:
    """The names of the columns if the content is a CSV file."""
    try:
        return next(csv.reader(islice(content.text.splitlines(), 1)), [])
    except csv.Error:
        return []


def _read_field(text: str) -> Any:
    return read_number(text) if text else None


def parameters_of(value: object) -> Record:
    """The parameters of a benchmark by name, numbers as such."""
    return {str(name): read_number(one) for name, one in as_object(value).items()}


def as_object(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def statistics_of(quantity: str, unit: str, names: Mapping[str, str]) -> dict[str, Meaning]:
    """The meanings of columns that are statistics of one quantity."""
    return {name: Meaning(quantity, unit, statistic) for name, statistic in names.items()}


def latencies(unit: str, names: Mapping[str, str]) -> dict[str, Meaning]:
    """The meanings of columns that are statistics of a latency."""
    return {
        name: Meaning(_LATENCIES.get(statistic, "latency_ms"), unit, statistic)
        for name, statistic in names.items()
    }


def runs_of_equal(
    records: Sequence[Record], key: Callable[[Record], str]
) -> Iterator[list[Record]]:
    """Neighbours that have the same unit, in order."""
    group: list[Record] = []
    for record in records:
        if group and key(group[-1]) != key(record):
            yield group
            group = []
        group.append(record)
    if group:
        yield group
