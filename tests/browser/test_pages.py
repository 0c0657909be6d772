"""The site in a real browser: it opens from a disk, and does what it promises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PAGES = ("index", "bigscience-1b3", "fmengine", "fugaku-1.3b", "fugaku-30b", "nanotron-nemo")


class Watching(Protocol):
    """What the page did so far."""

    requests: list[str]
    complaints: list[str]


def until(page: Page, condition: str, arg: object = None) -> None:
    """Wait from here: the page's own policy forbids it to evaluate what Playwright would poll."""
    for _ in range(200):
        if page.evaluate(condition, arg):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"waited in vain for {condition}")


def find_page(site: Path, name: str) -> str:
    (found,) = [path for path in site.rglob("*.html") if path.stem in (name, f"reports-{name}")
                or path.stem.endswith(f"-{name}")]  # fmt: skip
    return found.as_uri()


def visit(page: Page, site: Path, name: str) -> None:
    page.goto(find_page(site, name))
    until(page, "document.querySelectorAll('.figure:not(.drawn)').length === 0")


def column(table: Locator, at: int) -> list[str]:
    return [
        text.strip().replace("\u00a0", " ")
        for text in table.locator(f"tbody tr:visible > :nth-child({at})").all_inner_texts()
    ]


@pytest.mark.parametrize("name", [*PAGES, "hostile"])
def test_it_opens_without_a_complaint_and_without_the_network(
    page: Page, watch: Watching, site: Path, name: str
) -> None:
    visit(page, site, name)
    assert watch.complaints == []
    assert watch.requests
    assert [one for one in watch.requests if not one.startswith("file://")] == []


@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone_only_tables_scroll_sideways(page: Page, site: Path, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, site, name)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    wide = page.locator(".scroll").first
    assert page.evaluate(
        "getComputedStyle(document.querySelector('.scroll') ?? document.body).overflowX"
    ) == ("auto" if wide.count() else "visible")


def flagged_cell(page: Page) -> Locator:
    return page.locator("#t1r8 td.error")


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_flagged_cell_shows_its_evidence(page: Page, site: Path, way: str) -> None:
    visit(page, site, "fugaku-1.3b")
    tip = page.locator("#tip")
    assert not tip.is_visible()
    getattr(flagged_cell(page), way)()
    tip.wait_for(state="visible")
    assert "MB301" in tip.inner_text()
    assert "DP 1024" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")


