"""The documentation builds without warnings, has no broken links and loads no external files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
CONFIG = "zensical.toml"
# Tags that make a browser fetch a file.
FETCHING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
OTHER_HOST = re.compile(r"^(?:[a-z]+:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """The links, fetched files and anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {one for one in (values.get("id"), values.get("name")) if one}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"] or "")
        fetched = values.get(FETCHING.get(tag, ""))
        if fetched:
            self.fetched.append(fetched)


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, because the build writes next to them."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copy(PROJECT / CONFIG, folder)
    shutil.copytree(PROJECT / "docs", folder / "docs")
    return folder


@pytest.fixture(scope="module")
def site(sources: Path) -> Path:
    done = build(sources)
    assert done.returncode == 0, done.stdout + done.stderr
    return sources / "build" / "docs"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_every_page_is_built(site: Path) -> None:
    for page in (PROJECT / "docs").rglob("*.md"):
        built = page.with_name("index.html" if page.stem == "README" else f"{page.stem}.html")
        assert (site / built.relative_to(PROJECT / "docs")).is_file()


def broken_links(pages: dict[Path, Page]) -> Iterator[str]:
    for path, page in pages.items():
        for link in page.links:
            address, anchor = urldefrag(link)
            if OTHER_HOST.match(address) or address.startswith("mailto:"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            if not target.is_file():
                yield f"{path.name}: {link}: no such page"
            elif target in pages and unquote(anchor) not in pages[target].anchors:
                yield f"{path.name}: {link}: no such anchor"


def test_no_link_is_broken(pages: dict[Path, Page]) -> None:
    assert len(pages) > 40
    assert list(broken_links(pages)) == []


def test_no_file_is_fetched_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    asked = {one for page in pages.values() for one in page.fetched if OTHER_HOST.match(one)}
    assert asked == set()
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"""(?:@import\s*|url\()\s*["']?https?:""", text), style.name


def test_a_broken_link_fails_the_build(sources: Path, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    shutil.copytree(sources / "docs", folder)
    shutil.copy(sources / CONFIG, tmp_path)
    (folder / "index.md").write_text("# Home\n\n[there](nowhere.md)\n", encoding="utf-8")
    done = build(tmp_path)
    assert done.returncode != 0
    assert "nowhere.md" in re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)


def listed_pages(entries: object) -> Iterator[str]:
    if isinstance(entries, str):
        yield entries
    elif isinstance(entries, list):
        for entry in entries:
            yield from listed_pages(entry)
    elif isinstance(entries, dict):
        for entry in entries.values():
            yield from listed_pages(entry)


def test_every_page_is_in_the_menu() -> None:
    table = tomllib.loads((PROJECT / CONFIG).read_text(encoding="utf-8"))["project"]
    written = (PROJECT / "docs").rglob("*.md")
    known = sorted(path.relative_to(PROJECT / "docs").as_posix() for path in written)
    assert sorted(listed_pages(table["nav"])) == known
