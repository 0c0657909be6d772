"""The parts of a header, between brackets, commas and dashes: noun, unit, statistic, settings."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.units import COUNTS, Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.qualifiers import Setting, take_settings
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash
from mdbench.vocabulary.rates import letter_rate
from mdbench.vocabulary.statistics import statistic_of, take_statistic

SEAM = lazy(r"[()\[\]{}（）【】，;；：|@]|(?<!:):(?!:)|,(?!\d)| [-–—\\] ")
_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z][a-z])")
_DEVIATION = lazy(r"(?<=[a-z])(?=(?:SD|StdDev|Stdev)$)")
_JOINING = (
    r" (?:of|for|on|with|without|w/|w/o|during|in|over|vs|by|from|at|after|before|under|using|when|"
    r"to|while)"
)
_TAIL = lazy(_JOINING + r"(?: .*|$)", re.IGNORECASE)
_LAST_TAIL = lazy(_JOINING + r"(?= |$)", re.IGNORECASE)
_COUNTED = frozenset(
    "step device node sample token param core layer epoch user word char item op op/s alloc "
    "cycle instruction".split()
)
_PER = frozenset(("per", "pro", "par", "por", "each", "a"))
_FIRST_IDEOGRAPH = "\u2e80"
_SHORTEST_WORD = 4
_JOINED = lazy(r"(?<=\w)[-_](?=\w)")
_RATED = frozenset(("token", "sample", "byte"))
_PERCENT = lazy(r"%|\bpercent", re.IGNORECASE)
# Units by their spelling, which more often are other words: `Global min`, `All times`.
_NOUNS = frozenset(("min", "times"))
_SPREAD_SIGNS = ("±", "+/-")
_RATIOS = frozenset(("speedup", "efficiency"))
_MANY = frozenset(("count", "token/s", "sample/s", "item/s", "op/s", "step/s"))
_ANY_SCORE = frozenset(("accuracy", "score"))
_TESTED = frozenset(("benchmark", "dataset"))
_SORT = lazy(
    r"(?P<what>\w[\w ]{1,30}?)(?: (?:type|kind|category|class)|(?:类型|类别|种类)|"
    r"(?: \w{1,20})? (?:used|chosen|selected|uses|chooses|selects|picks))",
    re.IGNORECASE,
)
_SORT_ENDS = (
    *("type", "kind", "category", "class", "类型", "类别", "种类"),
    *("used", "chosen", "selected", "uses", "chooses", "selects", "picks"),
)
# Not `Latency 99.9`, which is a percentile, and not `Latency 0.99`.
_VERSIONED = lazy(
    r"(?P<name>.{2,30}?) (?P<version>v?(?:[1-4]\d|[1-9]|0(?=\.\d+\.))\.\d{1,3}(?:\.\d{1,3})?)"
)
_ID = lazy(r"[A-Za-z][\w ]{1,30} (?:ID|Id|id)")
_SORTED = frozenset(("benchmark", "dataset", "device", "framework", "method"))


def units_within(plain: str) -> Iterator[Unit]:
    """The units in a header: as a whole, in a part of it, or in its last words."""
    words = split_words(plain)
    tails = (
        " ".join(words[start:])
        for start in range(max(0, len(words) - 5), len(words))
        if not start or words[start - 1].casefold() not in _PER
    )
    named = plain.casefold() in _NOUNS
    for piece in (plain, *reversed(SEAM.split(plain)), *tails):
        unit = parse_unit(piece.strip())
        if unit is not None and is_measure(unit) and piece != "時間" and not named:
            yield unit
    if _PERCENT.search(plain):
        yield Unit("%", "ratio", Decimal("0.01"))


def is_measure(unit: Unit) -> bool:
    """Whether a word is a real unit, not just a counted thing: `GPU`, `batch`, `per step`."""
    return unit.dimension not in _COUNTED and not unit.dimension.startswith("1/")


def part_scripts(text: str) -> str:
    """Put a space between the Chinese and the Latin word of `平均功率W`."""
    if text.isascii():
        return text
    parted = [
        " " + char
        if left.isalnum()
        and char.isalnum()
        and (left < _FIRST_IDEOGRAPH) != (char < _FIRST_IDEOGRAPH)
        else char
        for left, char in zip(" " + text, text, strict=False)
    ]
    return "".join(parted)


def split_words(text: str) -> list[str]:
    spaced = part_scripts(_CAMEL.sub(" ", text)).replace("_", " ")
    return spaced.split()


class Piece(NamedTuple):
    """One part of a header, between brackets, commas or dashes."""

    found: tuple[Quantity, ...] = ()
    unit: Unit | None = None
    statistic: str = ""
    settings: tuple[Setting, ...] = ()


def stated_by(read: list[Piece]) -> Unit | None:
    """The unit of a header; `min` is no minute where another part says the unit."""
    units = [piece for piece in read if piece.unit is not None]
    sure = [piece for piece in units if not piece.statistic]
    return next((piece.unit for piece in sure or units), None)


def stated_unit(pieces: list[str], vocabulary: Vocabulary) -> Unit | None:
    """The unit that a project sets for bare numbers under a header."""
    stated = vocabulary.units
    return next((stated[squash(one)] for one in pieces if squash(one) in stated), None)


def names_all(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is nothing but the name of a framework, a device or a model."""
    return not take_settings(text, vocabulary)[0]


