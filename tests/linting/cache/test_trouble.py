"""The cache of `lint` if it is broken, foreign, shared, full or unavailable."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mdbench.cli.main import main
from mdbench.linting.cache import index, memory, signatures
from tests.conftest import Result, Run

CACHE = Path(".mdbench_cache")
CLEAN = "# Runs\n\n| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n"
WARNED = f"{CLEAN}| 2 | 47.1 |\n"
WRONG = f"{CLEAN}| 4 | 23.6 | 8 |\n"
BASIC = ("CACHEDIR.TAG", ".gitignore", "stamp")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with two reports and the cache in its default place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDBENCH_CACHE_DIR", raising=False)
    monkeypatch.setattr(signatures, "SETTLED_NS", -(10**12))
    write("a.md", WARNED)
    write("b.md", WRONG)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def index_file() -> Path:
    (found,) = CACHE.glob("*.index")
    return found


def take_apart(data: bytes) -> tuple[list[Any], bytes]:
    """The rows of an index, and the pieces behind them."""
    start = index.HEADER_LENGTH
    length = int(data[:start].split()[-1])
    return json.loads(data[start : start + length]), data[start + length :]


def put_together(rows: Any, pieces: bytes) -> bytes:
    """An index with a valid checksum for any rows."""
    head = json.dumps(rows).encode()
    return index.HEADER % (index.MAGIC, crc32(head), len(head)) + head + pieces


KINDS = ("full", "json", "sarif")
each_time = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Whole(NamedTuple):
    """A complete index, and the output based on it."""

    data: bytes
    answers: dict[str, Result]


@pytest.fixture
def whole(run: Run) -> Whole:
    answers = {kind: run("lint", ".", "--no-cache", "--format", kind) for kind in KINDS}
    assert answers == {kind: run("lint", ".", "--format", kind) for kind in KINDS}
    return Whole(index_file().read_bytes(), answers)


@each_time
@given(data=st.data())
def test_a_truncated_or_corrupt_index_does_not_change_the_output(
    run: Run, whole: Whole, data: st.DataObject
) -> None:
    garbled = bytearray(whole.data)
    at = data.draw(st.integers(0, len(garbled) - 1), label="at")
    put = data.draw(st.none() | st.binary(min_size=1, max_size=9), label="put")
    garbled[at : None if put is None else at + len(put)] = put or b""
    for kind, answer in whole.answers.items():
        index_file().write_bytes(garbled)
        assert run("lint", ".", "--format", kind) == answer


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"mdbench lint cache 3", b"\0" * 5000, b"{}", b"9" * 100]
)
def test_a_foreign_file_is_ignored_and_replaced(run: Run, content: bytes) -> None:
    first = run("lint", ".")
    index_file().write_bytes(content)
    assert run("lint", ".") == first
    assert len(index_file().read_bytes()) > 500


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=9,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places in rows where a value can be replaced."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(place for key, one in inside for place in places(one, (*path, key)))]


def spoil(value: Any, data: st.DataObject, what: st.SearchStrategy[Any]) -> None:
    """Replace some part of a value."""
    *path, last = data.draw(st.sampled_from(places(value)[1:]), label="where")
    for key in path:
        value = value[key]
    value[last] = data.draw(what, label="what")


@each_time
@given(data=st.data())
def test_invalid_rows_are_ignored(run: Run, whole: Whole, data: st.DataObject) -> None:
    rows, pieces = take_apart(whole.data)
    spoil(rows, data, anything)
    for kind, answer in whole.answers.items():
        index_file().write_bytes(put_together(rows, pieces))
        assert run("lint", ".", "--format", kind) == answer


@each_time
@given(data=st.data())
def test_invalid_findings_are_ignored(run: Run, whole: Whole, data: st.DataObject) -> None:
    rows, pieces = take_apart(whole.data)
    for row in rows[2].values():
        # Otherwise the findings would not be read.
        row[2].clear()
    for row in rows[3].values():
        offset, length, _ = row[3]
        detail = json.loads(pieces[offset : offset + length])
        # These values are not valid anywhere in a finding.
        spoil(detail, data, st.sampled_from([{"a": 1}, [[]], 1.5, True, -1, 10**9]))
        forged = json.dumps(detail).encode()
        row[3] = [len(pieces), len(forged), crc32(forged)]
        pieces += forged
    for kind, answer in whole.answers.items():
        index_file().write_bytes(put_together(rows, pieces))
        assert run("lint", ".", "--format", kind) == answer


def test_an_index_with_another_key_is_ignored(run: Run) -> None:
    first = run("lint", ".")
    rows, pieces = take_apart(index_file().read_bytes())
    rows[0] = rows[0].replace("0.", "9.")
    rows[3] = {}
    index_file().write_bytes(put_together(rows, pieces))
    assert run("lint", ".") == first


def test_a_broken_index_is_repaired(run: Run) -> None:
    first = run("lint", ".")
    whole = index_file().read_bytes()
    index_file().write_bytes(whole[: len(whole) // 2])
    assert run("lint", ".") == first
    assert take_apart(index_file().read_bytes())[0][2].keys() == {"a.md", "b.md"}


def test_a_foreign_stamp_is_ignored(run: Run) -> None:
    first = run("lint", ".")
    for content in (b"", b"[]", b"{", b'{"look": 1, "code": []}', b"\xff", b"[" * 100_000):
        (CACHE / "stamp").write_bytes(content)
        assert run("lint", ".") == first


def test_a_folder_in_place_of_the_index_is_ignored(run: Run) -> None:
    first = run("lint", ".")
    file = index_file()
    file.unlink()
    file.mkdir()
    assert run("lint", ".") == first
    assert "cannot be written" in run("lint", ".", "-v").err


@pytest.mark.parametrize("place", [os.devnull, "a.md", "a.md/cache", "full"])
def test_an_unusable_folder_is_ignored(
    run: Run, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    write("full/mine.txt", "mine")
    expected = run("lint", "a.md", "b.md", "--no-cache")
    monkeypatch.setenv("MDBENCH_CACHE_DIR", place)
    assert run("lint", "a.md", "b.md") == expected
    assert "cannot be written" in run("lint", "a.md", "b.md", "-v").err
    assert os.listdir("full") == ["mine.txt"]
    assert Path("a.md").read_text() == WARNED


@pytest.mark.unix
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_folder_without_write_permission_is_ignored(run: Run, home: Path) -> None:
    expected = run("lint", ".", "--no-cache")
    home.chmod(0o555)
    try:
        assert run("lint", ".") == expected
    finally:
        home.chmod(0o755)


def test_a_read_only_cache_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("lint", ".")

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    for place in (
        "mdbench.linting.cache.index.replace_file",
        "mdbench.linting.cache.place.replace_file",
    ):
        monkeypatch.setattr(place, refuse)
    monkeypatch.setattr("os.utime", refuse)
    assert run("lint", ".") == first
    write("c.md", CLEAN)
    told = run("lint", ".", "-v").err.splitlines()
    assert any(line.endswith(": 2 of 3 known") for line in told)
    assert any(line.endswith("cannot be written: Permission denied") for line in told)


def test_concurrent_processes_do_not_interfere(home: Path) -> None:
    for number in range(6):
        write(f"r/{number}.md", f"{WARNED}\n{number}\n")
    commands = [["lint", "."], ["lint", "r"], ["lint", "a.md", "b.md"], ["lint", "r/3.md"]]
    environment = {name: one for name, one in os.environ.items() if name != "MDBENCH_CACHE_DIR"}

    def start(command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "mdbench", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    alone = [start([*command, "--no-cache"]).communicate() for command in commands]
    for _ in range(2):
        together = [start(command) for command in commands * 2]
        assert [one.communicate() for one in together] == alone * 2
        assert {one.returncode for one in together} == {1}
    left = sorted(path.name for path in (home / CACHE).iterdir())
    assert left == sorted([*BASIC, index_file().name]), "and no draft of one"


def test_results_of_another_process_are_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write_index = memory.Memory._write  # noqa: SLF001 - to do something just before
    met: list[memory.Memory] = []

    def interrupt(one: memory.Memory) -> None:
        if not met:
            met.append(one)
            assert main(["lint", "b.md", "-q"]) == 1
        write_index(one)

    monkeypatch.setattr(memory.Memory, "_write", interrupt)
    run("lint", "a.md")
    assert take_apart(index_file().read_bytes())[0][2].keys() == {"a.md", "b.md"}


def test_deleted_files_are_dropped_on_the_next_write(run: Run) -> None:
    run("lint", ".")
    os.unlink("b.md")
    write("c.md", CLEAN)
    run("lint", "c.md")
    rows, _ = take_apart(index_file().read_bytes())
    assert rows[2].keys() == {"a.md", "c.md"}
    assert len(rows[3]) == 2


def test_an_index_does_not_grow_without_limit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MOST_BYTES", 4000)
    for number in range(40):
        write(f"r/{number}.md", f"{WRONG}\n{number}\n")
    for number in range(40):
        assert run("lint", f"r/{number}.md", "-q").code == 1
    rows, pieces = take_apart(index_file().read_bytes())
    assert len(pieces) < 8000
    assert "r/39.md" in rows[2]


def test_only_the_latest_indexes_are_kept(run: Run) -> None:
    for code in range(101, 106):
        for other in (201, 202, 203):
            run("lint", "a.md", "--select", f"MB{code},MB{other}")
    assert len(list(CACHE.glob("*.index"))) == memory.MOST_INDEXES
    before = sorted(CACHE.iterdir())
    run("lint", "a.md", "--select", "MB105,MB203")
    assert sorted(CACHE.iterdir()) == before


def test_no_cache_reads_and_writes_nothing(run: Run) -> None:
    first = run("lint", ".", "--no-cache")
    assert not CACHE.exists()
    run("lint", ".")
    rows, pieces = take_apart(index_file().read_bytes())
    for row in rows[3].values():
        row[0] = "||0"
    forged = put_together(rows, pieces)
    index_file().write_bytes(forged)
    assert run("lint", ".", "--no-cache") == first
    assert index_file().read_bytes() == forged


@pytest.mark.parametrize("option", ["--diff", "--fix"])
def test_fixing_writes_no_cache(run: Run, option: str) -> None:
    run("lint", ".", option)
    assert not CACHE.exists()


def test_a_run_without_reports_creates_no_cache(run: Run) -> None:
    write("empty/x.txt", "")
    run("lint", "empty")
    assert not CACHE.exists()


def test_git_ignores_the_cache(run: Run) -> None:
    git("init", "-q")
    git("add", ".")
    run("lint", ".")
    assert CACHE.is_dir()
    assert git("status", "--porcelain") == "A  a.md\nA  b.md\n"
    assert git("status", "--porcelain", "--ignored").endswith(f"!! {CACHE}/\n")


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def test_the_folder_is_tagged_as_a_cache(run: Run) -> None:
    run("lint", ".")
    tag = (CACHE / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


@pytest.mark.parametrize("sign", ["mdbench.toml", "pyproject.toml", ".git/HEAD"])
def test_the_cache_is_in_the_folder_of_the_project(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: Path, sign: str
) -> None:
    write(f"project/{sign}", "")
    write("project/deep/er/a.md", WARNED)
    monkeypatch.chdir("project/deep/er")
    run("lint", "a.md")
    assert sorted(home.rglob(CACHE.name)) == [home / "project" / CACHE]


def test_settings_and_the_environment_move_the_cache(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    write("mdbench.toml", 'cache-dir = "build/lint"\n')
    write("r/a.md", WARNED)
    monkeypatch.chdir("r")
    run("lint", "a.md")
    assert (home / "build/lint/CACHEDIR.TAG").exists()
    told = tomllib.loads(run("config").out)
    assert told["cache-dir"] == "build/lint"
    monkeypatch.setenv("MDBENCH_CACHE_DIR", "mine")
    run("lint", "a.md")
    assert (home / "r/mine/CACHEDIR.TAG").exists()
    lines = run("config").out.splitlines()
    assert [line.split() for line in lines if line.startswith("cache-dir")] == [
        ["cache-dir", "=", '"mine"', "#", "MDBENCH_CACHE_DIR"]
    ]


def test_projects_can_share_a_cache(run: Run, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("MDBENCH_CACHE_DIR", str(home / "shared"))
    for name, text in (("one", WARNED), ("two", CLEAN)):
        write(f"{name}/pyproject.toml", "")
        write(f"{name}/a.md", text)
    for _ in range(2):
        for name, code in (("one", 1), ("two", 0)):
            monkeypatch.chdir(home / name)
            assert run("lint", "a.md").code == code
    assert len(list((home / "shared").glob("*.index"))) == 2


def test_clean_removes_the_cache_and_says_so(run: Run) -> None:
    run("lint", ".")
    result = run("clean")
    assert (result.code, result.out) == (0, f"removed {CACHE} (0.0 MB)\n")
    assert not CACHE.exists()
    assert run("clean") == (0, "nothing to remove\n", "")


def test_clean_finds_nested_and_configured_caches(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    write("sub/pyproject.toml", "")
    write("sub/a.md", WARNED)
    monkeypatch.chdir("sub")
    run("lint", "a.md")
    monkeypatch.chdir(home)
    monkeypatch.setenv("MDBENCH_CACHE_DIR", "mine")
    run("lint", "a.md")
    assert run("clean").out.splitlines() == [
        "removed mine (0.0 MB)",
        f"removed sub/{CACHE} (0.0 MB)",
    ]


def test_clean_keeps_foreign_files(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("lint", ".")
    write(f"{CACHE}/notes.txt", "mine")
    write("other/.mdbench_cache/x.index", "not tagged")
    monkeypatch.setenv("MDBENCH_CACHE_DIR", ".")
    assert run("clean").out == f"removed {CACHE} (0.0 MB); kept files that mdbench did not write\n"
    assert os.listdir(CACHE) == ["notes.txt"]
    assert Path("other/.mdbench_cache/x.index").exists()
    assert Path("a.md").exists()


def test_a_name_that_is_not_text_is_cached(run: Run) -> None:
    Path(os.fsdecode(b"\xff.md")).write_text(WARNED)
    first = run("lint", ".", "--format", "concise")
    assert run("lint", ".", "--format", "concise") == first
    assert "\\xff.md:6:1 MB103" in first.out


def test_a_pipe_is_read_once(home: Path) -> None:
    command = f"{sys.executable} -m mdbench lint <(cat a.md) --format concise"
    for _ in range(2):
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=home
        )
        assert (done.returncode, "MB103" in done.stdout) == (1, True), done.stderr
