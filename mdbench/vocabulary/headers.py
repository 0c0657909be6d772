"""Parse column headers: the quantity, its unit, a statistic and stated settings."""

import re
from functools import lru_cache
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.comparisons import COMPARED, COMPARING, compared_unit, compares
from mdbench.vocabulary.currencies import is_other_money
from mdbench.vocabulary.header_parts import (
    SEAM,
    Piece,
    as_rate,
    is_measure,
    is_of,
    letter_unit,
    measures,
    names_all,
    noun,
    own_unit,
    read_piece,
    sort_of,
    stated_by,
    stated_unit,
    take_version,
    times_word,
    unit_behind,
    units_within,
)
from mdbench.vocabulary.kinds import factor_of, named_kind
from mdbench.vocabulary.qualifiers import take_settings, undisputed, without_baseline
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash
from mdbench.vocabulary.rates import amount_of_each, is_of_requests, rate_in_words, rate_of_things
from mdbench.vocabulary.statistics import statistic_of, take_statistic

BY_UNIT = "its unit"
"""The reason if only the unit in a header gives its meaning."""

BY_CELLS = "the unit of its cells"
"""The reason if only the unit of its cells gives its meaning."""

A_STATISTIC = "a statistic"
"""The reason if a header only names a statistic, of what the table measures."""

OF_EACH = "a rate of each, not of all"
"""The reason if a rate has no quantity because it is that of a node or user, not of the job."""

FOR_EACH = "an amount for each of something"
"""The reason if a header has no quantity because it divides one by a number of things."""

_LONGEST = 160
_ARROWS = dict.fromkeys(map(ord, "↑↓⬆⬇▲▼←→\N{VARIATION SELECTOR-16}†‡*^"))
_DIRECTION = lazy(
    r"\(?(?:higher|lower|more|less|bigger|smaller) (?:is|=) better\)?|\(?\bh+:m+(?::s+)?\)?",
    re.IGNORECASE,
)
_EACH_GPU = lazy(r"1 ?((?:GPU|NPU|TPU|カード)(?:あたり|当たり))")  # per GPU, not a single one
_CLOSING = (")", "]")
_APART = lazy(r"(?P<name>.{1,60}?)(?: \(| ?\[)(?P<unit>s)[\])]")
_OVER_UNIT = lazy(r"(?P<name>.{1,80}?[a-z].{0,80}?) / (?P<unit>[^\s/]{1,8})", re.IGNORECASE)
_NUMBER = lazy(r"[\d.,]+ ?[kKmMbB]?")
_BASELINE = lazy(
    r"(?:^|[\s(])(?:over|vs\.?|v\.s\.|versus|against|relative to|compared (?:to|with)|"
    r"w\.?r\.?t\.?)(?=\s)",
    re.IGNORECASE,
)
_VARIANT = lazy(r"(?:w/o?|with|without) ", re.IGNORECASE)
# What numbers are divided by; nobody divides by megabytes or milliseconds.
_DIVISORS = frozenset(("s", "W", "J", "usd", "eur"))
# Texts that language models are measured on by how well they foresee them.
_BY_PERPLEXITY = ("wikitext", "ptb", "c4")
# `MiniVal APr`: the average precision of a split, of rare objects.
_PRECISION = lazy(r"\S.{0,40}[ _](?:m?AP(?:[rcfsml]|\d{2})?|[Rr]ecall|AUC|m?IoU|PSNR|SSIM)")
_OF_ALL = lazy(r"\b(?:aggregated?|total|overall|cluster)\b", re.IGNORECASE)
_PER_ONE = lazy(
    r"(?:\bper[ -]|/ ?)(?:node|user|request|core|socket|instance|replica|worker|stream|server)\b",
    re.IGNORECASE,
)
_WHOLE_JOB = frozenset(
    ("tokens_per_s", "prompt_tokens_per_s", "samples_per_s", "pflops_total", "items_per_s")
)
_IN_THEORY = lazy(r"\btheor(?:y|etical)\b|理论", re.IGNORECASE)
_FORMULA = lazy(r" \w{1,4} ?= ?\w{1,8} ?[/*÷×].{1,40}$")
_KEPT = frozenset(("mean", "median", "max", "min"))
_RATIOS = frozenset(("speedup", "relative", "efficiency"))
_NEVER_RATIOS = frozenset(("clock_ghz", "speedup"))
_RATE = lazy(r"\brate\b|率|율$", re.IGNORECASE)
_LLAMA_BENCH = lazy(r"(?:pp|tg) ?\d{2,6}", re.IGNORECASE)
_PHASE_NOUNS = {"s": "time", "token/s": "speed"}
_MINUTE = parse_unit("min")
_SHORT = {"median": "p50"}


