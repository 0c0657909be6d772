"""Files that are outside, empty, torn, changing or of another shape: told in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mdbench.results.contents import SMALL_BYTES
from mdbench.results.database import ResultsError
from tests.results.conftest import Open

_RECORDS = [{"nodes": 1, "time_s": 8.0}, {"nodes": 2, "time_s": 4.5}]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a configuration, with a secret beside it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.json").write_text('[{"secret": 1}]')
    (tmp_path / "project" / "bench").mkdir(parents=True)
    return tmp_path / "project"


def _problem(opened: Open, home: Path, pattern: str) -> str:
    database = opened(home, {"runs": pattern})
    assert database.tables == {}
    with pytest.raises(ResultsError) as refused:
        database.ask("from runs")
    assert str(refused.value) == database.problems["runs"]
    return database.problems["runs"].removeprefix("results.runs: ")


def test_links_do_not_lead_out(home: Path, opened: Open) -> None:
    bench = home / "bench"
    (bench / "file.json").symlink_to(home.parent / "outside" / "secret.json")
    (bench / "folder").symlink_to(home.parent / "outside")
    out = "is a link that leads out of the folder"
    assert _problem(opened, home, "bench/file.json") == f"bench/file.json: {out}"
    assert _problem(opened, home, "bench/*.json") == f"bench/file.json: {out}"
    assert _problem(opened, home, "bench/folder/*.json") == f"bench/folder: {out}"
    assert _problem(opened, home, "bench/folder/secret.json") == f"bench/folder/secret.json: {out}"
    # A link to a folder is not followed by a pattern.
    assert _problem(opened, home, "bench/**/secret.json") == "bench/**/secret.json: no file matches"


def test_a_link_within_the_folder_is_read(home: Path, opened: Open) -> None:
    (home / "data.json").write_text(json.dumps(_RECORDS))
    (home / "bench" / "last.json").symlink_to(home / "data.json")
    database = opened(home, {"runs": "bench/last.json"})
    assert database.ask("select nodes, file from runs").rows == [
        (1, "bench/last.json"),
        (2, "bench/last.json"),
    ]


def test_a_link_that_is_turned_after_opening_is_not_followed(home: Path, opened: Open) -> None:
    (home / "bench" / "runs.csv").write_text("nodes\n1\n")
    (home.parent / "outside" / "secret.csv").write_text("nodes\n99\n")
    database = opened(home, {"runs": "bench/runs.csv"})
    os.remove(home / "bench" / "runs.csv")
    (home / "bench" / "runs.csv").symlink_to(home.parent / "outside" / "secret.csv")
    with pytest.raises(ResultsError, match=r"bench/runs\.csv: changed while it was read"):
        database.ask("from runs")


@pytest.mark.parametrize(
    "pattern",
    ["../outside/secret.json", "/etc/passwd", "~/x.json", "bench/../../x.json", "C:/x.csv"],
)
def test_patterns_do_not_lead_out(pattern: str, home: Path, opened: Open) -> None:
    assert "leads out of the folder of the configuration" in _problem(opened, home, pattern)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"", "is empty"),
        ("a.json", b" \n", "is empty"),
        ("a.csv", b"", "is empty"),
        ("a.parquet", b"", "is empty"),
        ("a.json", b"[]", "has no records"),
        ("a.json", b"{}", "has no records"),
        ("a.json", b"3", "has no records"),
        ("a.json", b'[{"nodes": 1}, {"no', "ends in the middle: the file is incomplete"),
        ("a.json", b'{"results": [{"command": "x", "mean": 1', "the file is incomplete"),
        ("a.json", b'{"nodes": 1,}', "is not JSON"),
        ("a.json", b"[" * 100_000, "is not JSON that can be read"),
        ("a.jsonl", b'{"nodes": 1}\n{"nod', "its last line is incomplete"),
        ("a.parquet", b"PAR1 and then nothing", "bench/a.parquet"),
        ("a.parquet", b"nodes\n1\n", "is not what its suffix says"),
        ("a.json", b"PAR1....", "is not what its suffix says"),
        ("a.feather", b"ARROW1\0\0torn", "is no Arrow file"),
        ("a.json", b"\xff\xfe\x00", "is not UTF-8 text"),
        ("a.txt", b"some words\n", "is of no known format"),
        ("a.csv", b"a\0b\n1\n", "is not text"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(
    name: str, content: bytes, said: str, home: Path, opened: Open
) -> None:
    (home / "bench" / name).write_bytes(content)
    problem = _problem(opened, home, f"bench/{name}")
    assert f"bench/{name}" in problem
    assert said in problem
    assert "\n" not in problem
    assert str(home) not in problem


@pytest.mark.unix
def test_a_folder_or_a_pipe_is_no_file(home: Path, opened: Open) -> None:
    assert _problem(opened, home, "bench") == "bench: no file matches"
    os.mkfifo(home / "bench" / "pipe.json")
    assert _problem(opened, home, "bench/pipe.json") == "bench/pipe.json: is not a file"


@pytest.mark.parametrize("name", ["runs.csv", "runs.json", "runs.jsonl"])
def test_a_file_that_changes_is_told(name: str, home: Path, opened: Open) -> None:
    path = home / "bench" / name
    lines = {
        "runs.csv": "nodes\n1\n",
        "runs.json": '[{"nodes": 1}]',
        "runs.jsonl": '{"nodes": 1}\n',
    }
    path.write_text(lines[name])
    database = opened(home, {"runs": f"bench/{name}"})
    assert database.ask("select nodes from runs").rows == [(1,)]
    path.write_text(lines[name].replace("1", "22"))
    with pytest.raises(ResultsError, match=rf"bench/{name}: changed while it was read"):
        database.ask("select nodes from runs")
    path.unlink()
    with pytest.raises(ResultsError, match=name):
        database.ask("select nodes from runs")


def test_one_broken_table_leaves_the_others(home: Path, opened: Open) -> None:
    (home / "bench" / "good.json").write_text(json.dumps(_RECORDS))
    (home / "bench" / "torn.json").write_text('[{"nodes"')
    database = opened(home, {"good": "bench/good.json", "torn": "bench/torn.json"})
    assert len(database.ask("from good").rows) == 2
    assert list(database.problems) == ["torn"]


def test_a_shape_other_than_yesterday_is_told(home: Path, fixtures: Path, opened: Open) -> None:
    """The query asks for columns of hyperfine, and the file is of another tool by now."""
    text = (fixtures / "google-benchmark.json").read_text()
    (home / "bench" / "results.json").write_text(text)
    database = opened(home, {"runs": "bench/results.json"})
    with pytest.raises(ResultsError, match=r"no column is called command"):
        database.ask("select command, mean from runs")


def test_a_column_that_is_spelled_otherwise_is_suggested(home: Path, opened: Open) -> None:
    (home / "bench" / "results.json").write_text(json.dumps(_RECORDS))
    database = opened(home, {"runs": "bench/results.json"})
    with pytest.raises(ResultsError, match=r"did you mean time_s\?"):
        database.ask("select time from runs")
    with pytest.raises(ResultsError, match="did you mean runs"):
        database.ask("from run")


def test_a_column_of_numbers_that_becomes_text_is_no_crash(home: Path, opened: Open) -> None:
    records = [*_RECORDS, {"nodes": "four", "time_s": "OOM"}]
    (home / "bench" / "results.json").write_text(json.dumps(records))
    database = opened(home, {"runs": "bench/results.json"})
    assert database.ask("select nodes from runs").rows == [("1",), ("2",), ("four",)]
    with pytest.raises(ResultsError):
        database.ask("select sum(time_s) from runs")


def test_output_of_a_tool_is_not_read_if_it_is_huge(home: Path, opened: Open) -> None:
    path = home / "bench" / "go.txt"
    with path.open("wb") as stream:
        stream.write(b"BenchmarkX 1 1 ns/op\n")
        stream.truncate(SMALL_BYTES + 1)
    assert "bench/go.txt" in _problem(opened, home, "bench/go.txt")
