"""What a user installs has everything in it, finds it, and runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

import mdbench

PROJECT = Path(__file__).resolve().parent.parent
# What is there for those who work on mdbench, and not for those who use it.
DEVELOPMENT = {"", "all", "bench", "fuzz", "dev", "docs"}
SHOW_TEMPLATES = """
import site, sys
site.addsitedir(sys.argv[1])
from mdbench.rendering.resources import rule_page, template_folder
assert rule_page("MB301") is not None
print(template_folder())
"""


def run_python(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def show_templates(site: Path, cwd: Path) -> Path:
    # -I and -S keep the mdbench of this environment out; the .pth files of `site` count.
    return Path(run_python("-I", "-S", "-c", SHOW_TEMPLATES, str(site), cwd=cwd))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run_python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=PROJECT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    run_python("-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), cwd=PROJECT)
    (built,) = folder.glob("*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


@pytest.mark.parametrize(
    "name", ["py.typed", "vocabulary/vocabulary.toml", "config/schema.json", "cli/main.py"]
)
def test_the_wheel_holds_the_package(wheel_names: frozenset[str], name: str) -> None:
    assert f"mdbench/{name}" in wheel_names


def test_the_wheel_holds_every_template(wheel_names: frozenset[str]) -> None:
    templates = [path for path in (PROJECT / "templates").rglob("*") if path.is_file()]
    assert templates
    assert {f"mdbench/{path.relative_to(PROJECT).as_posix()}" for path in templates} <= wheel_names


def test_the_wheel_holds_the_page_of_every_rule(wheel_names: frozenset[str]) -> None:
    pages = [path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs/rules").iterdir()]
    assert pages
    assert {f"mdbench/{page}" for page in pages} <= wheel_names


def test_the_wheel_holds_nothing_but_the_package(wheel_names: frozenset[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel_names}
    assert tops == {"mdbench", f"mdbench-{mdbench.__version__}.dist-info"}


def test_the_wheel_has_the_console_script(wheel: Path) -> None:
    entry_points = f"mdbench-{mdbench.__version__}.dist-info/entry_points.txt"
    with zipfile.ZipFile(wheel) as archive:
        assert "mdbench = mdbench.__main__:run" in archive.read(entry_points).decode()


def test_an_index_would_take_both(wheel: Path, sdist: Path) -> None:
    said = run_python("-m", "twine", "check", "--strict", str(wheel), str(sdist), cwd=PROJECT)
    assert said.count("PASSED") == 2


def test_the_wheel_has_no_common_mistakes(wheel: Path) -> None:
    said = run_python("-m", "check_wheel_contents", "--no-config", str(wheel), cwd=PROJECT)
    assert said.endswith(": OK")


def test_the_package_says_what_it_runs_on_and_where_it_is() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    numbers = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    tests = yaml.safe_load((PROJECT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    matrices = [tests["jobs"][name]["strategy"]["matrix"] for name in ("newest", "systems")]
    assert [one["python-version"] for one in matrices] == [numbers, numbers]
    assert matrices[1]["system"] == ["macos-latest", "windows-latest"]
    assert project["requires-python"] == f">={numbers[0]}"
    assert {"Typing :: Typed", "Operating System :: OS Independent"} <= set(project["classifiers"])
    assert {"Repository", "Documentation", "Changelog", "Issues"} <= project["urls"].keys()


def test_a_wheel_installed_elsewhere_finds_its_own_templates(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    shown = show_templates(site, cwd=tmp_path)
    assert shown == (site / "mdbench" / "templates").resolve()
    assert any(shown.iterdir())


def test_an_editable_install_finds_the_templates_of_the_checkout(tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    run_python("-c", build, str(tmp_path), cwd=PROJECT)
    (built,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    assert show_templates(site, cwd=tmp_path) == PROJECT / "templates"


def test_the_version_is_written_in_one_place(wheel: Path) -> None:
    literal = f'"{mdbench.__version__}"'
    sources = [PROJECT / "pyproject.toml", *(PROJECT / "mdbench").rglob("*.py")]
    holders = [path for path in sources if literal in path.read_text(encoding="utf-8")]
    assert holders == [PROJECT / "mdbench" / "__init__.py"]
    assert wheel.name.split("-")[1] == mdbench.__version__


def optional_dependencies() -> dict[str, list[str]]:
    table = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: dict[str, list[str]] = table["optional-dependencies"]
    return {"": table["dependencies"], **extras}


def test_dependencies_have_lower_bounds_and_no_upper_ones() -> None:
    wanted = [one for listed in optional_dependencies().values() for one in listed]
    # What follows a semicolon is about the system.
    others = [one.partition(";")[0] for one in wanted if not one.startswith("mdbench[")]
    bounded = [one for one in others if "<" in one or "==" in one]
    assert [one for one in others if ">=" not in one] == []
    # mdbench runs the parser's rules one by one, so a new major version has to be tried first.
    assert set(bounded) == {"markdown-it-py>=4.0,<5"}


def test_all_is_every_extra_for_users() -> None:
    extras = optional_dependencies()
    (named,) = extras["all"]
    listed = set(named.removeprefix("mdbench[").removesuffix("]").split(","))
    assert {"html", "lsp", "query"} <= listed == extras.keys() - DEVELOPMENT


def test_the_source_distribution_holds_what_a_wheel_and_the_tests_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = "pyproject.toml README.md LICENSE mdbench/vocabulary/vocabulary.toml "
    wanted += "templates/report.md.j2 "
    wanted += "docs/index.md zensical.toml handbook/sessions.py tests/conftest.py Makefile"
    assert set(wanted.split()) <= names
    left = re.compile(r"(^|/)(\.venv|\.\w*cache|__pycache__|build)/")
    assert [name for name in names if left.search(name)] == []


def test_a_wheel_from_the_source_distribution_is_the_same(
    sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    run_python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=unpacked)
    (again,) = tmp_path.glob("*.whl")
    assert again.name == wheel.name
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert {one.filename: one.CRC for one in first.infolist()} == {
            one.filename: one.CRC for one in second.infolist()
        }


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    # Without what would bring the mdbench of this checkout in.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        list(map(str, words)), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def make_environment(folder: Path) -> tuple[Path, Path]:
    """An empty virtual environment: its Python, and its mdbench to be."""
    # pip of this environment installs into it: to give it one of its own takes longer than all.
    done = run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    return programs / "python", programs / "mdbench"


def install(python: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    # Few of the modules are ever loaded, and compiling all takes longer than installing them.
    return run(*pip, "install", "--quiet", "--no-compile", *words, cwd=python.parent)


def use(mdbench_program: Path, folder: Path) -> None:
    """Lint, normalize and render as somebody would who has never seen this checkout."""
    folder.mkdir()
    report = PROJECT / "reports" / "fugaku-1.3b.md"
    (folder / "results.md").write_bytes(report.read_bytes())
    expected: Sequence[tuple[int, str, tuple[str, ...]]] = (
        (0, mdbench.__version__, ("--version",)),
        (1, "MB302 error", ("lint", "results.md")),
        (0, "A number does not follow", ("explain", "MB301")),
        (0, "", ("normalize", "results.md", "-o", "runs.parquet")),
        (0, " Nodes | ", ("render", "results.md")),
        (0, "# 1.3B model", ("render", "results.md", "--template", "report")),
    )
    for code, shown, words in expected:
        done = run(mdbench_program, *words, cwd=folder)
        assert (done.returncode, shown in done.stdout) == (code, True), (words, done)
    assert (folder / "runs.parquet").stat().st_size > 1000


@pytest.mark.slow
def test_the_wheel_brings_what_it_needs_and_works(wheel: Path, tmp_path: Path) -> None:
    python, program = make_environment(tmp_path / "venv")
    if install(python, wheel).returncode:
        # No network: its dependencies are those of this environment. An editable mdbench in there
        # stays unseen: only the paths of a .pth file count, not the .pth files in them.
        done = install(python, "--no-index", "--no-deps", wheel)
        assert done.returncode == 0, done.stderr
        (found,) = (tmp_path / "venv").rglob("site-packages")
        (found / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"], encoding="utf-8")
    use(program, tmp_path / "elsewhere")
