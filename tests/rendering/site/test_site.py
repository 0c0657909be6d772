"""The site is complete, safe and reproducible. Its behavior is tested in tests/browser."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.api import parse
from mdbench.cli.main import main
from mdbench.files.errors import ProblemError
from mdbench.rendering.site import Site, write_site
from mdbench.rendering.site.drawing import draw
from mdbench.rendering.site.index_page import ListedReport, make_index
from mdbench.rendering.site.labels import show_number
from mdbench.rendering.site.names import name_pages, show_paths
from mdbench.rendering.site.pages import make_page
from mdbench.rendering.site.pieces import Look, Mark, cut_markdown, cut_verbatim, safe_link
from mdbench.rendering.site.plots import Bars, Plot, Scaling, choose_plots
from mdbench.rendering.site.views import Page, TableView
from mdbench.results.files import ResultFiles
from mdbench.sheets.report import read_report
from mdbench.source import Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary

REPORTS = Path(__file__).resolve().parent.parent.parent.parent / "reports"
HOSTILE = """# <img src=x onerror=alert(1)> & "quotes"

See [here](javascript:alert(1)), [there](https://example.org/?a=1&b=2) and <script>alert(2)</script>

| Nodes | TFLOPs | Notes <b onclick=alert(3)>x</b> |
|---|---|---|
| 2 | 10.0 | <script>alert(4)</script> |
| 4 | 9.0 | [x](data:text/html,<script>alert(5)</script>) |
| 8 | 8.0 | </script><script>alert(6)</script> " onfocus="alert(7) |
| | | |
"""


class Scan(HTMLParser):
    """Everything in a page that a browser would act on."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.attributes: set[str] = set()
        self.inline: list[str] = []
        self.described: list[str] = []
        self.specs: list[dict[str, object]] = []
        self._script: str | None = None
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.attributes.update(named)
        if "id" in named:
            self.ids.append(named["id"])
        self.described += named.get("aria-describedby", "").split()
        if tag == "a":
            self.links.append(named["href"])
        elif "src" in named or (tag == "link" and "href" in named):
            self.loaded.append(named.get("src") or named["href"])
        if tag == "script":
            self._script = named.get("type", "src" if "src" in named else "inline")

    def handle_data(self, data: str) -> None:
        if self._script == "application/json":
            self.specs.append(json.loads(data))
        elif self._script == "inline" or (self._script == "src" and data.strip()):
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None


def anchors_in(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["anchor"]} if isinstance(value.get("anchor"), str) else set()
        return own.union(*map(anchors_in, value.values()))
    return set().union(*map(anchors_in, value)) if isinstance(value, list) else set()


def page_of(text: str) -> Page:
    return make_page(parse(text))


def plots_of(text: str) -> list[Plot]:
    return list(choose_plots(page_of(text).runs))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    hostile = tmp_path_factory.mktemp("reports") / "hostile.md"
    hostile.write_text(HOSTILE, encoding="utf-8")
    return write_site([*map(str, sorted(REPORTS.glob("*.md"))), str(hostile)], str(folder))


@pytest.fixture(scope="module")
def scans(site: Site) -> dict[str, Scan]:
    return {name: Scan(Path(site.folder, name)) for name in site.pages}


def scan_of(scans: dict[str, Scan], name: str) -> Scan:
    return next(scan for page, scan in scans.items() if page.endswith(f"{name}.html"))


def test_every_report_has_a_page_and_there_is_an_index(site: Site) -> None:
    assert len(site.pages) == len(list(REPORTS.glob("*.md"))) + 2
    assert site.pages[-1] == "index.html"
    assert site.stale == ()


def test_pages_load_only_files_of_the_site(site: Site, scans: dict[str, Scan]) -> None:
    for name, scan in scans.items():
        assert scan.loaded
        for address in scan.loaded:
            assert urlsplit(address).scheme == urlsplit(address).netloc == ""
            assert Path(site.folder, name).parent.joinpath(address).is_file()


def test_the_library_is_written_once(site: Site) -> None:
    copies = [path for path in Path(site.folder).rglob("*") if path.stat().st_size > 500_000]
    assert copies == [Path(site.folder, "assets", "vega.js")]


def test_links_lead_to_existing_pages_or_to_the_web(site: Site, scans: dict[str, Scan]) -> None:
    for name, scan in scans.items():
        for link in scan.links:
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("http", "https")
                continue
            path = Path(site.folder, name)
            target = path.parent.joinpath(unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), link
            ids = scans[target.relative_to(Path(site.folder).resolve()).as_posix()].ids
            assert not parts.fragment or parts.fragment in ids, link


def test_ids_are_unique_and_descriptions_exist(scans: dict[str, Scan]) -> None:
    for scan in scans.values():
        assert len(scan.ids) == len(set(scan.ids))
        assert set(scan.described) <= set(scan.ids)


def test_every_point_links_to_its_row(scans: dict[str, Scan]) -> None:
    for scan in scans.values():
        for anchor in anchors_in(scan.specs):
            page, _, place = anchor.rpartition("#")
            assert place in (scan_of(scans, Path(page).stem) if page else scan).ids, anchor
    assert all(anchors_in(scan_of(scans, name).specs) for name in ("fugaku-30b", "index"))


def test_every_finding_describes_a_place(scans: dict[str, Scan]) -> None:
    for name, scan in scans.items():
        notes = {one for one in scan.ids if one.startswith("why-")}
        assert notes == set(scan.described), name
    assert scan_of(scans, "fugaku-30b").described


def test_every_finding_says_how_sure_it_is(site: Site) -> None:
    texts = [Path(site.folder, name).read_text(encoding="utf-8") for name in site.pages]
    listed = [text.count('<li class="finding ') for text in texts]
    assert [text.count(" % sure, ") for text in texts] == listed
    assert any(listed)


def test_the_text_of_a_report_is_never_code(site: Site, scans: dict[str, Scan]) -> None:
    for scan in scans.values():
        assert scan.inline == []
        assert not any(name.startswith("on") or name == "style" for name in scan.attributes)
    text = Path(site.folder, site.pages[-2]).read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(4)&lt;/script&gt;" in text
    assert "<script>alert" not in text
    assert "javascript:" not in text
    assert scan_of(scans, "hostile").links.count("https://example.org/?a=1&b=2") == 1


def test_every_page_forbids_what_it_does_not_need(site: Site) -> None:
    for name in site.pages:
        text = Path(site.folder, name).read_text(encoding="utf-8")
        policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[
            0
        ]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert "http" not in policy


def test_the_same_reports_give_the_same_bytes(tmp_path: Path) -> None:
    paths = [str(path) for path in sorted(REPORTS.glob("*.md"))]
    sites = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        write_site(paths, str(folder))
        found = [path for path in folder.rglob("*") if path.is_file()]
        sites.append({path.relative_to(folder): path.read_bytes() for path in found})
    assert sites[0] == sites[1]


def test_pages_of_an_earlier_run_are_kept_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(REPORTS / "fmengine.md"), str(REPORTS / "fugaku-30b.md")]
    write_site(paths, str(tmp_path))
    assert capsys.readouterr().err == ""
    site = write_site(paths[:1], str(tmp_path))
    assert site.stale == ("reports/fugaku-30b.html",)
    assert Path(tmp_path, "reports/fugaku-30b.html").is_file()
    assert "reports/fugaku-30b.html" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["index.html", "assets/look.css"])
