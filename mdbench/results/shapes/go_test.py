"""The text of `go test -bench`."""

from __future__ import annotations

import re

from mdbench.regex import lazy
from mdbench.results.shapes.shape import Content, Part, Record, Shape, read_number
from mdbench.results.tables import Meaning

_LINE = lazy(
    r"^(?P<name>Benchmark[^\s]*)[ \t]+(?P<count>\d+)[ \t]+(?P<rest>[\d.].*? ns/op.*)$",
    re.MULTILINE,
)
_PACKAGE = lazy(r"^pkg: (\S+)\s*$", re.MULTILINE)
_VALUE = lazy(r"(?<!\S)([\d.eE+-]{1,40}) (\S{1,100})")
_PROCESSORS = lazy(r"-(\d{1,5})$")
_COLUMNS = {
    "ns/op": ("ns_per_op", Meaning("time_per_op_ns", "ns/op")),
    "MB/s": ("mb_per_s", Meaning("bandwidth_gb_per_s", "MB/s")),
    "B/op": ("bytes_per_op", Meaning("alloc_bytes", "B/op")),
    "allocs/op": ("allocs_per_op", Meaning("allocations", "allocs/op")),
}
_MEANINGS = {
    "benchmark": Meaning("benchmark"),
    "iterations": Meaning("steps"),
    "procs": Meaning("threads"),
    "package": Meaning(),
    **dict(_COLUMNS.values()),
}


def _read(content: Content) -> list[Part] | None:
    if content.data is not None:
        return None
    records = []
    packages = [(found.start(), found[1]) for found in _PACKAGE.finditer(content.text)]
    for line in _LINE.finditer(content.text):
        package = next((name for at, name in reversed(packages) if at < line.start()), None)
        records.append({**_read_line(line), "package": package})
    return [Part(records, _MEANINGS)] if records else None


def _read_line(line: re.Match[str]) -> Record:
    name = line["name"]
    processors = _PROCESSORS.search(name)
    bare = _PROCESSORS.sub("", name)
    record: Record = {
        "benchmark": name,
        "name": bare.removeprefix("Benchmark"),
        "procs": int(processors[1]) if processors else 1,
        "iterations": int(line["count"]),
    }
    for part in bare.split("/")[1:]:
        key, equals, value = part.partition("=")
        if equals and key:
            record.setdefault(key, read_number(value))
    for value, unit in _VALUE.findall(line["rest"]):
        column = _COLUMNS[unit][0] if unit in _COLUMNS else unit.replace("/", "_per_")
        record[column] = read_number(value)
    return record


GO_TEST = Shape("go test -bench", _read)
