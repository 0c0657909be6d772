"""A locked database of results. The only module that imports duckdb."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mdbench.installing import how_to_install
from mdbench.regex import lazy
from mdbench.results.complaints import explain
from mdbench.results.files import FoundFile, ResultFiles, UnreadableError
from mdbench.results.origins import find_columns, find_source
from mdbench.results.queries import judge_query
from mdbench.results.tables import ResultColumn, ResultTable
from mdbench.vocabulary.quantities import Vocabulary

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

T = TypeVar("T")

MOST_ROWS = 1_000_000
_MOST_BYTES = 100_000_000
_CHUNK = 2000
_MOMENT_S = 0.05
_MISSING = "needs duckdb, which is not installed"
_SAFE = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
_MEMORY = "1GB"
_NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
_WORD = lazy(r"\w+")


class ResultsError(Exception):
    """A query is refused or fails; the message is one line for people."""


class NoDuckdbError(ResultsError):
    """duckdb is not installed."""


class Rows(NamedTuple):
    """The answer to a query."""

    names: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Source(NamedTuple):
    """A table that can be asked, and the files it is made of."""

    table: ResultTable
    files: tuple[FoundFile, ...]


class Database:
    """A locked, read-only duckdb connection."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        sources: Mapping[str, Source],
        problems: Mapping[str, str],
        home: str,
    ) -> None:
        self._connection = connection
        self._sources = sources
        self._home = home
        self.tables: Mapping[str, ResultTable] = {
            name: source.table for name, source in sources.items()
        }
        """The tables, by their names."""
        self.problems = problems
        """Why the files of a table cannot be read, in one line, by the name of the table."""

    def ask(self, sql: str, *, seconds: float = 10) -> Rows:
        """Run one `select`; `ResultsError` if it is refused, fails, is too slow or too big."""
        statement = self._only_select(sql)
        answer = self._guard(sql, lambda: _fetch(self._connection, statement), seconds)
        self._check_files(sql)
        return answer

    def columns_of(self, sql: str) -> Mapping[str, ResultColumn]:
        """The columns of the results that a `select` gives as they are, by their names."""
        return find_columns(self._parse(sql), self.tables)

    def sources_of(self, sql: str, names: Sequence[str]) -> tuple[str, ...]:
        """The column that each value of a `select` comes from; empty if it is computed."""
        try:
            tree = self._parse(sql)
        except ResultsError:
            return ("",) * len(names)
        return tuple(find_source(tree, name) for name in names)

    def answer(
        self,
        sql: str,
        fetch: Callable[[DuckDBPyConnection], T],
        beside: Mapping[str, Collection[str]],
    ) -> T:
        """Run a query of the user, of any kind and without limits; errors are `ResultsError`.

        `beside` has the other tables that there are, with their columns.
        """
        answer = self._guard(sql, lambda: fetch(self._connection), None, beside)
        self._check_files(sql)
        return answer

    def register(self, name: str, table: Any) -> None:
        """Add an Arrow table."""
        self._connection.register(name, table)

    def _only_select(self, sql: str) -> Any:
        import duckdb  # noqa: PLC0415

        try:
            statements = self._connection.extract_statements(sql)
        except duckdb.Error as error:
            raise ResultsError(self._explain(str(error))) from error
        if len(statements) != 1:
            told = "the query is empty" if not statements else "only one query is allowed"
            raise ResultsError(told)
        kind = statements[0].type
        if kind != duckdb.StatementType.SELECT:
            name = str(kind).rpartition(".")[2].replace("_", " ")
            raise ResultsError(f"only select is allowed, not {name}")
        if refused := judge_query(self._parse(sql)):
            raise ResultsError(refused)
        return statements[0]

    def _parse(self, sql: str) -> Mapping[str, Any]:
        found = self._connection.execute("select json_serialize_sql($1)", [sql]).fetchone()
        try:
            tree: Mapping[str, Any] = json.loads(found[0]) if found else {}
        except RecursionError as error:
            raise ResultsError("the query is nested too deeply") from error
        return tree

    def _guard(
        self,
        sql: str,
        work: Callable[[], T],
        seconds: float | None,
        beside: Mapping[str, Collection[str]] = _NOTHING,
    ) -> T:
        import duckdb  # noqa: PLC0415

        try:
            return run_in_thread(self._connection, work, seconds)
        except duckdb.Error as error:
            self._check_files(sql)
            raise ResultsError(self._explain(str(error), beside)) from error

    def _explain(self, message: str, beside: Mapping[str, Collection[str]] = _NOTHING) -> str:
        columns = [column.name for table in self.tables.values() for column in table.columns]
        columns += [column for known in beside.values() for column in known]
        return explain(
            message,
            columns=columns,
            tables=[*self.tables, *beside],
            problems=self.problems,
            home=self._home,
        )

    def _check_files(self, sql: str) -> None:
        words = set(_WORD.findall(sql.lower()))
        for name, source in self._sources.items():
            if name.lower() in words:
                try:
                    for file in source.files:
                        file.check_unchanged()
                except UnreadableError as error:
                    raise ResultsError(str(error)) from error


