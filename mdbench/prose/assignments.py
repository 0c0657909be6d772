"""Settings in text: `--num-layers 24`, `PP_SIZE=1`, `$gbs=512;`, `Batch size: 32`."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span

_VALUE = r"[\"']?(?P<value>[+-]?\d[\w.,+%-]*|[Tt]rue|[Ff]alse)"
_FLAG = lazy(
    r"(?<![\w-])--(?P<name>[A-Za-z][\w.-]*)"
    r"(?:[ =]+(?:" + _VALUE + r"|(?P<off>none|null|off|no|disabled)\b))?",
    re.IGNORECASE,
)
_WORD = lazy(
    r"(?:(?<![\w-])--(?P<option>[A-Za-z][\w.-]{1,40})[ =]|"
    r"(?<![\w.-])(?P<name>[A-Za-z][\w.]{1,40})=)[\"']?(?P<value>[A-Za-z][\w.+-]{1,30})",
)
_GENERIC_RESOURCE = lazy(r"(?<![\w-])--(?:gres|gpus-per-node)=gpu(?::[A-Za-z]\w*)?:(?P<value>\d+)")
_EQUALS = lazy(
    r"(?<![\w.-])(?P<name>\$?[^\W\d][\w.-]{0,60}(?: [^\W\d][\w.-]{0,30}){0,3})[`*\"]{0,3}[ \t]*"
    r"(?P<sign>==?|[:：])[ \t]*[`*]{0,3}" + _VALUE,
)
_COUNT_PER_NODE = lazy(
    r"(?<![\w.])(?P<value>\d+)\s?[x×]?\s?(?:[A-Z][\w-]{0,20}\s){0,3}"
    r"(?:GPUs?|devices?|accelerators?|chips?|cards?|NPUs?)\s?(?:per|/|in each|on each|a)\s?node",
    re.IGNORECASE,
)
_COUNT_PER_NODE_EAST = lazy(
    r"(?:每个?节点|单机|单节点|1?ノード(?:あたり|当たり)に?)\s?(?P<value>\d{1,3})\s?"
    r"(?:张|块|个|枚|基|台)?\s?(?:[A-Z]\w{0,12}\s?)?(?:GPU|NPU|卡)",
)
_IS = lazy(
    r"\W{0,4}(?:the |our |a )?(?P<name>[A-Za-z][\w-]{0,30}(?: [A-Za-z][\w-]{0,30}){1,3}) (?:is|was)"
    r"(?: (?:set|fixed|kept) (?:to|at))? [`*]{0,3}(?P<value>\d[\d,]{0,12}[KkMm]?)[`*]{0,3}"
    r"(?: tokens?)?(?: (?:in|for) (?:all|every|each)\b.*+| throughout.*+)?[.\s]*",
    re.IGNORECASE,
)
# What each of these has: a sign before a value.
_ASSIGNED = lazy(r"[=:：][ \t]*[`*]{0,3}[\"']?[+\-\dTtFf]")
_CONNECTIONS = lazy(r"(?:\s*|.{0,200}\b(?:using|with|and) )(?P<value>\d{1,7}) connections\s*")
# `sequence length 2048, global batch 64`
_LISTED = lazy(r"[^\W\d_] \d[\d,]{0,12}[KkMm]?[,，;；、](?!\d)")
_LIST_SEAM = lazy(r"[,，;；、](?!\d)|(?<=\S)\.(?=\s|$)|[。:：()（）]")
_PAIR = lazy(
    r"[\s>*_`-]*(?P<name>[^\W\d][\w-]{0,30}(?: [^\W\d][\w-]{0,30}){0,3}) "
    r"(?P<value>\d[\d,]{0,12}[KkMm]?)(?: tokens?)?[\s*_`]*"
)
_DIGIT = lazy(r"\d")
_TRAILING = ".,;:"
_FUNCTION_WORDS = frozenset(
    "a an and are as at be but by can did do does for from has have if in into is it its may must "
    "no nor not of on or set so than that the then this to was were when which will with".split()
)
_STATES = frozenset(("is", "was", "IS", "WAS", "Is", "Was"))
# `TP × PP × DP = 8` and `DP*TP=8` are formulas; `**tp=8**` is bold, `TP=4 / PP=2` is a list.
_CONTINUED = lazy(r"[`\s]*(?:[\^=×]|\*(?=[\s\w])|/(?![`\s]{0,4}\$?[^\W\d][\w.-]{0,40}\s?=))")
_INSIDE_FORMULA = lazy(r"(?:[×+^]\s*|\*\s+|\w\*)$")


class Assignment(NamedTuple):
    """A name and its value, with their place in the text."""

    name: str
    value: str
    span: Span
    colon: bool = False
    worded: bool = False
    """Its value is a word."""


def may_state(text: str) -> bool:
    """Whether a line has what every setting needs, but in headings: a sign, or a number and a word.

    Most sentences with a colon or an `is` have no value behind it.
    """
    if "=" in text or "--" in text:
        return True
    if (":" in text or "：" in text) and _ASSIGNED.search(text) is not None:
        return True
    if may_list(text):
        return True
    return _DIGIT.search(text) is not None and (
        "connections" in text
        or not text.isascii()
        or "node" in text.casefold()
        or not _STATES.isdisjoint(text.split())
    )


def find_assignments(text: str) -> Iterator[Assignment]:
    """Find all settings in a line of text; names and values are as written."""
    found = [*_find_flags(text), *_find_counts_per_node(text)]
    if len(found) > 1:
        found.sort(key=lambda one: one.span)
    yield from found
    if _ASSIGNED.search(text) is None:
        return
    starts = [one.span.start for one in found]
    for match in _EQUALS.finditer(text):
        span = Span(*match.span())
        before = bisect_right(starts, span.start)
        if before and found[before - 1].span.end > span.start:
            continue
        if before < len(found) and found[before].span.start < span.end:
            continue
        if not _is_formula(text, span):
            colon = match["sign"] in (":", "：")
            yield Assignment(match["name"], match["value"].rstrip(_TRAILING), span, colon)


def find_words(text: str) -> Iterator[Assignment]:
    """Find the settings in a line whose values are words: `--quantize bnb.nf4`, `dtype=bfloat16`.

    `when --optimizer is given` continues a sentence and states no value.
    """
    for match in _WORD.finditer(text) if "=" in text or "--" in text else ():
        name, value = match["option"] or match["name"], match["value"].rstrip(_TRAILING)
        if value not in _FUNCTION_WORDS:
            yield Assignment(name, value, Span(*match.span()), worded=True)


def find_statement(text: str) -> Assignment | None:
    """Find the setting that a whole sentence states: `Sequence length is 4096.`"""
    match = _IS.fullmatch(text) if _STATES.intersection(text.split()) else None
    if match is None:
        return None
    span = Span(match.start("name"), match.end("value"))
    return Assignment(match["name"], match["value"].rstrip(_TRAILING), span)


def may_list(text: str) -> bool:
    """Whether a line may be a list of names, each with a number."""
    return _LISTED.search(text) is not None


def find_listed(text: str) -> Iterator[Assignment]:
    """Find the pairs in a list of names and numbers: `sequence length 2048, global batch 64`.

    A number alone behind a pair is another value of it: then neither is what all runs have.
    """
    if not may_list(text):
        return
    starts = [0, *(match.end() for match in _LIST_SEAM.finditer(text))]
    parts = [(at, _PAIR.fullmatch(_until_seam(text, at))) for at in starts]
    for (at, match), (following, _) in zip(parts, [*parts[1:], (len(text), None)], strict=True):
        if match is not None and not _until_seam(text, following).strip()[:1].isdigit():
            span = Span(at + match.start("name"), at + match.end("value"))
            yield Assignment(match["name"], match["value"], span)


def _until_seam(text: str, start: int) -> str:
    seam = _LIST_SEAM.search(text, start)
    return text[start : seam.start() if seam else len(text)]


def find_connections(text: str) -> Assignment | None:
    """Find how many connections a tool says that it used: `2 threads and 20 connections`."""
    match = _CONNECTIONS.fullmatch(text) if "connections" in text else None
    if match is None:
        return None
    return Assignment("connections", match["value"], Span(match.start("value"), len(text.rstrip())))


def _is_formula(text: str, span: Span) -> bool:
    if _CONTINUED.match(text, span.end):
        return True
    return _INSIDE_FORMULA.search(text[max(0, span.start - 8) : span.start]) is not None


def _find_flags(text: str) -> Iterator[Assignment]:
    for match in _FLAG.finditer(text) if "--" in text else ():
        resource = _GENERIC_RESOURCE.match(text, match.start())
        if resource is not None:
            yield Assignment("gpus per node", resource["value"], Span(*resource.span()))
            continue
        value = match["value"]
        if value is None:
            value = "false" if match["off"] else "true"
        yield Assignment(match["name"], value.rstrip(_TRAILING), Span(*match.span()))


def _find_counts_per_node(text: str) -> Iterator[Assignment]:
    western = _COUNT_PER_NODE.finditer(text) if "node" in text.casefold() else ()
    eastern = () if text.isascii() else _COUNT_PER_NODE_EAST.finditer(text)
    for match in chain(western, eastern):
        yield Assignment("gpus per node", match["value"], Span(*match.span()))
