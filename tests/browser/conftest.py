"""A real browser for the tests in this folder; where there is none, they are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdbench.rendering.site import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
HOSTILE = """# A report

| Nodes | TFLOPs | Notes |
|---|---|---|
| 2 | 10.0 | <script>document.title = "taken"</script> |
| 4 | 9.0 | <img src="https://example.org/x.png" onerror="document.title = 'taken'"> |
| 8 | 8.0 | [x](javascript:document.title='taken') |
"""


@dataclass
class Watch:
    """What a page asked for and complained about."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


# Of a module, not of the session: as long as it is open, no other test can have an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no browser at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample reports and a hostile one, as a site."""
    hostile = tmp_path_factory.mktemp("reports") / "hostile.md"
    hostile.write_text(HOSTILE, encoding="utf-8")
    folder = tmp_path_factory.mktemp("site")
    write_site([*map(str, sorted(REPORTS.glob("*.md"))), str(hostile)], str(folder))
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new page as wide as a desk's."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def watch(page: Page) -> Watch:
    """What the page does, from the start."""
    seen = Watch()
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.complaints.append(message.text))
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    return seen
