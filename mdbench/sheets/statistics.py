"""Columns that only name a statistic: `Min`, `p99` and `StdDev` are of what the table measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from mdbench.numerals.numeral import Form
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.open_columns import is_only_statistic
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import A_STATISTIC, BY_CELLS, BY_UNIT, Header, of_statistic
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity
from mdbench.vocabulary.statistics import BESIDE_A_MEAN, SPREADS, statistic_of

MEASURED = frozenset((Role.MEASUREMENT, Role.SCORE))
_CENTRES = frozenset({"mean", "median", "min", "max", "std"})
_RELATIVE = frozenset(("variation", "share"))
_IN_BRACKETS = lazy(r"(?P<what>[^()]{1,60}?) ?\((?P<which>[^()]{1,30})\)")
_MIDDLES = frozenset({"mean", "median"})
# A mean or a median is about as large as what it is of.
_MOST_APART = 2
_VALUES = _CENTRES - SPREADS
_WORDED = frozenset((Form.TEXT, Form.FLAG))
_NO_STATISTICS = frozenset({"", "predicted", "total"})
_SERVED = frozenset(("requests_per_s",))
_OWN = lazy(r"_(?:p\d+|min|max|std)(?=_ms$)")
_WITHIN = lazy(r"(?:\+/-|±) ?(?:1 )?(?:std|sd|\u03c3|stdev|std ?dev)")
_SHARE = lazy(r"(\d{1,2}(?:\.\d{1,4})?) ?%")
_NUMBER = lazy(r"\s*\d[\d.,]{0,30}\s*")
_HOW_MANY = lazy(r"(?:#|no\.?|num(?:ber)?)(?: of)? (\w.{0,40}?)s?")
_MINUTE, _PERCENT = parse_unit("min"), parse_unit("%")


def name_statistics(headers: Sequence[Header]) -> tuple[Header, ...]:
    """The headers, with words that are statistics only beside other statistics read as such.

    `Error` beside `Mean` is how far that may be off, and `min` beside `max` is no minute.
    """
    headers = _without_names(headers)
    known = {header.statistic for header in headers}
    if {"score", "unit"} <= {header.quantity.name for header in headers if header.quantity}:
        # A score with a unit in the next column is a mean of measurements.
        known.add("mean")
    if not known & _CENTRES and not any(map(_is_percentile, known)):
        return tuple(headers)
    averaged = {one.text.casefold() for one in headers if one.statistic in {"mean", "median"}}
    return tuple(_counts_averaged(_name(header, known), averaged) for header in headers)


def _without_names(headers: Sequence[Header]) -> Sequence[Header]:
    """The headers; `hashmap (std)` beside `hashmap (ahash)` names a library, not a deviation."""
    if not any(header.statistic in SPREADS for header in headers):
        return headers
    said = [_IN_BRACKETS.fullmatch(header.text.strip(" *`")) for header in headers]
    told = {match["what"] for match in said if match and statistic_of(match["which"]) in _VALUES}
    pairs = list(zip(headers, said, strict=True))
    named = {match["what"] for header, match in pairs if match and _is_unknown(header)} - told
    return [
        header._replace(statistic="", why="unknown")
        if match and match["what"] in named and _is_open_spread(header)
        else header
        for header, match in pairs
    ]


def _is_unknown(header: Header) -> bool:
    return not (header.quantity or header.candidates or header.statistic or header.unit)


def _is_open_spread(header: Header) -> bool:
    return is_open_statistic(header) and header.statistic in SPREADS


def _counts_averaged(header: Header, averaged: set[str]) -> Header:
    """`# of Eval Rates` beside `Average Eval Rate`: how many of them there are."""
    match = _HOW_MANY.fullmatch(header.text.casefold().strip(" *"))
    if header.understood or match is None or not any(match[1] in text for text in averaged):
        return header
    return header._replace(quantity=quantity("rounds"), why="how many are averaged")


def _is_percentile(statistic: str) -> bool:
    return statistic.startswith("p") and statistic[1:2].isdigit()


def _name(header: Header, known: set[str]) -> Header:
    word = header.text.casefold().strip(" .:()[]")
    meant = BESIDE_A_MEAN.get(word, "")
    if "std" in known and _WITHIN.fullmatch(word):
        # Beside the deviation itself, it is the share of the values that are within it.
        return Header(header.text, quantity("share"), why="beside the deviation")
    if (share := _SHARE.fullmatch(word)) is not None and any(map(_is_percentile, known)):
        return Header(header.text, statistic=f"p{share[1]}", why=A_STATISTIC)
    if meant and known & {"mean", "median", "std"}:
        return Header(header.text, statistic=meant, why=A_STATISTIC)
    if header.unit == _MINUTE and known & {"max", "mean", "median"} and _says_min(header):
        return header._replace(unit=None, statistic="min")
    return header


def _says_min(header: Header) -> bool:
    """Whether the word in brackets is `min`, which the headers beside it use as `max`."""
    return header.unit is not None and header.unit.text.casefold() == "min"


def move_statistics(
    headers: Sequence[Header], columns: Sequence[Sequence[str]]
) -> tuple[Header, ...]:
    """The headers, each with the statistic of the next one where the rows lack their first cell.

    Then a number stands under the name of the rows, and nothing under the last statistic.
    """
    told = [header.statistic for header in headers[1:]]
    bare = len(told) > 1 and all(told) and all(map(is_open_statistic, headers[1:]))
    if not bare or headers[0].statistic or any(text.strip() for text in columns[-1]):
        return tuple(headers)
    if not columns[0] or not all(map(_NUMBER.fullmatch, columns[0])):
        return tuple(headers)
    why = "its rows lack their first cell"
    pairs = zip(headers, (*told, told[-1]), strict=True)
    return tuple(Header(one.text, statistic=statistic, why=why) for one, statistic in pairs)


def share_quantity(
    headers: Sequence[Header], columns: Sequence[Cells], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with the quantity of the statistics beside them, or the only one there is."""
    headers = tuple(_unite(headers, vocabulary))
    if not any(map(is_open_statistic, headers)):
        return headers
    shared = list(headers)
    for at, header in enumerate(headers):
        if _is_bare(header) and not any(cell.form in _WORDED for cell in columns[at]):
            source = _nearest(headers, at) or _only_measured(headers)
            if source is not None and _differ_in_size(headers, columns, source):
                continue
            if source is not None and _is_served(header, columns[at], source):
                latency = header._replace(quantity=quantity("latency_ms"), why="of requests")
                shared[at] = of_statistic(latency, vocabulary)
            elif source is not None and _can_share(columns[at], source):
                shared[at] = _as_beside(header, columns[at], source, vocabulary)
    return tuple(shared)


