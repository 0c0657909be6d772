"""Ask the results for what a bound table shows: one group for each combination of settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdbench.results.bindings import SAID, TableBinding, quote
from mdbench.results.database import Database, ResultsError
from mdbench.results.matching import BoundColumn
from mdbench.results.tables import ResultColumn, read_column
from mdbench.vocabulary.quantities import Vocabulary

_FUNCTIONS = {"mean": "avg", "": "median"}
_NUMBERS = ("DOUBLE", "FLOAT", "REAL", "DECIMAL")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT",
          "UINTEGER", "UBIGINT", "UHUGEINT")  # fmt: skip
_MOST_GROUPS = 100_000


class Value(NamedTuple):
    """What the results of a group give for one column."""

    value: object
    times: int
    """How many results have it."""
    least: object
    most: object


class Group(NamedTuple):
    """The results with the same settings."""

    settings: Mapping[str, object]
    values: Mapping[str, Value]
    deviations: Mapping[str, object]
    """The standard deviation of columns that several results of a run have."""

    @property
    def where(self) -> str:
        """Its settings: `nodes = 2, model = 7B`."""
        named = ((name.removeprefix(SAID), value) for name, value in self.settings.items())
        return ", ".join(f"{name} = {value}" for name, value in named)


def describe_query(
    sql: str, vocabulary: Vocabulary, database: Database
) -> tuple[tuple[ResultColumn, ...], frozenset[str]]:
    """The columns of a query, and the names of those that hold whole numbers."""
    known = database.columns_of(sql)
    rows = database.ask(f"select column_name, column_type from (describe {sql}\n)").rows
    types = {str(name): str(kind).upper() for name, kind in rows}
    columns = tuple(
        known.get(name) or _read_column(name, kind.startswith(_NUMBERS + _WHOLE), vocabulary)
        for name, kind in types.items()
    )
    return columns, frozenset(name for name, kind in types.items() if kind in _WHOLE)


def _read_column(name: str, is_number: bool, vocabulary: Vocabulary) -> ResultColumn:
    """A column of a query; one that the comment gives an expression for is what its header says."""
    column = read_column(name.removeprefix(SAID), is_number, None, vocabulary)
    return column._replace(name=name)


def ask_groups(
    binding: TableBinding,
    bound: Sequence[BoundColumn],
    settings: Sequence[ResultColumn],
    database: Database,
) -> list[Group]:
    """The results that a table is bound to, by their settings."""
    keys = list(dict.fromkeys(one.name for one in settings))
    shown = [one for one in bound if not one.is_key]
    results = [one.result for one in shown] + [one.spread for one in shown if one.spread]
    measured = list(dict.fromkeys(one.name for one in results))
    averaged = {one.result.name for one in shown if one.is_averaged}
    asked = [quote(key) for key in keys]
    for one in measured:
        aggregate = binding.aggregate or ("mean" if one in averaged else "")
        function, name = _FUNCTIONS.get(aggregate, aggregate), quote(one)
        asked += [f"{function}({name})", f"count({name})", f"min({name})", f"max({name})"]
    repeated = list(dict.fromkeys(one.result.name for one in shown if one.repeats))
    asked += [f"stddev_samp({quote(name)})" for name in repeated]
    grouped = " group by all" if keys else ""
    sql = f"select {', '.join(asked)} from ({binding.sql}\n){grouped} limit {_MOST_GROUPS + 1}"
    rows = database.ask(sql).rows
    if len(rows) > _MOST_GROUPS:
        raise ResultsError(f"more than {_MOST_GROUPS:,} different runs; narrow them with `where`")
    return [_read_group(keys, measured, repeated, row) for row in rows]


def _read_group(
    keys: Sequence[str], measured: Sequence[str], repeated: Sequence[str], row: Sequence[object]
) -> Group:
    rest = row[len(keys) :]
    values = {
        name: Value(rest[4 * at], int(str(rest[4 * at + 1])), rest[4 * at + 2], rest[4 * at + 3])
        for at, name in enumerate(measured)
    }
    settings = dict(zip(keys, row[: len(keys)], strict=True))
    return Group(settings, values, dict(zip(repeated, rest[4 * len(measured) :], strict=True)))
