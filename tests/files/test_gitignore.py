"""Folders are walked as git walks them: what it lists as not ignored decides."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mdbench.files.discovery import find_reports
from mdbench.files.globs import compile_glob

TREE = (
    "a.md",
    "b.md",
    "ab.md",
    "a b.md",
    "#a.md",
    "!a.md",
    "[a].md",
    "é.md",
    "A1.md",
    "trailing .md",
    "back\\slash.md",
    "build/a.md",
    "build/deep/b.md",
    "docs/a.md",
    "docs/build/a.md",
    "docs/build.md/a.md",
    "x/y/z/a.md",
    "x/y/b.md",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    for name in TREE:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return root


def write_ignores(root: Path, ignores: Mapping[str, bytes]) -> None:
    for old in root.rglob(".gitignore"):
        old.unlink()
    for folder, content in ignores.items():
        (root / folder / ".gitignore").write_bytes(content)


def kept_by_git(root: Path) -> list[str]:
    listing = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-per-directory=.gitignore", "-z"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    names = listing.stdout.decode("utf-8").split("\0")
    return sorted(name for name in names if name.endswith(".md"))


def kept_by_us(root: Path) -> list[str]:
    return sorted(Path(found).relative_to(root).as_posix() for found in find_reports([str(root)]))


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("a.md", id="a name holds at any depth"),
        pytest.param("/a.md", id="a slash at the front anchors"),
        pytest.param("docs/a.md", id="a slash inside anchors"),
        pytest.param("build/", id="a slash at the end means folders"),
        pytest.param("build.md/", id="a folder that is named like a report"),
        pytest.param("build", id="a name without a slash means both"),
        pytest.param("*.md\n!a.md", id="a later line takes back"),
        pytest.param("!a.md\n*.md", id="the last line decides"),
        pytest.param("build/\n!build/a.md", id="nothing comes back below an ignored folder"),
        pytest.param("build/*\n!build/a.md", id="a file comes back beside ignored ones"),
        pytest.param("**/a.md", id="two stars in front"),
        pytest.param("x/**", id="two stars behind"),
        pytest.param("x/**/a.md", id="two stars between"),
        pytest.param("docs/**/a.md", id="two stars may mean no folder"),
        pytest.param("**/y/**", id="two stars on both sides"),
        pytest.param("x**z", id="two stars inside a name are one"),
        pytest.param("/**", id="everything"),
        pytest.param("***", id="three stars"),
        pytest.param("x/***/a.md", id="three stars between slashes"),
        pytest.param("?.md", id="one character"),
        pytest.param("[ab].md", id="a set"),
        pytest.param("[!a].md", id="a set negated with an exclamation mark"),
        pytest.param("[^a].md", id="a set negated with a caret"),
        pytest.param("[a-c].md", id="a range"),
        pytest.param("[b-a].md", id="a range that runs backwards"),
        pytest.param("[]a].md", id="a bracket as the first of a set"),
        pytest.param("[[]a[]].md", id="brackets in sets"),
        pytest.param("\\[a\\].md", id="escaped brackets"),
        pytest.param("[[:upper:]][[:digit:]].md", id="named sets"),
        pytest.param("[[:nonsense:]].md", id="a named set that there is not"),
        pytest.param("[a.md", id="a set that never ends"),
        pytest.param("[^]", id="a negated set that never ends"),
        pytest.param("[]", id="a set that is empty"),
        pytest.param("x[/]y", id="a set never holds a slash"),
        pytest.param("[^/]", id="a slash in a set anchors"),
        pytest.param("x\\/y", id="an escaped slash"),
        pytest.param("#a.md", id="a comment"),
        pytest.param("\\#a.md", id="an escaped hash"),
        pytest.param("\\!a.md", id="an escaped exclamation mark"),
        pytest.param("a.md   ", id="spaces at the end do not count"),
        pytest.param("trailing\\ .md", id="an escaped space"),
        pytest.param("a.md\\ ", id="an escaped space at the end counts"),
        pytest.param("a.md\\\\ ", id="an escaped backslash does not keep a space"),
        pytest.param("back\\\\slash.md", id="an escaped backslash"),
        pytest.param("a.md\\", id="a backslash at the end"),
        pytest.param("a.md\t", id="a tab at the end counts"),
        pytest.param("a.md\r\nb.md\r\n", id="Windows line ends"),
        pytest.param("\ufeffa.md", id="a byte-order mark"),
        pytest.param("a.md\x0bb.md", id="only line feeds end lines"),
        pytest.param("é.md", id="beyond ASCII"),
        pytest.param("a b.md", id="a space inside"),
        pytest.param("\n\n/\n//\n!\n", id="empty lines and lone signs"),
        pytest.param("build//", id="two slashes at the end"),
        pytest.param("//a.md", id="two slashes at the front"),
        pytest.param("docs//a.md", id="two slashes inside"),
    ],
)
def test_a_pattern_means_what_git_takes_it_for(tree: Path, lines: str) -> None:
    write_ignores(tree, {".": lines.encode()})
    assert kept_by_us(tree) == kept_by_git(tree)


@pytest.mark.parametrize(
    "ignores",
    [
        pytest.param({".": b"a.md", "docs": b"!a.md"}, id="an inner file takes back"),
        pytest.param({".": b"!a.md", "docs": b"a.md"}, id="an inner file ignores"),
        pytest.param({"docs": b"/a.md"}, id="a pattern is anchored where its file is"),
        pytest.param({".": b"docs/", "docs": b"!a.md"}, id="an ignored folder's file is not read"),
        pytest.param({".": b"*", "x": b"!*"}, id="everything ignored above"),
        pytest.param({".": b"*.md\n!x/**", "x/y": b"b.md"}, id="three levels"),
    ],
)
def test_nested_files_speak_for_their_folders(tree: Path, ignores: dict[str, bytes]) -> None:
    write_ignores(tree, ignores)
    assert kept_by_us(tree) == kept_by_git(tree)


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(alphabet="abxyz.md*?[]!^-/\\ #", min_size=1, max_size=10)
        | st.lists(
            st.sampled_from(["a.md", "**", "*", "x", "y", "build", "docs", "[ab]*", "?.md", "z"]),
            min_size=1,
            max_size=4,
        ).map("/".join),
        min_size=1,
        max_size=3,
    )
)
def test_any_patterns_mean_what_git_takes_them_for(tree: Path, lines: list[str]) -> None:
    write_ignores(tree, {".": "\n".join(lines).encode()})
    assert kept_by_us(tree) == kept_by_git(tree)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        pytest.param("*a" * 60 + "b", "a" * 200, id="stars in a name"),
        pytest.param("**/a/" * 40 + "b", "a/" * 120 + "c", id="stars for folders"),
        pytest.param("**/*a*a*a/" * 20 + "b", "aaaaaa/" * 60 + "c", id="both"),
    ],
)
@pytest.mark.usefixtures("no_hang")
def test_no_pattern_makes_matching_explode(glob: str, path: str) -> None:
    expression = compile_glob(glob)
    assert expression is not None
    assert expression.fullmatch(path) is None


def test_a_file_above_the_folder_counts_up_to_the_root_of_the_repository(tree: Path) -> None:
    write_ignores(tree, {".": b"/x/y/b.md"})
    found = [Path(path).name for path in find_reports([str(tree / "x")])]
    assert found == ["a.md"]


def test_a_file_above_a_folder_that_is_in_no_repository_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "a.md").touch()
    (tmp_path / ".gitignore").write_text("*.md")
    assert list(find_reports([str(tmp_path / "reports")])) == [f"{tmp_path}/reports/a.md"]
