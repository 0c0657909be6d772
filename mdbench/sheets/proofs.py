"""What columns hold whose headers leave it open, where the numbers beside them prove it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Role, quantity

_NEAR, _VERY_NEAR = 0.02, 0.006
# How much the rounding of small numbers may add.
_MOST_ROUNDED = 0.08
_FEWEST_ROWS = 3
_FEWEST_COMPARED = 2
_SMALL = 20
_SURE = 0.8
# More columns than a person can read are not looked through.
_MOST_COLUMNS, _MOST_BEFORE = 64, 8
_TIMES = frozenset(("latency_ms", "step_time_s", "time_s"))
_RATIOS = frozenset(("speedup", "relative"))
_OF_TOKENS = frozenset(
    """model params quantization vocab seq_len input_len output_len total_len tokens_per_s ttft_ms
    tpot_ms itl_ms batch_tokens micro_batch_tokens global_batch_tokens""".split()
)
_WORKERS = frozenset(("threads", "cpu_cores", "processes", "devices", "nodes"))
_COUNTED = frozenset(("samples",))
_BATCH = lazy(r"(?:num[ _]|# ?)?(?:batches|iters?|iterations|steps)", re.IGNORECASE)
# A time without a unit may be in seconds or in milliseconds.
_SCALES = (1.0, 0.001)
_UNITS = {1.0: "s", 0.001: "ms"}
_BATCHES = frozenset(("batch", "micro_batch", "global_batch"))

# `Path quality` and `Memory` may be so many times as much, but not as fast.
_NOT_FASTER = lazy(
    r"\b(?:quality|accuracy|precision|memory|ram|size|cost|price|power|energy)\b|质量|精度|内存|显存",
    re.IGNORECASE,
)

BY_ROW_BEST = "the ratio to the best of its row"
"""Why a column is one of ratios to the least number of the row."""

BY_BATCH = "the batch by its time"
"""Why a throughput is one of samples."""

BY_RATE = "the throughput shows its unit"
"""Why a time without a unit is in seconds or in milliseconds."""


def prove_columns(headers: Sequence[Header], columns: Sequence[Cells]) -> tuple[Header, ...]:
    """The headers, with what a speed-up or a throughput proves of the columns it is made of.

    Two columns of which the first by the second is the speed-up are times. A column whose ratio to
    a known one stands beside them is of its kind. A throughput that is the batch by the latency is
    one of samples.
    """
    proved = list(headers)
    for at, header in enumerate(headers[:_MOST_COLUMNS]):
        name = header.quantity.name if header.quantity is not None else ""
        if name in _RATIOS:
            _prove_operands(at, proved, columns)
        elif not name and "samples_per_s" in {one.name for one in header.candidates}:
            by_batch, shown = _is_by_batch(columns[at], headers, columns)
            for place, unit in shown.items():
                proved[place] = proved[place]._replace(
                    unit=unit, why=f"{proved[place].why}; {BY_RATE}"
                )
            if by_batch or _is_of_samples(headers):
                why = BY_BATCH if by_batch else "batches on several devices"
                meant = quantity("samples_per_s")
                proved[at] = header._replace(quantity=meant, candidates=(), why=why)
    proved = _as_proved_beside(headers, proved)
    for at in _ratios_in_rows(headers, columns):
        proved[at] = headers[at]._replace(quantity=quantity("relative"), why=BY_ROW_BEST)
    return tuple(_as_speedup(at, proved, columns) for at in range(len(proved)))


def _as_proved_beside(headers: Sequence[Header], proved: Sequence[Header]) -> list[Header]:
    """The headers; `V100 Throughput` beside `T4 Throughput`, which is proved, is of its kind."""
    by_noun = {
        one.text.split()[-1]: one
        for said, one in zip(headers, proved, strict=True)
        if said.candidates and said.text.strip() and one.why == BY_BATCH
    }
    return [
        one._replace(quantity=known.quantity, candidates=(), why=f"as {known.text!r} beside it")
        if one.candidates
        and one.unit is None
        and one.text.strip()
        and (known := by_noun.get(one.text.split()[-1])) is not None
        and known.quantity in one.candidates
        else one
        for one in proved
    ]


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


def _is_of_samples(headers: Sequence[Header]) -> bool:
    """Whether the throughputs of a table are those of a training by batches of samples.

    Each device has its batch, a speed-up compares them, and nothing speaks of tokens.
    """
    known = {one.quantity.name for one in headers if one.quantity is not None}
    trained = known >= {"micro_batch", "speedup"} and bool(known & _WORKERS)
    return trained and not known & _OF_TOKENS


def _as_speedup(at: int, headers: Sequence[Header], columns: Sequence[Cells]) -> Header:
    """Factors under any name that stand beside a speed-up, or rise from 1 with the workers."""
    header = headers[at]
    if header.why != BY_CELLS or header.quantity != quantity("relative"):
        return header
    if header.said.quantity is not None or "÷" in header.text or _NOT_FASTER.search(header.text):
        return header
    for other, beside in zip(columns, headers[:_MOST_COLUMNS], strict=False):
        name = beside.said.quantity.name if beside.said.quantity is not None else ""
        if name == "speedup" or (name in _WORKERS and _rises(columns[at], other)):
            why = f"factors beside {beside.text!r}"
            return header._replace(quantity=quantity("speedup"), why=why)
    return header


def _rises(cells: Cells, workers: Cells) -> bool:
    """Whether numbers start with 1 for one worker and are larger for more of them."""
    pairs = sorted({(row[0][0], row[1][0]) for row in _numbers(workers, cells)})
    return (
        len(pairs) >= _FEWEST_ROWS and pairs[0] == (1.0, 1.0) and all(y > 1 for _, y in pairs[1:])
    )


def _prove_operands(at: int, proved: list[Header], columns: Sequence[Cells]) -> None:
    """What the two columns before a ratio hold, and what the ratio then is."""
    ratio = proved[at]
    why = f"{ratio.text!r} is its ratio"
    before = range(max(0, at - _MOST_BEFORE), at)
    usable = [place for place in before if _is_open(proved[place]) or _is_rated(proved[place])]
    for below in reversed(usable):
        for above in usable:
            if above >= below or not _follows(columns[at], columns[above], columns[below]):
                continue
            first, second = proved[above], proved[below]
            if _is_open(first) and _is_open(second):
                # Whole numbers from one on count something: the waves of a kernel.
                counted = _are_counts(columns[above]) and _are_counts(columns[below])
                if ratio.quantity == quantity("speedup") and not counted:
                    for place in (above, below):
                        proved[place] = proved[place]._replace(quantity=quantity("time_s"), why=why)
            elif _is_open(first) or _is_open(second):
                place, known = (above, second) if _is_open(first) else (below, first)
                proved[place] = proved[place]._replace(
                    quantity=known.quantity, unit=known.unit, why=why
                )
            elif (
                ratio.why == BY_CELLS
                and "÷" not in ratio.text
                and _is_time(first)
                and _is_time(second)
            ):
                reason = f"{first.text!r} by {second.text!r}"
                proved[at] = ratio._replace(quantity=quantity("speedup"), why=reason)
            return


def _are_counts(cells: Cells) -> bool:
    values = cells.values
    return bool(values) and min(values) == 1 and not any(cell.has_fraction for cell in cells)


def _is_open(header: Header) -> bool:
    return header.quantity is None and not header.candidates


def _is_rated(header: Header) -> bool:
    """Whether a column holds measurements that are no ratios themselves."""
    one = header.quantity
    return one is not None and one.role is Role.MEASUREMENT and one.name not in COMPARING


def _is_time(header: Header) -> bool:
    return header.quantity is not None and "s" in header.quantity.dimensions


def _is_by_batch(
    cells: Cells, headers: Sequence[Header], columns: Sequence[Cells]
) -> tuple[bool, Mapping[int, Unit]]:
    """Whether a throughput is the batch by a time, and the units that times then are in."""
    few = headers[:_MOST_COLUMNS]
    batches = [columns[at] for at, one in enumerate(few) if _is_one_of(one, _BATCHES)]
    batches += _samples_by_batches(few, columns)
    for at, header in enumerate(few):
        if _is_one_of(header, _TIMES):
            scales = _SCALES if header.unit is None else (float(header.unit.scale),)
            for scale in scales:
                if any(_follows(cells, batch, columns[at], scale) for batch in batches):
                    told = header.unit is None and scale in _UNITS
                    unit = parse_unit(_UNITS[scale]) if told else None
                    return True, {} if unit is None else _without_units(unit, few, columns)
    return False, {}


def _without_units(
    unit: Unit, headers: Sequence[Header], columns: Sequence[Cells]
) -> Mapping[int, Unit]:
    """The latencies of a table that carry no unit: all are in the one that the rate shows."""
    return {
        at: unit
        for at, one in enumerate(headers)
        if one.unit is None
        and one.quantity is not None
        and one.quantity.name.startswith("latency_")
        and not any(cell.unit for cell in columns[at])
    }


def _samples_by_batches(headers: Sequence[Header], columns: Sequence[Cells]) -> list[Cells]:
    """How many samples each batch had, where both were counted."""
    counts = [columns[at] for at, one in enumerate(headers) if _is_one_of(one, _COUNTED)]
    numbers = [columns[at] for at, one in enumerate(headers) if _BATCH.fullmatch(one.text.strip())]
    return [
        Cells(
            many._replace(value=many.value / batches.value, quantum=None)
            if many.value is not None and batches.value
            else many._replace(value=None)
            for many, batches in zip(count, number, strict=False)
        )
        for count in counts
        for number in numbers
    ]


def _is_one_of(header: Header, names: frozenset[str]) -> bool:
    one = header.quantity
    meant = {one.name} if one is not None else {known.name for known in header.candidates}
    return bool(meant & names)


def _follows(cells: Cells, above: Cells, below: Cells, scale: float = 1.0) -> bool:
    """Whether nearly all rows have the ratio of two others, and not always the same numbers.

    Two rows are enough where both do so to more digits.
    """
    rows = list(_numbers(cells, above, below))
    off = {row: abs(row[1][0] / (row[2][0] * scale * row[0][0]) - 1) for row in rows}
    held = {
        row for row in off if off[row] <= _NEAR + min(_MOST_ROUNDED, sum(one[1] for one in row))
    }
    # Small whole numbers follow from each other by chance.
    telling = [row for row in held if any(value % 1 or value > _SMALL for value, _ in row)]
    if len(telling) < _FEWEST_ROWS:
        return len(telling) == len(rows) > 1 and all(off[row] <= _VERY_NEAR for row in rows)
    return sum(row in held for row in rows) >= _SURE * len(rows)


def _numbers(*columns: Cells) -> Iterator[tuple[tuple[float, float], ...]]:
    """For each row of numbers, the numbers, and by what share each may be rounded."""
    for row in zip(*[cells.rounded for cells in columns], strict=False):
        known = tuple([one for one in row if one is not None])
        if len(known) == len(row):
            yield known
