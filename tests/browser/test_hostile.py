"""Hostile reports as a site: nothing of theirs becomes an element, and nothing of it runs."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import pytest

from mdbench.rendering.site import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
TAKEN = "document.title='taken'"
ATTACKS = {
    "script": f"<script>{TAKEN}</script>",
    "closing": f"</script></style></title></textarea>--><script>{TAKEN}</script>",
    "handler": f"<img src=x onerror={TAKEN}>",
    "vector": f"<svg onload={TAKEN}><script>{TAKEN}</script></svg>",
    "attribute": f"\"'><b autofocus onfocus={TAKEN} x=\"'",
    "link": f"[click](javascript:{TAKEN}) <javascript:{TAKEN}> [x](data:text/html,<b>)",
    "disguised": f"[click](JaVa\tScRiPt:{TAKEN}) [x](vbscript:x) [y](&#106;avascript:{TAKEN})",
    "frame": "<iframe srcdoc='<b>'></iframe><object data=x><embed src=x><base href=//x>",
    "refresh": "<meta http-equiv=refresh content='0;url=//example.org'><form action=//example.org>",
    "image": "![x](https://example.org/x.png) <img src=https://example.org/y.png>",
    "expression": '{{ 7 * 7 }} ${7 * 7} \u2028 {"signal": "alert(1)"} datum.x',
}
# What Chromium lets a page do only if it is let: each would be a complaint of its policy.
STRANGE = (
    "[...document.querySelectorAll('*')].filter(one => "
    "[...one.attributes].some(each => each.name.startsWith('on') || "
    "/^\\s*(javascript|data|vbscript):/i.test(each.value))"
    " || ['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'IMG'].includes(one.tagName)"
    " || one.hasAttribute('action')"
    " || ['foreignObject', 'script'].includes(one.localName) && one.closest('svg')"
    ").map(one => one.outerHTML)"
)


class Watching(Protocol):
    """What the page did so far."""

    requests: list[str]
    complaints: list[str]


def make_report(attack: str) -> str:
    """A report that says it wherever something can be said, in charts too."""
    cell = attack.replace("|", "\\|")
    rows = "".join(
        f"| {nodes} | {cell} {kind} | {60 - nodes} | {nodes * 10} | {cell} |\n"
        for kind in "ab"
        for nodes in (1, 2, 4, 8)
    )
    head = f"| Nodes | Model | Sec/it | Samples/s | {cell} |\n|--|--|--|--|--|\n"
    return (
        f"# {attack}\n\n{attack}\n\n## {attack}\n\n- {attack}\n\n{head}{rows}"
        f"| 2 | a | 1 | 2 | 3 | {cell} |\n\n```{attack}\n{attack}\n```\n\n{attack}\n-----\n"
    )


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page for each attack, which is in the name of its report too."""
    reports = tmp_path_factory.mktemp("hostile")
    for name, attack in ATTACKS.items():
        said = attack.replace("/", "\u2215").encode()[:180].decode("utf-8", "ignore")
        (reports / f"{name} {said}.md").write_text(make_report(attack), encoding="utf-8")
    folder = tmp_path_factory.mktemp("hostile-site")
    write_site(sorted(map(str, reports.iterdir())), str(folder))
    return folder


@pytest.fixture(scope="session")
def plain_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample reports, which mean no harm."""
    folder = tmp_path_factory.mktemp("plain-site")
    write_site([str(path) for path in sorted(REPORTS.glob("*.md"))], str(folder))
    return folder


class Elements(HTMLParser):
    """The elements of a page with their attributes, and what stands in scripts."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def names(self) -> Iterator[tuple[str, str]]:
        for tag, attributes in self.found:
            yield tag, ""
            yield from ((tag, name) for name in attributes)


def find_pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_no_page_has_an_element_or_attribute_that_harmless_ones_have_not(
    hostile_site: Path, plain_site: Path
) -> None:
    usual = {name for page in find_pages(plain_site) for name in Elements(page).names()}
    # Any report can break a line, stress a word and lead somewhere.
    usual |= {("br", ""), ("em", ""), ("a", "rel")}
    pages = find_pages(hostile_site)
    assert len(pages) == len(ATTACKS) + 1
    for page in pages:
        assert set(Elements(page).names()) <= usual, page.name


def test_no_page_leads_to_anything_but_pages(hostile_site: Path) -> None:
    for page in find_pages(hostile_site):
        for tag, attributes in Elements(page).found:
            for name in ("href", "src"):
                scheme = urlsplit(attributes.get(name) or "").scheme
                assert scheme == "" or (tag == "a" and scheme in ("http", "https", "mailto"))


def test_every_page_has_the_policy_before_all_that_a_report_says(hostile_site: Path) -> None:
    for page in find_pages(hostile_site):
        tags = [(tag, attributes.get("http-equiv")) for tag, attributes in Elements(page).found]
        assert tags.index(("meta", "Content-Security-Policy")) == 3


def look_around(page: Page) -> None:
    """Do what a reader does: look at notes, sort, filter, follow a point of a chart."""
    for _ in range(200):
        if page.evaluate("document.querySelectorAll('.figure:not(.drawn)').length === 0"):
            break
        page.wait_for_timeout(50)
    for button in page.locator("button.sort, summary").all()[:6]:
        button.click()
    for place in page.locator(".flag").all()[:4]:
        place.focus()
    for point in page.locator("svg path[aria-roledescription]").all()[:3]:
        point.hover(force=True)
    for field in page.locator("select, input[type=search]").all()[:3]:
        field.focus()


@pytest.mark.parametrize("name", [*ATTACKS, "index"])
def test_nothing_runs_in_a_real_browser(
    page: Page, watch: Watching, hostile_site: Path, name: str
) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    (found,) = [one for one in find_pages(hostile_site) if one.stem.startswith(name)]
    page.goto(found.as_uri())
    title = page.title()
    look_around(page)
    assert page.title() == title != "taken"
    assert page.evaluate(STRANGE) == []
    assert (dialogs, watch.complaints) == ([], [])
    assert [one for one in watch.requests if not one.startswith("file://")] == []
    assert page.locator("svg path[aria-roledescription=point]").count() > 0
    if name in ATTACKS:
        shown = page.locator("pre.fence").first.inner_text()
        assert shown.split() == ATTACKS[name].split()
