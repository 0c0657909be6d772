"""What a column holds, where its header leaves that open: its cells and its neighbours decide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from itertools import combinations

from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import Unit
from mdbench.regex import lazy
from mdbench.sheets.byte_columns import as_file, as_peak, names_file, speaks_of_memory
from mdbench.sheets.cell_kinds import (
    are_dates,
    by_counts,
    by_digits,
    by_files,
    by_kind,
    by_names,
    by_parameter,
    by_shape,
    by_signs,
    unworded,
)
from mdbench.sheets.cell_marks import by_flags
from mdbench.sheets.cell_names import by_meant_names
from mdbench.sheets.cell_units import (
    BESIDE_RATE,
    contradicts,
    is_rate_of,
    narrow,
    nearly_all_carry,
    take_cell_unit,
)
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.factors import as_speedups, name_comparison, name_factors
from mdbench.sheets.table_context import with_context
from mdbench.vocabulary.amounts import printed_unit
from mdbench.vocabulary.headers import (
    BY_CELLS,
    BY_UNIT,
    OF_EACH,
    Header,
    decide,
    of_statistic,
    rate_of_phase,
)
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash

_TIMES = frozenset({"step_time_s", "steps_per_s", "time_s", "latency_ms"})
_OF_MODELS = frozenset({"model", "quantization", "bits_per_weight", "perplexity", "tokens_per_s"})
_OF_TOKENS = _OF_MODELS | frozenset(
    """ttft_ms tpot_ms itl_ms input_len output_len seq_len prompt_tokens_per_s framework devices
    device params batch micro_batch global_batch tokens_per_s_per_device precision""".split()
)
_BANDWIDTHS = frozenset(("bandwidth_gb_per_s", "bus_bandwidth_gb_per_s"))
_OF_BLOCKS = frozenset(("ops_per_s",))
_SCALES = frozenset(("speedup", "problem_size"))
_RATES_OF_TPS = frozenset(("tokens_per_s", "items_per_s"))
_OF_TRAINING = frozenset("dp pp tp micro_batch global_batch grad_accum zero_stage".split())
_OF_PARAMS = _OF_TOKENS | _OF_TRAINING | {"nodes", "layers", "hidden", "heads"}
_SCORES = frozenset({"score", "accuracy", "perplexity", "f1", "bleu", "error"})
_BY_WORD = frozenset({BY_UNIT, "spelling"})
_MOST_SIBLINGS = 256
_BYTES = frozenset(("memory_mib", "model_file_mib"))
_THROUGHPUT = lazy(r"through?put|thr?pt|tput|吞吐|スループット|처리량|durchsatz", re.IGNORECASE)
_SHORT_STEP = Decimal("1e-6")


def settle(
    header: Header,
    cells: Cells,
    vocabulary: Vocabulary,
    siblings: Sequence[Header] = (),
    stated: Unit | None = None,
) -> Header:
    """Decide what a header left open, by its cells, their units and the columns beside it.

    `stated` is a unit that the text around the table gives. What stays open keeps its candidates.
    """
    kind = cells.kind
    timed = header.quantity is None or header.quantity.role is Role.MEASUREMENT
    if timed and are_dates(cells):
        return header._replace(quantity=quantity("date"), candidates=(), why="its cells are dates")
    header = by_flags(_without_foreign_unit(header, cells), cells, siblings)
    settled = _as_name(header, siblings, vocabulary) if kind == "numbers" else header
    settled = _by_neighbour(by_digits(settled, cells), siblings)
    if kind == "numbers":
        settled = by_parameter(settled, cells)
    unit = settled.unit or cells.unit or stated
    settled = as_peak(settled, unit)
    if settled.quantity is not None:
        settled = by_files(settled, cells, siblings)
        settled = by_meant_names(by_kind(settled, kind, cells), cells, kind)
        settled = by_names(settled, cells, kind, vocabulary)
        settled = by_signs(unworded(settled, cells, kind), cells)
    if unit is not None and contradicts(settled, cells, unit):
        settled = settled._replace(candidates=())
    if settled.quantity is None and settled.candidates:
        settled = by_counts(_choose(settled, cells, siblings, unit, vocabulary), cells)
    elif settled.why == OF_EACH:
        return settled
    elif settled.quantity is None and unit is not None and kind == "numbers":
        settled = _by_unit(settled, cells, unit, siblings, vocabulary)
    if kind == "words":
        settled = by_shape(settled, cells)
    if kind == "words" and settled.quantity is not None and settled.quantity.text:
        # `95% generic` between names is one too.
        return settled
    return name_comparison(take_cell_unit(settled, cells, unit, vocabulary), cells)


def _without_foreign_unit(header: Header, cells: Cells) -> Header:
    """The header without a unit in it that its cells contradict: `SIMD (256 bits)` above `1.4x`."""
    carried = cells.unit if header.why == BY_UNIT else None
    if header.unit is None or carried is None:
        return header
    share = carried.dimension == "ratio" and carried.scale != 1
    same = share or carried.dimension == header.unit.dimension
    if same or is_rate_of(header.unit, carried) or not nearly_all_carry(carried, cells):
        return header
    return header._replace(quantity=None, candidates=(), unit=None, why="unknown")


def _by_unit(
    header: Header,
    cells: Cells,
    unit: Unit,
    siblings: Sequence[Header],
    vocabulary: Vocabulary,
) -> Header:
    """What the unit of the cells alone says; a percentile of times is one of latencies.

    Bytes are memory where a model runs, or where memory is spoken of; else they are files.
    """
    found = vocabulary.dimensions.get(unit.dimension, ())
    several = len(cells.numbers) > 1
    mixed = several and not nearly_all_carry(unit, cells)
    if mixed and any(one.quantity == quantity("metric") for one in siblings):
        # Each row measures something else.
        return header
    if not found and unit.scale == 1 and nearly_all_carry(unit, cells):
        # How many times as much, of what the header does not say.
        factors = name_factors(cells)
        found = (quantity(factors),) if factors else ()
    if not found:
        return header
    percentile = header.statistic[:1] == "p" and header.statistic[1:2].isdigit()
    timed = unit.dimension == "s" and percentile
    meant = (
        quantity("latency_ms")
        if timed
        else rate_of_phase(header.text, unit, vocabulary) or found[0]
    )
    stored = names_file(header.text) or not speaks_of_memory((header, *siblings), _OF_TOKENS)
    if meant.name == "memory_mib" and stored:
        meant = quantity("file_bytes")
    if unit.dimension == "s/step" and unit.scale <= _SHORT_STEP:
        # No step of a training is that short: these are the iterations of a benchmark.
        meant = quantity("time_per_op_ns")
    known = header._replace(quantity=meant, unit=unit, why=BY_CELLS)
    return of_statistic(known, vocabulary)


def settle_all(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    vocabulary: Vocabulary,
    stated: Unit | None = None,
) -> tuple[Header, ...]:
    """Settle the columns of one table together: here a column's values can speak for another."""
    settled = [
        settle(header, cells, vocabulary, _near(headers, at), stated)
        for at, (header, cells) in enumerate(zip(headers, columns, strict=True))
    ]
    rates = [
        place
        for place, header in enumerate(settled)
        if header.quantity is not None and header.quantity.name == "tflops_per_device"
    ]
    workers = next((columns[at] for at, one in enumerate(settled) if _counts_workers(one)), ())
    for place, header in enumerate(settled):
        guessed = header.quantity is not None and header.why == BESIDE_RATE
        if guessed and not any(
            falls_against(columns[place], columns[rate])
            or falls_against(columns[place], _times(columns[rate], workers))
            for rate in rates
        ):
            settled[place] = headers[place]._replace(why="may be a time or a rate")
    settled = with_context(as_speedups(settled, columns))
    return tuple(settled)


