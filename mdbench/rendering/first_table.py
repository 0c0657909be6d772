"""A first table from results, already bound to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.widths import display_width
from mdbench.numerals.units import Unit, parse_unit
from mdbench.results.agreement import as_decimal
from mdbench.results.best_words import best_statistic
from mdbench.results.bindings import quote
from mdbench.results.comparison import compare
from mdbench.results.database import Database
from mdbench.results.groups import describe_query
from mdbench.results.matching import KEYS, choose_spread
from mdbench.results.tables import ResultColumn, ResultTable
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import Quantity, Vocabulary
from mdbench.vocabulary.statistics import SPREADS

# How often something was measured tells no runs apart.
_NEVER_KEYS = frozenset(("rounds", "samples"))
_NOT_SHOWN = frozenset(("file",))
_DIGITS = 3
_DIGITS_OF_SPREAD = 2
_SMALLER = {"s": ("ms", "us", "ns")}
Row = dict[str, object]


class FirstTableError(Exception):
    """No table can be made of these results; the message says why."""


class _Shown(NamedTuple):
    """A column of the new table."""

    result: ResultColumn
    title: str
    unit: Unit | None
    """The unit that it is printed in; None for words and bare numbers."""
    spread: ResultColumn | None = None
    is_key: bool = False


def write_first_table(
    database: Database,
    name: str,
    vocabulary: Vocabulary,
    *,
    columns: Sequence[str] = (),
    by: Sequence[str] = (),
) -> str:
    """A table of results: settings first, then what was measured, the best number in bold."""
    table = database.tables.get(name)
    if table is None:
        raise FirstTableError(database.problems.get(name, f"no table is called {name}"))
    keys = _choose_keys(table, by, columns, database, vocabulary)
    measured = _choose_measured(table, columns, keys)
    if not measured:
        raise FirstTableError(f"{name} has no numbers to show")
    rows = _ask(database, name, keys, measured)
    if not rows:
        raise FirstTableError(f"{name} has no rows")
    shown = [*_describe_keys(keys), *_describe_measured(table, measured, rows)]
    return _checked(database, name, shown, rows, vocabulary)


def _choose_keys(
    table: ResultTable,
    by: Sequence[str],
    columns: Sequence[str],
    database: Database,
    vocabulary: Vocabulary,
) -> list[ResultColumn]:
    if by:
        return [_named(table, one) for one in by]
    found = [
        one
        for one in table.columns
        if one.name not in _NOT_SHOWN and (_is_key(one) or (not one.is_number and not one.quantity))
    ]
    keys = _varying(table, found, database) or found[:1]
    if not _leaves_alike(table, keys, database):
        return keys
    _, whole = describe_query(f"select * from {quote(table.name)}", vocabulary, database)
    unknown = [one for one in table.columns if one.name in whole and _may_be_key(one)]
    unknown = [one for one in unknown if one not in keys and one.name not in columns]
    more = [*keys, *_varying(table, unknown, database)]
    return more if _choose_measured(table, columns, more) else keys


def _varying(
    table: ResultTable, columns: Sequence[ResultColumn], database: Database
) -> list[ResultColumn]:
    if not columns:
        return []
    counts = ", ".join(f"count(distinct {quote(one.name)})" for one in columns)
    (told,) = database.ask(f"select {counts} from {quote(table.name)}").rows
    return [one for one, count in zip(columns, told, strict=True) if count > 1]


def _leaves_alike(table: ResultTable, keys: Sequence[ResultColumn], database: Database) -> bool:
    """Whether several results have the same settings."""
    names = ", ".join(quote(one.name) for one in keys) or "1"
    rows = f"select {names}, count(*) as times from {quote(table.name)} group by all"
    ((most,),) = database.ask(f"select max(times) from ({rows})").rows
    return most is not None and most > 1


def _is_key(one: ResultColumn) -> bool:
    """Whether it is a setting, whichever of its meanings it has."""
    return bool(_meanings(one)) and all(map(_tells_apart, _meanings(one)))


def _may_be_key(one: ResultColumn) -> bool:
    """Whether it may be a setting: nobody knows what it is. A bound table takes it for one, too."""
    return one.quantity is None and (not one.candidates or any(map(_tells_apart, one.candidates)))


def _is_setting(one: ResultColumn) -> bool:
    """Whether it is set and not measured, be it only how often something was measured."""
    return bool(_meanings(one)) and all(each.role in KEYS for each in _meanings(one))


def _meanings(one: ResultColumn) -> Sequence[Quantity]:
    return one.candidates if one.quantity is None else (one.quantity,)


def _tells_apart(quantity: Quantity) -> bool:
    return quantity.role in KEYS and quantity.name not in _NEVER_KEYS


def _named(table: ResultTable, name: str) -> ResultColumn:
    found = next((one for one in table.columns if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in table.columns)
        raise FirstTableError(f"{table.name} has no column {name}; it has {known}")
    return found


def _choose_measured(
    table: ResultTable, columns: Sequence[str], keys: Sequence[ResultColumn]
) -> list[ResultColumn]:
    if columns:
        return [one for one in (_named(table, name) for name in columns) if one not in keys]
    return [
        one
        for one in table.columns
        if one.is_number
        and one not in keys
        and one.statistic not in SPREADS
        and not _is_setting(one)
    ]


def _ask(
    database: Database, name: str, keys: Sequence[ResultColumn], measured: Sequence[ResultColumn]
) -> list[Row]:
    """The medians of all results with the same settings, in the order of the settings."""
    spreads = [one for one in database.tables[name].columns if one.statistic in SPREADS]
    names = list(dict.fromkeys(one.name for one in (*keys, *measured, *spreads)))
    asked = [quote(one.name) for one in keys]
    asked += [f"median({quote(one)})" for one in names[len(keys) :]]
    grouped = " group by all order by all" if keys else ""
    rows = database.ask(f"select {', '.join(asked)} from {quote(name)}{grouped}").rows
    return [dict(zip(names, row, strict=True)) for row in rows]


def _describe_keys(keys: Sequence[ResultColumn]) -> Iterator[_Shown]:
    for one in keys:
        yield _Shown(one, _title(one, one.unit), None, is_key=True)


def _describe_measured(
    table: ResultTable, measured: Sequence[ResultColumn], rows: Sequence[Row]
) -> Iterator[_Shown]:
    spreads = [one for one in table.columns if one.statistic in SPREADS]
    for one in measured:
        unit = _readable_unit(one, [as_decimal(row[one.name]) for row in rows])
        own = [each for each in spreads if one.quantity and each.quantity == one.quantity]
        spread = choose_spread(one, own) if one.statistic in ("", "mean") else None
        yield _Shown(one, _title(one, unit), unit, spread)


def _readable_unit(one: ResultColumn, values: Sequence[Decimal | None]) -> Unit | None:
    """The unit of a column, or a smaller one for times that are fractions of it."""
    unit = one.unit or (one.quantity.unit if one.quantity is not None else None)
    if unit is None or not unit.text:
        return None
    most = max((abs(value) * unit.scale for value in values if value is not None), default=None)
    for text in _SMALLER.get(unit.dimension, ()) if most else ():
        if most is not None and most < unit.scale:
            smaller = parse_unit(text)
            unit = smaller if smaller is not None else unit
    return unit


def _title(one: ResultColumn, unit: Unit | None) -> str:
    """`step_time_ms` is `Step time (ms)`, and `tokens_per_s` is `Tokens/s`."""
    name = one.name.rpartition(".")[2]
    if "_per_" in name:
        words = name.replace("_per_", "/").replace("_", " ")
        return words[:1].upper() + words[1:]
    stem, _, last = name.rpartition("_")
    has_unit = bool(stem) and one.unit is not None and parse_unit(last) == one.unit
    words = (stem if has_unit else name).replace("_", " ")
    title = words[:1].upper() + words[1:]
    dimension = unit.dimension if unit is not None else ""
    return (
        f"{title} ({unit.text})" if unit is not None and dimension and not _is_key(one) else title
    )


def _checked(
    database: Database,
    name: str,
    shown: Sequence[_Shown],
    rows: Sequence[Row],
    vocabulary: Vocabulary,
) -> str:
    """The table, with headers that are understood as what they show: at last the results' own."""
    words = [_say(one) for one in shown]
    names = [one._replace(title=one.result.name, unit=None) for one in shown]
    for others in (words, names):
        text = _write(name, shown, rows)
        (bound,) = compare(read_report(Source(name, text), vocabulary), database).tables
        found = {one.column.index: one.result.name for one in bound.columns}
        shown = [
            one if found.get(at) == one.result.name else other
            for at, (one, other) in enumerate(zip(shown, others, strict=True))
        ]
    return _write(name, shown, rows)