@contextmanager
def open_results(
    files: ResultFiles,
    vocabulary: Vocabulary,
    *,
    only: Collection[str] | None = None,
    memory: str = _MEMORY,
) -> Iterator[Database]:
    """The tables of results, or only some of them; `ResultsError` if duckdb is not installed."""
    try:
        import duckdb  # noqa: PLC0415
    except ImportError as error:
        raise NoDuckdbError(f"{_MISSING}; {how_to_install('query')}") from error
    from mdbench.results.building import build_table  # noqa: PLC0415 - needed with duckdb only

    home = os.path.realpath(files.folder)
    sources: dict[str, Source] = {}
    problems: dict[str, str] = {}
    config: dict[str, Any] = {**_SAFE, **({"memory_limit": memory} if memory else {})}
    with duckdb.connect(":memory:", config=config) as connection:
        connection.execute("create schema results")
        for name, pattern in files.patterns:
            if only is not None and name not in only:
                continue
            try:
                build = partial(build_table, connection, home, name, pattern, vocabulary)
                sources[name] = Source(*run_in_thread(connection, build, None))
            except UnreadableError as error:
                problems[name] = f"results.{name}: {error}"
            except duckdb.Error as error:
                said = explain(str(error), columns=(), tables=(), problems={}, home=home)
                problems[name] = f"results.{name}: {said}"
        _lock(connection, sources)
        yield Database(connection, sources, problems, home)


def _lock(connection: DuckDBPyConnection, sources: Mapping[str, Source]) -> None:
    """From now on a query can read the files of the tables and nothing else, and set nothing."""
    allowed = [file.real for source in sources.values() for file in source.files]
    connection.execute("set search_path = 'main,results'")
    connection.execute("set allowed_paths = $1", [allowed])
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def run_in_thread(
    connection: DuckDBPyConnection, work: Callable[[], T], seconds: float | None
) -> T:
    """Run a query in another thread: in the main thread, duckdb swallows interrupts."""
    from concurrent.futures import Future, wait  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    answer: Future[T] = Future()

    def deliver() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
            answer.set_exception(error)

    def stop() -> None:
        # Wait first: duckdb ignores an interrupt that arrives before the query starts.
        wait([answer], timeout=_MOMENT_S)
        while worker.ident is not None and not answer.done():
            connection.interrupt()
            wait([answer], timeout=_MOMENT_S)

    worker = Thread(target=deliver, daemon=True)
    try:
        worker.start()
        if not wait([answer], timeout=seconds).done:
            raise ResultsError(f"the query takes more than {seconds:g} s")
        return answer.result()
    finally:
        # After Ctrl-C, or when the time for the file is up.
        stop()


def _fetch(connection: DuckDBPyConnection, statement: Any) -> Rows:
    cursor = connection.execute(statement)
    names = tuple(column[0] for column in cursor.description or ())
    rows: list[tuple[Any, ...]] = []
    size = 0
    while chunk := cursor.fetchmany(_CHUNK):
        rows += chunk
        size += sum(len(value) for row in chunk for value in row if isinstance(value, str | bytes))
        if len(rows) > MOST_ROWS:
            raise ResultsError(f"the answer has more than {MOST_ROWS} rows")
        if size > _MOST_BYTES:
            raise ResultsError("the answer has more than 100 MB of text")
    return Rows(names, rows)
