"""Parse column headers: the quantity, its unit, a statistic and stated settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import COUNTS, Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.comparisons import COMPARED, COMPARING, compared_unit, compares
from mdbench.vocabulary.qualifiers import Setting, take_settings, undisputed
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash
from mdbench.vocabulary.statistics import statistic_of, take_statistic

BY_UNIT = "its unit"
"""The reason if only the unit in a header gives its meaning."""

A_STATISTIC = "a statistic"
"""The reason if a header only names a statistic, of what the table measures."""

_LONGEST = 160
_ARROWS = lazy("[↑↓⬆⬇▲▼←→\N{VARIATION SELECTOR-16}†‡*^]+")
_DIRECTION = lazy(
    r"\(?(?:higher|lower|more|less|bigger|smaller) (?:is|=) better\)?|\(?\bh+:m+(?::s+)?\)?",
    re.IGNORECASE,
)
# `1GPUあたり` means per GPU, not a single GPU.
_EACH_GPU = lazy(r"1 ?((?:GPU|NPU|TPU|カード)(?:あたり|当たり))")
_APART = lazy(r"(?P<name>.{1,60}?)(?: \(| ?\[)(?P<unit>s)[\])]")
_OVER_UNIT = lazy(r"(?P<name>.{1,80}?[a-z].{0,80}?) / (?P<unit>[^\s/]{1,8})", re.IGNORECASE)
_SEAM = lazy(r"[()\[\]{}（）【】，;；：|@]|(?<!:):(?!:)|,(?!\d)| [-–—] ")
_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z][a-z])")
_NUMBER = lazy(r"[\d.,]+ ?[kKmMbB]?")
_BASELINE = lazy(
    r"(?:^|[\s(])(?:over|vs\.?|v\.s\.|versus|against|relative to|compared (?:to|with)|w\.?r\.?t\.?)(?=\s)",
    re.IGNORECASE,
)
_TAIL = lazy(
    r" (?:of|for|on|with|without|w/|w/o|during|in|over|vs|by|from|at|after|before|under|using|when|"
    r"to|while)(?: .*|$)",
    re.IGNORECASE,
)
_COUNTED = frozenset(
    "step device node sample token param core layer epoch user word char item op op/s alloc "
    "cycle instruction".split()
)
_COUNTS_OF = {"device": "devices", "node": "nodes", "layer": "layers", "epoch": "epochs"}
_HOW_MANY = lazy(
    r"(?:#|(?:total )?(?:num|number|no\.?|count))(?: of)?[ -]*(?P<what>\w{1,20})|"
    r"(?P<that>\w{1,20}) (?:count|number|num)",
    re.IGNORECASE,
)
_JOINED = lazy(r"(?<=\w)[-_](?=\w)")
_RATED = frozenset(("token", "sample"))
_PERCENT = lazy(r"%|\bpercent", re.IGNORECASE)
_RATIOS = frozenset(("speedup", "relative", "efficiency"))
_ANY_SCORE = frozenset(("accuracy", "score"))
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
    as_written: Header | None = None
    """The header on its own, before its cells and neighbours resolved ambiguities."""

    @property
    def said(self) -> Header:
        """The header on its own, without the help of its cells and neighbours."""
        return self.as_written or self

    @property
    def understood(self) -> bool:
        """Whether anything is known about it."""
        return bool(self.quantity or self.candidates or self.settings)


@lru_cache(maxsize=4096)
def read_header(text: str, vocabulary: Vocabulary) -> Header:
    """Parse a header on its own."""
    plain = _tidy(text)
    if not plain:
        return Header(text, why="empty")
    if (timed := _in_seconds(text, plain, vocabulary)) is not None:
        return timed
    # The key of `Run (s)` is that of `Runs`.
    apart = _APART.fullmatch(plain) is not None
    exact = () if apart else vocabulary.find(plain) or _counted(plain)
    if exact:
        fitting = (unit for unit in _units_within(plain) if any(one.fits(unit) for one in exact))
        unit = next(fitting, None) or vocabulary.units.get(squash(plain))
        return decide(Header(text, unit=unit, why="spelling"), exact, vocabulary)
    if statistic := statistic_of(plain):
        return Header(text, statistic=statistic, why=A_STATISTIC)
    if _NUMBER.fullmatch(plain):
        return Header(text, why="a bare number: the value of a pivot")
    return _compose(text, plain, vocabulary)


def _in_seconds(text: str, plain: str, vocabulary: Vocabulary) -> Header | None:
    """`Step (s)` and `Users [s]` are in seconds; `Step(s)` is a plural. `Mem / MB` is in MB."""
    match = _APART.fullmatch(plain) or _OVER_UNIT.fullmatch(plain)
    unit = parse_unit(match["unit"]) if match is not None else None
    if match is None or unit is None:
        return None
    header = read_header(match["name"], vocabulary)
    meant = header.candidates if header.quantity is None else (header.quantity,)
    fits = any(one.fits(unit) or unit.dimension in one.instead for one in meant)
    if not fits or header.unit is not None:
        return None
    return decide(header._replace(text=text, quantity=None, unit=unit), meant, vocabulary)


def _counted(plain: str) -> tuple[Quantity, ...]:
    """The quantity that `# HPU` or `Number of chips` counts."""
    match = _HOW_MANY.fullmatch(plain)
    unit = parse_unit(match["what"] or match["that"]) if match is not None else None
    name = _COUNTS_OF.get(unit.dimension) if unit is not None else None
    return (quantity(name),) if name is not None else ()


def _tidy(text: str) -> str:
    plain = plain_text(text[: 8 * _LONGEST])[:_LONGEST]
    plain = _EACH_GPU.sub(r"\1", _DIRECTION.sub("", _ARROWS.sub("", plain)))
    return " ".join(plain.split()).strip(" :.;,|")


def _units_within(plain: str) -> Iterator[Unit]:
    """The units in a header: as a whole, in a part of it, or in its last words."""
    words = _words(plain)
    tails = (" ".join(words[start:]) for start in range(max(0, len(words) - 5), len(words)))
    for piece in (plain, *reversed(_SEAM.split(plain)), *tails):
        unit = parse_unit(piece.strip())
        if unit is not None and _is_measure(unit) and piece != "時間":
            yield unit
    if _PERCENT.search(plain):
        yield Unit("%", "ratio", Decimal("0.01"))


def _is_measure(unit: Unit) -> bool:
    """Whether a word is a real unit, not just a counted thing: `GPU`, `batch`, `per step`."""
    return unit.dimension not in _COUNTED and not unit.dimension.startswith("1/")


def _part_scripts(text: str) -> str:
    """Put a space between the Chinese and the Latin word of `平均功率W`."""
    if text.isascii():
        return text
    parted = [
        " " + char
        if left.isalnum() and char.isalnum() and (left < "\u2e80") != (char < "\u2e80")
        else char
        for left, char in zip(" " + text, text, strict=False)
    ]
    return "".join(parted)


def _words(text: str) -> list[str]:
    spaced = _part_scripts(_CAMEL.sub(" ", text)).replace("_", " ")
    return spaced.split()


class _Piece(NamedTuple):
    """One part of a header, between brackets, commas or dashes."""

    found: tuple[Quantity, ...] = ()
    unit: Unit | None = None
    statistic: str = ""
    settings: tuple[Setting, ...] = ()


def _compose(text: str, plain: str, vocabulary: Vocabulary) -> Header:
    # The words after `over` or `vs` name the baseline, not the measurement.
    body = _BASELINE.split(plain, maxsplit=1)[0]
    pieces = [piece.strip() for piece in _SEAM.split(body) if piece.strip()]
    read = [_read_piece(piece, vocabulary, first=not place) for place, piece in enumerate(pieces)]
    if (
        read
        and read[0].unit is not None
        and _names_all(pieces[0], vocabulary)
        and _unit_behind(read)
    ):
        # `TF (ms)` is TensorFlow in milliseconds: no column has two units.
        read[0] = _Piece(settings=take_settings(pieces[0], vocabulary)[1])
    found = _noun(read)
    if found and found[0].name in _RATIOS:
        read = [piece if _is_ratio(piece.unit) else piece._replace(unit=None) for piece in read]
    header = Header(
        text,
        unit=_stated_by(read) or _letter_unit(pieces, found) or _stated_unit(pieces, vocabulary),
        statistic=next((piece.statistic for piece in read if piece.statistic), ""),
        settings=undisputed(pair for piece in read for pair in piece.settings),
        why="words",
    )
    if compares(plain) and not (found and found[0].name in COMPARING):
        unit = compared_unit(plain, _SEAM.split(plain)[1:], header.unit)
        return decide(header._replace(unit=unit, why=COMPARED), (quantity("change"),), vocabulary)
    return _name(header, found, vocabulary)


def _is_ratio(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension == "ratio"


def _stated_by(read: list[_Piece]) -> Unit | None:
    """The unit of a header; `min` is no minute where another part says the unit."""
    units = [piece for piece in read if piece.unit is not None]
    sure = [piece for piece in units if not piece.statistic]
    return next((piece.unit for piece in sure or units), None)


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
        return decide(header._replace(why=BY_UNIT), named, vocabulary)
    if any(name == "benchmark" for name, _ in header.settings):
        return decide(header._replace(why="a benchmark"), (quantity("score"),), vocabulary)
    if header.settings:
        return header._replace(why="states settings")
    return header._replace(why=A_STATISTIC if header.statistic else "unknown")


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


def _names_all(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is nothing but the name of a framework, a device or a model."""
    return not take_settings(text, vocabulary)[0]