def test_a_foreign_file_is_not_overwritten(tmp_path: Path, name: str) -> None:
    own = tmp_path / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine", encoding="utf-8")
    with pytest.raises(ProblemError, match=f"{name}, which mdbench did not write"):
        write_site([str(REPORTS / "fmengine.md")], str(tmp_path))
    assert own.read_text(encoding="utf-8") == "mine"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [own]


def test_a_folder_that_cannot_be_created_is_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("a file", encoding="utf-8")
    with pytest.raises(ProblemError, match="cannot be written"):
        write_site([str(REPORTS / "fmengine.md")], str(tmp_path / "site"))


def test_an_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = tmp_path / "broken.md"
    broken.write_bytes(b"| \xff |")
    told: list[str] = []
    paths = [str(broken), str(REPORTS / "fmengine.md")]
    site = write_site(paths, str(tmp_path / "site"), report_error=told.append)
    assert site.pages == ("reports/fmengine.html", "index.html")
    assert len(told) == 1
    assert told[0].startswith(f"{broken}: is not UTF-8")


def test_no_reports_give_an_empty_index(tmp_path: Path) -> None:
    assert write_site([], str(tmp_path)).pages == ("index.html",)


def test_the_command_writes_the_site(tmp_path: Path) -> None:
    report, folder = str(REPORTS / "fmengine.md"), str(tmp_path / "site")
    assert main(["render", report, "--format", "html", "-o", folder]) == 0
    assert Path(folder, "index.html").is_file()


