"""Comments that bind a table or a number to results.

`<!-- mdbench: from runs where model = '7B' -->` stands above a table, and
`<!-- mdbench: = max(tokens_per_s) from runs -->462,000<!-- / -->` around a number in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.markdown.comments import Comment, binds, find_comments
from mdbench.markdown.document import Document, Table
from mdbench.regex import lazy
from mdbench.source import Span

AGGREGATES = ("median", "mean", "min", "max", "sum", "first", "last")
"""How several results of one row are made one; a comment may name it."""

SAID = "= "
"""How the names of columns begin that the comment gives an expression for."""
_CLAUSE = lazy(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\b(?P<name>columns|aggregate)\s*:", re.IGNORECASE
)
_FROM = lazy(r"\bfrom\b", re.IGNORECASE)
_NEXT_COLUMN = lazy(r",\s*(?=\"(?:[^\"]|\"\")+\"\s*=)")
_COLUMN = lazy(r"\s*\"(?P<header>(?:[^\"]|\"\")+)\"\s*=\s*(?P<value>.+?)\s*", re.DOTALL)
_END = lazy(r"<!--\s*/\s*-->")
_COMMENTS = lazy(r"(?:\s|>|<!--(?:(?!-->).){0,10000}-->)*", re.DOTALL)
_FARTHEST = 200


def said_name(header: str) -> str:
    """The column of the query for a header with an expression: no other has an equals sign.

    To SQL, `Min` would be the column `min` of the results.
    """
    return f"{SAID}{header}"


def quote(name: str) -> str:
    """The name of a column in SQL."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


class TableBinding(NamedTuple):
    """A table, and the query that its numbers come from."""

    span: Span
    """The comment."""
    table: Table | None
    query: str
    columns: tuple[tuple[str, str], ...] = ()
    """Headers, and the expression that gives each of them."""
    aggregate: str = ""
    """How several results of a row are made one; nothing where the comment does not say."""
    problem: str = ""
    """What is wrong with the comment."""

    @property
    def sql(self) -> str:
        """The query, with the columns that the comment names by a header."""
        named = "".join(
            f", ({value}) as {quote(said_name(header))}" for header, value in self.columns
        )
        # On a line of its own: the query may end in a comment of SQL.
        return f"select *{named} from ({self.query}\n)" if named else self.query


class NumberBinding(NamedTuple):
    """A number in a sentence, and the query that gives it."""

    span: Span
    """The comment."""
    text: Span
    """What stands between the two comments."""
    expression: str
    """What is asked for: `max(tokens_per_s)`."""
    sql: str
    problem: str = ""


def find_bindings(document: Document) -> Iterator[TableBinding | NumberBinding]:
    """The comments of a report that bind something, in the order of its text."""
    for comment in find_comments(document):
        if binds(comment.body):
            body = _without_quotes(document, comment).strip()
            if body.startswith("="):
                yield _read_number(document, comment, body[1:].strip())
            else:
                yield _read_table(document, comment, body)


def _without_quotes(document: Document, comment: Comment) -> str:
    """What a comment says, without the `>` before each of its lines in a block quote."""
    source = document.source
    start = source.line_starts[source.line(comment.span.start) - 1]
    depth = source.text[start : comment.span.start].count(">")
    first, *others = comment.body.split("\n")
    return "\n".join((first, *(_unquote(line, depth) for line in others)))


def _unquote(line: str, depth: int) -> str:
    for _ in range(depth):
        bare = line.lstrip(" \t")
        if not bare.startswith(">"):
            break
        line = bare[1:]
    return line


def _read_number(document: Document, comment: Comment, body: str) -> NumberBinding:
    text = document.source.text
    end = _END.search(text, comment.span.end, comment.span.end + _FARTHEST)
    inside = Span(comment.span.end, end.start() if end else comment.span.end)
    problem = ""
    if end is None or "\n" in text[inside.start : inside.end]:
        problem = "the number needs `<!-- / -->` behind it, on the same line"
    expression = _FROM.split(body, maxsplit=1)[0].strip()
    return NumberBinding(comment.span, inside, expression, f"select {body}", problem)


def _read_table(document: Document, comment: Comment, body: str) -> TableBinding:
    table = _table_below(document, comment.span.end)
    binding = TableBinding(comment.span, table, body)
    if table is None:
        return binding._replace(problem="there is no table below this comment")
    clauses = [match for match in _CLAUSE.finditer(body) if match["name"]]
    if not clauses:
        return binding
    binding = binding._replace(query=body[: clauses[0].start()].rstrip(" \t\r\n;"))
    ends = [*(match.start() for match in clauses[1:]), len(body)]
    for match, end in zip(clauses, ends, strict=True):
        said = body[match.end() : end].strip(" \t\r\n;")
        if match["name"].lower() == "columns":
            binding = _with_columns(binding, said)
        elif said.lower() in AGGREGATES:
            binding = binding._replace(aggregate=said.lower())
        else:
            known = ", ".join(AGGREGATES)
            binding = binding._replace(problem=f"{said!r} is no aggregate; known are {known}")
    return binding


def _with_columns(binding: TableBinding, said: str) -> TableBinding:
    columns: list[tuple[str, str]] = []
    for part in _NEXT_COLUMN.split(said):
        match = _COLUMN.fullmatch(part)
        if match is None:
            wrong = f'`columns:` needs "Header" = expression, not {part.strip()!r}'
            return binding._replace(problem=wrong)
        columns.append((match["header"].replace('""', '"'), match["value"]))
    return binding._replace(columns=tuple(columns))


def _table_below(document: Document, offset: int) -> Table | None:
    """The table that follows, with nothing but blank lines and comments between."""
    start = _COMMENTS.match(document.source.text, offset)
    reached = start.end() if start else offset
    tables = (one for one in document.tables if one.span.end > offset)
    found = next(tables, None)
    return found if found is not None and found.span.start <= reached else None
