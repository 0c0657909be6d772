"""Plain blocks are read without the parser, but with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdbench.markdown.block_rules import OneBlockParser, run_block_rules
from mdbench.markdown.plain import read_blocks
from mdbench.markdown.recorder import Recorder

REPORTS = sorted((Path(__file__).resolve().parent.parent.parent / "reports").glob("*.md"))


def said(recorder: Recorder) -> tuple[object, ...]:
    return recorder.blocks, recorder.tables, recorder.sections


def check_same(text: str) -> None:
    """Check that a text is read as the parser reads it."""
    recorder = read_blocks(text)
    assert recorder is None or said(recorder) == said(run_block_rules(text)), text


def count_other_blocks(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many blocks of a text are left to the parser."""
    starts: list[int] = []

    def read_block(parser: OneBlockParser, line: int) -> int:
        starts.append(line)
        return original(parser, line)

    original = OneBlockParser.read_block
    monkeypatch.setattr(OneBlockParser, "read_block", read_block)
    return len(text) if read_blocks(text) is None else len(starts)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("# A\n\none\ntwo\n## B ##\n### C\n", id="headings and paragraphs"),
        pytest.param("####### one\n#two\n", id="hashes that are not a heading"),
        pytest.param("- a\n- b\n\n  more\n* c\n\n1. d\n2) e\n", id="lists"),
        pytest.param("- a\n  - b\n    - c\n- d\n    - e\n1. f\n   1. g\n", id="lists in lists"),
        pytest.param("- a\nlazy\n  words\n- b\n# End\n", id="continuation lines"),
        pytest.param("text\n- a\n1. b\n", id="a list that ends a paragraph"),
        pytest.param("```py\n# no\n\t- a\n```\n~~~\nopen", id="fences"),
        pytest.param("- a\n```\nb\n```\n", id="a fence that ends a list"),
        pytest.param("| a | b |\n|--|:-:|\n| 1 |\n2 | 3 | 4\n# End\n", id="tables"),
        pytest.param("text\n| a |\n|---|\n| 1 |\n- item\n", id="a table that ends a paragraph"),
        pytest.param("one\n\n---\n* * *\ntwo\n***\n", id="thematic breaks"),
        pytest.param("[one](two)\n\n[^1]: note\n- [x] done\n", id="brackets"),
        pytest.param("one  \n    two\n", id="an indented continuation line"),
        pytest.param("<div>\n  <b>a</b>\n# b\n</div>\n\nc\n", id="html up to a blank line"),
        pytest.param("<!-- a\n\n# b --> c\nd\n<!-- e -->\nf\n", id="comments"),
        pytest.param("<!-- a\n\nb\n", id="a comment that does not end"),
        pytest.param("one\n</Details>\ntwo\n\n- a\n<p align=b>\n", id="html that ends a paragraph"),
        pytest.param("| a |\n|---|\n| 1 |\n<table>\n", id="html that ends a table"),
    ],
)
def test_plain_text_does_not_need_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for same in (text, text.rstrip("\n")):
        check_same(same)
        assert count_other_blocks(same, monkeypatch) == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("one\r\n", id="other line endings"),
        pytest.param("---\na: 1\n---\n", id="front matter"),
        pytest.param("> one\n", id="a quote"),
        pytest.param("<b>a</b>\n", id="html that is no block of its own"),
        pytest.param("  <p>\n", id="indented html"),
        pytest.param("<?php\n?>\n", id="rare html"),
        pytest.param("one\n<br>\n", id="html in a paragraph"),
        pytest.param("one\n===\n", id="an underlined title"),
        pytest.param("one\n---\n", id="an underlined title of level 2"),
        pytest.param("    one\n", id="indented code"),
        pytest.param("\tone\n", id="a tab"),
        pytest.param("[one]: two\n", id="a link definition"),
        pytest.param("-\n", id="an empty item"),
        pytest.param("- # a\n", id="a heading in an item"),
        pytest.param("- a\n\n  ```\n  b\n  ```\n", id="a fence in an item"),
        pytest.param("- a | b\n  --|--\n", id="a table in an item"),
        pytest.param("one\n2. two\n", id="a number that does not start a list"),
        pytest.param("| a |\n|---|\n|\n", id="a pipe alone"),
        pytest.param("| a |\n|---|\n  | 1 |\n", id="an indented row"),
        pytest.param("```a`b\n", id="code that is not a fence"),
        pytest.param("- " * 12 + "a\n", id="a deep list"),
    ],
)
def test_other_text_is_left_to_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_same(text)
    assert count_other_blocks(text, monkeypatch) > 0


def test_only_the_block_that_is_not_plain_is_left_to_the_parser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "# a\n\n> b\n> | c |\n> |---|\n\n- d\n- e\n\n      f\n- g\n\ntext\n| h |\n|---|\n| i |\n"
    check_same(text)
    assert count_other_blocks(text, monkeypatch) == 2


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_reports_are_read_like_the_parser_does(path: Path) -> None:
    check_same(path.read_text(encoding="utf-8"))


def test_corpus_reports_are_read_like_the_parser_does(corpus: Path) -> None:
    for path in corpus.rglob("*.md"):
        check_same(path.read_text(encoding="utf-8"))


PIECES = st.sampled_from(
    """# h|## h2 ##|####### x|text|a ¦ b|¦ a ¦ b ¦|¦---¦---¦|---¦---|¦ --- ¦ :-: ¦|¦---¦|¦ a ¦|¦|¦¦|
    - item|* item|+ item|-|1. one|2. two|1) one|- [ ] task|- a ¦ b|- - x|- # h|- ```|```|```py|````|
    ~~~|---|***|* * *|- - -|===|=|--|[x]: y|[x](y)|[x|y]: z|[^1]: note|> q|> - q|> ¦ a ¦|> ¦---¦|
    <div>|</div>|<P x>|<td/>|<br>|<!-- a|-->|<!-- b --> c|**bold** text|
    `code` x|\\¦ a ¦ b ¦|¦ a \\¦ b ¦ c ¦|1.|-x|01. x|-    five|-     six|-\ttab|\xa0|¦\xa0¦|\x0b|
    :--|-¦-|::""".replace("\n", "")
    .replace("    ", "|")
    .split("|")
)
INDENTS = st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "      ", "\t"])
LINES = st.tuples(INDENTS, PIECES, st.sampled_from(["", " "])).map("".join)


@settings(max_examples=max(400, settings().max_examples))
@given(st.lists(LINES | st.just(""), max_size=12))
def test_any_lines_are_read_like_the_parser_does(lines: list[str]) -> None:
    check_same("\n".join(lines).replace("¦", "|"))


@settings(max_examples=max(150, settings().max_examples))
@given(st.text("#-*`|:><1. \t\nab[]", max_size=40))
def test_any_text_is_read_like_the_parser_does(text: str) -> None:
    check_same(text)
