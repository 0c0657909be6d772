"""Counts in code fences with the time that they took, or the rates that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from mdbench.markdown.document import TextLine
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER, _BYTES = r"\d[\d.,]{0,20}", r" ?[kKMGT]?i?B"
_RATE = lazy(
    rf"\s*(?P<name>[A-Za-z]\w{{0,60}})\.{{2,99}}: (?P<total>{_NUMBER}(?:{_BYTES})?) {{1,30}}"
    rf"(?P<rate>{_NUMBER}(?:{_BYTES}/s|(?=/s)))(?:/s)?\s*"
)
_COMPLETED = lazy(
    r"\s*(?P<count>\d[\d,]{0,15}) (?P<requests>requests) completed (?P<in>in) "
    r"(?P<time>\d[\d.]{0,12} seconds)\s*"
)
_PER_SECOND = lazy(
    r"\s*(?:[a-z ]{1,40}: )?(?P<rate>\d[\d.]{0,20}) (?P<requests>requests per second)\s*"
)
_LONGEST_SUMMARY = 64

Entry = tuple[str, Span, Span]
"""A usual name for a number, and the places of the words and of the number."""


def read_rates(lines: Sequence[TextLine], at: int) -> list[Entry]:
    """`http_reqs....: 1140   189.837/s`: all totals of a summary, each with its rate.

    The lines of one summary are not next to each other, so it is read from its first one.
    """
    above = lines[max(0, at - _LONGEST_SUMMARY) : at]
    if not _is_rate(lines[at]) or any(map(_is_rate, above)):
        return []
    return [
        (name, _place(line, match.span("name")), _place(line, match.span(group)))
        for line in lines[at : at + _LONGEST_SUMMARY]
        if ".:" in line.text and (match := _RATE.fullmatch(line.text))
        for name, group in ((match["name"], "total"), (f"{match['name']}/s", "rate"))
    ]


def _is_rate(line: TextLine) -> bool:
    return ".:" in line.text and _RATE.fullmatch(line.text) is not None


def read_completed(lines: Sequence[TextLine], at: int) -> tuple[list[Entry], int]:
    """`50000 requests completed in 1.75 seconds`, and the rate further down in its summary."""
    line = lines[at]
    told = _COMPLETED.fullmatch(line.text) if " completed in " in line.text else None
    found = None if told is None else next(_find_per_second(lines, at), None)
    if told is None or found is None:
        return [], at
    rate, match = lines[found], _PER_SECOND.fullmatch(lines[found].text)
    words = [] if match is None else [(match.span("requests"), match.span("rate"))]
    entries = [
        ("Requests", _place(line, told.span("requests")), _place(line, told.span("count"))),
        ("Total time", _place(line, told.span("in")), _place(line, told.span("time"))),
        *(("Requests/sec", _place(rate, word), _place(rate, value)) for word, value in words),
    ]
    return entries, found + 1


def _find_per_second(lines: Sequence[TextLine], at: int) -> Iterator[int]:
    """The lines with a rate, up to the next summary."""
    for index in islice(range(at + 1, len(lines)), _LONGEST_SUMMARY):
        if " completed in " in lines[index].text:
            return
        if "per second" in lines[index].text and _PER_SECOND.fullmatch(lines[index].text):
            yield index


def _place(line: TextLine, span: tuple[int, int]) -> Span:
    return Span(line.start + span[0], line.start + span[1])