def test_the_evidence_describes_the_cell_to_a_screen_reader(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-1.3b")
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    told = [node.get("description", {}).get("value", "") for node in nodes]
    assert any("MB301 error" in text and "DP 1024" in text for text in told)


def test_the_evidence_stays_on_the_screen(page: Page, site: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, site, "fugaku-1.3b")
    flagged_cell(page).focus()
    box = page.locator("#tip").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_a_flagged_cell_differs_by_more_than_its_colour(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-1.3b")
    line, shape = page.eval_on_selector(
        "#t1r8 td.error",
        "cell => [getComputedStyle(cell).textDecorationLine,"
        " getComputedStyle(cell, '::after').clipPath]",
    )
    assert line == "underline"
    assert shape.startswith("polygon")


def test_findings_are_filtered_by_severity(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-1.3b")
    assert page.locator(".finding.error:visible").count() > 0
    page.locator(".chip.error").click()
    assert page.locator(".chip.error").get_attribute("aria-pressed") == "false"
    assert page.locator(".finding.error:visible").count() == 0
    assert page.locator(".finding.warning:visible").count() > 0
    flagged_cell(page).hover()
    page.wait_for_timeout(300)
    assert not page.locator("#tip").is_visible()
    assert flagged_cell(page).get_attribute("tabindex") == "-1"
    page.locator(".chip.error").click()
    flagged_cell(page).focus()
    assert page.locator("#tip").is_visible()


def test_rows_without_findings_can_be_hidden(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-30b")
    rows = page.locator("#t2 tbody tr:visible")
    page.locator(".chip.info").click()
    every = rows.count()
    page.get_by_role("button", name="Only rows with findings").click()
    assert page.locator("#t1 tbody tr:visible").count() == 0
    assert rows.count() == every


def test_columns_sort_up_down_and_back(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-30b")
    table = page.locator("#t2 table")
    header = table.locator("th", has_text="Nodes").first
    before = column(table, 2)
    numbers = sorted(map(int, before))
    for way, wanted in (
        ("ascending", numbers),
        ("descending", numbers[::-1]),
        ("none", list(map(int, before))),
    ):
        header.get_by_role("button").click()
        assert header.get_attribute("aria-sort") == way
        assert list(map(int, column(table, 2))) == wanted


def test_columns_sort_by_keyboard_and_leave_what_is_missing_last(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-1.3b")
    table = page.locator("#t1 table")
    table.get_by_role("button", name="Sec/it").focus()
    page.keyboard.press("Enter")
    assert column(table, 10)[:3] == ["162.5", "2533.0", "20033.7 MiB"]
    page.keyboard.press("Enter")
    assert column(table, 10)[:2] == ["2533.0", "162.5"]


def test_a_script_in_a_cell_stays_text(page: Page, watch: Watching, site: Path) -> None:
    visit(page, site, "hostile")
    assert page.title() == "A report · mdbench"
    assert '<script>document.title = "taken"</script>' in column(page.locator("#t1 table"), 4)[0]
    assert page.locator("#t1 tbody a, #t1 tbody img, #t1 tbody script").count() == 0
    assert watch.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_follow_the_system_until_the_button_is_pressed(
    page: Page, watch: Watching, site: Path, scheme: str
) -> None:
    def is_dark() -> bool:
        colour = str(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        return sum(map(int, re.findall(r"\d+", colour)[:3])) < 3 * 128

    def chart_ink() -> str | None:
        return page.locator(".figure svg text").first.get_attribute("fill")

    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visit(page, site, "fugaku-30b")
    assert is_dark() == (scheme == "dark")
    ink = chart_ink()
    button = page.locator("#theme")
    assert button.get_attribute("aria-pressed") == str(is_dark()).lower()
    button.click()
    assert is_dark() == (scheme != "dark")
    assert button.get_attribute("aria-pressed") == str(is_dark()).lower()
    until(
        page,
        "ink => document.querySelector('.figure svg text')?.getAttribute('fill') !== ink",
        arg=ink,
    )
    assert watch.complaints == []
    page.reload()
    assert is_dark() == (scheme != "dark")


def test_charts_show_lines_the_ideal_and_flagged_points(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-30b")
    scaling = page.locator(".figure.scaling svg")
    assert scaling.locator("path[stroke-dasharray]").count() >= 2
    assert page.locator(".figure.efficiency svg").is_visible()
    assert page.locator(".figure.memory svg").is_visible()
    assert page.locator(".figure.scaling .shape.error").is_visible()


def test_a_point_tells_its_run_and_leads_to_its_row(page: Page, site: Path) -> None:
    visit(page, site, "nanotron-nemo")
    point = page.locator(".figure.efficiency svg path[aria-roledescription=point]").nth(2)
    point.hover()
    assert "8 nodes" in page.locator("#tip").inner_text()
    point.click()
    until(page, "location.hash === '#t1r3'")
    assert page.evaluate("document.activeElement.id") == "t1r3"


def test_points_are_reached_by_keyboard(page: Page, site: Path) -> None:
    visit(page, site, "nanotron-nemo")
    page.locator(".figure.efficiency .chart").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert "4 nodes" in page.locator("#tip").inner_text()
    page.keyboard.press("Enter")
    until(page, "location.hash === '#t1r2'")


def test_the_index_filters_runs(page: Page, site: Path) -> None:
    visit(page, site, "index")
    rows = page.locator("#runs tbody tr:visible")
    every = rows.count()
    page.locator("#filters").get_by_label("Nodes", exact=True).select_option("64")
    assert 0 < rows.count() < every
    assert page.locator("#shown").inner_text() == f"{rows.count()} of {every} runs"
    page.locator("#filters").get_by_label("TP", exact=True).select_option("4")
    assert rows.count() == 1
    page.get_by_role("button", name="Clear").click()
    until(page, f"document.getElementById('shown').textContent === '{every} runs'")
    page.get_by_label("Search").fill("llama2")
    assert rows.count() == 5
    page.get_by_label("Search").fill("")
    page.locator("#filters").get_by_label("Findings").select_option("error")
    assert {rows.nth(at).get_attribute("data-severity") for at in range(rows.count())} == {"error"}


def test_the_index_compares_runs(page: Page, site: Path) -> None:
    visit(page, site, "index")
    page.get_by_label("Search").fill("llama2")
    picks = page.locator("#runs tbody tr:visible .pick")
    picks.nth(0).check()
    assert page.locator("#compare").is_disabled()
    picks.nth(1).check()
    page.get_by_role("button", name="Compare 2 runs").click()
    panel = page.locator("#comparison")
    assert panel.locator("tr", has_text="Nodes").get_attribute("class") == "differs"
    assert "×1.94" in panel.inner_text()


def test_the_index_leads_to_the_row_of_a_run(page: Page, site: Path) -> None:
    visit(page, site, "index")
    page.locator(
        ".figure.across svg path[aria-roledescription=point][aria-label*='32 nodes']"
    ).click()
    page.wait_for_url(re.compile(r"/reports/.*#t\d+r\d+$"))
    assert page.locator("tr:target").count() == 1


def test_a_page_is_usable_without_a_pointer(page: Page, site: Path) -> None:
    visit(page, site, "fugaku-1.3b")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    stops = page.evaluate(
        "[...document.querySelectorAll('.flag.shown, .sort, summary, .chart, .chip')]"
        ".every(one => one.tabIndex === 0)"
    )
    assert stops
