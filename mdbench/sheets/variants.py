"""Cells with a number for each variant that the header names: `126 and 256` below `TF32 and FP16`.

Each number belongs to the run of its variant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mdbench.numerals.cell import Form, Numeral
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.pivots import Pivot, Settings, Variant, stands_alone
from mdbench.sheets.variant_names import variant_names
from mdbench.vocabulary.quantities import Vocabulary

Row = Mapping[int, tuple[Measurement, ...]]
"""What each cell of a row says, by its column."""

_NEARLY_ALL = 0.8


def split_cells(pivot: Pivot, columns: Sequence[Column], vocabulary: Vocabulary) -> Pivot:
    """The runs of each row, with the variants that headers name for the numbers of their cells."""
    named = {
        column.index: names
        for column in columns
        if (names := variant_names(column.header.text, vocabulary))
        and _is_aligned(column, len(names))
    }
    if not named:
        return pivot
    count = Counter(map(len, named.values())).most_common()[0][0]
    named = {at: names for at, names in named.items() if len(names) == count}
    keyed = [at for at, variant in enumerate(pivot.variants) if variant.settings]
    if len(pivot.variants) > 1:
        return _join(pivot, keyed, named) if len(keyed) == count else pivot
    measured = any(columns[at].is_measured for at in named)
    return _split(pivot, columns, named) if measured or len(named) > 1 else pivot


def _is_aligned(column: Column, count: int) -> bool:
    filled = [entry for entry in column.entries if entry[0].numeral.form is not Form.NOTHING]
    fitting = sum(len(_numbers(entry)) == count for entry in filled)
    return bool(fitting) and fitting >= _NEARLY_ALL * len(filled)


def _numbers(entry: Sequence[Measurement]) -> list[Measurement]:
    return [one for one in entry if one.numeral.form in (Form.PAIR, Form.NOTHING)]


def _join(pivot: Pivot, keyed: Sequence[int], named: Mapping[int, tuple[Settings, ...]]) -> Pivot:
    """The variants that columns tell apart, each with its numbers of the other cells."""
    variants = list(pivot.variants)
    for at, names in named.items():
        order = _align(names, [variants[place].settings for place in keyed])
        for place, number in zip(keyed, order, strict=True):
            one = variants[place]
            variants[place] = one._replace(picks=(*one.picks, (at, number)))
    return pivot._replace(variants=tuple(variants))


def _align(names: Sequence[Settings], known: Sequence[Settings]) -> list[int]:
    """Which number belongs to each variant: by its name, the others in their order."""
    spelled = [{text.casefold() for _, text in settings} for settings in names]
    found: list[int | None] = []
    for settings in known:
        texts = {text.casefold() for _, text in settings}
        places = [at for at, each in enumerate(spelled) if each & texts]
        found.append(places[0] if len(places) == 1 and places[0] not in found else None)
    rest = iter([at for at in range(len(names)) if at not in found])
    return [next(rest) if at is None else at for at in found]


def _split(
    pivot: Pivot, columns: Sequence[Column], named: Mapping[int, tuple[Settings, ...]]
) -> Pivot:
    """A run for each variant; what is measured once belongs to none of them."""
    common = pivot.variants[0].settings
    names = next(iter(named.values()))
    alone = [
        column.index
        for column in columns
        if column.index not in named and stands_alone(column.header, column.has_numbers)
    ]
    shared = [one.index for one in columns if one.index not in named and one.index not in alone]
    variants = [
        Variant((*common, *settings), tuple(named), tuple((at, number) for at in named))
        for number, settings in enumerate(names)
    ]
    if alone:
        variants.append(Variant(common, tuple(alone)))
    return Pivot(tuple(variants), tuple(shared))


def pick_cells(row: Row, variant: Variant) -> Row:
    """The cells of a row, where they hold several numbers with the one of a variant."""
    if not variant.picks:
        return row
    picked = {at: _pick(row[at], number) for at, number in variant.picks if at in row}
    return {**row, **picked}


def as_single(numeral: Numeral) -> Numeral:
    """One of several numbers in a cell, as if it stood there alone."""
    return numeral._replace(form=Form.NUMBER) if numeral.form is Form.PAIR else numeral


def _pick(entry: tuple[Measurement, ...], number: int) -> tuple[Measurement, ...]:
    numbers = _numbers(entry)
    if len(numbers) <= number or len(numbers) == 1:
        return entry
    one = numbers[number]
    numeral = as_single(one.numeral)
    return (one._replace(numeral=numeral, part=0, pick=number),)
