"""What the text around a table says it measures, where its own headers only tell runs apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mdbench.numerals.cell import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.caption_texts import IN_PASSING, measures, read_caption
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.compared_columns import kind_of_titles
from mdbench.sheets.labels import find_metrics
from mdbench.sheets.meaning import settle
from mdbench.sheets.open_columns import (
    EXTREMES,
    FEWEST_COMPARED,
    holds_numbers,
    is_measured,
    is_open,
    list_open,
)
from mdbench.sheets.pivots import rows_named_by
from mdbench.vocabulary.comparisons import compares
from mdbench.vocabulary.headers import BY_CELLS, BY_UNIT, Header, of_statistic, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary, quantity
from mdbench.vocabulary.statistics import statistic_of

_RATE = lazy(
    r"\b(?P<what>[A-Za-z]{2,20})(?: of [a-z]{2,12}| processed| generated)?(?:/| per )"
    r"s(?:ec(?:ond)?)?\b|\bFPS\b"
)
_DASH = lazy(r" [—–-] |: ")
_IN_BRACKETS = lazy(r"(?<![\d\s])\s?[(（]([^()（）]{2,30})[)）][\s:：*]*$")
_BRACKET = lazy(r"[(\[].{1,60}[)\]]$")
_SPLIT = lazy(
    r"(?:(?:开发集|测试集|验证集|训练集|dev(?:elopment)?|test|val(?:idation)?|train)"
    r"(?: set)?[\s()（）/]*){1,3}",
    re.IGNORECASE,
)
_BUS = lazy(r"\bbus ?(?:bandwidth|bw)\b|总线带宽", re.IGNORECASE)
_BY_UNIT = frozenset((BY_UNIT, BY_CELLS))
_KINDS_OF_TIME = frozenset("latency_ms ttft_ms tpot_ms itl_ms decode_time_s train_time_h".split())
_ALL_TIMES = lazy(r"\b[Aa]ll (?:times|values|numbers|results|timings|latencies) (?:are )?in\b")
# Most texts are not worth more reading.
_SAYS_WHICH = lazy(
    r"latenc|latenz|delay|response|first.token|\bT[TP][FO]T\b|decod|prefill|train|fine-?tun|tim(?:e|ing)|"
    r"时延|延迟|训练|レイテンシ|学習|지연|학습",
    re.IGNORECASE,
)
_PHASE = lazy(r"^(Decode|Prefill)(?:ing)?$", re.IGNORECASE)
_GAINED = "signed, below a heading that compares"
_SIGNED = lazy(r"\W{0,4}[-+\u2212]\d")
# The text directly above a table, and the title of its section.
_NEAREST = 2
_SHARES = frozenset(("accuracy", "f1", "efficiency", "mfu", "hfu"))
_ALL_OF_IT = 100


def apply_captions(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers, with the quantity that a caption names for those that do not say it.

    These state only settings or a statistic, or are named after the things that are compared.
    """
    headers = _state_rates(headers, columns, captions, vocabulary)
    headers = _specify_scores(headers, columns, captions, vocabulary)
    headers = _refine(_under_gains(headers, columns, captions), captions, vocabulary)
    left_open = list_open(headers, columns)
    if left_open and any(map(_ALL_TIMES.search, captions[:1])):
        unnamed = (at for at, one in enumerate(headers) if at and one.text and not one.understood)
        left_open |= {at for at in unnamed if holds_numbers(columns[at])}
    if not left_open or any(map(_names_metrics, headers)):
        return tuple(headers)
    seeds = sum(any(name == "seed" for name, _ in header.settings) for header in headers)
    if seeds > 1 or find_metrics(headers, columns, vocabulary) is not None:
        return tuple(headers)
    worded = not any(cell.value is not None for cell in columns[0])
    corner = (_named_by(headers[0]) or _labelled(columns[0], vocabulary)) if worded else None
    told = [corner] if corner else (read_caption(text, vocabulary) for text in captions)
    named = next(
        (one for one in told if one is not None and not _has_own_column(headers[1:], one)), None
    )
    if named is None:
        return tuple(headers)
    if named.why == IN_PASSING:
        left_open = frozenset(at for at in left_open if is_open(headers[at]))
    score = named.quantity is not None and named.quantity.role is Role.SCORE
    compared = kind_of_titles(headers, score)
    applied = [
        _apply(header, columns[at], named, compared, vocabulary) if at in left_open else header
        for at, header in enumerate(headers)
    ]
    if corner is not None and corner.text == headers[0].text:
        why = "says what the headers beside it measure"
        label = read_header(rows_named_by(headers[0].text), vocabulary).quantity
        applied[0] = Header(
            headers[0].text,
            label if label is not None and label.text else None,
            as_written=headers[0].as_written,
            why=why,
        )
    return tuple(applied)