class Header(NamedTuple):
    """A parsed header. If it is ambiguous, `candidates` has its possible meanings."""

    text: str
    quantity: Quantity | None = None
    candidates: tuple[Quantity, ...] = ()
    unit: Unit | None = None
    statistic: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    why: str = ""
    as_written: "Header | None" = None
    """The header on its own, before its cells and neighbours resolved ambiguities."""

    @property
    def said(self) -> "Header":
        """The header on its own, without the help of its cells and neighbours."""
        return self.as_written or self

    @property
    def understood(self) -> bool:
        """Whether anything is known about it."""
        return bool(self.quantity or self.candidates or self.settings)


@lru_cache(maxsize=4096)
def read_header(text: str, vocabulary: Vocabulary) -> Header:
    """Parse a header on its own."""
    header = _read_words(text, vocabulary)
    return Header(text, why="unknown") if is_other_money(text, header.quantity) else header


def _read_words(text: str, vocabulary: Vocabulary) -> Header:
    plain = _tidy(text)
    if not plain or plain == "Map":
        # A mean average precision has more capitals.
        return Header(text, why="unknown" if plain else "empty")
    exact = vocabulary.find(plain) or named_kind(plain, vocabulary) or sort_of(plain, vocabulary)
    if factor_of(plain) and _is_measured(read_header(factor_of(plain), vocabulary)):
        exact = (quantity("relative"),)
    if plain.endswith(_CLOSING) and _APART.fullmatch(plain) is not None:
        # The key of `Run (s)` is that of `Runs`, which no seconds are.
        exact = tuple(one for one in exact if "s" in one.dimensions)
    if not exact and (divided := _divided(text, plain, vocabulary)) is not None:
        return divided
    if exact:
        # A word such as `TPS` leaves open of what it is the rate.
        open_rate = len(exact) > 1 and parse_unit(plain) is not None
        units = () if open_rate else units_within(plain)
        fitting = (unit for unit in units if any(one.fits(unit) for one in exact))
        unit = next(fitting, None) or vocabulary.units.get(squash(plain)) or own_unit(plain, exact)
        rest, statistic = take_statistic(plain)
        same = measures(exact) and set(vocabulary.find(rest)) & set(exact)
        kept = statistic if statistic in _KEPT and same else ""
        named = Header(text, unit=unit, statistic=kept, why="spelling")
        return decide(named, exact, vocabulary)
    if statistic := statistic_of(plain):
        return Header(text, statistic=statistic, why=A_STATISTIC)
    if _NUMBER.fullmatch(plain):
        return Header(text, why="a bare number: the value of a pivot")
    return _of_version(text, plain, vocabulary) or _compose(text, plain, vocabulary)


def _of_version(text: str, plain: str, vocabulary: Vocabulary) -> Header | None:
    """`IOPS 5.15` and `IOPS 6.1` are what two versions reach."""
    name, version = take_version(plain)
    found = vocabulary.find(name) if version else ()
    if len(found) != 1 or not measures(found):
        return None
    unit = next((one for one in units_within(name) if found[0].fits(one)), None)
    stated = (("method", version),)
    return decide(Header(text, unit=unit, settings=stated, why="spelling"), found, vocabulary)


def _is_measured(header: Header) -> bool:
    one = header.quantity
    return one is not None and one.role is Role.MEASUREMENT and one.name not in COMPARING


def _divided(text: str, plain: str, vocabulary: Vocabulary) -> Header | None:
    """What a header with a stroke or `per` says: a quantity and its unit, a rate, or a share."""
    if (timed := _in_seconds(text, plain, vocabulary)) is not None:
        return timed
    if (rate := rate_of_things(plain)) is not None:
        meant = vocabulary.dimensions[rate.dimension]
        return decide(Header(text, unit=rate, why=BY_UNIT), meant, vocabulary)
    each = amount_of_each(plain)
    if each is None or not is_measure(each[0]):
        return None
    unit, thing = each
    found = vocabulary.find(f"{thing} time") if unit.dimension == "s" else ()
    if found:
        return decide(Header(text, unit=unit, why="words"), found, vocabulary)
    return Header(text, unit=parse_unit(f"{unit.text}/item"), why=FOR_EACH)


def _in_seconds(text: str, plain: str, vocabulary: Vocabulary) -> Header | None:
    """`Step (s)` and `Users [s]` are in seconds; `Step(s)` is a plural. `Mem / MB` is in MB."""
    match = _APART.fullmatch(plain) if plain.endswith(_CLOSING) else None
    if match is None and " / " in plain:
        match = _OVER_UNIT.fullmatch(plain)
    unit = parse_unit(match["unit"]) if match is not None else None
    if match is None or unit is None:
        return None
    header = read_header(match["name"], vocabulary)
    meant = header.candidates if header.quantity is None else (header.quantity,)
    fits = any(one.fits(unit) or unit.dimension in one.instead for one in meant)
    divides = " / " in plain and unit.dimension in _DIVISORS and unit.text != "s"
    if not fits and divides and meant and measures(meant):
        # `Price / h` is neither a price nor a time.
        return Header(text, why=FOR_EACH)
    if not fits or header.unit is not None:
        return None
    return decide(header._replace(text=text, quantity=None, unit=unit), meant, vocabulary)


