"""Perplexities in rows of their own: `byte_perplexity` is 2 to the power of `bits_per_byte`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import ONE
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict, compare
from mdbench.diagnosis.numbers import Number, measured_number
from mdbench.diagnosis.run_numbers import RunKey, RunNumbers, by_sheet
from mdbench.markdown.inline import plain_text
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import scale

_BITS, _PERPLEXITY = "bits_per_byte", "byte_perplexity"
_RELATION = Relation(
    f"{_PERPLEXITY} = 2 ^ {_BITS}", "perplexity = k", Constant.ANY, stated=True, confirming=True
)


class PerplexityOfBits(NamedTuple):
    """A law: rows with both of a benchmark agree; where one does not, nobody is blamed."""

    sheet: Sheet
    verdicts: Mapping[RunKey, Verdict]
    relation: Relation = _RELATION

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to it, as it is printed."""
        return None if row.supposed else self.verdicts.get(row.key)


def find_perplexities(rows: Sequence[RunNumbers]) -> Iterator[PerplexityOfBits]:
    """The tables that name the metric of each row, and have both."""
    for members in by_sheet(rows).values():
        verdicts = dict(_compare_pairs(members))
        if verdicts and not any(one.fails for one in verdicts.values()):
            yield PerplexityOfBits(members[0].sheet, verdicts)


def _compare_pairs(rows: Sequence[RunNumbers]) -> Iterator[tuple[RunKey, Verdict]]:
    column = next(
        (
            one.index
            for one in rows[0].sheet.columns
            if one.header.quantity is not None and one.header.quantity.name == "metric"
        ),
        None,
    )
    if column is None or rows[0].sheet.layout.transposed:
        return
    bits: dict[str, RunNumbers] = {}
    for row in rows:
        metric = row.cells.get(column)
        name = "" if metric is None else plain_text(metric.cell.raw).strip()
        if name == _BITS:
            bits[_benchmark(row)] = row
        elif name == _PERPLEXITY and _benchmark(row) in bits:
            verdict = _compare(row, bits[_benchmark(row)])
            if verdict is not None:
                yield row.key, verdict


def _benchmark(row: RunNumbers) -> str:
    """What a row is about, as it says itself or as the rows above say."""
    told = {one.quantity.name: one.raw for one in row.run.settings}
    for one in row.run.measurements:
        if one.quantity is not None and one.cell.raw.strip():
            told[one.quantity.name] = one.cell.raw
    return plain_text(told.get("benchmark", "")).strip()


def _compare(row: RunNumbers, bits: RunNumbers) -> Verdict | None:
    perplexity = row.variables.get("perplexity")
    if perplexity is None or perplexity.measurement is None or perplexity.low <= 0:
        return None
    other = bits.cells.get(perplexity.measurement.column)
    if other is None or other.numeral.unit:
        return None
    # The bits have no quantity of their own: they are read as what they say of the perplexity.
    amount = scale(other.numeral, perplexity.quantity, perplexity.quantity.unit)
    known = measured_number(other._replace(quantity=perplexity.quantity, amount=amount), row.sheet)
    if known is None:
        return None
    factors: tuple[tuple[Number, int], ...] = ((perplexity, 1), (_raise(known), -1))
    return compare(Instance(_RELATION, factors), ONE)


def _raise(bits: Number) -> Number:
    return bits._replace(value=2**bits.value, low=2**bits.low, high=2**bits.high, cut=2**bits.cut)
