"""Benchmarks in code fences that have some lines each, and below them how they compare.

sort     598.64 ns/iter 653.18 ns  ▃█▅
  (476.22 ns … 1.18 µs) 735.85 ns  █▆▃

summary
  sort
   1.4x faster than merge
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.document import TextLine
from mdbench.regex import lazy
from mdbench.source import Span

TITLES = ("benchmark", "avg", "p75", "min", "max", "p99", "relative")
_TIME = r"\d[\d.]{0,12} [a-zµμ]{1,3}"
_FIRST = lazy(rf"({_TIME}/iter) {{1,9}}({_TIME})(?!\S)")
_SECOND = lazy(rf" {{1,60}}\( {{0,9}}({_TIME}) … {{1,9}}({_TIME})\) {{1,9}}({_TIME})(?!\S)")
_FASTER = lazy(r" {1,9}(\d[\d.]{0,12}x) faster than (\S.*)")
_MOST_BETWEEN = 2

Row = tuple[Span | None, ...]


class _Block(NamedTuple):
    name: str
    places: tuple[Span, ...]


def read_blocks(lines: Sequence[TextLine], at: int) -> tuple[list[Row], int]:
    """The cells of the benchmarks from a line on, and the line after them."""
    blocks: list[_Block] = []
    index = end = at
    while index + 1 < len(lines) and index - end <= _MOST_BETWEEN:
        block = _read_block(lines[index], lines[index + 1])
        if block is not None:
            blocks.append(block)
            end = index + 2
        elif lines[index].text.strip() == "summary" and blocks:
            ratios = dict(_read_summary(lines, index + 1, {one.name for one in blocks}))
            after = index + 2 + len(ratios) if ratios else end
            return [(*one.places, ratios.get(one.name)) for one in blocks], after
        elif not blocks or lines[index].text.startswith("-"):
            break
        index = end if block is not None else index + 1
    return [(*one.places, None) for one in blocks], end


def _read_block(first: TextLine, second: TextLine) -> _Block | None:
    found = _FIRST.search(first.text) if "/iter" in first.text else None
    ends = _SECOND.match(second.text) if found is not None and "…" in second.text else None
    if found is None or ends is None or not first.text[:1].strip():
        return None
    name = first.text[: found.start()].rstrip()
    places = (
        Span(first.start, first.start + len(name)),
        *(_place(first, found.span(group)) for group in (1, 2)),
        *(_place(second, ends.span(group)) for group in (1, 2, 3)),
    )
    return _Block(name, places) if name else None


def _read_summary(
    lines: Sequence[TextLine], at: int, names: set[str]
) -> Iterator[tuple[str, Span]]:
    """How many times as long each of the others takes as the fastest, which comes first."""
    if at >= len(lines) or lines[at].text.strip() not in names:
        return
    for index in range(at + 1, len(lines)):
        match = _FASTER.fullmatch(lines[index].text)
        if match is None or match[2].strip() not in names:
            return
        yield match[2].strip(), _place(lines[index], match.span(1))


def _place(line: TextLine, span: tuple[int, int]) -> Span:
    return Span(line.start + span[0], line.start + span[1])