def _tidy(text: str) -> str:
    plain = plain_text(text[: 8 * _LONGEST])[:_LONGEST]
    plain = _FORMULA.sub("", plain) if "=" in plain else plain
    plain = plain.translate(_ARROWS)
    if ":" in plain or "better" in plain.casefold():
        plain = _DIRECTION.sub("", plain)
    plain = plain if plain.isascii() else _EACH_GPU.sub(r"\1", plain)
    return " ".join(plain.split()).strip(" :.;,|")


def _compose(text: str, plain: str, vocabulary: Vocabulary) -> Header:
    # The words after `over` or `vs` name the baseline, not the measurement.
    body = _BASELINE.split(plain, maxsplit=1)[0]
    pieces = [piece.strip() for piece in SEAM.split(body) if piece.strip()]
    read = [read_piece(piece, vocabulary, first=not place) for place, piece in enumerate(pieces)]
    if read and read[0].unit is not None and names_all(pieces[0], vocabulary) and unit_behind(read):
        # `TF (ms)` is TensorFlow in milliseconds: no column has two units.
        read[0] = Piece(settings=take_settings(pieces[0], vocabulary)[1])
    elif (
        read
        and read[0].unit
        and any(piece.unit for piece in read[1:])
        and vocabulary.find(pieces[0])
    ):
        # `時間` are hours and a time: before another unit, they are a time.
        read[0] = Piece(found=vocabulary.find(pieces[0]))
    # `w/o Sparsity` is a variant, not a sparsity.
    found = () if _VARIANT.match(plain) else noun(read)
    if len(found) > 1 and found[0].name.endswith("_per_device") and "batch" in plain.casefold():
        # A batch for each device is no throughput of one.
        found = (quantity("batch"),)
    if found and found[0].name in _RATIOS and (read[0].found != found or is_of(found, read)):
        read = [piece if _is_ratio(piece.unit) else piece._replace(unit=None) for piece in read]
    lettered = letter_unit(pieces, found)
    unit = stated_by(read) or lettered or stated_unit(pieces, vocabulary)
    header = Header(
        text,
        unit=unit if lettered is not None else times_word(unit, pieces, found),
        statistic=next((piece.statistic for piece in read if piece.statistic), ""),
        settings=undisputed(pair for piece in read for pair in piece.settings),
        why="words",
    )
    if not found and header.unit is None and (rate := rate_in_words(plain)) is not None:
        header = header._replace(unit=rate)
    compared = bool(found) and found[0].name in COMPARING
    if compared or compares(plain):
        header = header._replace(settings=without_baseline(header.settings))
    if compares(plain) and not compared:
        unit = compared_unit(plain, SEAM.split(plain)[1:], header.unit)
        return decide(header._replace(unit=unit, why=COMPARED), (quantity("change"),), vocabulary)
    return _of_whole_job(_name(header, found, vocabulary))


def _of_whole_job(header: Header) -> Header:
    """The header; without a quantity if it is the rate of one node or user, not of the job.

    What is possible in theory was not measured: it is the peak of a device.
    """
    one = header.quantity
    if one is not None and one.name == "tflops_per_device" and _IN_THEORY.search(header.text):
        return header._replace(quantity=quantity("peak_tflops"), statistic="")
    if one is None or one.name not in _WHOLE_JOB or _PER_ONE.search(header.text) is None:
        return header
    return header._replace(quantity=None, why=OF_EACH)