def apply_statistic(
    headers: Sequence[Header], captions: Sequence[str], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with a statistic that closes a caption: `Loops — median`, `Loops (median)`."""
    statistic = next(filter(None, map(_closing_statistic, captions)), "")
    if not statistic:
        return tuple(headers)
    return tuple(
        of_statistic(header._replace(statistic=statistic), vocabulary)
        if is_measured(header) and not header.statistic
        else header
        for header in headers
    )


# The tables of a section have its title in common.
@lru_cache(maxsize=1024)
def _closing_statistic(caption: str) -> str:
    parts = _DASH.split(_IN_BRACKETS.sub(r" - \1", caption))
    return statistic_of(parts[-1].strip(" :*")) if len(parts) > 1 else ""


def _state_rates(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers, with the rate that the text tells for a throughput without a unit."""
    if not any(header.candidates and header.unit is None for header in headers):
        return tuple(headers)
    told = {
        unit.dimension: unit
        for text in captions
        for match in _RATE.finditer(text)
        if (unit := parse_unit(match[0]) or parse_unit(f"{match['what']}/s")) is not None
    }
    if len(told) != 1:
        return tuple(headers)
    (rate,) = told.values()
    return tuple(
        settle(header, cells, vocabulary, headers, rate)
        if header.unit is None and any(one.fits(rate) for one in header.candidates)
        else header
        for header, cells in zip(headers, columns, strict=True)
    )


def _specify_scores(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> Sequence[Header]:
    """The headers, those that only name a split with the metric in the heading: `… (Accuracy)`."""
    splits = [
        at for at, header in enumerate(headers) if _is_split(header) and holds_numbers(columns[at])
    ]
    if not splits:
        return headers
    told = read_caption(captions[0], vocabulary) if captions else None
    metric = told.quantity if told is not None and told.why != IN_PASSING else None
    if told is None or metric is None or metric.role is not Role.SCORE:
        return headers
    why = f"the caption says {told.text!r}"
    return [
        header._replace(quantity=metric, why=why) if at in splits else header
        for at, header in enumerate(headers)
    ]


def _refine(
    headers: Sequence[Header], captions: Sequence[str], vocabulary: Vocabulary
) -> Sequence[Header]:
    """The headers; what only a unit told is what the text says that has this unit.

    Times are latencies below `Latency benchmark`, and rates of bytes those of a bus.
    """
    headers = _refine_times(headers, captions, vocabulary)
    if not captions or _BUS.search(captions[0]) is None:
        return headers
    known, finer = quantity("bandwidth_gb_per_s"), quantity("bus_bandwidth_gb_per_s")
    return [
        header._replace(quantity=finer, why="the caption speaks of the bus")
        if header.why == BY_UNIT and header.quantity == known
        else header
        for header in headers
    ]


def _refine_times(
    headers: Sequence[Header], captions: Sequence[str], vocabulary: Vocabulary
) -> Sequence[Header]:
    known = quantity("time_s")
    timed = [
        at
        for at, one in enumerate(headers)
        if one.quantity == known and (one.why in _BY_UNIT or not one.said.understood)
    ]
    if not timed:
        return headers
    texts = (_PHASE.sub(r"\1 time", text) for text in captions if _SAYS_WHICH.search(text))
    told = (read_caption(text, vocabulary) for text in texts)
    finer = next((one.quantity for one in told if one is not None and one.quantity), None)
    if finer is None or finer.name not in _KINDS_OF_TIME:
        return headers
    if any(header.quantity == finer for header in headers):
        # What has a column of its own is not in the others.
        return headers
    return [
        of_statistic(
            header._replace(quantity=finer, why=f"the caption says {finer.name}"), vocabulary
        )
        if at in timed
        else header
        for at, header in enumerate(headers)
    ]


def _is_split(header: Header) -> bool:
    scored = header.quantity is not None and header.quantity.name == "score"
    return scored and _SPLIT.fullmatch(header.text.strip()) is not None


def _under_gains(
    headers: Sequence[Header], columns: Sequence[Cells], captions: Sequence[str]
) -> Sequence[Header]:
    """The headers; signed shares that no title explains are changes below a heading of gains."""
    told = [text for text in captions[:_NEAREST] if compares(text)]
    if not told:
        return headers
    unnamed = (at for at, one in enumerate(headers) if at and one.text and not one.understood)
    bare = [at for at in unnamed if _are_bare(columns[at])]
    if len(bare) > 1 and any(cell.text.startswith("+") for at in bare for cell in columns[at]):
        meant = quantity("change" if "%" in told[0] else "difference")
        unit = parse_unit("%") if "%" in told[0] else None
        return [
            header._replace(quantity=meant, unit=unit, why=_GAINED) if at in bare else header
            for at, header in enumerate(headers)
        ]
    return [
        header._replace(quantity=quantity("change"), why=_GAINED)
        if _is_any_value(header) and _are_signed_shares(cells)
        else header
        for header, cells in zip(headers, columns, strict=True)
    ]


def _are_bare(cells: Cells) -> bool:
    return bool(cells) and all(cell.form is Form.NUMBER and not cell.unit for cell in cells)


def _is_any_value(header: Header) -> bool:
    one = header.quantity
    return not header.candidates and (one is None or one.name == "value")


def _are_signed_shares(cells: Cells) -> bool:
    filled = cells.filled
    return len(filled) >= FEWEST_COMPARED and all(
        cell.form is Form.NUMBER and cell.unit == "%" and _SIGNED.match(cell.text)
        for cell in filled
    )


def _has_own_column(headers: Sequence[Header], named: Header) -> bool:
    """Whether what the caption names has a column of its own: then it is not in the others."""
    meant = named.candidates if named.quantity is None else (named.quantity,)
    return any(
        header.quantity in meant and not header.settings and not header.statistic
        for header in headers
    )


def _named_by(corner: Header) -> Header | None:
    """What `Time (ms)` or `Name (time in us)` above the labels says of the cells beside them."""
    said = corner.said
    return said if measures(said) else None


def _labelled(labels: Sequence[Numeral], vocabulary: Vocabulary) -> Header | None:
    """The unit that every label of the rows has in brackets: `naive (ms)`, `tiled (ms)`."""
    found = [_BRACKET.search(cell.text) for cell in labels if cell.form is Form.TEXT]
    units = {match[0].strip("()[]") if match is not None else "" for match in found}
    if len(found) < FEWEST_COMPARED or len(units) != 1 or parse_unit(min(units)) is None:
        return None
    header = read_header(f"({min(units)})", vocabulary)
    return header if measures(header) else None


def _names_metrics(header: Header) -> bool:
    """Whether a column says of each row what it measures: that counts before any caption."""
    return header.quantity is not None and header.quantity.name == "metric"


def _apply(
    header: Header, cells: Cells, named: Header, compared: str, vocabulary: Vocabulary
) -> Header:
    """The header of a column that holds what a caption names; `compared` is what its title is."""
    if not holds_numbers(cells) or not _can_be(named, header, cells):
        return header
    statistic = header.statistic or _extreme(header.text, named)
    # Without a setting of its own, a column is told from those beside it by its name.
    settings = header.settings or (() if statistic else ((compared, header.text),))
    stated = named._replace(
        text=header.text,
        settings=settings,
        statistic=statistic or named.statistic,
        as_written=header.as_written,
    )
    meant = of_statistic(settle(stated, cells, vocabulary), vocabulary)
    return meant._replace(why=f"the caption says {named.text!r}")


def _can_be(named: Header, header: Header, cells: Cells) -> bool:
    """Whether no unit in its header and no number above what a share can be speaks against it."""
    meant = named.candidates if named.quantity is None else (named.quantity,)
    if header.unit is not None and not any(one.fits(header.unit) for one in meant):
        return False
    if named.quantity is None or named.quantity.name not in _SHARES:
        return True
    return all(value <= _ALL_OF_IT for value in cells.values)


def _extreme(text: str, named: Header) -> str:
    """The statistic that the best run of several is: the shortest time, or the highest rate."""
    lowest, highest = EXTREMES.get(text.casefold(), ("", ""))
    meant = named.candidates if named.quantity is None else (named.quantity,)
    return lowest if any("s" in one.dimensions for one in meant) else highest
