"""From the files of a pattern to a table in the database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from mdbench.results.contents import Format, Loaded, Scanned, read_content
from mdbench.results.files import FoundFile, UnreadableError, find_files
from mdbench.results.parts import join_parts
from mdbench.results.records import spell_records, type_columns
from mdbench.results.scans import (
    FILE,
    is_number_type,
    quote_name,
    scan_files,
    select_flat,
)
from mdbench.results.shapes import Part
from mdbench.results.tables import Meaning, Meanings, ResultColumn, ResultTable, read_column
from mdbench.vocabulary.quantities import Vocabulary


def build_table(
    connection: Any, home: str, name: str, pattern: str, vocabulary: Vocabulary
) -> tuple[ResultTable, tuple[FoundFile, ...]]:
    """Make the table `results.NAME` of its files, all columns by name."""
    files = find_files(home, pattern)
    contents = [read_content(file) for file in files]
    loaded = [one for one in contents if isinstance(one, Loaded)]
    scanned = [one for one in contents if isinstance(one, Scanned)]
    joined = join_parts(part for one in loaded for part in _with_file(one))
    queries = [
        *_insert(connection, name, joined),
        *_scan(connection, home, name, scanned),
    ]
    whole = f"results.{quote_name(name)}"
    connection.execute(f"create view {whole} as {' union all by name '.join(queries)}")
    for file in files:
        file.check_unchanged()
    columns = _read_columns(connection, whole, joined.meanings, vocabulary)
    return ResultTable(name, columns, tuple(file.shown for file in files)), files


def _with_file(one: Loaded) -> Iterator[Part]:
    """The parts of a file, with a column that says which file it is."""
    for part in one.parts:
        named = any(key.lower() == FILE for record in part.records for key in record)
        place = {} if named else {FILE: one.file.shown}
        yield Part([{**record, **place} for record in part.records], part.meanings)


def _insert(connection: Any, name: str, part: Part) -> Iterator[str]:
    """Put records into a table of their own; give the query for it."""
    if not part.records:
        return
    columns = type_columns(part.records)
    kinds = [{one.name: one.type if "[" not in one.type else [one.type[:-2]] for one in columns}]
    held = f"results.{quote_name(f'{name} records')}"
    connection.execute(
        f"create table {held} as select unnest(record) "
        "from (select unnest(from_json($1, $2)) as record)",
        [spell_records(part.records, columns), json.dumps(kinds)],
    )
    yield f"select * from {held}"


def _scan(connection: Any, home: str, name: str, scanned: Sequence[Scanned]) -> Iterator[str]:
    for kind in Format:
        files = [one for one in scanned if one.format is kind]
        if not files:
            continue
        if kind is Format.ARROW:
            scan = _copy_arrow(connection, name, files)
        else:
            scan = scan_files(kind, files)
        relation = connection.sql(f"select * from {scan}")
        if not relation.columns:
            raise UnreadableError(f"{files[0].file.shown}: has no columns")
        yield select_flat(scan, relation.columns, relation.types, home)


def _copy_arrow(connection: Any, name: str, files: Sequence[Scanned]) -> str:
    from mdbench.results.arrow import read_arrow  # noqa: PLC0415 - loads pyarrow

    held = f"results.{quote_name(f'{name} arrow')}"
    connection.register("mdbench_arrow", read_arrow(files))
    connection.execute(f"create table {held} as select * from mdbench_arrow")
    connection.unregister("mdbench_arrow")
    return held


def _read_columns(
    connection: Any, table: str, meanings: Meanings, vocabulary: Vocabulary
) -> tuple[ResultColumn, ...]:
    relation = connection.sql(f"select * from {table}")
    # A file is where a row is from, not what was measured.
    known = {FILE: Meaning(), **meanings}
    return tuple(
        read_column(name, is_number_type(kind), known.get(name), vocabulary)
        for name, kind in zip(relation.columns, relation.types, strict=True)
    )