def _say(one: _Shown) -> _Shown:
    """The column with the name of its quantity: `System time (ms)`."""
    if one.result.quantity is None or one.unit is None:
        return one
    return one._replace(title=f"{one.result.quantity.words.capitalize()} ({one.unit.text})")


def _write(name: str, shown: Sequence[_Shown], rows: Sequence[Row]) -> str:
    lines = [[_escape(one.title) for one in shown]]
    columns = [_texts(one, rows) for one in shown]
    lines += [[texts[at] for texts in columns] for at in range(len(rows))]
    widths = [max(3, *(display_width(line[at]) for line in lines)) for at in range(len(shown))]
    right = [all(as_decimal(row[one.result.name]) is not None for row in rows) for one in shown]
    rule = "|".join(
        f"{'-' * (width + 1)}{':' if at else '-'}" for width, at in zip(widths, right, strict=True)
    )
    laid = [
        "|".join(
            f" {_pad(text, width, at)} "
            for text, width, at in zip(line, widths, right, strict=True)
        )
        for line in lines
    ]
    body = [f"|{line}|\n" for line in (laid[0], rule, *laid[1:])]
    return f"<!-- mdbench: from {name} -->\n{''.join(body)}"


def _pad(text: str, width: int, right: bool) -> str:
    room = " " * (width - display_width(text))
    return room + text if right else text + room