def unit_behind(read: list[Piece]) -> bool:
    first = read[0].unit
    return any(
        first is not None and piece.unit is not None and piece.unit.dimension != first.dimension
        for piece in read[1:]
    )


def noun(read: list[Piece]) -> tuple[Quantity, ...]:
    """The quantity of the first part; a later part only counts if it is a measurement."""
    compared = (piece.found for piece in read[1:] if piece.found)
    for found in compared:
        if found[0].name in _RATIOS:
            # `Time to train (hours) speedup` is a speed-up.
            return found
    nouns = [
        piece.found
        for place, piece in enumerate(read)
        if piece.found and (not place or measures(piece.found))
    ]
    if nouns and nouns[0][0].name in _ANY_SCORE:
        # `Accuracy (BLEU)` is a BLEU score.
        return next((found for found in nouns[1:] if found[0].role is Role.SCORE), nouns[0])
    scored = [found for found in nouns[1:] if found[0].role is Role.SCORE]
    if scored and nouns[0][0].name in _TESTED:
        # `Benchmark (ppl)` has the perplexities that were reached.
        return scored[0]
    return nouns[0] if nouns else ()


def measures(found: tuple[Quantity, ...]) -> bool:
    return found[0].role in {Role.MEASUREMENT, Role.SCORE}


def read_piece(piece: str, vocabulary: Vocabulary, *, first: bool) -> Piece:
    unit, statistic = parse_unit(piece), statistic_of(piece)
    # `min` in brackets may be either; it depends on the noun, which is unknown here.
    if statistic:
        return Piece(statistic=statistic, unit=None if first else unit)
    if piece.startswith(_SPREAD_SIGNS) or (len(piece) == 1 and not first and unit is None):
        # `Accuracy (± standard deviation)`: what stands behind the number is no statistic of it.
        return Piece()
    noun = first and piece.casefold() in _NOUNS
    if unit is not None and not noun and (not first or is_measure(unit)):
        return Piece(unit=unit)
    found = vocabulary.find(piece)
    if found and (first or measures(found)):
        return Piece(found, next(units_within(piece), None))
    name, unit = take_unit(piece)
    named = unit is not None and first and not statistic_of(name)
    found = vocabulary.find(name) if named else ()
    if any(unit is not None and one.fits(unit) for one in found):
        return Piece(found, unit)
    return _read_rest(*take_settings(part_scripts(piece), vocabulary), vocabulary)


def _read_rest(rest: str, settings: tuple[Setting, ...], vocabulary: Vocabulary) -> Piece:
    """What a part says without the settings that were taken out of it."""
    found = vocabulary.find(rest) if settings else ()
    if found and measures(found) and len(found) == 1:
        # The words that are left are its name, whatever each of them means alone.
        fitting = (one for one in units_within(rest) if found[0].fits(one))
        return Piece(found, next(fitting, None), "", settings)
    # Before names are taken apart: the J of `I-K-J` is no unit.
    rest, unit = take_unit(rest)
    rest, statistic = take_statistic(_JOINED.sub(" ", _DEVIATION.sub(" ", rest)))
    named = unit is not None or bool(settings)
    if named and not statistic and (statistic := statistic_of(rest)):
        # `H200 peak` is a maximum as well as `Peak (GiB)`.
        rest = ""
    if unit is None:
        rest, unit = take_long_unit(rest)
    found = find_noun(rest, vocabulary)
    if found and unit is None:
        # `Days for 1T tokens`: the noun is the unit.
        within = units_within(_TAIL.sub("", rest))
        unit = next((one for one in within if found[0].fits(one)), None)
    if found and unit is not None and not measures(found) and not found[0].fits(unit):
        found = ()
    return Piece(found, unit, statistic, settings)


def take_unit(text: str) -> tuple[str, Unit | None]:
    """Split off the unit at the end of a text."""
    # `MiBps` is one word.
    words = text.split()
    if not words or parse_unit(words[-1]) is None:
        words = split_words(text)
    for start in range(max(0, len(words) - 5), len(words)):
        unit = parse_unit(" ".join(words[start:]))
        if (
            unit is not None
            and unit.text.casefold() not in _NOUNS
            # `SIMD 256 bit` is how wide something is, not what its numbers are in.
            and not (start and words[start - 1].isdecimal())
            and unit.dimension not in _COUNTED
            and not unit.dimension.startswith("1")
            and not (unit.dimension == "byte" and start and words[start - 1].isdigit())
            # The second of `Elements sorted per second` is not what it is in.
            and not (start and words[start - 1].casefold() in _PER)
        ):
            return " ".join(words[:start]).removesuffix(" in"), unit
    return text, None


