"""Arrow files. The only module of the package that imports pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mdbench.results.contents import Scanned
from mdbench.results.files import UnreadableError
from mdbench.results.scans import FILE


def read_arrow(files: Sequence[Scanned]) -> Any:
    """The rows of Feather and IPC files as one table, columns by name."""
    import pyarrow as pa  # noqa: PLC0415 - needed for such files only
    from pyarrow import feather  # noqa: PLC0415

    tables = []
    for one in files:
        try:
            table = feather.read_table(one.file.real)
        except (pa.ArrowException, OSError) as error:
            said = " ".join(str(error).split())
            raise UnreadableError(f"{one.file.shown}: is no Arrow file: {said}") from error
        if FILE not in (name.lower() for name in table.column_names):
            shown = pa.array([one.file.shown] * table.num_rows, pa.string())
            table = table.append_column(FILE, shown)
        tables.append(table)
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        said = " ".join(str(error).split())
        raise UnreadableError(f"the files have columns of different types: {said}") from error