def test_without_the_extra_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mdbench.rendering.site.extra.find_spec", lambda _name: None)
    folder = tmp_path / "site"
    arguments = ["render", str(REPORTS / "fmengine.md"), "--format", "html", "-o", str(folder)]
    assert main(arguments) == 2
    assert "pip install '.[html]'" in capsys.readouterr().err
    assert not folder.exists()
    assert importlib.util.find_spec("altair")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        pytest.param(["reports/a.md"], ("a",), id="the file's name"),
        pytest.param(["r/a/x.md", "r/b/x.md"], ("a-x", "b-x"), id="the folders that differ"),
        pytest.param(["x.md", "x.mdx"], ("x", "x-2"), id="a number if names are equal"),
        pytest.param(["X.md", "x.markdown"], ("X", "x-2"), id="case-insensitive file system"),
        pytest.param(["../a b/ü?.md"], ("ü",), id="unsafe characters are removed"),
        pytest.param(["<stdin>"], ("stdin",), id="standard input"),
        pytest.param(["..."], ("report",), id="nothing left"),
    ],
)
def test_pages_are_named_after_reports(paths: list[str], names: tuple[str, ...]) -> None:
    assert name_pages(paths) == names


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        pytest.param(["reports/a.md"], ("reports/a.md",), id="relative already"),
        pytest.param(["{here}/r/a.md"], ("r/a.md",), id="below the current folder"),
        pytest.param(["/srv/x/r/a.md", "/srv/x/b.md"], ("x/r/a.md", "x/b.md"), id="elsewhere"),
        pytest.param(["/srv/x/a.md", "b.md"], ("x/a.md", "b.md"), id="of both kinds"),
        pytest.param(["/a.md"], ("a.md",), id="at the root"),
    ],
)
def test_paths_on_pages_are_relative(paths: list[str], shown: tuple[str, ...]) -> None:
    given = [path.format(here=os.getcwd()) for path in paths]
    assert show_paths(given) == shown


@given(st.lists(st.text(max_size=300), max_size=6))
def test_page_names_are_distinct_and_short(paths: list[str]) -> None:
    names = name_pages(paths)
    assert len({name.casefold() for name in names}) == len(paths)
    assert all(0 < len(name.encode("utf-8", "replace")) < 120 for name in names)
    assert not any(set(name) & set("/\\<>:\"'|?*&%# ") for name in names)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", [("plain", Look.TEXT)]),
        ("a `b` c", [("a ", Look.TEXT), ("b", Look.CODE), (" c", Look.TEXT)]),
        ("**b**", [("b", Look.STRONG)]),
        ("*b*", [("b", Look.SOFT)]),
        ("1.18*", [("1.18*", Look.TEXT)]),
        ("2 * 3 * 4", [("2 * 3 * 4", Look.TEXT)]),
        ("[a](https://x.org)", [("a", Look.LINK)]),
        ("[a](../x.md)", [("a", Look.TEXT)]),
        ("![chart](x.png)", [("[image: chart]", Look.SOFT)]),
        ("a<br/>b", [("a", Look.TEXT), ("", Look.BREAK), ("b", Look.TEXT)]),
        ("10<sup>3</sup>", [("10", Look.TEXT), ("3", Look.TEXT)]),
        ("<script>x</script>", [("<script>x</script>", Look.TEXT)]),
        (r"a\|b", [("a", Look.TEXT), ("|", Look.TEXT), ("b", Look.TEXT)]),
        ("&lt;b&gt;", [("<b>", Look.TEXT)]),
    ],
)
def test_a_line_is_split_into_pieces(text: str, shown: list[tuple[str, Look]]) -> None:
    assert [(piece.text, piece.look) for piece in cut_markdown(text)] == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.0518, "0.0518"),
        (1.18, "1.18"),
        (47.0, "47"),
        (1841598.85, "1841598.9"),
        (15258.7890625, "15258.8"),
        (1.3e9, "1.3B"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_are_shown_with_the_digits_they_need(value: float, shown: str) -> None:
    assert show_number(value) == shown


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "https:",
        "https://[",
        "relative.md",
        "#here",
    ],
)
def test_only_web_pages_become_links(address: str) -> None:
    assert safe_link(address) == ""