def _texts(one: _Shown, rows: Sequence[Row]) -> list[str]:
    values = [row[one.result.name] for row in rows]
    if one.is_key:
        return ["" if value is None else _escape(str(value)) for value in values]
    factor = Decimal(1)
    if one.unit is not None and one.result.unit is not None:
        factor = one.result.unit.scale / one.unit.scale
    numbers = [None if (value := as_decimal(one)) is None else value * factor for one in values]
    spreads = [as_decimal(row[one.spread.name]) for row in rows] if one.spread else []
    spreads = [None if value is None else value * factor for value in spreads]
    places = _decimals([value for value in numbers if value], [value for value in spreads if value])
    texts = ["" if value is None else f"{value:.{places}f}" for value in numbers]
    best = _best(one, numbers)
    for at, spread in enumerate(spreads):
        if spread is not None and texts[at]:
            texts[at] += f" ± {spread:.{places}f}"
    return [f"**{text}**" if numbers[at] == best else text for at, text in enumerate(texts)]


def _decimals(values: Sequence[Decimal], spreads: Sequence[Decimal]) -> int:
    """So many that a spread has two digits; else that the smallest number has three."""
    if spreads:
        return max(0, _DIGITS_OF_SPREAD - 1 - min(spreads).adjusted())
    if all(value == value.to_integral_value() for value in values):
        return 0
    return max(0, _DIGITS - 1 - min(map(abs, values)).adjusted())


def _best(one: _Shown, values: Sequence[Decimal | None]) -> Decimal | None:
    """The smallest time or size, or the largest rate; None if that is not one of several."""
    known = [value for value in values if value is not None]
    dimension = one.unit.dimension if one.unit is not None else ""
    if len(set(known)) < 2:
        return None
    statistic = best_statistic(dimension)
    if not statistic:
        return None
    return min(known) if statistic == "min" else max(known)


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