def _unit_behind(read: list[_Piece]) -> bool:
    first = read[0].unit
    return any(
        first is not None and piece.unit is not None and piece.unit.dimension != first.dimension
        for piece in read[1:]
    )


def _noun(read: list[_Piece]) -> tuple[Quantity, ...]:
    """The quantity of the first part; a later part only counts if it is a measurement."""
    compared = (piece.found for piece in read[1:] if piece.found)
    for found in compared:
        if found[0].name in COMPARING:
            # `Time to train (hours) speedup` is a speed-up.
            return found
    nouns = [
        piece.found
        for place, piece in enumerate(read)
        if piece.found and (not place or _measures(piece.found))
    ]
    if nouns and nouns[0][0].name in _ANY_SCORE:
        # `Accuracy (BLEU)` is a BLEU score.
        return next((found for found in nouns[1:] if found[0].role is Role.SCORE), nouns[0])
    return nouns[0] if nouns else ()


def _measures(found: tuple[Quantity, ...]) -> bool:
    return found[0].role in {Role.MEASUREMENT, Role.SCORE}


def _read_piece(piece: str, vocabulary: Vocabulary, *, first: bool) -> _Piece:
    unit, statistic = parse_unit(piece), statistic_of(piece)
    # `min` in brackets may be either; it depends on the noun, which is unknown here.
    if statistic:
        return _Piece(statistic=statistic, unit=None if first else unit)
    if unit is not None and (not first or _is_measure(unit)):
        return _Piece(unit=unit)
    if len(piece) == 1 and not first:
        return _Piece()
    found = vocabulary.find(piece)
    if found and (first or _measures(found)):
        return _Piece(found, next(_units_within(piece), None))
    name, unit = _take_unit(piece)
    named = unit is not None and first and not statistic_of(name)
    found = vocabulary.find(name) if named else ()
    if any(unit is not None and one.fits(unit) for one in found):
        return _Piece(found, unit)
    rest, settings = take_settings(_part_scripts(piece), vocabulary)
    # Before names are taken apart: the J of `I-K-J` is no unit.
    rest, unit = _take_unit(rest)
    rest, statistic = take_statistic(_JOINED.sub(" ", rest))
    if unit is not None and not statistic and (statistic := statistic_of(rest)):
        rest = ""
    if unit is None:
        rest, unit = _take_long_unit(rest)
    found = _find_noun(rest, vocabulary)
    if found and unit is None:
        # `Days for 1T tokens`: the noun is the unit.
        within = _units_within(_TAIL.sub("", rest))
        unit = next((one for one in within if found[0].fits(one)), None)
    if found and unit is not None and not _measures(found) and not found[0].fits(unit):
        found = ()
    return _Piece(found, unit, statistic, settings)