@given(st.text(alphabet="ab`*[]()<>!\\&;:/. \thtpsjv", max_size=80), st.integers(0, 80))
def test_any_text_gives_safe_pieces(text: str, at: int) -> None:
    marks = [Mark(Span(at, at + 5), 1)]
    assert "".join(piece.text for piece in cut_verbatim(text, 0, marks)) == text
    for piece in cut_markdown(text, 0, marks):
        assert not piece.href or piece.href.lower().startswith(("http://", "https://"))


def test_a_finding_marks_its_span() -> None:
    pieces = cut_markdown("takes 8.36 days", 100, [Mark(Span(106, 110), 3)])
    assert [(piece.text, piece.findings) for piece in pieces] == [
        ("takes ", ()),
        ("8.36", (3,)),
        ("\u00a0days", ()),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("needs 16 GB of memory", ["16\u00a0GB"]),
        ("162.5 ms, then 48 %", ["162.5\u00a0ms", "48\u00a0%"]),
        ("1.14 ± 0.02 s", ["1.14\u00a0±\u00a00.02\u00a0s"]),
        ("32 reasons of 2 people", []),
        ("16GB", []),
    ],
)
def test_no_line_breaks_between_a_number_and_its_unit(text: str, kept: list[str]) -> None:
    (piece,) = cut_markdown(text)
    assert len(piece.text) == len(text)
    assert piece.text.count("\u00a0") == "".join(kept).count("\u00a0")
    assert all(one in piece.text for one in kept)


def test_no_line_breaks_between_numbers_and_units_of_a_message() -> None:
    rows = "| a | 0.50 ± 0.04 | 0.45 |\n| b | 0.84 ± 0.02 | 0.82 |\n| c | 1.14 ± 0.02 | 1.22 |\n"
    (note,) = page_of(f"| Command | Mean [s] | Min [s] |\n|--|--|--|\n{rows}").notes
    assert note.code == "MB306"
    assert "1.14\u00a0±\u00a00.02" in note.message


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("GPT-3 on A100-80GB", ["GPT-3", "A100-80GB"]),
        ("Megatron-LM (v2.4-rc1)", ["Megatron-LM", "v2.4-rc1"]),
        ("a - b", []),
        ("--num-layers", []),
        ("a-very-long-name-that-no-phone-could-show-on-one-line", []),
    ],
)
def test_no_line_breaks_inside_a_name(text: str, names: list[str]) -> None:
    pieces = cut_markdown(text)
    assert [piece.text for piece in pieces if piece.look is Look.NAME] == names
    assert "".join(piece.text for piece in pieces) == text


def test_a_finding_on_a_cell_is_on_that_cell_only() -> None:
    page = page_of((REPORTS / "fugaku-1.3b.md").read_text(encoding="utf-8"))
    (note,) = [one for one in page.notes if one.place.line == 34 and one.severity == "error"]
    marked = [
        (row.line, at)
        for table in page.tables
        for row in table.rows
        for at, cell in enumerate(row.cells)
        if note.number in cell.findings
    ]
    assert marked == [(34, 3)]
    assert note.place.anchor == "t1r8"


def test_a_finding_on_a_row_is_on_its_line_number() -> None:
    page = page_of("| Nodes | TFLOPs |\n|--|--|\n| 8 | 2 |\n|  |  |\n| 4 | 2 |\n")
    (table,) = page.tables
    assert [(row.line, bool(row.findings)) for row in table.rows] == [
        (3, False),
        (4, True),
        (5, False),
    ]
    assert [row.data for row in table.rows] == [True, False, True]


def test_cells_sort_by_their_value_in_one_unit() -> None:
    page = page_of("| Nodes | Mem |\n|--|--|\n| 1 | 2 GiB |\n| 2 | 512 MiB |\n| 3 | - |\n")
    (table,) = page.tables
    assert [row.cells[1].value for row in table.rows] == [2048, 512, None]


