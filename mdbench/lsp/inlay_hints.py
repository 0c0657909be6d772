"""What should stand in a cell that is wrong, shown beside it: `4 ⇒ 8`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from mdbench.lsp.document_state import Examination
from mdbench.lsp.places import touches
from mdbench.lsp.positions import Ruler
from mdbench.rules.findings import Finding, Fix, Safety
from mdbench.source import Edit, Source, Span

# The rules that recompute; what the others would write is a matter of notation.
_RECOMPUTED = ("MB3", "MB4")
_PADDING = " \t"
# An edit with one of these makes or removes cells or rows.
_BREAKS = frozenset("|\r\n")


class Hint(NamedTuple):
    """A place, and what should stand there by a finding."""

    span: Span
    text: str
    sure: bool
    """Whether there is no other repair that is as good."""
    finding: Finding


def make_hints(examination: Examination, ruler: Ruler, within: Span) -> list[types.InlayHint]:
    """The hints of a stretch."""
    return [
        types.InlayHint(
            position=ruler.position(hint.span.end),
            label=f"⇒ {hint.text}" if hint.sure else f"⇒ {hint.text} ?",
            tooltip=f"{hint.finding.code}: {hint.finding.message}",
            padding_left=True,
        )
        for hint in find_hints(examination)
        if touches(hint.span, within)
    ]


def find_hints(examination: Examination) -> Iterator[Hint]:
    """What every repair of a number would write into the cells that it changes."""
    seen: set[tuple[Span, str]] = set()
    for finding in examination.findings:
        if not finding.code.startswith(_RECOMPUTED):
            continue
        repairs = [one for one in finding.fixes if one.safety is Safety.UNSAFE and _stays(one)]
        for repair in repairs:
            for cell in finding.cells:
                text = _repaired(examination.source, cell, repair.edits)
                if text and text != examination.source.cut(cell) and (cell, text) not in seen:
                    seen.add((cell, text))
                    yield Hint(cell, text, len(finding.fixes) == 1, finding)


def _stays(repair: Fix) -> bool:
    return all(_BREAKS.isdisjoint(edit.text) for edit in repair.edits)


def _repaired(source: Source, cell: Span, edits: Sequence[Edit]) -> str:
    """What a cell holds once the edits are made; the padding around it may change with it."""
    start, end = cell
    while start > 0 and source.text[start - 1] in _PADDING:
        start -= 1
    while end < len(source.text) and source.text[end] in _PADDING:
        end += 1
    own = [edit for edit in edits if start <= edit.span.start and edit.span.end <= end]
    moved = [Edit(Span(a - start, b - start), text) for (a, b), text in own]
    return Source("", source.text[start:end]).edited(moved).text.strip(_PADDING)
