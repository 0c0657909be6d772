"""A rendered report keeps its frame and its text, and rendering it again changes nothing."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.files.reading import read_source
from mdbench.frames.cells import cell_rows
from mdbench.markdown.document import TableKind
from mdbench.markdown.parser import parse_document
from mdbench.numerals.units import parse_unit
from mdbench.rendering.markdown import Rendering, render_markdown
from mdbench.rules.findings import UNMARKED
from mdbench.sheets.equality import differences
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))
CORPUS = sorted((PROJECT.parent / "shared" / "corpus").glob("*.md"))
# One process has all tests of a file: what they share is computed once.
FILES = [
    pytest.param(path, id=path.stem, marks=pytest.mark.xdist_group(f"rendered {path.stem}"))
    for path in (*REPORTS, *CORPUS)
]
WAYS = [
    pytest.param(Rendering(), id="in full"),
    pytest.param(Rendering(minimal=True), id="minimal"),
]

if not CORPUS:
    FILES.append(
        pytest.param(Path(), marks=pytest.mark.skip("the corpus is not there"), id="corpus")
    )

LINE_END = re.compile(r"\r\n|\n|\r")
FOOTNOTES = re.compile(r"\A(?:\r?\n[ >]*)(?:\r?\n[ >]*\[\^note-\d+\]: [^\r\n]*)+")
Said = tuple[object, ...]


def frame(source: Source) -> list[Said]:
    """The `cells` frame without positions and formatting."""
    return frame_of(read_report(source, STANDARD))


def frame_of(report: Report) -> list[Said]:
    """The same for a report that has been read."""
    rows: list[Said] = []
    for row in cell_rows(report, UNMARKED):
        unit = parse_unit(str(row["unit"])) if row["unit"] and row["value"] is not None else None
        rows.append(
            (
                *(row[name] for name in ("section", "table", "row", "quantity")),
                *(row[name] for name in ("value", "low", "high", "status", "markers", "note")),
                (unit.dimension, unit.scale) if unit is not None else None,
            )
        )
    return rows


def outside(source: Source) -> list[str]:
    """The text outside of tables that may be rewritten."""
    text, done = source.text, 0
    parts = []
    for table in parse_document(source).tables:
        if table.kind is TableKind.PIPE:
            parts.append(text[done : table.span.start])
            ending = LINE_END.search(text, table.span.end)
            done = ending.start() if ending is not None else len(text)
    return [*parts, text[done:]]


@cache
def read(path: Path) -> Source:
    return read_source(str(path))


@cache
def render(path: Path, way: Rendering) -> Source:
    return render_markdown(read(path), STANDARD, way)


@cache
def report_in(path: Path) -> Report:
    return read_report(read(path), STANDARD)


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_the_rendered_report_has_the_same_frame(path: Path, way: Rendering) -> None:
    rendered = read_report(render(path, way), STANDARD)
    assert frame_of(rendered) == frame_of(report_in(path))
    assert differences(report_in(path), rendered) == ()


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_rendering_twice_gives_the_same_bytes(path: Path, way: Rendering) -> None:
    once = render(path, way)
    assert render_markdown(once, STANDARD, way).to_bytes() == once.to_bytes()


@pytest.mark.parametrize("path", FILES)
def test_no_byte_outside_tables_changes(path: Path) -> None:
    before, after = outside(read(path)), outside(render(path, Rendering()))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        bare = FOOTNOTES.sub("", new, count=1)
        # Footnotes directly above other text are followed by an additional blank line.
        assert old == bare or (bare != new and old == LINE_END.sub("", bare, count=1))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in REPORTS])
@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Rendering(recompute=True), id="recompute"),
        pytest.param(Rendering(annotate=True), id="annotate"),
        pytest.param(Rendering(True, True, True), id="all at once"),
    ],
)
def test_additions_are_not_added_twice(path: Path, way: Rendering) -> None:
    once = render_markdown(read_source(str(path)), STANDARD, way)
    assert render_markdown(once, STANDARD, way).to_bytes() == once.to_bytes()


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in REPORTS])
def test_findings_as_footnotes_change_no_measurement(path: Path) -> None:
    source = read_source(str(path))
    assert frame(render_markdown(source, STANDARD, Rendering(annotate=True))) == frame(source)


CELLS = st.sampled_from(
    """- — N/A x OOM 1 2.50 18870.0^ 16GB 3|1.5 12ms 1.2k 5% 0.86[^1] 日本 a|b yes 02-15 *3* ~4
    [x](y) 7†|8 1e3 `c` \\| 1,024 4(OOM) 9GB(borderline|OOM) 2(only|one|step) 3±0.2 3.5s TBD
    ???""".split()
).map(lambda text: text.replace("|", " ") if text != "\\|" else text)
HEADERS = st.sampled_from(
    ["Nodes", "Mem", "Sec/it", "TFLOPs", "Model", "Notes", "Tokens/s", "", "Latency (ms)", "GPU"]
)


@st.composite
def reports(draw: st.DrawFn) -> str:
    """A report with a typical hand-written table: ragged, in a quote, without outer pipes."""
    width = draw(st.integers(1, 5))
    prefix = draw(st.sampled_from(["", "> ", "  "]))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    outer = draw(st.booleans()) or width == 1
    header = draw(st.lists(HEADERS, min_size=width, max_size=width))
    cell = st.one_of(CELLS, st.just(""))
    rows = draw(st.lists(st.lists(cell, min_size=1, max_size=width + 1), min_size=1, max_size=5))
    lines = [" | ".join(row) for row in (header, ["---"] * width, *rows)]
    lines = [f"| {line} |" if outer else line for line in lines]
    before, after = draw(st.sampled_from([("# T", ""), ("text ", "## End"), ("", "[^1]: said")]))
    body = [before, "", *(prefix + line for line in lines), after]
    return ending.join(body)


@given(reports())
def test_any_table_keeps_its_frame(text: str) -> None:
    source = Source("r.md", text)
    rendered = render_markdown(source, STANDARD)
    assert frame(rendered) == frame(source)
    assert render_markdown(rendered, STANDARD) == rendered
    minimal = render_markdown(source, STANDARD, Rendering(minimal=True))
    assert frame(minimal) == frame(source)
    assert render_markdown(minimal, STANDARD, Rendering(minimal=True)) == minimal


@given(st.text(alphabet="|-: \n\r\t>*1aGB^[]()#`\\.x日", max_size=120))
def test_any_text_keeps_its_frame(text: str) -> None:
    source = Source("r.md", text)
    rendered = render_markdown(source, STANDARD)
    assert frame(rendered) == frame(source)
    assert render_markdown(rendered, STANDARD) == rendered