def test_a_number_with_an_incompatible_unit_is_not_sorted_with_the_others() -> None:
    page = page_of("| Nodes | Sec/it |\n|--|--|\n| 1 | 2.0 |\n| 2 | 20033.7 MiB |\n| 4 | 1.0 |\n")
    (table,) = page.tables
    assert [row.cells[1].value for row in table.rows] == [2, None, 1]


SCALING = """| Nodes | TFLOPs | Tokens/s |
|---|---|---|
| 2 | 100 | 1000 |
| 4 | 95 | 1900 |
| 8 | 90 | 3600 |
"""


def test_throughput_is_plotted_over_nodes_with_the_ideal() -> None:
    scaling, efficiency = plots_of(SCALING)
    assert isinstance(scaling, Scaling)
    assert isinstance(efficiency, Scaling)
    assert scaling.y_title == "Tokens per second"
    assert [(point.x, point.y) for point in scaling.points] == [(2, 1000), (4, 1900), (8, 3600)]
    assert [corner[1:] for corner in scaling.ideal] == [(2, 1000), (8, 4000)]
    assert [round(point.y, 3) for point in efficiency.points] == [1, 0.95, 0.9]
    assert [point.anchor for point in scaling.points] == ["t1r1", "t1r2", "t1r3"]


def test_a_rate_per_device_is_added_up() -> None:
    scaling = plots_of("| Nodes | TFLOPs |\n|--|--|\n| 2 | 100 |\n| 4 | 95 |\n")[0]
    assert isinstance(scaling, Scaling)
    assert scaling.y_title == "TFLOPs × nodes"
    assert [point.y for point in scaling.points] == [200, 380]


def test_different_settings_have_their_own_lines() -> None:
    text = "| Nodes | TP | TFLOPs |\n|--|--|--|\n" + "".join(
        f"| {nodes} | {tp} | {100 - nodes} |\n" for tp in (1, 2) for nodes in (2, 4)
    )
    scaling = plots_of(text)[0]
    assert isinstance(scaling, Scaling)
    assert scaling.series == ("TP 1", "TP 2")


def test_bounds_are_drawn_unlike_exact_values() -> None:
    scaling, efficiency = plots_of(SCALING + "| 16 | 80 | > 6000 |\n| 32 | 80 | ~12000 |\n")
    assert isinstance(scaling, Scaling)
    assert [point.bound for point in scaling.points] == ["", "", "", ">", "~"]
    assert "\n>6000 tokens" in scaling.points[3].label.casefold()
    assert isinstance(efficiency, Scaling)
    assert [point.bound for point in efficiency.points] == ["", "", "", ">", "~"]
    spec = draw(scaling)
    layers = {
        layer["mark"]["style"]: spec["datasets"][layer["data"]["name"]] for layer in spec["layer"]
    }
    assert [datum["x"] for datum in layers["member"]] == [2, 4, 8]
    assert [datum["x"] for datum in layers["bounded"]] == [16, 32]
    assert [datum["x"] for datum in layers["arrow"]] == [16]
    assert [datum["x"] for datum in layers["trend"]] == [2, 4, 8]


def test_bars_of_bounds_are_drawn_unlike_others() -> None:
    rows = ("| a | 100 |", "| b | >200 |", "| c | 150 |")
    bars = plots_of("| Method | Tokens/s |\n|--|--|\n" + "\n".join(rows) + "\n")[0]
    assert isinstance(bars, Bars)
    assert [bar.bound for bar in bars.bars] == ["", ">", ""]
    styles = [layer["mark"]["style"] for layer in draw(bars)["layer"]]
    assert styles == ["run", "bounded-run", "arrow"]


def test_a_cross_leaves_the_arrow_of_a_bound_free() -> None:
    rows = ("| 1 | 900 | 40 |", "| 2 | 1700 | 60 |", "| 4 | OOM | >80 |", "| 8 | OOM | 81 |")
    text = "| Nodes | Tokens/s | Memory (GB) |\n|--|--|--|\n" + "\n".join(rows) + "\n"
    memory = plots_of(text)[-1]
    assert isinstance(memory, Bars)
    crosses = [one["mark"] for one in draw(memory)["layer"] if one["mark"]["style"] == "over"]
    assert sorted(one["xOffset"] for one in crosses) == [-20, 0]


