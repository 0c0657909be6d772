"""Tables in a real browser: what is shown, what stays in place, and what is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdbench.rendering.site import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
WIDTHS = (390, 1024, 1600)
SCHEMES = ("light", "dark")
COLUMNS = "モデル Nodes TP GBS Host".split()
COLUMNS += [*(f"p{at} (ms)" for at in range(10, 40)), "Tokens/s", "Notes"]
# The contrast of the text of each kind of element with what is behind it, as WCAG computes it.
CONTRAST = """selector => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    probe.clearRect(0, 0, 1, 1); probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  return [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => {
      const [a, b] = [light(channels(getComputedStyle(one).color)), light(behind(one))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
}"""
TEXTS = "td, th, .path, .aside, .about p, .count, .group, .where, .message, .fact, .legend, .card a"


def make_wide() -> str:
    """Hundreds of rows and dozens of columns, of which one is empty and two are all alike."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|--" * len(COLUMNS) + "|"]
    for row in range(200):
        times = [f"{row % 7 + at / 10}" for at in range(len(COLUMNS) - 7)]
        first = [f"日本語モデル-{row}", str(2 ** (row % 8)), "4", "1024", ""]
        cells = [*first, *times, str(900 + row), ""]
        assert len(cells) == len(COLUMNS)
        lines.append(f"| {' | '.join(cells)} |")
    lines[3] = lines[3].replace("| 901 |", "| 12 GB |")
    return "# 大きな表\n\nOn Megatron-LM with 16 GB of memory.\n\n" + "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sample reports and a wide one, as a site."""
    wide = tmp_path_factory.mktemp("reports") / "wide.md"
    wide.write_text(make_wide(), encoding="utf-8")
    site = tmp_path_factory.mktemp("site")
    names = ("bigscience-1b3.md", "fugaku-30b.md", "nanotron-nemo.md")
    write_site([*(str(REPORTS / name) for name in names), str(wide)], str(site))
    return site


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in SCHEMES],
                ids=lambda pair: f"{pair[0]}-{pair[1]}")  # fmt: skip
