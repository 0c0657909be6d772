"""The error messages of duckdb in one line, with the nearest table or column."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mdbench.files.nearest import find_nearest
from mdbench.regex import lazy

# How duckdb words it depends on the place of the name in the query.
_UNKNOWN_COLUMN = lazy(
    r'Referenced column "([^"]{1,200})" not found|'
    r'Column "([^"]{1,200})" (?:does not exist on|in \w+ list not found)'
)
_UNKNOWN_MEMBER = lazy(r'"([^"]{1,200})" does not have a column named "([^"]{1,200})"')
_UNKNOWN_ALIAS = lazy(r'Referenced table "([^"]{1,200})" not found!')
_CANDIDATES = lazy(r'Candidate tables: "([\w.]{1,200})"')
_UNKNOWN_TABLE = lazy(r"Table with name ([^!]{1,200}) does not exist!")
_NO_ACCESS = lazy(r'Permission Error: Cannot access (?:file|directory) "([^"]{1,200})"')
_QUOTED_QUERY = lazy(r"(?<!\n)\n+LINE \d+:")
_PLAIN = lazy(r"[a-z_][a-z0-9_]*")
_LONGEST = 400


def explain(
    message: str,
    *,
    columns: Collection[str],
    tables: Collection[str],
    problems: Mapping[str, str],
    home: str = "",
) -> str:
    """What is wrong with a query, in one line."""
    said = _QUOTED_QUERY.split(message, maxsplit=1)[0]
    if home:
        # Where the project is on this machine is nothing to print.
        said = said.replace(f"{home}/", "").replace(f"{home}\\", "")
    if (closed := _NO_ACCESS.match(said)) is not None:
        return f'a query can read the tables of results only, not the file "{closed[1]}"'
    column, table = _UNKNOWN_COLUMN.search(said), _UNKNOWN_TABLE.search(said)
    if table is not None and (problem := problems.get(table[1].rpartition(".")[2].lower())):
        return problem
    member, alias = _UNKNOWN_MEMBER.search(said), _UNKNOWN_ALIAS.search(said)
    if column is not None:
        said = _tell_column("", column[1] or column[2], columns)
    elif member is not None:
        said = _tell_column(f"{member[1]}.", member[2], columns)
    elif alias is not None:
        match = _CANDIDATES.search(said)
        told = f"; did you mean {match[1].rpartition('.')[2]}?" if match else ""
        said = f"no table is called {alias[1]}{told}"
    elif table is not None:
        near = find_nearest(table[1], tables)
        told = f"; did you mean {near}?" if near else ""
        known = f"there are {', '.join(tables)}" if tables else "name its files under [results]"
        said = f"no table is called {table[1]}; {known}{told}"
    line = " ".join(said.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _tell_column(table: str, name: str, columns: Collection[str]) -> str:
    nearest = _nearest_column(name, columns)
    told = "`mdbench columns` lists the quantities"
    if nearest:
        told = f"did you mean {table}{nearest}?"
    return f"no column is called {table}{name}; {told}"


def _nearest_column(name: str, known: Collection[str]) -> str:
    starts = [one for one in known if one.startswith(f"{name.lower()}_")]
    ends = [one for one in known if one.lower().endswith(f".{name.lower()}")]
    near = next(iter(starts or ends), "") or find_nearest(name, known)
    return near if not near or _PLAIN.fullmatch(near.lower()) else f'"{near}"'
