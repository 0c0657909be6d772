"""SQL queries on the tidy frames, and on the tables of results beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mdbench.files.errors import ProblemError
from mdbench.frames.frame_columns import Shape, TidyRow, fields
from mdbench.regex import lazy
from mdbench.results.database import NoDuckdbError, ResultsError, open_results
from mdbench.results.files import ResultFiles
from mdbench.vocabulary.quantities import Vocabulary

Load = Callable[[Shape], Iterable[TidyRow]]
"""Reads the rows of a frame; called only for frames that the query names."""

_NO_RESULTS = ResultFiles(".")
_WORD = lazy(r"(?:\bresults *\. *)?\w+")


class Answer(NamedTuple):
    """The result of a query: unique column names, and the rows."""

    names: tuple[str, ...]
    rows: list[tuple[object, ...]]
    arrow: Any
    """The result as a pyarrow table, if requested."""
    sources: tuple[str, ...] = ()
    """The column of the frames that each column comes from; empty if it is computed."""


def ask(
    sql: str,
    load: Load,
    vocabulary: Vocabulary,
    *,
    results: ResultFiles = _NO_RESULTS,
    arrow: bool = False,
) -> Answer:
    """Run a query; raise a one-line `ProblemError` if it is invalid."""
    words = _words(sql)
    named = [shape for shape in Shape if shape.value in words]
    wanted = [name for name, _ in results.patterns if {name, f"results.{name}"} & words]
    known: dict[str, tuple[str, ...]] = {name: () for name, _ in results.patterns}
    for shape in Shape:
        columns = fields(shape, vocabulary) if shape in named else ()
        known[shape.value] = tuple(field.name for field in columns)
    try:
        # Who asks may read the files anyway: memory is not limited.
        with open_results(results, vocabulary, only=wanted, memory="") as database:
            for name, table in _provide(named, load, vocabulary).items():
                database.register(name, table)
            answer = database.answer(sql, lambda connection: _fetch(connection, sql, arrow), known)
            return answer._replace(sources=database.sources_of(sql, answer.names))
    except NoDuckdbError as error:
        raise ProblemError(f"query {error}") from error
    except ResultsError as error:
        raise ProblemError(f"query: {error}") from error


def _words(sql: str) -> set[str]:
    """The words of a query; `results.runs` is one, because it is not the frame `runs`."""
    return {word.replace(" ", "") for word in _WORD.findall(sql.lower())}


def _provide(named: Iterable[Shape], load: Load, vocabulary: Vocabulary) -> dict[str, Any]:
    """Both frames, of which only those that the query names are read."""
    from mdbench.frames.pandas import make_table, schema  # noqa: PLC0415 - needed by questions only

    return {
        shape.value: make_table(load(shape) if shape in named else (), schema(shape, vocabulary))
        for shape in Shape
    }


def _fetch(connection: Any, sql: str, arrow: bool) -> Answer:
    relation = connection.sql(sql)
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
