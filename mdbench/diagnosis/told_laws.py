"""The laws that were found in a report, in its words, with the evidence for each.

`Speedup = Time (s) of 1 thread / Time (s)`, 23 of 24 rows, 140 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.applied import Applied
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.checks import Operand
from mdbench.diagnosis.confirmations import tell_law
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.standings import count_standings
from mdbench.diagnosis.wording import formula, shorten
from mdbench.markdown.inline import plain_text
from mdbench.source import Span


class ToldLaw(NamedTuple):
    """A law in words, what follows it, of how many, and the evidence in bits."""

    formula: str
    across: str
    """What it is counted in: rows, or columns if it is about rows."""
    holding: int
    of: int
    bits: int


def list_laws(diagnosis: Diagnosis) -> tuple[ToldLaw, ...]:
    """The laws of a report, each once."""
    pooled: dict[tuple[object, ...], list[Applied]] = {}
    for one in diagnosis.applied:
        pooled.setdefault(one.found.law.signature(one.found.grid), []).append(one)
    learned = {frozenset(_cells(one)) for several in pooled.values() for one in several}
    told: dict[str, ToldLaw] = {}
    for several in pooled.values():
        law = _tell_pooled(several)
        if law is not None:
            told.setdefault(law.formula, law)
    for text, standing in count_standings(_known(diagnosis, learned)).items():
        of = standing.holding + standing.failing
        if standing.holding:
            law = ToldLaw(text, "row", standing.holding, of, round(standing.bits))
            told.setdefault(text, law)
    return tuple(told.values())


def _tell_pooled(several: Sequence[Applied]) -> ToldLaw | None:
    """The same law in all tables with the same headers."""
    holding = [one for one in several if one.test.holds]
    if not holding:
        return None
    first = holding[0].found
    # The bits are those of all these tables, unless each has a constant of its own.
    own = {id(one.found): one.found.bits for one in several}.values()
    bits = sum(own) if first.law.free else first.bits
    of = len(holding) + sum(one.fails for one in several)
    across = "column" if first.grid.by_rows else "row"
    return ToldLaw(_tell(holding), across, len(holding), of, round(bits))


def _known(diagnosis: Diagnosis, learned: set[frozenset[Span]]) -> Iterator[tuple[str, Verdict]]:
    """The known relations of each row, in words, without those that the table shows by itself."""
    known: list[tuple[str, Verdict]] = []
    repeated: set[str] = set()
    for _, verdict in diagnosis.verdicts:
        if verdict.relation.model:
            continue
        cells = frozenset(
            one.measurement.cell.span
            for one in verdict.instance.variables
            if one.measurement is not None
        )
        text = tell_law(verdict)
        known.append((text, verdict))
        if cells in learned:
            repeated.add(text)
    return (one for one in known if one[0] not in repeated)


def _cells(applied: Applied) -> Iterator[Span]:
    """The cells of a row that take part in a law."""
    for one in applied.operands:
        if not one.at_base:
            yield one.number.source.cell.span


def _tell(holding: Sequence[Applied]) -> str:
    """A law that tables show, by the titles of their columns, or of their rows."""
    first = holding[0]
    titles = _row_titles(first.found) if first.found.grid.by_rows else {}
    bases = {label for one in holding for label in _base_labels(one.found)}
    base = bases.pop() if len(bases) == 1 else ""

    def title(one: Operand) -> str:
        name = titles.get(id(one.number)) or plain_text(one.number.source.header.text)
        return f"{name} of {shorten(base) or 'the baseline'}" if one.at_base else name

    return formula(first, title)


def _base_labels(found: Found) -> Iterator[str]:
    """What the rows are called that others are compared with."""
    if found.law.base is not None:
        for row in set(found.law.base.rows.values()):
            yield found.grid.labels.get(row, "")


def _row_titles(found: Found) -> Mapping[int, str]:
    return {
        id(number): plain_text(line.title)
        for line in found.grid.lines
        for number in line.numbers.values()
    }
