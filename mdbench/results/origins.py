"""Which columns of a query are columns of the results, with the units that those have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mdbench.regex import lazy
from mdbench.results.queries import list_arguments, list_nodes, name_function
from mdbench.results.tables import ResultColumn, ResultTable

# Each new name is one step.
_MOST_STEPS = 20
# A median of seconds is seconds; a product may be anything.
_KEEPING = frozenset(
    "any_value arbitrary avg first last max mean median min quantile quantile_cont "
    "quantile_disc round sum".split()
)


# How duckdb names a call that has no other name: `round(max(r.nodes), 2)`.
_CALL = lazy(r'\w+\([\w(), ".]*\)')
_ARGUMENT = lazy(r"[\w.]+")


def find_columns(
    tree: Mapping[str, Any], tables: Mapping[str, ResultTable]
) -> dict[str, ResultColumn]:
    """The columns by their names; none that a query computes, or that two tables have."""
    nodes = list(list_nodes(tree))
    read = {
        str(node.get("table_name")).lower() for node in nodes if node.get("type") == "BASE_TABLE"
    }
    computed = {name for node in nodes for name in _computed(node)}
    found: dict[str, ResultColumn] = {}
    doubted: set[str] = set()
    for table in tables.values():
        for column in table.columns if table.name.lower() in read else ():
            if found.setdefault(column.name, column) != column:
                doubted.add(column.name)
    return {name: one for name, one in found.items() if name not in computed | doubted}


def find_source(tree: Mapping[str, Any], name: str) -> str:
    """The column that a value of a query comes from, by its name there; empty if it is computed."""
    named: dict[str, set[str]] = {}
    for node in list_nodes(tree):
        alias = str(node.get("alias") or "")
        if alias and node.get("class"):
            named.setdefault(alias, set()).add(_source(node))
        for one in node.get("replace_list") or ():
            named.setdefault(str(one.get("key")), set()).add(_source(one.get("value") or {}))
    name = _argument(name) if "(" in name else name
    for _ in range(_MOST_STEPS):
        sources = named.get(name, set()) - {name}
        if not sources:
            return name
        name = next(iter(sources)) if len(sources) == 1 else ""
    return ""


def _argument(call: str) -> str:
    words = _ARGUMENT.findall(call) if _CALL.fullmatch(call) else []
    names = [word for word in words if word not in _KEEPING and not word[0].isdigit()]
    return names[0].rpartition(".")[2] if len(names) == 1 else ""


def _source(node: Mapping[str, Any]) -> str:
    """The column that a part of a query gives as it is, or the mean of it; empty if it is none."""
    if node.get("class") == "COLUMN_REF":
        return str((node.get("column_names") or [""])[-1])
    arguments = list_arguments(node) if name_function(node) in _KEEPING else []
    return _source(arguments[0]) if arguments else ""


def _computed(node: Mapping[str, Any]) -> Iterator[str]:
    """The names that a part of a query gives to values that are no column of that name."""
    alias = node.get("alias")
    if alias and node.get("class") and _source(node) != str(alias):
        yield str(alias)
    for one in node.get("replace_list") or ():
        if _source(one.get("value") or {}) != str(one.get("key")):
            yield str(one.get("key"))
