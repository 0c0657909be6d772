"""The text that wrk prints, with or without `--latency`."""

from __future__ import annotations

import re
from decimal import Decimal

from mdbench.regex import lazy
from mdbench.results.shapes.shape import Content, Part, Record, Shape, latencies
from mdbench.results.tables import Meaning

_HEAD = lazy(r"^Running (?P<duration>\S+) test @ (?P<url>\S+)\s*$", re.MULTILINE)
_LOAD = lazy(r"^ +(?P<threads>\d+) threads and (?P<connections>\d+) connections", re.MULTILINE)
_LATENCY = lazy(r"^ +Latency +(\S+) +(\S+) +(\S+) +\S+%", re.MULTILINE)
_PERCENTILE = lazy(r"^ +(\d+(?:\.\d+)?)% +(\d\S*)\s*$", re.MULTILINE)
_COUNT = lazy(
    r"^ +(?P<requests>\d+) requests in (?P<time>[^\s,]+), (?P<read>\S+) read", re.MULTILINE
)
_RATE = lazy(r"^Requests/sec: +([\d.]+)", re.MULTILINE)
_TRANSFER = lazy(r"^Transfer/sec: +(\S+)", re.MULTILINE)
_FAILED = lazy(r"^ +Non-2xx or 3xx responses: (\d+)", re.MULTILINE)
_SOCKET = lazy(r"^ +Socket errors: (.+)$", re.MULTILINE)
_DIGITS = lazy(r"\d+")
_AMOUNT = lazy(r"(-?[\d.]+)([a-zA-Z]*)")
_MS = {"us": "0.001", "ms": "1", "s": "1000", "m": "60000", "h": "3600000"}
_BYTES = {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
_STATISTICS = ("mean", "std", "max", "p50", "p75", "p90", "p99", "p99.9")
_MEANINGS = {
    "url": Meaning("configuration"),
    "threads": Meaning("threads"),
    "connections": Meaning("concurrency"),
    "requests": Meaning("requests"),
    "duration_s": Meaning("time_s", "s"),
    "requests_per_s": Meaning("requests_per_s", "request/s"),
    "bytes_per_s": Meaning("bandwidth_gb_per_s", "B/s"),
    "failures": Meaning("failures"),
    **latencies("ms", {f"latency_{name}": name for name in _STATISTICS}),
}


def _read(content: Content) -> list[Part] | None:
    heads = list(_HEAD.finditer(content.text))
    ends = [*(head.start() for head in heads), len(content.text)][1:]
    records = [
        _read_run(head, content.text[head.end() : end])
        for head, end in zip(heads, ends, strict=True)
    ]
    whole = [record for record in records if record.get("requests_per_s") is not None]
    return [Part(whole, _MEANINGS)] if whole and len(whole) == len(records) else None


def _read_run(head: re.Match[str], text: str) -> Record:
    record: Record = {"url": head["url"]}
    if (load := _LOAD.search(text)) is not None:
        record |= {"threads": int(load["threads"]), "connections": int(load["connections"])}
    if (count := _COUNT.search(text)) is not None:
        time = _amount(count["time"], _MS)
        record["requests"] = int(count["requests"])
        record["duration_s"] = None if time is None else time / 1000
    if (found := _LATENCY.search(text)) is not None:
        record |= {
            f"latency_{name}": _amount(value, _MS)
            for name, value in zip(("mean", "std", "max"), found.groups(), strict=True)
        }
    for percent, value in _PERCENTILE.findall(text):
        # wrk prints 99.000% with a script that asks for it.
        record[f"latency_p{float(percent):g}"] = _amount(value, _MS)
    rate, transfer = _RATE.search(text), _TRANSFER.search(text)
    record["requests_per_s"] = float(rate[1]) if rate else None
    record["bytes_per_s"] = _amount(transfer[1], _BYTES) if transfer else None
    record["failures"] = _count_failures(text)
    return record


def _count_failures(text: str) -> int:
    failed, socket = _FAILED.search(text), _SOCKET.search(text)
    errors = _DIGITS.findall(socket[1]) if socket else []
    return sum(map(int, errors)) + (int(failed[1]) if failed else 0)


def _amount(text: str, units: dict[str, str] | dict[str, int]) -> float | None:
    match = _AMOUNT.fullmatch(text)
    if match is None or match[2] not in units:
        return None
    return float(Decimal(match[1]) * Decimal(units[match[2]]))


WRK = Shape("wrk", _read)
