"""Questions in SQL: what they answer, how it is shown, and what they may not do."""

from __future__ import annotations

import builtins
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

from mdbench.cli.main import main
from mdbench.frames import sql as asking
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.vocabulary.quantities import standard_vocabulary

REPORT = """\
# Runs

| Model | Nodes | TP | Step time (ms) |
|---|---|---|---|
| small | 4 | 4 | 1500 |
| 大模型 | 16 | 2 | 812.5 |
| a\\|b*c | 8 | 4 | OOM |
"""

Capture = pytest.CaptureFixture[str]
Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Ask:
    """Ask one small report; gives the exit code, what is printed and what is complained of."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.md").write_text(REPORT, encoding="utf-8")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["query", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_an_answer_is_a_table_with_numbers_to_the_right(ask: Ask) -> None:
    code, out, err = ask("select nodes, step_time_s from runs where tp = 4 order by nodes")
    assert (code, err) == (0, "")
    assert out == "nodes  step_time_s\n    4          1.5\n    8\n"


def test_wide_characters_keep_the_columns_straight(ask: Ask) -> None:
    _, out, _ = ask("select model, nodes from runs order by nodes limit 3")
    assert out.splitlines() == [
        "model   nodes",
        "small       4",
        "a|b*c       8",
        "大模型     16",
    ]


def test_markdown_shows_texts_as_they_are(ask: Ask) -> None:
    code, out, _ = ask("select model, step_time_s from runs order by nodes", "--format", "markdown")
    assert code == 0
    assert out.splitlines() == [
        "| model   | step_time_s |",
        "| ------- | ----------: |",
        "| small   |         1.5 |",
        "| a\\|b\\*c |             |",
        "| 大模型  |      0.8125 |",
    ]


def test_csv_has_a_header_and_leaves_out_what_is_not_there(ask: Ask) -> None:
    _, out, _ = ask("select model, step_time_s, markers from runs order by nodes", "--format=csv")
    assert out == "model,step_time_s,markers\nsmall,1.5,[]\na|b*c,,[]\n大模型,0.8125,[]\n"


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("nodes", 4),
        ("step_time_s", 1.5),
        ("model", "small"),
        ("null", None),
        ("true", True),
        ("'nan'::double", None),
        ("1 / 0", None),
        ("1.25::decimal(4, 2)", 1.25),
        ("date '2024-05-01'", "2024-05-01"),
        ("[1, 2]", [1, 2]),
        ("map {'a': 'b'}", {"a": "b"}),
        ("'\\xAA'::blob", "aa"),
    ],
)
def test_json_has_a_form_for_every_value(ask: Ask, sql: str, value: object) -> None:
    _, out, _ = ask(f"select {sql} as it from runs where nodes = 4", "--format", "json")
    assert json.loads(out) == [{"it": value}]


def test_json_without_rows_is_an_empty_list(ask: Ask) -> None:
    assert ask("select * from runs where false", "--format", "json")[1] == "[]\n"


def test_columns_of_one_name_are_told_apart(ask: Ask) -> None:
    _, out, _ = ask("select tp, tp, nodes as tp from runs where nodes = 4", "--format", "json")
    assert json.loads(out) == [{"tp": 4, "tp_2": 4, "tp_3": 4}]


def test_parquet_keeps_the_types(ask: Ask, tmp_path: Path) -> None:
    assert ask("select nodes, step_time_s, extra, nodes from runs", "-o", "out.parquet")[0] == 0
    table = parquet.read_table(tmp_path / "out.parquet")
    assert [str(field.type).partition("<")[0] for field in table.schema] == [
        "int64",
        "double",
        "map",
        "int64",
    ]
    assert table.column_names == ["nodes", "step_time_s", "extra", "nodes_2"]
    assert table.num_rows == 3


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.csv", "nodes\n4"), ("a.json", '[\n{"nodes": 4}'), ("a.md", "| nodes"), ("a.txt", "nodes")],
)
def test_the_name_of_the_file_tells_the_format(
    ask: Ask, tmp_path: Path, name: str, start: str
) -> None:
    assert ask("select nodes from runs order by 1", "-o", name) == (0, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_name_that_tells_no_format_is_refused(ask: Ask) -> None:
    code, _, err = ask("select 1", "-o", "out.xlsx")
    assert code == 2
    assert err.startswith("mdbench: out.xlsx: no format has the suffix '.xlsx' (")


def test_binary_is_not_written_to_a_terminal(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, out, err = ask("select nodes from runs", "--format", "parquet")
    assert (code, out) == (2, "")
    assert "binary and this is a terminal" in err


def test_cells_are_a_table_too(ask: Ask) -> None:
    _, out, _ = ask(
        "select c.raw from cells c join runs r using (line) "
        "where r.nodes = 16 and c.quantity = 'step_time_s'"
    )
    assert out == "raw\n812.5\n"


@pytest.mark.parametrize(
    ("sql", "read"),
    [
        ("select 1", []),
        ("select count(*) from RUNS", [Shape.RUNS]),
        ("describe cells", [Shape.CELLS]),
        ("select * from cells join runs using (line)", [Shape.RUNS, Shape.CELLS]),
    ],
)
def test_only_the_tables_that_are_named_are_read(sql: str, read: list[Shape]) -> None:
    loaded: list[Shape] = []

    def load(shape: Shape) -> list[TidyRow]:
        loaded.append(shape)
        return []

    asking.ask(sql, load, standard_vocabulary())
    assert loaded == read


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "select nods from runs",
            "no column is called nods; did you mean nodes?",
        ),
        (
            "select tflops from runs",
            "no column is called tflops; did you mean tflops_per_device?",
        ),
        (
            "select quantum from cells",
            "no column is called quantum; did you mean quantity?",
        ),
        ("select r.nods from runs r", "no column is called r.nods; did you mean r.nodes?"),
        (
            "select runs.tflops from runs",
            "no column is called runs.tflops; did you mean runs.tflops_per_device?",
        ),
        (
            "select s.nods from (select nodes from runs) s",
            "no column is called s.nods; did you mean s.nodes?",
        ),
        (
            "select * from runs a join runs b using (nods)",
            "no column is called nods; did you mean nodes?",
        ),
        ("select * exclude (nods) from runs", "no column is called nods; did you mean nodes?"),
        ("select q.nodes from runs r", "no table is called q; did you mean r?"),
        ("selec 1", 'Parser Error: syntax error at or near "selec"'),
        (
            "select * from run",
            "no table is called run; there are runs, cells; did you mean runs?",
        ),
        ("select * from enum", "no table is called enum; there are runs, cells"),
        (
            "select zzz from runs",
            "no column is called zzz; `mdbench columns` lists the quantities",
        ),
        ("select\n  error('no\ngood')\nfrom runs", "Invalid Input Error: no good"),
        ("", "the query is empty; try: select * from runs"),
        ("-- only a remark", "the query is empty; try: select * from runs"),
    ],
)
def test_a_mistake_is_one_line(ask: Ask, sql: str, message: str) -> None:
    assert ask(sql) == (2, "", f"mdbench: query: {message}\n")


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_text('secret.txt')",
        "select * from read_csv('secret.txt')",
        "select * from 'secret.txt'",
        "select * from 'secret.csv'",
        "select * from glob('*')",
        "copy (select 1) to 'made.csv'",
        "attach 'made.db'",
        "export database 'made'",
        "set enable_external_access = true; select * from read_text('secret.txt')",
        "reset enable_external_access",
        "install httpfs",
        "load httpfs",
        "select * from 'https://localhost:9/a.csv'",
        "select * from sql",
        "create persistent secret s (type s3)",
    ],
)
def test_a_question_has_no_way_to_files_network_or_python(
    ask: Ask, tmp_path: Path, sql: str
) -> None:
    for name in ("secret.txt", "secret.csv"):
        (tmp_path / name).write_text("a,b\n1,2\n", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    code, out, err = ask(sql)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "1,2" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_without_duckdb_it_says_how_to_get_it(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def refuse(name: str, *others: object) -> object:
        if name == "duckdb":
            raise ImportError(name)
        return load(name, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    message = (
        "mdbench: query needs duckdb, which is not installed; in a checkout of mdbench: "
        "pip install '.[query]'\n"
    )
    assert ask("select 1") == (2, "", message)


def test_a_report_that_cannot_be_read_is_named_and_the_others_answer(
    ask: Ask, tmp_path: Path
) -> None:
    (tmp_path / "bad.md").write_bytes(b"\xff")
    code, out, err = ask("select count(*) as n from runs")
    assert (code, out) == (2, "n\n3\n")
    assert err.startswith("mdbench: bad.md: is not UTF-8")


def test_only_the_paths_that_are_given_are_asked(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text(REPORT, encoding="utf-8")
    assert ask("select distinct report from runs", "other.md")[1] == "report\nother.md\n"


def test_standard_input_can_be_asked_for_one_table(tmp_path: Path) -> None:
    def run(sql: str) -> subprocess.CompletedProcess[str]:
        command_line = [sys.executable, "-m", "mdbench", "query", sql, "-"]
        return subprocess.run(
            command_line, input=REPORT, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert run("select nodes from runs where nodes < 5").stdout == "nodes\n    4\n"
    both = run("select 1 from runs, cells")
    assert (both.returncode, both.stdout) == (2, "")
    assert both.stderr == "mdbench: standard input can be read only once: query runs or cells\n"


def test_an_interrupt_ends_a_long_question(tmp_path: Path) -> None:
    endless = "from range(1000000000) a, range(1000000) b where (a.range * b.range) % 7 = 3"
    command_line = [sys.executable, "-m", "mdbench", "query", f"select count(*) {endless}", "."]
    with subprocess.Popen(command_line, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(timeout=60) == 130
        finally:
            process.kill()


def test_options_may_stand_before_or_behind_the_paths(ask: Ask) -> None:
    sql = "select nodes from runs limit 1"
    before, behind = ask("--format", "csv", sql, "."), ask(sql, ".", "--format", "csv")
    assert before == behind == ask(sql, "--format", "csv", ".")
    assert before[1].startswith("nodes\n")


HUMAN = """\
| Nodes | Mem | Time (ms) | TFLOPs |
|--|--|--|--|
| 2 | 16 GB | 12.50 | **47.1** |
| 4 | 8 GB | 7.25 | 1,047.2 |
"""


def test_numbers_for_people_are_those_of_the_report(ask: Ask) -> None:
    Path("h.md").write_text(HUMAN, encoding="utf-8")
    sql = "select nodes, memory_mib, time_s, tflops_per_device as t, tflops_per_device from runs"
    _, out, _ = ask(sql, "h.md", "--human")
    rows = [line.split("  ") for line in out.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells[1:] == [
        ["2", "16 GB", "12.50 ms", "47.1 TFLOPs", "47.1 TFLOPs"],
        ["4", "8 GB", "7.25 ms", "1,047.2 TFLOPs", "1,047.2 TFLOPs"],
    ]
    _, out, _ = ask("select avg(memory_mib), max(time_s) as m from runs", "h.md", "--human")
    assert out.splitlines()[1].split() == ["12", "GB", "12.50", "ms"]
    assert "15258.7890625" in ask("select memory_mib from runs", "h.md")[1]


BOUNDS = [
    pytest.param((">80",), [">80 GB"], id="a lower bound"),
    pytest.param(("<80", "< 80"), ["<80 GB", "<80 GB"], id="an upper bound"),
    pytest.param(("~80", "75"), ["~80 GB", "75 GB"], id="an estimate"),
    # Nobody who has the value only knows which of the two it is.
    pytest.param((">80", "80"), ["≥80 GB", "≥80 GB"], id="a bound and a number"),
    pytest.param(("≤80", "80"), ["≤80 GB", "≤80 GB"], id="at most, and a number"),
    pytest.param((">80", "<80"), ["~80 GB", "~80 GB"], id="bounds on both sides"),
]


@pytest.mark.parametrize(("printed", "shown"), BOUNDS)
def test_a_bound_is_shown_as_one(ask: Ask, printed: tuple[str, ...], shown: list[str]) -> None:
    rows = "".join(f"| {2**at} | {one} |\n" for at, one in enumerate(printed))
    Path("h.md").write_text(f"| Nodes | Mem (GB) |\n|--|--|\n{rows}", encoding="utf-8")
    out = ask("select memory_mib from runs order by nodes", "h.md", "--human")[1]
    assert [line.strip() for line in out.splitlines()[1:]] == shown


NAMED = [
    pytest.param("select r.memory_mib as m from runs r", "16 GB", id="another name"),
    pytest.param("select round(avg(memory_mib), 1) as m from runs", "12 GB", id="a mean"),
    pytest.param("select round(avg(memory_mib), 1) from runs", "12 GB", id="a mean without one"),
    pytest.param(
        "with q as (select max(memory_mib) as m from runs) select m as n from q",
        "16 GB",
        id="twice",
    ),
    pytest.param("select memory_mib * 2 as m from runs", "30517.578125", id="computed"),
    pytest.param("select memory_mib * 2 from runs", "30517.578125", id="computed without a name"),
    pytest.param("select memory_mib * 2 as memory_mib from runs", "30517.578125", id="its name"),
    pytest.param(
        "select memory_mib from (select 2 * memory_mib as memory_mib from runs)",
        "30517.578125",
        id="computed below",
    ),
    pytest.param("select count(memory_mib) from runs", "2", id="a count"),
    pytest.param("select count(memory_mib) as m from runs", "2", id="a count with a name"),
    pytest.param("select memory_mib from runs union select 5", "16 GB", id="a union"),
]


@pytest.mark.parametrize(("sql", "shown"), NAMED)
def test_a_number_has_the_unit_of_the_column_that_it_comes_from(
    ask: Ask, sql: str, shown: str
) -> None:
    Path("h.md").write_text(HUMAN, encoding="utf-8")
    code, out, err = ask(sql, "h.md", "--human")
    assert (code, err) == (0, "")
    assert shown in [line.strip() for line in out.splitlines()[1:]]


def test_numbers_for_programs_stay_as_they_are(ask: Ask) -> None:
    code, out, err = ask("select nodes from runs", "--human", "--format", "csv")
    assert (code, out) == (2, "")
    assert err == "mdbench: --human is for people: use --format table, not csv\n"