def test_shares_have_a_space_before_the_sign() -> None:
    table = "| Nodes | Tokens/s |\n|--|--|\n| 1 | 900 |\n| 2 | 1700 |\n| 4 | 3300 |\n"
    efficiency = plots_of(table)[1]
    assert isinstance(efficiency, Scaling)
    assert efficiency.points[1].label.startswith("94 % of the ideal")
    axis = draw(efficiency)["layer"][-1]["encoding"]["y"]["axis"]
    assert axis["labelExpr"].endswith("+ ' %'")


def test_a_wrong_number_marks_no_chart_of_another() -> None:
    query = "values (8, 100, 20, 10.4), (4, 200, 10, 9.1), (2, 600, 5, 8.2)"
    names = "batch, samples_per_s, memory_gb, latency_ms"
    table = (
        f"<!-- mdbench: select * from ({query}) as runs({names}) -->\n"
        "| Batch | Samples/s | Memory (GB) | Latency (ms) |\n|--|--|--|--|\n"
        "| 8 | 100 | 20 | {} |\n| 4 | {} | 10 | 9.1 |\n| 2 | 600 | 5 | 8.2 |\n"
    )

    def flags(latency: str, rate: str) -> list[list[str]]:
        text = table.format(latency, rate)
        report = read_report(Source("a.md", text), standard_vocabulary())
        page = make_page(report, ResultFiles(".", ()))
        bars = [one for one in choose_plots(page.runs) if isinstance(one, Bars)]
        assert page.counts["error"]
        return [[bar.flag for bar in one.bars] for one in bars]

    assert flags("11.0", "200") == [["", "", ""], ["", "", ""]]
    assert flags("10.4", "240") == [["", "error", ""], ["", "", ""]]


def test_the_index_shows_first_what_most_runs_have_until_each_has_a_result() -> None:
    rows = ("| a | 1 | 900 | 30 |", "| b | 1 | 1700 | 20 |", "| c | 2 | 3300 | 10 |")
    rates = "| Model | TP | Tokens/s | Memory (GB) |\n|--|--|--|--|\n" + "\n".join(rows) + "\n"
    times = "| Command | Time (ms) |\n|--|--|\n| sort | 65 |\n| sort -n | 55 |\n"
    made = make_index([ListedReport(page_of(text), "r.html") for text in (rates, times)])
    ranked = sorted(made.headings, key=lambda one: one.rank)
    first, second, third = ranked[:3]
    assert (first.measured, second.measured, third.measured) == (True, True, False)
    assert {first.name, second.name} in ({"tokens_per_s", "time_s"}, {"memory_mib", "time_s"})
    assert [row.result for row in made.rows][3:] == ["Time 65\u00a0ms", "Time 55\u00a0ms"]


def test_no_line_goes_through_a_doubtful_value() -> None:
    scaling, efficiency, *_ = plots_of((REPORTS / "fugaku-1.3b.md").read_text(encoding="utf-8"))
    assert isinstance(scaling, Scaling)
    assert isinstance(efficiency, Scaling)
    assert [(point.x, point.flag) for point in scaling.points if point.doubted] == [(256, "error")]
    assert not any(point.doubted for point in efficiency.points)


def test_a_finding_about_a_whole_column_marks_no_point_of_another() -> None:
    scaling = plots_of((REPORTS / "fugaku-30b.md").read_text(encoding="utf-8"))[0]
    assert isinstance(scaling, Scaling)
    flagged = [point.label.rpartition("line ")[2][:2] for point in scaling.points if point.flag]
    assert flagged == ["35", "36", "37", "38"]


