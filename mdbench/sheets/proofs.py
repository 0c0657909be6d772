"""What columns hold whose headers leave it open, where the numbers beside them prove it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mdbench.numerals.numeral import Form, Numeral
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import quantity

_NEAR = 0.02
_FEWEST_ROWS = 3
_FEWEST_COMPARED = 2
_SMALL = 20
_SURE = 0.8
# More columns than a person can read are not looked through.
_MOST_COLUMNS, _MOST_BEFORE = 64, 8
_TIMES = frozenset(("latency_ms", "step_time_s", "time_s"))
_BATCHES = frozenset(("batch", "micro_batch", "global_batch"))

BY_ROW_BEST = "the ratio to the best of its row"
"""Why a column is one of ratios to the least number of the row."""

Cells = Sequence[Numeral]


def prove_columns(headers: Sequence[Header], columns: Sequence[Cells]) -> tuple[Header, ...]:
    """The headers, with what a speed-up or a throughput proves of the columns it is made of.

    Two columns of which the first by the second is the speed-up are times. A throughput that is the
    batch by the latency is one of samples.
    """
    proved = list(headers)
    for at, header in enumerate(headers[:_MOST_COLUMNS]):
        name = header.quantity.name if header.quantity is not None else ""
        if name == "speedup":
            for place in _times_before(at, headers, columns):
                proved[place] = headers[place]._replace(
                    quantity=quantity("time_s"), why=f"{header.text!r} is its ratio"
                )
        elif "samples_per_s" in {one.name for one in header.candidates} and _is_by_batch(
            columns[at], headers, columns
        ):
            proved[at] = header._replace(
                quantity=quantity("samples_per_s"), candidates=(), why="the batch by its time"
            )
    for at in _ratios_in_rows(headers, columns):
        proved[at] = headers[at]._replace(quantity=quantity("relative"), why=BY_ROW_BEST)
    return tuple(proved)


def _ratios_in_rows(headers: Sequence[Header], columns: Sequence[Cells]) -> Sequence[int]:
    """Open columns, each before a time under the same title, of which one says 1 in each row."""
    found = [
        at
        for at, (one, after) in enumerate(pairwise(headers[:_MOST_COLUMNS]))
        if one.quantity is None
        and not one.candidates
        and one.text == after.text
        and after.quantity is not None
        and "s" in after.quantity.dimensions
    ]
    if len(found) < _FEWEST_COMPARED:
        return ()
    rows = list(zip(*(columns[at] for at in found), strict=False))
    least = [min((cell.value for cell in row if cell.value is not None), default=1) for row in rows]
    return found if rows and all(value == 1 for value in least) else ()


def _times_before(at: int, headers: Sequence[Header], columns: Sequence[Cells]) -> Sequence[int]:
    """The two columns before a speed-up that it is the ratio of, if nobody says what they hold."""
    open_before = [
        place
        for place in range(max(0, at - _MOST_BEFORE), at)
        if headers[place].quantity is None and not headers[place].candidates
    ]
    for above in open_before:
        for below in open_before:
            if above < below and _follows(columns[at], columns[above], columns[below]):
                return above, below
    return ()


def _is_by_batch(cells: Cells, headers: Sequence[Header], columns: Sequence[Cells]) -> bool:
    few = headers[:_MOST_COLUMNS]
    batches = [columns[at] for at, one in enumerate(few) if _is_one_of(one, _BATCHES)]
    for at, header in enumerate(few):
        if _is_one_of(header, _TIMES) and header.unit is not None:
            scale = float(header.unit.scale)
            if any(_follows(cells, batch, columns[at], scale) for batch in batches):
                return True
    return False


def _is_one_of(header: Header, names: frozenset[str]) -> bool:
    one = header.quantity
    meant = {one.name} if one is not None else {known.name for known in header.candidates}
    return bool(meant & names)


def _follows(cells: Cells, above: Cells, below: Cells, scale: float = 1.0) -> bool:
    """Whether nearly all rows have the ratio of two others, and not always the same numbers."""
    rows = list(_numbers(cells, above, below))
    held = {row for row in rows if abs(row[1] / (row[2] * scale * row[0]) - 1) <= _NEAR}
    # Small whole numbers follow from each other by chance.
    telling = sum(any(value % 1 or value > _SMALL for value in row) for row in held)
    sure = sum(row in held for row in rows) >= _SURE * len(rows)
    return telling >= _FEWEST_ROWS and sure


def _numbers(*columns: Cells) -> Iterator[tuple[float, ...]]:
    for row in zip(*columns, strict=False):
        values = [cell.value for cell in row if cell.form is Form.NUMBER and cell.value]
        if len(values) == len(row):
            yield tuple(float(value) for value in values if value is not None)
