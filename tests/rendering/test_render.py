"""Rewritten tables: layout, one sign for missing values, units in headers, remarks as footnotes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.files.reading import read_source
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check
from mdbench.rendering.markdown import render_markdown
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
NAMES = ("bigscience-1b3", "fmengine", "fugaku-1.3b", "fugaku-30b", "nanotron-nemo")


def render(text: str) -> str:
    return render_markdown(Source("report.md", shown(text)), STANDARD).text


def shown(text: str) -> str:
    return dedent(text).lstrip("\n")


@pytest.mark.parametrize("name", NAMES)
def test_the_rendered_reports(name: str, file_regression: FileRegressionFixture) -> None:
    source = read_source(str(PROJECT / "reports" / f"{name}.md"))
    file_regression.check(render_markdown(source, STANDARD).text, extension=".md", newline="")


LAYOUTS = [
    pytest.param(
        """
        | Nodes|TFLOPs |
        |--|--|
        |4 | 0.86|
        | 1024 |  12.50 |
        """,
        """
        | Nodes | TFLOPs |
        | ----: | -----: |
        |     4 |   0.86 |
        |  1024 |  12.50 |
        """,
        id="numbers are right-aligned and keep their digits",
    ),
    pytest.param(
        """
        | Model | TFLOPs | Comment |
        |:-:|:-:|:-|
        | 日本 | 1 | a |
        | GPT | 20 | bc |
        """,
        """
        | Model | TFLOPs | Comment |
        | :---: | -----: | :------ |
        | 日本  |      1 | a       |
        |  GPT  |     20 | bc      |
        """,
        id="wide characters count twice, and words keep their alignment",
    ),
    pytest.param(
        """
        Nodes | TFLOPs
        --|--
        4 | 0.86
        |  |  |
        8 | 0.84
        |  |  |
        """,
        """
        | Nodes | TFLOPs |
        | ----: | -----: |
        |     4 |   0.86 |
        |     8 |   0.84 |
        """,
        id="blank rows are removed and outer pipes added",
    ),
    pytest.param(
        """
        | Nodes | TFLOPs | Sec/it | Mem |
        |--|--|--|--|
        | 4 | 0.86 | N/A | 5 GB |
        | 8 | — | 10 |  |
        | 16 |
        """,
        """
        | Nodes | TFLOPs | Sec/it | Mem (GB) |
        | ----: | -----: | -----: | -------: |
        |     4 |   0.86 |      - |        5 |
        |     8 |      - |     10 |        - |
        |    16 |      - |      - |        - |
        """,
        id="one sign for missing values, also in short rows",
    ),
    pytest.param(
        """
        | Nodes | Sec/it | TFLOPs | Notes |
        |--|--|--|--|
        | 4 | x | OOM | out of memory |
        | 8 | nan | TBD | |
        | 8 | 3.5 | 20 | |
        """,
        """
        | Nodes | Sec/it | TFLOPs | Notes         |
        | ----: | -----: | -----: | ------------- |
        |     4 |      x |    OOM | out of memory |
        |     8 |    nan |    TBD |               |
        |     8 |    3.5 |     20 |               |
        """,
        id="words that say more than missing are kept, and empty notes too",
    ),
    pytest.param(
        """
        | Model | Nodes | TFLOPs |
        |--|--|--|
        | A | 4 | 0.86 |
        |  | 8 | 0.84 |
        """,
        """
        | Model | Nodes | TFLOPs |
        | ----- | ----: | -----: |
        | A     |     4 |   0.86 |
        |       |     8 |   0.84 |
        """,
        id="a blank below a name stays blank: it may mean as above",
    ),
    pytest.param(
        """
        | Nodes | Mem | Latency |
        |--|--|--|
        | 4 | 18870.0 MiB^ | 3 ms |
        | 8 | - MiB | 4 s |
        """,
        """
        | Nodes | Mem (MiB) | Latency |
        | ----: | --------: | ------: |
        |     4 |  18870.0^ |    3 ms |
        |     8 |         - |     4 s |
        """,
        id="only a common unit is moved to the header",
    ),
    pytest.param(
        """
        | Nodes | Mem (GB) |
        |--|--|
        | 4 | 12 GB |
        | 8 | 11.5 GB |
        """,
        """
        | Nodes | Mem (GB) |
        | ----: | -------: |
        |     4 |       12 |
        |     8 |     11.5 |
        """,
        id="a unit in the header is not repeated",
    ),
    pytest.param(
        """
        | Model | Size | Speedup | Cost |
        |--|--|--|--|
        | A | 1.3B | 2.5x | $5 |
        | B | 30B | 3x | $7 |
        """,
        """
        | Model | Size | Speedup | Cost |
        | ----- | ---: | ------: | ---: |
        | A     | 1.3B |    2.5x |   $5 |
        | B     |  30B |      3x |   $7 |
        """,
        id="suffixes, factors and money stay with their numbers",
    ),
    pytest.param(
        """
        | Nodes | Sec/it |
        |--|--|
        | 4 | 12.5 (one step only) |
        | 8 | 6.5 |
        | 16 | 3.5 (one step only) |
        | 32 | 1.5 |
        """,
        """
        | Nodes |        Sec/it |
        | ----: | ------------: |
        |     4 | 12.5[^note-1] |
        |     8 |           6.5 |
        |    16 |  3.5[^note-1] |
        |    32 |           1.5 |

        [^note-1]: one step only
        """,
        id="a repeated remark becomes one footnote",
    ),
    pytest.param(
        """
        | Nodes | Mem |
        |--|--|
        | 4 (2.2GHz) | 5 GB (OOM) |
        | 8 | 4 GB |
        | 16 | 3 GB |
        """,
        """
        |      Nodes | Mem (GB) |
        | ---------: | -------: |
        | 4 (2.2GHz) |  5 (OOM) |
        |          8 |        4 |
        |         16 |        3 |
        """,
        id="a second number and a bare status stay visible",
    ),
    pytest.param(
        """
        | Nodes | Sec/it |
        |--|--|
        | 4 | 12.5 (first run) |
        | 8 | 6.5 (second run) |
        """,
        """
        | Nodes |           Sec/it |
        | ----: | ---------------: |
        |     4 | 12.5 (first run) |
        |     8 | 6.5 (second run) |
        """,
        id="remarks stay if most numbers have one",
    ),
    pytest.param(
        """
        | Nodes | TFLOPs |
        |--|--|
        | 4 | 0.86^ |
        | 8 | 0.84[^1] |

        ^ estimated

        [^1]: extrapolated
        """,
        """
        | Nodes |   TFLOPs |
        | ----: | -------: |
        |     4 |    0.86^ |
        |     8 | 0.84[^1] |

        ^ estimated

        [^1]: extrapolated
        """,
        id="marks and their explanations are kept",
    ),
    pytest.param(
        """
        > | Nodes | TFLOPs |
        > |--|--|
        > | 4 | 0.86 (one step only) |
        >| 8 | 0.8 |
        > | 8 | 0.8 |
        > # Next
        """,
        """
        > | Nodes |        TFLOPs |
        > | ----: | ------------: |
        > |     4 | 0.86[^note-1] |
        >|     8 |           0.8 |
        > |     8 |           0.8 |
        >
        > [^note-1]: one step only
        >
        > # Next
        """,
        id="quote markers are kept",
    ),
    pytest.param(
        """
        - first:

          | Nodes | TFLOPs |
          |--|--|
          | 4 | 0.86 |
        """,
        """
        - first:

          | Nodes | TFLOPs |
          | ----: | -----: |
          |     4 |   0.86 |
        """,
        id="a table in a list keeps its indent",
    ),
    pytest.param(
        """
        | Nodes | TFLOPs |
        |--|--|
        | 4 | 0.86 | lost | more |
        | 1024 | 0.86 |
        """,
        """
        | Nodes | TFLOPs |
        | ----: | -----: |
        |     4 |   0.86 | lost | more |
        |  1024 |   0.86 |
        """,
        id="surplus cells are kept",
    ),
    pytest.param(
        """
        | Nodes | Notes |
        |--|--|
        |  |  |
        """,
        """
        | Nodes | Notes |
        | ----- | ----- |
        |       |       |
        """,
        id="an empty form keeps its rows",
    ),
]


@pytest.mark.parametrize(("text", "expected"), LAYOUTS)
def test_a_table_is_laid_out_again(text: str, expected: str) -> None:
    assert render(text) == shown(expected)


def test_a_remark_in_a_footnote_is_read_as_if_it_were_in_its_cell() -> None:
    source = read_source(str(PROJECT / "reports" / "fugaku-30b.md"))
    rendered = render_markdown(source, STANDARD)
    runs = [list(tidy_rows(read_report(one, STANDARD), Shape.RUNS)) for one in (source, rendered)]
    for before, after in zip(*runs, strict=True):
        assert {**before, "line": 0, "extra": {}} == {**after, "line": 0, "extra": {}}
    assert (runs[1][0]["status"], runs[1][0]["notes"]) == ("oom", "OOM after first epoch")
    assert runs[1][0]["markers"] == []


def test_github_recognizes_the_footnotes() -> None:
    source = read_source(str(PROJECT / "reports" / "fugaku-30b.md"))
    text = render_markdown(source, STANDARD).text
    html = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_FOOTNOTES)
    assert '<td align="right">29138.6<sup class="footnote-ref">' in html
    assert "<p>OOM after first epoch <a href" in html
    assert "[^" not in html


def test_new_footnotes_continue_the_existing_ones() -> None:
    once = render("| Sec/it |\n|--|\n| 12.5 (one step) |\n| 3 |\n| 4 |\n# Next\n")
    assert once.endswith("|\n\n[^note-1]: one step\n\n# Next\n")
    more = once.replace("|             4 |", "| 4 (two steps) |")
    assert render(more).endswith("|\n\n[^note-1]: one step\n[^note-2]: two steps\n\n# Next\n")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\n| Nodes | Mem |\n|--|--|\n| 4 | 5 GB |\n```\n", id="in a fence"),
        pytest.param("<table><tr><th>Nodes</th></tr><tr><td>4</td></tr></table>\n", id="in HTML"),
        pytest.param("# Report  \n\ntrailing spaces  \n\n\n* a\n", id="no table"),
        pytest.param("", id="an empty file"),
    ],
)
def test_only_pipe_tables_change(text: str) -> None:
    assert render_markdown(Source("r.md", text), STANDARD).text == text


def test_line_endings_byte_order_mark_and_missing_last_newline_are_kept() -> None:
    data = b"\xef\xbb\xbf# T \r\n\r\n|Nodes|Mem|\r\n|--|--|\r\n|4|5 GB|\r\n|  | |\r\n\r\nend\t"
    rendered = render_markdown(Source.from_bytes("r.md", data), STANDARD).to_bytes()
    table = b"| Nodes | Mem (GB) |\r\n| ----: | -------: |\r\n|     4 |        5 |\r\n"
    assert rendered == b"\xef\xbb\xbf# T \r\n\r\n" + table + b"\r\nend\t"


def test_a_unit_that_would_change_the_meaning_of_a_column_stays_in_its_cells() -> None:
    text = "Memory by batch size:\n\n| Model | bs=1 | bs=4 |\n|--|--|--|\n| A | 5 GB | 7 GB |\n"
    assert "5 GB |" in render(text)


@pytest.mark.slow
def test_clean_reports_have_no_new_findings() -> None:
    for name in NAMES:
        source = read_source(str(PROJECT / "reports" / f"{name}.md"))
        before, after = (
            {one.code for one in check(one)} for one in (source, render_markdown(source, STANDARD))
        )
        assert after <= before
