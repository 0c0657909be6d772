"""Inlay hints with the correct value next to a wrong cell: `4 ⇒ 8`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from mdbench.lsp.document_state import Examination
from mdbench.lsp.places import touches
from mdbench.lsp.positions import Ruler
from mdbench.rules.findings import Finding, Fix, Safety
from mdbench.source import Edit, Source, Span

# The rules that recompute numbers; the others only change notation.
_RECOMPUTED = ("MB3", "MB4")
_PADDING = " \t"
# An edit with one of these adds or removes cells or rows.
_BREAKS = frozenset("|\r\n")


class Hint(NamedTuple):
    """A position, and the correct text according to a finding."""

    span: Span
    text: str
    sure: bool
    """Whether there is no other fix that is as good."""
    finding: Finding


def make_hints(examination: Examination, ruler: Ruler, within: Span) -> list[types.InlayHint]:
    """The hints in a span."""
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
    """The new text of every cell that the fix of a number changes."""
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
    """The text of a cell after the edits, which may also change its padding."""
    start, end = cell
    while start > 0 and source.text[start - 1] in _PADDING:
        start -= 1
    while end < len(source.text) and source.text[end] in _PADDING:
        end += 1
    own = [edit for edit in edits if start <= edit.span.start and edit.span.end <= end]
    moved = [Edit(Span(a - start, b - start), text) for (a, b), text in own]
    return Source("", source.text[start:end]).edited(moved).text.strip(_PADDING)
