"""Imports go one way, each big dependency has its doors, and starting up loads none of them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "mdbench"
REPORTS = PROJECT / "reports"

# Each room: its modules, and the rooms it may import, all of them above it. Inside a room a module
# imports those before it. A new module gets its place here first. All may import the foundation.
FILES = "problems exports discovery outputs reader"
READING = "source document units numerals dialect quantities facts sheet"
ROOMS: dict[str, tuple[str, str]] = {
    "foundation": ("hints initializers classes pattern_tables compiled patterns orders", ""),
    "source": ("source grid widths", ""),
    "document": (
        (
            "blocks footnotes pipe_row recorder pipe_table plain_blocks html_tags html_table "
            "fence_table document"
        ),
        "source",
    ),
    "units": ("units", ""),
    "numerals": ("verdicts numeral markup figures moments commas scanner tails numerals", "units"),
    "dialect": ("dialect limits", ""),
    "quantities": (
        (
            "spellings vocabulary_tables vocabulary "
            "quantities meanings compared qualifiers headers readings settling deltas"
        ),
        "units numerals dialect",
    ),
    "facts": (
        "assignments mentions scopes legends facts claims",
        "source document units numerals quantities",
    ),
    "sheet": (
        "layout pivots captions records columns inheritance sheet strips report",
        "source document units numerals dialect quantities facts",
    ),
    "sameness": ("sameness", READING),
    "intervals": ("intervals expressions wording", ""),
    "formulas": (
        "arithmetic calculations one_liners formulas estimates",
        "source document units numerals quantities intervals",
    ),
    "diagnosis": (
        "relations models equations diagnosis",
        f"{READING} intervals formulas",
    ),
    "findings": ("findings fingerprints edits fitting marks reports selection", "source"),
    "rules": (
        "context rules",
        f"{READING} intervals formulas diagnosis findings",
    ),
    "checker": ("suppress silencing checker", "source document dialect sheet findings rules"),
    "fixer": ("fixer patches", "source sheet sameness findings rules checker"),
    "output": ("output", "source findings rules"),
    "rulebook": ("rulebook", "source rules checker output"),
    "tidy": ("fields cells runs tidy", f"{READING} findings"),
    "problems": ("problems notices", ""),
    "exports": ("spreadsheets exports answers", "output tidy problems"),
    "discovery": ("globs gitignore discovery", ""),
    "perfile": ("perfile plan", "findings discovery"),
    "baseline": ("baseline baseline_file", "source document findings problems"),
    "cache": ("cache", "source dialect findings problems discovery perfile baseline"),
    "outputs": ("outputs progress pool", "dialect problems"),
    "reader": (
        "reader",
        "source dialect sheet findings rules checker tidy problems discovery outputs",
    ),
    "linter": (
        "linter",
        (
            f"{READING} findings rules checker fixer problems discovery perfile baseline "
            "outputs reader"
        ),
    ),
    "frames": ("frames", "source tidy problems discovery reader"),
    "asking": ("asking", "tidy problems frames"),
    "comparing": ("comparing", f"{READING} output exports"),
    "comparison": (
        "revisions versions comparison",
        "source dialect comparing problems discovery reader",
    ),
    "resources": ("resources", ""),
    "report": ("report", "source problems resources"),
    "rendering": (
        "rendering",
        (
            f"{READING} sameness diagnosis findings rules checker tidy problems discovery "
            "reader report"
        ),
    ),
    "site": (
        "site",
        f"{READING} findings rules checker tidy {FILES} linter resources report",
    ),
    "completion": ("completion", ""),
    "topics": ("topics", ""),
    "usage": ("usage", "problems"),
    "config": (
        "config",
        (
            "units dialect quantities diagnosis findings rules tidy problems discovery perfile "
            "cache usage"
        ),
    ),
    "engine": (
        "engine",
        (
            "source dialect findings checker output tidy problems discovery perfile outputs "
            "reader linter frames config"
        ),
    ),
    "editor": (
        "editor",
        (
            f"{READING} sameness diagnosis findings rules checker fixer problems baseline "
            "rendering resources config"
        ),
    ),
    "api": (
        "api",
        "source dialect findings checker fixer rendering config",
    ),
    "commands": (
        "commands",
        (
            f"{READING} findings rules output rulebook tidy {FILES} perfile cache linter frames "
            "asking comparing comparison rendering site completion topics baseline config editor "
            "engine"
        ),
    ),
    "cli": ("cli", "dialect problems commands usage config engine"),
}

# The only modules that may import a package.
DOORS = {
    "dataclasses": "classes engine",
    "typing": "hints classes",
    "markdown_it": "document",
    "numpy": "frames",
    "pandas": "frames",
    "pyarrow": "frames engine",
    "jinja2": "report",
    "altair": "site",
    "vl_convert": "site",
    "duckdb": "asking",
    "dask": "engine",
    "distributed": "engine",
    "fsspec": "engine",
    "lsprotocol": "editor",
    "pygls": "editor",
}

# What costs more to load than all the rest of a run without a frame.
BIG = {
    "altair",
    "dask",
    "distributed",
    "duckdb",
    "fsspec",
    "jinja2",
    "lsprotocol",
    "numpy",
    "pandas",
    "pyarrow",
    "pygls",
}

# The package itself only names what others define, and its version is for everyone.
FACADES = {"__init__", "__main__"}


def module_files() -> dict[Path, str]:
    """Every file and the module of ROOMS it belongs to: its own name, or that of its folder."""
    return {
        path: path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def placed_modules() -> dict[str, str]:
    """Each module that has a place, and its room."""
    return {name: room for room, (modules, _) in ROOMS.items() for name in modules.split()}


def allowed_modules(module: str) -> set[str]:
    """Itself, the modules before it in its room, and all modules of the rooms it may import."""
    room = placed_modules()[module]
    siblings, rooms = ROOMS[room]
    own = siblings.split()
    seen = [name for other in rooms.split() for name in ROOMS[other][0].split()]
    return {*ROOMS["foundation"][0].split(), *own[: own.index(module) + 1], *seen}


def imported_modules(path: Path) -> Iterator[str]:
    """The dotted names that a module imports anywhere, in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_siblings(path: Path) -> set[str]:
    names = [name.split(".") for name in imported_modules(path)]
    siblings = {parts[1] for parts in names if parts[0] == "mdbench" and len(parts) > 1}
    return siblings & placed_modules().keys()