def _take_unit(text: str) -> tuple[str, Unit | None]:
    # `MiBps` is one word.
    words = text.split() if parse_unit(text.split()[-1] if text.split() else "") else _words(text)
    for start in range(max(0, len(words) - 5), len(words)):
        unit = parse_unit(" ".join(words[start:]))
        if (
            unit is not None
            and unit.dimension not in _COUNTED
            and not unit.dimension.startswith("1")
        ):
            return " ".join(words[:start]).removesuffix(" in"), unit
    return text, None


def _take_long_unit(text: str) -> tuple[str, Unit | None]:
    """A unit at the end of words that were joined by `-` or `_`: `latency_ms`, not `I-K-J`."""
    rest, unit = _take_unit(text)
    return (rest, unit) if unit is not None and len(unit.text) > 1 else (text, None)


def _letter_unit(pieces: list[str], found: tuple[Quantity, ...]) -> Unit | None:
    """`Parameters (B)` is in billions, `SeqLen (T)` in tokens."""
    for letter in pieces[1:] if found else ():
        one, count = found[0], COUNTS.get(letter.lower().removesuffix("s"))
        decimal = one.kilo == 1000 and one.unit.dimension in {"param", "token"}
        if decimal and count is not None and squash(pieces[0]) != "size":
            return Unit(letter, one.unit.dimension, count)
        if letter.upper() == "T" and ("token" in one.dimensions or "token" in one.instead):
            return parse_unit("token")
    return None


