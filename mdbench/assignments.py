"""Settings written out in text: `--num-layers 24`, `PP_SIZE=1`, `$gbs=512;`, `Batch size: 32`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mdbench.source import Span

_VALUE = r"[\"']?(?P<value>[+-]?\d[\w.,+%-]*|[Tt]rue|[Ff]alse)"
_FLAG = re.compile(r"(?<![\w-])--(?P<name>[A-Za-z][\w.-]*)(?:[ =]+" + _VALUE + r")?")
_GENERIC_RESOURCE = re.compile(
    r"(?<![\w-])--(?:gres|gpus-per-node)=gpu(?::[A-Za-z]\w*)?:(?P<value>\d+)"
)
_EQUALS = re.compile(
    r"(?P<name>\$?[^\W\d][\w.-]{0,60}(?: [^\W\d][\w.-]{0,30}){0,3})[`*\"]{0,3}[ \t]*"
    r"(?P<sign>==?|[:：])[ \t]*[`*]{0,3}" + _VALUE
)
_COUNT_PER_NODE = re.compile(
    r"(?P<value>\d+)\s*[x×]?\s*(?:[A-Z][\w-]*\s+){0,3}"
    r"(?:GPUs?|devices?|accelerators?|chips?|cards?|NPUs?)\s*(?:per|/|in each|on each|a)\s*node",
    re.IGNORECASE,
)
_TRAILING = ".,;:"
_CONTINUES_A_FORMULA = frozenset("*/^=×")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A name and its value, with the place of both in the text they were found in."""

    name: str
    value: str
    span: Span
    colon: bool = False


def find_assignments(text: str) -> Iterator[Assignment]:
    """All settings of one line of text; the name is as written, the value not yet read."""
    taken: list[Span] = []
    for found in (*_find_flags(text), *_find_counts_per_node(text)):
        taken.append(found.span)
        yield found
    for match in _EQUALS.finditer(text):
        span = Span(*match.span())
        if any(span.start < other.end and other.start < span.end for other in taken):
            continue
        if text[span.end : span.end + 8].lstrip("`* ")[:1] in _CONTINUES_A_FORMULA:
            continue
        colon = match["sign"] in (":", "：")
        yield Assignment(match["name"], match["value"].rstrip(_TRAILING), span, colon)


def _find_flags(text: str) -> Iterator[Assignment]:
    for match in _FLAG.finditer(text):
        resource = _GENERIC_RESOURCE.match(text, match.start())
        if resource is not None:
            yield Assignment("gpus per node", resource["value"], Span(*resource.span()))
            continue
        value = match["value"]
        yield Assignment(
            match["name"], "true" if value is None else value.rstrip(_TRAILING), Span(*match.span())
        )


def _find_counts_per_node(text: str) -> Iterator[Assignment]:
    for match in _COUNT_PER_NODE.finditer(text):
        yield Assignment("gpus per node", match["value"], Span(*match.span()))