def _unite(headers: Sequence[Header], vocabulary: Vocabulary) -> Iterator[Header]:
    """The headers, statistics side by side that are of a time by their unit of one quantity."""
    served = any(one.quantity is not None and one.quantity.name in _SERVED for one in headers)
    for together, group in groupby(headers, _is_time_by_unit):
        members = list(group)
        first = next((one for one in members if one.statistic == "mean"), members[0])
        many = 2 * sum(_is_percentile(one.statistic) for one in members) >= len(members)
        meant = whole_quantity(first.quantity)
        if together and meant is not None and meant.name == "time_s" and served:
            # The times of requests.
            meant, many = quantity("latency_ms"), False
        if not together or meant is None or (meant.name == "time_s" and many):
            yield from members
            continue
        for one in members:
            fits = one.unit is not None and meant.fits(one.unit)
            yield of_statistic(one._replace(quantity=meant), vocabulary) if fits else one


def _is_time_by_unit(header: Header) -> bool:
    one = header.quantity
    by_unit = header.why in (BY_CELLS, BY_UNIT) and header.statistic not in _NO_STATISTICS
    return by_unit and one is not None and bool({"s", "s/op"} & one.dimensions)


def _is_served(header: Header, cells: Cells, source: Header) -> bool:
    """Whether a column without numbers is for percentiles, beside the rate of requests."""
    rate = source.quantity is not None and source.quantity.name in _SERVED
    empty = not cells.values
    return rate and empty and not source.statistic and _is_percentile(header.statistic)


