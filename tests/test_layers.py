"""Who imports whom: the layers of the package, the doors to its dependencies, what is loaded."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "mdbench"
REPORT = PROJECT / "reports" / "fmengine.md"

# The only places that may import a package.
DOORS = {
    "markdown_it": "markdown",
    "numpy": "frames",
    "pandas": "frames api.py",
    "pyarrow": "frames cluster results/arrow.py api.py",
    "jinja2": "rendering/templates.py",
    "altair": "rendering/site",
    "vl_convert": "rendering/site",
    "duckdb": "results/database.py",
    "dask": "cluster",
    "distributed": "cluster",
    "fsspec": "cluster",
    "lsprotocol": "lsp",
    "pygls": "lsp",
    "shtab": "cli/commands/completion.py",
    "tqdm": "files/console.py",
    "wcwidth": "markdown/widths.py",
}
# These take longer to load than a lint of a report.
BIG = {*DOORS} - {"markdown_it", "vl_convert", "wcwidth"}


def test_a_package_imports_only_from_packages_below_it() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
    ]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def imported_packages(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports anywhere, in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            yield (node.module or "").split(".")[0]


@cache
def all_imports() -> dict[Path, frozenset[str]]:
    return {path: frozenset(imported_packages(path)) for path in PACKAGE.rglob("*.py")}


@pytest.mark.parametrize(("package", "doors"), DOORS.items())
def test_a_dependency_is_imported_by_its_doors_only(package: str, doors: str) -> None:
    users = [path for path, packages in all_imports().items() if package in packages]
    allowed = [PACKAGE / door for door in doors.split()]
    strangers = [
        user.relative_to(PACKAGE)
        for user in users
        if not any(door == user or door in user.parents for door in allowed)
    ]
    assert strangers == []


def loaded_by(code: str, tmp_path: Path) -> set[str]:
    """The top-level packages that are loaded once a fresh interpreter has run `code`."""
    names = "{name.split('.')[0] for name in sys.modules}"
    report = f"{code}\nimport sys; print('loaded:', *{names})"
    done = subprocess.run(
        [sys.executable, "-c", report], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, *loaded = done.stdout.splitlines()[-1].split()
    assert first == "loaded:"
    return set(loaded)


def run_mdbench(*arguments: str) -> str:
    """Code that runs a command and goes on afterwards."""
    return f"""
from contextlib import suppress
from mdbench.cli.main import main
with suppress(SystemExit):
    main({[*arguments]})
"""


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import mdbench", id="import"),
        pytest.param("import mdbench; mdbench.parse('| a |\\n|--|\\n| 1 |')", id="parse"),
        pytest.param("import mdbench; mdbench.lint('| a |\\n|--|\\n| 1 |')", id="lint a text"),
        pytest.param(run_mdbench("--version"), id="version"),
        pytest.param(run_mdbench("columns"), id="columns"),
        pytest.param(run_mdbench("lint", str(REPORT), "-o", "out"), id="lint"),
        *(
            pytest.param(
                run_mdbench("normalize", str(REPORT), "--format", kind, "-o", "out"), id=kind
            )
            for kind in ("csv", "jsonl", "table")
        ),
    ],
)
def test_what_makes_no_frame_loads_nothing_big(code: str, tmp_path: Path) -> None:
    assert loaded_by(code, tmp_path) & BIG == set()


def test_the_check_sees_what_is_loaded(tmp_path: Path) -> None:
    parquet = run_mdbench("normalize", str(REPORT), "-o", "out.parquet")
    assert "pyarrow" in loaded_by(parquet, tmp_path)
    assert (tmp_path / "out.parquet").exists()