def take_long_unit(text: str) -> tuple[str, Unit | None]:
    """A unit at the end of words that were joined by `-` or `_`: `latency_ms`, not `I-K-J`."""
    rest, unit = take_unit(text)
    return (rest, unit) if unit is not None and len(unit.text) > 1 else (text, None)


def take_version(plain: str) -> tuple[str, str]:
    """Split off the version at the end of a header: `IOPS 5.15`."""
    match = _VERSIONED.fullmatch(plain) if plain[-1].isdigit() and "." in plain else None
    return (match["name"], match["version"]) if match is not None else (plain, "")


def letter_unit(pieces: list[str], found: tuple[Quantity, ...]) -> Unit | None:
    """`Parameters (B)` is in billions, `SeqLen (T)` in tokens, `Requests (K/s)` in thousands."""
    for letter in pieces[1:]:
        if (rate := letter_rate(letter, pieces[0], found)) is not None:
            return rate
    for letter in pieces[1:] if found else ():
        one, count = found[0], COUNTS.get(letter.lower().removesuffix("s"))
        decimal = one.kilo == 1000 and one.unit.dimension in {"param", "token"}
        if decimal and count is not None and squash(pieces[0]) != "size":
            return Unit(letter, one.unit.dimension, count)
        if letter.upper() == "T" and ("token" in one.dimensions or "token" in one.instead):
            return parse_unit("token")
    return None


def times_word(unit: Unit | None, pieces: list[str], found: tuple[Quantity, ...]) -> Unit | None:
    """The unit of a header, times the word for a number behind it: `QPS (万)`, `Requests (Mio.)`.

    Letters such as M and B have other meanings too.
    """
    first = pieces[0].split()[0] if pieces and unit is None else ""
    words = (piece.casefold().rstrip(".").removesuffix("s") for piece in (first, *pieces[1:]))
    word = next(
        (one for one in words if one in COUNTS and not (len(one) < 3 and one.isascii())), ""
    )
    if not word:
        return unit
    if unit is not None:
        return unit._replace(text=f"{word} {unit.text}", scale=COUNTS[word] * unit.scale)
    if len(found) != 1 or found[0].text or found[0].unit.dimension not in _MANY:
        return None
    return Unit(word, found[0].unit.dimension, COUNTS[word] * found[0].unit.scale)


def find_noun(text: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    while text:
        found = vocabulary.find(text)
        if found:
            return found
        words = split_words(text)
        for start in range(1, len(words)):
            # What stands behind `per` is not what is measured: `Cost per build`.
            each = start > 1 and words[start - 1].casefold() in _PER
            found = () if each else vocabulary.find_head(" ".join(words[start:]))
            if found:
                return found
        last = words[-1] if words else ""
        if not last.isascii():
            for start in range(1, len(last) - 1):
                # Two Latin letters at the end of `Résultats` are no word.
                short = last[start] < _FIRST_IDEOGRAPH and len(last) - start < _SHORTEST_WORD
                found = () if short else vocabulary.find_head(last[start:])
                if found:
                    return found
        # `Time to train with …` is how long a training takes, before it is a time.
        ends = [match.start() for match in _LAST_TAIL.finditer(text)]
        for end in reversed(ends[1:]):
            if found := vocabulary.find(text[:end]):
                return found
        shorter = _TAIL.sub("", text).strip(" #")
        if shorter == text:
            break
        text = shorter
    return ()


def sort_of(plain: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    """What `Workload Type` and `Algo NCCL picks` name: workloads by their sorts, and algorithms.

    An ID is a name, also if it is a number.
    """
    folded = plain.casefold()
    if folded.endswith(" id") and _ID.fullmatch(plain):
        return (quantity("name"),)
    match = _SORT.fullmatch(plain) if folded.endswith(_SORT_ENDS) else None
    found = vocabulary.find(match["what"]) if match is not None else ()
    return found if len(found) == 1 and found[0].name in _SORTED else ()


def own_unit(plain: str, exact: tuple[Quantity, ...]) -> Unit | None:
    """The unit of a column of the frame whose name is given: `energy_j` is in joules."""
    one = exact[0]
    named = "_" in plain and not one.text and plain.endswith(one.name)
    return one.unit if named and one.unit.text else None


def is_of(found: tuple[Quantity, ...], read: list[Piece]) -> bool:
    """Whether a unit in brackets says of what the ratio is: `relative (rps)`."""
    rate = stated_by(read)
    return found[0].name == "relative" and rate is not None and "/s" in rate.dimension


def as_rate(found: tuple[Quantity, ...], unit: Unit) -> Unit:
    """`Speed (tokens)` can only mean tokens per second."""
    counted, _, holder = unit.dimension.partition("/")
    rate = "/".join(filter(None, (counted, "s", holder)))
    rates = {one.unit.dimension for one in found}
    if counted not in _RATED or unit.dimension in rates or rate not in rates:
        return unit
    return Unit(unit.text, rate, unit.scale)
