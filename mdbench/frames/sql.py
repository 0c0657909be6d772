"""SQL queries on the tidy frames. The only module that imports duckdb."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mdbench.errors import ProblemError
from mdbench.frames.frame_columns import Shape, TidyRow, fields
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Vocabulary

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Load = Callable[[Shape], Iterable[TidyRow]]
"""Reads the rows of a frame; called only for frames that the query names."""

_MISSING = "query needs duckdb, which is not installed: pip install 'mdbench[query]'"
# A query can read the two frames only: no files, no network, and no way to enable them.
_LOCKED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "lock_configuration": "true",
}
_MOMENT_S = 0.05
_UNKNOWN_COLUMN = lazy(r'Referenced column "([^"]{1,200})" not found')
_CANDIDATES = lazy(r"(?:!|(?<!\s))\s*Candidate bindings: ")
_QUOTED_QUERY = lazy(r"(?<!\n)\n+LINE \d+:")


class Answer(NamedTuple):
    """The result of a query: unique column names, and the rows."""

    names: tuple[str, ...]
    rows: list[tuple[object, ...]]
    arrow: Any
    """The result as a pyarrow table, if requested."""


def ask(sql: str, load: Load, vocabulary: Vocabulary, *, arrow: bool = False) -> Answer:
    """Run a query; raise a one-line `ProblemError` if it is invalid."""
    try:
        import duckdb  # noqa: PLC0415
    except ImportError as error:
        raise ProblemError(_MISSING) from error
    tables = _provide(sql, load, vocabulary)
    with duckdb.connect(":memory:", config=dict(_LOCKED)) as connection:
        try:
            return _run(connection, partial(_fetch, connection, tables, sql, arrow))
        except duckdb.Error as error:
            raise ProblemError(f"query: {_explain(str(error), sql, vocabulary)}") from error


def _provide(sql: str, load: Load, vocabulary: Vocabulary) -> dict[str, Any]:
    """Register both frames, but read only those that the query names."""
    from mdbench.frames.pandas import make_table, schema  # noqa: PLC0415 - needed by questions only

    named = _named(sql)
    return {
        shape.value: make_table(load(shape) if shape in named else (), schema(shape, vocabulary))
        for shape in Shape
    }


def _named(sql: str) -> list[Shape]:
    words = set(re.findall(r"\w+", sql.lower()))
    return [shape for shape in Shape if shape.value in words]


def _run(connection: DuckDBPyConnection, work: Callable[[], Answer]) -> Answer:
    """Run the query in another thread: in the main thread, duckdb swallows interrupts."""
    from concurrent.futures import Future, wait  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    answer: Future[Answer] = Future()

    def deliver() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
            answer.set_exception(error)

    worker = Thread(target=deliver, daemon=True)
    try:
        worker.start()
        return answer.result()
    except KeyboardInterrupt:
        # Wait first: duckdb ignores an interrupt that arrives before the query starts.
        wait([answer], timeout=_MOMENT_S)
        while worker.ident is not None and not answer.done():
            connection.interrupt()
            wait([answer], timeout=_MOMENT_S)
        raise


def _fetch(
    connection: DuckDBPyConnection, tables: Mapping[str, Any], sql: str, arrow: bool
) -> Answer:
    for name, table in tables.items():
        connection.register(name, table)
    relation: DuckDBPyRelation | None = connection.sql(sql)
    if relation is None:
        raise ProblemError("query: the query is empty; try: select * from runs")
    names = _tell_apart(relation.columns)
    if arrow:
        return Answer(names, [], relation.to_arrow_table().rename_columns(list(names)))
    return Answer(names, relation.fetchall(), None)


def _tell_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Make column names unique by appending a number to repeated ones."""
    found: dict[str, None] = {}
    for name in names:
        count, given = 1, name
        while given in found:
            count += 1
            given = f"{name}_{count}"
        found[given] = None
    return tuple(found)


def _explain(message: str, sql: str, vocabulary: Vocabulary) -> str:
    """The error message of duckdb in one line, with the closest column name."""
    said = _QUOTED_QUERY.split(message, maxsplit=1)[0]
    unknown = _UNKNOWN_COLUMN.search(said)
    nearest = _nearest(unknown[1], _named(sql), vocabulary) if unknown else ""
    if nearest:
        said = f"{_CANDIDATES.split(said, maxsplit=1)[0]}; did you mean {nearest}?"
    return " ".join(said.split())


def _nearest(name: str, shapes: Iterable[Shape], vocabulary: Vocabulary) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for a mistake only

    known = [field.name for shape in shapes for field in fields(shape, vocabulary)]
    starts = [one for one in known if one.startswith(f"{name.lower()}_")]
    return next(iter(starts or get_close_matches(name.lower(), known, n=1)), "")