def _counts_workers(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name in {"devices", "nodes"}


def _times(rates: Sequence[Numeral], workers: Sequence[Numeral]) -> list[Numeral]:
    """The rate of the whole job, of which each worker has its part."""
    return [
        rate._replace(
            value=None if rate.value is None or count.value is None else rate.value * count.value,
        )
        for rate, count in zip(rates, workers, strict=False)
    ]


def _near(headers: Sequence[Header], at: int) -> Sequence[Header]:
    """The headers that can speak for one: all, in a table that a person can still read."""
    if len(headers) <= _MOST_SIBLINGS:
        return headers
    return headers[max(0, at - _MOST_SIBLINGS // 2) : at + _MOST_SIBLINGS // 2]


def falls_against(times: Sequence[Numeral], rates: Sequence[Numeral]) -> bool:
    """Whether one column falls where the other rises, as a time does beside a rate."""
    pairs = [
        (time.value, rate.value)
        for time, rate in zip(times, rates, strict=False)
        if time.value is not None and rate.value is not None
    ]
    turns = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in combinations(pairs[:64], 2)]
    against = sum(turn < 0 for turn in turns)
    return against > 0 and against >= 9 * sum(turn > 0 for turn in turns)


def _by_neighbour(header: Header, siblings: Sequence[Header]) -> Header:
    one = header.quantity
    if one is None or not one.beside:
        return header
    names = {squash(sibling.text) for sibling in siblings}
    for name, meant in one.beside.items():
        if name in names:
            return header._replace(quantity=quantity(meant), why=f"beside {name}")
    return header


def _as_name(header: Header, siblings: Sequence[Header], vocabulary: Vocabulary) -> Header:
    """Numbers under `TF` or `FSDP`, between `PyTorch` and `ONNX`, are those of a framework."""
    if header.quantity is None or header.settings or header.why not in _BY_WORD:
        return header
    rest, settings = take_settings(header.text, vocabulary)
    if rest:
        return header
    kinds = {name for name, _ in settings}
    named = any(
        sibling.quantity is None and kinds & {name for name, _ in sibling.settings}
        for sibling in siblings
    )
    if not named:
        return header
    return Header(header.text, settings=settings, why="a name, as beside it")


def _choose(
    header: Header,
    cells: Cells,
    siblings: Sequence[Header],
    unit: Unit | None,
    vocabulary: Vocabulary,
) -> Header:
    candidates, kind = narrow(header, cells, unit), cells.kind
    if kind == "words":
        candidates = tuple(one for one in candidates if one.text)
        why = "its cells are words"
    else:
        candidates = tuple(one for one in candidates if not one.text)
        why = "its cells are numbers"
    if unit is not None and kind == "numbers":
        decided = decide(
            header._replace(unit=unit, why="the unit of its cells"), candidates, vocabulary
        )
        if decided.quantity is not None:
            return decided
        candidates = decided.candidates
        why = "its unit"
    else:
        candidates = tuple(one for one in candidates if _letters_fit(one, cells)) or candidates
    if cells.has_fractions:
        candidates = tuple(one for one in candidates if not one.integer) or candidates
    if unit is None and len(candidates) > 1 and _THROUGHPUT.search(header.text):
        # Only a unit can make a throughput a time or a factor.
        candidates = tuple(one for one in candidates if "/s" in one.unit.dimension)
    if {one.name for one in candidates} == _BYTES and speaks_of_memory((header,), frozenset()):
        candidates = (quantity("memory_mib"),)
    if unit is None and (like := _like_sibling(header, candidates, siblings)) is not None:
        return like
    known = {one.quantity.name for one in siblings if one.quantity}
    beside = _beside(header, candidates, known, unit)
    roles = {one.role for one in candidates}
    # Bare numbers do not show whether they are scores or times.
    alike = unit is None and {Role.SCORE, Role.MEASUREMENT} <= roles
    if not beside:
        candidates = tuple(as_file(candidates, unit, siblings))
    chosen = beside or [one for one in candidates if one.otherwise and not alike]
    if len(candidates) == 1 or (chosen and kind):
        bare = unit is None and bool(beside)
        why = BESIDE_RATE if bare and beside[0].name == "step_time_s" else why
        return decide(
            header._replace(candidates=(), why=why), tuple(chosen or candidates)[:1], vocabulary
        )
    if unit is not None and candidates and all("s" in one.dimensions for one in candidates):
        # Which kind of time it is, nobody says; a time it is.
        return decide(header._replace(unit=unit, candidates=()), (quantity("time_s"),), vocabulary)
    return header._replace(candidates=candidates)


def _like_sibling(
    header: Header, candidates: Sequence[Quantity], siblings: Sequence[Header]
) -> Header | None:
    """`Throughput p50` beside `Throughput avg (img/s)` is of the same quantity and unit."""
    noun = header.text.split()[0] if header.statistic else ""
    for sibling in siblings:
        one = sibling.quantity
        if noun and one in candidates and sibling.unit and sibling.text.split()[0] == noun:
            why = f"as {sibling.text!r} beside it"
            return header._replace(quantity=one, unit=sibling.unit, candidates=(), why=why)
    return None


def _beside(
    header: Header, candidates: Iterable[Quantity], known: set[str], unit: Unit | None
) -> list[Quantity]:
    """What the other columns make of it: a batch beside the accumulation steps is a micro batch."""
    by_name = {one.name: one for one in candidates}
    meant = ""
    if "message_bytes" in by_name and known & (_OF_BLOCKS if "batch" in by_name else _BANDWIDTHS):
        meant = "message_bytes"
    elif "batch" in by_name:
        meant = which_batch(known)
    elif "model_file_mib" in by_name and "params" not in by_name and known & _OF_MODELS:
        meant = "model_file_mib"
    elif "problem_size" in by_name and "params" in by_name:
        meant = "params" if known & _OF_PARAMS else "problem_size"
    elif by_name.keys() == _SCALES:
        meant = "problem_size" if "concurrency" in known else "speedup"
    elif by_name.keys() == _RATES_OF_TPS:
        meant = "tokens_per_s" if known & _OF_TOKENS else "items_per_s"
    elif unit is not None and unit.dimension == "s" and unit.scale <= 1 and known & _OF_TRAINING:
        # How long something takes where training is set up is how long a step takes.
        meant = "step_time_s" if not known & _TIMES else ""
    elif header.why == BY_UNIT and not header.statistic:
        # A part of a request, such as `Queue (ms)`, is not its latency.
        meant = ""
    elif (
        "latency_ms" in by_name
        and "samples_per_s" not in by_name
        and any(name.startswith("latency_p") for name in known)
    ):
        meant = "latency_ms"
    elif unit is None and "score" in by_name and known & _SCORES:
        meant = "score"
    elif unit is None and "steps_per_s" in by_name and "tflops_per_device" in known:
        # Where the rate has a column of its own, a bare `Speed` is the seconds of a step.
        meant = "step_time_s" if not known & _TIMES else ""
    return [by_name[meant]] if meant in by_name else []


def which_batch(known: AbstractSet[str]) -> str:
    """Whether a batch is the global or the micro one, by what else is told; empty for neither."""
    if "micro_batch" in known and "global_batch" not in known:
        return "global_batch"
    if known & {"grad_accum", "global_batch"} and "micro_batch" not in known:
        return "micro_batch"
    return ""


def _letters_fit(one: Quantity, cells: Cells) -> bool:
    numbers = [cell for cell in cells.numbers if cell.unit]
    return all(printed_unit(cell, one) is not None for cell in numbers)
