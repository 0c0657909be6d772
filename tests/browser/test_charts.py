"""Charts in a real browser: scales, the ideal, bounds, what ran out of memory, devices, history."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from mdbench.rendering.site import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Page

ATTACK = (
    "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
)
HEAD = "| Nodes | Device | Tokens/s | Memory |\n|--|--|--|--|\n"
ROWS = {
    "a.md": """\
| 1 | A100 | 1000 | 60 GB |
| 2 | A100 | 1900 | 55 GB |
| 4 | A100 | 3500 | 50 GB |
| 8 | A100 | >6000 | >80 GB |
| 16 | A100 | OOM | OOM |
""",
    "b.md": """\
| 1 | H100 | 2100 | 61 GB |
| 2 | H100 | 4000 | 52 GB |
| 4 | H100 | 7800 | 51 GB |
""",
}

MANY = "# Report c\n\n| GPUs | Tokens/s |\n|--|--|\n| 8 | 1000 |\n| 16 | 1900 |\n| 32 | 3700 |\n"


class Watching(Protocol):
    """What the page did so far."""

    requests: list[str]
    complaints: list[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two reports of two devices, one of them with two versions in git."""
    reports = tmp_path_factory.mktemp("reports")
    nowhere = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    git = ("git", "-C", str(reports), "-c", "user.name=a", "-c", "user.email=a@example.org")

    def run(*arguments: str) -> None:
        subprocess.run([*git, *arguments], check=True, env={**os.environ, **nowhere})

    run("init", "-q")
    for name, rows in ROWS.items():
        (reports / name).write_text(f"# Report {name[0]}\n\n{HEAD}{rows}", encoding="utf-8")
    (reports / "c.md").write_text(f"{MANY}| 64 | 7000 |\n", encoding="utf-8")
    run("add", "-A")
    run("commit", "-q", "-m", "Measure")
    changed = f"# Report b\n\n{HEAD}{ROWS['b.md'].replace('4000', '4100')}"
    (reports / "b.md").write_text(changed, encoding="utf-8")
    (reports / "c.md").write_text(f"{MANY}| 64 | 7100 |\n", encoding="utf-8")
    run("commit", "-q", "-a", "-m", ATTACK)
    site = tmp_path_factory.mktemp("site")
    write_site([str(reports / name) for name in (*ROWS, "c.md")], str(site), history=True)
    return site


def visit(page: Page, path: Path) -> None:
    page.goto(path.as_uri())
    for _ in range(200):
        if page.evaluate("document.querySelectorAll('.figure:not(.drawn)').length === 0"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("the charts were not drawn")


def texts(page: Page, figure: str) -> list[str]:
    return page.locator(f".figure.{figure} svg text").all_text_contents()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_charts_say_what_they_show(page: Page, folder: Path, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visit(page, folder / "reports" / "a.html")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    said = texts(page, "scaling")
    assert {"Nodes (log scale)", "Tokens per second (log scale)", "ideal"} <= set(said)
    inks = """[...document.querySelectorAll('.figure svg text')]
        .map((one) => one.getAttribute('fill') ?? '').filter((one) => !one.startsWith('rgb'))"""
    assert page.evaluate(inks) == []
    shares = texts(page, "efficiency")
    assert "ideal" in shares
    assert "Share of the ideal" in shares
    ideal, trend = (
        page.locator(f".figure.scaling svg {place}").first.evaluate(
            "one => [getComputedStyle(one).strokeWidth, getComputedStyle(one).opacity]"
        )
        for place in ("path[stroke-dasharray]", ".mark-line path:not([stroke-dasharray])")
    )
    assert ideal == trend


def test_bounds_and_runs_out_of_memory_are_drawn_as_such(page: Page, folder: Path) -> None:
    visit(page, folder / "reports" / "a.html")
    points = "svg path[aria-roledescription=point]"
    for figure in ("scaling", "efficiency"):
        assert page.locator(f".figure.{figure} {points}[aria-label*='>6000']").count() == 1
        lost = page.locator(f".figure.{figure} {points}[aria-label*='out of memory']")
        assert lost.count() == 1
        assert "16 nodes" in str(lost.get_attribute("aria-label"))
        legend = page.locator(f".figure.{figure} .legend").inner_text()
        assert "ran out of memory" in legend
        assert "a bound" in legend
    bars = page.locator(".figure.memory svg path[aria-label*='>80']")
    assert bars.first.get_attribute("stroke-dasharray")
    key = page.locator(".figure.memory .legend .key.dashed")
    drawn = "one => [getComputedStyle(one).borderTopStyle, one.offsetWidth < 40]"
    assert key.evaluate(drawn) == ["dashed", True]
    assert key.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    assert page.locator(".figure.memory .legend .ring").count() == 0
    assert "GB" in texts(page, "memory")


def test_devices_are_told_apart_by_shape(page: Page, folder: Path) -> None:
    visit(page, folder / "index.html")
    assert {"A100", "H100"} <= set(texts(page, "across"))
    lost = page.locator("#runs tbody tr", has_text="OOM")
    assert lost.count() == 1
    assert "line\u00a09" in lost.inner_text()
    point = ".figure.across svg path[aria-roledescription=point]"
    shapes = {
        device: page.locator(f"{point}[aria-label*='{device}']").first.get_attribute("d")
        for device in ("A100", "H100")
    }
    assert shapes["A100"] != shapes["H100"]


@pytest.mark.parametrize("width", [390, 1024, 1600])
@pytest.mark.parametrize("name", ["history/c.html", "index.html"])
def test_a_legend_stays_in_its_card(page: Page, folder: Path, width: int, name: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, folder / name)
    out = """[...document.querySelectorAll('.figure')].flatMap((figure) => {
        const right = figure.getBoundingClientRect().right;
        const labels = [...figure.querySelectorAll('.role-legend-label text')];
        return labels.filter((one) => one.getBoundingClientRect().right > right)
            .map((one) => one.textContent);
    })"""
    assert page.locator(".role-legend-label text").count() >= 2
    assert page.evaluate(out) == []


def test_the_history_names_runs_and_metrics_as_the_charts_do(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    visit(page, folder / "history" / "b.html")
    row = page.locator(".commit tbody tr").first
    assert row.locator("td").first.inner_text() == "Tokens/s"
    assert row.locator("th").evaluate("(one) => getComputedStyle(one).whiteSpace") == "nowrap"


def test_the_history_of_a_report_is_drawn_and_nothing_of_it_runs(
    page: Page, watch: Watching, folder: Path
) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    visit(page, folder / "reports" / "b.html")
    page.get_by_role("link", name="History").click()
    page.wait_for_url("**/history/b.html")
    visit(page, folder / "history" / "b.html")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.title() == "History of Report b · mdbench"
    changed = page.locator(".commit", has_text="taken")
    assert ATTACK in changed.locator("h3").inner_text()
    assert "+2.5 %" in changed.inner_text()
    page.locator(".figure svg path[aria-roledescription=point]").last.hover(force=True)
    assert page.locator("#tip").is_visible()
    assert page.locator("main img, svg foreignObject").count() == 0
    assert watch.complaints == []
    assert [one for one in watch.requests if not one.startswith("file://")] == []
