"""Reports that differ only in prose that says nothing are checked once, and found alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.dialect import in_force
from mdbench.document import parse_document
from mdbench.inert import find_inert, says_nothing
from mdbench.linter import lint_source
from mdbench.plan import Plan
from mdbench.reader import read_files, read_rows
from mdbench.recall import Recall
from mdbench.reports import Report
from mdbench.source import Source
from mdbench.tidy import Shape

ROOT = Path(__file__).resolve().parent.parent
REPORT = """# Runs

Some words before.

## Nodes

| Nodes | GBS | Sec/it | Samples/s |
|------:|----:|-------:|----------:|
|     1 |  64 |   2.00 |      32.0 |
|     2 | 128 |   2.00 |      64.0 |
|     4 | 256 |   2.00 |     182.0 |
|       |     |        |           |

Some words behind.
"""
SAYING = {
    "a setting": "Sequence length is 2048.",
    "a setting of the nodes": "We had 8 GPUs per node.",
    "a claim": "Then llama-3b on 4 A100 GPUs reaches 6300 tokens per second.",
    "an estimate": "At 100 seconds per step 1000 steps take 5 days.",
    "the name of a mark": "A star says that it was estimated.",
    "a mark": "^ Estimated.",
    "a formula": "samples = 2 * 16",
    "a list": "7. Words.",
    "a table": "| a |",
    "a link": "See [there](x.md).",
    "an own comment": "<!-- mdbench ignore-file -->",
}


def paths() -> Iterator[Path]:
    for folder in (ROOT / "reports", ROOT.parent / "shared" / "corpus"):
        yield from sorted(folder.glob("*.md"))


def lint(text: str, recall: Recall[Report] | None = None) -> Report:
    return lint_source(Source("report.md", text), Plan(), recall)


def recalled(first: str, second: str) -> Report | None:
    """What is known of the second text from the first."""
    plan, recall = Plan(), Recall[Report]()
    lint(first, recall)
    how = plan.selection, plan.statistics, in_force()
    known = recall.find(Source("report.md", second), how)
    return None if known is None else lint(second, recall)


@pytest.mark.parametrize(
    "words", ["Copy 17.", "17", "9c4f 2", "Another run, made by someone (in May).", "<!-- 5 -->"]
)
def test_words_behind_the_last_table_are_free(words: str) -> None:
    other = "Yet more words than before." if words[0] != "<" else "<!-- another one -->"
    first, second = f"{REPORT}\n{other}\n", f"{REPORT}\n{words}\n"
    assert recalled(first, second) == lint(second)


def test_words_before_the_findings_move_them() -> None:
    second = REPORT.replace("Some words before.", "Others.")
    found = recalled(REPORT, second)
    assert found == lint(second)
    assert found is not None
    assert {one.code for one in found.findings} >= {"MB102", "MB301"}


def test_words_above_a_table_of_their_section_are_not_free() -> None:
    text = REPORT.replace("## Nodes\n", "## Nodes\n\nSome words above.\n")
    assert recalled(text, text.replace("words above", "others")) is None


@pytest.mark.parametrize("line", SAYING.values(), ids=SAYING)
def test_a_line_that_says_something_is_not_free(line: str) -> None:
    assert not says_nothing([line])
    assert recalled(REPORT, REPORT.replace("Some words behind.", line)) is None


def test_rows_of_a_copy_are_those_of_the_report_under_another_name(tmp_path: Path) -> None:
    texts = {"a.md": REPORT, "b.md": REPORT.replace("words behind", "others")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for shape in Shape:
        paths = [str(tmp_path / name) for name in texts]
        files = list(read_files(paths, shape, jobs=1, stdin_name="-"))
        assert [one.rows for one in files] == [read_rows(path, shape) for path in paths]


def test_another_number_in_a_table_is_another_report() -> None:
    assert recalled(REPORT, REPORT.replace("182.0", "128.0")) is None


def test_the_same_text_checked_in_another_way_is_not_known() -> None:
    recall = Recall[Report]()
    recall.keep(parse_document(Source("a.md", REPORT)), "one", lint(REPORT))
    assert recall.find(Source("a.md", REPORT), "other") is None


def test_only_so_many_reports_are_kept() -> None:
    recall = Recall[Report]()
    for number in range(100):
        text = REPORT + "\n" * number
        recall.keep(parse_document(Source("a.md", text)), "", lint(text))
    assert recall.find(Source("a.md", REPORT), "") is None
    assert recall.find(Source("a.md", REPORT + "\n" * 99), "") is not None


@pytest.mark.parametrize("path", list(paths()), ids=lambda path: path.name)
def test_every_free_line_of_a_report_is_free(path: Path) -> None:
    """Each may say something else: what is found does not change but for its place."""
    source = Source("report.md", path.read_text(encoding="utf-8"))
    before = lint(source.text)
    for lines in list(find_inert(parse_document(source)))[:3]:
        starts = source.line_starts
        end = starts[lines.stop] if lines.stop < len(starts) else len(source.text)
        is_comment = source.text.startswith("<", starts[lines.start])
        words = "<!-- Other words -->" if is_comment else "Other words"
        put = "\n".join([words, *["and more"] * (len(lines) - 1)])
        tail = "\n" if source.text[:end].endswith("\n") else ""
        text = source.text[: starts[lines.start]] + put + tail + source.text[end:]
        after = lint(text)
        assert [(one.code, one.message) for one in after.findings] == [
            (one.code, one.message) for one in before.findings
        ]
        assert recalled(source.text, text) == after


@given(st.text(st.sampled_from("abcs 0129,.'()-xXisnode"), min_size=1, max_size=40))
def test_what_is_recalled_is_what_would_be_found(line: str) -> None:
    second = REPORT.replace("Some words behind.", line)
    found = recalled(REPORT, second)
    assert found is None or found == lint(second)
