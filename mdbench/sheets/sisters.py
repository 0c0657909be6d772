"""Tables with the same titles in one report: what one of them says, the silent ones mean too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mdbench.numerals.numeral import Numeral
from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Quantity, Role

_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_UNSPECIFIC = COMPARING | {"value"}
_COLONS = (":", "：")
_ENOUGH = 0.5
# One alone may be a chance.
_TWINS = 2
# Shorter numbers are the same by chance.
_FEWEST_DIGITS = 6
_FEWEST_AGAIN = 4
_WORD = lazy(r"\w+")
_BRACKET = lazy(r"[(\[][^()\[\]]{1,40}[)\]]")
# Numbers that differ by more are hardly of one quantity and unit.
_MOST_TIMES = 1000


def meanings_by_sisters(
    sheets: Sequence[Sheet], captions: Sequence[Sequence[str]]
) -> Mapping[int, Mapping[str, Header]]:
    """For each table with columns that nobody explains, what they are in tables like it.

    A table with an introduction of its own is none of these, even if nobody understands it.
    """
    silent = {
        sheet.number: columns
        for sheet, texts in zip(sheets, captions, strict=True)
        if not (texts and texts[0].rstrip().endswith(_COLONS)) and (columns := open_columns(sheet))
    }
    known = [(sheet, titles) for sheet in sheets if (titles := _known(sheet))] if silent else []
    numbers = _statistics_known(known) if any(map(_has_statistic, silent.values())) else {}
    in_units, longer = _columns_by_words(known), _longer_titles(known)
    open_words: dict[frozenset[Quantity], list[Header]] = {}
    found: dict[int, Mapping[str, Header]] = {}
    for sheet in sheets:
        told = {
            column.header.text: header
            for column in silent.get(sheet.number, ())
            if (
                header := _agreed(sheet, column, known)
                or _stated_again(column, numbers)
                or _same_words(column, in_units)
                or _shortened(sheet, column, longer)
                or _elsewhere(column, sheets, open_words)
            )
        }
        if told:
            found[sheet.number] = told
    return {**found, **_as_twins(sheets, silent.keys(), found)}


def _as_twins(
    sheets: Sequence[Sheet], silent: AbstractSet[int], found: Mapping[int, Mapping[str, Header]]
) -> Mapping[int, Mapping[str, Header]]:
    """For silent tables, what those with the very same titles were found to be."""
    told: dict[tuple[str, ...], list[Mapping[str, Header]]] = {}
    for sheet in sheets:
        if sheet.number in found:
            told.setdefault(tuple(sheet.layout.titles), []).append(found[sheet.number])
    return {
        sheet.number: twins[0]
        for sheet in sheets
        if sheet.number in silent
        and sheet.number not in found
        and len(twins := told.get(tuple(sheet.layout.titles), [])) >= _TWINS
    }


def open_columns(sheet: Sheet) -> list[Column]:
    """The columns with numbers of which nobody says what they are."""
    if sheet.layout.transposed:
        return []
    return [
        column
        for column in sheet.columns
        if column.header.quantity is None and column.header.text and column.has_numbers
    ]


def _known(sheet: Sheet) -> Mapping[str, Column]:
    """The columns of which something else than their own cells says what they measure."""
    if sheet.layout.transposed:
        return {}
    return {
        column.header.text: column
        for column in sheet.columns
        if column.header.quantity is not None
        and column.header.quantity.role in _RESULTS
        and column.header.quantity.name not in _UNSPECIFIC
        and column.header.why != BY_CELLS
    }


def _agreed(
    sheet: Sheet, column: Column, known: Sequence[tuple[Sheet, Mapping[str, Column]]]
) -> Header | None:
    """What all tables with the same titles say of a column, if they say the same."""
    text = column.header.text
    headers = [
        titles[text].header
        for other, titles in known
        if text in titles and _are_alike(sheet, other) and _are_near(column, titles[text])
    ]
    meant = {(header.quantity, header.unit) for header in headers}
    first = headers[0] if len(meant) == 1 else None
    candidates = column.header.candidates
    return first if first is None or not candidates or first.quantity in candidates else None


def _elsewhere(
    column: Column, sheets: Sequence[Sheet], known: dict[frozenset[Quantity], list[Header]]
) -> Header | None:
    """What all other tables mean by the same open word, if they mean the same: `Throughput`."""
    candidates = frozenset(column.header.candidates)
    if not candidates:
        return None
    if candidates not in known:
        known[candidates] = [
            other.header
            for sheet in sheets
            for other in (() if sheet.layout.transposed else sheet.columns)
            if other.header.quantity is not None and candidates <= set(other.header.said.candidates)
        ]
    others = known[candidates]
    meant = {(one.quantity, one.unit.dimension if one.unit else "") for one in others}
    told = len(meant) == 1 and others[0].quantity in candidates and others[0].unit is not None
    return others[0]._replace(settings=(), statistic=column.header.statistic) if told else None


def _has_statistic(columns: Sequence[Column]) -> bool:
    return any(column.header.statistic for column in columns)


def _statistics_known(
    known: Sequence[tuple[Sheet, Mapping[str, Column]]],
) -> Mapping[tuple[str, str], Header]:
    """By statistic and number, the headers of statistics of which it is known what they are of."""
    return {
        (column.header.statistic, one.numeral.text): column.header
        for _, titles in known
        for column in titles.values()
        if column.header.statistic
        for one in column.mains
        if len(one.numeral.text) >= _FEWEST_DIGITS
    }


def _stated_again(column: Column, numbers: Mapping[tuple[str, str], Header]) -> Header | None:
    """What a column without a name is of whose numbers stand in another table, with one."""
    statistic = column.header.statistic
    texts = [one.numeral.text for one in column.mains if one.numeral.value is not None]
    found = [numbers.get((statistic, text)) for text in texts]
    first = found[0] if statistic and found else None
    alike = all(one is not None and one.quantity == first.quantity for one in found) if first else 0
    return first if alike else None


def _columns_by_words(
    known: Sequence[tuple[Sheet, Mapping[str, Column]]],
) -> Mapping[frozenset[str], list[Column]]:
    """The columns with a unit, by the words of their titles."""
    found: dict[frozenset[str], list[Column]] = {}
    for _, titles in known:
        for column in titles.values():
            if column.header.unit is not None:
                found.setdefault(_words(column.header.text), []).append(column)
    return found


def _same_words(
    column: Column, in_units: Mapping[frozenset[str], Sequence[Column]]
) -> Header | None:
    """What a rate without a unit is, if a column with the same words and a unit has its number."""
    candidates = column.header.candidates
    texts = {one.numeral.text for one in column.mains if one.numeral.value is not None}
    texts = {text for text in texts if sum(map(str.isdigit, text)) >= _FEWEST_AGAIN}
    alike = in_units.get(_words(column.header.text), ()) if candidates and texts else ()
    found = [
        other.header
        for other in alike
        if other.header.quantity in candidates
        and any(one.numeral.text in texts for one in other.mains)
    ]
    meant = {(header.quantity, header.unit) for header in found}
    return found[0] if len(meant) == 1 else None


def _longer_titles(
    known: Sequence[tuple[Sheet, Mapping[str, Column]]],
) -> Mapping[str, list[tuple[Sheet, Column]]]:
    """The columns by their titles without the last word."""
    found: dict[str, list[tuple[Sheet, Column]]] = {}
    for sheet, titles in known:
        for title, column in titles.items():
            stem, _, word = title.rpartition(" ")
            if stem and _WORD.fullmatch(word):
                found.setdefault(stem, []).append((sheet, column))
    return found


def _shortened(
    sheet: Sheet, column: Column, longer: Mapping[str, Sequence[tuple[Sheet, Column]]]
) -> Header | None:
    """What `Cold` is where a table like it has one column `Cold total`, and it has none."""
    if column.header.candidates or column.header.statistic or column.header.settings:
        return None
    found = [
        other.header
        for like, other in longer.get(column.header.text, ())
        if other.header.text not in sheet.layout.titles
        and _are_alike(sheet, like)
        and _are_near(column, other)
    ]
    return found[0] if len({header.text for header in found}) == 1 else None


def _words(title: str) -> frozenset[str]:
    """The words of a title, in any order and without a unit in brackets."""
    return frozenset(_WORD.findall(_BRACKET.sub(" ", title).casefold()))


def _are_alike(one: Sheet, other: Sheet) -> bool:
    mine, hers = one.layout.titles, other.layout.titles
    if one is other or mine[:1] != hers[:1]:
        # What stands in the corner may be the unit of all.
        return False
    return len(set(mine) & set(hers)) >= _ENOUGH * max(len(mine), len(hers))


def _are_near(one: Column, other: Column) -> bool:
    """Whether the numbers of two columns are of one size, without a unit of their own."""
    if any(measured.numeral.unit for measured in one.mains):
        return False
    mine, hers = (sorted(_sizes(column)) for column in (one, other))
    if not mine or not hers:
        return False
    low, high = sorted((mine[len(mine) // 2], hers[len(hers) // 2]))
    return high <= _MOST_TIMES * low


def _sizes(column: Column) -> Iterator[float]:
    for one in column.mains:
        numeral: Numeral = one.numeral
        if numeral.value:
            yield abs(float(numeral.value))
