"""The error messages of duckdb in one line, with the nearest table or column."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mdbench.regex import lazy

_UNKNOWN_COLUMN = lazy(r'Referenced column "([^"]{1,200})" not found')
_UNKNOWN_TABLE = lazy(r"Table with name ([^!]{1,200}) does not exist!")
_CANDIDATES = lazy(r"(?:!|(?<!\s))\s*Candidate bindings: ")
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
    nearest = _nearest_column(column[1], columns) if column else ""
    if nearest:
        said = f"{_CANDIDATES.split(said, maxsplit=1)[0]}; did you mean {nearest}?"
    elif table is not None and (near := _nearest(table[1], tables)):
        said = f'{said[: table.end()]} Did you mean "{near}"?'
    elif table is not None:
        known = f"there are {', '.join(tables)}" if tables else "name its files under [results]"
        said = f"no table is called {table[1]}; {known}"
    line = " ".join(said.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _nearest_column(name: str, known: Collection[str]) -> str:
    starts = [one for one in known if one.startswith(f"{name.lower()}_")]
    ends = [one for one in known if one.lower().endswith(f".{name.lower()}")]
    near = next(iter(starts or ends), "") or _nearest(name, known)
    return near if not near or _PLAIN.fullmatch(near.lower()) else f'"{near}"'


def _nearest(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for a mistake only

    folded = {one.lower(): one for one in known}
    near = get_close_matches(name.lower(), folded, n=1)
    return folded[near[0]] if near else ""
