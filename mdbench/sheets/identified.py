"""What a number in a cell is of: what its header says, or what its unit alone tells."""

from __future__ import annotations

from mdbench.numerals.cell import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.sheets.factors import is_times
from mdbench.vocabulary.amounts import NUMERIC, Amount, scale
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

_SIGNS = frozenset("+-\u2212\u2013")


def measures(header: Header) -> bool:
    """Whether a header says that its numbers are no shares."""
    if header.unit is not None:
        return header.unit.dimension != "ratio"
    meant = (header.quantity,) if header.quantity is not None else header.candidates
    return bool(meant) and not any("ratio" in one.dimensions or one.text for one in meant)


def identify(
    numeral: Numeral, header: Header, part: int, vocabulary: Vocabulary
) -> tuple[Quantity | None, Amount | None]:
    """The quantity and the amount of one reading: by the header, or by a unit that tells alone."""
    meant = header.quantity
    if numeral.form not in NUMERIC:
        return (None if part else meant), None
    role = None if meant is None else meant.role
    # What stands behind a name tells more of what it names.
    if role is not Role.IDENTITY and (part > 0 or role is Role.NOTE):
        by_unit = vocabulary.quantity_of_unit(numeral.unit)
        if by_unit is None and part > 0 and numeral.form is Form.NUMBER:
            by_unit = _second_quantity(numeral, header, vocabulary)
        if by_unit is not None:
            return by_unit, scale(numeral, by_unit, header.unit)
    aside = part > 0 and numeral.form not in (Form.RANGE, Form.PAIR)
    if aside or meant is None or role is Role.NOTE:
        return (None if aside else meant), None
    if meant.name == "change" and is_times(parse_unit(numeral.unit)):
        # `3x` among changes in per cent is how many times as much.
        meant = vocabulary.quantities["relative"]
    amount = scale(numeral, meant, header.unit)
    if amount is None and numeral.unit:
        rival = vocabulary.quantity_of_unit(numeral.unit)
        if rival is not None and rival in header.said.candidates:
            # `Throughput` of images in one row, of tokens in the next.
            return rival, scale(numeral, rival)
        sister = _sister(numeral, header.quantity or meant, vocabulary)
        if sister is not None:
            return sister, scale(numeral, sister)
    return meant, amount


def _second_quantity(numeral: Numeral, header: Header, vocabulary: Vocabulary) -> Quantity | None:
    """What stands in brackets after a number: a change or a share of it, or a difference."""
    signed = numeral.text[:1] in _SIGNS
    if numeral.unit == "%":
        if signed and not measures(header):
            # Of a share, nobody knows whether it is a part or points.
            return None
        instead = header.quantity.instead.get("ratio", "share") if header.quantity else "share"
        return vocabulary.quantities["change" if signed else instead]
    return vocabulary.quantities["difference"] if signed and not numeral.unit else None


def _sister(numeral: Numeral, one: Quantity, vocabulary: Vocabulary) -> Quantity | None:
    """`-13 ms` among changes in per cent is a difference, and the other way round."""
    unit = parse_unit(numeral.unit)
    if unit is None or one.name not in COMPARING or unit.dimension not in one.instead:
        return None
    return vocabulary.quantities[one.instead[unit.dimension]]