def screen(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on a screen of each size, in each color scheme."""
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def visit(page: Page, folder: Path, name: str) -> None:
    (found,) = [path for path in folder.rglob("*.html") if path.stem.endswith(name)]
    page.goto(found.as_uri(), wait_until="load")


def headers(page: Page, table: str) -> list[str]:
    found = page.locator(f"{table} thead th[data-name]:visible")
    return [str(found.nth(at).get_attribute("data-name")) for at in range(found.count())]


def width_of(page: Page) -> int:
    assert page.viewport_size is not None
    return page.viewport_size["width"]


def test_the_index_fits_and_shows_results(screen: Page, folder: Path) -> None:
    visit(screen, folder, "index")
    assert screen.evaluate("document.documentElement.scrollWidth") == width_of(screen)
    measured = screen.locator("#runs thead th[data-measured]:visible").count()
    assert measured >= (1 if width_of(screen) == 390 else 3)
    if width_of(screen) > 390:
        assert "nodes" in headers(screen, "#runs")
        over = "(box => box.scrollWidth - box.clientWidth)"
        assert screen.evaluate(f"{over}(document.querySelector('#runs').parentElement)") <= 1
    assert min(screen.evaluate(CONTRAST, TEXTS)) >= 4.5


def test_every_run_of_the_index_shows_a_result(screen: Page, folder: Path) -> None:
    visit(screen, folder, "index")
    blank = """() => {
      const shown = (one) => one && one.checkVisibility() && one.textContent.trim();
      const measured = [...document.querySelectorAll('#runs thead th[data-result]')];
      return [...document.querySelectorAll('#runs tbody tr')].filter((row) => {
        const cells = measured.map((head) => row.cells[head.cellIndex]);
        const told = [...cells, ...row.querySelectorAll('.result, .lost')];
        return cells.some((one) => one.textContent.trim()) && !told.some(shown);
      }).length;
    }"""
    assert screen.evaluate(blank) == 0
    if width_of(screen) == 390:
        settings = screen.locator("#runs thead th[data-group=Settings]:visible").count()
        assert settings == 0


def test_a_wide_table_keeps_its_first_column_and_its_header(screen: Page, folder: Path) -> None:
    visit(screen, folder, "wide")
    assert screen.evaluate("document.documentElement.scrollWidth") == width_of(screen)
    places = """() => {
      const box = document.querySelector('#t1 .scroll').getBoundingClientRect();
      const at = (selector) => document.querySelector(selector).getBoundingClientRect();
      const head = at('#t1 thead th[data-first]');
      return [head.left - box.left, head.top - box.top, at('#t1r150 td').left - box.left];
    }"""
    screen.evaluate("document.querySelector('#t1 .scroll').scrollTo(0, 0)")
    before = screen.evaluate(places)
    screen.evaluate("document.querySelector('#t1 .scroll').scrollTo(700, 2000)")
    assert screen.evaluate("document.querySelector('#t1 .scroll').scrollLeft") == 700
    assert screen.evaluate("document.querySelector('#t1 .scroll').scrollTop") == 2000
    assert screen.evaluate(places) == pytest.approx(before, abs=1)
    # What passes below it does not shine through.
    top = """() => {
      const own = document.querySelector('#t1 thead th[data-first]').getBoundingClientRect();
      const found = document.elementFromPoint(own.left + own.width / 2, own.top + own.height / 2);
      return 'first' in found.closest('th').dataset;
    }"""
    screen.evaluate("document.querySelector('#t1 .scroll').scrollIntoView()")
    assert screen.evaluate(top)
    assert min(screen.evaluate(CONTRAST, TEXTS)) >= 4.5


def test_a_shadow_shows_where_there_is_more(page: Page, folder: Path) -> None:
    def sides() -> set[str]:
        page.wait_for_timeout(100)
        return set(str(frame.get_attribute("class")).split()) - {"frame"}

    visit(page, folder, "wide")
    frame = page.locator("#t1 .frame")
    box = "document.querySelector('#t1 .scroll')"
    page.evaluate(f"{box}.scrollTo(0, 0)")
    assert sides() == {"more-right", "more-below"}
    page.wait_for_timeout(300)
    shade = "getComputedStyle(document.querySelector('#t1 .frame'), '::after').opacity"
    assert page.evaluate(shade) == "1"
    page.evaluate(f"{box}.scrollTo(500, 500)")
    assert sides() == {"more-left", "more-right", "more-above", "more-below"}
    page.evaluate(f"{box}.scrollTo(1e6, 1e6)")
    assert sides() == {"more-left", "more-above"}
    page.wait_for_timeout(300)
    assert page.evaluate(shade) == "0"


def test_columns_that_tell_nothing_are_hidden_and_named(page: Page, folder: Path) -> None:
    visit(page, folder, "wide")
    shown = headers(page, "#t1")
    assert not {"TP", "GBS", "Host"} & set(shown)
    note = page.locator("#t1-note").inner_text().replace("\u00a0", " ")
    assert note == "The same in all rows: TP 4 · GBS 1024. Empty: Host"
    visit(page, folder, "nanotron-nemo")
    page.set_viewport_size({"width": 1600, "height": 900})
    assert page.locator("#t1-note").is_hidden()


def test_the_first_finding_is_in_sight(screen: Page, folder: Path) -> None:
    visit(screen, folder, "fugaku-30b")
    first = screen.locator(".finding").first
    assert "error" in str(first.get_attribute("class"))
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900
    visit(screen, folder, "wide")
    seen = """() => {
      const box = document.querySelector('#t1 .scroll').getBoundingClientRect();
      const cell = document.querySelector('#t1 td.flag.shown').getBoundingClientRect();
      return cell.left >= box.left && cell.right <= box.right + 1;
    }"""
    assert screen.evaluate(seen)


def choose(page: Page, name: str) -> None:
    page.locator("#runs-columns summary").click()
    page.locator("#runs-columns").get_by_label(name, exact=True).click()
    page.keyboard.press("Escape")


def test_chosen_columns_are_remembered(page: Page, folder: Path) -> None:
    visit(page, folder, "index")
    assert "pp" not in headers(page, "#runs") or "tp" in headers(page, "#runs")
    choose(page, "Heads")
    choose(page, "Nodes")
    assert "heads" in headers(page, "#runs")
    assert "nodes" not in headers(page, "#runs")
    page.reload()
    assert "heads" in headers(page, "#runs")
    assert "nodes" not in headers(page, "#runs")
    page.locator("#runs-columns summary").click()
    page.get_by_role("button", name="Choose for me").click()
    page.reload()
    assert "heads" not in headers(page, "#runs")
    assert "nodes" in headers(page, "#runs")


def test_columns_can_be_chosen_where_nothing_can_be_remembered(page: Page, folder: Path) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })"
    )
    visit(page, folder, "index")
    choose(page, "Heads")
    assert "heads" in headers(page, "#runs")
    page.reload()
    assert "heads" not in headers(page, "#runs")
    assert complaints == []


def test_what_is_remembered_wrongly_does_no_harm(page: Page, folder: Path) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for stored in ("{", "[1]", '"x"', '{"index:nodes": "no"}', "7"):
        page.add_init_script(f"localStorage.setItem('mdbench-columns', {stored!r})")
        visit(page, folder, "index")
        assert headers(page, "#runs")
    assert complaints == []


def test_numbers_are_shown_as_the_report_prints_them(page: Page, folder: Path) -> None:
    visit(page, folder, "index")
    if "memory_mib" not in headers(page, "#runs"):
        choose(page, "Memory")
    row = page.locator("#runs tbody tr", has_text="Benchmarking setup 1B3").first
    assert "16\u00a0GB" in row.inner_text()
    assert "15258.8" not in page.locator("#runs").inner_text()
    other = page.locator("#runs tbody tr", has_text="30B model").first
    assert "29138.6\u00a0MiB" in other.inner_text()


def test_no_line_breaks_in_a_name_or_before_a_unit(screen: Page, folder: Path) -> None:
    visit(screen, folder, "wide")
    lines = """selector => [...document.querySelectorAll(selector)]
        .map((one) => one.getClientRects().length)"""
    assert set(screen.evaluate(lines, ".report .name")) == {1}
    assert "16\u00a0GB" in screen.locator(".report > p").first.inner_text()
    visit(screen, folder, "index")
    assert set(screen.evaluate(lines, "#runs tbody .first a")) <= {1}