def _differ_in_size(headers: Sequence[Header], columns: Sequence[Cells], source: Header) -> bool:
    """Whether the means or medians of a table are mostly far from what they would be means of."""
    if source.statistic or source not in headers:
        return False
    values = columns[headers.index(source)]
    centres = [
        columns[at]
        for at, header in enumerate(headers)
        if _is_bare(header) and header.statistic in _MIDDLES
    ]
    pairs = [
        (abs(float(mean.value)), abs(float(one.value)))
        for cells in centres
        for mean, one in zip(cells, values, strict=True)
        if mean.value and one.value and not mean.unit and not one.unit
    ]
    far = sum(mean > _MOST_APART * one or one > _MOST_APART * mean for mean, one in pairs)
    return len(pairs) > 1 and 2 * far > len(pairs)


def _can_share(cells: Cells, source: Header) -> bool:
    """Whether no unit in the cells speaks against the quantity of another column."""
    one = source.quantity
    units = {cell.unit for cell in cells.numbers if cell.unit} - {"%"}
    known = [unit for text in units if (unit := parse_unit(text)) is not None]
    return one is not None and all(one.fits(unit) for unit in known)


def is_open_statistic(header: Header) -> bool:
    """Whether a header names a statistic, and not of what."""
    return bool(header.statistic) and header.quantity is None and not header.candidates


def _is_bare(header: Header) -> bool:
    """Whether a header is a statistic and nothing else: not `Max compute units`."""
    return is_open_statistic(header) and is_only_statistic(header)


def _nearest(headers: Sequence[Header], at: int) -> Header | None:
    """The nearest column that is a statistic of something known, to the left if there is one.

    A mean right behind the score of a benchmark is one of scores, and behind a column that nothing
    explains it may be the mean of that and of others.
    """
    right = range(at + 1, len(headers))
    if at and headers[at].statistic == "mean":
        before = headers[at - 1]
        if _is_of_benchmark(before):
            return before
        if at > 1 and not before.understood and not before.statistic:
            right = range(0)
    for places in (range(at - 1, -1, -1), right):
        for place in places:
            one = headers[place]
            if one.statistic in _NO_STATISTICS:
                # A column between that is no statistic may be what this one is of.
                break
            if _is_measured(one):
                return one
    return None


def _is_of_benchmark(header: Header) -> bool:
    one = header.quantity
    named = any(name == "benchmark" for name, _ in header.settings)
    return named and one is not None and one.role is Role.SCORE and not header.statistic


def _only_measured(headers: Sequence[Header]) -> Header | None:
    """A column that says what the table measures, if no other may measure anything else."""
    if headers[0].said.unit is not None:
        # `Name (time in us)` speaks of all columns beside it.
        return None
    if any(not header.understood and not header.statistic for header in headers[1:]):
        return None
    measured = [header for header in headers if _is_measured(header)]
    kinds = {whole_quantity(header.quantity) for header in measured}
    return measured[0] if len(kinds) == 1 else None


def _is_measured(header: Header) -> bool:
    one = header.quantity
    if one is None or one.role not in MEASURED:
        return False
    return one.name not in COMPARING and one.name not in _RELATIVE


def whole_quantity(one: Quantity | None) -> Quantity | None:
    """The quantity without its statistic: a latency, for the 99th percentile of one."""
    if one is None or _OWN.search(one.name) is None:
        return one
    return quantity(_OWN.sub("", one.name))


def _as_beside(header: Header, cells: Cells, source: Header, vocabulary: Vocabulary) -> Header:
    units = {cell.unit for cell in cells.numbers if cell.unit}
    one = whole_quantity(source.quantity)
    if header.statistic in SPREADS and units == {"%"} and source.unit != _PERCENT:
        # How far values differ is often told in per cent of them.
        meant = quantity("variation")
        return header._replace(quantity=meant, unit=_PERCENT, why=BY_CELLS)
    return of_statistic(
        header._replace(quantity=one, unit=source.unit, why=f"as {source.text!r} beside it"),
        vocabulary,
    )
