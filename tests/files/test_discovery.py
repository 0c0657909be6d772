"""Which files a path stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdbench.files.discovery import DiscoveryError, default_paths, find_reports


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def touch(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def find(*paths: str) -> list[str]:
    return list(find_reports(paths))


def test_a_folder_stands_for_the_markdown_below_it() -> None:
    touch("r/a.md", "r/b.markdown", "r/c.mdx", "r/D.MD", "r/e.txt", "r/md", "r/deep/er/f.md")
    assert find("r") == ["r/D.MD", "r/a.md", "r/b.markdown", "r/c.mdx", "r/deep/er/f.md"]


def test_files_come_in_the_order_of_their_names() -> None:
    touch("r/b.md", "r/a/z.md", "r/c/a.md", "r/a.md")
    assert find("r") == ["r/a/z.md", "r/a.md", "r/b.md", "r/c/a.md"]


def test_paths_come_in_the_order_in_which_they_were_asked_for() -> None:
    touch("a.md", "b.md", "r/c.md")
    assert find("r", "b.md", "a.md") == ["r/c.md", "b.md", "a.md"]


def test_a_file_that_is_asked_for_is_read_whatever_its_name() -> None:
    touch("notes.txt", "ignored.md")
    Path(".gitignore").write_text("ignored.md")
    assert find("notes.txt", "ignored.md") == ["notes.txt", "ignored.md"]
    assert find(".") == []


@pytest.mark.parametrize(
    "again", ["a.md", "./a.md", ".//a.md", "r/../a.md", "link.md", "."], ids=str
)
def test_a_file_is_read_once_however_it_is_named(again: str) -> None:
    touch("a.md", "r/x.txt")
    Path("link.md").symlink_to("a.md")
    assert find("a.md", again) == ["a.md"]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("./r/a.md", "r/a.md"),
        ("r//a.md", "r/a.md"),
        ("r", "r/a.md"),
        ("r/", "r/a.md"),
        ("./r//", "r/a.md"),
        (".", "r/a.md"),
        ("r/../r", "r/../r/a.md"),
    ],
)
def test_a_file_has_one_name_however_it_is_asked_for(asked: str, shown: str) -> None:
    touch("r/a.md")
    assert find(asked) == [shown]


def test_an_absolute_path_stays_absolute(folder: Path) -> None:
    touch("r/a.md")
    assert find(f"{folder}/r") == [f"{folder}/r/a.md"]


def test_standard_input_is_read_once() -> None:
    touch("a.md")
    assert find("-", "a.md", "-") == ["-", "a.md"]


def test_a_file_called_minus_is_asked_for_with_its_folder() -> None:
    touch("-")
    assert find("./-") == ["./-"]


def test_links_that_lead_back_up_do_not_hang() -> None:
    touch("r/deep/a.md")
    Path("r/deep/loop").symlink_to("../..", target_is_directory=True)
    Path("r/self.md").symlink_to("self.md")
    assert find("r") == ["r/deep/a.md"]


def test_a_link_that_is_asked_for_is_followed() -> None:
    touch("r/a.md")
    Path("link").symlink_to("r", target_is_directory=True)
    assert find("link") == ["link/a.md"]


def test_a_link_to_a_file_is_read_and_a_dead_one_is_not() -> None:
    touch("elsewhere/a.txt", "r/x")
    Path("r/link.md").symlink_to("../elsewhere/a.txt")
    Path("r/dead.md").symlink_to("../gone.md")
    assert find("r") == ["r/link.md"]


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    touch("here/r/a.md", "here/near.md", "outside/private.txt")
    Path("here/r/out.md").symlink_to("../../outside/private.txt")
    Path("here/r/near.md").symlink_to("../near.md")
    os.chdir("here")
    assert find("r") == ["r/a.md", "r/near.md"]
    assert find(str(tmp_path / "here" / "r" / "out.md")) != []


@pytest.mark.unix
def test_a_pipe_and_a_folder_that_are_named_like_reports_are_not_read() -> None:
    touch("r/folder.md/a.md")
    os.mkfifo("r/pipe.md")
    assert find("r") == ["r/folder.md/a.md"]


@pytest.mark.parametrize("name", [".git", ".venv", "node_modules", "__pycache__"])
def test_what_others_wrote_is_not_entered(name: str) -> None:
    touch(f"r/{name}/a.md", "r/b.md")
    assert find("r") == ["r/b.md"]


@pytest.mark.slow
def test_folders_are_nested_deeper_than_calls_may_be() -> None:
    here = os.getcwd()
    deep = "d/" * 1200
    try:
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        Path("a.md").touch()
        os.chdir(here)
        assert find("d") == [f"{deep}a.md"]
    finally:
        os.chdir(here)
        os.unlink(f"{deep}a.md")
        os.removedirs(deep)


def test_a_path_that_is_not_there_is_an_error_unless_someone_listens() -> None:
    touch("a.md")
    with pytest.raises(DiscoveryError, match=r"gone\.md: no such file or folder"):
        find("gone.md", "a.md")
    heard: list[str] = []
    assert list(find_reports(["gone.md", "a.md"], heard.append)) == ["a.md"]
    assert heard == ["gone.md: no such file or folder"]


def test_no_paths_stand_for_nothing() -> None:
    touch("a.md")
    assert find() == []


def test_where_to_look_when_nothing_is_said() -> None:
    assert default_paths() == (".",)
    touch("reports/a.md")
    assert default_paths() == ("reports",)
