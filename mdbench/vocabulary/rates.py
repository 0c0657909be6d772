"""Headers that say how many of something there are in a time."""

from __future__ import annotations

import re

from mdbench.numerals.units import COUNTS, Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Quantity

_PER_TIME = lazy(
    r"(?:^|(?<=[\s(]))(?:number of )?(?P<what>[a-z]{2,20})"
    r"(?: (?:[a-z]{2,16}ed|[a-z]{3,16}ing|written|read|sent|built|done|run|made|sold|won))?"
    r" per (?P<time>second|sec|s|minute|min|hour|day)\b",
    re.IGNORECASE,
)
_THINGS = lazy(
    r"(?:number of |[a-z]{2,16} )?(?P<what>[a-z]{2,19}s)(?: per | ?/ ?)"
    r"(?P<time>second|sec|s|minute|min|hour|hr|h|day|d|week)",
    re.IGNORECASE,
)
_EACH = lazy(
    r"(?P<unit>\S{1,12}(?: \S{1,8})?)(?: per | ?/ ?)(?P<thing>[a-z]{3,20}(?: [a-z]{3,20})?)",
    re.IGNORECASE,
)
_CALENDAR = frozenset(("month", "year", "mo", "yr"))
# Not what is counted: `Time per second`, `Bytes written per second`.
_NOT_COUNTED = frozenset(("time", "times", "cost", "price", "energy", "power", "change"))

# Not `m/s`, which are metres, and not `G/s`, which are bytes.
_LETTER_RATE = lazy(r"(?P<letter>[KkM]) ?/ ?(?P<time>s|sec|second)")
_COUNTED_RATES = frozenset(("token/s", "sample/s", "op/s", "item/s", "step/s"))

_REQUESTS = lazy(
    r"(?:[km千万萬亿億천만억] ?|(?:тыс|млн|mio)\.? )?"
    r"(?:requ?[eê]?|quer|[rq]ps|anfrage|solicitud|petici|запрос|请求)",
    re.IGNORECASE,
)


def rate_in_words(plain: str) -> Unit | None:
    """The rate of `Documents indexed per second`; things without a known name are items."""
    match = _PER_TIME.search(plain) if " per " in plain.casefold() else None
    if match is None or match["what"].casefold() in _NOT_COUNTED:
        return None
    known = parse_unit(f"{match['what']} per {match['time']}")
    counted = parse_unit(f"items per {match['time']}") if match["what"].endswith("s") else None
    return known or counted


def rate_of_things(plain: str) -> Unit | None:
    """The rate of `builds / h`, a header that is nothing else: as `items per hour`."""
    match = _THINGS.fullmatch(plain) if "/" in plain or " per " in plain.casefold() else None
    what = match["what"].casefold() if match is not None else ""
    if match is None or what in _NOT_COUNTED or what.endswith("ss") or parse_unit(what):
        return None
    return parse_unit(f"items per {match['time']}")


def amount_of_each(plain: str) -> tuple[Unit, str] | None:
    """The unit and the thing of `Wh / build`: so much for each, which is nothing of its half."""
    match = _EACH.fullmatch(plain) if "/" in plain or " per " in plain.casefold() else None
    if match is None or parse_unit(plain) is not None or parse_unit(match["thing"]) is not None:
        return None
    unit, thing = parse_unit(match["unit"]), match["thing"]
    no_thing = unit is None or unit.dimension == "ratio" or thing.casefold() in _CALENDAR
    return None if unit is None or no_thing else (unit, thing)


def letter_rate(text: str, noun: str, found: tuple[Quantity, ...]) -> Unit | None:
    """The unit of `K/s` behind a noun that says what is counted, or of what it is a rate."""
    match = _LETTER_RATE.fullmatch(text)
    if match is None:
        return None
    dimension = found[0].unit.dimension if len(found) == 1 else ""
    if dimension in _COUNTED_RATES:
        return Unit(text, dimension, COUNTS[match["letter"].lower()])
    return parse_unit(f"{match['letter']} {noun}/{match['time']}")


def is_of_requests(unit: Unit) -> bool:
    """Whether a unit is that of requests per second: `req/s`, `kQPS`."""
    return unit.dimension == "sample/s" and _REQUESTS.match(unit.text) is not None