def test_runs_of_one_size_are_compared_as_bars_and_memory_with_its_limit() -> None:
    fastest, memory = plots_of((REPORTS / "bigscience-1b3.md").read_text(encoding="utf-8"))
    assert isinstance(fastest, Bars)
    assert isinstance(memory, Bars)
    assert {bar.limit for bar in memory.bars} == {16, 32}
    assert all(bar.over == (bar.value is None) for bar in memory.bars)
    assert len({bar.name for bar in memory.bars}) == len(memory.bars)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Nothing\n\nwords\n",
        "| a | b |\n|--|--|\n| x | y |\n",
        "| Nodes | TFLOPs |\n|--|--|\n",
    ],
    ids=["empty", "prose", "words", "no rows"],
)
def test_a_report_without_measurements_has_a_page_without_charts(text: str) -> None:
    page = page_of(text)
    assert list(choose_plots(page.runs)) == []
    assert page.title


def test_a_bound_table_says_so_and_whether_it_is_in_step(tmp_path: Path) -> None:
    query = "select * from (values (1, 9.0), (2, 4.6)) as runs(threads, time_s)"
    table = "| Threads | Time (s) |\n|--:|--:|\n| 1 | 9.0 |\n| 2 | {} |\n"
    for name, time in (("a.md", "4.6"), ("b.md", "4.9")):
        text = f"<!-- mdbench: {query} -->\n{table.format(time)}"
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [str(tmp_path / "a.md"), str(tmp_path / "b.md")]
    site = write_site(paths, str(tmp_path / "site"))
    texts = [Path(site.folder, name).read_text(encoding="utf-8") for name in sorted(site.pages)]
    (in_step,) = (text for text in texts if "a.md" in text and "</code>: in step" in text)
    (differs,) = (text for text in texts if "</code>: 1 of 2 numbers differ" in text)
    assert query in in_step
    assert "MB601" in differs


def test_a_bound_table_says_of_which_day_its_results_are(tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text('[{"threads": 1, "time_s": 9.0}]', encoding="utf-8")
    text = "<!-- mdbench: from runs -->\n| Threads | Time (s) |\n|--:|--:|\n| 1 | 9.0 |\n"
    results = ResultFiles(str(tmp_path), (("runs", "runs.json"),))
    report = read_report(Source("a.md", text), standard_vocabulary())

    def standing() -> str:
        (table,) = (one for one in make_page(report, results).body if isinstance(one, TableView))
        return table.standing

    os.utime(tmp_path / "runs.json", (86400, 86400))
    assert standing() == "in step with the results of 1970-01-02"
    git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org")
    day = {**os.environ, "GIT_COMMITTER_DATE": "2026-03-14T12:00:00Z"}
    for command in (("init", "-q"), ("add", "runs.json"), ("commit", "-qm", "Results")):
        subprocess.run([*git, *command], check=True, env=day)
    os.utime(tmp_path / "runs.json", (90000, 90000))
    assert standing() == "in step with the results of 2026-03-14"
    (tmp_path / "runs.json").write_text('[{"threads": 1, "time_s": 8.5}]', encoding="utf-8")
    day["GIT_COMMITTER_DATE"] = "2026-04-01T12:00:00Z"
    subprocess.run([*git, "commit", "-qam", "Faster"], check=True, env=day)
    differs = "1 of 1 number differs from the results of 2026-04-01"
    assert standing() == f"{differs}; the table last matched those of 2026-03-14"


def test_comments_are_not_shown(tmp_path: Path) -> None:
    report = tmp_path / "r.md"
    report.write_text(
        "# R\n\n<!-- one -->\n\nText <!-- two --> goes on.\n\n"
        "| Nodes | Tokens/s |\n|--|--|\n| 1 | 10 |\n| 1 | 10 | <!-- mdbench: ignore MB103 -->\n",
        encoding="utf-8",
    )
    assert main(["render", "--format", "html", str(report), "-o", str(tmp_path / "site")]) == 0
    (page,) = [path for path in (tmp_path / "site").rglob("*.html") if path.name != "index.html"]
    text = page.read_text(encoding="utf-8")
    assert not [word for word in ("one --", "two --", "ignore MB103") if word in text]
    assert "goes on" in text


def test_a_comment_with_a_finding_is_shown(tmp_path: Path) -> None:
    report = tmp_path / "r.md"
    report.write_text("# R\n\nText <!-- mdbench: ignore MB103 --> goes on.\n", encoding="utf-8")
    assert main(["render", "--format", "html", str(report), "-o", str(tmp_path / "site")]) == 0
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "site").rglob("*.html")]
    assert any("ignore MB103 --&gt;" in page for page in pages)
