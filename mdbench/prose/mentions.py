"""Settings that a text mentions without an equals sign: models, devices, checkpointing."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Quantity, Vocabulary, quantity

_CHECKPOINTED = lazy(
    r"(?:(?:(?P<no>w[/\\]o|without|no|not|disabl\w{1,9})|w[/\\]|\\w|with)\s*+)?"
    r"(?:activation|gradient|grad|act)[ -](?:check-?point(?:ing|s)?|ckpt|re-?comput(?:e|ation|ing))"
    r"(?:\s*+[:=(]?\s*+(?P<off>off|no|false|disabled)\b)?",
    re.IGNORECASE,
)
# `1B3` is another notation for 1.3B.
_ODD_SIZE = lazy(r"(?<![\w.])(?P<whole>\d{1,3})B(?P<tenths>\d)(?![\w/])")
_SIZE_OF_MODEL = lazy(r"(?<![\d.])\d{1,4}(?:\.\d{1,3})?[BbMm](?![A-Za-z0-9])")
_DEVICE_MEMORY = lazy(
    r"(?<![\w.])\d{1,3}\s?Gi?B(?=[ -](?:GPU|node|card|device|accelerator)s?\b)",
    re.IGNORECASE,
)
_LONGER = {
    "framework": lazy(r"\s?v?\d+(?:\.\d+){1,3}(?![\w.])"),
    "model": lazy(
        r"(?:[- ]?v?\d(?:\.\d{1,2})?(?![\w.]))?(?:[- ]\(?\d{1,4}(?:\.\d{1,3})?[BbMm](?![\w/])\)?)?"
    ),
}
_BOUND = lazy(
    r"(?:[<>≥≤~+]=?|up to|at least|more than|over)\s*$",
    re.IGNORECASE,
)
_OF_DATA = lazy(r"\s*(?:tokens|samples|words)\b", re.IGNORECASE)

_TOLD_BY_HEADINGS = frozenset(
    "model params device devices nodes framework precision quantization device_memory_gb "
    "interconnect".split()
)
_AROUND = " :：,;.()[]`*"


class Mention(NamedTuple):
    """A setting that a text mentions as `raw`."""

    quantity: Quantity
    raw: str
    span: Span


def find_mentions(text: str, vocabulary: Vocabulary) -> Iterator[Mention]:
    """Find the settings that a heading mentions."""
    for name, found in take_settings(text, vocabulary)[1]:
        raw = found.strip(_AROUND)
        start = text.find(raw)
        if start < 0 or name not in _TOLD_BY_HEADINGS:
            continue
        end = start + len(raw)
        if name == "params" and _OF_DATA.match(text, end):
            continue
        if start and _BOUND.search(text, max(0, start - 12), start):
            continue
        longer = _LONGER.get(name)
        if longer is not None and (more := longer.match(text, end)):
            end = more.end()
        yield Mention(quantity(name), text[start:end], Span(start, end))
        if name == "model" and (size := _SIZE_OF_MODEL.search(text, start, end)):
            yield Mention(quantity("params"), size[0], Span(*size.span()))
    odd = _ODD_SIZE.search(text)
    if odd is not None:
        yield Mention(quantity("params"), f"{odd['whole']}.{odd['tenths']}B", Span(*odd.span()))
    memory = _DEVICE_MEMORY.search(text)
    if memory is not None:
        yield Mention(quantity("device_memory_gb"), memory[0], Span(*memory.span()))
    yield from _find_checkpointing(text)


def find_conditions(text: str, vocabulary: Vocabulary) -> Iterator[Mention]:
    """Find how a run was done in the note of a cell: its clock rate, and checkpointing."""
    for name, found in take_settings(text, vocabulary)[1]:
        start = text.find(found)
        if name == "clock_ghz" and start >= 0:
            yield Mention(quantity(name), found, Span(start, start + len(found)))
    yield from _find_checkpointing(text)


def _find_checkpointing(text: str) -> Iterator[Mention]:
    folded = text.casefold()
    likely = "check" in folded or "ckpt" in folded or "comput" in folded
    checkpointed = _CHECKPOINTED.search(text) if likely else None
    if checkpointed is not None:
        raw = "no" if checkpointed["no"] or checkpointed["off"] else "yes"
        yield Mention(quantity("activation_checkpointing"), raw, Span(*checkpointed.span()))