def _is_ratio(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension == "ratio"


def _name(header: Header, found: tuple[Quantity, ...], vocabulary: Vocabulary) -> Header:
    if found:
        return decide(header, found, vocabulary)
    if phase := _phase(header, vocabulary):
        return phase
    if (
        header.statistic.startswith("p")
        and header.unit is not None
        and header.unit.dimension == "s"
    ):
        # Percentiles of a time are always latencies.
        return decide(header._replace(why=BY_UNIT), (quantity("latency_ms"),), vocabulary)
    if header.unit is not None and (named := vocabulary.dimensions.get(header.unit.dimension)):
        if header.unit.dimension == "flop/s" and _OF_ALL.search(header.text):
            named = (quantity("pflops_total"),)
        return decide(header._replace(why=BY_UNIT), named, vocabulary)
    tested = next((value for name, value in header.settings if name == "benchmark"), "")
    if tested or _PRECISION.fullmatch(header.text.strip()):
        meant = "perplexity" if squash(tested).startswith(_BY_PERPLEXITY) else "score"
        why = "a benchmark" if tested else "a score by its last word"
        return decide(header._replace(why=why), (quantity(meant),), vocabulary)
    unnamed = A_STATISTIC if header.statistic else "unknown"
    return header._replace(why="states settings" if header.settings else unnamed)


def _phase(header: Header, vocabulary: Vocabulary) -> Header | None:
    """`Prefill (ms)` is the prefill time, `Decode (tok/s)` and `tg 128` are decoding speeds."""
    spoken = _LLAMA_BENCH.fullmatch(header.text.strip())
    if spoken is not None and header.unit is None and len(header.settings) == 1:
        meant = {"output_len": "tokens_per_s", "input_len": "prompt_tokens_per_s"}
        name = meant.get(header.settings[0][0])
        return (
            decide(header._replace(why="llama-bench notation"), (quantity(name),), vocabulary)
            if name
            else None
        )
    noun = _PHASE_NOUNS.get(header.unit.dimension) if header.unit is not None else None
    for setting in header.settings if noun else ():
        found = vocabulary.find(f"{setting[1]} {noun}") if setting[0] == "method" else ()
        if found:
            rest = tuple(other for other in header.settings if other != setting)
            return decide(header._replace(settings=rest), found, vocabulary)
    return None


def rate_of_phase(text: str, unit: Unit, vocabulary: Vocabulary) -> Quantity | None:
    """The rate that a phase has: `Prompt` in tokens per second is the speed of the prompt."""
    if unit.dimension != "token/s":
        # Seconds may as well be those of the whole run.
        return None
    found = vocabulary.find(f"{text} {_PHASE_NOUNS[unit.dimension]}")
    return found[0] if len(found) == 1 and found[0].fits(unit) else None


def decide(header: Header, found: tuple[Quantity, ...], vocabulary: Vocabulary) -> Header:
    """Choose a quantity as far as the unit and the statistic of the header allow."""
    unit = header.unit
    if unit is not None:
        unit = as_rate(found, unit)
        header = header._replace(unit=unit)
        fitting = _fitting(found, unit, vocabulary) or _meant_instead(found, unit, vocabulary)
        if not fitting and not is_measure(unit):
            # `Loads (Core)` is said of one kind of core, not counted in cores.
            header = header._replace(unit=None)
        elif not fitting and len(unit.text) > 1:
            return header._replace(why=f"{header.why}, but its unit does not fit")
        elif not fitting:
            # A letter in brackets is more likely the symbol of the quantity: `Hidden size (h)`.
            header = header._replace(unit=None)
        found = fitting or found
        if unit.dimension == "ratio" and {one.name for one in found} == _NEVER_RATIOS:
            # No clock is told in times or per cent; a rate in per cent is a part of a whole.
            part = unit.scale != 1 and _RATE.search(header.text) is not None
            found = (quantity("share" if part else "speedup"),)
    if len(found) > 1:
        return header._replace(candidates=found)
    return of_statistic(header._replace(quantity=found[0]), vocabulary)


def _fitting(
    found: tuple[Quantity, ...], unit: Unit, vocabulary: Vocabulary
) -> tuple[Quantity, ...]:
    """The quantities that a unit fits; only one if the unit is specific to it."""
    fitting = tuple(one for one in found if one.fits(unit))
    if is_of_requests(unit):
        asked = quantity("requests_per_s")
        return (asked,) if fitting else ()
    alone = vocabulary.dimensions.get(unit.dimension, ())
    if len(alone) == 1 and alone[0] in fitting:
        return alone
    return fitting


def _meant_instead(
    found: tuple[Quantity, ...], unit: Unit, vocabulary: Vocabulary
) -> tuple[Quantity, ...]:
    for one in found:
        if unit.dimension in one.instead:
            return (quantity(one.instead[unit.dimension]),)
    spelled = len(unit.text) > 1 or unit.text == "s"
    timed = spelled and (unit.dimension == "s" or "/s" in unit.dimension)
    if all(one.text or (timed and not measures((one,))) for one in found):
        # `COUNT (ms)` is the time of a count.
        return _fitting(vocabulary.dimensions.get(unit.dimension, ()), unit, vocabulary)
    return ()


def of_statistic(header: Header, vocabulary: Vocabulary) -> Header:
    """The header, with the quantity of its statistic: the 99th percentile of a latency."""
    if header.quantity is None:
        return header
    name, _, unit = header.quantity.name.rpartition("_")
    statistic = _SHORT.get(header.statistic, header.statistic)
    own = vocabulary.quantities.get(f"{name}_{statistic}_{unit}")
    if own is not None:
        return header._replace(quantity=own, unit=None if header.unit == _MINUTE else header.unit)
    if header.statistic == "min" and header.unit == _MINUTE:
        return header._replace(statistic="")
    return header
