"""How long `update --check` takes over large results, beside the same queries in duckdb alone.

python -m benchmarks.updating [--tables 1000] [--megabytes 1000] [--write docs/performance.md]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import NamedTuple

import duckdb

from handbook.regions import write_region
from mdbench.rendering.updating import update
from mdbench.results.database import Database, Rows, open_results
from mdbench.results.files import ResultFiles
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

_NODES = (1, 2, 4, 8)
_BYTES_PER_ROW = 33
_REGION = "updating"


class Outcome(NamedTuple):
    """What was measured."""

    megabytes: float
    tables: int
    update_s: float
    queries_s: float
    peak_mb: float

    @property
    def text(self) -> str:
        """The figures in a sentence."""
        return (
            f"{self.tables:,} bound tables over {self.megabytes:,.0f} MB of Parquet: "
            f"`update --check` takes {self.update_s / self.queries_s:.1f} × the CPU time of the "
            f"same queries in duckdb alone, with at most {self.peak_mb:,.0f} MB of memory."
        )


def write_results(path: Path, tables: int, megabytes: int) -> None:
    """Write runs of as many models as there are tables, with random measurements."""
    rows = megabytes * 1_000_000 // _BYTES_PER_ROW
    each = max(1, rows // (tables * len(_NODES)))
    duckdb.execute(
        f"copy (select 'm' || model as model, nodes, 100 + random() as step_time_ms, "
        f"1000 + random() as tokens_per_s, random() as loss, random() as grad_norm "
        f"from range({tables}) as a(model), unnest([1, 2, 4, 8]) as b(nodes), range({each}) "
        f"order by model, nodes) to '{path}' (format parquet)"
    )


def write_reports(tables: int) -> Iterator[Source]:
    """Reports of ten tables each."""
    for first in range(0, tables, 10):
        lines: list[str] = []
        for number in range(first, min(first + 10, tables)):
            lines += [f"<!-- mdbench: from runs where model = 'm{number}' -->"]
            lines += ["| Nodes | Step time (ms) | Tokens/s |", "|--:|--:|--:|"]
            lines += [*(f"| {nodes} | 100.5 | 1000.5 |" for nodes in _NODES), ""]
        yield Source(f"{first}.md", "\n".join(lines))


def measure(tables: int, megabytes: int) -> Outcome:
    """Update all reports, then ask duckdb what was asked."""
    vocabulary = standard_vocabulary()
    asked: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.parquet")
        # In a process of its own: sorting so many rows takes more memory than anything after it.
        writer = get_context("spawn").Process(target=write_results, args=(path, tables, megabytes))
        writer.start()
        writer.join()
        files = ResultFiles(folder, (("runs", path.name),))
        with open_results(files, vocabulary) as database:
            started = process_time()
            outcomes = (update(one, vocabulary, database) for one in write_reports(tables))
            unbound = [remark for one in outcomes for remark in one.remarks]
            update_s = process_time() - started
            _listen(database, asked)
            for one in write_reports(tables):
                update(one, vocabulary, database)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        if unbound:
            raise SystemExit(f"not all tables are compared: {unbound[0]}")
        return Outcome(path.stat().st_size / 1e6, tables, update_s, _ask_alone(path, asked), peak)


def _listen(database: Database, asked: list[str]) -> None:
    """Note the queries that are asked."""
    ask = database.ask

    def noting(sql: str, *, seconds: float = 10) -> Rows:
        asked.append(sql)
        return ask(sql, seconds=seconds)

    database.ask = noting  # type: ignore[method-assign]


def _ask_alone(path: Path, asked: Sequence[str]) -> float:
    with duckdb.connect() as connection:
        connection.execute(f"create view runs as select * from read_parquet('{path}')")
        started = process_time()
        for sql in asked:
            connection.execute(sql).fetchall()
        return process_time() - started


def main() -> None:
    """Measure, and print or write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--write", type=Path, help="the page to write the figures into")
    given = parser.parse_args()
    outcome = measure(given.tables, given.megabytes)
    print(outcome.text)
    if given.write is not None:
        write_region(given.write, _REGION, [outcome.text])


if __name__ == "__main__":
    main()
