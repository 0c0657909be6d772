"""Results in code fences that tools print line by line, without a header over the columns.

Each becomes a table whose titles are the words that tools print beside the numbers, or usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from re import IGNORECASE, Match
from typing import NamedTuple

from mdbench.markdown.block_listings import TITLES, read_blocks
from mdbench.markdown.counted_listings import Entry, read_completed, read_rates
from mdbench.markdown.document import Cell, Presence, Row, Table, TableKind, TextLine
from mdbench.markdown.interval_listings import read_intervals
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER = r"[-+<>~]?\d[\d.,]*(?:e[-+]?\d+)?"
_VALUE = lazy(rf"{_NUMBER}(?!\S*[-:]\d)")
_TITLE = lazy(r"[-=*]{3}.*|[A-Z][^:=]*:|")
_MEASURED = lazy(
    r"/s(?:ec)?\b|\bper second\b|\b(?:latency|throughput|tps|qps|rps|iops)\b", IGNORECASE
)
_PERCENTILE = lazy(r"percentile|\bp\d", IGNORECASE)
_DIGITS = lazy(r"\d+")
_NO_KEY = lazy(r"[=|,;\t]")
_NO_VALUE = lazy(r": |=|  |\t")
_LONGEST_KEY = 48
_FEWEST_VALUES = 2

_STATISTICS = frozenset(
    ("avg", "mean", "min", "max", "med", "median", "stdev", "stddev", "std", "sum")
)
_SENTENCE = lazy(
    r"\s*(?P<count>\d[\d.,]{0,15}[kKM]?) (?P<requests>requests) (?P<in>in) "
    r"(?P<time>\d[\d.]{0,12}m?s)"
    r"(?:, (?P<data>\d[\d.]{0,12} ?[kKMG]?i?B) (?P<read>read))?\s*"
)
_PAIR = lazy(r"(?<![\w()])([A-Za-z][\w()]*)=\s*([-+]?\d[^\s,;]*)")
_RATES = frozenset(("iops", "bw"))
_DATA_IN_TIME = lazy(r"\((\d[\d.]{0,12}[KMGT]?i?B)/(\d{1,12}m?sec)\)")

_GO = lazy(rf"(Benchmark\S*)\s+(\d+)((?:\s+{_NUMBER} \S+)+)\s*")
_GO_VALUE = lazy(rf"(?<!\S){_NUMBER} (\S+)")

_OPS = lazy(r"(\d[\d,.]* ops/sec) (±\d[\d.]*%) \((\d+) runs? sampled\)\s*")

_SHARE = lazy(r"\s*(\d+(?:\.\d+)?%)\s+(?:in\s+)?(\d[\d.]*\s?[a-zµ]+)\s*")
_FEWEST_SHARES = 3


class _Listing(NamedTuple):
    """The titles of a listing, where the text has them, and the place of each cell."""

    titles: tuple[str, ...]
    heading: tuple[Span | None, ...]
    rows: tuple[tuple[Span | None, ...], ...]
    end: int
    """The index of the line after it."""
    labels: tuple[str, ...] = ()
    """The name of each row, if each is a name and its value."""


_Reader = Callable[[Sequence[TextLine], int], _Listing | None]


def find_listings(text: str, lines: Sequence[TextLine], section: int) -> Iterator[Table]:
    """Find the listings among the lines of a fence."""
    readers = _choose_readers(text[lines[0].start : lines[-1].end]) if lines else []
    at = 0
    while readers and at < len(lines):
        found = (listing for read in readers if (listing := read(lines, at)) is not None)
        listing = next(found, None)
        if listing is not None and listing.rows:
            yield _make_table(text, listing, section)
        at = at + 1 if listing is None else listing.end


def _choose_readers(content: str) -> list[_Reader]:
    """The readers for what a fence may hold: most fences hold none of it."""
    content = content.lower()
    return [read for read, words in _READERS if any(word in content for word in words)]


def _make_table(text: str, listing: _Listing, section: int) -> Table:
    places = [span for row in (listing.heading, *listing.rows) for span in row if span is not None]
    start, end = min(span.start for span in places), max(span.end for span in places)
    rows = [_make_row(text, row) for row in listing.rows]
    header = _make_row(text, listing.heading, start)
    return Table(
        TableKind.FENCE,
        header,
        tuple(rows),
        ("",) * len(listing.titles),
        Span(start, end),
        section,
        listing.titles,
        labels=listing.labels,
    )


def _make_row(text: str, places: Sequence[Span | None], start: int = 0) -> Row:
    filled = [span for span in places if span is not None]
    line = Span(filled[0].start, filled[-1].end) if filled else Span(start, start)
    missing = Cell("", Span(line.end, line.end), Presence.MISSING)
    return Row(
        tuple(
            missing if span is None else Cell(text[span.start : span.end], span) for span in places
        ),
        line,
    )


def _within(line: TextLine, start: int, end: int) -> Span:
    return Span(line.start + start, line.start + end)


def _read_values(lines: Sequence[TextLine], at: int) -> _Listing | None:
    """`Requests/sec:  11271.84`: keys and values, one of which is a rate or a latency."""
    rows: list[tuple[Span, Span]] = []
    keys: list[str] = []
    group = ""
    numbers = measured = 0
    end = at
    for index in range(at, len(lines)):
        line = lines[index]
        told = _read_sentence(line)
        if told:
            rows += [(key, value) for _, key, value in told]
            keys += [name for name, _, _ in told]
            numbers += len(told)
            end = index + 1
            continue
        entry = _split_entry(line)
        if entry is None:
            if rows and _TITLE.fullmatch(line.text.strip()):
                group = line.text.strip(" -=*:")
                continue
            break
        key, value = (line.text[a - line.start : b - line.start] for a, b in entry)
        number = _VALUE.match(value) is not None
        # A listing begins with a number: words above it are a header to whoever reads the table.
        if not rows and not number:
            return None
        rows.append(entry)
        keys.append(_name_in_group(key, group))
        numbers += number
        measured += number and _MEASURED.search(key) is not None
        end = index + 1
    if not rows:
        return None
    if numbers < max(_FEWEST_VALUES, len(rows) / 2) or not measured or _repeats(keys):
        rows = []
    return _Listing(("Metric", "Value"), (None, None), tuple(rows), end, tuple(keys))


def _read_sentence(line: TextLine) -> list[Entry]:
    """`68229 requests in 6.05s, 8.72MB read`: what was done in which time, with usual names."""
    match = _SENTENCE.fullmatch(line.text)
    if match is None:
        return []
    return [
        (name, _within(line, *match.span(word)), _within(line, *match.span(value)))
        for name, word, value in (
            ("Requests", "requests", "count"),
            ("Total time", "in", "time"),
            ("Total data", "read", "data"),
        )
        if match[value] is not None
    ]


def _name_in_group(key: str, group: str) -> str:
    """`min` below `Latency (ms):` is the least latency."""
    statistic = key.lower() in _STATISTICS or _PERCENTILE.search(key) is not None
    named = " " not in key or key.lower().endswith("percentile")
    return f"{key} {group}" if statistic and named and _MEASURED.search(group) else key


def _split_entry(line: TextLine) -> tuple[Span, Span] | None:
    """The key and the value of a line that is neither code nor a log."""
    marks = [at for at in (line.text.find(":"), line.text.find(" = ") + 1) if at > 0]
    if not marks:
        return None
    mark = min(marks)
    key, value = line.text[:mark].rstrip(" ."), line.text[mark + 1 :]
    name = key.lstrip()
    if not value[:1].isspace() or not 0 < len(name) <= _LONGEST_KEY or not name[0].isalnum():
        return None
    if not any(map(str.isalpha, name)) or _NO_KEY.search(name) or _NO_VALUE.search(value.strip()):
        return None
    # In code, a name has no blank, and nothing but a value follows the sign.
    if line.text[mark] == "=" and " " not in name and " (" not in value:
        return None
    start = mark + 1 + len(value) - len(value.lstrip())
    end = len(line.text.rstrip())
    if start >= end:
        return None
    return _within(line, len(key) - len(name), len(key)), _within(line, start, end)


def _repeats(keys: Sequence[str]) -> bool:
    """Whether a key comes again, perhaps with another number in it: those lines are a log."""
    plain = [key if _PERCENTILE.search(key) else _DIGITS.sub("", key) for key in keys]
    return len(set(plain)) < len(plain)


def _read_statistics(lines: Sequence[TextLine], at: int) -> _Listing | None:
    """`http_req_duration...: avg=1.73ms min=105.7µs`: a name, and values with their names."""
    rows: list[tuple[Span, ...]] = []
    titles: tuple[str, ...] = ()
    end = at
    for index in range(at, len(lines)):
        line = lines[index]
        mark = line.text.find(": ") if "=" in line.text else -1
        name = line.text[: max(mark, 0)].rstrip(". ")
        pairs = list(_find_pairs(line.text, mark + 1)) if name.strip() else []
        names = tuple(pair[0] for pair in pairs)
        if not _are_statistics(names) or (titles and names != titles):
            break
        if line.text[mark + 1 :].lstrip()[: len(names[0]) + 1] != f"{names[0]}=":
            break
        titles = names
        place = _within(line, len(name) - len(name.lstrip()), len(name))
        rows.append((place, *(_within(line, *span) for _, span in pairs)))
        end = index + 1
    if not rows:
        return None
    return _Listing(("", *titles), (None,) * (len(titles) + 1), tuple(rows), end)


def _find_pairs(text: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """`IOPS=9984, BW=39.0MiB/s (195MiB/5001msec)`: names and places of values."""
    for pair in _PAIR.finditer(text, start):
        yield pair[1], pair.span(2)
    measured = _DATA_IN_TIME.search(text, start) if "sec)" in text else None
    if measured is not None:
        yield from (("Total data", measured.span(1)), ("Total time", measured.span(2)))


def _are_statistics(names: Sequence[str]) -> bool:
    known = {name.lower() for name in names}
    return len(known) == len(names) and (len(known & _STATISTICS) > 1 or known >= _RATES)


def _read_go(lines: Sequence[TextLine], at: int) -> _Listing | None:
    """`BenchmarkCopy-2  6434947  64.13 ns/op  0 B/op`: the format of Go, which names each unit."""
    matches: list[tuple[TextLine, Match[str]]] = []
    while (index := at + len(matches)) < len(lines):
        line = lines[index]
        match = _GO.fullmatch(line.text) if line.text.startswith("Benchmark") else None
        if match is None:
            break
        matches.append((line, match))
    if not matches:
        return None
    found = [
        {value[1]: value.span() for value in _GO_VALUE.finditer(line.text, match.start(3))}
        for line, match in matches
    ]
    units = list(dict.fromkeys(unit for values in found for unit in values))
    rows = tuple(
        (
            _within(line, *match.span(1)),
            _within(line, *match.span(2)),
            *(_within(line, *values[unit]) if unit in values else None for unit in units),
        )
        for (line, match), values in zip(matches, found, strict=True)
    )
    titles = ("Benchmark", "Iterations", *units)
    return _Listing(titles, (None,) * len(titles), rows, at + len(rows))


def _read_operations(lines: Sequence[TextLine], at: int) -> _Listing | None:
    """`join x 45,282,277 ops/sec ±3.83% (85 runs sampled)`."""
    rows: list[tuple[Span, ...]] = []
    while (index := at + len(rows)) < len(lines):
        line = lines[index]
        name, mark, tail = line.text.rpartition(" x ")
        match = _OPS.fullmatch(line.text, len(name) + len(mark)) if tail and name.strip() else None
        if match is None:
            break
        first = _within(line, len(name) - len(name.lstrip()), len(name.rstrip()))
        rows.append(
            (first, _within(line, match.start(1), match.end(2)), _within(line, *match.span(3)))
        )
    titles = ("Benchmark", "ops/sec", "runs sampled")
    return _Listing(titles, (None,) * 3, tuple(rows), at + len(rows)) if rows else None


def _read_intervals(lines: Sequence[TextLine], at: int) -> _Listing | None:
    found = read_intervals(lines, at)
    if found is None:
        return None
    titles, rows, end = found
    return _Listing(titles, (None,) * len(titles), rows, end)


def _read_blocks(lines: Sequence[TextLine], at: int) -> _Listing | None:
    rows, end = read_blocks(lines, at)
    width = len(TITLES) - all(row[-1] is None for row in rows)
    cells = tuple(row[:width] for row in rows)
    return _Listing(TITLES[:width], (None,) * width, cells, end) if rows else None


def _read_rates(lines: Sequence[TextLine], at: int) -> _Listing | None:
    return _list_entries(read_rates(lines, at), at + 1)


def _read_completed(lines: Sequence[TextLine], at: int) -> _Listing | None:
    return _list_entries(*read_completed(lines, at))


def _list_entries(entries: Sequence[Entry], end: int) -> _Listing | None:
    rows = tuple((word, value) for _, word, value in entries)
    names = tuple(name for name, _, _ in entries)
    return _Listing(("Metric", "Value"), (None, None), rows, end, names) if rows else None


def _read_shares(lines: Sequence[TextLine], at: int) -> _Listing | None:
    """`50%  1.19ms` under `Latency Distribution`: percentiles below their title."""
    if at + 1 == len(lines) or "%" not in lines[at + 1].text:
        return None
    title = lines[at].text.strip().removesuffix(":")
    if not title or any(map(str.isdigit, title)):
        return None
    rows: list[tuple[Span, Span]] = []
    while (index := at + 1 + len(rows)) < len(lines):
        line = lines[index]
        match = _SHARE.fullmatch(line.text)
        if match is None:
            break
        rows.append((_within(line, *match.span(1)), _within(line, *match.span(2))))
    if len(rows) < _FEWEST_SHARES:
        return None
    start = lines[at].text.index(title)
    heading = (None, _within(lines[at], start, start + len(title)))
    return _Listing(("Percentile", title), heading, tuple(rows), at + 1 + len(rows))


# Each with the words without which there is nothing for it to read.
_READERS: tuple[tuple[_Reader, tuple[str, ...]], ...] = (
    (_read_go, ("benchmark",)),
    (_read_operations, ("ops/sec",)),
    (_read_statistics, ("avg=", "mean=", "min=", "max=", "iops=")),
    (_read_intervals, ("time:",)),
    (_read_blocks, ("/iter",)),
    (_read_rates, (".: ",)),
    (_read_completed, (" completed in ",)),
    (_read_shares, ("%",)),
    (_read_values, ("/s", "second", "latency", "throughput", "tps", "qps", "rps", "iops")),
)
