"""A query in a comment may come from anybody: it reads the tables of results and nothing else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mdbench.results.database import Database, ResultsError, open_results
from mdbench.results.files import ResultFiles
from mdbench.vocabulary.quantities import standard_vocabulary
from tests.results.conftest import Open

_HARMLESS = (
    "from runs",
    "select nodes, round(median(time_s), 2) from runs group by all having count(*) > 0",
    "select replace(model, 'org/', ''), model || ' on ' || nodes || ' nodes' from runs",
    "select sum(time_s) over (order by nodes), row_number() over (), lag(nodes) over () from runs",
    "with best as (select min(time_s) as t from runs) select time_s / t from runs, best",
    "select case when nodes > 2 then 'many' else 'few' end, coalesce(time_s, 0) from runs",
    "select quantile_cont(time_s, 0.99), stddev(time_s), max_by(model, nodes) from runs",
    "select * from runs where model like '7%' or model ilike '%b' or nodes in (1, 2)",
    "select time_s::integer, try_cast(model as double), upper(model), model[1:2] from runs",
    "select x from (values (1), (2)) as v(x) union select nodes from runs order by 1 limit 3",
    "select date_part('year', date '2026-01-02'), date_trunc('day', date '2026-01-02')",
    "select column_name from (describe select * from runs)",
)
_REFUSED = (
    # Other files, of this folder too.
    ("from read_csv('secret.csv')", "only tables of results can be read, not read_csv()"),
    ("from 'secret.csv'", 'tables of results only, not the file "secret.csv"'),
    ('from "runs.csv/../secret.csv"', "tables of results only"),
    ("from read_text('/etc/passwd')", "only tables of results can be read"),
    ("from read_blob('file:///etc/passwd')", "only tables of results can be read"),
    ("from '/proc/self/environ.csv'", "tables of results only"),
    ("from glob('*')", "only tables of results can be read, not glob()"),
    ("select (select content from read_text('secret.csv'))", "only tables of results can be read"),
    (
        "select nodes from runs where nodes in (from read_csv('secret.csv'))",
        "only tables of results",
    ),
    (
        "from query('from read_csv(''secret.csv'')')",
        "only tables of results can be read, not query()",
    ),
    ("from sniff_csv('secret.csv')", "only tables of results can be read"),
    # The machine and the settings.
    ("from duckdb_settings()", "only tables of results can be read"),
    ("select current_setting('allowed_paths')", "the function current_setting is not allowed"),
    ("select getenv('HOME')", "the function getenv is not allowed"),
    ("set threads = 1", "only select is allowed, not SET"),
    ("set lock_configuration = false", "only select is allowed, not SET"),
    ("reset memory_limit", "only select is allowed"),
    ("pragma enable_profiling", "only select is allowed"),
    ("call enable_logging()", "only select is allowed"),
    ("from enable_logging(storage = 'file', storage_path = 'log')", "only tables of results"),
    # Writing.
    ("copy runs to 'copy.csv'", "only select is allowed, not COPY"),
    ("copy (select 1) to 'runs.csv'", "only select is allowed, not COPY"),
    ("export database 'copy'", "only select is allowed"),
    ("create table copy as from runs", "only select is allowed, not CREATE"),
    ("insert into runs values (1)", "only select is allowed, not INSERT"),
    ("delete from runs", "only select is allowed, not DELETE"),
    ("drop view results.runs", "only select is allowed, not DROP"),
    ("select 1; copy runs to 'copy.csv'", "only one query is allowed"),
    ("attach 'copy.db'", "only select is allowed, not ATTACH"),
    ("attach ':memory:' as other", "only select is allowed, not ATTACH"),
    # Extensions and the network.
    ("install httpfs", "only select is allowed, not LOAD"),
    ("load httpfs", "only select is allowed, not LOAD"),
    ("from 'https://example.org/a.csv'", "tables of results only"),
    ("from 's3://example/a.parquet'", "tables of results only"),
    ("from read_parquet('https://example.org/a.parquet')", "only tables of results can be read"),
    # Memory that duckdb does not count, and time that it does not interrupt.
    ("select repeat('x', 2000000000)", "the function repeat is not allowed"),
    ("select \"repeat\" /* */ ('x', 2000000000)", "the function repeat is not allowed"),
    ("select 'x'.repeat(2000000000)", "the function repeat is not allowed"),
    ("select main.lpad('x', 2000000000, 'x')", "the function lpad is not allowed"),
    ("select format('{:>2000000000}', 'x')", "the function format is not allowed"),
    ("select printf('%2000000000d', 1)", "the function printf is not allowed"),
    ("select len(range(2000000000))", "the function range is not allowed"),
    ("select string_agg(model, '') from runs", "the function string_agg is not allowed"),
    ("select replace(model, '7', model) from runs", "replace() may only put in a text"),
    ("select replace(model, '7', '77') from runs", "replace() may only put in a text"),
    ("select " + " || ".join(["model"] * 20) + " from runs", "too many texts are joined"),
    (f"select concat({', '.join(['model'] * 20)}) from runs", "too many texts are joined"),
    (
        "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r",
        "recursive queries are not allowed",
    ),
    ("select count(*) from range(100000000000)", "only tables of results can be read"),
    ("select random() from runs", "the function random is not allowed"),
    # Nothing that could be asked.
    ("", "the query is empty"),
    ("-- nothing", "the query is empty"),
    ("selec 1", "Parser Error"),
    ("select " + "(" * 5000 + "1" + ")" * 5000, ""),
)


@pytest.fixture
def database(tmp_path: Path, opened: Open) -> Database:
    """A table beside a file that is none of the results."""
    lines = "".join(f"7B,{nodes},{8 / nodes}\n" for nodes in (1, 2, 4, 8))
    (tmp_path / "runs.csv").write_text(f"model,nodes,time_s\n{lines}")
    (tmp_path / "secret.csv").write_text("secret\n1\n")
    found = opened(tmp_path, {"runs": "runs.csv"})
    assert found.problems == {}
    return found


@pytest.mark.parametrize("query", _HARMLESS)
def test_what_tables_need_can_be_asked(query: str, database: Database) -> None:
    assert database.ask(query).rows


@pytest.mark.parametrize(("query", "why"), _REFUSED, ids=[query[:40] for query, _ in _REFUSED])
def test_all_else_is_refused(query: str, why: str, database: Database, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ResultsError) as refused:
        database.ask(query, seconds=5)
    message = str(refused.value)
    assert why in message
    assert "\n" not in message
    assert str(tmp_path) not in message
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert len(database.ask("from runs").rows) == 4


def test_a_path_of_the_machine_is_refused(database: Database, tmp_path: Path) -> None:
    for query in (f"from '{tmp_path}/secret.csv'", f"from '{tmp_path}/runs.csv/../secret.csv'"):
        with pytest.raises(ResultsError, match="tables of results only"):
            database.ask(query)


def test_a_query_that_takes_too_long_is_stopped(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "runs.csv").write_text("nodes\n" + "1\n" * 2000)
    database = opened(tmp_path, {"runs": "runs.csv"})
    start = time.monotonic()
    with pytest.raises(ResultsError, match=r"the query takes more than 0\.5 s"):
        database.ask(
            "select sum(a.nodes + b.nodes * c.nodes) from runs a, runs b, runs c", seconds=0.5
        )
    assert time.monotonic() - start < 10
    assert database.ask("select count(*) from runs").rows == [(2000,)]


def test_an_answer_that_is_too_large_is_refused(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "runs.csv").write_text("nodes\n" + "1\n" * 2000)
    database = opened(tmp_path, {"runs": "runs.csv"})
    with pytest.raises(ResultsError, match="the answer has more than 1000000 rows"):
        database.ask("select 1 from runs a, runs b")


def test_memory_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("nodes\n" + "".join(f"{one}\n" for one in range(20_000)))
    files = ResultFiles(str(tmp_path), (("runs", "runs.csv"),))
    with open_results(files, standard_vocabulary(), memory="100MB") as database:
        with pytest.raises(ResultsError, match="Out of Memory"):
            database.ask("select count(distinct a.nodes * 20000 + b.nodes) from runs a, runs b")
        assert database.ask("select count(*) from runs").rows == [(20_000,)]
