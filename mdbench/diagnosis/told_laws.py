"""The laws that were found in a report, in its words, with the evidence for each.

`Speedup = Time (s) of 1 thread / Time (s)`, 23 of 24 rows, 140 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.blame import Applied, Operand, apply_laws
from mdbench.diagnosis.arithmetic.search import Found
from mdbench.diagnosis.arithmetic.wording import formula, shorten
from mdbench.diagnosis.confirmations import tell_law
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.products import Verdict
from mdbench.diagnosis.standings import count_standings
from mdbench.markdown.inline import plain_text
from mdbench.source import Span


class ToldLaw(NamedTuple):
    """A law in words, how many rows follow it, of how many, and the evidence in bits."""

    formula: str
    holding: int
    rows: int
    bits: int


def list_laws(diagnosis: Diagnosis) -> tuple[ToldLaw, ...]:
    """The laws of a report, each once."""
    members: dict[int, list[Applied]] = {}
    for one in apply_laws(diagnosis.arithmetic):
        members.setdefault(id(one.found), []).append(one)
    told: dict[str, ToldLaw] = {}
    learned: set[frozenset[Span]] = set()
    for several in members.values():
        holding = [one for one in several if one.test.holds]
        if not holding:
            continue
        learned.update(frozenset(map(_span, one.operands)) for one in several)
        found = holding[0].found
        law = ToldLaw(tell_found(holding[0]), len(holding), len(several), round(found.bits))
        # The bits are those of all tables with these headers, unless each has its own constant.
        told[law.formula] = _join(told.get(law.formula), law, once=not found.law.free)
    for text, standing in count_standings(_known(diagnosis, learned)).items():
        rows = standing.holding + standing.failing
        if standing.holding and text not in told:
            told[text] = ToldLaw(text, standing.holding, rows, round(standing.bits))
    return tuple(told.values())


def _join(one: ToldLaw | None, other: ToldLaw, *, once: bool) -> ToldLaw:
    if one is None:
        return other
    bits = max(one.bits, other.bits) if once else one.bits + other.bits
    return ToldLaw(one.formula, one.holding + other.holding, one.rows + other.rows, bits)


def _known(diagnosis: Diagnosis, learned: set[frozenset[Span]]) -> Iterator[tuple[str, Verdict]]:
    """The known relations of each row, in words, without those that its table shows by itself."""
    for _, verdict in diagnosis.verdicts:
        cells = frozenset(
            one.measurement.cell.span
            for one in verdict.instance.variables
            if one.measurement is not None
        )
        if not verdict.relation.model and cells not in learned:
            yield tell_law(verdict), verdict


def _span(one: Operand) -> Span:
    return one.number.measurement.cell.span


def tell_found(applied: Applied) -> str:
    """A law that a table shows, by the titles of its columns, or of its rows."""
    found = applied.found
    titles = _row_titles(found) if found.grid.by_rows else {}
    bases = set(found.law.base.rows.values()) if found.law.base is not None else set()
    label = found.grid.labels.get(bases.pop(), "") if len(bases) == 1 else ""
    base = shorten(label) or "the baseline"

    def title(one: Operand) -> str:
        name = titles.get(id(one.number)) or plain_text(one.number.measurement.header.text)
        return f"{name} of {base}" if one.at_base else name

    return formula(applied, title)


def _row_titles(found: Found) -> Mapping[int, str]:
    return {
        id(number): plain_text(line.title)
        for line in found.grid.lines
        for number in line.numbers.values()
    }