def test_every_module_has_a_place_in_the_order() -> None:
    assert set(module_files().values()) - FACADES - placed_modules().keys() == set()


@pytest.mark.parametrize("room", ROOMS)
def test_the_order_lets_a_room_import_only_what_is_above_it(room: str) -> None:
    order = list(ROOMS)
    assert set(ROOMS[room][1].split()) <= set(order[: order.index(room)])


@pytest.mark.parametrize(
    ("path", "module"),
    [
        pytest.param(path, module, id=path.relative_to(PACKAGE).as_posix())
        for path, module in module_files().items()
        if module in placed_modules()
    ],
)
def test_a_module_imports_only_what_it_may(path: Path, module: str) -> None:
    assert imported_siblings(path) - allowed_modules(module) == set()


@pytest.mark.parametrize(("package", "door"), DOORS.items())
def test_a_dependency_is_imported_by_its_doors_only(package: str, door: str) -> None:
    users = {
        module
        for path, module in module_files().items()
        if any(name.split(".")[0] == package for name in imported_modules(path))
    }
    assert users <= set(door.split())


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
        pytest.param(run_mdbench("lint", str(REPORTS), "-o", "out"), id="lint"),
        *(
            pytest.param(
                run_mdbench("normalize", str(REPORTS), "--format", kind, "-o", "out"), id=kind
            )
            for kind in ("csv", "jsonl", "table")
        ),
    ],
)
def test_what_makes_no_frame_loads_nothing_big(code: str, tmp_path: Path) -> None:
    assert loaded_by(code, tmp_path) & BIG == set()


# What costs too much to load for a report that is plain and a project without settings.
COSTLY = {
    "bz2",
    "concurrent",
    "dataclasses",
    "html",
    "inspect",
    "json",
    "logging",
    "markdown_it",
    "multiprocessing",
    "pathlib",
    "shutil",
    "statistics",
    "tomllib",
    "typing",
}


@pytest.mark.parametrize("arguments", [(), ("--format", "concise"), ("--statistics",)])
def test_lint_of_a_plain_report_loads_little(arguments: tuple[str, ...], tmp_path: Path) -> None:
    plain = str(REPORTS / "fugaku-1.3b.md")
    words = ["lint", "--no-cache", *arguments, plain, "-o", "out"]
    assert loaded_by(run_mdbench(*words), tmp_path) & COSTLY == set()
    assert (tmp_path / "out").stat().st_size > 0


def test_the_check_sees_what_is_loaded(tmp_path: Path) -> None:
    parquet = run_mdbench("normalize", str(REPORTS), "-o", "out.parquet")
    assert "pyarrow" in loaded_by(parquet, tmp_path)
    assert (tmp_path / "out.parquet").exists()
