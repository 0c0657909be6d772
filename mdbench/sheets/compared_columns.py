"""Columns that are told apart by their titles only: what these name, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from mdbench.numerals.numeral import Numeral
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Role, quantity

_NUMBERED_TEST = lazy(r"(?:Tests?|Benchmark|Task|测试|テスト) ?#?\d{1,3}")
_FEWEST = 2
_FEWEST_COUNTED = 3
# Scores of one thing do not differ by more.
_MOST_TIMES = 2
_ALL_OF_IT = 100


def kind_of_titles(headers: Sequence[Header], scored: bool) -> str:
    """The setting that titles without a known name state: tests, or what was tested."""
    numbered = sum(_NUMBERED_TEST.fullmatch(header.text.strip()) is not None for header in headers)
    if numbered >= _FEWEST:
        return "benchmark"
    averaged = any(header.statistic == "mean" or _names_benchmark(header) for header in headers)
    return "benchmark" if scored and averaged else "method"


def _names_benchmark(header: Header) -> bool:
    bare = header.quantity is None or _is_score(header)
    return bare and [name for name, _ in header.settings] == ["benchmark"]


def as_named_score(headers: Sequence[Header], columns: Sequence[Cells]) -> Sequence[Header]:
    """The headers; shares beside `Original Accuracy` are what `Ours` and `Ours (fast)` reach."""
    named = [
        at
        for at, header in enumerate(headers)
        if header.settings and _is_score(header.said) and _are_shares(columns[at])
    ]
    if len(named) != 1:
        return headers
    (known,) = named
    beside = [
        at
        for at, header in enumerate(headers)
        if at > known and _says_nothing(header) and _are_alike(columns[at], columns[known])
    ]
    if len(beside) < _FEWEST:
        return headers
    one = headers[known]
    return [
        header._replace(
            quantity=one.quantity,
            unit=one.unit,
            settings=_tell_apart(header),
            why=f"as {one.text!r} beside it",
        )
        if at in beside
        else header
        for at, header in enumerate(headers)
    ]


def _tell_apart(header: Header) -> tuple[tuple[str, str], ...]:
    """The settings of a title; as a whole it says more than the `mode=1` in it."""
    known = any(name != "method" for name, _ in header.settings)
    return header.settings if known else (("method", header.text),)


def _is_score(header: Header) -> bool:
    return header.quantity is not None and header.quantity.role is Role.SCORE


def _says_nothing(header: Header) -> bool:
    one = header.quantity
    told = one is not None and not (one.name == "share" and header.why == BY_CELLS)
    return bool(header.text) and not (told or header.candidates or header.statistic)


def _are_shares(cells: Cells) -> bool:
    filled = cells.filled
    return bool(filled) and all(
        cell.value is not None and cell.unit == "%" and 0 <= cell.value <= _ALL_OF_IT
        for cell in filled
    )


def _are_alike(cells: Cells, known: Sequence[Numeral]) -> bool:
    pairs = [
        sorted((cell.value, other.value))
        for cell, other in zip(cells, known, strict=False)
        if cell.value is not None and other.value is not None
    ]
    near = all(high <= _MOST_TIMES * low for low, high in pairs)
    return bool(pairs) and near and _are_shares(cells)


def without_running_counts(headers: Sequence[Header], columns: Sequence[Cells]) -> Sequence[Header]:
    """The headers; micro batches that grow with the rows of a log are counted, not set."""
    meant = quantity("grad_accum")
    counts = [at for at, header in enumerate(headers) if header.quantity == meant]
    if not counts or sum(map(_counts_up, columns)) < _FEWEST:
        return headers
    return [
        header._replace(quantity=None, why="counts up with the rows")
        if at in counts and _counts_up(columns[at])
        else header
        for at, header in enumerate(headers)
    ]


def _counts_up(cells: Cells) -> bool:
    """Whether each row has the first one's number more than the row before; not by one each."""
    values = [cell.value for cell in cells]
    first = values[0] if len(values) >= _FEWEST_COUNTED else None
    if first is None or first <= 1:
        return False
    return values == [first * Decimal(place) for place in range(1, len(values) + 1)]
