"""What a user installs has everything in it, and finds it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import mdbench

PROJECT = Path(__file__).resolve().parent.parent
SHOW_TEMPLATES = """
import site, sys
site.addsitedir(sys.argv[1])
from mdbench.resources import template_folder
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
def wheel_names(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


@pytest.mark.parametrize("name", ["py.typed", "vocabulary.toml", "config-schema.json", "cli.py"])
def test_the_wheel_holds_the_package(wheel_names: frozenset[str], name: str) -> None:
    assert f"mdbench/{name}" in wheel_names


def test_the_wheel_holds_every_template(wheel_names: frozenset[str]) -> None:
    templates = [path for path in (PROJECT / "templates").rglob("*") if path.is_file()]
    assert templates
    assert {f"mdbench/{path.relative_to(PROJECT).as_posix()}" for path in templates} <= wheel_names


def test_the_wheel_holds_nothing_but_the_package(wheel_names: frozenset[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel_names}
    assert tops == {"mdbench", f"mdbench-{mdbench.__version__}.dist-info"}


def test_the_wheel_has_the_console_script(wheel: Path) -> None:
    entry_points = f"mdbench-{mdbench.__version__}.dist-info/entry_points.txt"
    with zipfile.ZipFile(wheel) as archive:
        assert "mdbench = mdbench.cli:main" in archive.read(entry_points).decode()


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


def test_dependencies_have_lower_bounds_and_no_upper_ones() -> None:
    table = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*table["dependencies"], *table["optional-dependencies"]["dev"]]
    assert [entry for entry in wanted if ">=" not in entry or "<" in entry or "==" in entry] == []
