"""Which columns of a query are columns of the results, with the units that those have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mdbench.results.queries import list_arguments, list_nodes, name_function
from mdbench.results.tables import ResultColumn, ResultTable

# A median of seconds is seconds; a product may be anything.
_KEEPING = frozenset(
    "any_value arbitrary avg first last max mean median min quantile quantile_cont "
    "quantile_disc round sum".split()
)


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


def _computed(node: Mapping[str, Any]) -> Iterator[str]:
    """The names that a part of a query gives to values that are no column of that name."""
    alias = node.get("alias")
    if alias and node.get("class") and not _keeps(node, str(alias)):
        yield str(alias)
    for one in node.get("replace_list") or ():
        if not _keeps(one.get("value") or {}, str(one.get("key"))):
            yield str(one.get("key"))


def _keeps(node: Mapping[str, Any], name: str) -> bool:
    if node.get("class") == "COLUMN_REF":
        names = node.get("column_names") or [""]
        return str(names[-1]) == name
    arguments = list_arguments(node) if name_function(node) in _KEEPING else []
    return bool(arguments) and _keeps(arguments[0], name)