def _stated_unit(pieces: list[str], vocabulary: Vocabulary) -> Unit | None:
    """The unit that a project sets for bare numbers under a header."""
    stated = vocabulary.units
    return next((stated[squash(one)] for one in pieces if squash(one) in stated), None)


def _find_noun(text: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    while text:
        found = vocabulary.find(text)
        if found:
            return found
        words = _words(text)
        for start in range(1, len(words)):
            found = vocabulary.find_head(" ".join(words[start:]))
            if found:
                return found
        last = words[-1] if words else ""
        if not last.isascii():
            for start in range(1, len(last) - 1):
                found = vocabulary.find_head(last[start:])
                if found:
                    return found
        shorter = _TAIL.sub("", text).strip(" #")
        if shorter == text:
            break
        text = shorter
    return ()


def decide(header: Header, found: tuple[Quantity, ...], vocabulary: Vocabulary) -> Header:
    """Choose a quantity as far as the unit and the statistic of the header allow."""
    unit = header.unit
    if unit is not None:
        unit = _as_rate(found, unit)
        header = header._replace(unit=unit)
        fitting = _fitting(found, unit, vocabulary) or _meant_instead(found, unit, vocabulary)
        if not fitting and len(unit.text) > 1:
            return header._replace(why=f"{header.why}, but its unit does not fit")
        if not fitting:
            # A letter in brackets is more likely the symbol of the quantity: `Hidden size (h)`.
            header = header._replace(unit=None)
        found = fitting or found
    if len(found) > 1:
        return header._replace(candidates=found)
    return of_statistic(header._replace(quantity=found[0]), vocabulary)


def _fitting(
    found: tuple[Quantity, ...], unit: Unit, vocabulary: Vocabulary
) -> tuple[Quantity, ...]:
    """The quantities that a unit fits; only one if the unit is specific to it."""
    fitting = tuple(one for one in found if one.fits(unit))
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
    if all(one.text or (timed and not _measures((one,))) for one in found):
        # `COUNT (ms)` is the time of a count.
        return vocabulary.dimensions.get(unit.dimension, ())
    return ()


def _as_rate(found: tuple[Quantity, ...], unit: Unit) -> Unit:
    """`Speed (tokens)` can only mean tokens per second."""
    counted, _, holder = unit.dimension.partition("/")
    rate = "/".join(filter(None, (counted, "s", holder)))
    rates = {one.unit.dimension for one in found}
    if counted not in _RATED or unit.dimension in rates or rate not in rates:
        return unit
    return Unit(unit.text, rate, unit.scale)


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
