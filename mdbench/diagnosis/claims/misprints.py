"""Numbers in sentences that a slip of the fingers made of one in the row that they speak of."""

from __future__ import annotations

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, misquoted, shown
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import Slip, typed_slips
from mdbench.numerals.digits import count_decimals
from mdbench.prose.figures import Bound, Figure
from mdbench.prose.sentences import Sentence, words_of
from mdbench.regex import lazy

FOUR_DIGITS = lazy(r"\d[,.]?\d[,.]?\d[,.]?\d")
_FEWEST_DIGITS = 4
_SLIPS = ("two digits transposed", "a digit doubled", "a digit dropped")
_MOST_ROWS = 2


def check_misprint(sentence: Sentence, table: Table) -> Verdict:
    """`At a rate of 16 it delivers 2,539 tok/s`, where the table has 2,359.

    Four digits that another number has in another order do not come by chance, so that it does not
    matter what else the sentence says.
    """
    figures = [one for one in sentence.figures if _digits(one) >= _FEWEST_DIGITS and one.plain]
    figures = [one for one in figures if one.bound is not Bound.ABOUT and not one.is_bare]
    if len(figures) != 1:
        return None
    figure = figures[0]
    if any(_stands(figure, one) for one in table.columns):
        return HOLDS
    columns = [one for one in table.columns if _is_meant(figure, one)]
    rows = table.rows_told(sentence) if columns else ()
    if not 1 <= len(rows) <= _MOST_ROWS:
        return None
    cells = [(one, one.numbers[row]) for one in columns for row in rows if row in one.numbers]
    meant = [number for column, number in cells if _is_slip(figure, column, number)]
    if len(meant) != 1:
        return None
    why = f"{table.name_of(meant[0])} has that"
    return misquoted(sentence, figure, shown(meant[0]), why, meant)


def _is_meant(figure: Figure, column: Column) -> bool:
    """Whether a number has the unit of a column, or the word behind it is in its title."""
    if figure.unit is not None:
        return column.scale(figure) is not None
    return {*words_of(figure.noun)} <= column.words


def _stands(figure: Figure, column: Column) -> bool:
    numbers = column.numbers.values()
    fits = column.scale(figure) is not None
    return any(
        one.source.numeral.value == figure.value or (fits and column.fits(figure, one))
        for one in numbers
    )


def _digits(figure: Figure) -> int:
    return len(str(int(figure.value / figure.quantum)))


def _is_slip(figure: Figure, column: Column, number: Number) -> bool:
    """Whether one slip makes of a number in a cell the one in a sentence."""
    if column.is_finer(figure, number):
        return False
    text = f"{figure.value:f}"
    scale = column.scale(figure)
    wanted = number.value / scale if scale else float(number.source.numeral.value or 0)
    slips = [one for one in typed_slips(text, count_decimals(text)) if one.what in _SLIPS]
    return any(_is_value(one, wanted) for one in slips)


def _is_value(slip: Slip, wanted: float) -> bool:
    return abs(float(slip.text) - wanted) <= 1e-9 * abs(wanted)
