"""Calculations in shell one-liners: `perl -le '$a=2; print $a*3'`, python, awk, ruby, bc."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.digits import read_number
from mdbench.prose.arithmetic import LONGEST
from mdbench.regex import lazy
from mdbench.source import Span

_QUOTED = r"(?P<quote>['\"])(?P<body>.{1,2000}?)(?P=quote)(?=\s*+(?:$|[|&;#]))"
_SCRIPT = lazy(
    r"^\s*+(?:[$>%#] \s*+)?(?:perl|python3?|ruby)\s(?:[^'\"]{0,40}\s)?-\w{0,4}[ecE]\s++" + _QUOTED
)
_AWK = lazy(r"^\s*+(?:[$>%#] \s*+)?awk\s++" + _QUOTED)
_BC = lazy(
    r"^\s*+(?:[$>%#] \s*+)?(?:echo\s++[\"']?(?P<piped>[^|\"']{1,500}+)[\"']?\s*+\|\s*+bc\b"
    r"|bc\s++(?:-l\s++)?<<<\s*+[\"']?(?P<here>[^\"']{1,500})[\"']?)"
)
_STATEMENT = lazy(r"[^;]+")
_ASSIGNED = lazy(r"\s*\$?(?P<name>[A-Za-z_]\w{0,40})\s*=(?!=)\s*(?P<value>[^=]*)$")
_PRINTED = lazy(
    r"\s*+(?:BEGIN\s*+\{\s*+)?(?:print|puts|p|say)\b\s*+(?P<text>.*?)(?<!\s)"
    r"(?P<tail>\s*+[.,]\s*+\"[^\"]*\")?\s*+\}?\s*$"
)
_FORMATTED = lazy(
    r"\s*+(?:BEGIN\s*+\{\s*+)?printf\b\s*+\(?\s*+[\"'][^\"']*[\"']\s*+,(?P<text>.*?)"
    r"(?:(?<!\s)|(?=\)))\)?\s*+\}?\s*$"
)
_INSERTED = lazy(r"f?[\"'][^{}\"']*\{(?P<text>[^{}:]+)(?::[^{}]*)?\}[^{}\"']*[\"']")
_ROUNDED = lazy(r"round\((?P<text>.*),\s*\d+\)")


class OneLiner(NamedTuple):
    """The expression that a calculation prints, and the values of its variables."""

    text: str
    span: Span
    bindings: Mapping[str, Decimal]


def find_one_liner(line: str) -> OneLiner | None:
    """Parse a shell line that is a calculation; its span is that of the printed expression."""
    if len(line) > 4 * LONGEST:
        return None
    piped = _BC.match(line)
    if piped is not None:
        group = "piped" if piped["piped"] else "here"
        return _read_statements(piped[group], piped.start(group), prints=True)
    script = _SCRIPT.match(line) or _AWK.match(line)
    return None if script is None else _read_statements(script["body"], script.start("body"))


def _read_statements(body: str, start: int, *, prints: bool = False) -> OneLiner | None:
    """Parse statements. bc prints the last one; the other languages need `print`."""
    bindings: dict[str, Decimal] = {}
    shown: tuple[str, Span] | None = None
    for statement in _STATEMENT.finditer(body):
        assigned = _ASSIGNED.match(statement[0])
        if assigned is not None:
            value = _multiply(assigned["value"])
            if value is not None:
                bindings[assigned["name"]] = value
            continue
        found = _printed(statement[0]) if not prints else (statement[0], 0)
        if found is not None:
            at = start + statement.start() + found[1]
            shown = _trim(found[0], at)
    return None if shown is None else OneLiner(*shown, bindings)


def _multiply(text: str) -> Decimal | None:
    """A number, or the product of several: `32*4`."""
    product = Decimal(1)
    for factor in text.split("*"):
        figure = read_number(factor.strip())
        if figure is None:
            return None
        product *= figure.value
    return product


def _printed(statement: str) -> tuple[str, int] | None:
    match = _FORMATTED.match(statement) or _PRINTED.match(statement)
    if match is None:
        return None
    text, at = match["text"], match.start("text")
    for inner in _unwrappings(text):
        text, at = inner[0], at + inner[1]
    return text, at


def _unwrappings(text: str) -> Iterator[tuple[str, int]]:
    """Remove the brackets of `print(…)`, a format and `round(…)`, one after the other."""
    if text.startswith("(") and text.endswith(")") and _closes_last(text):
        text = text[1:-1]
        yield text, 1
    for pattern in (_INSERTED, _ROUNDED):
        match = pattern.fullmatch(text)
        if match is not None:
            text = match["text"]
            yield text, match.start("text")


def _closes_last(text: str) -> bool:
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _trim(text: str, at: int) -> tuple[str, Span]:
    bare = text.strip()
    start = at + len(text) - len(text.lstrip())
    return bare, Span(start, start + len(bare))
